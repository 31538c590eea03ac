// SPDX-License-Identifier: MIT
// The finer window: ripples of the right length, side and place, sharp crests, tongues downwind of
// plants, and an unchanged terrain.
#include "support/fixture.h"

#include "terrain/ground.h"

#include <stdlib.h>

enum
{
    SIZE = 64
};

static wadi_terrain* land(fixture* f)
{
    wadi_terrain* terrain = fixture_plain(f, SIZE, SIZE, 1.0, WADI_EDGE_OPEN);
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 2.0));
    return terrain;
}

// A window of 6 m in the middle: 480 x 480 cells.
static wadi_amplify_params window(double direction)
{
    wadi_amplify_params params = wadi_amplify_params_default();
    params.x = 29.0;
    params.y = 29.0;
    params.width = 6.0;
    params.height = 6.0;
    params.cell = 0.0125;
    params.direction = direction;
    return params;
}

static float* amplified(fixture* f, wadi_terrain* terrain, const wadi_amplify_params* params,
                        int32_t* columns, int32_t* rows)
{
    CHECK_OK(f->context, wadi_amplify_size(terrain, params, columns, rows));
    float* heights = malloc((size_t)*columns * (size_t)*rows * sizeof *heights);
    assert_non_null(heights);
    CHECK_OK(f->context, wadi_amplify(terrain, params, heights));
    return heights;
}

typedef struct ripple_numbers
{
    double waves;  // upward crossings of the mean per metre along the wind
    double along;  // mean squared slope along the wind
    double across; // and across it
    double rising; // share of the downwind distance on which the ground rises
} ripple_numbers;

static ripple_numbers measure(const float* h, int32_t columns, int32_t rows, double direction)
{
    const double angle = direction * 3.14159265358979323846 / 180.0;
    const double ex = -sin(angle);
    const double ey = cos(angle); // rows run southwards
    ripple_numbers out = {0};
    int64_t count = 0;
    for (int32_t y = 1; y < rows - 1; ++y)
    {
        for (int32_t x = 1; x < columns - 1; ++x, ++count)
        {
            const int64_t i = (int64_t)y * columns + x;
            const double gx = 0.5 * (double)(h[i + 1] - h[i - 1]);
            const double gy = 0.5 * (double)(h[i + columns] - h[i - columns]);
            const double along = gx * ex + gy * ey;
            const double across = gx * ey - gy * ex;
            out.along += along * along;
            out.across += across * across;
            out.rising += along > 0.0 ? 1.0 : 0.0;
        }
    }
    out.rising /= (double)count;
    for (int32_t s = 0; s < 100; ++s)
    {
        const double x0 = columns / 2.0 - 200.0 * ex + (s - 50) * 1.3 * ey;
        const double y0 = rows / 2.0 - 200.0 * ey - (s - 50) * 1.3 * ex;
        for (int32_t k = 0; k < 400; ++k)
        {
            const int64_t a = (int64_t)(y0 + k * ey) * columns + (int64_t)(x0 + k * ex);
            const int64_t b = (int64_t)(y0 + (k + 1) * ey) * columns + (int64_t)(x0 + (k + 1) * ex);
            out.waves += h[a] < 2.0f && h[b] >= 2.0f ? 1.0 / (100.0 * 400.0 * 0.00625) : 0.0;
        }
    }
    return out;
}

