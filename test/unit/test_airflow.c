// SPDX-License-Identifier: MIT
// Wind over relief: shelter, deflection and speed-up, compared with marching, Gaussians and
// symmetry.
#include "plain_airflow.h"
#include "support/fixture.h"

#include "core/random.h"
#include "laws/wind/airflow_internal.h"
#include "laws/wind/wind_heading.h"
#include "terrain/ground.h"

static const double degree = 3.14159265358979323846 / 180.0;

// The article's parameters with only the tested effects.
static const airflow_law plain = {.speedup = 0.0,
                                  .speedup_limit = 2.0,
                                  .warp = 0.0,
                                  .warp_wide = 200.0,
                                  .warp_narrow = 50.0,
                                  .warp_wide_share = 0.8,
                                  .warp_wide_turn = 30.0,
                                  .warp_narrow_turn = 5.0,
                                  .lee_begin = 10.0,
                                  .lee_full = 15.0,
                                  .plant_height = 1.0};

typedef float shape_fn(double x, double y); // [m] of cells from the middle of the grid

static wadi_terrain* land(fixture* f, int32_t width, int32_t height, double cell, wadi_edge edge)
{
    return fixture_plain(f, width, height, cell, edge);
}

static void build(wadi_terrain* terrain, shape_fn* shape, int32_t roll_x, int32_t roll_y)
{
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    for (int32_t y = 0; y < ground->height; ++y)
    {
        for (int32_t x = 0; x < ground->width; ++x)
        {
            const int32_t to_x = (x + roll_x) % ground->width;
            const int32_t to_y = (y + roll_y) % ground->height;
            const float metres = shape(x - 0.5 * ground->width, y - 0.5 * ground->height);
            ground->bedrock[(int64_t)to_y * ground->width + to_x] =
                (int32_t)lrint((double)metres * WADI_UNITS_PER_METRE);
        }
    }
}

static wadi_airflow* blow(fixture* f, wadi_terrain* terrain, const airflow_law* law,
                          double direction)
{
    wadi_airflow* flow = NULL;
    CHECK_OK(f->context, wadi_airflow_create(terrain, law, 7, &flow));
    wadi_airflow_survey(flow);
    wadi_airflow_blow(flow, &(airflow_wind){direction, 10.0, 0.0});
    return flow;
}

// ---- shapes ------------------------------------------------------------------------------------

static float cylinder(double x, double y)
{
    return x * x + y * y <= 20.0 * 20.0 ? 20.0f : 0.0f;
}

static float hills(double x, double y)
{
    return (float)(6.0 * sin(x * 0.09) * cos(y * 0.07) + 3.0 * sin(x * 0.21 + y * 0.17));
}

// One wave around a torus of 128 cells, so that it is periodic.
static float waves(double x, double y)
{
    const double k = 2.0 * 3.14159265358979323846 / 128.0;
    return (float)(8.0 * sin(3.0 * k * x) * cos(2.0 * k * y) + 3.0 * sin(k * (5.0 * x + 7.0 * y)));
}

// The same slopes on cells of 4 m.
static float steep_waves(double x, double y)
{
    return 4.0f * waves(x, y);
}

static float dome(double x, double y)
{
    return (float)(60.0 * exp(-(x * x + y * y) / (2.0 * 20.0 * 20.0)));
}

static float plane(double x, double y)
{
    return (float)(2.0 * x + 1.0 * y);
}

// ---- shelter -----------------------------------------------------------------------------------

static float shelter_at(const wadi_airflow* flow, const wadi_ground* ground, double x, double y)
{
    const int32_t column = (int32_t)floor(x + 0.5 + 0.5 * ground->width);
    const int32_t row = (int32_t)floor(y + 0.5 + 0.5 * ground->height);
    return wadi_airflow_view(flow).shelter[(int64_t)row * ground->width + column];
}

// Distance from the foot of the cylinder up to which shelter exceeds `share` [m].
static double lee_length(const wadi_airflow* flow, const wadi_ground* ground, wind_heading to,
                         float share)
{
    double last = 20.0;
    for (double r = 20.5; r < 150.0; r += 0.05)
    {
        const float shelter = shelter_at(flow, ground, r * (double)to.x, r * (double)to.y);
        last = shelter > share ? r : last;
    }
    return last - 20.0;
}

