// SPDX-License-Identifier: MIT
// labels: slow
// seconds: 10
// gap: unequal winds turn crests with the default parameters
// Dunes under two winds of which one moves more sand, flux model. With preset `oblique`, straight
// ridges reach the same height at any angle to the wind, and crests that grew from noise lie
// within 5 degrees of the rule of Rubin & Hunter (1987) when they are 5 m high.
// docs/theory/dunes.md, "Straight ridges", has the reason. With preset `default`, oblique ridges
// grow higher and the crests turn too far: that is a gap.
#include "support/dune_crests.h"
#include "support/dune_land.h"

static const double ridge_wave = 48.0;     // [m]
static const double ridge_passed = 1000.0; // [m2] of sand
static const double unequal_flux = 50.0;   // [m2/yr] under a wind of 10 m/s

static wadi_dunes_params unequal_params(const char* preset)
{
    wadi_dunes_params params = wadi_dunes_params_default();
    CHECK_OK(NULL, wadi_process_apply_preset(NULL, &wadi_dunes_process, preset, &params));
    params.flux = unequal_flux;
    return params;
}

// ---- straight ridges under one wind ------------------------------------------------------------

static double ridge_of(sand_place place, const void* user)
{
    (void)user;
    return 8.0 + 0.5 * cos(6.283185307179586 / ridge_wave * place.along);
}

// sqrt(12) times the standard deviation of the sand's thickness [m].
static double relief_of(const sand_land* land)
{
    const int32_t cells = land->size * land->size;
    double sum = 0.0;
    double square = 0.0;
    for (int32_t i = 0; i < cells; ++i)
    {
        const double sand = (double)wadi_terrain_units(land->terrain, WADI_LAYER_SEDIMENT,
                                                       i % land->size, i / land->size) /
                            WADI_UNITS_PER_METRE;
        sum += sand;
        square += sand * sand;
    }
    return sqrt(12.0 * fmax(0.0, square / cells - sum / cells * (sum / cells)));
}

// Height of straight ridges along the grid, under a wind `angle` degrees from their normal.
static double ridge_height(double angle, const char* preset)
{
    const double rose[] = {fmod(270.0 + angle, 360.0), 10.0, 1.0};
    sand_land land;
    dune_land_def def = dune_land_def_default();
    def.cell = 2.0;
    def.size = (int32_t)(ridge_wave / def.cell);
    def.sand = ridge_of;
    def.params = unequal_params(preset);
    def.params.direction = 270.0;
    def.table = "rose";
    def.rows = rose;
    def.row_count = 1;
    dune_land_open(&land, &def);
    dune_land_blow(&land, ridge_passed / unequal_flux);
    const double height = relief_of(&land);
    sand_land_close(&land);
    return height;
}

// The troughs of ridges at an angle a to the wind stop eroding when the stress there is at the
// threshold. The flux across the ridges responds to their height with the gain cos2 a + (across +
// deflection (1 - T)) sin2 a, where T = 0.5, so the height is inverse to that.
static void ridges_stop_growing_when_their_troughs_are_sheltered(void** state)
{
    (void)state;
    static const char* const presets[] = {"default", "oblique"};
    for (size_t i = 0; i < sizeof presets / sizeof presets[0]; ++i)
    {
        const wadi_dunes_params params = unequal_params(presets[i]);
        const double aside = params.shear_across + 0.5 * params.deflection;
        const double straight = ridge_height(0.0, presets[i]);
        for (double angle = 10.0; angle <= 30.0; angle += 10.0)
        {
            const double sine = sin(angle * 0.017453292519943295);
            const double gain = 1.0 - sine * sine * (1.0 - aside);
            const double height = ridge_height(angle, presets[i]);
            print_message("%s, wind %2.0f degrees from the normal: height %.2f m, expected %.2f\n",
                          presets[i], angle, height, straight / gain);
            CHECK_NEAR(height, straight / gain, 0.05 * straight / gain);
        }
        print_message("%s, wind 40 degrees from the normal: height %.2f m\n", presets[i],
                      ridge_height(40.0, presets[i]));
    }
}

