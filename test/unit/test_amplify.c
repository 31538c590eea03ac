// SPDX-License-Identifier: MIT
// The finer window: ripples of the right length, side and place, sharp crests, tongues downwind of
// plants, and an unchanged terrain. Over a hill: length and direction of the local wind.
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

// Few plants let a strong wind through; ripples are lower by the share of the ground that they
// take.
static void few_plants_lower_ripples(void** state)
{
    (void)state;
    const double cover = 0.2;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = land(&f);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        ground->loose[0][cell] = 2 * WADI_UNITS_PER_METRE;
        ground->vegetation[cell] = cell % SIZE < SIZE / 2 ? (uint16_t)(65535.0 * cover) : 0;
    }
    wadi_amplify_params strong = window(270.0);
    strong.speed = 25.0;
    strong.obstacle_height = 0.0;
    int32_t columns;
    int32_t rows;
    float* h = amplified(&f, terrain, &strong, &columns, &rows);
    const double share = roughness(h, columns, 0, columns / 3, rows) /
                         roughness(h, columns, 2 * columns / 3, columns, rows);
    print_message("under plants on %.2f of the ground ripples have %.3f of the height\n", cover,
                  share);
    CHECK_NEAR(share, 1.0 - cover, 0.08);
    free(h);
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

// ---- over relief -------------------------------------------------------------------------------

// A round hill of 5 m in the middle of the sand.
static wadi_terrain* hill(fixture* f)
{
    wadi_terrain* terrain = land(f);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        const double x = (double)(cell % SIZE) + 0.5 - 32.0;
        const double y = (double)(cell / SIZE) + 0.5 - 32.0;
        const double up = 5.0 * exp(-(x * x + y * y) / (2.0 * 10.0 * 10.0));
        ground->loose[0][cell] = (int32_t)((2.0 + up) * WADI_UNITS_PER_METRE);
    }
    return terrain;
}

// Ripples alone: with them less without.
static float* ripples(fixture* f, wadi_terrain* terrain, wadi_amplify_params params,
                      int32_t* columns, int32_t* rows)
{
    float* h = amplified(f, terrain, &params, columns, rows);
    params.wavelength = 0.0;
    float* smooth = amplified(f, terrain, &params, columns, rows);
    for (int64_t i = 0; i < (int64_t)*columns * *rows; ++i)
    {
        h[i] -= smooth[i];
    }
    free(smooth);
    return h;
}

// Mean local wind in a window of 6 m: east and north, and the inverse of the friction velocity.
typedef struct local_wind
{
    double east;
    double north;
    double inverse;
} local_wind;

static local_wind wind_in(fixture* f, wadi_terrain* terrain, const wadi_amplify_params* params)
{
    static float east[SIZE * SIZE];
    static float north[SIZE * SIZE];
    CHECK_OK(f->context, wadi_amplify_wind(terrain, params, east, north));
    local_wind w = {0};
    for (int32_t y = 0; y < 6; ++y)
    {
        for (int32_t x = 0; x < 6; ++x)
        {
            const int64_t cell =
                (int64_t)(SIZE - 1 - ((int32_t)params->y + y)) * SIZE + (int32_t)params->x + x;
            w.east += (double)east[cell] / 36.0;
            w.north += (double)north[cell] / 36.0;
            w.inverse += 1.0 / (36.0 * hypot((double)east[cell], (double)north[cell]));
        }
    }
    return w;
}

