// SPDX-License-Identifier: MIT
// Effects of building a channel apart from its volume: hard rock, maintenance, drops, water,
// refusals.
#include "support/fixture.h"
#include "support/notes.h"

#include "terrain/ground.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
    SIDE = 96
};

// A valley that falls to the east by 1 in 50, 5 m cells, under 1 m of sediment.
static wadi_terrain* valley_of(fixture* f)
{
    static float heights[SIDE * SIDE];
    wadi_terrain* terrain = fixture_plain(f, SIDE, SIDE, 5.0, WADI_EDGE_OPEN);
    for (int i = 0; i < SIDE * SIDE; ++i)
    {
        heights[i] = 100.0f - 0.1f * (float)(i % SIDE) + 0.2f * (float)abs(i / SIDE - SIDE / 2);
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, heights, SIDE));
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 1.0));
    return terrain;
}

static wadi_solver* solver_of(wadi_terrain* terrain, const wadi_regulate_params* params)
{
    wadi_solver* solver = NULL;
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_solver_create(terrain, &wadi_regulate_process, params, 0, &solver));
    return solver;
}

static void advance(wadi_terrain* terrain, wadi_solver* solver)
{
    CHECK_OK(wadi_terrain_context(terrain), wadi_solver_advance(solver, 1.0));
    fixture_check_ledger(terrain);
}

// Deep enough to reach rock.
static wadi_regulate_params deep(void)
{
    wadi_regulate_params params = wadi_regulate_params_default();
    params.width = 10.0;
    params.grade = 0.02;
    params.critical_shear = 1e4;
    params.end_depth = 4.0;
    return params;
}

// The channel follows the valley's middle, at its grade and depth.
static void the_bed_lies_where_it_is_planned(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = valley_of(&f);
    const wadi_regulate_params params = deep();
    wadi_solver* solver = solver_of(terrain, &params);
    advance(terrain, solver);
    for (int32_t x = 0; x < SIDE; ++x)
    {
        const double ground =
            (double)wadi_terrain_units(terrain, WADI_LAYER_SURFACE, x, SIDE / 2) / 65536.0;
        CHECK_NEAR(ground, 97.0 - 0.1 * x, 2e-3);
    }
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Rock of hardness 1 is kept; sediment above it is removed, and a figure reports the remaining
// volume.
static void hard_rock_stays_and_is_counted(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = valley_of(&f);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_HARDNESS, 1.0));
    const double rock = wadi_terrain_volume(terrain, WADI_LAYER_BEDROCK);
    const wadi_regulate_params params = deep();
    wadi_solver* solver = solver_of(terrain, &params);
    advance(terrain, solver);
    assert_true(wadi_terrain_volume(terrain, WADI_LAYER_BEDROCK) == rock);
    assert_true(fixture_figure(solver, "cut") > 0.0);
    assert_true(fixture_figure(solver, "uncut_rock") > 2.0 * fixture_figure(solver, "cut"));
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Building again changes nothing; after silting the channel is dredged to the plan.
static void a_channel_is_kept(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = valley_of(&f);
    const wadi_regulate_params params = deep();
    wadi_solver* solver = solver_of(terrain, &params);
    advance(terrain, solver);
    const double first = fixture_figure(solver, "cut");
    const double ground = wadi_terrain_volume(terrain, WADI_LAYER_SURFACE);
    advance(terrain, solver);
    assert_true(fixture_figure(solver, "cut") == first);
    assert_true(wadi_terrain_volume(terrain, WADI_LAYER_SURFACE) == ground);

    float* silt = test_calloc((size_t)SIDE * SIDE, sizeof *silt);
    wadi_view view;
    CHECK_OK(f.context, wadi_terrain_borrow(terrain, WADI_LAYER_SEDIMENT, &view));
    memcpy(silt, view.data, (size_t)SIDE * SIDE * sizeof *silt);
    CHECK_OK(f.context, wadi_terrain_release(terrain, WADI_LAYER_SEDIMENT));
    silt[SIDE / 2 * SIDE + 40] += 0.5f;
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, silt, SIDE));
    advance(terrain, solver);
    CHECK_NEAR(fixture_figure(solver, "cut") - first, 0.5 * 25.0, 1e-3);
    CHECK_NEAR(wadi_terrain_volume(terrain, WADI_LAYER_SURFACE), ground, 1e-3);
    test_free(silt);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// A bed flatter than the valley: with drops of 1 m it stays close to the ground and needs less
