// SPDX-License-Identifier: MIT
// The registry of generators and their common checks.
#include "maps/synthesis/generator.h"

#include "core/partition.h"

#include <math.h>
#include <string.h>

typedef wadi_result generator_fill_fn(const synthesis_grid* grid, const void* params);

static wadi_result generator_noise(const synthesis_grid* grid, const void* params)
{
    return wadi_noise_fill(grid->context, params, grid->seed, grid->width, grid->height,
                           grid->cell_size, grid->out);
}

enum
{
    GENERATOR_COUNT = 5
};

static const wadi_generator generator_list[GENERATOR_COUNT] = {
    {"noise", "gradient noise: fbm, ridged or warped", &wadi_noise_fields},
    {"subdivision",
     "points displaced between coarser ones: midpoint displacement, diamond-square, "
     "square-square, hexagons",
     &wadi_subdivision_fields},
    {"faults", "ground thrown up along many straight or round faults", &wadi_faults_fields},
    {"poisson_faults", "classes of equal area between faults, as of rocks of different hardness",
     &wadi_poisson_faults_fields},
    {"deposition", "particles that roll, stick or hop where they fall", &wadi_deposition_fields},
};

static generator_fill_fn* const generator_fills[GENERATOR_COUNT] = {
    generator_noise,          wadi_subdivision_fill, wadi_faults_fill,
    wadi_poisson_faults_fill, wadi_deposition_fill,
};

int32_t wadi_generator_count(void)
{
    return GENERATOR_COUNT;
}

const wadi_generator* wadi_generator_at(int32_t index)
{
    return index >= 0 && index < GENERATOR_COUNT ? &generator_list[index] : NULL;
}

const wadi_generator* wadi_generator_find(const char* name)
{
    for (int32_t i = 0; i < GENERATOR_COUNT; ++i)
    {
        if (strcmp(generator_list[i].name, name) == 0)
        {
            return &generator_list[i];
        }
    }
    return NULL;
}

static wadi_result generator_check(wadi_context* context, const wadi_generator* generator,
                                   const void* params, const synthesis_grid* grid)
{
    WADI_TRY(wadi_fields_check(context, generator->fields, params));
    WADI_CHECK(context,
               grid->width >= 1 && grid->width <= 65536 && grid->height >= 1 &&
                   grid->height <= 65536,
               WADI_ERROR_ARGUMENT, "%s on %d x %d cells: each side must be 1..65536",
               generator->name, (int)grid->width, (int)grid->height);
    WADI_CHECK(context, grid->cell_size >= 1e-3 && grid->cell_size <= 1e6, WADI_ERROR_RANGE,
               "cell size is %g m but must lie in [0.001, 1e6]", grid->cell_size);
    const wadi_field* base = wadi_field_find(generator->fields, "base");
    const wadi_field* relief = wadi_field_find(generator->fields, "relief");
    const double top = base != NULL && relief != NULL
                           ? wadi_field_get(base, params) + wadi_field_get(relief, params)
                           : 0.0;
    WADI_CHECK(context, top <= WADI_HEIGHT_LIMIT, WADI_ERROR_RANGE,
               "base + relief is %g m; the highest terrain is %g m", top, WADI_HEIGHT_LIMIT);
    return WADI_OK;
}

wadi_result wadi_generator_fill(wadi_context* context, const wadi_generator* generator,
                                const void* params, uint64_t seed, int32_t width, int32_t height,
                                double cell_size, float* out)
{
    WADI_CHECK(context, generator != NULL && params != NULL && out != NULL, WADI_ERROR_ARGUMENT,
               "a generator needs its descriptor, parameters and an array to fill, got NULL");
    const int32_t index = (int32_t)(generator - generator_list);
    const synthesis_grid grid = {context, seed, width, height, cell_size, out};
    WADI_TRY(generator_check(context, generator, params, &grid));
    WADI_CHECK(context, wadi_partition_of(context) == NULL || index == 0, WADI_ERROR_ARGUMENT,
               "%s is made on the whole grid, not in windows; use noise, or a file",
               generator->name);
    return generator_fills[index](&grid, params);
}

// The quotient is computed first, so that the highest cell gets exactly base + relief.
void wadi_synthesis_scale(const synthesis_grid* grid, double base, double relief)
{
    const int64_t cells = synthesis_cells(grid);
    float low = grid->out[0];
    float high = grid->out[0];
    for (int64_t i = 1; i < cells; ++i)
    {
        low = fminf(low, grid->out[i]);
        high = fmaxf(high, grid->out[i]);
    }
    const double span = high > low ? (double)high - (double)low : 1.0;
    for (int64_t i = 0; i < cells; ++i)
    {
        grid->out[i] = (float)(base + relief * (((double)grid->out[i] - (double)low) / span));
    }
}