// On flat sand: ten ripples a metre, crests across the wind, height 1/15 of the length, at any
// azimuth; asymmetric under one wind and symmetric under many.
static void ripples_lie_across_the_wind(void** state)
{
    (void)state;
    static const double directions[] = {270.0, 307.0, 90.0};
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = land(&f);
    for (int i = 0; i < 6; ++i)
    {
        wadi_amplify_params params = window(directions[i / 2]);
        params.width = params.height = 3.0;
        params.cell = 0.00625;
        params.steadiness = i % 2 == 0 ? 1.0 : 0.0;
        int32_t columns;
        int32_t rows;
        float* h = amplified(&f, terrain, &params, &columns, &rows);
        assert_int_equal(columns, 480);
        assert_int_equal(rows, 480);
        const ripple_numbers n = measure(h, columns, rows, params.direction);
        CHECK_NEAR(n.waves, 10.0, 1.5);
        assert_true(n.along > 8.0 * n.across);
        // differences over two of a wave's sixteen cells make the short side one cell longer
        CHECK_NEAR(n.rising, i % 2 == 0 ? 0.75 : 0.5, 1.0 / 16.0 + 0.01);
        float low = 10.0f;
        float high = -10.0f;
        for (int64_t k = 0; k < (int64_t)columns * rows; ++k)
        {
            low = h[k] < low ? h[k] : low;
            high = h[k] > high ? h[k] : high;
        }
        CHECK_NEAR((double)(high - low), 0.1 / 15.0, 0.0005);
        free(h);
    }
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static double roughness(const float* h, int32_t columns, int32_t x0, int32_t x1, int32_t rows)
{
    double sum = 0.0;
    for (int32_t y = 0; y < rows; ++y)
    {
        for (int32_t x = x0; x + 1 < x1; ++x)
        {
            const int64_t i = (int64_t)y * columns + x;
            sum += fabs((double)(h[i + 1] - h[i]));
        }
    }
    return sum / ((double)rows * (x1 - x0 - 1));
}

// No ripples on bare rock, among plants, or in the lee of a wall.
static void ripples_need_sand_and_wind(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = land(&f);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    const wadi_amplify_params params = window(270.0);
    for (int part = 0; part < 3; ++part)
    {
        for (int64_t cell = 0; cell < ground->cells; ++cell)
        {
            const bool west = cell % SIZE < SIZE / 2;
            ground->loose[0][cell] = part == 0 && west ? 0 : 2 * WADI_UNITS_PER_METRE;
            ground->bedrock[cell] = part == 0 && west ? 2 * WADI_UNITS_PER_METRE : 0;
            ground->vegetation[cell] = part == 1 && west ? 65535 : 0;
            ground->bedrock[cell] +=
                part == 2 && cell % SIZE == 24 ? 2 * WADI_UNITS_PER_METRE : 0; // shelters to 35
        }
        wadi_amplify_params bare = params;
        bare.obstacle_height = 0.0;
        bare.sharpen = 0.0;
        int32_t columns;
        int32_t rows;
        float* h = amplified(&f, terrain, &bare, &columns, &rows);
        const double west = roughness(h, columns, 0, columns / 3, rows);
        const double east = roughness(h, columns, 2 * columns / 3, columns, rows);
        assert_true(west < 0.02 * 0.1 / 15.0);
        assert_true(part == 2 || east > 0.05 * 0.1 / 15.0);
        free(h);
    }
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// A ridge with slopes of 0.3 that the grid has rounded is sharp to 2 cm afterwards.
static void crests_get_their_edge(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = land(&f);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        // the edge at 32 m lies between columns 31 and 32, whose centres are half a metre away
        const double way = fabs((double)(cell % SIZE) + 0.5 - 32.0);
        ground->loose[0][cell] = (int32_t)((20.0 - 0.3 * way) * WADI_UNITS_PER_METRE);
    }
    double top[2];
    for (int i = 0; i < 2; ++i)
    {
        wadi_amplify_params params = window(270.0);
        params.wavelength = 0.0;
        params.sharpen = i;
        int32_t columns;
        int32_t rows;
        float* h = amplified(&f, terrain, &params, &columns, &rows);
        top[i] = (double)h[240 * columns + 240];
        free(h);
    }
    assert_true(top[0] < 19.9);
    CHECK_NEAR(top[1], 20.0, 0.02);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Plants gather sand in their lee: its centre lies downwind of the steepest place.
static void tongues_point_downwind(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = land(&f);
    wadi_amplify_params params = window(270.0);
    params.wavelength = 0.0;
    params.stones = 0.3;
    int32_t columns;
    int32_t rows;
    float* h = amplified(&f, terrain, &params, &columns, &rows);
    double up = 0.0;
    double down = 0.0;
    double most = 0.0;
    for (int32_t y = 0; y < rows; ++y)
    {
        for (int32_t x = 0; x + 1 < columns; ++x)
        {
            const double step =
                (double)(h[(int64_t)y * columns + x + 1] - h[(int64_t)y * columns + x]);
            up += step > 1e-6 ? 1.0 : 0.0;
            down += step < -1e-6 ? 1.0 : 0.0;
            most = fmax(most, (double)h[(int64_t)y * columns + x] - 2.0);
        }
    }
    assert_true(down > 2.5 * up); // 4 : 1 for a single tongue; they overlap
    assert_true(most > 0.05 && most <= params.obstacle_height + 1e-6);
    free(h);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// The heights do not depend on the origin of the window or the number of threads; the terrain is
// unchanged.
static void a_window_is_a_view(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    fixture g;
    fixture_open(&g, 3);
    wadi_terrain* a = land(&f);
    wadi_terrain* b = land(&g);
    const uint64_t before = wadi_terrain_hash(a);
    wadi_amplify_params params = window(307.0);
    params.stones = 0.3;
    int32_t columns;
    int32_t rows;
    float* ha = amplified(&f, a, &params, &columns, &rows);
    float* hb = amplified(&g, b, &params, &columns, &rows);
    assert_memory_equal(ha, hb, (size_t)columns * (size_t)rows * sizeof *ha);
    assert_true(wadi_terrain_hash(a) == before);
    free(ha);
    free(hb);
    wadi_terrain_destroy(a);
    wadi_terrain_destroy(b);
    fixture_close(&f);
    fixture_close(&g);
}

static void invalid_windows_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = land(&f);
    int32_t columns;
    int32_t rows;
    wadi_amplify_params params = window(270.0);
    params.cell = 0.013;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "give at most 0.0125 m",
                wadi_amplify_size(terrain, &params, &columns, &rows));
    params = window(270.0);
    params.speed = 5.0; // ripples half as long
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "give at most 0.00625 m",
                wadi_amplify_size(terrain, &params, &columns, &rows));
    params = window(270.0);
    params.x = 60.0;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "reaches beyond the terrain of 64 x 64 m",
                wadi_amplify_size(terrain, &params, &columns, &rows));
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// With a history of winds, ripples are normal to the winds that moved the sand; their asymmetry
// follows the net drift.
static void a_history_stands_for_its_winds(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    static const double one[] = {307.0, 9.0, 0.5, 0.0, 0.0, 0.5};
    static const double opposed[] = {90.0, 10.0, 0.3, 270.0, 10.0, 0.3, 10.0, 5.0, 0.4};
    static const double obtuse[] = {210.0, 10.0, 0.5, 330.0, 10.0, 0.5};
    static const double uneven[] = {0.0, 270.0, 8.0, 2.0, 270.0, 8.0, 1.0, 90.0, 8.0};
    const struct
    {
        const char* table;
        const double* rows;
        int32_t count;
        double direction, speed, steadiness;
    } cases[] = {
        {"rose", one, 2, 307.0, 9.0, 1.0},
        {"rose", opposed, 3, 270.0, 10.0, 0.0},
        {"rose", obtuse, 2, 180.0, 10.0, 0.0}, // most sand goes north and south, as much each way
        {"series", uneven, 3, 270.0, 8.0, 1.0 / 3.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        wadi_amplify_params p = wadi_amplify_params_default();
        CHECK_OK(f.context, wadi_amplify_set_winds(f.context, cases[i].table, cases[i].rows,
                                                   cases[i].count, 0.0, &p));
        CHECK_NEAR(
            fmod(p.direction - cases[i].direction + 720.0, p.steadiness > 1e-6 ? 360.0 : 180.0),
            0.0, 1e-9);
        CHECK_NEAR(p.speed, cases[i].speed, 1e-9);
        CHECK_NEAR(p.steadiness, cases[i].steadiness, 1e-9);
    }
    fixture_close(&f);
}

static void a_schedule_is_read_in_its_year(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    static const double schedule[] = {0.0, 200.0, 8.0, 1.0, 10.0, 45.0, 12.0, 1.0};
    for (int i = 0; i < 2; ++i)
    {
        wadi_amplify_params p = wadi_amplify_params_default();
        CHECK_OK(f.context, wadi_amplify_set_winds(f.context, "schedule", schedule, 2,
                                                   i == 0 ? 9.9 : 10.0, &p));
        CHECK_NEAR(p.direction, i == 0 ? 200.0 : 45.0, 1e-9);
    }
    static const double gentle[] = {270.0, 5.0, 1.0};
    wadi_amplify_params p = wadi_amplify_params_default();
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "no wind of the rose moves sand",
                wadi_amplify_set_winds(f.context, "rose", gentle, 1, 0.0, &p));
    CHECK_FAILS(f.context, WADI_ERROR_UNKNOWN, "rose, series or schedule",
                wadi_amplify_set_winds(f.context, "gusts", gentle, 1, 0.0, &p));
    p.direction = 200.0;
    CHECK_FAILS(f.context, WADI_ERROR_STATE, "the parameter direction both",
                wadi_amplify_set_winds(f.context, "rose", gentle, 1, 0.0, &p));
    assert_null(wadi_amplify_table(wadi_amplify_table_count()));
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ripples_lie_across_the_wind),
        cmocka_unit_test(a_history_stands_for_its_winds),
        cmocka_unit_test(a_schedule_is_read_in_its_year),
        cmocka_unit_test(ripples_need_sand_and_wind),
        cmocka_unit_test(crests_get_their_edge),
        cmocka_unit_test(tongues_point_downwind),
        cmocka_unit_test(a_window_is_a_view),
        cmocka_unit_test(invalid_windows_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
