// SPDX-License-Identifier: MIT
// Time adds up for bodies of soil, for water as particles and for slides in progress: a duration
// cut into 1, 7 and 50 calls, with saves and restores, or stopped within a step, gives one state.
#include "support/slope.h"

#include "core/archive.h"
#include "core/context.h"
#include "process/solver.h"
#include "processes/landslide/landslide_internal.h"
#include "processes/landslide/landslide_state.h"

#include <wadi/earth.h>
#include <wadi/landslide.h>
#include <wadi/model.h>

static const double SECOND = 1.0 / 31557600.0; // [yr]
static const double STEPS = 6.3;               // of each run

enum
{
    GRAINS = 27
};

// ---- worlds -------------------------------------------------------------------------------------

static const slope_shape hill = {.side = 24,
                                 .cell = 5.0,
                                 .tangent = 0.7,
                                 .azimuth = 140.0,
                                 .foot = 20.0,
                                 .soil = 0.5,
                                 .block = 2.0,
                                 .half = 15.0,
                                 .ahead = -15.0};

static wadi_terrain* plain(fixture* f)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = def.height = 8;
    def.cell_size = 0.25;
    def.seed = 3;
    def.edges[WADI_SIDE_WEST] = WADI_EDGE_CLOSED;
    wadi_terrain* terrain;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    return terrain;
}

static wadi_terrain* slope(fixture* f)
{
    return slope_make(f, &hill);
}

// A pile of bonded and loose grains that falls and gets wet; with or without water around it.
static wadi_solver* earth(wadi_terrain* terrain, bool has_water)
{
    wadi_earth_params params = wadi_earth_params_default();
    params.interval = 0.05;
    params.rain = has_water ? 0.0 : 5e4;
    params.rain_from = 0.12;
    params.friction = 0.3;
    wadi_grain grains[GRAINS];
    for (int i = 0; i < GRAINS; ++i)
    {
        grains[i] = (wadi_grain){.position = {0.6 + 0.1 * (i % 3) + 0.013 * (i / 9),
                                              0.8 + 0.1 * (i / 3 % 3), 0.08 + 0.11 * (i / 9)},
                                 .velocity = {-1.0, 0.2, 0.0},
                                 .radius = 0.045,
                                 .material = i % 2};
    }
    wadi_body bodies[2];
    for (int b = 0; b < 2; ++b)
    {
        bodies[b] = (wadi_body){.params = wadi_body_params_default(),
                                .material = wadi_wet_material_default()};
        bodies[b].material.grain.bond_modulus = 1e6;
        bodies[b].material.grain.bond_tension = b == 0 ? 2e3 : 0.0;
        bodies[b].material.grain.bond_cohesion = b == 0 ? 2e3 : 0.0;
        bodies[b].material.soil.conductivity = 1e-4;
    }
    const wadi_water_block block = {{0.0, 0.0, 0.0}, {0.5, 2.0, 0.4}};
    wadi_water water = {.params = wadi_water_params_default(),
                        .sph = wadi_sph_params_default(),
                        .blocks = &block,
                        .block_count = 1};
    water.params.rain_rate = 1e5;
    wadi_bodies all = {.bodies = bodies, .count = 2, .grains = grains, .grain_count = GRAINS};
    all.water = has_water ? &water : NULL;
    wadi_solver* solver;
    wadi_context* context = wadi_terrain_context(terrain);
    CHECK_OK(context, wadi_solver_create(terrain, &wadi_earth_process, &params, 0, &solver));
    CHECK_OK(context, wadi_solver_set_bodies(solver, &all));
    return solver;
}

static wadi_solver* soil(wadi_terrain* terrain)
{
    return earth(terrain, false);
}

static wadi_solver* soil_in_water(wadi_terrain* terrain)
{
    return earth(terrain, true);
}

static wadi_solver* landslide(wadi_terrain* terrain, const wadi_landslide_params* params)
{
    wadi_solver* solver;
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_solver_create(terrain, &wadi_landslide_process, params, 0, &solver));
    return solver;
}

static wadi_landslide_params few_grains(void)
{
    wadi_landslide_params params = wadi_landslide_params_default();
    params.model = WADI_LANDSLIDE_GRAINS;
    params.cohesion = 0.0;
    params.wetness = 1.0;
    params.min_area = 100.0;
    params.most = 150;
    params.depth = 2.0;
    params.longest = 2.5;
    params.interval = 0.6 * SECOND;
    return params;
}

