// SPDX-License-Identifier: MIT
// Model "inertial" of process flood against known solutions: Manning's depth in channels of three
// azimuths, a wave on a plane, lakes at rest, rings on a plain, a dam break.
#include "support/surge.h"

#include <math.h>

static const double degree = 0.017453292519943295;
static const double gravity = 9.81;

// ---- Manning ------------------------------------------------------------------------------------

// A parabolic trough through the middle of the map, which falls towards an azimuth.
typedef struct trough
{
    double azimuth; // [degree]
    double slope;
    double middle; // of the map [m]
    double width;  // half, where it is `deep` metres deep [m]
    double deep;
    double roughness;
    double aside; // of its axis from the middle [m]
} trough;

static double trough_along(const trough* t, double x, double y)
{
    return (x - t->middle) * sin(t->azimuth * degree) + (y - t->middle) * cos(t->azimuth * degree);
}

static double trough_across(const trough* t, double x, double y)
{
    return (x - t->middle) * cos(t->azimuth * degree) - (y - t->middle) * sin(t->azimuth * degree) -
           t->aside;
}

static double trough_ground(double x, double y, const void* shape)
{
    const trough* t = shape;
    const double r = trough_across(t, x, y) / t->width;
    return 100.0 - t->slope * trough_along(t, x, y) + t->deep * r * r;
}

// Discharge of uniform flow, each column by Manning's law.
static double trough_discharge(const trough* t, double depth)
{
    double sum = 0.0;
    const double dr = t->width / 1000.0;
    for (double r = 0.5 * dr; r < 4.0 * t->width; r += dr)
    {
        const double h = depth - t->deep * r * r / (t->width * t->width);
        sum += h > 0.0 ? 2.0 * dr * pow(h, 5.0 / 3.0) * sqrt(t->slope) / t->roughness : 0.0;
    }
    return sum;
}

static double trough_error(double azimuth)
{
    enum
    {
        SIDE = 100
    };
    const trough t = {azimuth, 0.002, 0.5 * SIDE * 10.0, 120.0, 2.0, 0.035, 130.0};
    surge s;
    surge_open(&s, SIDE, SIDE, 10.0, WADI_EDGE_OPEN, trough_ground, &t);
    s.params.roughness = t.roughness;
    s.params.discharge = trough_discharge(&t, 1.5);
    const double back = -300.0;
    const double x = t.middle + back * sin(azimuth * degree) + t.aside * cos(azimuth * degree);
    const double y = t.middle + back * cos(azimuth * degree) - t.aside * sin(azimuth * degree);
    s.params.from_x = x - 100.0 * cos(azimuth * degree);
    s.params.from_y = y + 100.0 * sin(azimuth * degree);
    s.params.to_x = x + 100.0 * cos(azimuth * degree);
    s.params.to_y = y - 100.0 * sin(azimuth * degree);
    surge_run(&s, 1.5);
    double worst = 0.0;
    double sum = 0.0;
    int32_t count = 0;
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const double cx = (i % SIDE + 0.5) * 10.0;
        const double cy = (SIDE - i / SIDE - 0.5) * 10.0;
        const double along = trough_along(&t, cx, cy);
        if (fabs(trough_across(&t, cx, cy)) < 30.0 && along > -150.0 && along < 200.0)
        {
            const double stage = surge_level(&s, i % SIDE, i / SIDE) - 100.0 + t.slope * along;
            worst = fmax(worst, fabs(stage / 1.5 - 1.0));
            sum += stage / 1.5 - 1.0;
            ++count;
        }
    }
    print_message("azimuth %g: depth %+.2f %%, at most %.2f %%\n", azimuth, 100.0 * sum / count,
                  100.0 * worst);
    surge_close(&s);
    return worst;
}

static void channels_have_normal_depth(void** state)
{
    (void)state;
    static const double azimuths[] = {90.0, 45.0, 37.0, 180.0};
    bool are_right = true;
    for (int32_t i = 0; i < 4; ++i)
    {
        are_right = trough_error(azimuths[i]) < 0.013 && are_right;
    }
    assert_true(are_right);
}

// ---- a wave on a plane --------------------------------------------------------------------------

static double flat_ground(double x, double y, const void* shape)
{
    (void)x;
    (void)y;
    (void)shape;
    return 10.0;
}

