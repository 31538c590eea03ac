// SPDX-License-Identifier: MIT
// labels: slow
// Noise becomes land that drains, by eroding and not by filling.
#include "support/fixture.h"
#include "support/flooding.h"
#include "support/parcels.h"

#include <stdlib.h>

enum
{
    SIDE = 256,
    CELLS = SIDE * SIDE
};

typedef struct land
{
    float before[CELLS];
    float after[CELLS];
    float level_before[CELLS];
    float level_after[CELLS];
} land;

static void copy_surface(wadi_terrain* terrain, float* out)
{
    wadi_view view;
    assert_int_equal(wadi_terrain_borrow(terrain, WADI_LAYER_SURFACE, &view), WADI_OK);
    memcpy(out, view.data, CELLS * sizeof *out);
    assert_int_equal(wadi_terrain_release(terrain, WADI_LAYER_SURFACE), WADI_OK);
}

static wadi_terrain* noise_land(fixture* f, int32_t kind, uint64_t seed)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIDE;
    def.height = SIDE;
    def.cell_size = 60.0;
    def.seed = seed;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    wadi_noise_params params = wadi_noise_params_default();
    params.kind = kind;
    float* heights = malloc(CELLS * sizeof *heights);
    CHECK_OK(f->context,
             wadi_noise_fill(f->context, &params, seed, SIDE, SIDE, def.cell_size, heights));
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, heights, SIDE));
    free(heights);
    return terrain;
}

static void erode(fixture* f, wadi_terrain* terrain)
{
    const wadi_hydraulic_params params = parcels_params();
    wadi_solver* solver = NULL;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    CHECK_OK(f->context, wadi_solver_advance(solver, parcels_years()));
    wadi_solver_destroy(solver);
}

// Share of the formerly closed cells (over 1 m deep) whose flood level has fallen by more than 1 m.
static double share_lowered(const land* l)
{
    int64_t closed = 0;
    int64_t lowered = 0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        if (l->level_before[i] - l->before[i] > 1.0f)
        {
            closed += 1;
            lowered += l->level_before[i] - l->level_after[i] > 1.0f ? 1 : 0;
        }
    }
    assert_true(closed > CELLS / 20); // noise has depressions, or the test says nothing
    return (double)lowered / (double)closed;
}

static land* eroded_land(int32_t kind, uint64_t seed)
{
    fixture f;
    fixture_open(&f, 2);
    land* l = malloc(sizeof *l);
    wadi_terrain* terrain = noise_land(&f, kind, seed);
    const double volume = wadi_terrain_volume(terrain, WADI_LAYER_SURFACE);
    copy_surface(terrain, l->before);
    erode(&f, terrain);
    copy_surface(terrain, l->after);
    assert_true(wadi_terrain_volume(terrain, WADI_LAYER_SURFACE) <= volume);
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    flooding_levels(l->before, SIDE, SIDE, l->level_before);
    flooding_levels(l->after, SIDE, SIDE, l->level_after);
    return l;
}

static void noise_drains_by_eroding(void** state)
{
    (void)state;
    for (int32_t kind = WADI_NOISE_FBM; kind <= WADI_NOISE_RIDGED; ++kind)
    {
        for (uint64_t seed = 1; seed <= 3; ++seed)
        {
            land* l = eroded_land(kind, seed);
            const double share = share_lowered(l);
            const int64_t closed = flooding_closed_cells(l->after, l->level_after, CELLS, 1.0);
            print_message("kind %d seed %d: %.2f lowered, %.4f of the land closed\n", (int)kind,
                          (int)seed, share, (double)closed / CELLS);
            assert_true(share >= 0.5);
            assert_true((double)closed / CELLS <= 0.06);
            free(l);
        }
    }
}

// The control: depressions filled to their sills drain as well, and must not pass.
static void filling_does_not_count(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    land* l = malloc(sizeof *l);
    wadi_terrain* terrain = noise_land(&f, WADI_NOISE_FBM, 1);
    copy_surface(terrain, l->before);
    flooding_levels(l->before, SIDE, SIDE, l->level_before);
    memcpy(l->after, l->level_before, sizeof l->after);
    flooding_levels(l->after, SIDE, SIDE, l->level_after);
    assert_int_equal(flooding_closed_cells(l->after, l->level_after, CELLS, 1.0), 0);
    assert_true(share_lowered(l) < 0.5);
    free(l);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_drains_by_eroding),
        cmocka_unit_test(filling_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
