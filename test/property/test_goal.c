// SPDX-License-Identifier: MIT
// Goals of a step: the run ends at the first check at which the goal is met, whatever stops, saves
// and threads divide it.
#include "support/fixture.h"
#include "support/parcels.h"

#include "core/archive.h"

#include <wadi/run.h>

#include <stdlib.h>

enum
{
    SIDE = 96
};

// A context whose progress hook stops at every n-th question.
typedef struct goal_world
{
    fixture f;
    int64_t asked;
    int64_t stop_every; // 0: never
    double share;       // the last one
    wadi_scene* scene;
} goal_world;

static bool goal_progress(double share, const char* what, void* user)
{
    goal_world* w = user;
    (void)what;
    assert_true(share >= 0.0 && share <= 1.0 + 1e-9);
    assert_true(share >= w->share - 1e-9);
    w->share = share;
    w->asked += 1;
    return w->stop_every == 0 || w->asked % w->stop_every != 0;
}

static void goal_open(goal_world* w, int32_t threads)
{
    *w = (goal_world){0};
    wadi_context_def def = wadi_context_def_default();
    def.threads = threads;
    def.allocator = counted_allocator(&w->f.memory);
    def.progress = goal_progress;
    def.user = w;
    assert_int_equal(wadi_context_create(&def, &w->f.context), WADI_OK);
}

static wadi_hydraulic_params goal_params(void)
{
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.max_step = 100.0;
    return params;
}

// ---- a solver ----------------------------------------------------------------------------

static wadi_terrain* goal_ground(goal_world* w)
{
    wadi_terrain* terrain = fixture_plain(&w->f, SIDE, SIDE, 30.0, WADI_EDGE_OPEN);
    static float heights[SIDE * SIDE];
    const wadi_noise_params noise = wadi_noise_params_default();
    CHECK_OK(w->f.context, wadi_noise_fill(w->f.context, &noise, 7, SIDE, SIDE, 30.0, heights));
    CHECK_OK(w->f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, heights, SIDE));
    return terrain;
}

static wadi_solver* goal_solver(goal_world* w, wadi_terrain* terrain)
{
    const wadi_hydraulic_params params = goal_params();
    wadi_solver* solver;
    CHECK_OK(w->f.context,
             wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    return solver;
}

// The run ends with the first step at whose end the land has lost as much, and not before.
static void land_is_lowered_by_the_goal(void** state)
{
    (void)state;
    goal_world w;
    goal_open(&w, 1);
    wadi_terrain* terrain = goal_ground(&w);
    wadi_solver* solver = goal_solver(&w, terrain);
    const double begin = wadi_terrain_volume(terrain, WADI_LAYER_SURFACE);
    const double area = SIDE * SIDE * 900.0;
    double lost = 0.0;
    int steps = 0;
    double before = 0.0;
    while (lost < 5.0)
    {
        before = lost;
        w.share = 0.0;
        CHECK_OK(w.f.context, wadi_solver_advance(solver, 100.0));
        lost = (begin - wadi_terrain_volume(terrain, WADI_LAYER_SURFACE)) / area;
        steps += 1;
    }
    const uint64_t hash = wadi_terrain_hash(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);

    w.share = 0.0;
    terrain = goal_ground(&w);
    solver = goal_solver(&w, terrain);
    wadi_goal goal = wadi_goal_default();
    goal.denude = 0.5 * (before + lost);
    wadi_goal_course course = {0};
    CHECK_OK(w.f.context, wadi_solver_pursue(solver, &goal, 1e6, &course));
    assert_true(course.met);
    assert_true(course.years == 100.0 * steps);
    assert_true(fabs(course.reached - lost) < 1e-9 * lost);
    assert_true(wadi_terrain_hash(terrain) == hash);
    assert_true(steps > 3);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&w.f);
}

typedef struct goal_end
{
    wadi_goal_course course;
    uint64_t hash;
} goal_end;

// Pursue a goal with stops at every n-th question.
static goal_end pursue(wadi_goal goal, double longest, int64_t stop_every, int32_t threads)
{
    goal_world w;
    goal_open(&w, threads);
    wadi_terrain* terrain = goal_ground(&w);
    wadi_solver* solver = goal_solver(&w, terrain);
    w.stop_every = stop_every;
    wadi_goal_course course = {0};
    wadi_result result = WADI_ERROR_CANCELLED;
    w.share = 0.0;
    int stops = -1;
    while (result == WADI_ERROR_CANCELLED)
    {
        result = wadi_solver_pursue(solver, &goal, longest, &course);
        stops += 1;
        assert_true(stops < 10000);
    }
    CHECK_OK(w.f.context, result);
    assert_true(stop_every == 0 || stops > 1);
    const goal_end end = {course, wadi_terrain_hash(terrain) + wadi_solver_hash(solver)};
    fixture_check_ledger(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&w.f);
    return end;
}

static void check_same(goal_end a, goal_end b)
{
    assert_true(a.hash == b.hash);
    assert_true(a.course.years == b.course.years);
    assert_true(a.course.reached == b.course.reached);
    assert_true(a.course.met == b.course.met);
}

