// SPDX-License-Identifier: MIT
// Laws of coasts against closed forms: platforms, cover, beaches, fines; and the four sides of the
// map alike.
#include "support/coast.h"

enum
{
    SIZE = 64 // cells of 10 m
};

static void world_open(coast_world* w, const wadi_edge* edges, coast_shape* shape)
{
    coast_open_edges(w, SIZE, edges, shape);
    w->params.surf = 1e5; // hardly any loss over shallow ground
}

static const wadi_edge all_open[4] = {WADI_EDGE_OPEN, WADI_EDGE_OPEN, WADI_EDGE_OPEN,
                                      WADI_EDGE_OPEN};

static float four_deep(int32_t x, int32_t y)
{
    (void)x;
    (void)y;
    return -4.0f;
}

// Bare rock at depth d falls by r exp(-d / b) in a year, so exp(d / b) grows by r t / b.
static void platforms_wear_by_depth(void** state)
{
    (void)state;
    coast_world w;
    world_open(&w, all_open, four_deep);
    w.params.downwear = 1.0;
    w.params.fines = 1.0;
    w.params.max_step = 20.0;
    coast_run(&w, 2000.0);
    const double depth = 8.0 * log(exp(0.5) + 1e-3 * 2000.0 / 8.0);
    CHECK_NEAR(fixture_metres(w.terrain, WADI_LAYER_SURFACE, 30, 30), -depth, 0.01);
    coast_close(&w);
}

// Sediment of half the covering thickness halves the wear of the rock below it.
static void sediment_protects_platforms(void** state)
{
    (void)state;
    double worn[2];
    for (int i = 0; i < 2; ++i)
    {
        coast_world w;
        world_open(&w, all_open, four_deep);
        CHECK_OK(w.f.context,
                 wadi_terrain_fill_layer(w.terrain, WADI_LAYER_SEDIMENT, i == 0 ? 0.0 : 0.5));
        CHECK_OK(w.f.context,
                 wadi_terrain_fill_layer(w.terrain, WADI_LAYER_BEDROCK, i == 0 ? -4.0 : -4.5));
        w.params.fines = 1.0;
        coast_run(&w, 200.0);
        worn[i] = (i == 0 ? -4.0 : -4.5) - fixture_metres(w.terrain, WADI_LAYER_BEDROCK, 30, 30);
        coast_close(&w);
    }
    assert_true(worn[0] > 0.05);
    CHECK_NEAR(worn[1] / worn[0], 0.5, 0.01);
}

static float west_sea(int32_t x, int32_t y)
{
    (void)y;
    return x < 20 ? -200.0f : 40.0f;
}

// The same with a trench in one row.
static float trenched_sea(int32_t x, int32_t y)
{
    return x < 20 && y == 30 ? -230.0f : west_sea(x, y);
}

// In the first step only rock is worn, and the share of fines of it is lost in suspension. The rest
// goes to the lowest cell of the sea beside the cliff.
static void fines_are_lost(void** state)
{
    (void)state;
    static const double shares[] = {0.0, 0.25, 1.0};
    for (int i = 0; i < 3; ++i)
    {
        coast_world w;
        world_open(&w, all_open, trenched_sea);
        w.params.fines = shares[i];
        w.params.cliff = 90.0; // no falls of rock
        w.params.max_step = 20.0;
        coast_run(&w, 20.0);
        const double worn = -fixture_ledger_row(w.terrain, WADI_MATERIAL_ROCK).converted;
        assert_true(worn > 1000.0);
        CHECK_NEAR(fixture_ledger_row(w.terrain, WADI_MATERIAL_SEDIMENT).lost / worn, shares[i],
                   1e-3);
        static float deposit[SIZE * SIZE];
        CHECK_OK(w.f.context, wadi_solver_map(w.solver, "deposit", deposit));
        if (shares[i] < 1.0)
        {
            assert_true(deposit[10 * SIZE + 20] == 0.0f);
            assert_true(deposit[30 * SIZE + 19] > 2.0f * deposit[10 * SIZE + 19]);
        }
        coast_close(&w);
    }
}

// Slopes that hold at 80 degrees.
static float shallow_sea(int32_t x, int32_t y)
{
    (void)y;
    return x < 20 ? -10.0f : 40.0f;
}

// Fall of the front of a cliff of rock or of sediment in ten years [m].
static double fall_of_front(bool loose)
{
    coast_world w;
    world_open(&w, all_open, shallow_sea);
    if (loose)
    {
        static float sediment[SIZE * SIZE];
        for (int32_t i = 0; i < SIZE * SIZE; ++i)
        {
            sediment[i] = i % SIZE < 20 ? 0.0f : 50.0f;
        }
        CHECK_OK(w.f.context,
                 wadi_terrain_set_layer(w.terrain, WADI_LAYER_SEDIMENT, sediment, SIZE));
        CHECK_OK(w.f.context, wadi_terrain_fill_layer(w.terrain, WADI_LAYER_BEDROCK, -10.0));
    }
    w.params.beach = 5.0;
    w.params.fines = 1.0;
    w.params.repose = w.params.cliff = 80.0;
    w.params.sweeps = 1;
    w.params.max_step = 10.0;
    coast_run(&w, 10.0);
    static float wear[SIZE * SIZE];
    CHECK_OK(w.f.context, wadi_solver_map(w.solver, "wear", wear));
    double worn = 0.0;
    for (int32_t y = 0; y < SIZE; ++y)
    {
        worn += (double)wear[y * SIZE + 20];
    }
    coast_close(&w);
    return worn / SIZE;
}

static void beaches_go_faster(void** state)
{
    (void)state;
    const double rock = fall_of_front(false);
    assert_true(rock > 0.5);
    CHECK_NEAR(fall_of_front(true) / rock, 5.0, 0.05);
}