// Direction from the cylinder to the centre of its lee [degree].
static double lee_azimuth(const wadi_airflow* flow, const wadi_ground* ground)
{
    double sx = 0.0;
    double sy = 0.0;
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        const double share = (double)wadi_airflow_view(flow).shelter[i];
        sx += share * ((double)(i % ground->width) - 0.5 * ground->width);
        sy += share * ((double)(i / ground->width) - 0.5 * ground->height);
    }
    const double towards = atan2(sx, -sy) / degree;
    return towards < 0.0 ? towards + 360.0 : towards;
}

// Behind 20 m of height shelter is full up to 3.73 heights and ends after 5.67 (cotangents of 15
// and 10 degrees), straight downwind in any direction.
static void lees_are_as_long_as_they_should(void** state)
{
    (void)state;
    static const double angles[] = {0.0, 1.0, 10.0, 20.0, 37.0, 45.0, 80.0};
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = land(&f, 320, 320, 1.0, WADI_EDGE_PERIODIC);
    build(terrain, cylinder, 0, 0);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    for (size_t i = 0; i < 4 * sizeof angles / sizeof angles[0]; ++i)
    {
        const double from = angles[i / 4] + 90.0 * (double)(i % 4);
        wadi_airflow* flow = blow(&f, terrain, &plain, from);
        const wind_heading to = wadi_wind_heading(from);
        CHECK_NEAR(remainder(lee_azimuth(flow, ground) - from - 180.0, 360.0), 0.0, 2.0);
        CHECK_NEAR(lee_length(flow, ground, to, 0.999f), 74.6, 2.0);
        CHECK_NEAR(lee_length(flow, ground, to, 0.0f), 113.4, 2.0);
        wadi_airflow_destroy(flow);
    }
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Heights of the ground, to be freed with test_free().
static double* plain_levels(const wadi_ground* ground)
{
    double* level = test_malloc((size_t)ground->cells * sizeof *level);
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        level[cell] = (double)wadi_ground_surface(ground, cell) / WADI_UNITS_PER_METRE;
    }
    return level;
}

// The same law and ground for the plain version.
static plain_airflow plain_of(const wadi_airflow* flow, const double* level)
{
    const wadi_ground* ground = flow->ground;
    const airflow_law* law = &flow->law;
    return (plain_airflow){.width = ground->width,
                           .height = ground->height,
                           .cell = ground->cell_size,
                           .level = level,
                           .speedup = law->speedup,
                           .warp = law->warp,
                           .radius = {law->warp_wide, law->warp_narrow},
                           .turn = {law->warp_wide_turn, law->warp_narrow_turn},
                           .share = {law->warp_wide_share, 1.0 - law->warp_wide_share}};
}

// Mean difference between the shelter of the field and of marching along each cell's own wind.
static double marching_error(const wadi_airflow* flow, const wadi_ground* ground, double* mean)
{
    double error = 0.0;
    double sum = 0.0;
    double* level = plain_levels(ground);
    const plain_airflow air = plain_of(flow, level);
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        const airflow_view view = wadi_airflow_view(flow);
        const double speed = hypot((double)view.x[cell], (double)view.y[cell]);
        const double expected = plain_airflow_shelter(&air, cell, (double)view.x[cell] / speed,
                                                      (double)view.y[cell] / speed);
        error += fabs((double)view.shelter[cell] - expected);
        sum += expected;
    }
    test_free(level);
    *mean = sum / (double)ground->cells;
    return error / (double)ground->cells;
}

static void shelter_is_that_of_marching(void** state)
{
    (void)state;
    static const double from[] = {270.0, 307.0, 225.0, 10.0};
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = land(&f, 128, 128, 1.0, WADI_EDGE_PERIODIC);
    build(terrain, waves, 0, 0);
    for (size_t i = 0; i < sizeof from / sizeof from[0]; ++i)
    {
        wadi_airflow* flow = blow(&f, terrain, &plain, from[i]);
        double mean;
        const double error = marching_error(flow, wadi_terrain_ground(terrain), &mean);
        assert_true(mean > 0.15 && mean < 0.85);
        assert_true(error <= 0.02);
        wadi_airflow_destroy(flow);
    }
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static double turn_at(const wadi_airflow* flow, int64_t cell, double from)
{
    const wind_heading to = wadi_wind_heading(from);
    const airflow_view view = wadi_airflow_view(flow);
    const double cross = (double)(to.x * view.y[cell] - to.y * view.x[cell]);
    const double along = (double)(view.x[cell] * to.x + view.y[cell] * to.y);
    return atan2(cross, along) / degree;
}

static double most_turned(const wadi_airflow* flow, const wadi_ground* ground, double from)
{
    double most = 0.0;
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        most = fmax(most, fabs(turn_at(flow, cell, from)));
    }
    return most;
}