// ---- crests that grow from noise ---------------------------------------------------------------

typedef struct unequal_case
{
    double between; // [degree]
    double ratio;
    double turn; // of all winds [degree]
    const char* preset;
} unequal_case;

// 12 m of sand; another sheet for every turn.
static double unequal_sheet(sand_place place, const void* user)
{
    return 8.0 +
           dune_sheet((sand_place){place.along + 7.0 * *(const double*)user, place.across}, NULL);
}

// Deviation of crests from the rule when they are 5 m high, after 12 to 18 cycles in each of which
// 100 m2 of sand pass [degree].
static double unequal_error(unequal_case c)
{
    const double centre = 270.0 + c.turn;
    const double share = c.ratio / (c.ratio + 1.0);
    const double rose[] = {fmod(centre - c.between / 2.0, 360.0), 10.0, share,
                           fmod(centre + c.between / 2.0, 360.0), 10.0, 1.0 - share};
    sand_land land;
    dune_crests crests = {0};
    dune_land_def def = dune_land_def_default();
    def.cell = 2.0;
    def.size = 256; // ten ridges: with seven, noise alone turns the mean crest by up to 5 degrees
    def.sand = unequal_sheet;
    def.user = &c.turn;
    def.params = unequal_params(c.preset);
    def.params.direction = fmod(centre, 360.0);
    def.params.cycle = 100.0 / unequal_flux;
    def.table = "rose";
    def.rows = rose;
    def.row_count = 2;
    dune_land_open(&land, &def);
    double height = 0.0;
    for (int32_t cycles = 0; height < 5.0 && cycles < 30; ++cycles)
    {
        dune_land_blow(&land, def.params.cycle);
        height = relief_of(&land);
    }
    dune_crests_add(&crests, land.terrain);
    const double turn = dune_crests_turn(&crests, land.x, land.y);
    const double expected = dune_crests_rule(c.between, c.ratio);
    const double error = turn - expected - 180.0 * floor((turn - expected) / 180.0 + 0.5);
    print_message(
        "winds %3.0f degrees apart, %.0f : 1, turned by %2.0f: crests %.1f m high, normal "
        "%.1f, expected %.1f, off by %.1f, order %.2f\n",
        c.between, c.ratio, c.turn, height, turn, expected, error, dune_crests_order(&crests));
    sand_land_close(&land);
    assert_true(height >= 5.0);
    return fabs(error);
}

static void crests_lie_where_most_sand_crosses_them(void** state)
{
    (void)state;
    assert_true(unequal_error((unequal_case){75.0, 2.0, 37.0, "oblique"}) <= 5.0);
    assert_true(unequal_error((unequal_case){120.0, 2.0, 0.0, "oblique"}) <= 5.0);
}

static void slow_crests_of_all_winds(void** state)
{
    (void)state;
    static const double winds[][2] = {{75.0, 2.0}, {105.0, 2.0}, {120.0, 2.0}, {150.0, 3.0}};
    double worst = 0.0;
    for (int i = 0; i < 8; ++i)
    {
        const double* wind = winds[i / 2];
        worst =
            fmax(worst, unequal_error((unequal_case){wind[0], wind[1], 37.0 * (i % 2), "oblique"}));
    }
    assert_true(worst <= 5.0);
}

static void the_default_turns_crests(void** state)
{
    (void)state;
    assert_true(unequal_error((unequal_case){105.0, 2.0, 0.0, "default"}) <= 5.0);
}

int main(int argc, char** argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ridges_stop_growing_when_their_troughs_are_sheltered),
        cmocka_unit_test(crests_lie_where_most_sand_crosses_them),
        cmocka_unit_test(slow_crests_of_all_winds),
    };
    const struct CMUnitTest gaps[] = {
        cmocka_unit_test(the_default_turns_crests),
    };
    (void)argv;
    return argc > 1 ? cmocka_run_group_tests(gaps, NULL, NULL)
                    : cmocka_run_group_tests(tests, NULL, NULL);
}
