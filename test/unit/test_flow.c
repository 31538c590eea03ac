// SPDX-License-Identifier: MIT
// Filled depressions, flow directions and accumulation on synthetic ground.
#include "support/check.h"
#include "support/flooding.h"

#include "core/radix_heap.h"
#include "core/random.h"

#include <stdlib.h>

#include <wadi/flow.h>

enum
{
    W = 61,
    H = 47,
    CELLS = W * H
};

static const double degree = 57.29577951308232;

static float heights[CELLS];
static float filled[CELLS];
static wadi_flow_target targets[CELLS];
static double sum[CELLS];
static uint8_t fed[CELLS];

static wadi_context* context_with(int32_t threads)
{
    wadi_context_def def = wadi_context_def_default();
    def.threads = threads;
    wadi_context* context = NULL;
    CHECK_OK(context, wadi_context_create(&def, &context));
    return context;
}

static wadi_field2d field_of(const float* values, wadi_edge west_east, wadi_edge north_south)
{
    return (wadi_field2d){.heights = values,
                          .width = W,
                          .height = H,
                          .stride = W,
                          .dx = 20.0,
                          .dy = 30.0,
                          .edges = {north_south, west_east, north_south, west_east}};
}

// Heights in whole decimetres: many pits, flats and ties.
static void rough(uint64_t seed, bool holes)
{
    for (int i = 0; i < CELLS; ++i)
    {
        const wadi_philox random = wadi_random(seed, 1, (uint64_t)i, 0);
        const bool hole = holes && random.v[1] % 23 == 0;
        heights[i] = hole ? NAN : (float)(random.v[0] % 40) * 0.1f;
    }
}

static int neighbour(const wadi_field2d* f, int cell, int k)
{
    static const int east[8] = {1, 1, 0, -1, -1, -1, 0, 1};
    static const int south[8] = {0, -1, -1, -1, 0, 1, 1, 1};
    int x = cell % W + east[k];
    int y = cell / W + south[k];
    x = f->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC ? (x + W) % W : x;
    y = f->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC ? (y + H) % H : y;
    return x < 0 || x >= W || y < 0 || y >= H ? -1 : y * W + x;
}

static bool on_rim(const wadi_field2d* f, int cell)
{
    const bool at[4] = {cell / W == 0, cell % W == W - 1, cell / W == H - 1, cell % W == 0};
    for (int side = 0; side < 4; ++side)
    {
        if (at[side] && f->edges[side] == WADI_EDGE_OPEN)
        {
            return true;
        }
    }
    for (int k = 0; k < 8; ++k)
    {
        const int n = neighbour(f, cell, k);
        if (n >= 0 && isnan(heights[n]))
        {
            return true;
        }
    }
    return false;
}

static void random_keys_leave_the_heap_in_order(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    wadi_radix_heap heap = {0};
    uint32_t last = 0;
    for (uint32_t i = 0; i < 20000; ++i)
    {
        // push two, pop one; sometimes push a key equal to the last popped one
        for (uint32_t j = 0; j < 2; ++j)
        {
            const uint32_t random = wadi_random(1, 2, i, j).v[0];
            const uint32_t key = random % 5 == 0 ? last : last + random % 1000;
            CHECK_OK(context, wadi_radix_heap_push(context, &heap, key, key));
        }
        uint32_t key;
        CHECK_OK(context, wadi_radix_heap_pop(context, &heap, &key));
        assert_true(key >= last);
        last = key;
    }
    while (heap.count > 0)
    {
        uint32_t key;
        CHECK_OK(context, wadi_radix_heap_pop(context, &heap, &key));
        assert_true(key >= last);
        last = key;
    }
    assert_true(wadi_radix_key(-2.5f) < wadi_radix_key(-2.0f));
    assert_true(wadi_radix_key(-1e-9f) < wadi_radix_key(0.0f));
    assert_true(wadi_radix_key(-0.0f) == wadi_radix_key(0.0f));
    assert_true(wadi_radix_key(3.0f) < wadi_radix_key(3.0000002f));
    wadi_radix_heap_free(context, &heap);
    assert_int_equal(wadi_memory_used(context), 0);
    wadi_context_destroy(context);
}

