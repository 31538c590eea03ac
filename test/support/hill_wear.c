// SPDX-License-Identifier: MIT
#include "support/hill_wear.h"
#include "support/parcels.h"

#include <stdlib.h>

static wadi_terrain* hill_land(fixture* f, const hill_run* run)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = HILL_SIDE;
    def.height = HILL_SIDE;
    def.cell_size = 60.0;
    def.seed = 1;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    const wadi_noise_params noise = wadi_noise_params_default();
    float* heights = malloc(2 * HILL_CELLS * sizeof *heights);
    float* turned = heights + HILL_CELLS;
    CHECK_OK(f->context, wadi_noise_fill(f->context, &noise, run->seed, HILL_SIDE, HILL_SIDE,
                                         def.cell_size, heights));
    for (int32_t i = 0; i < HILL_CELLS; ++i)
    {
        const int32_t x = run->mirrored ? HILL_SIDE - 1 - i % HILL_SIDE : i % HILL_SIDE;
        turned[i] = heights[i / HILL_SIDE * HILL_SIDE + x];
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, turned, HILL_SIDE));
    free(heights);
    return terrain;
}

double hill_wear(const hill_run* run, float* wear)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = hill_land(&f, run);
    wadi_hydraulic_params params = parcels_params();
    params.batches = run->batches;
    wadi_solver* solver = NULL;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    CHECK_OK(f.context, wadi_solver_advance(solver, run->years));
    CHECK_OK(f.context, wadi_solver_map(solver, "wear", wear));
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    double sum = 0.0;
    for (int32_t i = 0; i < HILL_CELLS; ++i)
    {
        sum += (double)wear[i];
    }
    return sum / HILL_CELLS;
}

void hill_check_batches(uint32_t seed, double years)
{
    float* wear = malloc(HILL_CELLS * sizeof *wear);
    const double once = hill_wear(&(hill_run){seed, years, 50, false}, wear);
    const double twice = hill_wear(&(hill_run){seed, years, 100, false}, wear);
    free(wear);
    print_message("seed %u, %.0f years: mean wear %.2f m in 50 batches, %.2f m in 100\n", seed,
                  years, once, twice);
    assert_true(once > 1.0);
    CHECK_NEAR(twice, once, 0.1 * once);
}
