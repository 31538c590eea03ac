// SPDX-License-Identifier: MIT
// Start "inflow" of the process landslide: debris enters by a hydrograph to the unit, whatever cuts
// the run, and bad input is refused.
#include "support/slope.h"

#include "core/internal.h"
#include "terrain/ground.h"

#include <wadi/landslide.h>

#include <math.h>
#include <string.h>

static const slope_shape hill = {
    .side = 60,
    .cell = 5.0,
    .tangent = 0.6,
    .azimuth = 160.0,
    .foot = 40.0,
    .soil = 1.0,
};

static const double second = 1.0 / 31557600.0; // [yr]

// Two surges and a pause, 4530 m3.
static const double surges[][2] = {
    {2.0, 0.0}, {5.0, 200.0}, {20.0, 60.0}, {30.0, 0.0}, {36.0, 0.0}, {38.0, 130.0}, {58.0, 55.0},
};
static const double surge_volume = 300.0 + 1950.0 + 300.0 + 130.0 + 1850.0;

static wadi_landslide_params inflow_params(void)
{
    wadi_landslide_params params = wadi_landslide_params_default();
    params.start = WADI_LANDSLIDE_INFLOW;
    params.shape = WADI_LANDSLIDE_CIRCLE;
    params.x = 140.0;
    params.y = 190.0;
    params.radius = 11.0;
    params.longest = 200.0;
    params.interval = 400.0 * second;
    return params;
}

static wadi_solver* inflow_solver(wadi_terrain* terrain, const wadi_landslide_params* params)
{
    wadi_solver* solver;
    wadi_context* context = wadi_terrain_context(terrain);
    CHECK_OK(context, wadi_solver_create(terrain, &wadi_landslide_process, params, 0, &solver));
    CHECK_OK(context,
             wadi_solver_set_table(solver, "inflow", surges[0], (int32_t)WADI_COUNT(surges)));
    return solver;
}

// All of it is booked, in whole units, and lies on the slope and its foot. A cell holds 25 / 65536
// m3 for each unit.
static void the_hydrograph_enters_to_the_unit(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = slope_make(&f, &hill);
    wadi_landslide_params params = inflow_params();
    params.bed_rate = 0.0;
    wadi_solver* solver = inflow_solver(terrain, &params);
    CHECK_OK(f.context, slope_run(solver, 400.0 * second));
    const wadi_ledger_row row = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
    CHECK_NEAR(row.in, surge_volume, 15.0 * 25.0 / WADI_UNITS_PER_METRE);
    CHECK_NEAR(slope_figure(solver, "released"), row.in, 1e-9);
    assert_true(slope_figure(solver, "runout") > 60.0);
    assert_true(slope_figure(solver, "flow_height") > 0.3);
    assert_true(slope_figure(solver, "slide_clock") > 58.0);
    assert_true(row.eroded < 1e-9);
    float volume[60 * 60];
    CHECK_OK(f.context, wadi_solver_map(solver, "volume", volume));
    CHECK_NEAR((double)volume[21 * 60 + 27], surge_volume, 1.0);
    fixture_check_ledger(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Each interval brings the hydrograph anew.
static void intervals_bring_it_again(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = slope_make(&f, &hill);
    const wadi_landslide_params params = inflow_params();
    wadi_solver* solver = inflow_solver(terrain, &params);
    CHECK_OK(f.context, wadi_solver_advance(solver, 800.0 * second));
    CHECK_OK(f.context, wadi_solver_settle(solver));
    const wadi_ledger_row row = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
    CHECK_NEAR(row.in, 2.0 * surge_volume, 30.0 * 25.0 / WADI_UNITS_PER_METRE);
    fixture_check_ledger(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static wadi_solver* make_cut(fixture* f)
{
    wadi_landslide_params params = inflow_params();
    params.interval = 7.0 * second;
    return inflow_solver(slope_make(f, &hill), &params);
}

static void calls_and_threads_change_no_bit(void** state)
{
    (void)state;
    fixture_check_cuts(make_cut, 50.0 * second);
}

// A flow that is saved between two surges has the same land as one that is not, and so has one
// whose ensemble took the same water.
static void restored_flows_go_on(void** state)
{
    (void)state;
    uint64_t hashes[3];
    for (int32_t kind = 0; kind < 3; ++kind)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_landslide_params params = inflow_params();
        params.interval = 4.0 * second;
        params.ensemble = kind == 2 ? 3 : 1;
        wadi_terrain* terrain = slope_make(&f, &hill);
        wadi_solver* solver = inflow_solver(terrain, &params);
        CHECK_OK(f.context, wadi_solver_advance(solver, 16.0 * second));
        assert_true(wadi_solver_held(solver, WADI_MATERIAL_SEDIMENT) > 0);
        wadi_solver* const first = solver; // what it holds would be booked as lost
        solver = kind == 1 ? slope_restore(solver, terrain) : solver;
        CHECK_OK(f.context, wadi_solver_advance(solver, 100.0 * second));
        CHECK_OK(f.context, wadi_solver_settle(solver));
        hashes[kind] = wadi_terrain_hash(terrain);
        fixture_check_ledger(terrain);
        wadi_solver_destroy(solver);
        if (first != solver)
        {
            wadi_solver_destroy(first);
        }
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
    assert_true(hashes[0] == hashes[1]);
    assert_true(hashes[0] == hashes[2]);
}

// ---- bad input ----------------------------------------------------------------------------------

static wadi_result try_run(fixture* f, const wadi_landslide_params* params, const double (*rows)[2],
                           int32_t count)
{
    wadi_terrain* terrain = slope_make(f, &hill);
    wadi_solver* solver = NULL;
    wadi_result result = wadi_solver_create(terrain, &wadi_landslide_process, params, 0, &solver);
    result = result == WADI_OK && count > 0 ? wadi_solver_set_table(solver, "inflow", *rows, count)
                                            : result;
    result = result == WADI_OK ? slope_run(solver, 10.0 * second) : result;
    fixture_check_ledger(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    return result;
}

static void check_refusal(const wadi_landslide_params* params, const double (*rows)[2],
                          int32_t count, const char* says)
{
    fixture f;
    fixture_open(&f, 1);
    assert_true(try_run(&f, params, rows, count) != WADI_OK);
    assert_non_null(strstr(wadi_error_detail(f.context), says));
    fixture_close(&f);
}

static void bad_input_is_refused(void** state)
{
    (void)state;
    static const double back[][2] = {{0.0, 1.0}, {5.0, 2.0}, {5.0, 1.0}};
    const wadi_landslide_params good = inflow_params();
    check_refusal(&good, NULL, 0, "has no table inflow");
    check_refusal(&good, surges, 1, "give the begin and the end");
    check_refusal(&good, back, 3, "row 3 of inflow is for second 5");
    wadi_landslide_params params = good;
    params.model = WADI_LANDSLIDE_GRAINS;
    check_refusal(&params, NULL, 0, "set model runner or auto");
    params = good;
    params.shape = WADI_LANDSLIDE_EVERYWHERE;
    check_refusal(&params, surges, 3, "set shape circle or rectangle");
    params = good;
    params.x = 1e6;
    check_refusal(&params, surges, 3, "holds the middle of no cell");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_hydrograph_enters_to_the_unit),
        cmocka_unit_test(intervals_bring_it_again),
        cmocka_unit_test(calls_and_threads_change_no_bit),
        cmocka_unit_test(restored_flows_go_on),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