// R = max(h, lowest R around) everywhere but at the border, where R = h: the least solution is
// unique and the plain flood of the tests finds it.
static void filled_ground_is_the_only_solution(void** state)
{
    (void)state;
    static const wadi_edge kinds[] = {WADI_EDGE_OPEN, WADI_EDGE_CLOSED, WADI_EDGE_PERIODIC};
    wadi_context* context = context_with(2);
    for (int trial = 0; trial < 18; ++trial)
    {
        rough((uint64_t)trial, trial % 2 == 1);
        const wadi_field2d field = field_of(heights, kinds[trial / 6], kinds[trial % 3]);
        CHECK_OK(context, wadi_flow_fill(context, &field, filled));
        int unexplained = 0;
        for (int i = 0; i < CELLS; ++i)
        {
            float lowest = INFINITY;
            for (int k = 0; k < 8; ++k)
            {
                const int n = neighbour(&field, i, k);
                lowest = n >= 0 ? fminf(lowest, filled[n]) : lowest;
            }
            const float want = on_rim(&field, i) ? heights[i] : fmaxf(heights[i], lowest);
            unexplained += !isnan(heights[i]) && filled[i] != want ? 1 : 0;
            assert_true(isnan(heights[i]) == isnan(filled[i]));
        }

        // in a closed world the lowest cell is the only sink
        const bool drains = trial % 2 == 1 || kinds[trial / 6] == WADI_EDGE_OPEN ||
                            kinds[trial % 3] == WADI_EDGE_OPEN;
        assert_true(unexplained <= (drains ? 0 : 1));
    }
    rough(77, false);
    const wadi_field2d field = field_of(heights, WADI_EDGE_OPEN, WADI_EDGE_OPEN);
    static float expected[CELLS];
    flooding_levels(heights, W, H, expected);
    CHECK_OK(context, wadi_flow_fill(context, &field, filled));
    assert_memory_equal(filled, expected, sizeof expected);
    wadi_context_destroy(context);
}

// All area drains: the areas of the cells without a receiver sum to the area of the grid.
static void all_cells_drain_over_the_rim(void** state)
{
    (void)state;
    static const wadi_edge kinds[] = {WADI_EDGE_OPEN, WADI_EDGE_CLOSED, WADI_EDGE_PERIODIC};
    wadi_context* context = context_with(2);
    for (int trial = 0; trial < 12; ++trial)
    {
        rough((uint64_t)trial + 100, trial % 2 == 1);
        wadi_field2d field = field_of(heights, WADI_EDGE_OPEN, kinds[trial % 3]);
        CHECK_OK(context, wadi_flow_fill(context, &field, filled));
        field.heights = filled;
        const wadi_flow_model model = trial < 6 ? WADI_FLOW_D8 : WADI_FLOW_DINF;
        CHECK_OK(context, wadi_flow_route(context, &field, model, targets));
        CHECK_OK(context, wadi_flow_accumulate(context, &field, targets, NULL, sum));
        double land = 0.0;
        double left = 0.0;
        for (int i = 0; i < CELLS; ++i)
        {
            land += isnan(heights[i]) ? 0.0 : 600.0;
            left += targets[i].first < 0 && !isnan(heights[i]) ? sum[i] : 0.0;
            assert_true(targets[i].first >= 0 || isnan(heights[i]) || on_rim(&field, i));
        }
        CHECK_NEAR(left, land, 1e-9 * land);
    }
    wadi_context_destroy(context);
}

// On a plane, flow is straight down the slope for any azimuth: D-infinity within the rounding of
// heights to floats, D8 within 22.5 degrees.
static void planes_drain_down_their_slope(void** state)
{
    (void)state;
    wadi_context* context = context_with(2);
    static float direction[CELLS];
    wadi_field2d field = field_of(heights, WADI_EDGE_OPEN, WADI_EDGE_OPEN);
    field.dy = 20.0;
    for (double azimuth = 0.0; azimuth < 360.0; azimuth += 18.5)
    {
        for (int i = 0; i < CELLS; ++i)
        {
            const double east = 20.0 * (i % W);
            const double north = -20.0 * (i / W);
            heights[i] =
                (float)(-0.2 * (east * sin(azimuth / degree) + north * cos(azimuth / degree)));
        }
        for (int dinf = 0; dinf < 2; ++dinf)
        {
            CHECK_OK(context, wadi_derive(context, &field,
                                          dinf != 0 ? WADI_DERIVED_DINF_DIRECTION
                                                    : WADI_DERIVED_D8_DIRECTION,
                                          NULL, direction));
            const double turn = fabs((double)direction[H / 2 * W + W / 2] - azimuth);
            CHECK_NEAR(fmin(turn, 360.0 - turn), 0.0, dinf != 0 ? 0.01 : 22.51);
        }
    }
    wadi_context_destroy(context);
}

