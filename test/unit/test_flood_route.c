// SPDX-License-Identifier: MIT
// Routes of floods on planes and through depressions; refusals; independence of threads.
#include "support/fixture.h"
#include "support/flooding.h"

#include "core/random.h"
#include "laws/channels/channel_route.h"

#include <stdlib.h>

enum
{
    W = 97,
    H = 83,
    CELLS = W * H
};

static const double degree = 57.29577951308232;

static float heights[CELLS];
static float levels[CELLS];
static float maps[2][WADI_FLOOD_LAYER_COUNT][CELLS];

static wadi_field2d field(void)
{
    return (wadi_field2d){
        .heights = heights, .width = W, .height = H, .stride = W, .dx = 5.0, .dy = 5.0};
}

// A slope with many pits.
static void rough(uint64_t seed)
{
    for (int i = 0; i < CELLS; ++i)
    {
        const wadi_philox random = wadi_random(seed, 1, (uint64_t)i, 0);
        heights[i] = (float)(random.v[0] % 1000) * 0.01f - 0.02f * (float)(i % W);
    }
}

static wadi_flood_params at(double column, double row, double discharge)
{
    wadi_flood_params params = wadi_flood_params_default();
    params.from_x = params.to_x = 5.0 * (column + 0.5);
    params.from_y = params.to_y = 5.0 * (H - row - 0.5);
    params.discharge = discharge;
    return params;
}

// ---- routes ------------------------------------------------------------------------------------

// On a plane the route is the line of steepest descent within a cell, for any azimuth.
static void a_route_goes_straight_down_a_plane(void** state)
{
    (void)state;
    static const double azimuths[] = {0.0, 20.0, 37.0, 45.0, 80.0};
    fixture f;
    fixture_open(&f, 1);
    const wadi_field2d plane = field();
    for (int a = 0; a < 5; ++a)
    {
        const double east = cos(azimuths[a] / degree);
        const double south = sin(azimuths[a] / degree);
        for (int i = 0; i < CELLS; ++i)
        {
            heights[i] = (float)(-0.1 * (east * (i % W) + south * (double)(i / W)));
        }
        channel_route route;
        const channel_source source = {10.0, 10.0, 10.0, 10.0};
        CHECK_OK(f.context,
                 wadi_channel_route_create(f.context, &plane, &source, CHANNEL_OUTLET_ANY, &route));
        for (int32_t i = 0; i < route.count; ++i)
        {
            const double x = (double)(route.cell[i] % W) - 10.0;
            const double y = (double)(route.cell[i] / W) - 10.0;
            CHECK_NEAR(x * south - y * east, 0.0, 1.0);
        }
        assert_true(route.count > 60);
        wadi_channel_route_free(f.context, &route);
    }
    fixture_close(&f);
}

// The route is optimal: its highest ground equals the flood level of its start in a plain priority
// flood. It is connected and ends at a border.
static void a_route_never_climbs_higher_than_it_must(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    const wadi_field2d ground = field();
    for (uint64_t seed = 1; seed <= 16; ++seed)
    {
        rough(seed);
        flooding_levels(heights, W, H, levels);
        channel_route route;
        const channel_source source = {48.0, 41.0, 48.0, 41.0};
        CHECK_OK(f.context, wadi_channel_route_create(f.context, &ground, &source,
                                                      CHANNEL_OUTLET_ANY, &route));
        float highest = heights[route.cell[0]];
        for (int32_t i = 1; i < route.count; ++i)
        {
            const int32_t dx = (int32_t)(route.cell[i] % W) - (int32_t)(route.cell[i - 1] % W);
            const int32_t dy = (int32_t)(route.cell[i] / W) - (int32_t)(route.cell[i - 1] / W);
            assert_int_equal(dx * dx <= 1 && dy * dy <= 1 && dx * dx + dy * dy > 0, 1);
            highest = fmaxf(highest, heights[route.cell[i]]);
        }
        const uint32_t end = route.cell[route.count - 1];
        assert_true(end % W == 0 || end % W == W - 1 || end / W == 0 || end / W == H - 1);
        assert_true(highest == levels[route.cell[0]]);
        wadi_channel_route_free(f.context, &route);
    }
    fixture_close(&f);
}

// A bowl with a bent trench 2 m deep in its floor: the route follows the trench, where the water
// would run.
static void a_route_crosses_a_depression_along_its_deepest_ground(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    for (int i = 0; i < CELLS; ++i)
    {
        const int x = i % W;
        const int y = i / W;
        const bool rim = x < 3 || x > W - 4 || y < 3 || y > H - 4;
        const bool trench = (y == 20 && x >= 10 && x <= 70) || (x == 70 && y >= 20 && y <= 60) ||
                            (y == 60 && x >= 70);
        heights[i] = rim ? 10.0f : trench ? 0.0f : 2.0f;
    }
    for (int x = W - 4; x < W; ++x)
    {
        heights[60 * W + x] = 5.0f; // lowest point of the bowl's border
    }
    const wadi_field2d ground = field();
    const channel_source source = {10.0, 20.0, 10.0, 20.0};
    channel_route route;
    CHECK_OK(f.context,
             wadi_channel_route_create(f.context, &ground, &source, CHANNEL_OUTLET_ANY, &route));
    for (int32_t i = 0; i < route.count; ++i)
    {
        assert_true(heights[route.cell[i]] == 0.0f || route.cell[i] % W >= W - 4);
    }
    assert_true(route.count > 100);
    wadi_channel_route_free(f.context, &route);
    fixture_close(&f);
}

