// SPDX-License-Identifier: MIT
#include "support/check.h"

#include <stdlib.h>

#include <wadi/derive.h>

enum
{
    W = 23,
    H = 17
};

static const double degree = 57.29577951308232;

static float heights[W * H];
static float out[3 * W * H];

static wadi_field2d field_of(int32_t width, int32_t height, double dx, double dy)
{
    return (wadi_field2d){heights, width, height, width, dx, dy, NULL, {WADI_EDGE_OPEN}};
}

static wadi_context* context_with(int32_t threads)
{
    wadi_context_def def = wadi_context_def_default();
    def.threads = threads;
    wadi_context* context = NULL;
    CHECK_OK(context, wadi_context_create(&def, &context));
    return context;
}

// Plane that descends towards `azimuth` with slope `angle` [degree].
static void plane(double azimuth, double angle, double dx, double dy)
{
    const double g = tan(angle / degree);
    for (int y = 0; y < H; ++y)
    {
        for (int x = 0; x < W; ++x)
        {
            const double east = x * dx;
            const double north = -y * dy;
            heights[y * W + x] =
                (float)(-g * (east * sin(azimuth / degree) + north * cos(azimuth / degree)));
        }
    }
}

// Planes of every orientation, on oblong cells, up to the borders and around a void.
static void planes_have_their_slope_and_aspect(void** state)
{
    (void)state;
    wadi_context* context = context_with(2);
    const wadi_field2d field = field_of(W, H, 20.0, 30.0);
    for (double azimuth = 0.0; azimuth < 360.0; azimuth += 22.5)
    {
        plane(azimuth, 31.0, 20.0, 30.0);
        heights[8 * W + 8] = NAN;
        CHECK_OK(context, wadi_derive(context, &field, WADI_DERIVED_SLOPE, NULL, out));
        for (int i = 0; i < W * H; ++i)
        {
            if (i == 8 * W + 8)
            {
                assert_true(isnan(out[i]));
                continue;
            }
            CHECK_NEAR((double)out[i], 31.0, 1e-3);
        }
        CHECK_OK(context, wadi_derive(context, &field, WADI_DERIVED_ASPECT, NULL, out));
        for (int i = 0; i < W * H; ++i)
        {
            const double turn = i == 8 * W + 8 ? 0.0 : fabs((double)out[i] - azimuth);
            CHECK_NEAR(fmin(turn, 360.0 - turn), 0.0, 2e-3);
            assert_true(i == 8 * W + 8 || (out[i] >= 0.0f && out[i] < 360.0f));
        }
    }
    wadi_context_destroy(context);
}

// A plane that faces the sun squarely is lit fully; one that faces away not at all.
static void hillshade_is_lambert(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    const wadi_field2d field = field_of(W, H, 10.0, 10.0);
    const wadi_sun sun = {.azimuth = 70.0, .altitude = 40.0, .exaggeration = 1.0};
    plane(70.0, 50.0, 10.0, 10.0);
    CHECK_OK(context, wadi_derive(context, &field, WADI_DERIVED_HILLSHADE, &sun, out));
    CHECK_NEAR((double)out[5 * W + 5], 1.0, 1e-6);
    plane(250.0, 60.0, 10.0, 10.0);
    CHECK_OK(context, wadi_derive(context, &field, WADI_DERIVED_HILLSHADE, &sun, out));
    assert_true(out[5 * W + 5] == 0.0f);
    plane(0.0, 0.0, 10.0, 10.0);
    CHECK_OK(context, wadi_derive(context, &field, WADI_DERIVED_HILLSHADE, &sun, out));
    CHECK_NEAR((double)out[5 * W + 5], sin(40.0 / degree), 1e-6);
    wadi_context_destroy(context);
}

// On z = (k/2) r^2 every second derivative is k, in any direction.
static void paraboloid_has_constant_curvature(void** state)
{
    (void)state;
    static const wadi_derived maps[] = {WADI_DERIVED_CURVATURE, WADI_DERIVED_PROFILE_CURVATURE,
                                        WADI_DERIVED_PLAN_CURVATURE};
    static const double expected[] = {0.004, 0.002, 0.002};
    wadi_context* context = context_with(1);
    const wadi_field2d field = field_of(W, H, 20.0, 30.0);
    for (int i = 0; i < W * H; ++i)
    {
        const double x = (i % W - 3.3) * 20.0;
        const double y = (i / W - 5.7) * 30.0;
        heights[i] = (float)(0.001 * (x * x + y * y));
    }
    for (int m = 0; m < 3; ++m)
    {
        CHECK_OK(context, wadi_derive(context, &field, maps[m], NULL, out));
        for (int y = 1; y + 1 < H; ++y)
        {
            for (int x = 1; x + 1 < W; ++x)
            {
                CHECK_NEAR((double)out[y * W + x], expected[m], 1e-5);
            }
        }
    }
    wadi_context_destroy(context);
}

// A trough in any direction has curvature only along its flanks: the slope is straight down the
// flank, so all curvature is profile curvature.
static void trough_curves_along_the_slope(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    const wadi_field2d field = field_of(W, H, 10.0, 10.0);
    for (double turn = 0.0; turn < 180.0; turn += 15.0)
    {
        for (int i = 0; i < W * H; ++i)
        {
            const double x = (i % W - 40.0) * 10.0;
            const double y = -(i / W + 40.0) * 10.0;
            const double d = x * cos(turn / degree) + y * sin(turn / degree);
            heights[i] = (float)(0.0005 * d * d);
        }
        CHECK_OK(context, wadi_derive(context, &field, WADI_DERIVED_PROFILE_CURVATURE, NULL, out));
        CHECK_NEAR((double)out[8 * W + 11], 0.001, 2e-5);
        CHECK_OK(context, wadi_derive(context, &field, WADI_DERIVED_PLAN_CURVATURE, NULL, out));
        CHECK_NEAR((double)out[8 * W + 11], 0.0, 2e-5);
    }
    wadi_context_destroy(context);
}