// A cone drains equally in all directions. On 52 rays D-infinity is at most 29 % off the exact
// area; D8 concentrates it on eight rays and is 92 % off.
static void a_cone_sheds_evenly(void** state)
{
    (void)state;
    enum
    {
        N = 101
    };
    wadi_context* context = context_with(2);
    float* cone = malloc(N * N * sizeof *cone);
    float* area = malloc(N * N * sizeof *area);
    for (int i = 0; i < N * N; ++i)
    {
        cone[i] = -(float)hypot(i % N - N / 2, i / N - N / 2);
    }
    const wadi_field2d field = {
        .heights = cone, .width = N, .height = N, .stride = N, .dx = 1.0, .dy = 1.0};
    double spread[2];
    for (int dinf = 0; dinf < 2; ++dinf)
    {
        CHECK_OK(context, wadi_derive(context, &field,
                                      dinf != 0 ? WADI_DERIVED_DINF_AREA : WADI_DERIVED_D8_AREA,
                                      NULL, area));
        double worst = 0.0;
        for (double turn = 3.0; turn < 360.0; turn += 7.0)
        {
            // area per metre of contour is r / 2; mean along a ray
            double got = 0.0;
            double want = 0.0;
            for (double r = 20.0; r < 40.0; r += 0.5)
            {
                const double x = N / 2 + r * sin(turn / degree);
                const double y = N / 2 - r * cos(turn / degree);
                got += (double)area[(int)(y + 0.5) * N + (int)(x + 0.5)];
                want += 0.5 * r;
            }
            worst = fmax(worst, fabs(got / want - 1.0));
        }
        spread[dinf] = worst;
    }
    assert_true(spread[1] < 0.3);
    assert_true(spread[0] > 3.0 * spread[1]);
    free(area);
    free(cone);
    wadi_context_destroy(context);
}

// A flat with two outlets: each cell drains to the nearer one, without cycles.
static void level_ground_drains_to_the_nearest_outlet(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    for (int i = 0; i < CELLS; ++i)
    {
        heights[i] = 5.0f;
    }
    heights[H / 2 * W] = 4.0f;
    heights[H / 2 * W + W - 1] = 4.0f;
    const wadi_field2d field = field_of(heights, WADI_EDGE_CLOSED, WADI_EDGE_CLOSED);
    CHECK_OK(context, wadi_flow_route(context, &field, WADI_FLOW_DINF, targets));
    CHECK_OK(context, wadi_flow_accumulate(context, &field, targets, NULL, sum));
    CHECK_NEAR(sum[H / 2 * W] + sum[H / 2 * W + W - 1], 600.0 * CELLS, 1e-6);
    CHECK_NEAR(sum[H / 2 * W] / (600.0 * CELLS), 0.5, 0.02);
    assert_int_equal(targets[H / 2 * W + 10].first, WADI_FLOW_WEST);
    assert_int_equal(targets[H / 2 * W + W - 10].first, WADI_FLOW_EAST);
    wadi_context_destroy(context);
}

// Shifting a periodic world shifts its map, bit for bit.
static void flow_crosses_periodic_edges(void** state)
{
    (void)state;
    wadi_context* context = context_with(3);
    static float map[CELLS];
    static float rolled_map[CELLS];
    for (int i = 0; i < CELLS; ++i)
    {
        // no ties, because the order of the cells would resolve them; one lowest cell
        heights[i] = (float)(wadi_random(9, 1, (uint64_t)i, 0).v[0] >> 8);
    }
    static float rolled[CELLS];
    for (int i = 0; i < CELLS; ++i)
    {
        rolled[(i / W + 11) % H * W + (i % W + 17) % W] = heights[i];
    }
    const wadi_field2d field = field_of(heights, WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC);
    const wadi_field2d other = field_of(rolled, WADI_EDGE_PERIODIC, WADI_EDGE_PERIODIC);
    static const wadi_derived maps[] = {WADI_DERIVED_FILLED, WADI_DERIVED_DEPRESSION,
                                        WADI_DERIVED_SLOPE, WADI_DERIVED_CURVATURE};
    for (size_t m = 0; m < sizeof maps / sizeof maps[0]; ++m)
    {
        CHECK_OK(context, wadi_derive(context, &field, maps[m], NULL, map));
        CHECK_OK(context, wadi_derive(context, &other, maps[m], NULL, rolled_map));
        for (int i = 0; i < CELLS; ++i)
        {
            assert_true(map[i] == rolled_map[(i / W + 11) % H * W + (i % W + 17) % W]);
        }
    }
    wadi_context_destroy(context);
}

