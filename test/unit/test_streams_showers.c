// SPDX-License-Identifier: MIT
// Orographic rain of the model "streams": the linear solution over waves of land, windward and lee
// of a ridge under any wind, the total, and state.
#include "support/fixture.h"

#include <stdlib.h>

#define PI 3.14159265358979323846

enum
{
    SIDE = 128 // cells of 100 m
};

typedef float map[SIDE * SIDE];

static wadi_terrain* land(fixture* f, const float* heights, wadi_edge edge)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = def.height = SIDE;
    def.cell_size = 100.0;
    def.edges[0] = def.edges[1] = def.edges[2] = def.edges[3] = edge;
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, heights, SIDE));
    return terrain;
}

static wadi_hydraulic_params params_of(double azimuth)
{
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.model = WADI_HYDRAULIC_STREAMS;
    params.rain = 1.5;
    params.max_step = 100.0;
    params.orographic = 20.0;
    params.rain_wind = azimuth;
    params.rain_reach = 1500.0;
    params.erodibility = 0.0;
    params.creep = 0.0;
    return params;
}

static void rain_over(wadi_terrain* terrain, const wadi_hydraulic_params* params, float* rain)
{
    wadi_context* context = wadi_terrain_context(terrain);
    wadi_solver* solver = NULL;
    CHECK_OK(context, wadi_solver_create(terrain, &wadi_hydraulic_process, params, 0, &solver));
    fixture_advance(solver, 100.0);
    CHECK_OK(context, wadi_solver_map(solver, "rainfall", rain));
    wadi_solver_destroy(solver);
}

static double mean_of(const float* values)
{
    double sum = 0.0;
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        sum += (double)values[i];
    }
    return sum / (SIDE * SIDE);
}