static void stops_and_threads_change_nothing(void** state)
{
    (void)state;
    wadi_goal goals[2] = {wadi_goal_default(), wadi_goal_default()};
    goals[0].denude = 6.0;
    goals[1].until = 0.8;
    for (int i = 0; i < 2; ++i)
    {
        const goal_end whole = pursue(goals[i], 60e3, 0, 1);
        print_message("%s %g: %g after %g yr\n", wadi_goal_name(&goals[i]),
                      wadi_goal_value(&goals[i]), whole.course.reached, whole.course.years);
        assert_true(whole.course.met);
        assert_true(whole.course.reached >= wadi_goal_value(&goals[i]));
        // the index is measured after every tenth step only
        assert_true(goals[i].until == 0.0 || whole.course.steps % 10 == 0);
        check_same(pursue(goals[i], 60e3, 0, 3), whole);
        check_same(pursue(goals[i], 60e3, 2, 1), whole);
        check_same(pursue(goals[i], 60e3, 7, 2), whole);
        // a longer time changes nothing where the goal is met
        check_same(pursue(goals[i], 2e5 / 3.0, 0, 1), whole);
    }
}

// The time is over before the goal: the last step is shorter, and the goal is not met.
static void time_that_is_too_short_ends_the_run(void** state)
{
    (void)state;
    wadi_goal goal = wadi_goal_default();
    goal.until = 1.0;
    const goal_end end = pursue(goal, 640.0, 0, 1);
    assert_false(end.course.met);
    assert_true(end.course.years == 640.0);
    assert_true(end.course.steps == 7);
    check_same(pursue(goal, 640.0, 3, 1), end);
    goal.until = 0.0;
    goal.denude = 1e-6;
    const goal_end short_step = pursue(goal, 60.0, 0, 1);
    assert_true(short_step.course.steps == 1 && short_step.course.years == 60.0);
}

// The sea bed is no land: what falls from land to sea is lost to the land, and sea without land has
// no goal.
static void the_sea_is_no_land(void** state)
{
    (void)state;
    goal_world w;
    goal_open(&w, 1);
    wadi_terrain* terrain = goal_ground(&w);
    double level = 1100.0;
    CHECK_OK(w.f.context, wadi_terrain_set_sea_level(terrain, NULL, &level, 1));
    int64_t land[2] = {0};
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const int64_t above = wadi_terrain_units(terrain, WADI_LAYER_SURFACE, i % SIDE, i / SIDE) -
                              (int64_t)(1100 * WADI_UNITS_PER_METRE);
        land[0] += above > 0 ? 1 : 0;
        land[1] += above > 0 ? above : 0;
    }
    assert_true(land[0] > 50 && land[0] < SIDE * SIDE - 50);
    wadi_solver* solver = goal_solver(&w, terrain);
    wadi_goal goal = wadi_goal_default();
    goal.denude = 1.0;
    wadi_goal_course course = {0};
    CHECK_OK(w.f.context, wadi_solver_pursue(solver, &goal, 200e3, &course));
    assert_true(course.met && course.years > 0.0);
    assert_true(course.area == land[0] && course.volume == land[1]);
    wadi_solver_destroy(solver);
    level = 5000.0;
    CHECK_OK(w.f.context, wadi_terrain_set_sea_level(terrain, NULL, &level, 1));
    solver = goal_solver(&w, terrain);
    course = (wadi_goal_course){0};
    CHECK_FAILS(w.f.context, WADI_ERROR_STATE, "there is no land",
                wadi_solver_pursue(solver, &goal, 200e3, &course));
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&w.f);
}

// ---- a scene -----------------------------------------------------------------------------

static void add_step(goal_world* w, double years, double denude, double until)
{
    const wadi_hydraulic_params params = goal_params();
    wadi_goal goal = wadi_goal_default();
    goal.denude = denude;
    goal.until = until;
    const wadi_step step = {
        .kind = WADI_STEP_PROCESS,
        .process = {
            .process = &wadi_hydraulic_process, .params = &params, .years = years, .goal = &goal}};
    CHECK_OK(w->f.context, wadi_scene_add_step(w->scene, &step));
}

static void make_scene(goal_world* w)
{
    CHECK_OK(w->f.context, wadi_scene_create(w->f.context, &w->scene));
    wadi_scene_set_seed(w->scene, 5);
    const wadi_scene_grid grid = {.width = SIDE, .height = SIDE, .cell_size = 30.0};
    CHECK_OK(w->f.context, wadi_scene_set_grid(w->scene, &grid));
    const wadi_noise_params noise = wadi_noise_params_default();
    const wadi_scene_ground ground = {
        .source = {.kind = wadi_source_kind_find("noise"), .params = &noise}, .weight = 1.0};
    CHECK_OK(w->f.context, wadi_scene_add_ground(w->scene, &ground));
    add_step(w, 60e3, 5.0, 0.0);
    add_step(w, 60e3, 0.0, 0.4);
    add_step(w, 2100.0, 0.0, 0.0);
}

