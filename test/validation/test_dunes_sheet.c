// SPDX-License-Identifier: MIT
// labels: slow
// seconds: 50
// Transverse dunes from a sheet of sand under one wind, flux model: crests across the wind at every
// azimuth, first spacing, coarsening, slip faces, gentle windward sides, and the same at other
// steps and on other cells.
#include "support/dune_land.h"

static dune_measures sheet_after(dune_land_def def, double years)
{
    sand_land land;
    def.sand = dune_sheet;
    dune_land_open(&land, &def);
    dune_land_blow(&land, years);
    const dune_measures m = dune_land_measure(&land);
    const double steepest = dunes_steepest(land.terrain);
    print_message("from %3.0f, cells of %g m, %4.1f yr: height %.2f, spacing %.1f, stoss %.1f, lee "
                  "p95 %.1f, steepest %.2f, skew %.2f, crests off by %.1f, order %.2f\n",
                  def.params.direction, def.cell, years, m.height, m.spacing, m.stoss, m.lee_p95,
                  steepest, m.skew, m.crest_error, m.order);
    assert_true(steepest <= 34.0);
    sand_land_close(&land);
    return m;
}

// Fifteen wavelengths: random noise turns the mean crest of five by up to 10 degrees, of ten by up
// to 6.
static dune_land_def wide_sheet(void)
{
    dune_land_def def = dune_land_def_default();
    def.cell = 2.0;
    def.size = 384;
    return def;
}

// Skewness of slopes along the wind: below 0 where descents are steeper than rises.
static void crests_lie_across_the_wind(void** state)
{
    (void)state;
    // 90 and 180 degrees are 0 to the bit: see the next test
    static const double turns[] = {0.0, 20.0, 37.0, 45.0, 70.0};
    double heights[2] = {1e9, 0.0};
    double spacings[2] = {1e9, 0.0};
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; ++i)
    {
        dune_land_def def = wide_sheet();
        def.params.direction = fmod(270.0 + turns[i], 360.0);
        const dune_measures m = sheet_after(def, 15.0);
        assert_true(m.crest_error <= 5.0);
        assert_true(m.skew <= -0.8 && m.stoss_p95 <= 15.0);
        heights[0] = fmin(heights[0], m.height);
        heights[1] = fmax(heights[1], m.height);
        spacings[0] = fmin(spacings[0], m.spacing);
        spacings[1] = fmax(spacings[1], m.spacing);
    }
    print_message("heights %.2f to %.2f m, spacings %.1f to %.1f m\n", heights[0], heights[1],
                  spacings[0], spacings[1]);
}

// A wind turned by 90 degrees gives the turned result, up to rounding in interpolations.
static void a_quarter_turn_changes_little(void** state)
{
    (void)state;
    dune_land_def def = dune_land_def_default();
    def.cell = 2.0;
    def.size = 128;
    const dune_measures a = sheet_after(def, 12.0);
    for (int k = 1; k < 3; ++k)
    {
        def.params.direction = 270.0 - 90.0 * k;
        const dune_measures b = sheet_after(def, 12.0);
        CHECK_NEAR(b.height, a.height, 0.05 * a.height);
        CHECK_NEAR(b.spacing, a.spacing, 0.05 * a.spacing);
        CHECK_NEAR(b.crest_error, a.crest_error, 0.5);
    }
}

static void first_dunes_are_close_and_coarsen(void** state)
{
    (void)state;
    sand_land land;
    dune_land_def def = dune_land_def_default();
    def.sand = dune_sheet;
    dune_land_open(&land, &def);
    double last = 0.0;
    double first = 0.0;
    double height = 0.0;
    for (int i = 0; i < 4; ++i)
    {
        dune_land_blow(&land, i == 0 ? 4.25 : 2.5 * (1 << i) * 0.5);
        const dune_measures m = dune_land_measure(&land);
        print_message("height %.2f, spacing %.1f m\n", m.height, m.spacing);
        first = first == 0.0 && m.height > 1.0 ? m.spacing : first;
        assert_true(m.height > height && m.spacing >= 0.98 * last);
        last = m.spacing;
        height = m.height;
    }
    assert_true(first >= 15.0 && first <= 40.0);
    sand_land_close(&land);
}

// Twice the wind moves seven times the sand, and stresses far above the threshold raise dunes more
// slowly.
static void the_spacing_does_not_depend_on_the_wind(void** state)
{
    (void)state;
    dune_land_def def = dune_land_def_default();
    def.size = 192;
    const dune_measures slow = sheet_after(def, 8.0);
    def.params.speed = 20.0;
    def.params.blowing = 0.125 / 7.0;
    const dune_measures fast = sheet_after(def, 16.0);
    assert_true(slow.height > 1.0 && fast.height > 1.0);
    assert_true(fabs(fast.spacing - slow.spacing) < 0.2 * slow.spacing);
}

// Slip faces rest between 30 and 34 degrees once there are enough of them to count.
static void slip_faces_rest(void** state)
{
    (void)state;
    for (int turned = 0; turned < 2; ++turned)
    {
        dune_land_def def = dune_land_def_default();
        def.size = 160;
        def.params.direction = turned != 0 ? 307.0 : 270.0;
        const dune_measures m = sheet_after(def, 25.0);
        assert_true(m.lee_p95 >= 30.0 && m.lee_p95 <= 34.0);
        assert_true(m.stoss >= 5.0 && m.stoss <= 12.0);
    }
}

static dune_land_def small_sheet(void)
{
    dune_land_def def = dune_land_def_default();
    def.size = 160;
    return def;
}

static void steps_change_little(void** state)
{
    (void)state;
    dune_land_def def = small_sheet();
    const dune_measures base = sheet_after(def, 15.0);
    def.params.step_flux = 0.125;
    const dune_measures half = sheet_after(def, 15.0);
    CHECK_NEAR(half.height, base.height, 0.1 * base.height);
}

static void cells_change_little(void** state)
{
    (void)state;
    dune_land_def def = small_sheet();
    const dune_measures base = sheet_after(def, 15.0);
    def.cell = 2.0;
    def.size = 80;
    const dune_measures coarse = sheet_after(def, 15.0);
    CHECK_NEAR(coarse.height, base.height, 0.1 * base.height);
    CHECK_NEAR(coarse.spacing, base.spacing, 0.1 * base.spacing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crests_lie_across_the_wind),
        cmocka_unit_test(a_quarter_turn_changes_little),
        cmocka_unit_test(first_dunes_are_close_and_coarsen),
        cmocka_unit_test(the_spacing_does_not_depend_on_the_wind),
        cmocka_unit_test(slip_faces_rest),
        cmocka_unit_test(steps_change_little),
        cmocka_unit_test(cells_change_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