// Each slide lasts four steps and takes bed up; the next one begins in the step after it.
static wadi_solver* slides(wadi_terrain* terrain)
{
    wadi_landslide_params params = few_grains();
    params.entrainment = 0.01;
    return landslide(terrain, &params);
}

static wadi_solver* soaking(wadi_terrain* terrain)
{
    wadi_landslide_params params = few_grains();
    params.start = WADI_LANDSLIDE_SOAKING;
    params.rain = 100.0;
    params.wetness = 0.3;
    params.cohesion = 500.0;
    return landslide(terrain, &params);
}

typedef struct world
{
    fixture f;
    wadi_terrain* terrain;
    wadi_solver* solver;
} world;

typedef struct kind
{
    const char* name;
    wadi_terrain* (*land)(fixture* f);
    wadi_solver* (*make)(wadi_terrain* terrain);
} kind;

static const kind kinds[] = {{"soil", plain, soil},
                             {"soil in water", plain, soil_in_water},
                             {"slides", slope, slides},
                             {"soaking", slope, soaking}};

static void world_open(world* w, const kind* k, int32_t threads)
{
    fixture_open(&w->f, threads);
    w->terrain = k->land(&w->f);
    w->solver = k->make(w->terrain);
}

static void world_close(world* w)
{
    wadi_solver_destroy(w->solver);
    wadi_terrain_destroy(w->terrain);
    fixture_close(&w->f);
}

static void world_restore(world* w)
{
    wadi_bytes bytes = {.context = w->f.context};
    CHECK_OK(w->f.context, wadi_terrain_save(w->terrain, wadi_bytes_write, &bytes));
    wadi_terrain* terrain;
    CHECK_OK(w->f.context, wadi_terrain_load(w->f.context, wadi_bytes_read, &bytes, &terrain));
    wadi_bytes_free(&bytes);
    wadi_solver* solver = slope_restore(w->solver, terrain);
    wadi_solver_destroy(w->solver);
    wadi_terrain_destroy(w->terrain);
    w->solver = solver;
    w->terrain = terrain;
}

static uint64_t world_hash(const world* w)
{
    return wadi_terrain_hash(w->terrain) + wadi_solver_hash(w->solver);
}

// Each world has grains in motion at the end of a step: the saved state is not an empty one.
static void check_motion(const world* w)
{
    wadi_work work[WADI_MODEL_MAX_ROWS];
    double steps = 0.0;
    const int32_t count = wadi_solver_work(w->solver, work, WADI_MODEL_MAX_ROWS);
    for (int32_t i = 0; i < count; ++i)
    {
        steps = strcmp(work[i].name, "steps") == 0 ? work[i].count : steps;
    }
    assert_true(steps > 20.0);
    assert_true(wadi_solver_grains(w->solver, NULL, 0, NULL) >= GRAINS);
}

// Before the end, at the end, and when all is laid down.
typedef struct sums
{
    uint64_t hash[3];
} sums;

static sums world_end(world* w)
{
    sums s = {.hash = {world_hash(w)}};
    CHECK_OK(w->f.context, wadi_solver_finish(w->solver));
    s.hash[1] = world_hash(w);
    CHECK_OK(w->f.context, wadi_solver_settle(w->solver));
    s.hash[2] = world_hash(w);
    fixture_check_ledger(w->terrain);
    return s;
}

static sums run(const kind* k, int calls, bool restores, int32_t threads)
{
    world w;
    world_open(&w, k, threads);
    const double years = STEPS * wadi_solver_step(w.solver) / calls;
    for (int i = 0; i < calls; ++i)
    {
        CHECK_OK(w.f.context, wadi_solver_advance(w.solver, years));
        CHECK_OK(w.f.context, wadi_terrain_advance_clock(w.terrain, years));
        if (restores)
        {
            world_restore(&w);
        }
    }
    check_motion(&w);
    const sums s = world_end(&w);
    world_close(&w);
    return s;
}

static void check_same(const kind* k, const char* what, const sums* a, const sums* b)
{
    const bool same = memcmp(a, b, sizeof *a) == 0;
    if (!same)
    {
        print_message("%s: %s gives another state\n", k->name, what);
    }
    assert_true(same);
}

