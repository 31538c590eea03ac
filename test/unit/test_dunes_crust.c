// SPDX-License-Identifier: MIT
// Crusts of sand: what wind lifts and carries over them, how they break and form, and the same bits
// after a restart and however the time is cut.
#include "core/archive.h"
#include "support/fixture.h"

#include <wadi/dunes.h>

#include <math.h>

enum
{
    LONG = 96,
    WIDE = 6,
    CELLS = LONG * WIDE
};

static wadi_dunes_params hard_crust(void)
{
    wadi_dunes_params params = wadi_dunes_params_default();
    params.crust_gain = 1.0;
    params.blowing = 1.0;
    params.crust_start = 1.0;
    params.crust_abrasion = 0.0;
    params.crust_depth = 10.0;
    return params;
}

static wadi_solver* make(fixture* f, const wadi_dunes_params* params, wadi_edge sides)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = LONG;
    def.height = WIDE;
    def.cell_size = 2.0;
    def.edges[WADI_SIDE_NORTH] = sides;
    def.edges[WADI_SIDE_SOUTH] = sides;
    wadi_terrain* terrain;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 5.0));
    wadi_solver* solver;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_dunes_process, params, 0, &solver));
    return solver;
}

static void unmake(wadi_solver* solver)
{
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    fixture_check_ledger(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
}

static double value(wadi_solver* solver, const char* map, int32_t x)
{
    static float values[CELLS];
    CHECK_OK(wadi_terrain_context(wadi_solver_terrain(solver)),
             wadi_solver_map(solver, map, values));
    return (double)values[2 * LONG + x];
}

// A full crust doubles the threshold of 7.07 m/s. A wind of 10 m/s lifts nothing.
static void crusts_hold_sand(void** state)
{
    fixture* f = *state;
    const wadi_dunes_params params = hard_crust();
    wadi_solver* solver = make(f, &params, WADI_EDGE_PERIODIC);
    fixture_advance(solver, 0.5);
    for (int32_t x = 0; x < LONG; ++x)
    {
        assert_true(fixture_metres(wadi_solver_terrain(solver), WADI_LAYER_SEDIMENT, x, 2) == 5.0);
    }
    unmake(solver);
}

// Sand that comes in passes over the crust: none settles, though the wind could carry more.
static void sand_passes_over_crusts(void** state)
{
    fixture* f = *state;
    wadi_dunes_params params = hard_crust();
    params.inflow = 0.8;
    wadi_solver* solver = make(f, &params, WADI_EDGE_PERIODIC);
    fixture_advance(solver, 0.2);
    CHECK_NEAR(value(solver, "airborne", 90) / value(solver, "airborne", 5), 1.0, 0.01);
    assert_true(fixture_metres(wadi_solver_terrain(solver), WADI_LAYER_SEDIMENT, 50, 2) == 5.0);
    unmake(solver);
}

// A wind of 20 m/s carries as much from a full crust as over sand with twice the threshold:
// (400 - 4 x 50) / (400 - 50) of what it carries from loose sand.
static void strong_winds_lift_less(void** state)
{
    fixture* f = *state;
    double airborne[2];
    for (int32_t crusted = 0; crusted < 2; ++crusted)
    {
        wadi_dunes_params params = hard_crust();
        params.crust_gain = crusted;
        params.speed = 20.0;
        wadi_solver* solver = make(f, &params, WADI_EDGE_PERIODIC);
        fixture_advance(solver, 4e-3);
        airborne[crusted] = value(solver, "airborne", 90);
        unmake(solver);
    }
    print_message("load over a crust %.4f of that over loose sand\n", airborne[1] / airborne[0]);
    CHECK_NEAR(airborne[1] / airborne[0], 200.0 / 350.0, 0.02);
}

// Strength falls as exp(-abrasion x sand that passes), and forms as 1 - exp(-growth x years).
static void crusts_break_and_form(void** state)
{
    fixture* f = *state;
    wadi_dunes_params params = hard_crust();
    params.inflow = 0.8;
    params.crust_abrasion = 0.02;
    params.crust_gain = 10.0;
    const double years = 0.3;
    wadi_solver* solver = make(f, &params, WADI_EDGE_PERIODIC);
    fixture_advance(solver, years);
    // the map is sampled every 20 short steps, and counts those before the first sand too
    const double passed = hypot(value(solver, "flux_x", 9), value(solver, "flux_y", 9)) * years;
    print_message("%.2f m2 of sand left a crust of %.4f\n", passed, value(solver, "crust", 9));
    CHECK_NEAR(-log(value(solver, "crust", 9)) / 0.02 / passed, 1.0, 0.05);
    unmake(solver);
    params = hard_crust();
    params.crust_start = 0.0;
    params.crust_growth = 2.0;
    params.crust_rain = 0.5;
    params.speed = 1.0;
    solver = make(f, &params, WADI_EDGE_PERIODIC);
    CHECK_OK(f->context,
             wadi_terrain_fill_layer(wadi_solver_terrain(solver), WADI_LAYER_MOISTURE, 0.5));
    fixture_advance(solver, 0.7);
    CHECK_NEAR(value(solver, "crust", 50), 1.0 - exp(-2.0 * 0.75 * 0.7), 1e-3);
    unmake(solver);
}

// Deposits bury a crust: sand that settles in front of plants is loose.
static void deposits_are_loose(void** state)
{
    fixture* f = *state;
    wadi_dunes_params params = hard_crust();
    params.inflow = 0.8;
    params.crust_depth = 0.01;
    wadi_solver* solver = make(f, &params, WADI_EDGE_PERIODIC);
    static float cover[CELLS];
    for (int32_t i = 0; i < CELLS; ++i)
    {
        cover[i] = i % LONG >= 48 && i % LONG < 56 ? 1.0f : 0.0f;
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(wadi_solver_terrain(solver), WADI_LAYER_VEGETATION,
                                                cover, LONG));
    fixture_advance(solver, 0.1);
    assert_true(value(solver, "crust", 49) == 0.0);
    assert_true(value(solver, "crust", 20) > 0.9);
    unmake(solver);
}

static wadi_solver* make_patches(fixture* f)
{
    wadi_dunes_params params = hard_crust();
    params.crust_growth = 0.5;
    params.crust_abrasion = 0.1;
    params.crust_depth = 0.05;
    params.inflow = 0.5;
    params.direction = 250.0;
    wadi_solver* solver = make(f, &params, WADI_EDGE_OPEN);
    static float crust[CELLS];
    for (int32_t i = 0; i < CELLS; ++i)
    {
        crust[i] = (float)(i * 37 % 101) / 100.0f;
    }
    CHECK_OK(f->context, wadi_solver_set_map(solver, "crust_start", crust));
    return solver;
}

static void maps_set_crusts(void** state)
{
    wadi_solver* solver = make_patches(*state);
    CHECK_NEAR(value(solver, "crust", 7), (double)((2 * LONG + 7) * 37 % 101) / 100.0, 1e-6);
    unmake(solver);
}

static void cuts_change_nothing(void** state)
{
    (void)state;
    fixture_check_cuts(make_patches, 0.3);
}

// A solver that is saved and read goes on with the same bits.
static void restarts_change_nothing(void** state)
{
    fixture* f = *state;
    wadi_solver* solver = make_patches(f);
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    CHECK_OK(f->context, wadi_solver_advance(solver, 0.2));
    wadi_terrain* copy;
    CHECK_OK(f->context, wadi_terrain_clone(terrain, &copy));
    wadi_bytes bytes = {.context = f->context};
    CHECK_OK(f->context, wadi_solver_save(solver, wadi_bytes_write, &bytes));
    wadi_solver* other;
    CHECK_OK(f->context, wadi_solver_load(copy, wadi_bytes_read, &bytes, &other));
    wadi_bytes_free(&bytes);
    CHECK_OK(f->context, wadi_solver_advance(solver, 0.2));
    CHECK_OK(f->context, wadi_solver_advance(other, 0.2));
    assert_true(wadi_solver_hash(solver) == wadi_solver_hash(other));
    assert_true(wadi_terrain_hash(terrain) == wadi_terrain_hash(copy));
    unmake(other);
    unmake(solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crusts_hold_sand),       cmocka_unit_test(sand_passes_over_crusts),
        cmocka_unit_test(strong_winds_lift_less), cmocka_unit_test(crusts_break_and_form),
        cmocka_unit_test(deposits_are_loose),     cmocka_unit_test(maps_set_crusts),
        cmocka_unit_test(cuts_change_nothing),    cmocka_unit_test(restarts_change_nothing),
    };
    return cmocka_run_group_tests(tests, fixture_open_group, fixture_close_group);
}
