// SPDX-License-Identifier: MIT
// The flood of a straight valley: what its stations say fits together, banks of either hand may be
// overtopped, and the water that is poured is what the map of depths says, once.
#include "support/fixture.h"

#include "processes/flood/flood_paint.h"

#include <wadi/flood_route.h>

enum
{
    W = 60,
    H = 41,
    CELLS = W * H,
    MIDDLE = H / 2
};

static const double CELL = 5.0;

static float heights[CELLS];

// A trench that falls to the east; beyond its right bank, or its left one, lies low ground behind a
// crest of a metre, beyond the other a wall.
static void dig_valley(bool low_is_south)
{
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t away = low_is_south ? i / W - MIDDLE : MIDDLE - i / W;
        const double profile = away < -2 ? 8.0 : away <= 2 ? 0.0 : away <= 4 ? 1.0 : 0.4;
        heights[i] = (float)(profile - 0.004 * CELL * (i % W));
    }
}

static wadi_flood_params emitter(double discharge)
{
    wadi_flood_params params = wadi_flood_params_default();
    params.from_x = params.to_x = 2.5 * CELL;
    params.from_y = params.to_y = (H - MIDDLE - 0.5) * CELL;
    params.discharge = discharge;
    return params;
}

static void banks_of_either_hand_are_overtopped(void** state)
{
    (void)state;
    for (int south = 0; south < 2; ++south)
    {
        fixture f;
        fixture_open(&f, 1);
        dig_valley(south != 0);
        const wadi_field2d field = {
            .heights = heights, .width = W, .height = H, .stride = W, .dx = CELL, .dy = CELL};
        const wadi_flood_params params = emitter(90.0);
        wadi_flood* flood = NULL;
        CHECK_OK(f.context, wadi_flood_create(f.context, &field, &params, &flood));
        int32_t count;
        const wadi_flood_station* stations = wadi_flood_stations(flood, &count);
        assert_true(count > 30);
        for (int32_t i = 5; i < count - 5; ++i)
        {
            const wadi_flood_station* s = &stations[i];
            // water that runs to the east has the south to its right
            const double low = south ? s->right_bank : s->left_bank;
            assert_true(s->stage > low);
            assert_true(s->overtopped);
            CHECK_NEAR(s->velocity, 90.0 / s->area, 1e-9);
            CHECK_NEAR(s->froude, s->velocity / sqrt(9.81 * s->area / s->width), 1e-3);
        }
        wadi_flood_destroy(flood);
        fixture_close(&f);
    }
}

// A flood on a terrain with the valley.
static wadi_solver* valley_solver(fixture* f)
{
    dig_valley(true);
    wadi_terrain* terrain = fixture_plain(f, W, H, CELL, WADI_EDGE_OPEN);
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, heights, W));
    const wadi_flood_params params = emitter(90.0);
    wadi_solver* solver = NULL;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_flood_process, &params, 0, &solver));
    return solver;
}

// Depths become water to the nearest unit; a second flood finds it there, and adds none.
static void the_map_shows_the_depth_of_the_water(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_solver* solver = valley_solver(&f);
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    for (int flood = 0; flood < 2; ++flood)
    {
        CHECK_OK(f.context, wadi_solver_advance(solver, 1.0));
        static float depth[CELLS];
        CHECK_OK(f.context, wadi_solver_map(solver, "depth", depth));
        double sum = 0.0;
        for (int32_t i = 0; i < CELLS; ++i)
        {
            const int32_t water = wadi_terrain_units(terrain, WADI_LAYER_WATER, i % W, i / W);
            CHECK_NEAR((double)water, (double)depth[i] * 65536.0, 0.51);
            sum += water / 65536.0 * CELL * CELL;
        }
        wadi_ledger_row rows[WADI_MAX_MATERIALS];
        (void)wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS);
        CHECK_NEAR(rows[WADI_MATERIAL_WATER].in, sum, 1e-6 * sum);
        fixture_check_ledger(terrain);
        assert_true(sum > 1000.0);
    }
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Ground that is raised between two steps gets the flood of a solver that has seen no other ground.
static void a_flood_knows_that_the_ground_has_changed(void** state)
{
    (void)state;
    static float depth[2][CELLS];
    for (int late = 0; late < 2; ++late)
    {
        fixture f;
        fixture_open(&f, 1);
        wadi_solver* solver = valley_solver(&f);
        wadi_terrain* terrain = wadi_solver_terrain(solver);
        if (late == 0)
        {
            CHECK_OK(f.context, wadi_solver_advance(solver, 1.0));
        }
        heights[MIDDLE * W + W / 2] += 0.5f;
        CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, heights, W));
        CHECK_OK(f.context, wadi_solver_advance(solver, 1.0));
        CHECK_OK(f.context, wadi_solver_map(solver, "depth", depth[late]));
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
    assert_memory_equal(depth[0], depth[1], sizeof depth[0]);
}