// Over waves of land the model is linear: with k the wave number along the wind, the rain is
// 1 + E A k cos(wave - 2 atan(k r)) / (1 + k2 r2).
static void waves_of_land_have_the_linear_rain(void** state)
{
    (void)state;
    static const double azimuths[] = {270.0, 90.0, 180.0, 17.0, 203.0, 315.0};
    static map heights;
    static map rain;
    for (size_t w = 0; w < sizeof azimuths / sizeof azimuths[0]; ++w)
    {
        const double to_east = -sin(azimuths[w] * PI / 180.0);
        const double to_south = cos(azimuths[w] * PI / 180.0);
        const double kx = 2.0 * PI * 2.0 / (SIDE * 100.0);
        const double ky = 2.0 * PI / (SIDE * 100.0);
        for (int32_t i = 0; i < SIDE * SIDE; ++i)
        {
            heights[i] = (float)(500.0 + 40.0 * sin(100.0 * (kx * (i % SIDE) + ky * (i / SIDE))));
        }
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = land(&f, heights, WADI_EDGE_PERIODIC);
        wadi_hydraulic_params params = params_of(azimuths[w]);
        params.rain_wind_spread = 0.0;
        rain_over(terrain, &params, rain);
        assert_true(fabs(mean_of(rain) / 1.5 - 1.0) < 1e-5);
        const double k = kx * to_east + ky * to_south;
        const double size = 20.0 * 40.0 * k / (1.0 + k * k * 1500.0 * 1500.0);
        const double late = 2.0 * atan(k * 1500.0);
        double error = 0.0;
        for (int32_t i = 0; i < SIDE * SIDE; ++i)
        {
            const double wave = 100.0 * (kx * (i % SIDE) + ky * (i / SIDE));
            const double expected = 1.0 + size * cos(wave - late);
            error = fmax(error, fabs((double)rain[i] / 1.5 - expected));
        }
        assert_true(fabs(size) > 0.05);
        assert_true(error < 0.01);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

// A ridge across the wind gets more rain windward than lee, and the total stays, whatever the wind.
static void ridges_have_a_windward_side(void** state)
{
    (void)state;
    static const double azimuths[] = {0.0, 17.0, 45.0, 90.0, 131.0, 203.0, 270.0, 344.0};
    static map heights;
    static map rain;
    for (size_t w = 0; w < sizeof azimuths / sizeof azimuths[0]; ++w)
    {
        const double east = sin(azimuths[w] * PI / 180.0); // towards the wind
        const double north = cos(azimuths[w] * PI / 180.0);
        for (int32_t i = 0; i < SIDE * SIDE; ++i)
        {
            const double against = east * (i % SIDE - 63.5) - north * (i / SIDE - 63.5);
            heights[i] = (float)(200.0 + 1200.0 * exp(-against * against / 200.0));
        }
        fixture f;
        fixture_open(&f, 2);
        wadi_terrain* terrain = land(&f, heights, WADI_EDGE_OPEN);
        wadi_hydraulic_params params = params_of(azimuths[w]);
        params.rain_reach = 300.0;
        rain_over(terrain, &params, rain);
        assert_true(fabs(mean_of(rain) / 1.5 - 1.0) < 1e-5);
        double windward = 0.0;
        double lee = 0.0;
        for (int32_t i = 0; i < SIDE * SIDE; ++i)
        {
            const double against = east * (i % SIDE - 63.5) - north * (i / SIDE - 63.5);
            const double beside = north * (i % SIDE - 63.5) + east * (i / SIDE - 63.5);
            const bool middle = fabs(beside) < 30.0 && fabs(against) > 2.0 && fabs(against) < 25.0;
            assert_true(rain[i] >= 0.0f);
            windward += middle && against > 0.0 ? (double)rain[i] : 0.0;
            lee += middle && against < 0.0 ? (double)rain[i] : 0.0;
        }
        assert_true(windward > 3.0 * lee);
        wadi_terrain_destroy(terrain);
        fixture_close(&f);
    }
}

// With a rain map, a sea and cells without data, the total over land is that of the map; none falls
// beside it.
static void the_total_of_a_map_is_kept(void** state)
{
    (void)state;
    static map heights;
    static map given;
    static map rain;
    static uint8_t valid[SIDE * SIDE];
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        heights[i] = (float)(10 * (i % SIDE) - 200);
        given[i] = (float)(i / SIDE) / 40.0f;
        valid[i] = i % SIDE == 70 && i / SIDE % 9 < 4 ? 0 : 1;
    }
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = land(&f, heights, WADI_EDGE_OPEN);
    const double level = 0.0;
    CHECK_OK(f.context, wadi_terrain_set_sea_level(terrain, NULL, &level, 1));
    CHECK_OK(f.context, wadi_terrain_set_valid(terrain, valid, SIDE));
    const wadi_hydraulic_params params = params_of(250.0);
    wadi_solver* solver = NULL;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    CHECK_OK(f.context, wadi_solver_set_map(solver, "rain", given));
    fixture_advance(solver, 100.0);
    CHECK_OK(f.context, wadi_solver_map(solver, "rainfall", rain));
    double before = 0.0;
    double after = 0.0;
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const bool dry = valid[i] != 0 && i % SIDE > 20;
        before += dry ? (double)given[i] : 0.0;
        after += dry ? (double)rain[i] : 0.0;
        assert_true(valid[i] != 0 ? dry || rain[i] == 0.0f : isnan(rain[i]));
    }
    assert_true(fabs(after / before - 1.0) < 1e-4);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Rows of a slope begin with voids of unlike width, up to a kilometre. Behind them it rains alike
// in all rows: the heights of the land around take the place of those that are missing.
static void ragged_voids_draw_no_stripes(void** state)
{
    (void)state;
    static map heights;
    static map rain;
    static uint8_t valid[SIDE * SIDE];
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const int32_t x = i % SIDE;
        const int32_t y = i / SIDE;
        heights[i] = (float)(12 * x + 3 * y);
        valid[i] = x >= y * 7 % 11 ? 1 : 0;
    }
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = land(&f, heights, WADI_EDGE_OPEN);
    CHECK_OK(f.context, wadi_terrain_set_valid(terrain, valid, SIDE));
    const wadi_hydraulic_params params = params_of(270.0);
    rain_over(terrain, &params, rain);
    double most = 0.0;
    for (int32_t y = 11; y < SIDE - 12; ++y)
    {
        const double here = (double)rain[y * SIDE + 16];
        most = fmax(most, fabs(here / (double)rain[(y + 1) * SIDE + 16] - 1.0));
    }
    print_message("rows differ by %.3f\n", most);
    assert_true(most < 0.05);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Air that comes in over ground without data has no step to climb where the data begin.
static void the_border_of_the_data_is_no_cliff(void** state)
{
    (void)state;
    static map heights;
    static map rain;
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        heights[i] = i % SIDE < 30 ? NAN : i % SIDE < 120 ? 500.0f : 0.0f;
    }
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = land(&f, heights, WADI_EDGE_OPEN);
    const wadi_hydraulic_params params = params_of(262.0);
    rain_over(terrain, &params, rain);
    for (int32_t x = 31; x < 110; ++x)
    {
        const float first = rain[64 * SIDE + 30];
        assert_true(fabs((double)(rain[64 * SIDE + x] / first) - 1.0) < 1e-4);
    }
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static wadi_solver* rough_solver(fixture* f)
{
    wadi_terrain* terrain = fixture_rough(f, 60, 50, 5);
    wadi_hydraulic_params params = params_of(203.0);
    params.erodibility = 1e-4;
    params.creep = 0.01;
    params.rain_reach = 100.0;
    wadi_solver* solver = NULL;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    return solver;
}

// The rain of a step follows from the ground at its start, so calls and threads do not matter.
static void any_calls_and_threads_give_one_land(void** state)
{
    (void)state;
    fixture_check_cuts(rough_solver, 2100.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves_of_land_have_the_linear_rain),
        cmocka_unit_test(ridges_have_a_windward_side),
        cmocka_unit_test(the_total_of_a_map_is_kept),
        cmocka_unit_test(ragged_voids_draw_no_stripes),
        cmocka_unit_test(the_border_of_the_data_is_no_cliff),
        cmocka_unit_test(any_calls_and_threads_give_one_land),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
