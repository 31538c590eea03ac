// SPDX-License-Identifier: MIT
// Model "runner" of the process landslide: ledger, the same bits for any threads, calls and after a
// restart, ensembles, the choice between grains and flow, refusals.
#include "support/notes.h"
#include "support/slope.h"

#include "terrain/ground.h"

#include <wadi/landslide.h>

#include <stdio.h>
#include <string.h>

static const slope_shape hill = {
    .side = 60,
    .cell = 5.0,
    .tangent = 0.6,
    .azimuth = 160.0,
    .foot = 40.0,
    .soil = 1.0,
    .block = 2.0,
    .half = 30.0,
    .ahead = -30.0,
};

static const double second = 1.0 / 31557600.0; // [yr]

static wadi_landslide_params runner_params(void)
{
    wadi_landslide_params params = wadi_landslide_params_default();
    params.model = WADI_LANDSLIDE_RUNNER;
    params.cohesion = 4000.0;
    params.wetness = 1.0;
    params.min_area = 500.0;
    params.longest = 60.0;
    return params;
}

static wadi_solver* runner_solver(wadi_terrain* terrain, const wadi_landslide_params* params)
{
    wadi_solver* solver;
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_solver_create(terrain, &wadi_landslide_process, params, 0, &solver));
    return solver;
}

// ---- bits ---------------------------------------------------------------------------------------

static wadi_solver* make_cut(fixture* f)
{
    wadi_landslide_params params = runner_params();
    params.interval = 7.0 * second;
    params.start = WADI_LANDSLIDE_REGION;
    params.shape = WADI_LANDSLIDE_CIRCLE;
    params.x = params.y = 150.0;
    params.radius = 40.0;
    return runner_solver(slope_make(f, &hill), &params);
}

// Flows that last longer than a step of 7 s go on in the next.
static void calls_and_threads_change_no_bit(void** state)
{
    (void)state;
    fixture_check_cuts(make_cut, 23.0 * second);
}

// A flow that is saved on its way goes on to the same bits.
static void restored_flows_go_on(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_landslide_params params = runner_params();
    params.interval = 4.0 * second;
    params.ensemble = 3;
    wadi_terrain* terrain = slope_make(&f, &hill);
    wadi_solver* solver = runner_solver(terrain, &params);
    CHECK_OK(f.context, wadi_solver_advance(solver, 8.0 * second));
    assert_true(wadi_solver_held(solver, WADI_MATERIAL_SEDIMENT) > 0);
    wadi_solver* const saved = solver; // what it holds would be booked as lost
    solver = slope_restore(solver, terrain);
    CHECK_OK(f.context, wadi_solver_advance(solver, 60.0 * second));
    CHECK_OK(f.context, wadi_solver_settle(solver));
    const uint64_t restored = wadi_terrain_hash(terrain);
    fixture_check_ledger(terrain);
    wadi_solver_destroy(solver);
    wadi_solver_destroy(saved);
    wadi_terrain_destroy(terrain);

    terrain = slope_make(&f, &hill);
    solver = runner_solver(terrain, &params);
    CHECK_OK(f.context, wadi_solver_advance(solver, 68.0 * second));
    CHECK_OK(f.context, wadi_solver_settle(solver));
    assert_true(wadi_terrain_hash(terrain) == restored);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- maps ---------------------------------------------------------------------------------------

// Of 20 runs all reach the source; some reach as far as none of the others.
static void ensembles_give_the_share_that_reaches(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_landslide_params params = runner_params();
    params.ensemble = 20;
    wadi_terrain* terrain = slope_make(&f, &hill);
    wadi_solver* solver = runner_solver(terrain, &params);
    CHECK_OK(f.context, slope_run(solver, 300.0 * second));
    float reach[60 * 60];
    float height[60 * 60];
    float arrival[60 * 60];
    CHECK_OK(f.context, wadi_solver_map(solver, "reach", reach));
    CHECK_OK(f.context, wadi_solver_map(solver, "height", height));
    CHECK_OK(f.context, wadi_solver_map(solver, "arrival", arrival));
    int32_t all = 0;
    int32_t some = 0;
    for (int32_t i = 0; i < 60 * 60; ++i)
    {
        assert_true(reach[i] >= 0.0f && reach[i] <= 1.0001f);
        all += reach[i] > 0.999f ? 1 : 0;
        some += reach[i] > 0.0f && reach[i] < 0.9f ? 1 : 0;
        assert_true((arrival[i] > 0.0f) == (height[i] >= 0.1f));
        assert_true(height[i] < 0.1f || reach[i] > 0.0f); // the first run is the given one
    }
    print_message("%d cells in all runs, %d in some\n", all, some);
    assert_true(all > 150 && some > 30);
    assert_true(slope_figure(solver, "entrained") > 100.0);
    assert_true(slope_figure(solver, "runout") > 100.0);
    wadi_solver_destroy(solver);
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- choice -------------------------------------------------------------------------------------

// Grains in soil of 3 m: coarse ones give way to the flow, fine ones do not.
static void auto_takes_the_flow_where_grains_are_coarse(void** state)
{
    (void)state;
    for (int32_t fine = 0; fine < 2; ++fine)
    {
        notes said;
        fixture f = {.context = notes_open(&said)};
        wadi_landslide_params params = runner_params();
        params.model = WADI_LANDSLIDE_AUTO;
        params.most = fine != 0 ? 100000 : 1000;
        params.diameter = fine != 0 ? 0.59 : 0.0;
        params.min_area = 1000.0;
        params.start = WADI_LANDSLIDE_REGION;
        params.shape = WADI_LANDSLIDE_CIRCLE;
        params.x = params.y = fine != 0 ? 125.0 : 150.0;
        params.radius = 9.0;
        params.longest = 0.2;
        wadi_terrain* terrain = slope_make(&f, &hill);
        CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 3.0));
        wadi_solver* solver = runner_solver(terrain, &params);
        CHECK_OK(f.context, slope_run(solver, second));
        const double grains = slope_figure(solver, "grains");
        assert_true((grains > 0.0) == (fine != 0));
        assert_true((strstr(said.last, "depth-averaged flow") != NULL) == (fine == 0));
        wadi_solver_destroy(solver);
        fixture_check_ledger(terrain);
        wadi_terrain_destroy(terrain);
        wadi_context_destroy(f.context);
    }
}

static void soaking_needs_grains(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = slope_make(&f, &hill);
    wadi_landslide_params params = runner_params();
    params.start = WADI_LANDSLIDE_SOAKING;
    wadi_solver* solver;
    assert_int_equal(wadi_solver_create(terrain, &wadi_landslide_process, &params, 0, &solver),
                     WADI_ERROR_ARGUMENT);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_and_threads_change_no_bit),
        cmocka_unit_test(restored_flows_go_on),
        cmocka_unit_test(ensembles_give_the_share_that_reaches),
        cmocka_unit_test(auto_takes_the_flow_where_grains_are_coarse),
        cmocka_unit_test(soaking_needs_grains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
