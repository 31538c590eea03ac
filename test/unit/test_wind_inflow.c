// SPDX-License-Identifier: MIT
// seconds: 2
// Open edges that the wind of model saltation blows in over: sand that enters lays no bank down
// along them, and a sheet is worn from its first cell on, by winds along the axes too.
#include "support/fixture.h"

#include <wadi/wind.h>

enum
{
    SIDE = 96,
    BORDER = 6 // columns along an edge
};

typedef struct sheet
{
    double inflow;
    double direction;
    double slope; // of the ground to the east [1]
    double years;
    int32_t threads;
    int32_t calls;
    bool hole; // a void in the middle
} sheet;

static bool sheet_is_hole(int32_t x, int32_t y)
{
    return x >= 40 && x < 48 && y >= 40 && y < 56;
}

// 3 m of sand on low, rough ground, under the wind. Returns the depth of the sand.
static uint64_t sheet_blow(const sheet* c, float* depth)
{
    static float rock[SIDE * SIDE];
    static uint8_t valid[SIDE * SIDE];
    fixture f;
    fixture_open(&f, c->threads);
    wadi_terrain* terrain = fixture_plain(&f, SIDE, SIDE, 2.0, WADI_EDGE_OPEN);
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const double x = i % SIDE;
        const double y = (double)(i / SIDE);
        rock[i] = (float)(c->slope * 2.0 * x + 0.2 * sin(0.31 * x) * cos(0.23 * y + 0.1 * x));
        valid[i] = c->hole && sheet_is_hole(i % SIDE, i / SIDE) ? 0 : 1;
    }
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, SIDE));
    CHECK_OK(f.context, wadi_terrain_set_valid(terrain, valid, SIDE));
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 3.0));
    wadi_wind_params params = wadi_wind_params_default();
    params.direction = c->direction;
    params.inflow = c->inflow;
    wadi_solver* solver;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_wind_process, &params, 0, &solver));
    for (int32_t k = 0; k < c->calls; ++k)
    {
        CHECK_OK(f.context, wadi_solver_advance(solver, c->years / c->calls));
    }
    CHECK_OK(f.context, wadi_solver_settle(solver));
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        depth[i] = (float)fixture_metres(terrain, WADI_LAYER_SEDIMENT, i % SIDE, i / SIDE);
    }
    fixture_check_ledger(terrain);
    const uint64_t hash = wadi_terrain_hash(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return hash;
}

// Mean depth of columns x0 to x1 of the middle rows.
static double sheet_mean(const float* depth, int32_t x0, int32_t x1)
{
    double sum = 0.0;
    for (int32_t y = 36; y < 60; ++y)
    {
        for (int32_t x = x0; x < x1; ++x)
        {
            sum += (double)depth[y * SIDE + x];
        }
    }
    return sum / (24.0 * (x1 - x0));
}

// Before laden parcels waited for their memories: 7.2 m of sand at the edge, 0.6 m in the middle.
static void no_bank_grows_at_the_edge(void** state)
{
    (void)state;
    static float depth[SIDE * SIDE];
    static const sheet cases[] = {
        {.inflow = 1.0, .direction = 287.0, .years = 8.0, .threads = 2, .calls = 1},
        {.inflow = 1.0, .direction = 253.0, .slope = 0.02, .years = 4.0, .threads = 2, .calls = 1},
        {.inflow = 1.0, .direction = 287.0, .years = 8.0, .threads = 2, .calls = 1, .hole = true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        (void)sheet_blow(&cases[i], depth);
        const double edge = sheet_mean(depth, 0, BORDER);
        const double lee = sheet_mean(depth, 48, 48 + BORDER);
        print_message("slope %.2f, wind from %.0f: %.2f m of sand at the edge, %.2f m in the "
                      "middle\n",
                      cases[i].slope, cases[i].direction, edge, lee);
        assert_true(edge > 2.0 && edge < 4.0);
        assert_true(!cases[i].hole || lee < 4.0);
    }
}

// The parcels that enter empty lift sand from the first cell on, so that no strip stays.
static void little_inflow_wears_the_sheet_from_its_edge(void** state)
{
    (void)state;
    static float depth[SIDE * SIDE];
    static const sheet c = {
        .inflow = 0.2, .direction = 287.0, .years = 4.0, .threads = 2, .calls = 1};
    (void)sheet_blow(&c, depth);
    print_message("%.3f m of sand at the edge\n", sheet_mean(depth, 0, BORDER));
    assert_true(sheet_mean(depth, 0, BORDER) < 0.1);
}

// 2.3 m of a rim stayed along the edge when the first step of a parcel went beyond its first cell.
static void winds_along_the_axes_wear_the_edge_too(void** state)
{
    (void)state;
    static float depth[SIDE * SIDE];
    for (int k = 0; k < 4; ++k)
    {
        const sheet c = {.direction = 90.0 * k, .years = 3.0, .threads = 2, .calls = 1};
        (void)sheet_blow(&c, depth);
        double most = 0.0;
        for (int32_t i = 24; i < 72; ++i)
        {
            static const int32_t stride[4] = {1, SIDE, 1, SIDE};
            const int32_t first[4] = {0, SIDE - 1, SIDE * (SIDE - 1), 0};
            most = fmax(most, (double)depth[first[k] + i * stride[k]]);
        }
        print_message("wind from %.0f: %.3f m of sand at the edge\n", c.direction, most);
        assert_true(most < 0.1);
    }
}

static void threads_and_calls_change_no_bit(void** state)
{
    (void)state;
    static float depth[SIDE * SIDE];
    sheet c = {.inflow = 0.6, .direction = 203.0, .years = 1.0, .threads = 1, .calls = 1};
    const uint64_t one = sheet_blow(&c, depth);
    c.threads = 4;
    c.calls = 7;
    assert_true(sheet_blow(&c, depth) == one);
    c.threads = 2;
    c.calls = 50;
    assert_true(sheet_blow(&c, depth) == one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_bank_grows_at_the_edge),
        cmocka_unit_test(little_inflow_wears_the_sheet_from_its_edge),
        cmocka_unit_test(winds_along_the_axes_wear_the_edge_too),
        cmocka_unit_test(threads_and_calls_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
