// SPDX-License-Identifier: MIT
// Standing water keeps its level where talus, soil and floods of model "alluvial" move the ground
// below it: depths, books, bits of any cut of time, masks.
#include "support/fixture.h"

#include "core/internal.h"

#include <wadi/hydraulic.h>
#include <wadi/soil_cover.h>
#include <wadi/talus.h>

#include <math.h>

enum
{
    SIDE = 48,
    CELLS = SIDE * SIDE
};

static const double level = 40.0; // of the lake [m]

// A bowl with a bumpy bed of steep steps under loose matter, and a lake in it.
static wadi_terrain* lake(fixture* f)
{
    wadi_terrain* terrain = fixture_plain(f, SIDE, SIDE, 10.0, WADI_EDGE_CLOSED);
    static float bed[CELLS];
    static float water[CELLS];
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double x = i % SIDE - 0.5 * SIDE + 0.5;
        const double y = (double)(i / SIDE) - 0.5 * SIDE + 0.5;
        bed[i] = (float)(10.0 + 0.12 * (x * x + y * y) + 9.0 * sin(0.9 * x) * cos(0.7 * y));
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, bed, SIDE));
    fixture_noise(terrain, WADI_LAYER_SEDIMENT, 1.0, 3.0, 5);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double ground = fixture_metres(terrain, WADI_LAYER_SURFACE, i % SIDE, i / SIDE);
        water[i] = (float)fmax(level - ground, 0.0);
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_WATER, water, SIDE));
    return terrain;
}

static wadi_solver* make_talus(fixture* f)
{
    wadi_talus_params params = wadi_talus_params_default();
    params.repose = 25.0;
    wadi_solver* solver;
    CHECK_OK(f->context, wadi_solver_create(lake(f), &wadi_talus_process, &params, 0, &solver));
    return solver;
}

static wadi_solver* make_soil(fixture* f)
{
    wadi_solver* solver;
    CHECK_OK(f->context, wadi_solver_create(lake(f), &wadi_soil_cover_process, NULL, 0, &solver));
    return solver;
}

static wadi_solver* make_alluvial(fixture* f)
{
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.model = WADI_HYDRAULIC_ALLUVIAL;
    wadi_solver* solver;
    CHECK_OK(f->context, wadi_solver_create(lake(f), &wadi_hydraulic_process, &params, 0, &solver));
    const double inflow[] = {165.0, 235.0, 0.0, 0.5, 20000.0, 0.0};
    CHECK_OK(f->context, wadi_solver_set_table(solver, "inflow", inflow, 1));
    return solver;
}

static fixture_make* const makers[] = {make_talus, make_soil, make_alluvial};
static const double years[] = {2000.0, 20000.0, 0.5};

// ---- levels and books ---------------------------------------------------------------------------

static void water_keeps_its_level(void** state)
{
    (void)state;
    for (int32_t k = 0; k < WADI_COUNT(makers); ++k)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_solver* solver = makers[k](&f);
        wadi_terrain* terrain = wadi_solver_terrain(solver);
        const double before = wadi_terrain_volume(terrain, WADI_LAYER_WATER);
        double ground[CELLS];
        bool wet[CELLS];
        for (int32_t i = 0; i < CELLS; ++i)
        {
            ground[i] = fixture_metres(terrain, WADI_LAYER_SURFACE, i % SIDE, i / SIDE);
            wet[i] = wadi_terrain_units(terrain, WADI_LAYER_WATER, i % SIDE, i / SIDE) > 0;
        }
        fixture_live(solver, years[k]);
        double moved = 0.0;
        double apart = 0.0;
        for (int32_t i = 0; i < CELLS; ++i)
        {
            const double now = fixture_metres(terrain, WADI_LAYER_SURFACE, i % SIDE, i / SIDE);
            const double depth = fixture_metres(terrain, WADI_LAYER_WATER, i % SIDE, i / SIDE);
            assert_true(wet[i] || depth == 0.0);
            moved = wet[i] ? fmax(moved, fabs(now - ground[i])) : moved;
            apart = depth > 0.0 ? fmax(apart, fabs(now + depth - level)) : apart;
        }
        const wadi_ledger_row water = fixture_ledger_row(terrain, WADI_MATERIAL_WATER);
        print_message("%d: bed moved by %.2f m, level off by %.6f m, %.1f m3 displaced\n", k, moved,
                      apart, before - water.after);
        assert_true(moved > 0.3);
        assert_true(apart < 1e-4); // floats of the depths that were set
        assert_true(water.residual_units == 0);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

static void calls_and_threads_change_no_bit(void** state)
{
    (void)state;
    for (int32_t k = 0; k < WADI_COUNT(makers); ++k)
    {
        fixture_check_cuts(makers[k], years[k]);
    }
}

// ---- masks --------------------------------------------------------------------------------------

// Ground that a mask holds back takes its water with it.
static void masked_ground_has_the_same_level(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_solver* solver = make_talus(&f);
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    static float half[CELLS];
    for (int32_t i = 0; i < CELLS; ++i)
    {
        half[i] = i % SIDE < SIDE / 2 ? 0.5f : 1.0f;
    }
    CHECK_OK(f.context, wadi_solver_set_mask(solver, half));
    CHECK_OK(f.context, wadi_solver_fit(solver, 100.0));
    CHECK_OK(f.context, wadi_solver_advance(solver, 100.0));
    int32_t count = 0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double depth = fixture_metres(terrain, WADI_LAYER_WATER, i % SIDE, i / SIDE);
        const double now = fixture_metres(terrain, WADI_LAYER_SURFACE, i % SIDE, i / SIDE);
        assert_true(depth == 0.0 || fabs(now + depth - level) < 1e-4);
        count += depth > 0.0 ? 1 : 0;
    }
    assert_true(count > 500);
    fixture_check_ledger(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(water_keeps_its_level),
        cmocka_unit_test(calls_and_threads_change_no_bit),
        cmocka_unit_test(masked_ground_has_the_same_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