// The route starts at the lowest cell of a line, and may not leave over that side.
static void a_line_lets_the_flood_in_at_its_lowest_cell(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    for (int i = 0; i < CELLS; ++i)
    {
        heights[i] = 0.01f * (float)(i % W) + 0.1f * (float)abs(i / W - 30);
    }
    const wadi_field2d ground = field();
    const channel_source source = {0.0, 10.0, 0.0, 70.0};
    channel_route route;
    CHECK_OK(f.context,
             wadi_channel_route_create(f.context, &ground, &source, CHANNEL_OUTLET_ANY, &route));
    assert_int_equal(route.cell[0], 30 * W);
    assert_int_equal(route.cell[route.count - 1] % W, W - 1);
    wadi_channel_route_free(f.context, &route);
    fixture_close(&f);
}

// ---- the whole flood
// -----------------------------------------------------------------------------

static void derive_all(int32_t threads, float out[WADI_FLOOD_LAYER_COUNT][CELLS])
{
    fixture f;
    fixture_open(&f, threads);
    const wadi_field2d ground = field();
    const wadi_flood_params params = at(0, 40, 60.0);
    wadi_flood* flood;
    CHECK_OK(f.context, wadi_flood_create(f.context, &ground, &params, &flood));
    for (int layer = 0; layer < WADI_FLOOD_LAYER_COUNT; ++layer)
    {
        CHECK_OK(f.context, wadi_flood_map(flood, (wadi_flood_layer)layer, out[layer]));
    }
    wadi_flood_destroy(flood);
    fixture_close(&f);
}

static void threads_do_not_matter(void** state)
{
    (void)state;
    rough(3);
    derive_all(1, maps[0]);
    for (int32_t threads = 2; threads <= 8; threads += 3)
    {
        derive_all(threads, maps[1]);
        assert_memory_equal(maps[1], maps[0], sizeof maps[0]);
    }
}

// Maps agree with each other, also with voids in the ground.
static void maps_agree(void** state)
{
    (void)state;
    rough(4);
    heights[41 * W + 20] = NAN;
    derive_all(2, maps[0]);
    int64_t wet = 0;
    int64_t route = 0;
    for (int i = 0; i < CELLS; ++i)
    {
        const float depth = maps[0][WADI_FLOOD_DEPTH][i];
        const float level = maps[0][WADI_FLOOD_LEVEL][i];
        assert_int_equal(isnan(depth), isnan(heights[i]));
        assert_int_equal(depth > 0.0f, !isnan(level));
        assert_true(!(depth > 0.0f) || level - heights[i] == depth);
        const float over = maps[0][WADI_FLOOD_OVERTOPPED][i];
        assert_true(isnan(depth) || over == 0.0f || over == depth);
        wet += depth > 0.0f;
        route += !isnan(maps[0][WADI_FLOOD_ROUTE][i]);
    }
    assert_true(route >= 20 && wet > route); // it leaves through the hole, 20 cells away
}

static void expect(wadi_context* context, const wadi_field2d* ground, wadi_flood_params params,
                   const char* text)
{
    wadi_flood* flood = (wadi_flood*)&params;
    CHECK_FAILS(context, WADI_ERROR_RANGE, text,
                wadi_flood_create(context, ground, &params, &flood));
    assert_null(flood);
}

static void invalid_routes_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    rough(5);
    wadi_field2d ground = field();
    expect(f.context, &ground, at(-1, 40, 10.0), "outside the grid");
    expect(f.context, &ground, at(40, H, 10.0), "outside the grid");
    expect(f.context, &ground, at(40, 40, 0.0), "discharge");
    wadi_flood_params params = at(40, 40, 10.0);
    params.roughness = 0.0;
    expect(f.context, &ground, params, "roughness");

    heights[40 * W + 40] = NAN;
    expect(f.context, &ground, at(40, 40, 10.0), "without data");
    for (int side = 0; side < 4; ++side)
    {
        ground.edges[side] = WADI_EDGE_CLOSED;
    }
    heights[40 * W + 40] = 0.0f;
    expect(f.context, &ground, at(30, 40, 10.0), "no outlet");

    // a void ring around the emitter is a border too: the flood enters there
    for (int k = 0; k < 9; ++k)
    {
        heights[(39 + k / 3) * W + 39 + k % 3] = k == 4 ? 1.0f : NAN;
    }
    ground.edges[WADI_SIDE_EAST] = WADI_EDGE_OPEN;
    expect(f.context, &ground, at(40, 40, 10.0), "no route from the emitter");

    ground.edges[WADI_SIDE_EAST] = ground.edges[WADI_SIDE_WEST] = WADI_EDGE_PERIODIC;
    wadi_flood* flood;
    params = at(30, 40, 10.0);
    CHECK_FAILS(f.context, WADI_ERROR_ARGUMENT, "periodic",
                wadi_flood_create(f.context, &ground, &params, &flood));
    params.cookie = 0;
    CHECK_FAILS(f.context, WADI_ERROR_PARAMS, "flood",
                wadi_flood_create(f.context, &ground, &params, &flood));
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_route_goes_straight_down_a_plane),
        cmocka_unit_test(a_route_never_climbs_higher_than_it_must),
        cmocka_unit_test(a_route_crosses_a_depression_along_its_deepest_ground),
        cmocka_unit_test(a_line_lets_the_flood_in_at_its_lowest_cell),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(maps_agree),
        cmocka_unit_test(invalid_routes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