// excavation.
static void drops_follow_the_ground(void** state)
{
    (void)state;
    double cut[2];
    for (int i = 0; i < 2; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = valley_of(&f);
        wadi_regulate_params params = deep();
        params.grade = 0.002;
        params.end_depth = 2.0;
        params.drop = i == 0 ? 0.0 : 1.0;
        wadi_solver* solver = solver_of(terrain, &params);
        advance(terrain, solver);
        cut[i] = fixture_figure(solver, "cut");
        const double top =
            (double)wadi_terrain_units(terrain, WADI_LAYER_SURFACE, 0, SIDE / 2) / 65536.0;
        const double bed = 101.0 - 9.5 - 2.0 + 0.002 * 475.0; // without drops
        CHECK_NEAR(top, i == 0 ? bed : bed + 8.0, 0.02);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
    assert_true(cut[1] < 0.4 * cut[0]);
}

// The water is at uniform depth above the bed, and in the ledger.
static void water_stands_in_the_channel(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = valley_of(&f);
    wadi_regulate_params params = deep();
    params.water = true;
    wadi_solver* solver = solver_of(terrain, &params);
    advance(terrain, solver);
    for (int32_t x = 0; x < SIDE; ++x)
    {
        const double depth =
            (double)wadi_terrain_units(terrain, WADI_LAYER_WATER, x, SIDE / 2) / 65536.0;
        CHECK_NEAR(depth, fixture_figure(solver, "depth"), 2e-3);
    }
    wadi_ledger_row rows[3];
    (void)wadi_terrain_ledger(terrain, rows, 3);
    CHECK_NEAR(rows[WADI_MATERIAL_WATER].in, wadi_terrain_volume(terrain, WADI_LAYER_WATER), 1e-6);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Water is added to the channel that stands; another width asks for another channel.
static void a_change_keeps_the_plan_unless_it_asks_for_another(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = valley_of(&f);
    wadi_regulate_params params = deep();
    wadi_solver* solver = solver_of(terrain, &params);
    advance(terrain, solver);
    const double dry = wadi_terrain_volume(terrain, WADI_LAYER_BEDROCK);
    params.water = true;
    CHECK_OK(f.context, wadi_solver_change(solver, &params));
    advance(terrain, solver);
    assert_true(wadi_terrain_volume(terrain, WADI_LAYER_BEDROCK) == dry);
    assert_true(wadi_terrain_volume(terrain, WADI_LAYER_WATER) > 0.0);
    params.width *= 2.0;
    CHECK_OK(f.context, wadi_solver_change(solver, &params));
    advance(terrain, solver);
    assert_true(wadi_terrain_volume(terrain, WADI_LAYER_BEDROCK) < dry);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void expect(wadi_terrain* terrain, const wadi_regulate_params* params, const double* line,
                   int32_t points, const char* text)
{
    wadi_context* context = wadi_terrain_context(terrain);
    wadi_solver* solver = solver_of(terrain, params);
    const uint64_t before = wadi_terrain_hash(terrain);
    if (points > 0)
    {
        CHECK_OK(context, wadi_solver_set_table(solver, "route", line, points));
    }
    CHECK_FAILS(context, WADI_ERROR_RANGE, text, wadi_solver_advance(solver, 1.0));
    assert_true(wadi_terrain_hash(terrain) == before);
    wadi_solver_destroy(solver);
}

static void invalid_works_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = valley_of(&f);
    wadi_regulate_params params = deep();
    params.critical_shear = 20.0;
    expect(terrain, &params, NULL, 0, "critical 20");
    params.width = 0.0;
    params.max_width = 12.0;
    expect(terrain, &params, NULL, 0, "12 m wide at grade 0.02");

    params = deep();
    static const double off[] = {50.0, 50.0, 900.0, 50.0};
    expect(terrain, &params, off, 2, "point 2 of the route, x 900 m, y 50 m, lies off the terrain");
    static const double far[] = {1e9, 1e9, -1e9, -1e9}; // too many stations to count
    expect(terrain, &params, far, 2, "point 1 of the route");
    expect(terrain, &params, off + 2, 1, "outside the grid");
    static const double spot[] = {50.0, 50.0, 51.0, 50.0};
    expect(terrain, &params, spot, 2, "line is 1 m long");

    params.min_width = 20.0;
    wadi_solver* solver;
    params.max_width = 10.0;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "min_width",
                wadi_solver_create(terrain, &wadi_regulate_process, &params, 0, &solver));
    params = deep();
    params.min_grade = 0.1;
    params.max_grade = 0.01;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "min_grade",
                wadi_solver_create(terrain, &wadi_regulate_process, &params, 0, &solver));
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// What is said of a channel across a bowl of a depth, in two steps.
static notes said_of_bowl(double depth)
{
    notes said;
    fixture f = {.context = notes_open(&said)};
    wadi_terrain* terrain = valley_of(&f);
    static float heights[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; ++i)
    {
        const double x = i % SIDE - 40.0;
        const double y = i / SIDE - 0.5 * SIDE;
        heights[i] = (float)(100.0 - 0.1 * (i % SIDE) - depth * exp(-(x * x + y * y) / 60.0));
    }
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, heights, SIDE));
    wadi_regulate_params params = deep();
    params.end_depth = 1.0;
    wadi_solver* solver = solver_of(terrain, &params);
    static const double line[] = {2.5, 240.0, 477.5, 240.0};
    CHECK_OK(f.context, wadi_solver_set_table(solver, "route", line, 2));
    advance(terrain, solver);
    advance(terrain, solver);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    wadi_context_destroy(f.context);
    return said;
}

// A bank across a bowl is noted once, with its height and place; a channel on a plain is not.
static void tall_works_are_noted(void** state)
{
    (void)state;
    const notes tall = said_of_bowl(50.0);
    assert_int_equal(tall.count, 1);
    double height = 0.0;
    double x = 0.0;
    double y = 0.0;
    assert_int_equal(sscanf(tall.last,
                            "regulate: the channel lies on a bank %lf m above the ground at x %lf "
                            "m, y %lf m",
                            &height, &x, &y),
                     3);
    assert_true(height > 40.0 && height < 60.0);
    CHECK_NEAR(x, 202.5, 15.0);
    CHECK_NEAR(y, 240.0, 15.0);
    assert_int_equal(said_of_bowl(0.0).count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bed_lies_where_it_is_planned),
        cmocka_unit_test(a_change_keeps_the_plan_unless_it_asks_for_another),
        cmocka_unit_test(hard_rock_stays_and_is_counted),
        cmocka_unit_test(a_channel_is_kept),
        cmocka_unit_test(drops_follow_the_ground),
        cmocka_unit_test(water_stands_in_the_channel),
        cmocka_unit_test(invalid_works_are_refused),
        cmocka_unit_test(tall_works_are_noted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
