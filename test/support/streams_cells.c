// SPDX-License-Identifier: MIT
#include "support/streams_cells.h"

#include <stdlib.h>

// ---- lands -------------------------------------------------------------------------------

cells_land cells_flat(int32_t side, double cell)
{
    return (cells_land){calloc((size_t)side * (size_t)side, sizeof(float)), side, cell};
}

void cells_free(cells_land* land)
{
    free(land->heights);
    *land = (cells_land){0};
}

cells_land cells_noise(fixture* f, uint64_t seed, int32_t side, double cell)
{
    cells_land land = cells_flat(side, cell);
    const wadi_noise_params noise = wadi_noise_params_default();
    CHECK_OK(f->context, wadi_noise_fill(f->context, &noise, seed, side, side, cell, land.heights));
    return land;
}

cells_land cells_mean(const cells_land* fine, int32_t factor)
{
    cells_land out = cells_flat(fine->side / factor, fine->cell * factor);
    const float share = 1.0f / (float)(factor * factor);
    for (int32_t y = 0; y < out.side * factor; ++y)
    {
        for (int32_t x = 0; x < out.side * factor; ++x)
        {
            out.heights[y / factor * out.side + x / factor] +=
                share * fine->heights[y * fine->side + x];
        }
    }
    return out;
}

// ---- runs --------------------------------------------------------------------------------

static wadi_terrain* cells_terrain(fixture* f, const cells_land* land)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = land->side;
    def.height = land->side;
    def.cell_size = land->cell;
    wadi_terrain* terrain;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    CHECK_OK(f->context,
             wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, land->heights, land->side));
    return terrain;
}

// A dome of an oblique ellipse within the map, at rest 6 % of its length from the sides.
static wadi_solver* cells_uplift(fixture* f, wadi_terrain* terrain, const cells_land* land,
                                 double rate)
{
    wadi_uplift_params uplift = wadi_uplift_params_default();
    const double length = land->side * land->cell;
    uplift.rate = 0.0;
    uplift.dome_rate = rate;
    uplift.dome_x = 0.5 * length;
    uplift.dome_y = 0.5 * length;
    uplift.dome_length = 0.47 * length;
    uplift.dome_width = 0.38 * length;
    uplift.dome_azimuth = 30.0;
    wadi_solver* solver;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_uplift_process, &uplift, 0, &solver));
    return solver;
}

static wadi_solver* cells_streams(fixture* f, wadi_terrain* terrain, double step)
{
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.max_step = step > 0.0 ? step : params.max_step;
    wadi_solver* solver;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    return solver;
}

cells_land cells_after(fixture* f, const cells_land* land, const cells_run* run)
{
    wadi_terrain* terrain = cells_terrain(f, land);
    wadi_solver* water = cells_streams(f, terrain, run->step);
    wadi_solver* rise =
        run->uplift > 0.0 ? cells_uplift(f, terrain, land, run->uplift) : (wadi_solver*)NULL;
    const double step = wadi_solver_step(water);
    const int64_t count = (int64_t)(run->years / step + 0.5);
    for (int64_t i = 0; i < count; ++i)
    {
        if (rise != NULL)
        {
            CHECK_OK(f->context, wadi_solver_advance(rise, step));
        }
        CHECK_OK(f->context, wadi_solver_advance(water, step));
        CHECK_OK(f->context, wadi_terrain_advance_clock(terrain, step));
    }
    fixture_check_ledger(terrain);
    wadi_solver_destroy(rise);
    wadi_solver_destroy(water);
    cells_land out = cells_flat(land->side, land->cell);
    for (int32_t i = 0; i < land->side * land->side; ++i)
    {
        out.heights[i] = (float)(wadi_terrain_units(terrain, WADI_LAYER_SURFACE, i % land->side,
                                                    i / land->side) /
                                 (double)WADI_UNITS_PER_METRE);
    }
    wadi_terrain_destroy(terrain);
    return out;
}

// ---- comparisons -------------------------------------------------------------------------

static cells_comparison cells_against(const cells_land* a, const cells_land* b,
                                      const cells_land* before, bool heights)
{
    const int32_t count = a->side * a->side;
    double mean[2] = {0.0, 0.0};
    double lowered[2] = {0.0, 0.0};
    double sums[3] = {0.0, 0.0, 0.0};
    for (int pass = 0; pass < 2; ++pass)
    {
        for (int32_t i = 0; i < count; ++i)
        {
            const double zero = heights ? 0.0 : (double)before->heights[i];
            const double d[2] = {(double)a->heights[i] - zero, (double)b->heights[i] - zero};
            for (int k = 0; k < 2 && pass == 0; ++k)
            {
                mean[k] += d[k] / count;
                lowered[k] += heights ? d[k] : fmax(-d[k], 0.0);
            }
            if (pass == 1)
            {
                sums[0] += (d[0] - mean[0]) * (d[0] - mean[0]);
                sums[1] += (d[1] - mean[1]) * (d[1] - mean[1]);
                sums[2] += (d[0] - mean[0]) * (d[1] - mean[1]);
            }
        }
    }
    return (cells_comparison){sums[2] / sqrt(sums[0] * sums[1]), lowered[0] / lowered[1],
                              mean[0] / mean[1]};
}

cells_comparison cells_compare(fixture* f, const cells_land* fine, int32_t factor,
                               const cells_run* run)
{
    cells_land start = cells_mean(fine, factor);
    cells_land coarse = cells_after(f, &start, run);
    cells_land full = cells_after(f, fine, run);
    cells_land mean = cells_mean(&full, factor);
    const cells_comparison c = cells_against(&coarse, &mean, &start, run->uplift > 0.0);
    cells_free(&mean);
    cells_free(&full);
    cells_free(&coarse);
    cells_free(&start);
    return c;
}

cells_comparison cells_halve(fixture* f, const cells_land* land, const cells_run* run)
{
    cells_run half = *run;
    half.step = 0.5 * run->step;
    cells_land a = cells_after(f, land, run);
    cells_land b = cells_after(f, land, &half);
    const cells_comparison c = cells_against(&a, &b, land, run->uplift > 0.0);
    cells_free(&b);
    cells_free(&a);
    return c;
}

void cells_print(const char* what, cells_comparison c)
{
    print_message("%-40s correlation %.4f, wear %.4f, net %.4f\n", what, c.correlation, c.wear,
                  c.export);
}