// The normals of a sphere point away from its centre.
static void normals_of_a_sphere_are_radial(void** state)
{
    (void)state;
    wadi_context* context = context_with(3);
    const wadi_field2d field = field_of(W, H, 1.0, 1.0);
    for (int i = 0; i < W * H; ++i)
    {
        const double x = i % W - 11.0;
        const double y = 8.0 - i / W;
        heights[i] = (float)sqrt(200.0 * 200.0 - x * x - y * y);
    }
    CHECK_OK(context, wadi_derive_normals(context, &field, out));
    for (int y = 1; y + 1 < H; ++y)
    {
        for (int x = 1; x + 1 < W; ++x)
        {
            const float* n = out + 3 * (y * W + x);
            CHECK_NEAR((double)n[0], (x - 11.0) / 200.0, 1e-4);
            CHECK_NEAR((double)n[1], (8.0 - y) / 200.0, 1e-4);
            CHECK_NEAR((double)(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), 1.0, 1e-6);
        }
    }
    wadi_context_destroy(context);
}

// On a geographic grid the width of a cell follows its row.
static void width_of_cells_may_depend_on_the_row(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    double dx[H];
    for (int y = 0; y < H; ++y)
    {
        dx[y] = 10.0 + y;
        for (int x = 0; x < W; ++x)
        {
            heights[y * W + x] = (float)(x * 10.0);
        }
    }
    wadi_field2d field = field_of(W, H, 0.0, 30.0);
    field.dx_of_row = dx;
    CHECK_OK(context, wadi_derive(context, &field, WADI_DERIVED_SLOPE, NULL, out));
    for (int y = 0; y < H; ++y)
    {
        CHECK_NEAR((double)out[y * W + 4], degree * atan(10.0 / dx[y]), 1e-4);
    }
    wadi_context_destroy(context);
}

// The smallest grids have borders all around and still give the slope of a plane.
static void small_grids_have_maps(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    heights[0] = 5.0f;
    wadi_field2d field = field_of(1, 1, 10.0, 10.0);
    CHECK_OK(context, wadi_derive(context, &field, WADI_DERIVED_SLOPE, NULL, out));
    assert_true(out[0] == 0.0f);
    CHECK_OK(context, wadi_derive(context, &field, WADI_DERIVED_ASPECT, NULL, out));
    assert_true(isnan(out[0]));

    for (int i = 0; i < 6; ++i)
    {
        heights[i] = (float)(3 * (i % 2) + 4 * (i / 2));
    }
    field = field_of(2, 3, 1.0, 1.0);
    CHECK_OK(context, wadi_derive(context, &field, WADI_DERIVED_SLOPE, NULL, out));
    for (int i = 0; i < 6; ++i)
    {
        CHECK_NEAR((double)out[i], degree * atan(5.0), 1e-4);
    }

    heights[0] = NAN;
    field = field_of(1, 1, 10.0, 10.0);
    CHECK_OK(context, wadi_derive(context, &field, WADI_DERIVED_SLOPE, NULL, out));
    assert_true(isnan(out[0]));
    wadi_context_destroy(context);
}

static void bad_fields_are_refused(void** state)
{
    (void)state;
    wadi_context* context = context_with(1);
    wadi_field2d field = field_of(W, H, 10.0, 10.0);
    CHECK_FAILS(context, WADI_ERROR_UNKNOWN, "unknown derived map",
                wadi_derive(context, &field, WADI_DERIVED_COUNT, NULL, out));
    CHECK_FAILS(context, WADI_ERROR_ARGUMENT, "NULL",
                wadi_derive(context, &field, WADI_DERIVED_SLOPE, NULL, NULL));
    field.dx = 0.0;
    CHECK_FAILS(context, WADI_ERROR_RANGE, "cell width 0",
                wadi_derive_normals(context, &field, out));
    field = field_of(W, H, 10.0, (double)NAN);
    CHECK_FAILS(context, WADI_ERROR_RANGE, "cell height",
                wadi_derive_normals(context, &field, out));
    field = field_of(W, 0, 10.0, 10.0);
    CHECK_FAILS(context, WADI_ERROR_ARGUMENT, "23 x 0", wadi_derive_normals(context, &field, out));
    field = field_of(W, H, 10.0, 10.0);
    field.stride = W - 1;
    CHECK_FAILS(context, WADI_ERROR_ARGUMENT, "22 elements",
                wadi_derive_normals(context, &field, out));
    field.stride = W;
    wadi_sun sun = wadi_sun_default();
    sun.altitude = 91.0;
    CHECK_FAILS(context, WADI_ERROR_RANGE, "altitude",
                wadi_derive(context, &field, WADI_DERIVED_HILLSHADE, &sun, out));
    assert_null(wadi_derived_name(WADI_DERIVED_COUNT));
    assert_string_equal(wadi_derived_unit(WADI_DERIVED_SLOPE), "degree");
    wadi_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_have_their_slope_and_aspect),
        cmocka_unit_test(hillshade_is_lambert),
        cmocka_unit_test(paraboloid_has_constant_curvature),
        cmocka_unit_test(trough_curves_along_the_slope),
        cmocka_unit_test(normals_of_a_sphere_are_radial),
        cmocka_unit_test(width_of_cells_may_depend_on_the_row),
        cmocka_unit_test(small_grids_have_maps),
        cmocka_unit_test(bad_fields_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
