// SPDX-License-Identifier: MIT
// The process landslide in a storm: what fails, the maps of slides, cut calls and threads, restart.
#include "process/solver.h"
#include "support/slope.h"

#include "terrain/ground.h"

#include <stdlib.h>
#include <string.h>

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
    params.model = WADI_LANDSLIDE_GRAINS;
    params.rain = rain;
    params.cohesion = 3000.0;
    params.most = 500;
    params.longest = 5.0;
    params.interval = day;
    return params;
}

static wadi_solver* moving_solver(wadi_terrain* terrain, const wadi_landslide_params* params)
{
    wadi_solver* solver;
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_solver_create(terrain, &wadi_landslide_process, params, 0, &solver));
    return solver;
}

static wadi_solver* storm_solver(wadi_terrain* terrain, double rain)
{
    const wadi_landslide_params params = storm_of(rain);
    return moving_solver(terrain, &params);
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
    wadi_landslide_params params = storm_of(20.0);
    params.longest = 2.5;
    return moving_solver(slope_make(f, &hill), &params);
}

static void calls_and_threads_change_nothing(void** state)
{
    (void)state;
    fixture_check_cuts(storm_make, 2.0 * day);
}

// ---- flows --------------------------------------------------------------------------------------

static wadi_solver* flow_solver(wadi_terrain* terrain, double interval, int32_t ensemble)
{
    wadi_landslide_params params = storm_of(20.0);
    params.model = WADI_LANDSLIDE_RUNNER;
    params.ensemble = ensemble;
    params.longest = 300.0;
    params.interval = interval;
    return moving_solver(terrain, &params);
}

static wadi_solver* grain_solver(wadi_terrain* terrain, double interval)
{
    wadi_landslide_params params = storm_of(20.0);
    params.most = 200;
    params.interval = interval;
    return moving_solver(terrain, &params);
}

static double greatest(wadi_solver* solver, const wadi_terrain* terrain, const char* name)
{
    float* map = storm_map(solver, terrain, name);
    double most = 0.0;
    for (int64_t c = 0; c < wadi_terrain_ground_const(terrain)->cells; ++c)
    {
        most = (double)map[c] > most ? (double)map[c] : most;
    }
    free(map);
    return most;
}

// Every slide has one volume, run-out and angle on all its cells; the volumes are what was
// released.
static void check_list(wadi_solver* solver, const wadi_terrain* terrain)
{
    enum
    {
        MOST = 4000
    };
    static const char* const names[] = {"slide", "hour", "volume", "runout", "angle"};
    float* maps[5];
    static double list[MOST][5];
    memset(list, 0, sizeof list);
    for (int k = 0; k < 5; ++k)
    {
        maps[k] = storm_map(solver, terrain, names[k]);
    }
    double hour = 0.0;
    double volume = 0.0;
    double farthest = 0.0;
    for (int64_t c = 0; c < wadi_terrain_ground_const(terrain)->cells; ++c)
    {
        const int number = (int)maps[0][c];
        assert_true(number >= 0 && number < MOST);
        const bool is_new = list[number][0] == 0.0;
        for (int k = 0; k < 5; ++k)
        {
            assert_true(number > 0 || maps[k][c] == 0.0f);
            assert_true(is_new || list[number][k] == (double)maps[k][c]);
            list[number][k] = (double)maps[k][c];
        }
    }
    for (int number = 1; number < MOST && list[number][0] > 0.0; ++number)
    {
        assert_true(list[number][1] > hour); // numbers follow hours
        hour = list[number][1];
        volume += list[number][2];
        farthest = list[number][3] > farthest ? list[number][3] : farthest;
        assert_true(list[number][3] == 0.0 || (list[number][4] > 0.1 && list[number][4] < 1.0));
    }
    assert_true(volume > 0.0 && farthest > 0.0);
    CHECK_NEAR(slope_figure(solver, "released") / volume, 1.0, 1e-5);
    CHECK_NEAR(slope_figure(solver, "runout") / farthest, 1.0, 1e-6);
    const int first = (int)slope_figure(solver, "farthest_slide");
    assert_true(first > 0 && first < MOST && list[first][3] == farthest);
    for (int k = 0; k < 5; ++k)
    {
        free(maps[k]);
    }
}

