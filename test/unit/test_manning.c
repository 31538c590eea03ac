// SPDX-License-Identifier: MIT
// Uniform flow compared with textbook examples and closed forms.
#include "support/check.h"

#include "laws/channels/manning.h"

// Chow 1959, Open-Channel Hydraulics, example 6-2: width 20 ft, sides 2:1, n 0.025, slope 0.0016,
// 400 cfs flow 3.36 ft deep; example 4-2: the same channel is critical at 2.15 ft.
static void normal_depth_of_a_trapezoid_is_chows(void** state)
{
    (void)state;
    const double foot = 0.3048;
    const channel_trapezoid section = {20.0 * foot, 2.0};
    const double discharge = 400.0 * foot * foot * foot;
    CHECK_NEAR(wadi_channel_normal_depth(section, 0.025, 0.0016, discharge) / foot, 3.36, 0.005);
    CHECK_NEAR(wadi_channel_critical_depth(section, discharge) / foot, 2.15, 0.005);
}

// A wall-sided section has Q = b y sqrt(g y) at critical depth.
static void critical_depth_of_a_rectangle_is_the_closed_form(void** state)
{
    (void)state;
    const double q = 100.0 / 25.0;
    const double closed = cbrt(q * q / 9.81);
    CHECK_NEAR(wadi_channel_critical_depth((channel_trapezoid){25.0, 0.0}, 100.0), closed, 1e-12);
}

// A triangle of sides 1:1 has A = y2 and P = y sqrt 8, so R^(2/3) = y^(2/3) / 2.
static void normal_depth_of_a_triangle_is_the_closed_form(void** state)
{
    (void)state;
    const double root_slope = 0.05;
    const double closed = pow(10.0 * 0.03 / root_slope * 2.0, 3.0 / 8.0);
    const double depth = wadi_channel_normal_depth((channel_trapezoid){0.0, 1.0}, 0.03,
                                                   root_slope * root_slope, 10.0);
    CHECK_NEAR(depth, closed, 1e-9);
}

// For any section the depth found carries the discharge, and a slightly smaller depth does not.
static void normal_depth_carries_just_the_discharge(void** state)
{
    (void)state;
    for (int i = 0; i < 64; ++i)
    {
        const channel_trapezoid section = {0.5 * i + 0.1, 0.1 * (i % 7)};
        const double slope = 1e-5 * (1.0 + 37.0 * i);
        const double discharge = 0.01 * (i + 1) * (i + 1);
        const double depth = wadi_channel_normal_depth(section, 0.035, slope, discharge);
        const channel_wet wet = wadi_channel_trapezoid_wet(section, depth);
        const channel_wet less = wadi_channel_trapezoid_wet(section, depth * (1.0 - 1e-12));
        assert_true(wadi_channel_conveyance(wet, 0.035) * sqrt(slope) >= discharge);
        assert_true(wadi_channel_conveyance(less, 0.035) * sqrt(slope) < discharge);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_depth_of_a_trapezoid_is_chows),
        cmocka_unit_test(critical_depth_of_a_rectangle_is_the_closed_form),
        cmocka_unit_test(normal_depth_of_a_triangle_is_the_closed_form),
        cmocka_unit_test(normal_depth_carries_just_the_discharge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