// The cell that has coordinates x, y if the map is turned so that the west lies at `side`.
static int32_t turned(int side, int32_t x, int32_t y)
{
    const int32_t back = SIZE - 1 - x;
    const int32_t places[WADI_SIDE_COUNT] = {[WADI_SIDE_WEST] = y * SIZE + x,
                                             [WADI_SIDE_EAST] = y * SIZE + back,
                                             [WADI_SIDE_NORTH] = x * SIZE + y,
                                             [WADI_SIDE_SOUTH] = back * SIZE + y};
    return places[side];
}

static float all_sea(int32_t x, int32_t y)
{
    (void)x;
    (void)y;
    return -500.0f;
}

// Waves that come over one side alone are the same from all sides.
static void waves_come_from_each_side_alike(void** state)
{
    (void)state;
    static float waves[SIZE * SIZE];
    static float west[SIZE * SIZE];
    static const int sides[] = {WADI_SIDE_WEST, WADI_SIDE_EAST, WADI_SIDE_NORTH, WADI_SIDE_SOUTH};
    for (int i = 0; i < 4; ++i)
    {
        wadi_edge edges[4] = {WADI_EDGE_CLOSED, WADI_EDGE_CLOSED, WADI_EDGE_CLOSED,
                              WADI_EDGE_CLOSED};
        edges[sides[i]] = WADI_EDGE_OPEN;
        coast_world w;
        world_open(&w, edges, all_sea);
        w.params.fetch = 1e6;
        coast_run(&w, 1.0);
        CHECK_OK(w.f.context, wadi_solver_map(w.solver, "waves", waves));
        for (int32_t c = 0; c < SIZE * SIZE; ++c)
        {
            const float here = waves[turned(sides[i], c % SIZE, c / SIZE)];
            west[c] = i == 0 ? here : west[c];
            assert_true(fabsf(here - west[c]) < 0.01f);
        }
        // half of the directions at the open side, few rays at the closed one
        assert_true(west[32 * SIZE] > 0.9f);
        assert_true(west[32 * SIZE + 60] < 0.8f * west[32 * SIZE]);
        coast_close(&w);
    }
}

static float plateau;

static float flat_land(int32_t x, int32_t y)
{
    (void)x;
    (void)y;
    return plateau;
}

// A strip without data at any side is sea to low land beside it, and a hole to a mountain.
static void voids_at_each_side_are_sea(void** state)
{
    (void)state;
    static const int sides[] = {WADI_SIDE_WEST, WADI_SIDE_EAST, WADI_SIDE_NORTH, WADI_SIDE_SOUTH};
    static uint8_t valid[SIZE * SIZE];
    for (int i = 0; i < 8; ++i)
    {
        plateau = i < 4 ? 30.0f : 60.0f;
        coast_world w;
        world_open(&w, all_open, flat_land);
        for (int32_t c = 0; c < SIZE * SIZE; ++c)
        {
            // the strip reaches the border of the map at this side alone
            const int32_t x = c % SIZE;
            const int32_t y = c / SIZE;
            valid[turned(sides[i % 4], x, y)] = x >= 5 || y < 5 || y >= SIZE - 5;
        }
        CHECK_OK(w.f.context, wadi_terrain_set_valid(w.terrain, valid, SIZE));
        coast_run(&w, 400.0);
        const int32_t shore = turned(sides[i % 4], 5, 30);
        const double height =
            fixture_metres(w.terrain, WADI_LAYER_SURFACE, shore % SIZE, shore / SIZE);
        assert_true(i < 4 ? height < 25.0 : height == 60.0);
        coast_close(&w);
    }
}

static float steep_shelf(int32_t x, int32_t y)
{
    (void)y;
    return 10.0f - 2.0f * (float)x;
}

// Waves smooth loose matter at the shore to a gentle slope; far below them it keeps its own.
static void shelves_are_gentle_at_the_shore(void** state)
{
    (void)state;
    coast_world w;
    world_open(&w, all_open, steep_shelf);
    static float sediment[SIZE * SIZE];
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        sediment[i] = 30.0f;
    }
    static float rock[SIZE * SIZE];
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        rock[i] = steep_shelf(i % SIZE, 0) - 30.0f;
    }
    CHECK_OK(w.f.context, wadi_terrain_set_layer(w.terrain, WADI_LAYER_SEDIMENT, sediment, SIZE));
    CHECK_OK(w.f.context, wadi_terrain_set_layer(w.terrain, WADI_LAYER_BEDROCK, rock, SIZE));
    coast_run(&w, 2000.0);
    // a slope of 0.2 at first
    const double shallow = (fixture_metres(w.terrain, WADI_LAYER_SURFACE, 6, 30) -
                            fixture_metres(w.terrain, WADI_LAYER_SURFACE, 9, 30)) /
                           30.0;
    const double deep = (fixture_metres(w.terrain, WADI_LAYER_SURFACE, 58, 30) -
                         fixture_metres(w.terrain, WADI_LAYER_SURFACE, 60, 30)) /
                        20.0;
    print_message("slope at the shore %.3f, far below %.3f\n", shallow, deep);
    assert_true(shallow > 0.0 && shallow < 0.12);
    CHECK_NEAR(deep, 0.2, 0.02);
    coast_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(platforms_wear_by_depth),
        cmocka_unit_test(sediment_protects_platforms),
        cmocka_unit_test(fines_are_lost),
        cmocka_unit_test(beaches_go_faster),
        cmocka_unit_test(waves_come_from_each_side_alike),
        cmocka_unit_test(voids_at_each_side_are_sea),
        cmocka_unit_test(shelves_are_gentle_at_the_shore),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