// Ripples at five places of a hill: the turn of their crests and the length of their waves against
// the local wind, at four azimuths.
static void ripples_follow_the_wind_over_a_hill(void** state)
{
    (void)state;
    static const double azimuths[] = {0.0, 17.0, 37.0, 203.0};
    static const double places[][2] = {{29.0, 29.0}, {41.0, 29.0}, {17.0, 29.0}, {29.0, 40.0}};
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = hill(&f);
    double turned = 0.0;
    double shortest = 1e9;
    double longest = 0.0;
    for (int32_t i = 0; i < 16; ++i)
    {
        wadi_amplify_params params = window(azimuths[i / 4]);
        params.x = places[i % 4][0];
        params.y = places[i % 4][1];
        int32_t columns;
        int32_t rows;
        float* h = ripples(&f, terrain, params, &columns, &rows);
        const local_wind w = wind_in(&f, terrain, &params);
        const double towards = atan2(w.east, w.north) * 180.0 / 3.14159265358979323846;
        double xx = 0.0;
        double yy = 0.0;
        double xy = 0.0;
        for (int32_t y = 1; y < rows - 1; ++y)
        {
            for (int32_t x = 1; x < columns - 1; ++x)
            {
                const int64_t k = (int64_t)y * columns + x;
                const double gx = (double)(h[k + 1] - h[k - 1]);
                const double gy = (double)(h[k - columns] - h[k + columns]); // northwards
                xx += gx * gx;
                yy += gy * gy;
                xy += gx * gy;
            }
        }
        const double normal = 0.5 * atan2(2.0 * xy, yy - xx) * 180.0 / 3.14159265358979323846;
        const double off = remainder(normal - towards, 180.0);
        const double lee = remainder(towards - azimuths[i / 4] - 180.0, 360.0);
        for (int64_t k = 0; k < (int64_t)columns * rows; ++k)
        {
            h[k] += 2.0f; // `measure` counts crossings of 2 m
        }
        // its samples are 1.25 cm apart, twice those that it was written for
        const double waves = 0.5 * measure(h, columns, rows, towards + 180.0).waves;
        CHECK_NEAR(off, 0.0, 5.0);
        CHECK_NEAR(waves / (10.0 * w.inverse), 1.0, 0.12);
        turned = fmax(turned, fabs(lee));
        shortest = fmin(shortest, 1.0 / waves);
        longest = fmax(longest, 1.0 / waves);
        free(h);
    }
    assert_true(turned > 8.0);              // crests bend around the hill
    assert_true(longest > 1.35 * shortest); // and lengthen with the stress on it
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// A dune with a slip face of 32 degrees: ripples on its windward side, none on the face; a brink
// that the grid has rounded has its edge at any azimuth of the dune.
static void slip_faces_are_smooth_below_a_sharp_brink(void** state)
{
    (void)state;
    static const double azimuths[] = {270.0, 287.0, 23.0};
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = land(&f);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    for (int i = 0; i < 3; ++i)
    {
        const double angle = azimuths[i] * 3.14159265358979323846 / 180.0;
        const double ex = -sin(angle);
        const double ey = cos(angle); // rows run southwards
        for (int64_t cell = 0; cell < ground->cells; ++cell)
        {
            double sum = 0.0; // the mean over the cell
            for (int k = 0; k < 64; ++k)
            {
                const double x = (double)(cell % SIZE) + (k % 8 + 0.5) / 8.0 - 32.0;
                const double y = (double)(cell / SIZE) + (k / 8 + 0.5) / 8.0 - 32.0; // NOLINT
                const double way = x * ex + y * ey;
                sum += way < 0.0 ? fmax(6.0 + 0.15 * way, 1.0) : fmax(6.0 - 0.62 * way, 1.0);
            }
            ground->loose[0][cell] = (int32_t)(sum / 64.0 * WADI_UNITS_PER_METRE);
        }
        wadi_amplify_params params = window(azimuths[i]);
        params.x = params.y = 26.0;
        params.width = params.height = 12.0;
        int32_t columns;
        int32_t rows;
        float* h = ripples(&f, terrain, params, &columns, &rows);
        double face = 0.0;
        double windward = 0.0;
        for (int64_t k = 0; k < (int64_t)columns * rows; ++k)
        {
            const double x = ((double)(k % columns) + 0.5) * params.cell - 6.0;
            const double y = ((double)(k / columns) + 0.5) * params.cell - 6.0; // NOLINT
            const double way = x * ex + y * ey;
            face = way > 1.0 && way < 5.0 ? fmax(face, fabs((double)h[k])) : face;
            windward = way < -2.0 ? fmax(windward, fabs((double)h[k])) : windward;
        }
        assert_true(windward > 0.5 * 0.1 / 15.0);
        assert_true(face == 0.0);
        free(h);
        double low[2];
        for (int s = 0; s < 2; ++s)
        {
            params.wavelength = 0.0;
            params.sharpen = s;
            h = amplified(&f, terrain, &params, &columns, &rows);
            low[s] = 0.0;
            for (int k = -200; k <= 200; ++k)
            {
                const int64_t column = (int64_t)floor(columns / 2.0 - k * ey);
                const int64_t row = (int64_t)floor(rows / 2.0 + k * ex);
                low[s] += (6.0 - (double)h[row * columns + column]) / 401.0;
            }
            free(h);
        }
        assert_true(low[0] > 0.07); // 7 cm and more are missing at the brink
        assert_true(fabs(low[1]) < 0.1 * low[0]);
    }
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Four windows of a field are the bits of the whole one, on cells that do not fit the terrain's,
// with plants and at any number of threads; the ripples of a periodic field join over its edge.
static void windows_join_without_a_seam(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    fixture g;
    fixture_open(&g, 3);
    wadi_terrain* a = hill(&f);
    wadi_terrain* b = hill(&g);
    CHECK_OK(f.context, wadi_terrain_fill_layer(a, WADI_LAYER_VEGETATION, 0.1));
    CHECK_OK(g.context, wadi_terrain_fill_layer(b, WADI_LAYER_VEGETATION, 0.1));
    wadi_amplify_params params = window(203.0);
    params.wavelength = 1.6;
    params.cell = 0.17;
    params.x = params.y = params.width = params.height = 0.0;
    int32_t columns;
    int32_t rows;
    float* whole = amplified(&f, a, &params, &columns, &rows);
    assert_int_equal(columns, 376);
    for (int32_t k = 0; k < 4; ++k)
    {
        const int32_t west = k % 2 == 0 ? 0 : 131;
        const int32_t south = k / 2 == 0 ? 0 : 77;
        wadi_amplify_params part = params;
        part.x = west * params.cell;
        part.y = south * params.cell;
        part.width = (k % 2 == 0 ? 131 : columns - 131) * params.cell;
        part.height = (k / 2 == 0 ? 77 : rows - 77) * params.cell;
        int32_t wide;
        int32_t high;
        float* h = amplified(&g, b, &part, &wide, &high);
        for (int32_t y = 0; y < high; ++y)
        {
            const float* from = whole + (int64_t)(rows - south - high + y) * columns + west;
            assert_memory_equal(h + (int64_t)y * wide, from, (size_t)wide * sizeof *h);
        }
        free(h);
    }
    free(whole);
    wadi_terrain_destroy(a);
    wadi_terrain_destroy(b);
    fixture_close(&f);
    fixture_close(&g);
}

// Ripples move sand and make none: their mean is 0 over the field, and nearly so over each cell of
// the terrain. A displacement is the height over the bilinear surface of the cells.
static void ripples_keep_the_sand(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = hill(&f);
    wadi_amplify_params params = window(307.0);
    params.width = params.height = 12.0;
    int32_t columns;
    int32_t rows;
    float* h = ripples(&f, terrain, params, &columns, &rows);
    double mean = 0.0;
    double square = 0.0;
    for (int32_t cell = 0; cell < 144; ++cell)
    {
        double sum = 0.0;
        for (int32_t k = 0; k < 6400; ++k)
        {
            const int32_t x = cell % 12 * 80 + k % 80;
            const int32_t y = cell / 12 * 80 + k / 80;
            sum += (double)h[(int64_t)y * columns + x] / 6400.0;
        }
        mean += sum / 144.0;
        square += sum * sum / 144.0;
    }
    const double height = 0.1 / 15.0;
    assert_true(fabs(mean) < 0.002 * height);
    assert_true(sqrt(square) < 0.03 * height);
    free(h);
    h = amplified(&f, terrain, &params, &columns, &rows);
    params.displacement = true;
    float* d = amplified(&f, terrain, &params, &columns, &rows);
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    const int64_t middle = (int64_t)(SIZE / 2) * SIZE + SIZE / 2; // the cell at (32.5, 31.5) m
    const double stored = (double)wadi_ground_surface(ground, middle) / WADI_UNITS_PER_METRE;
    const int64_t at =
        (int64_t)(rows - (int32_t)(2.5 / 0.0125)) * columns + (int32_t)(3.5 / 0.0125);
    CHECK_NEAR((double)h[at] - (double)d[at], stored, 0.002);
    assert_true(fabs((double)d[at]) < 0.02);
    free(h);
    free(d);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ripples_lie_across_the_wind),
        cmocka_unit_test(a_history_stands_for_its_winds),
        cmocka_unit_test(a_schedule_is_read_in_its_year),
        cmocka_unit_test(ripples_need_sand_and_wind),
        cmocka_unit_test(few_plants_lower_ripples),
        cmocka_unit_test(crests_get_their_edge),
        cmocka_unit_test(tongues_point_downwind),
        cmocka_unit_test(a_window_is_a_view),
        cmocka_unit_test(ripples_follow_the_wind_over_a_hill),
        cmocka_unit_test(slip_faces_are_smooth_below_a_sharp_brink),
        cmocka_unit_test(windows_join_without_a_seam),
        cmocka_unit_test(ripples_keep_the_sand),
        cmocka_unit_test(invalid_windows_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