// Slides wait for their hour, and shorter steps change no bit of the ground.
static void check_hours(bool flows)
{
    uint64_t hash = 0;
    for (int parts = 1; parts <= 4; parts += 3)
    {
        fixture f;
        fixture_open(&f, parts);
        wadi_terrain* terrain = slope_make(&f, &hill);
        wadi_solver* solver = flows ? flow_solver(terrain, day / (double)parts, 1)
                                    : grain_solver(terrain, day / (double)parts);
        double most = 0.0;
        for (int part = 1; part <= parts; ++part)
        {
            CHECK_OK(f.context, wadi_solver_advance(solver, day / (double)parts));
            const double hour = greatest(solver, terrain, "hour");
            assert_true(hour >= most && hour <= 24.0 * part / parts);
            most = hour;
        }
        assert_true(most > 12.0);
        CHECK_OK(f.context, wadi_solver_settle(solver));
        fixture_check_ledger(terrain);
        check_list(solver, terrain);
        hash = parts == 1 ? wadi_terrain_hash(terrain) : hash;
        assert_true(wadi_terrain_hash(terrain) == hash);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

static void flows_begin_at_their_hours(void** state)
{
    (void)state;
    check_hours(true);
}

static void grains_begin_at_their_hours(void** state)
{
    (void)state;
    check_hours(false);
}

static wadi_solver* flow_make(fixture* f)
{
    slope_shape small = hill;
    small.side = 28;
    return flow_solver(slope_make(f, &small), 0.2 * day, 2);
}

static void calls_and_threads_change_no_flow(void** state)
{
    (void)state;
    fixture_check_cuts(flow_make, 1.6 * day);
}

// A storm that is saved on its way goes on with the slides that are left.
static void restored_storms_go_on(void** state)
{
    (void)state;
    uint64_t hash = 0;
    for (int restart = 0; restart < 2; ++restart)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = slope_make(&f, &hill);
        wadi_solver* solver = flow_solver(terrain, 0.25 * day, 3);
        CHECK_OK(f.context, wadi_solver_advance(solver, 0.5 * day));
        wadi_solver* const saved = solver;
        solver = restart != 0 ? slope_restore(solver, terrain) : solver;
        CHECK_OK(f.context, wadi_solver_advance(solver, 0.75 * day));
        hash = restart == 0 ? wadi_solver_hash(solver) ^ wadi_terrain_hash(terrain) : hash;
        assert_true((wadi_solver_hash(solver) ^ wadi_terrain_hash(terrain)) == hash);
        if (restart != 0)
        {
            wadi_solver_destroy(saved);
        }
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

// ---- stops --------------------------------------------------------------------------------------

// Every so many questions of the progress hook are answered with no.
typedef struct asking
{
    int64_t asked;
    int64_t every;
} asking;

static bool answer(double share, const char* what, void* user)
{
    asking* a = user;
    assert_true(share >= 0.0 && share <= 1.0 && what != NULL);
    ++a->asked;
    return a->asked % a->every != 0;
}

// Figures of slides that have come to rest, which are part of the saved state.
static double marks_of(wadi_solver* solver, const wadi_terrain* terrain)
{
    static const char* const names[] = {"runout", "angle", "volume"};
    double sum = 0.0;
    for (int k = 0; k < 3; ++k)
    {
        float* map = storm_map(solver, terrain, names[k]);
        for (int64_t c = 0; c < wadi_terrain_ground_const(terrain)->cells; ++c)
        {
            sum += (double)map[c] * (double)(c + 1);
        }
        free(map);
    }
    return sum;
}

// Advance a storm of grains; every stop saves it and goes on from what was saved. Returns the hash,
// how often it was stopped while grains moved, and a sum of the maps.
static uint64_t stopped_storm(int64_t every, int32_t* stops, double* marks)
{
    asking a = {.every = every};
    wadi_context_def def = wadi_context_def_default();
    def.progress = answer;
    def.user = &a;
    fixture f = {0};
    assert_int_equal(wadi_context_create(&def, &f.context), WADI_OK);
    wadi_terrain* terrain = slope_make(&f, &hill);
    wadi_solver* solver = grain_solver(terrain, day);
    wadi_result result = wadi_solver_advance(solver, day);
    for (*stops = 0; result == WADI_ERROR_CANCELLED; ++*stops)
    {
        wadi_solver* copy = slope_restore(solver, terrain);
        wadi_solver_discard(solver);
        solver = copy;
        result = wadi_solver_catch_up(solver);
    }
    CHECK_OK(f.context, result);
    fixture_check_ledger(terrain);
    const uint64_t hash = wadi_solver_hash(solver) ^ wadi_terrain_hash(terrain);
    *marks = marks_of(solver, terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    wadi_context_destroy(f.context);
    return hash;
}

static void stopped_and_restored_grains_go_on(void** state)
{
    (void)state;
    int32_t stops[2];
    double marks[2];
    const uint64_t whole = stopped_storm(INT64_MAX, &stops[0], &marks[0]);
    assert_true(stopped_storm(61, &stops[1], &marks[1]) == whole);
    assert_true(stops[0] == 0 && stops[1] > 3);
    assert_true(marks[0] > 0.0 && marks[0] == marks[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drizzle_changes_nothing),
        cmocka_unit_test(slides_are_numbered_on),
        cmocka_unit_test(calls_and_threads_change_nothing),
        cmocka_unit_test(flows_begin_at_their_hours),
        cmocka_unit_test(grains_begin_at_their_hours),
        cmocka_unit_test(calls_and_threads_change_no_flow),
        cmocka_unit_test(restored_storms_go_on),
        cmocka_unit_test(stopped_and_restored_grains_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