static void calls_do_not_matter(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i)
    {
        const kind* k = &kinds[i];
        const sums one = run(k, 1, false, 1);
        const sums seven = run(k, 7, false, 2);
        check_same(k, "seven calls on two threads", &seven, &one);
        const sums fifty = run(k, 50, false, 3);
        check_same(k, "fifty calls on three threads", &fifty, &one);
        const sums restored = run(k, 7, true, 1);
        check_same(k, "a restore between any two calls", &restored, &one);
    }
}

// ---- stopping -----------------------------------------------------------------------------------

static wadi_result stop(void* user, double seconds)
{
    (void)seconds;
    int* left = user;
    *left -= 1;
    return *left == 0 ? WADI_ERROR_CANCELLED : WADI_OK;
}

// A run that is stopped within a step, saved and restored goes on to the same bits.
static void a_stop_within_a_step_is_no_event(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i)
    {
        const kind* k = &kinds[i];
        const sums one = run(k, 1, false, 1);
        world w;
        world_open(&w, k, 1);
        const double years = STEPS * wadi_solver_step(w.solver);
        int left = 5;
        wadi_solver_watch(w.solver, stop, &left);
        assert_int_equal(wadi_solver_advance(w.solver, years), WADI_ERROR_CANCELLED);
        CHECK_OK(w.f.context, wadi_terrain_advance_clock(w.terrain, years));
        world_restore(&w);
        CHECK_OK(w.f.context, wadi_solver_finish(w.solver));
        CHECK_OK(w.f.context, wadi_solver_settle(w.solver));
        assert_int_equal(left, 0);
        assert_true(world_hash(&w) == one.hash[2]);
        world_close(&w);
    }
}

static bool goes_on(double share, const char* what, void* user)
{
    (void)share;
    int* left = user;
    *left -= strcmp(what, "grains") == 0 ? 1 : 0;
    return *left > 0;
}

// Stop a run after `left` questions of grains.
static void stop_among_grains(world* w, double years, int left)
{
    w->f.context->def.progress = goes_on;
    w->f.context->def.user = &left;
    assert_int_equal(years > 0.0 ? wadi_solver_advance(w->solver, years)
                                 : wadi_solver_catch_up(w->solver),
                     WADI_ERROR_CANCELLED);
    w->f.context->def.progress = NULL;
    assert_true(left <= 0);
}

// Grains settle before a slide begins. The first stop takes effect there at once, and nothing has
// changed; later ones wait until the grains move, so that a caller who stops often gets on.
static void a_stop_while_grains_settle_is_no_event(void** state)
{
    (void)state;
    const kind* k = &kinds[2];
    const sums one = run(k, 1, false, 1);
    world w;
    world_open(&w, k, 1);
    const double years = STEPS * wadi_solver_step(w.solver);
    const uint64_t before = world_hash(&w);
    stop_among_grains(&w, years, 2);
    assert_false(((landslide_state*)w.solver->state)->at_work);
    CHECK_NEAR(slope_figure(w.solver, "released"), 0.0, 0.0);
    assert_true(world_hash(&w) != before); // the clock
    CHECK_OK(w.f.context, wadi_terrain_advance_clock(w.terrain, years));
    world_restore(&w);
    stop_among_grains(&w, 0.0, 3);
    assert_true(((landslide_state*)w.solver->state)->at_work);
    const sums s = world_end(&w);
    assert_true(s.hash[1] == one.hash[1] && s.hash[2] == one.hash[2]);
    world_close(&w);
}

// ---- events -------------------------------------------------------------------------------------

static double map_sum(wadi_solver* solver, const char* name)
{
    float values[24 * 24];
    CHECK_OK(wadi_terrain_context(wadi_solver_terrain(solver)),
             wadi_solver_map(solver, name, values));
    double sum = 0.0;
    for (int i = 0; i < 24 * 24; ++i)
    {
        sum += (double)values[i];
    }
    return sum;
}

// Maps and sums go on over events that change parameters, and other causes begin other slides.
static void maps_go_on_over_events(void** state)
{
    (void)state;
    world w;
    world_open(&w, &kinds[2], 1);
    double last[2] = {0.0, 0.0};
    for (int event = 0; event < 4; ++event)
    {
        wadi_landslide_params params = few_grains();
        params.start = event % 2 == 0 ? WADI_LANDSLIDE_FAILING : WADI_LANDSLIDE_REGION;
        params.rain = event;
        CHECK_OK(w.f.context, wadi_solver_change(w.solver, &params));
        CHECK_OK(w.f.context, wadi_solver_advance(w.solver, 3.0 * params.interval));
        if (event == 3)
        {
            CHECK_OK(w.f.context, wadi_solver_settle(w.solver));
        }
        const double now[2] = {slope_figure(w.solver, "released"), map_sum(w.solver, "deposit")};
        assert_true(now[0] > last[0]);
        assert_true(event == 0 || now[1] > last[1]);
        memcpy(last, now, sizeof last);
    }
    fixture_check_ledger(w.terrain);
    world_close(&w);
}