// Where relief turns the wind by tens of degrees, each cell's lee follows its local wind.
static void bent_shelter_is_that_of_marching(void** state)
{
    (void)state;
    static const double from[] = {270.0, 307.0};
    fixture f;
    fixture_open(&f, 2);
    airflow_law law = plain;
    law.warp = 10.0;
    wadi_terrain* terrain = land(&f, 128, 128, 4.0, WADI_EDGE_PERIODIC);
    build(terrain, steep_waves, 0, 0);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    for (size_t i = 0; i < sizeof from / sizeof from[0]; ++i)
    {
        wadi_airflow* flow = blow(&f, terrain, &law, from[i]);
        double mean;
        const double error = marching_error(flow, ground, &mean);
        assert_true(most_turned(flow, ground, from[i]) > 15.0);
        assert_true(mean > 0.15 && mean < 0.85);
        assert_true(error <= 0.05);
        wadi_airflow_destroy(flow);
    }
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Largest difference between the winds of the field and of the plain version, relative to the wind
// aloft.
static double plain_error(const wadi_airflow* flow, const wadi_ground* ground, double from)
{
    const wind_heading to = wadi_wind_heading(from);
    const airflow_view view = wadi_airflow_view(flow);
    double* level = plain_levels(ground);
    const plain_airflow air = plain_of(flow, level);
    double* x = test_malloc((size_t)ground->cells * sizeof *x);
    double* y = test_malloc((size_t)ground->cells * sizeof *y);
    plain_airflow_wind(&air, 10.0, (double)to.x, (double)to.y, x, y);
    double worst = 0.0;
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        const double off = hypot((double)view.x[cell] - x[cell], (double)view.y[cell] - y[cell]);
        worst = fmax(worst, off / 10.0);
    }
    test_free(y);
    test_free(x);
    test_free(level);
    return worst;
}

