// SPDX-License-Identifier: MIT
// Derived maps and the erosion index of a grid in windows have the bits of the whole grid.
#include "support/fixture.h"
#include "support/windows_land.h"

#include "terrain/ground.h"

#include <wadi/goal.h>
#include <wadi/scene.h>

#include <stdlib.h>

enum
{
    WIDTH = 200,
    HEIGHT = 190,
    CELLS = WIDTH * HEIGHT
};

static const windows_land land_list[] = {
    {.width = WIDTH, .height = HEIGHT, .hills = true, .voids = true},
    {.width = WIDTH, .height = HEIGHT, .hills = true, .across = WADI_EDGE_PERIODIC},
    {.width = WIDTH,
     .height = HEIGHT,
     .hills = true,
     .along = WADI_EDGE_PERIODIC,
     .across = WADI_EDGE_CLOSED},
};

// Maps of the whole grid, and a run towards a goal.
typedef struct outcome
{
    float maps[WADI_DERIVED_COUNT][CELLS];
    wadi_goal_course course;
    uint64_t hash;
} outcome;

typedef struct work
{
    const windows_land* land;
    double until; // of the run; 0: maps alone
    outcome* out;
} work;

// Copy the cells that a window owns to their place in the whole grid.
static void keep_owned(const wadi_partition* part, const float* values, float* whole)
{
    if (part == NULL)
    {
        memcpy(whole, values, CELLS * sizeof *whole);
        return;
    }
    const int32_t width =
        part->halo[WADI_SIDE_WEST] + part->owned_width + part->halo[WADI_SIDE_EAST];
    for (int32_t y = 0; y < part->owned_height; ++y)
    {
        const float* row = values + (int64_t)(y + part->halo[WADI_SIDE_NORTH]) * width +
                           part->halo[WADI_SIDE_WEST];
        memcpy(whole + (int64_t)(part->y + y) * part->width + part->x, row,
               (size_t)part->owned_width * sizeof *row);
    }
}

// What a halo shows is scratch until it is fetched.
static void spoil_halo(wadi_terrain* terrain)
{
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        ground->bedrock[c] += wadi_ground_owns(ground, c) ? 0 : 100000;
    }
}

static wadi_result make_maps(wadi_terrain* terrain, const work* w)
{
    spoil_halo(terrain);
    const size_t cells = (size_t)wadi_terrain_width(terrain) * (size_t)wadi_terrain_height(terrain);
    float* values = malloc(cells * sizeof *values);
    wadi_result result = WADI_OK;
    for (int map = 0; map < WADI_DERIVED_COUNT && result == WADI_OK; ++map)
    {
        const wadi_quantity quantity = {.is_derived = true, .derived = (wadi_derived)map};
        result = wadi_terrain_quantity(terrain, &quantity, values);
        keep_owned(wadi_context_partition(wadi_terrain_context(terrain)), values,
                   w->out->maps[map]);
    }
    free(values);
    return result;
}

static wadi_result pursue(wadi_terrain* terrain, const work* w)
{
    const wadi_talus_params params = wadi_talus_params_default();
    const wadi_process* process = wadi_process_find(wadi_terrain_context(terrain), "talus");
    wadi_goal goal = wadi_goal_default();
    goal.until = w->until;
    wadi_solver* solver;
    wadi_goal_course course = {0};
    wadi_result result = wadi_solver_create(terrain, process, &params, 0, &solver);
    if (result == WADI_OK)
    {
        const double years = 11.0 * wadi_solver_step(solver);
        result = wadi_solver_pursue(solver, &goal, years, &course);
    }
    wadi_solver_destroy(solver);
    const uint64_t hash = wadi_terrain_hash(terrain);
    const wadi_partition* part = wadi_context_partition(wadi_terrain_context(terrain));
    if (part == NULL || part->index == part->count - 1) // not the one that measures
    {
        w->out->course = course;
        w->out->hash = hash;
    }
    return result;
}

static wadi_result live(wadi_context* context, int32_t index, void* user)
{
    (void)index;
    const work* w = user;
    wadi_terrain* terrain;
    wadi_result result = windows_land_make(context, w->land, &terrain);
    if (result == WADI_OK)
    {
        result = w->until > 0.0 ? pursue(terrain, w) : make_maps(terrain, w);
    }
    wadi_terrain_destroy(terrain);
    return result;
}

static outcome* run_whole(const fixture* f, const windows_land* land, double until)
{
    outcome* out = calloc(1, sizeof *out);
    work w = {land, until, out};
    assert_int_equal(live(f->context, 0, &w), WADI_OK);
    return out;
}

static outcome* run_windows(const fixture* f, const windows_land* land, double until,
                            int32_t columns, int32_t rows)
{
    outcome* out = calloc(1, sizeof *out);
    work w = {land, until, out};
    const wadi_windows_def def =
        windows_land_cut(land, columns, rows, WADI_WINDOW_LEAST_HALO, columns == rows);
    const wadi_result result = wadi_windows_run(f->context, &def, live, &w);
    if (result != WADI_OK)
    {
        fail_msg("%s", wadi_error_detail(f->context));
    }
    return out;
}

static void maps_of_windows_are_those_of_the_whole(void** state)
{
    const fixture* f = *state;
    static const int32_t cuts[][2] = {{1, 1}, {3, 3}, {1, 2}, {3, 1}};
    for (size_t i = 0; i < sizeof land_list / sizeof land_list[0]; ++i)
    {
        outcome* whole = run_whole(f, &land_list[i], 0.0);
        for (size_t k = 0; k < sizeof cuts / sizeof cuts[0]; ++k)
        {
            outcome* parts = run_windows(f, &land_list[i], 0.0, cuts[k][0], cuts[k][1]);
            for (int map = 0; map < WADI_DERIVED_COUNT; ++map)
            {
                if (memcmp(whole->maps[map], parts->maps[map], sizeof whole->maps[map]) != 0)
                {
                    fail_msg("%s in %d x %d windows of land %zu",
                             wadi_derived_name((wadi_derived)map), cuts[k][0], cuts[k][1], i);
                }
            }
            free(parts);
        }
        free(whole);
    }
}

static void a_goal_is_judged_on_the_whole(void** state)
{
    const fixture* f = *state;
    outcome* whole = run_whole(f, &land_list[0], 1.0);
    outcome* parts = run_windows(f, &land_list[0], 1.0, 3, 2);
    assert_true(whole->course.reached > 0.0 && whole->course.reached < 1.0);
    assert_memory_equal(&parts->course.reached, &whole->course.reached, sizeof(double));
    assert_true(parts->course.steps == whole->course.steps);
    assert_true(parts->hash == whole->hash);
    free(parts);
    free(whole);
}

static void maps_of_drainage_are_not_local(void** state)
{
    (void)state;
    assert_true(wadi_derived_is_local(WADI_DERIVED_SLOPE));
    assert_true(wadi_derived_is_local(WADI_DERIVED_HILLSHADE));
    assert_false(wadi_derived_is_local(WADI_DERIVED_FILLED));
    assert_false(wadi_derived_is_local(WADI_DERIVED_EDGE_FED));
    assert_false(wadi_derived_is_local(WADI_DERIVED_COUNT));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_of_windows_are_those_of_the_whole),
        cmocka_unit_test(a_goal_is_judged_on_the_whole),
        cmocka_unit_test(maps_of_drainage_are_not_local),
    };
    return cmocka_run_group_tests(tests, fixture_open_group, fixture_close_group);
}