// Hunter et al. 2005: a front of constant velocity u over level ground, h = (7/3 n2 u2 (u t -
// x))^(3/7), where inertia does not matter.
static void a_wave_on_a_plane_has_the_analytic_depth(void** state)
{
    (void)state;
    enum
    {
        LENGTH = 100,
        ROWS = 181
    };
    const double n = 0.03;
    const double u = 1.0;
    const double width = 4 * 50.0;
    surge s;
    surge_open(&s, LENGTH, 4, 50.0, WADI_EDGE_CLOSED, flat_ground, NULL);
    s.params.roughness = n;
    s.params.from_x = s.params.to_x = 0.0;
    double rows[ROWS][2];
    for (int32_t k = 0; k < ROWS; ++k)
    {
        const double t = k * 20.0;
        rows[k][0] = t / 3600.0;
        rows[k][1] = u * pow(7.0 / 3.0 * n * n * u * u * u * t, 3.0 / 7.0) * width;
    }
    surge_create(&s);
    surge_hydrograph(&s, &rows[0][0], ROWS);
    surge_run(&s, 1.0);
    const double time = 3600.0;
    double square = 0.0;
    double front = 0.0;
    int32_t count = 0;
    for (int32_t x = 0; x < LENGTH; ++x)
    {
        const double way = u * time - (x + 0.5) * 50.0;
        const double exact = way > 0.0 ? pow(7.0 / 3.0 * n * n * u * u * way, 3.0 / 7.0) : 0.0;
        const double depth = surge_depth(&s, x, 2);
        square += (depth - exact) * (depth - exact);
        count += exact > 0.0 ? 1 : 0;
        front = depth > 0.1 ? (x + 1.0) * 50.0 : front;
    }
    const double rms = sqrt(square / count);
    print_message("wave: rms %.3f m of %.2f m, front %.0f of %.0f m\n", rms,
                  pow(7.0 / 3.0 * n * n * u * u * u * time, 3.0 / 7.0), front, u * time);
    assert_true(rms < 0.05);
    assert_true(fabs(front - u * time) <= 150.0);
    surge_close(&s);
}

// ---- rest ---------------------------------------------------------------------------------------

static double hilly_ground(double x, double y, const void* shape)
{
    (void)shape;
    return 10.0 + 3.0 * sin(0.021 * x) * cos(0.017 * y) + 0.5 * sin(0.13 * x + 0.09 * y);
}

static void lakes_rest_to_the_last_bit(void** state)
{
    (void)state;
    surge s;
    surge_open(&s, 80, 70, 10.0, WADI_EDGE_CLOSED, hilly_ground, NULL);
    // 11 m in whole units, less the ground of each cell
    surge_fill(&s, 11.0);
    surge_create(&s);
    surge_hydrograph(&s, (const double[]){0.0, 0.0}, 1);
    CHECK_OK(s.f.context, wadi_solver_advance(s.solver, 1.0)); // books of no water
    const uint64_t before = wadi_terrain_hash(s.terrain);
    CHECK_OK(s.f.context, wadi_solver_advance(s.solver, 5.0));
    assert_true(wadi_terrain_hash(s.terrain) == before);
    assert_true(fixture_figure(s.solver, "fastest") == 0.0);
    surge_close(&s);
}

// A heap of water in a lake runs out and the lake comes to rest, without a pattern of the cells.
static void a_lake_comes_to_rest(void** state)
{
    (void)state;
    surge s;
    surge_open(&s, 40, 40, 10.0, WADI_EDGE_CLOSED, flat_ground, NULL);
    s.params.roughness = 0.03;
    s.params.from_x = s.params.to_x = 105.0;
    s.params.from_y = s.params.to_y = 155.0;
    surge_fill(&s, 11.0);
    surge_create(&s);
    surge_hydrograph(&s, (const double[]){0.0, 100.0, 0.01, 100.0, 0.0101, 0.0}, 3);
    surge_run(&s, 12.0);
    double low = 1e9;
    double high = 0.0;
    double board = 0.0;
    for (int32_t i = 0; i < 1600; ++i)
    {
        const double h = surge_depth(&s, i % 40, i / 40);
        low = fmin(low, h);
        high = fmax(high, h);
        board += (i % 40 + i / 40) % 2 == 0 ? h : -h;
    }
    print_message("lake: %.6f to %.6f m, checkerboard %.2e m\n", low, high, board / 1600.0);
    assert_true(high - low < 2e-3);
    assert_true(fabs(board / 1600.0) < 1e-5);
    surge_close(&s);
}

// ---- a plain ------------------------------------------------------------------------------------