static void the_wind_is_that_of_the_plain_version(void** state)
{
    (void)state;
    static const double from[] = {270.0, 307.0};
    fixture f;
    fixture_open(&f, 1);
    airflow_law law = plain;
    law.speedup = 0.005;
    law.warp = 2.0;
    wadi_terrain* terrain = land(&f, 96, 64, 8.0, WADI_EDGE_PERIODIC);
    build(terrain, steep_waves, 0, 0);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    for (size_t i = 0; i < sizeof from / sizeof from[0]; ++i)
    {
        wadi_airflow* flow = blow(&f, terrain, &law, from[i]);
        const double error = plain_error(flow, ground, from[i]);
        print_message(
            "wind from %.0f: turned by up to %.0f degrees, off the plain version by %.4f\n",
            from[i], most_turned(flow, ground, from[i]), error);
        assert_true(most_turned(flow, ground, from[i]) > 5.0);
        assert_true(error <= 0.02);
        wadi_airflow_destroy(flow);
    }
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void plants_cast_shelter(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = land(&f, 64, 64, 1.0, WADI_EDGE_OPEN);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    ground->vegetation[32 * 64 + 20] = 65535; // 1 m high
    ground->vegetation[40 * 64 + 20] = 32768; // half of that
    wadi_airflow* flow = blow(&f, terrain, &plain, 270.0);
    const float* shelter = wadi_airflow_view(flow).shelter;
    const float whole = shelter[32 * 64 + 23];
    const float none = shelter[32 * 64 + 26];
    const float half = shelter[40 * 64 + 21];
    const float half_none = shelter[40 * 64 + 23];
    assert_true(whole == 1.0f && none == 0.0f && half == 1.0f && half_none == 0.0f);
    assert_true(shelter[32 * 64 + 20] == 0.0f); // a plant is exposed to the wind
    wadi_airflow_destroy(flow);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- laws of symmetry --------------------------------------------------------------------------

static bool same_rolled(const wadi_ground* ground, const float* a, const float* b, int32_t dx,
                        int32_t dy)
{
    bool same = true;
    for (int32_t y = 0; y < ground->height; ++y)
    {
        for (int32_t x = 0; x < ground->width; ++x)
        {
            const int32_t to_x = (x + dx) % ground->width;
            const int32_t to_y = (y + dy) % ground->height;
            same = same &&
                   a[(int64_t)y * ground->width + x] == b[(int64_t)to_y * ground->width + to_x];
        }
    }
    return same;
}

// Shifted ground, other threads, or a plain a thousand metres higher give the same bits.
static void a_rolled_torus_has_a_rolled_wind(void** state)
{
    (void)state;
    static const double warps[] = {0.0, 10.0};
    fixture f;
    fixture_open(&f, 1);
    fixture g;
    fixture_open(&g, 3);
    airflow_law law = plain;
    law.speedup = 5e-3;
    wadi_terrain* a = land(&f, 128, 128, 4.0, WADI_EDGE_PERIODIC);
    wadi_terrain* b = land(&g, 128, 128, 4.0, WADI_EDGE_PERIODIC);
    build(a, steep_waves, 0, 0);
    build(b, steep_waves, 37, 101);
    const wadi_ground* ground = wadi_terrain_ground(b);
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        ground->bedrock[cell] += 1000 * WADI_UNITS_PER_METRE;
    }
    for (int i = 0; i < 2; ++i)
    {
        law.warp = warps[i];
        wadi_airflow* at = blow(&f, a, &law, 307.0);
        wadi_airflow* bt = blow(&g, b, &law, 307.0);
        const airflow_view va = wadi_airflow_view(at);
        const airflow_view vb = wadi_airflow_view(bt);
        assert_true(same_rolled(ground, va.x, vb.x, 37, 101));
        assert_true(same_rolled(ground, va.y, vb.y, 37, 101));
        assert_true(same_rolled(ground, va.shelter, vb.shelter, 37, 101));
        wadi_airflow_destroy(at);
        wadi_airflow_destroy(bt);
    }
    wadi_terrain_destroy(a);
    wadi_terrain_destroy(b);
    fixture_close(&f);
    fixture_close(&g);
}

static void every_instruction_set_blows_alike(void** state)
{
    (void)state;
    static const double warps[] = {0.0, 10.0};
    fixture f;
    fixture_open(&f, 1);
    airflow_law law = plain;
    law.speedup = 5e-3;
    wadi_terrain* terrain = land(&f, 131, 67, 4.0, WADI_EDGE_OPEN);
    build(terrain, steep_waves, 0, 0);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    const size_t bytes = (size_t)ground->cells * sizeof(float);
    for (int i = 0; i < 2 * WADI_ISA_COUNT; ++i)
    {
        const wadi_isa isa = (wadi_isa)(i / 2);
        law.warp = warps[i % 2];
        wadi_airflow* best = blow(&f, terrain, &law, 307.0);
        wadi_airflow* flow = blow(&f, terrain, &law, 307.0);
        flow->kernels = wadi_isa_runs(isa) ? airflow_kernels_of(isa) : flow->kernels;
        wadi_airflow_survey(flow);
        wadi_airflow_blow(flow, &(airflow_wind){307.0, 10.0, 0.0});
        assert_memory_equal(flow->x, best->x, bytes);
        assert_memory_equal(flow->y, best->y, bytes);
        assert_memory_equal(flow->shelter, best->shelter, bytes);
        wadi_airflow_destroy(best);
        wadi_airflow_destroy(flow);
    }
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- smoothing ----------------------------------------------------------------------------------

// A spike becomes a bell: mass is conserved, the variance matches the radius, and the profile is
// within 5 % of a Gaussian along the axes and the diagonal.
static void a_spike_becomes_a_gaussian(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    airflow_law law = plain;
    law.warp_wide = 46.0;
    law.warp_narrow = 17.0;
    wadi_terrain* terrain = land(&f, 256, 256, 1.0, WADI_EDGE_PERIODIC);
    wadi_airflow* flow = NULL;
    CHECK_OK(f.context, wadi_airflow_create(terrain, &law, 0, &flow));
    flow->height[128 * 256 + 128] = 1.0f;
    wadi_airflow_smooth(flow, flow->smooth);
    static const double sigmas[AIRFLOW_SCALES] = {23.0, 8.5};
    for (int32_t s = 0; s < AIRFLOW_SCALES; ++s)
    {
        double mass = 0.0;
        double variance = 0.0;
        double worst = 0.0;
        const double top = 1.0 / (2.0 * 3.14159265358979323846 * sigmas[s] * sigmas[s]);
        for (int32_t i = 0; i < 256 * 256; ++i)
        {
            const double x = i % 256 - 128;
            const double y = i / 256 - 128;
            const double value = (double)flow->smooth[s][i];
            const double bell = top * exp(-(x * x + y * y) / (2.0 * sigmas[s] * sigmas[s]));
            mass += value;
            variance += value * x * x;
            worst = fmax(worst, fabs(value - bell));
        }
        CHECK_NEAR(mass, 1.0, 1e-5);
        CHECK_NEAR(sqrt(variance), sigmas[s], 0.01 * sigmas[s]);
        assert_true(worst <= 0.05 * top);
    }
    wadi_airflow_destroy(flow);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Level ground next to voids stays level.
static void voids_have_no_height(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = land(&f, 90, 70, 2.0, WADI_EDGE_OPEN);
    wadi_ground* ground = wadi_terrain_ground(terrain);
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        ground->bedrock[cell] = cell % 90 < 45 ? 100 * WADI_UNITS_PER_METRE : 0;
        ground->valid[cell] = cell % 90 < 45;
    }
    ground->all_valid = false;
    airflow_law law = plain;
    law.warp = 1.0;
    wadi_airflow* flow = blow(&f, terrain, &law, 200.0);
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        if (ground->valid[cell] != 0)
        {
            CHECK_NEAR(turn_at(flow, cell, 200.0), 0.0, 1e-3);
            CHECK_NEAR((double)flow->shelter[cell], 0.0, 0.0);
        }
    }
    wadi_airflow_destroy(flow);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- turning and speeding up -------------------------------------------------------------------

// Deflection of a west wind at (x, y) by a dome of 60 m and 100 m, at one scale of the article: a
// smoothed Gaussian is a wider and lower one.
static void dome_part(double x, double y, double sigma, double turn, double weight, double* to)
{
    const double variance = 100.0 * 100.0 + sigma * sigma;
    const double r = hypot(x, y);
    const double top = 60.0 * 100.0 * 100.0 / variance;
    const double slope = top * r / variance * exp(-r * r / (2.0 * variance));
    const double side = y > 0.0 ? 1.0 : -1.0;
    const double along = slope * slope * turn / 10.0;
    to[0] += weight * (1.0 - slope + along * fabs(y) / r);
    to[1] += weight * along * -side * x / r;
}

// A dome in a west wind deflects it symmetrically to the north and south; it is nowhere slowed by
// the deflection, and far away it is the wind aloft.
static void a_dome_parts_the_wind(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    airflow_law law = plain;
    law.warp = 1.0;
    wadi_terrain* terrain = land(&f, 257, 257, 5.0, WADI_EDGE_OPEN);
    build(terrain, dome, 0, 0);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    wadi_airflow* flow = blow(&f, terrain, &law, 270.0);
    const airflow_view view = wadi_airflow_view(flow);
    double most = 0.0;
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        CHECK_NEAR(hypot((double)view.x[cell], (double)view.y[cell]), 10.0, 1e-5);
        most = fmax(most, fabs(turn_at(flow, cell, 270.0)));
    }
    // 100 m upwind of the top, which lies between four cells
    const double north = turn_at(flow, 116 * 257 + 108, 270.0);
    const double south = turn_at(flow, 141 * 257 + 108, 270.0);
    double expected[2] = {0.0, 0.0};
    dome_part(-102.5, -62.5, 100.0, 30.0, 0.8, expected);
    dome_part(-102.5, -62.5, 25.0, 5.0, 0.2, expected);
    CHECK_NEAR(north, atan2(expected[1], expected[0]) / degree, 0.1);
    assert_true(north < -2.0);
    CHECK_NEAR(north + south, 0.0, 1e-3);
    CHECK_NEAR(turn_at(flow, 10 * 257 + 10, 270.0), 0.0, 0.1);
    assert_true(most < 60.0);
    wadi_airflow_destroy(flow);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// An even slope deflects all of the wind equally, up to the open edges.
static void a_plane_turns_the_wind_evenly(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    airflow_law law = plain;
    law.warp = 1.0;
    wadi_terrain* terrain = land(&f, 97, 61, 5.0, WADI_EDGE_OPEN);
    build(terrain, plane, 0, 0);
    wadi_airflow* flow = blow(&f, terrain, &law, 270.0);
    const double turn = turn_at(flow, 30 * 97 + 48, 270.0);
    assert_true(turn < -5.0); // northwards, along the contours
    for (int64_t cell = 0; cell < wadi_terrain_ground(terrain)->cells; ++cell)
    {
        CHECK_NEAR(turn_at(flow, cell, 270.0), turn, 0.01 * fabs(turn));
    }
    wadi_airflow_destroy(flow);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// The wind grows by 0.5 % per metre, limited to half and twice the wind aloft.
static void height_speeds_the_wind_up(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    airflow_law law = plain;
    law.speedup = 5e-3;
    wadi_terrain* terrain = land(&f, 64, 64, 5.0, WADI_EDGE_OPEN);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        static const int32_t metres[] = {-500, -20, 20, 500};
        ground->bedrock[cell] = metres[cell % 4] * WADI_UNITS_PER_METRE;
    }
    wadi_airflow* flow = blow(&f, terrain, &law, 270.0);
    const float* x = wadi_airflow_view(flow).x;
    CHECK_NEAR((double)x[64], 5.0, 1e-5);
    CHECK_NEAR((double)x[65], 9.0, 1e-5);
    CHECK_NEAR((double)x[66], 11.0, 1e-5);
    CHECK_NEAR((double)x[67], 20.0, 1e-5);
    wadi_airflow_destroy(flow);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Grids of any shape, with and without voids: all results are finite and shelter is in [0, 1].
static void any_grid_has_a_wind(void** state)
{
    (void)state;
    static const int32_t sizes[][2] = {{1, 1}, {2, 3}, {1, 40}, {57, 3}, {33, 65}};
    fixture f;
    fixture_open(&f, 2);
    airflow_law law = plain;
    law.warp = 3.0;
    law.speedup = 5e-3;
    for (size_t i = 0; i < 4 * sizeof sizes / sizeof sizes[0]; ++i)
    {
        const wadi_edge edge = i % 2 == 0 ? WADI_EDGE_OPEN : WADI_EDGE_PERIODIC;
        wadi_terrain* terrain = land(&f, sizes[i / 4][0], sizes[i / 4][1], 3.0, edge);
        build(terrain, hills, 0, 0);
        if (i % 4 >= 2)
        {
            wadi_terrain_ground(terrain)->valid[0] = 0;
            wadi_terrain_ground(terrain)->all_valid = false;
        }
        wadi_airflow* flow = blow(&f, terrain, &law, 200.0);
        const airflow_view view = wadi_airflow_view(flow);
        for (int64_t cell = 0; cell < wadi_terrain_ground(terrain)->cells; ++cell)
        {
            assert_true(isfinite(view.x[cell]) && isfinite(view.y[cell]));
            assert_true(view.shelter[cell] >= 0.0f && view.shelter[cell] <= 1.0f);
        }
        wadi_airflow_destroy(flow);
        wadi_terrain_destroy(terrain);
    }
    fixture_close(&f);
}

static void angles_in_the_wrong_order_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    airflow_law law = plain;
    law.lee_full = law.lee_begin;
    wadi_terrain* terrain = land(&f, 8, 8, 1.0, WADI_EDGE_OPEN);
    wadi_airflow* flow = NULL;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "lee_full is 10",
                wadi_airflow_create(terrain, &law, 0, &flow));
    assert_null(flow);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// The difference between the lowest and highest possible ground exceeds 2^31 units.
static void a_peak_stands_above_the_lowest_plain(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = land(&f, 32, 32, 10.0, WADI_EDGE_OPEN);
    wadi_ground* ground = wadi_terrain_ground(terrain);
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        ground->bedrock[i] = (i == 0 ? 32000 : -32000) * WADI_UNITS_PER_METRE;
    }
    wadi_airflow* flow = blow(&f, terrain, &plain, 270.0);
    CHECK_NEAR((double)(flow->height[0] - flow->height[1]), 64000.0, 1.0);
    wadi_airflow_destroy(flow);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lees_are_as_long_as_they_should),
        cmocka_unit_test(shelter_is_that_of_marching),
        cmocka_unit_test(bent_shelter_is_that_of_marching),
        cmocka_unit_test(the_wind_is_that_of_the_plain_version),
        cmocka_unit_test(plants_cast_shelter),
        cmocka_unit_test(a_rolled_torus_has_a_rolled_wind),
        cmocka_unit_test(every_instruction_set_blows_alike),
        cmocka_unit_test(a_spike_becomes_a_gaussian),
        cmocka_unit_test(voids_have_no_height),
        cmocka_unit_test(a_dome_parts_the_wind),
        cmocka_unit_test(a_plane_turns_the_wind_evenly),
        cmocka_unit_test(height_speeds_the_wind_up),
        cmocka_unit_test(any_grid_has_a_wind),
        cmocka_unit_test(angles_in_the_wrong_order_are_refused),
        cmocka_unit_test(a_peak_stands_above_the_lowest_plain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