static const slide* slide_in(const world* w)
{
    const landslide_state* state = w->solver->state;
    assert_true(state->at_work);
    return &state->slide;
}

// A change of the step of grains takes effect on a slide in progress, whose clock goes on; a step
// that is not stable is refused, and changes nothing.
static void the_step_of_grains_can_change(void** state)
{
    (void)state;
    world w;
    world_open(&w, &kinds[2], 1);
    wadi_landslide_params params = few_grains();
    params.entrainment = 0.01;
    CHECK_OK(w.f.context, wadi_solver_advance(w.solver, 2.0 * params.interval));
    const double step = wadi_grains_step(slide_in(&w)->world);
    const double time = slide_in(&w)->time;
    assert_true(time > 1.0);
    CHECK_OK(w.f.context, wadi_solver_finish(w.solver)); // the event
    const uint64_t before = world_hash(&w);
    params.step = 3.0 * step;
    CHECK_FAILS(w.f.context, WADI_ERROR_RANGE, "longest that is stable",
                wadi_solver_change(w.solver, &params));
    assert_true(world_hash(&w) == before);
    params.step = 0.4 * step;
    CHECK_OK(w.f.context, wadi_solver_change(w.solver, &params));
    CHECK_NEAR(wadi_grains_step(slide_in(&w)->world), params.step, 1e-12);
    CHECK_OK(w.f.context, wadi_solver_advance(w.solver, params.interval));
    CHECK_NEAR(wadi_grains_step(slide_in(&w)->world), params.step, 1e-12);
    CHECK_NEAR(slide_in(&w)->time, 1.5 * time, 0.02 * time);
    CHECK_OK(w.f.context, wadi_solver_settle(w.solver));
    fixture_check_ledger(w.terrain);
    world_close(&w);
}

// Water as particles has turns that are a whole number of steps of the grains.
static void the_step_of_grains_in_water_stays(void** state)
{
    (void)state;
    world w;
    world_open(&w, &kinds[1], 1);
    CHECK_OK(w.f.context, wadi_solver_advance(w.solver, wadi_solver_step(w.solver)));
    wadi_earth_params params;
    memcpy(&params, w.solver->params, sizeof params);
    params.step = 0.37 * slope_figure(w.solver, "step");
    CHECK_FAILS(w.f.context, WADI_ERROR_ARGUMENT, "leave step as it was",
                wadi_solver_change(w.solver, &params));
    world_close(&w);
}

// Another process takes soil away below a slide in progress: what is not there is not lifted.
static void soil_that_others_take_is_not_lifted(void** state)
{
    (void)state;
    world w;
    world_open(&w, &kinds[2], 1);
    CHECK_OK(w.f.context, wadi_solver_advance(w.solver, 3.0 * wadi_solver_step(w.solver)));
    CHECK_OK(w.f.context, wadi_terrain_fill_layer(w.terrain, WADI_LAYER_SEDIMENT, 0.1));
    CHECK_OK(w.f.context, wadi_solver_advance(w.solver, wadi_solver_step(w.solver)));
    CHECK_OK(w.f.context, wadi_solver_settle(w.solver));
    int32_t left[24 * 24];
    wadi_terrain_read_units(w.terrain, WADI_LAYER_SEDIMENT, left);
    for (int i = 0; i < 24 * 24; ++i)
    {
        assert_true(left[i] >= 0);
    }
    fixture_check_ledger(w.terrain);
    world_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_do_not_matter),
        cmocka_unit_test(a_stop_within_a_step_is_no_event),
        cmocka_unit_test(a_stop_while_grains_settle_is_no_event),
        cmocka_unit_test(maps_go_on_over_events),
        cmocka_unit_test(the_step_of_grains_can_change),
        cmocka_unit_test(the_step_of_grains_in_water_stays),
        cmocka_unit_test(soil_that_others_take_is_not_lifted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
