// SPDX-License-Identifier: MIT
#include "cli/bench/bench_column.h"

#include <math.h>
#include <stdlib.h>

static const double COLUMN_RADIUS = 0.01;
static const double COLUMN_SPACING = 0.024;

wadi_grain_material bench_column_sand(void)
{
    wadi_grain_material material = wadi_grain_material_default();
    material.stiffness = 5e4;
    material.restitution = 0.44;
    material.friction = 0.5;
    material.rolling_friction = 0.0;
    material.bond_modulus = 1e6;
    return material;
}

wadi_grains_params bench_column_params(const bench_column* column)
{
    wadi_grains_params params = wadi_grains_params_default();
    params.step = 5e-5;
    params.period_x = column->period;
    params.period_y = column->period;
    return params;
}

// Linear congruential generator: the same column on every machine.
static double column_random(uint32_t* state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 16777216.0 - 0.5;
}

// Place grains in layers, alternately shifted over the gaps of the layer below, with jitter. A
// straight lattice would settle into separate stacks that fall apart when the walls go.
static void column_fill(bench_column* column, int32_t side)
{
    uint32_t state = 1;
    for (int32_t i = 0; i < column->count; ++i)
    {
        const int32_t at[3] = {i % side, i / side % side, i / side / side};
        column->grains[i] = (wadi_grain){.radius = COLUMN_RADIUS};
        for (int c = 0; c < 3; ++c)
        {
            const double shift = c < 2 ? 0.3 + 0.4 * (at[2] & 1) : 0.5;
            const double jitter = 0.16 * COLUMN_SPACING * column_random(&state);
            column->grains[i].position[c] = COLUMN_SPACING * (shift + at[c]) + jitter;
            column->grains[i].velocity[c] = column_random(&state);
        }
    }
}

wadi_result bench_column_world(wadi_context* context, const bench_column* column,
                               const wadi_grain_material* material,
                               const wadi_grains_params* params, wadi_grains** out)
{
    const wadi_grain_wall floor_wall = {.normal = {0.0, 0.0, 1.0}};
    const wadi_result result =
        wadi_grains_create(context, params, material, 1, column->grains, column->count, out);
    int32_t number;
    return result == WADI_OK ? wadi_grains_add_wall(*out, &floor_wall, &number) : result;
}

// Simulate the column for `seconds` and read the grains back.
static wadi_result column_run(wadi_context* context, bench_column* column,
                              const wadi_grains_params* params, double seconds)
{
    const wadi_grain_material sand = bench_column_sand();
    wadi_grains* grains;
    wadi_result result = bench_column_world(context, column, &sand, params, &grains);
    if (result == WADI_OK)
    {
        result = wadi_grains_advance(grains, (int64_t)(seconds / params->step));
    }
    if (result == WADI_OK)
    {
        wadi_grains_read(grains, column->grains);
    }
    wadi_grains_destroy(grains);
    return result;
}

wadi_result bench_column_settle(wadi_context* context, int32_t side, int32_t layers,
                                bench_column* out)
{
    *out = (bench_column){.count = side * side * layers};
    out->grains = calloc((size_t)out->count, sizeof *out->grains);
    if (out->grains == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory: %d grains",
                                 out->count);
    }
    column_fill(out, side);
    // the top falls by a third of the height; allow three times that for settling
    const double fall = sqrt(2.0 / 3.0 * layers * COLUMN_SPACING / 9.81);
    out->period = side * COLUMN_SPACING;
    wadi_grains_params params = bench_column_params(out);
    params.step = 9e-5; // close to the stability limit
    return column_run(context, out, &params, 3.0 * fall);
}

wadi_result bench_column_tile(wadi_context* context, int32_t times, bench_column* column)
{
    const int32_t tiles = times * times;
    wadi_grain* grains = calloc((size_t)tiles * (size_t)column->count, sizeof *grains);
    if (grains == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "out of memory: %d grains",
                                 tiles * column->count);
    }
    for (int32_t i = 0; i < tiles * column->count; ++i)
    {
        const int32_t tile = i / column->count;
        grains[i] = column->grains[i % column->count];
        grains[i].position[0] += column->period * (tile % times);
        grains[i].position[1] += column->period * (tile / times);
    }
    free(column->grains);
    *column = (bench_column){grains, tiles * column->count, times * column->period};
    return WADI_OK;
}

wadi_result bench_column_collapse(wadi_context* context, bench_column* column, double seconds)
{
    column->period = 0.0;
    const wadi_grains_params params = bench_column_params(column);
    return column_run(context, column, &params, seconds);
}