// As test 4 of the Environment Agency's benchmarks: level ground, n = 0.05, cells of 5 m, 20 m3/s;
// here from the middle, so that all directions can be compared.
static void rings_on_a_plain_are_round(void** state)
{
    (void)state;
    enum
    {
        SIDE = 161
    };
    surge s;
    surge_open(&s, SIDE, SIDE, 5.0, WADI_EDGE_OPEN, flat_ground, NULL);
    s.params.roughness = 0.05;

    s.params.from_x = s.params.to_x = 0.5 * SIDE * 5.0;
    s.params.from_y = s.params.to_y = 0.5 * SIDE * 5.0;
    s.params.discharge = 20.0;
    surge_run(&s, 0.75);
    double near = 1e9;
    double far = 0.0;
    for (int32_t azimuth = 0; azimuth < 360; azimuth += 5)
    {
        double reach = 0.0;
        double last = 1e9;
        for (double r = 0.0; r < 395.0; r += 1.0)
        {
            // bilinear depth along a ray
            const double x = 80.0 + r / 5.0 * sin(azimuth * degree);
            const double y = 80.0 - r / 5.0 * cos(azimuth * degree);
            const int32_t c = (int32_t)x;
            const int32_t k = (int32_t)y;
            const double fx = x - c;
            const double fy = y - k;
            const double h =
                (1.0 - fy) * ((1.0 - fx) * surge_depth(&s, c, k) + fx * surge_depth(&s, c + 1, k)) +
                fy * ((1.0 - fx) * surge_depth(&s, c, k + 1) + fx * surge_depth(&s, c + 1, k + 1));
            if (last >= 0.1 && h < 0.1)
            {
                reach = r - (0.1 - h) / (last - h);
            }
            last = h;
        }
        near = fmin(near, reach);
        far = fmax(far, reach);
    }
    print_message("ring of 0.1 m: %.1f to %.1f m\n", near, far);
    assert_true(near > 200.0);
    assert_true(far - near < 5.0);
    surge_close(&s);
}

// ---- a dam break --------------------------------------------------------------------------------

// Without advection of momentum a bore of depth h runs onto dry ground with the speed of its waves,
// (g h)^(1/2); the discharge of waves that run back, 2/3 g^(1/2) (H^(3/2) - h^(3/2)), gives h =
// 0.543 H. Ritter's front is 2.7 times as fast: inertial models are not made for dam breaks.
static void a_dam_break_lacks_advection(void** state)
{
    (void)state;
    enum
    {
        LENGTH = 400
    };
    surge s;
    surge_open(&s, LENGTH, 4, 5.0, WADI_EDGE_CLOSED, flat_ground, NULL);
    s.params.roughness = 0.005;
    s.params.froude = 10.0;
    float* depth = test_calloc(4 * LENGTH, sizeof *depth);
    for (int32_t i = 0; i < 4 * LENGTH; ++i)
    {
        depth[i] = i % LENGTH < LENGTH / 2 ? 10.0f : 0.0f;
    }
    CHECK_OK(s.f.context, wadi_terrain_set_layer(s.terrain, WADI_LAYER_WATER, depth, LENGTH));
    test_free(depth);
    surge_create(&s);
    surge_hydrograph(&s, (const double[]){0.0, 0.0}, 1);
    surge_run(&s, 40.0 / 3600.0);
    double front = 0.0;
    for (int32_t x = LENGTH / 2; x < LENGTH; ++x)
    {
        front = surge_depth(&s, x, 1) > 0.05 ? (x + 1 - LENGTH / 2) * 5.0 : front;
    }
    const double ritter = 2.0 * sqrt(gravity * 10.0) * 40.0;
    const double dam = surge_depth(&s, LENGTH / 2, 1);
    print_message(
        "dam break: front %.0f m, Ritter %.0f m; depth at the dam %.2f m, Ritter 4.44 m\n", front,
        ritter, dam);
    assert_true(fabs(dam / 5.43 - 1.0) < 0.03);
    assert_true(fabs(front / (sqrt(gravity * 5.43) * 40.0) - 1.0) < 0.03);
    surge_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(channels_have_normal_depth),
        cmocka_unit_test(a_wave_on_a_plane_has_the_analytic_depth),
        cmocka_unit_test(lakes_rest_to_the_last_bit),
        cmocka_unit_test(a_lake_comes_to_rest),
        cmocka_unit_test(rings_on_a_plain_are_round),
        cmocka_unit_test(a_dam_break_lacks_advection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