// A ridge down the middle keeps apart the water that crosses the western border and that of the
// eastern half.
static void the_edge_feeds_only_what_lies_below_it(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    for (int i = 0; i < CELLS; ++i)
    {
        // water runs east to a valley in the middle of each half, and south along it
        const int x = i % W % 30;
        heights[i] = (float)(abs(x - 15) + 0.1 * (H - i / W));
    }
    wadi_field2d field = field_of(heights, WADI_EDGE_CLOSED, WADI_EDGE_CLOSED);
    field.edges[WADI_SIDE_SOUTH] = WADI_EDGE_OPEN;
    CHECK_OK(context, wadi_flow_route(context, &field, WADI_FLOW_D8, targets));
    CHECK_OK(context, wadi_flow_edge_fed(context, &field, targets, fed));
    assert_int_equal(fed[(H - 2) * W + 15], 0);
    assert_int_equal(fed[(H - 1) * W + 15], 1);
    field.edges[WADI_SIDE_WEST] = WADI_EDGE_OPEN;
    CHECK_OK(context, wadi_flow_edge_fed(context, &field, targets, fed));
    assert_int_equal(fed[(H - 2) * W + 15], 1);
    assert_int_equal(fed[(H - 2) * W + 45], 0);
    wadi_context_destroy(context);
}

// Areas use the cell width of each row, as for a grid in degrees.
static void areas_follow_the_rows(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    double dx[H];
    for (int y = 0; y < H; ++y)
    {
        dx[y] = 10.0 + y;
        for (int x = 0; x < W; ++x)
        {
            heights[y * W + x] = (float)(H - y);
        }
    }
    wadi_field2d field = field_of(heights, WADI_EDGE_CLOSED, WADI_EDGE_OPEN);
    field.dx_of_row = dx;
    CHECK_OK(context, wadi_flow_route(context, &field, WADI_FLOW_D8, targets));
    CHECK_OK(context, wadi_flow_accumulate(context, &field, targets, NULL, sum));
    CHECK_NEAR(sum[2 * W + 5], 30.0 * (10.0 + 11.0 + 12.0), 1e-9);
    wadi_context_destroy(context);
}

static void flow_is_deterministic(void** state)
{
    (void)state;
    static double first[CELLS];
    for (int32_t threads = 1; threads <= 4; ++threads)
    {
        wadi_context* context = context_with(threads);
        rough(5, true);
        wadi_field2d field = field_of(heights, WADI_EDGE_OPEN, WADI_EDGE_PERIODIC);
        CHECK_OK(context, wadi_flow_fill(context, &field, filled));
        field.heights = filled;
        CHECK_OK(context, wadi_flow_route(context, &field, WADI_FLOW_DINF, targets));
        CHECK_OK(context, wadi_flow_accumulate(context, &field, targets, NULL, sum));
        memcpy(first, threads == 1 ? sum : first, threads == 1 ? sizeof first : 0);
        assert_memory_equal(first, sum, sizeof first);
        assert_int_equal(wadi_memory_used(context), 0);
        wadi_context_destroy(context);
    }
}

static void bad_input_is_refused(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    rough(1, false);
    wadi_field2d field = field_of(heights, WADI_EDGE_OPEN, WADI_EDGE_OPEN);
    CHECK_FAILS(context, WADI_ERROR_ARGUMENT, "NULL", wadi_flow_fill(context, &field, NULL));
    CHECK_FAILS(context, WADI_ERROR_ARGUMENT, "D-infinity",
                wadi_flow_route(context, &field, (wadi_flow_model)7, targets));
    CHECK_FAILS(context, WADI_ERROR_ARGUMENT, "targets",
                wadi_flow_accumulate(context, &field, NULL, NULL, sum));
    for (int i = 0; i < CELLS; ++i)
    {
        targets[i] = (wadi_flow_target){0.0f, WADI_FLOW_NOWHERE, WADI_FLOW_NOWHERE};
    }
    targets[W + 1].first = WADI_FLOW_EAST;
    targets[W + 2].first = WADI_FLOW_WEST;
    CHECK_FAILS(context, WADI_ERROR_ARGUMENT, "2 cells drain in a cycle",
                wadi_flow_accumulate(context, &field, targets, NULL, sum));
    targets[W + 1].first = 9;
    CHECK_FAILS(context, WADI_ERROR_ARGUMENT, "column 1, row 1",
                wadi_flow_accumulate(context, &field, targets, NULL, sum));
    field.edges[WADI_SIDE_WEST] = WADI_EDGE_PERIODIC;
    CHECK_FAILS(context, WADI_ERROR_ARGUMENT, "opposite", wadi_flow_fill(context, &field, filled));
    assert_int_equal(wadi_memory_used(context), 0);
    wadi_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_keys_leave_the_heap_in_order),
        cmocka_unit_test(filled_ground_is_the_only_solution),
        cmocka_unit_test(all_cells_drain_over_the_rim),
        cmocka_unit_test(planes_drain_down_their_slope),
        cmocka_unit_test(a_cone_sheds_evenly),
        cmocka_unit_test(level_ground_drains_to_the_nearest_outlet),
        cmocka_unit_test(flow_crosses_periodic_edges),
        cmocka_unit_test(the_edge_feeds_only_what_lies_below_it),
        cmocka_unit_test(areas_follow_the_rows),
        cmocka_unit_test(flow_is_deterministic),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
