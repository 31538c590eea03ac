// SPDX-License-Identifier: MIT
// labels: slow
// seconds: 37
// Forms that slabs of sand build by themselves from a sheet with noise: dunes across the wind at
// every azimuth, with slip faces at repose; crests under two winds as gross bedform-normal
// transport has them (Rubin & Hunter 1987); dunes that grow apart.
#include "support/dune_crests.h"
#include "support/dune_land.h"

// The article's constants and a wind of 2 m/s, on 256 x 256 m: hops of 1.1 m make dunes of 20 m,
// of which the map holds a hundred.
static dune_land_def forms_def(double direction)
{
    dune_land_def def = dune_land_def_default();
    CHECK_OK(NULL, wadi_process_apply_preset(NULL, &wadi_dunes_process, "paper", &def.params));
    def.params.speed = 2.0;
    def.params.slab_spread = 0.5;
    def.params.repose = 32.0;
    def.params.direction = direction;
    def.sand = dune_sheet;
    return def;
}

// Years of a number of steps.
static double forms_years(const dune_land_def* def, double steps)
{
    const wadi_dunes_params* p = &def->params;
    const double hop = p->slab_hop * 10.0 / p->slab_wind;
    return steps * p->slab_thickness * hop / (p->slab_settle_sand * p->flux);
}

// ---- one wind -----------------------------------------------------------------------------------

// The sheet, shifted downwind by a distance.
static double forms_other_sheet(sand_place place, const void* user)
{
    return dune_sheet((sand_place){place.along + *(const double*)user, place.across}, NULL);
}

// Run one land under one wind and add it to the sum of crests.
static void forms_one_wind(double azimuth, double shift, dune_crests* crests)
{
    dune_land_def def = forms_def(azimuth);
    def.sand = forms_other_sheet;
    def.user = &shift;
    sand_land land;
    dune_land_open(&land, &def);
    dune_land_blow(&land, forms_years(&def, 300.0));
    for (int32_t k = 0; k < 2; ++k)
    {
        dune_land_blow(&land, forms_years(&def, 50.0));
        dune_crests_add(crests, land.terrain);
    }
    const double face = dune_descent(land.terrain, land.x, land.y, 0.99);
    const double steepest = dunes_steepest(land.terrain);
    const dune_measures m = dune_land_measure(&land);
    print_message("wind from %3.0f: spacing %.0f m, height %.1f m, slip faces %.1f, steepest %.1f "
                  "degrees\n",
                  azimuth, m.spacing, m.height, face, steepest);
    sand_land_close(&land);
    assert_true(steepest <= 34.0);
    assert_true(face >= 30.0 && face <= 34.0);
}

static void crests_lie_across_the_wind_at_every_azimuth(void** state)
{
    (void)state;
    static const double azimuths[] = {0.0, 20.0, 45.0, 70.0, 90.0, 180.0};
    for (size_t i = 0; i < sizeof azimuths / sizeof azimuths[0]; ++i)
    {
        const double degree = 0.017453292519943295;
        dune_crests crests = {0};
        forms_one_wind(azimuths[i], 0.0, &crests);
        forms_one_wind(azimuths[i], 700.0, &crests);
        const double error =
            dune_crests_turn(&crests, -sin(azimuths[i] * degree), cos(azimuths[i] * degree));
        print_message("crests %+.1f degrees off, order %.2f\n", error, dune_crests_order(&crests));
        assert_true(fabs(error) <= 5.0);
    }
}

// ---- two winds ----------------------------------------------------------------------------------

// Crests under two equal winds at an angle, alternating step by step.
static dune_crests forms_two_winds(double between, double centre)
{
    dune_land_def def = forms_def(270.0);
    const double rose[] = {centre - between / 2.0, 2.0, 0.5, centre + between / 2.0, 2.0, 0.5};
    def.params.speed = 10.0; // the table has them
    def.params.cycle = forms_years(&def, 6.0);
    def.table = "rose";
    def.rows = rose;
    def.row_count = 2;
    sand_land land;
    dune_land_open(&land, &def);
    dune_crests crests = {0};
    dune_land_blow(&land, forms_years(&def, 300.0));
    for (int32_t k = 0; k < 3; ++k)
    {
        dune_land_blow(&land, forms_years(&def, 50.0));
        dune_crests_add(&crests, land.terrain);
    }
    sand_land_close(&land);
    return crests;
}

static void crests_turn_where_two_winds_are_ninety_degrees_apart(void** state)
{
    (void)state;
    static const double cases[][2] = {{30.0, 0.0}, {60.0, 0.0}, {120.0, 90.0}, {150.0, 90.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        const dune_crests crests = forms_two_winds(cases[i][0], 270.0);
        const double turn = fabs(dune_crests_turn(&crests, 1.0, 0.0));
        print_message("winds %3.0f degrees apart: normal of crests %.1f degrees off their mean, "
                      "order %.2f\n",
                      cases[i][0], turn, dune_crests_order(&crests));
        assert_true(fabs(turn - cases[i][1]) <= 10.0);
    }
}

// ---- growth and turning -------------------------------------------------------------------------

static void dunes_grow_apart(void** state)
{
    (void)state;
    const dune_land_def def = forms_def(270.0);
    static const double steps[] = {75.0, 150.0, 300.0, 600.0};
    double spacing[4];
    double done = 0.0;
    sand_land land;
    dune_land_open(&land, &def);
    for (int32_t i = 0; i < 4; ++i)
    {
        dune_land_blow(&land, forms_years(&def, steps[i] - done));
        done = steps[i];
        const dune_measures m = dune_land_measure(&land);
        spacing[i] = m.spacing;
        print_message("after %3.0f steps: spacing %.1f m, height %.2f m\n", done, m.spacing,
                      m.height);
        assert_true(i == 0 || spacing[i] >= spacing[i - 1]);
    }
    const double growth = log(spacing[3] / spacing[0]) / log(steps[3] / steps[0]);
    print_message("spacing grows as the power %.2f of time\n", growth);
    assert_true(growth >= 0.1 && growth <= 0.5);
    sand_land_close(&land);
}

static void forms_turn_with_the_wind(void** state)
{
    (void)state;
    dune_measures m[2];
    for (int32_t i = 0; i < 2; ++i)
    {
        const dune_land_def def = forms_def(270.0 - 90.0 * i);
        sand_land land;
        dune_land_open(&land, &def);
        dune_land_blow(&land, forms_years(&def, 300.0));
        m[i] = dune_land_measure(&land);
        print_message("turned by %2d: spacing %.2f m, height %.3f m\n", 90 * i, m[i].spacing,
                      m[i].height);
        sand_land_close(&land);
    }
    assert_true(fabs(m[1].spacing / m[0].spacing - 1.0) <= 0.05);
    assert_true(fabs(m[1].height / m[0].height - 1.0) <= 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crests_lie_across_the_wind_at_every_azimuth),
        cmocka_unit_test(crests_turn_where_two_winds_are_ninety_degrees_apart),
        cmocka_unit_test(dunes_grow_apart),
        cmocka_unit_test(forms_turn_with_the_wind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
