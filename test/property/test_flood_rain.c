// SPDX-License-Identifier: MIT
// Rain alone, model "inertial" of process flood with `discharge: 0`: books, bits of any cut of
// time, depths of a basin and of a slope; and floods without any water.
#include "support/surge.h"

#include "terrain/ground.h"

#include <math.h>
#include <string.h>

static const double hour = 3600.0 / 31557600.0; // [yr]

enum
{
    SIDE = 60
};

// The line of the defaults, the western side, is without data.
static void drop_the_west(const surge* s)
{
    uint8_t* valid = test_calloc((size_t)s->width * (size_t)s->height, sizeof *valid);
    for (int32_t i = 0; i < s->width * s->height; ++i)
    {
        valid[i] = i % s->width > 0;
    }
    CHECK_OK(s->f.context, wadi_terrain_set_valid(s->terrain, valid, s->width));
    test_free(valid);
}

// ---- books --------------------------------------------------------------------------------------

static int64_t units_of_water(const wadi_terrain* terrain)
{
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    int64_t sum = 0;
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        sum += ground->valid[c] != 0 ? ground->water[c] : 0;
    }
    return sum;
}

// Cubic metres of the ledger in units x cells; they are exact in a double here.
static int64_t units_of_volume(const surge* s, double volume)
{
    return (int64_t)(volume * WADI_UNITS_PER_METRE / (s->cell * s->cell) + 0.5);
}

static void rain_that_fell_stands_or_left(void** state)
{
    (void)state;
    static const wadi_edge edges[] = {WADI_EDGE_OPEN, WADI_EDGE_CLOSED, WADI_EDGE_PERIODIC};
    for (int32_t k = 0; k < 6; ++k)
    {
        surge s;
        surge_open(&s, SIDE, SIDE, 10.0, edges[k / 2], surge_hills, NULL);
        const bool leaves = edges[k / 2] != WADI_EDGE_CLOSED;
        if (leaves)
        {
            drop_the_west(&s);
        }
        s.params.rain = 47.0;
        s.params.rain_duration = 0.2;
        s.params.local_steps = k % 2 * 2;
        surge_run(&s, 0.15);
        surge_run(&s, 0.5);
        const int64_t each = (int64_t)floor(47e-3 * 0.2 * WADI_UNITS_PER_METRE);
        const int64_t fell = each * wadi_terrain_valid_count(s.terrain);
        const wadi_ledger_row water = fixture_ledger_row(s.terrain, WADI_MATERIAL_WATER);
        int64_t left = 0;
        for (int32_t side = 0; side < WADI_SIDE_COUNT; ++side)
        {
            left += units_of_volume(&s, water.out[side]);
        }
        assert_int_equal(units_of_volume(&s, water.in), fell);
        assert_int_equal(units_of_water(s.terrain) + left, fell);
        assert_true((left > 0) == leaves);
        surge_close(&s);
    }
}

// ---- bits ---------------------------------------------------------------------------------------

static wadi_solver* make_cloudburst(fixture* f)
{
    wadi_flood_params params = wadi_flood_params_default();
    params.model = WADI_FLOOD_INERTIAL;
    params.discharge = 0.0;
    params.rain = 80.0;
    params.rain_duration = 0.1;
    params.step = 60.0 / 31557600.0;
    return surge_on_rough(f, &params);
}

static void calls_and_threads_change_no_bit(void** state)
{
    (void)state;
    fixture_check_cuts(make_cloudburst, 0.2 * hour);
}

// ---- depths -------------------------------------------------------------------------------------

// A closed basin: a level floor between two slopes.
static double basin(double x, double y, const void* shape)
{
    (void)y;
    (void)shape;
    const double off = fabs(x - 300.0);
    return 20.0 + (off > 150.0 ? 0.05 * (off - 150.0) : 0.0);
}

// Level of so much water a cell [m]; slopes above it keep `film`.
static double level_of(double depth, double film)
{
    double low = 20.0;
    double high = 30.0;
    for (int32_t k = 0; k < 60; ++k)
    {
        const double level = 0.5 * (low + high);
        double sum = 0.0;
        for (int32_t x = 0; x < SIDE; ++x)
        {
            sum += fmax(level - basin((x + 0.5) * 10.0, 0.0, NULL), film);
        }
        low = sum < depth * SIDE ? level : low;
        high = sum < depth * SIDE ? high : level;
    }
    return low;
}

static void a_closed_basin_fills_to_its_level(void** state)
{
    (void)state;
    surge s;
    surge_open(&s, SIDE, SIDE, 10.0, WADI_EDGE_CLOSED, basin, NULL);
    s.params.rain = 120.0;
    s.params.rain_duration = 2.0;
    surge_run(&s, 12.0);
    const double least = level_of(0.24, s.params.film);
    const double most = level_of(0.24, 0.0);
    const double level = surge_level(&s, SIDE / 2, SIDE / 2);
    print_message("level of the basin %.4f m, expected %.4f to %.4f m\n", level, least, most);
    assert_true(level > least - 0.002 && level < most + 0.002);
    for (int32_t x = 16; x < SIDE - 16; ++x)
    {
        assert_true(fabs(surge_level(&s, x, 3) - level) < 0.001);
    }
    surge_close(&s);
}

static double slope(double x, double y, const void* shape)
{
    (void)y;
    (void)shape;
    return 100.0 - 0.02 * x;
}

static void open_slope(surge* s, int32_t height, wadi_edge edges)
{
    surge_open(s, SIDE, height, 10.0, edges, slope, NULL);
}

