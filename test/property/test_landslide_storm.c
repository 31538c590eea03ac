// SPDX-License-Identifier: MIT
// The process landslide in a storm: what fails, the maps of slides, cut calls and threads, restart.
#include "support/slope.h"

#include "terrain/ground.h"

#include <stdlib.h>

static const double day = 1.0 / 365.25; // [yr]

// A hillside under soil that stands in drizzle and not in a cloudburst.
static const slope_shape hill = {
    .side = 40,
    .cell = 10.0,
    .tangent = 0.65,
    .azimuth = 160.0,
    .foot = 60.0,
    .soil = 1.5,
};

static wadi_landslide_params storm_of(double rain)
{
    wadi_landslide_params params = wadi_landslide_params_default();
    params.start = WADI_LANDSLIDE_STORM;
    params.rain = rain;
    params.cohesion = 3000.0;
    params.most = 500;
    params.longest = 5.0;
    params.interval = day;
    return params;
}

static wadi_solver* storm_solver(wadi_terrain* terrain, double rain)
{
    const wadi_landslide_params params = storm_of(rain);
    wadi_solver* solver;
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_solver_create(terrain, &wadi_landslide_process, &params, 0, &solver));
    return solver;
}

static float* storm_map(wadi_solver* solver, const wadi_terrain* terrain, const char* name)
{
    float* map = malloc(sizeof *map * (size_t)wadi_terrain_ground_const(terrain)->cells);
    CHECK_OK(wadi_terrain_context(terrain), wadi_solver_map(solver, name, map));
    return map;
}

static void drizzle_changes_nothing(void** state)
{
    (void)state;
    for (int rain = 0; rain < 2; ++rain)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = slope_make(&f, &hill);
        const uint64_t before = wadi_terrain_hash(terrain);
        wadi_solver* solver = storm_solver(terrain, (double)rain);
        CHECK_OK(f.context, wadi_solver_advance(solver, day));
        assert_true(slope_figure(solver, "failing_areas") == 0.0);
        assert_true(wadi_terrain_hash(terrain) == before);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

// Numbers run from 1 to the number of slides, each with an hour; a second storm counts on.
static void slides_are_numbered_on(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = slope_make(&f, &hill);
    wadi_solver* solver = storm_solver(terrain, 20.0);
    for (int storm = 0; storm < 2; ++storm)
    {
        CHECK_OK(f.context, wadi_solver_advance(solver, day));
        CHECK_OK(f.context, wadi_solver_settle(solver));
        float* slide = storm_map(solver, terrain, "slide");
        float* hour = storm_map(solver, terrain, "hour");
        double most = 0.0;
        for (int64_t c = 0; c < wadi_terrain_ground_const(terrain)->cells; ++c)
        {
            const double number = (double)slide[c];
            most = number > most ? number : most;
            assert_true((number > 0.0) == (hour[c] > 0.0f) && hour[c] <= 24.0f);
        }
        const double areas = slope_figure(solver, "failing_areas");
        assert_true(most <= areas && (storm > 0 || most == areas));
        assert_true(storm > 0 || (areas > 0.0 && slope_figure(solver, "released") > 0.0));
        assert_true(slope_figure(solver, "largest_slide") >= 1.0);
        free(slide);
        free(hour);
    }
    fixture_check_ledger(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static wadi_solver* storm_make(fixture* f)
{
    return storm_solver(slope_make(f, &hill), 20.0);
}

static void calls_and_threads_change_nothing(void** state)
{
    (void)state;
    fixture_check_cuts(storm_make, 2.0 * day);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drizzle_changes_nothing),
        cmocka_unit_test(slides_are_numbered_on),
        cmocka_unit_test(calls_and_threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