static void reload(goal_world* w, const wadi_host* host, wadi_run** run)
{
    wadi_bytes bytes = {.context = w->f.context};
    CHECK_OK(w->f.context, wadi_run_save(*run, wadi_bytes_write, &bytes));
    wadi_run_destroy(*run);
    CHECK_OK(w->f.context, wadi_run_load(w->scene, host, wadi_bytes_read, &bytes, run));
    wadi_bytes_free(&bytes);
}

// Run the scene; after each stop it is saved, destroyed and loaded.
static uint64_t run_scene(int64_t stop_every, double* clock)
{
    goal_world w;
    goal_open(&w, 1);
    make_scene(&w);
    const wadi_host host = {.user = &w};
    wadi_run* run;
    CHECK_OK(w.f.context, wadi_run_create(w.scene, &host, &run));
    w.stop_every = stop_every;
    int loads = 0;
    while (!wadi_run_is_done(run))
    {
        w.share = 0.0;
        const wadi_result result = wadi_run_next(run);
        if (result == WADI_ERROR_CANCELLED)
        {
            reload(&w, &host, &run);
            loads += 1;
            continue;
        }
        CHECK_OK(w.f.context, result);
    }
    print_message("%d stops, year %g\n", loads, wadi_terrain_clock(wadi_run_terrain(run)));
    assert_true(stop_every == 0 || loads > 5);
    *clock = wadi_terrain_clock(wadi_run_terrain(run));
    assert_true(wadi_run_course(run).met);
    const uint64_t hash = wadi_run_hash(run);
    fixture_check_ledger(wadi_run_terrain(run));
    wadi_run_destroy(run);
    wadi_scene_destroy(w.scene);
    fixture_close(&w.f);
    return hash;
}

static void checkpoints_change_nothing(void** state)
{
    (void)state;
    double clocks[2];
    const uint64_t whole = run_scene(0, &clocks[0]);
    assert_true(run_scene(5, &clocks[1]) == whole);
    assert_true(clocks[0] == clocks[1]);
    // the clock moves by the years that were run: far less than 120 kyr
    assert_true(clocks[0] > 2100.0 && clocks[0] < 100e3);
    const double steps = (clocks[0] - 2100.0) / 100.0;
    assert_true(fabs(steps - floor(steps + 0.5)) < 1e-6);
}

// ---- refusals ----------------------------------------------------------------------------

static void goals_that_make_no_sense_are_refused(void** state)
{
    (void)state;
    goal_world w;
    goal_open(&w, 1);
    wadi_context* context = w.f.context;
    const wadi_hydraulic_params streams = goal_params();
    const wadi_hydraulic_params parcels = parcels_params();
    const wadi_process* process = &wadi_hydraulic_process;
    wadi_goal goal = wadi_goal_default();
    assert_false(wadi_goal_is_set(&goal));
    assert_false(wadi_goal_is_set(NULL));
    CHECK_FAILS(context, WADI_ERROR_ARGUMENT, "no goal",
                wadi_goal_check(context, &goal, process, &streams));
    goal.denude = 10.0;
    CHECK_OK(context, wadi_goal_check(context, &goal, process, &streams));
    CHECK_FAILS(context, WADI_ERROR_ARGUMENT, "model streams",
                wadi_goal_check(context, &goal, process, &parcels));
    goal.until = 0.5;
    CHECK_FAILS(context, WADI_ERROR_ARGUMENT, "two goals",
                wadi_goal_check(context, &goal, process, &streams));
    goal.denude = 0.0;
    goal.until = 1.5;
    CHECK_FAILS(context, WADI_ERROR_RANGE, "until",
                wadi_goal_check(context, &goal, process, &streams));

    // a timeline has no steps that could end early
    goal.until = 0.5;
    CHECK_OK(context, wadi_scene_create(context, &w.scene));
    wadi_track track = {.process = {.process = process, .params = &streams, .goal = &goal},
                        .until = 1e4};
    const wadi_timeline timeline = {.tick = 1e3, .end = 1e4, .tracks = &track, .track_count = 1};
    CHECK_FAILS(context, WADI_ERROR_ARGUMENT, "not for timelines",
                wadi_scene_add_timeline(w.scene, &timeline));
    wadi_scene_destroy(w.scene);

    wadi_terrain* terrain = goal_ground(&w);
    wadi_solver* solver = goal_solver(&w, terrain);
    wadi_goal_course course = {0};
    CHECK_FAILS(context, WADI_ERROR_RANGE, "cannot run for 0 yr",
                wadi_solver_pursue(solver, &goal, 0.0, &course));
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&w.f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(land_is_lowered_by_the_goal),
        cmocka_unit_test(stops_and_threads_change_nothing),
        cmocka_unit_test(time_that_is_too_short_ends_the_run),
        cmocka_unit_test(the_sea_is_no_land),
        cmocka_unit_test(checkpoints_change_nothing),
        cmocka_unit_test(goals_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
