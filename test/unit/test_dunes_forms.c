// SPDX-License-Identifier: MIT
// Single forms in flux model, for winds along the grid and 37 degrees off: a heap settles at the
// angle of repose on all sides, and the flux recovers some heights behind a brink.
#include "support/dune_land.h"

// ---- repose ------------------------------------------------------------------------------------

static double steep_cone(sand_place p, const void* user)
{
    (void)user;
    return fmax(0.0, 24.0 - 1.2 * hypot(p.along, p.across));
}

// Mean descent between two radii, in a direction and the three perpendicular or opposite ones
// [degree].
static double cone_descent(const sand_land* land, double turn, double inner, double outer)
{
    double fall = 0.0;
    for (int i = 0; i < 4; ++i)
    {
        const double angle = (turn + 90.0 * i) * 3.14159265358979323846 / 180.0;
        const sand_place near = {inner * cos(angle), inner * sin(angle)};
        const sand_place far = {outer * cos(angle), outer * sin(angle)};
        fall += 0.25 * (sand_layer_at(land, WADI_LAYER_SEDIMENT, near) -
                        sand_layer_at(land, WADI_LAYER_SEDIMENT, far));
    }
    return atan(fall / (outer - inner)) * 57.29577951308232;
}

// Nearly no flux: the forms show the repose of slip faces only.
static void cones_rest_at_one_angle_all_round(void** state)
{
    (void)state;
    double slope[2];
    dune_land_def def = dune_land_def_default();
    def.size = 96;
    def.sand = steep_cone;
    def.params.flux = 1e-6;
    sand_land land;
    dune_land_open(&land, &def);
    dune_land_blow(&land, 1.0);
    for (int k = 0; k < 2; ++k)
    {
        slope[k] = cone_descent(&land, 45.0 * k, 5.0, 20.0);
    }
    const double between = cone_descent(&land, 22.5, 5.0, 20.0);
    print_message("cone: %.2f degrees along the axes, %.2f along the diagonals, %.2f between\n",
                  slope[0], slope[1], between);
    assert_true(fabs(slope[0] - slope[1]) < 1.5 && fabs(slope[0] - between) < 1.5);
    assert_true(slope[0] >= 30.0 && slope[0] <= 34.0);
    sand_land_close(&land);
}

// ---- reattachment ------------------------------------------------------------------------------

static const double brink_height = 8.0; // [m]

// A dune with its brink normal to the wind: slopes of 10 degrees up and 32 down, 200 m wide, on 3 m
// of sand.
static double dune_with_a_brink(sand_place p, const void* user)
{
    (void)user;
    const double stoss = brink_height + 0.1763 * p.along;
    const double lee = brink_height - 0.6249 * p.along;
    const double end = 0.2 * (100.0 - fabs(p.across));
    return 3.0 + fmax(0.0, fmin(fmin(stoss, lee), end));
}

static void the_flux_recovers_behind_a_brink(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k)
    {
        sand_land land;
        dune_land_def def = dune_land_def_default();
        def.size = 320;
        def.sand = dune_with_a_brink;
        def.params.direction = 270.0 + 37.0 * k;
        def.params.step_flux = 0.02;
        dune_land_open(&land, &def);
        dune_land_blow(&land, 0.02);
        static float wind[320 * 320];
        CHECK_OK(land.f.context, wadi_solver_map(land.wind, "wind", wind));
        double back = 0.0;
        double calm = 0.0;
        for (double along = 1.0; along < 16.0 * brink_height && back == 0.0; along += 0.5)
        {
            const double east = along * land.x;
            const double south = along * land.y;
            const int32_t x = 160 + (int32_t)floor(east + 0.5);
            const int32_t y = 160 + (int32_t)floor(south + 0.5);
            // stress grows with the square of the wind; the flux is proportional to the stress
            // above one half
            const double stress = (double)wind[y * 320 + x] * (double)wind[y * 320 + x];
            calm = stress < 0.5 ? along : calm;
            back = calm > 0.0 && stress >= 0.5 + 0.9 * 0.5 ? along : 0.0;
        }
        print_message(
            "wind from %3.0f: no flux as far as %.1f heights behind the brink, 90 %% of it "
            "at %.1f\n",
            def.params.direction, calm / brink_height, back / brink_height);
        assert_true(back >= 3.0 * brink_height && back <= 15.0 * brink_height);
        assert_true(calm >= 3.0 * brink_height);
        sand_land_close(&land);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cones_rest_at_one_angle_all_round),
        cmocka_unit_test(the_flux_recovers_behind_a_brink),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
