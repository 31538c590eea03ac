// SPDX-License-Identifier: MIT
// The infinite slope compared with hand values and closed forms; maps instead of numbers; refusals.
#include "support/fixture.h"

enum
{
    SIDE = 9
};

static double tangent(double degree)
{
    return tan(degree * 0.017453292519943295);
}

static double factor(double cohesion, double friction, double weight, double depth, double wetness,
                     double slope)
{
    wadi_stability_params soil = wadi_stability_params_default();
    soil.cohesion = cohesion;
    soil.friction = friction;
    soil.weight = weight;
    soil.depth = depth;
    soil.wetness = wetness;
    return wadi_stability_factor(&soil, tangent(slope));
}

static void slopes_with_cohesion_have_their_values(void** state)
{
    (void)state;
    CHECK_NEAR(factor(10e3, 25.0, 18e3, 3.0, 0.0, 20.0), 1.857, 0.001);
    CHECK_NEAR(factor(10e3, 25.0, 20e3, 3.0, 1.0, 20.0), 1.171, 0.001);
    CHECK_NEAR(factor(5e3, 33.0, 19e3, 2.0, 0.0, 35.0), 1.207, 0.001);
    CHECK_NEAR(factor(5e3, 33.0, 20e3, 2.0, 1.0, 35.0), 0.739, 0.001);
}

// Without cohesion depth has no effect: tan phi / tan b when dry, times 1 - gw / g when saturated.
static void slopes_without_cohesion_fail_at_their_angles(void** state)
{
    (void)state;
    static const double wet[4][2] = {{20.0, 10.5}, {25.0, 13.4}, {30.0, 16.4}, {35.0, 19.6}};
    for (int i = 0; i < 4; ++i)
    {
        const double phi = wet[i][0];
        CHECK_NEAR(factor(0.0, phi, 18e3, 2.0, 0.0, phi), 1.0, 1e-12);
        CHECK_NEAR(factor(0.0, phi, 18e3, 7.0, 0.0, 17.0), tangent(phi) / tangent(17.0), 1e-12);
        assert_true(factor(0.0, phi, 20e3, 2.0, 1.0, wet[i][1] - 0.1) > 1.0);
        assert_true(factor(0.0, phi, 20e3, 2.0, 1.0, wet[i][1] + 0.1) < 1.0);
    }
}

static void level_and_bare_ground_is_as_safe_as_can_be(void** state)
{
    (void)state;
    assert_true(factor(0.0, 30.0, 18e3, 2.0, 0.0, 0.0) == WADI_STABILITY_MOST);
    assert_true(factor(5e3, 30.0, 18e3, 0.0, 1.0, 30.0) == WADI_STABILITY_MOST);
    // soil lighter than water has no effective weight
    assert_true(factor(0.0, 30.0, 2e3, 2.0, 1.0, 30.0) == 0.0);
}

// A plane of slope 0.6 towards the azimuth, with a void.
static wadi_field2d plane(float heights[SIDE * SIDE], double azimuth)
{
    const double angle = azimuth * 0.017453292519943295;
    for (int y = 0; y < SIDE; ++y)
    {
        for (int x = 0; x < SIDE; ++x)
        {
            const double ahead = 8.0 * x * sin(angle) - 5.0 * y * cos(angle);
            heights[y * SIDE + x] = (float)(200.0 - 0.6 * ahead);
        }
    }
    heights[4 * SIDE + 4] = NAN;
    return (wadi_field2d){
        .heights = heights, .width = SIDE, .height = SIDE, .stride = SIDE, .dx = 8.0, .dy = 5.0};
}

static void maps_follow_slope_and_soil(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    static const double azimuths[] = {0.0, 37.0};
    for (int a = 0; a < 2; ++a)
    {
        float heights[SIDE * SIDE];
        float depth[SIDE * SIDE];
        float out[SIDE * SIDE];
        const wadi_field2d field = plane(heights, azimuths[a]);
        wadi_stability_params soil = wadi_stability_params_default();
        soil.wetness = 0.5;
        for (int i = 0; i < SIDE * SIDE; ++i)
        {
            depth[i] = (float)(0.1 + 0.05 * i);
        }
        const wadi_stability_maps maps = {.depth = depth};
        CHECK_OK(f.context, wadi_stability_fill(f.context, &field, &soil, &maps, out));
        for (int i = 0; i < SIDE * SIDE; ++i)
        {
            soil.depth = (double)depth[i];
            const double expected = wadi_stability_factor(&soil, 0.6);
            assert_int_equal(isnan(out[i]) != 0, i == 4 * SIDE + 4);
            assert_true(isnan(out[i]) || fabs((double)out[i] - expected) < 1e-4 * expected);
        }
    }
    fixture_close(&f);
}

static void bad_soil_is_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    float heights[SIDE * SIDE];
    float map[SIDE * SIDE] = {0.0f};
    float out[SIDE * SIDE];
    const wadi_field2d field = plane(heights, 0.0);
    wadi_stability_params soil = wadi_stability_params_default();
    map[12] = 1.5f;
    const wadi_stability_maps wet = {.wetness = map};
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "map of wetness is 1.5 at column 3, row 1",
                wadi_stability_fill(f.context, &field, &soil, &wet, out));
    map[12] = NAN;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "map of wetness is nan",
                wadi_stability_fill(f.context, &field, &soil, &wet, out));
    soil.friction = 90.0;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "friction",
                wadi_stability_fill(f.context, &field, &soil, NULL, out));
    soil.cookie = 0;
    CHECK_FAILS(f.context, WADI_ERROR_PARAMS, "stability",
                wadi_stability_fill(f.context, &field, &soil, NULL, out));
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_with_cohesion_have_their_values),
        cmocka_unit_test(slopes_without_cohesion_fail_at_their_angles),
        cmocka_unit_test(level_and_bare_ground_is_as_safe_as_can_be),
        cmocka_unit_test(maps_follow_slope_and_soil),
        cmocka_unit_test(bad_soil_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