// When rain has come from the whole slope, each place passes on the rain above it: the kinematic
// wave, h = (n r x / S^(1/2))^(3/5).
static void rain_runs_down_a_slope_by_mannings_law(void** state)
{
    (void)state;
    surge s;
    open_slope(&s, 12, WADI_EDGE_CLOSED);
    wadi_terrain_ground(s.terrain)->edges[WADI_SIDE_EAST] = WADI_EDGE_OPEN;
    s.params.roughness = 0.1; // grass; with 0.035 the sheet outruns its waves, and is uneven
    s.params.rain = 90.0;
    s.params.rain_duration = 5.0;
    surge_run(&s, 3.0);
    for (int32_t x = 10; x < SIDE; x += 7)
    {
        const double flow = 90e-3 / 3600.0 * 10.0 * (x + 1);
        const double expected = pow(s.params.roughness * flow / sqrt(0.02), 0.6);
        const double depth = surge_depth(&s, x, 6);
        print_message("%3d m: depth %.4f m, Manning %.4f m\n", 10 * x + 5, depth, expected);
        assert_true(fabs(depth / expected - 1.0) < 0.03);
    }
    surge_close(&s);
}

// ---- floods without water -----------------------------------------------------------------------

static void check_dry(surge* s)
{
    const uint64_t before = wadi_terrain_hash(s->terrain);
    CHECK_OK(s->f.context, wadi_solver_fit(s->solver, 0.1 * hour));
    CHECK_FAILS(s->f.context, WADI_ERROR_STATE, "nothing brings water to the flood",
                wadi_solver_advance(s->solver, 0.1 * hour));
    assert_true(wadi_terrain_hash(s->terrain) == before);
}

static void a_flood_without_water_is_refused(void** state)
{
    (void)state;
    surge s;
    open_slope(&s, SIDE, WADI_EDGE_OPEN);
    surge_create(&s);
    check_dry(&s);
    surge_hydrograph(&s, (const double[]){0.0, 0.0, 1.0, 0.0}, 2);
    check_dry(&s);
    surge_fill(&s, 88.5); // a lake that runs out over the eastern side
    surge_run(&s, 1.0);
    assert_true(fixture_ledger_row(s.terrain, WADI_MATERIAL_WATER).out[WADI_SIDE_EAST] > 0.0);
    // its water may all have left: later calls go on
    CHECK_OK(s.f.context, wadi_terrain_set_layer(s.terrain, WADI_LAYER_WATER,
                                                 (const float[SIDE * SIDE]){0.0f}, SIDE));
    surge_run(&s, 0.1);
    surge_close(&s);
}

static void rain_that_never_falls_is_no_water(void** state)
{
    (void)state;
    surge s;
    open_slope(&s, SIDE, WADI_EDGE_OPEN);
    s.params.rain = 50.0;
    s.params.rain_duration = 0.0;
    surge_create(&s);
    check_dry(&s);
    const double inflow[] = {5.0, 5.0, 0.0, 3.0};
    CHECK_OK(s.f.context, wadi_solver_set_table(s.solver, "inflow", inflow, 1));
    surge_run(&s, 0.1);
    assert_true(fabs(fixture_figure(s.solver, "inflow") - 1080.0) < 10.0);
    surge_close(&s);
}

// A river stops while it rains, and comes back: the water goes on, and what the line owes enters.
static void discharge_changes_on_the_way(void** state)
{
    (void)state;
    surge s;
    open_slope(&s, SIDE, WADI_EDGE_CLOSED);
    s.params.discharge =
        0.0031; // less than a unit on all cells of the line in a step: some is owed
    s.params.rain = 20.0;
    s.params.rain_duration = 0.3;
    surge_run(&s, 0.1);
    const double first = fixture_figure(s.solver, "inflow");
    s.params.discharge = 0.0;
    CHECK_OK(s.f.context, wadi_solver_change(s.solver, &s.params));
    surge_run(&s, 0.1);
    const double each = floor(20e-3 * 0.3 * WADI_UNITS_PER_METRE) / WADI_UNITS_PER_METRE;
    const double fallen = each * SIDE * SIDE * 100.0;
    s.params.discharge = 5.0;
    CHECK_OK(s.f.context, wadi_solver_change(s.solver, &s.params));
    surge_run(&s, 0.2);
    const double all = fixture_figure(s.solver, "inflow");
    print_message("%.2f m3 in 0.1 h, %.2f m3 in all\n", first, all);
    assert_true(fabs(all - fallen - (0.1 * 0.0031 + 0.2 * 5.0) * 3600.0) < 10.0);
    surge_close(&s);
}

static void a_steady_flood_needs_a_discharge(void** state)
{
    (void)state;
    surge s;
    open_slope(&s, SIDE, WADI_EDGE_OPEN);
    s.params = wadi_flood_params_default();
    s.params.discharge = 0.0;
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "discharge of a steady flood is 0",
                wadi_solver_create(s.terrain, &wadi_flood_process, &s.params, 0, &s.solver));
    float heights[SIDE * SIDE];
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        heights[i] = (float)slope((i % SIDE + 0.5) * 10.0, 0.0, NULL);
    }
    const wadi_field2d field = {heights, SIDE, SIDE, SIDE, 10.0, 10.0, NULL, {0}};
    wadi_flood* flood;
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "discharge of a steady flood is 0",
                wadi_flood_create(s.f.context, &field, &s.params, &flood));
    assert_null(flood);
    surge_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rain_that_fell_stands_or_left),
        cmocka_unit_test(calls_and_threads_change_no_bit),
        cmocka_unit_test(a_closed_basin_fills_to_its_level),
        cmocka_unit_test(rain_runs_down_a_slope_by_mannings_law),
        cmocka_unit_test(a_flood_without_water_is_refused),
        cmocka_unit_test(rain_that_never_falls_is_no_water),
        cmocka_unit_test(discharge_changes_on_the_way),
        cmocka_unit_test(a_steady_flood_needs_a_discharge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