// Stations stand 7 m apart on cells of 5 m; the surface between them is a line, not steps.
static void water_falls_evenly_between_stations(void** state)
{
    (void)state;
    enum
    {
        STATIONS = 40
    };
    const double apart = 7.0;
    const double fall = 0.1; // [1]
    fixture f;
    fixture_open(&f, 1);
    memset(heights, 0, sizeof heights);
    const wadi_field2d field = {
        .heights = heights, .width = W, .height = H, .stride = W, .dx = CELL, .dy = CELL};
    channel_station stations[STATIONS];
    channel_transect transects[STATIONS];
    channel_state states[STATIONS];
    memset(transects, 0, sizeof transects);
    memset(states, 0, sizeof states);
    for (int32_t i = 0; i < STATIONS; ++i)
    {
        const double x = 3.0 + apart * i;
        stations[i] = (channel_station){x, (H - MIDDLE - 0.5) * CELL, 1.0, 0.0};
        transects[i].count = 1;
        transects[i].step = CELL;
        states[i].stage = 50.0 - fall * x;
    }
    const channel_axis axis = {stations, STATIONS, apart};
    static float level[CELLS];
    static int32_t nearest[CELLS];
    const flood_canvas canvas = {.field = &field,
                                 .axis = &axis,
                                 .states = states,
                                 .transects = transects,
                                 .reach = 500.0,
                                 .level = level,
                                 .nearest = nearest};
    CHECK_OK(f.context, wadi_flood_paint(f.context, &canvas));
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const double x = (i % W + 0.5) * CELL;
        if (i / W == MIDDLE && x > stations[1].x && x < stations[STATIONS - 1].x)
        {
            CHECK_NEAR((double)level[i], 50.0 - fall * x, 1e-3);
        }
    }
    fixture_close(&f);
}

// A still arm beside the river, open to it at its lower end only, stands no higher than the river
// does there, though the river beside it is higher all the way up.
static void still_arms_stand_as_high_as_their_mouth(void** state)
{
    (void)state;
    enum
    {
        MOUTH = W - 8 // column from which on arm and river are one
    };
    fixture f;
    fixture_open(&f, 1);
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t x = i % W;
        const int32_t away = i / W - MIDDLE;
        const bool arm = away >= 5 && away <= 8 && x >= 6 && x < W - 4;
        const bool gap = away > 2 && away <= 4 && x >= MOUTH && x < W - 4;
        const double bed = -0.01 * CELL * (away >= -2 && away <= 2 ? x : MOUTH);
        heights[i] = (float)((away >= -2 && away <= 2) || arm || gap ? bed : 8.0);
    }
    const wadi_field2d field = {
        .heights = heights, .width = W, .height = H, .stride = W, .dx = CELL, .dy = CELL};
    const wadi_flood_params params = emitter(60.0);
    wadi_flood* flood = NULL;
    CHECK_OK(f.context, wadi_flood_create(f.context, &field, &params, &flood));
    static float depth[CELLS];
    CHECK_OK(f.context, wadi_flood_map(flood, WADI_FLOOD_DEPTH, depth));
    const int32_t mouth = MIDDLE * W + MOUTH - 2;
    const double most = (double)(heights[mouth] + depth[mouth]) + 0.02;
    int32_t wet = 0;
    for (int32_t x = 6; x < MOUTH; ++x)
    {
        const int32_t cell = (MIDDLE + 6) * W + x;
        if (depth[cell] > 0.0f)
        {
            assert_true((double)(heights[cell] + depth[cell]) <= most);
            ++wet;
        }
    }
    assert_true(wet > 20);
    wadi_flood_destroy(flood);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(banks_of_either_hand_are_overtopped),
        cmocka_unit_test(water_falls_evenly_between_stations),
        cmocka_unit_test(still_arms_stand_as_high_as_their_mouth),
        cmocka_unit_test(the_map_shows_the_depth_of_the_water),
        cmocka_unit_test(a_flood_knows_that_the_ground_has_changed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
