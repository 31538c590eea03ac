// SPDX-License-Identifier: MIT
// labels: medium
// seconds: 16
// Dunes under alternating winds, flux model: crests follow the rule of Rubin & Hunter (1987),
// little sand makes fingers, three winds make a star; all with the winds turned by 0 and 37
// degrees.
#include "support/dune_land.h"

enum
{
    MOST_ROWS = 6
};

// `count` winds of equal share, `between` degrees apart about the frame's, for an eighth of the
// time; the rest is calm.
static int32_t rose_of(double axis, int32_t count, double between, double* rows)
{
    for (int32_t i = 0; i < count; ++i)
    {
        rows[3 * i] = fmod(axis + (i - 0.5 * (count - 1)) * between + 360.0, 360.0);
        rows[3 * i + 1] = 10.0;
        rows[3 * i + 2] = 0.125 / count;
    }
    rows[3 * count] = 0.0;
    rows[3 * count + 1] = 0.0;
    rows[3 * count + 2] = 0.875;
    return count + 1;
}

static dune_measures sheet_under_two(double turn, double between)
{
    double rows[3 * MOST_ROWS];
    sand_land land;
    dune_land_def def = dune_land_def_default();
    def.cell = 2.0;
    def.size = 192;
    def.sand = dune_sheet;
    def.params.direction = fmod(270.0 + turn, 360.0);
    def.table = "rose";
    def.rows = rows;
    def.row_count = rose_of(def.params.direction, 2, between, rows);
    dune_land_open(&land, &def);
    dune_land_blow(&land, 20.0);
    const dune_measures m = dune_land_measure(&land);
    sand_land_close(&land);
    print_message("two winds %3.0f degrees apart, turned by %2.0f: crests off by %.1f, order %.2f, "
                  "height %.1f\n",
                  between, turn, m.crest_error, m.order, m.height);
    return m;
}

static void slow_crests_follow_the_sum_of_both_winds(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k)
    {
        assert_true(sheet_under_two(37.0 * k, 30.0).crest_error <= 10.0);
        assert_true(sheet_under_two(37.0 * k, 60.0).crest_error <= 10.0);
        assert_true(sheet_under_two(37.0 * k, 120.0).crest_error >= 80.0);
        assert_true(sheet_under_two(37.0 * k, 150.0).crest_error >= 80.0);
    }
}

// Crests follow neither wind.
static void at_right_angles_there_is_no_order(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k)
    {
        assert_true(sheet_under_two(37.0 * k, 90.0).order < 0.2);
    }
}

static double heap_of_sand(sand_place p, const void* user)
{
    const double height = *(const double*)user;
    const double radius = 5.0 * height;
    const double far = (p.along * p.along + p.across * p.across) / (radius * radius);
    return fmax(0.0, height * (1.0 - far));
}

// Principal axis of the sand's distribution: its standard deviation [m], and its angle to the
// frame's wind [degree].
typedef struct spread
{
    double length;
    double angle;
} spread;

static spread spread_of(const sand_land* land)
{
    const sand_place middle = dune_centre(land);
    double xx = 0.0;
    double xy = 0.0;
    double yy = 0.0;
    double mass = 0.0;
    for (int32_t i = 0; i < land->size * land->size; ++i)
    {
        const int32_t x = i % land->size;
        const int32_t y = i / land->size;
        const sand_place p = sand_place_of(land, x, y);
        const double sand = wadi_terrain_units(land->terrain, WADI_LAYER_SEDIMENT, x, y);
        xx += sand * (p.along - middle.along) * (p.along - middle.along);
        xy += sand * (p.along - middle.along) * (p.across - middle.across);
        yy += sand * (p.across - middle.across) * (p.across - middle.across);
        mass += sand;
    }
    const double half = sqrt(0.25 * (xx - yy) * (xx - yy) + xy * xy);
    const double angle = 0.5 * atan2(2.0 * xy, xx - yy) * 57.29577951308232;
    return (spread){sqrt((0.5 * (xx + yy) + half) / mass), fabs(angle)};
}

// Shift the result upwind by the migration, so that it does not cross the periodic edge.
static double heap_upwind(sand_place p, const void* user)
{
    return heap_of_sand((sand_place){p.along + 180.0, p.across}, user);
}

static void slow_little_sand_makes_a_finger(void** state)
{
    (void)state;
    static const double height = 8.0;
    for (int k = 0; k < 2; ++k)
    {
        double rows[3 * MOST_ROWS];
        sand_land land;
        dune_land_def def = dune_land_def_default();
        def.cell = 2.0;
        def.size = 288;
        def.sand = heap_upwind;
        def.user = &height;
        def.params.direction = fmod(270.0 + 37.0 * k, 360.0);
        def.table = "rose";
        def.rows = rows;
        def.row_count = rose_of(def.params.direction, 2, 120.0, rows);
        dune_land_open(&land, &def);
        spread length[3] = {spread_of(&land)};
        for (int i = 1; i < 3; ++i)
        {
            dune_land_blow(&land, 12.0);
            length[i] = spread_of(&land);
            print_message("turned by %2.0f: finger %.1f m long (std), %.1f degrees off\n", 37.0 * k,
                          length[i].length, length[i].angle);
        }
        assert_true(length[2].length > length[1].length);
        assert_true(length[1].length > length[0].length && length[2].angle < 10.0);
        sand_land_close(&land);
    }
}

static void three_winds_make_a_star(void** state)
{
    (void)state;
    static const double height = 10.0;
    for (int k = 0; k < 2; ++k)
    {
        double rows[3 * MOST_ROWS];
        sand_land land;
        dune_land_def def = dune_land_def_default();
        def.cell = 2.0;
        def.size = 128;
        def.sand = heap_of_sand;
        def.user = &height;
        def.params.direction = fmod(270.0 + 37.0 * k, 360.0);
        def.params.cycle = 1.5;
        def.table = "rose";
        def.rows = rows;
        def.row_count = rose_of(def.params.direction, 3, 120.0, rows);
        dune_land_open(&land, &def);
        const sand_place from = dune_centre(&land);
        dune_land_blow(&land, 21.0);
        const dune_measures m = dune_land_measure(&land);
        const sand_place to = dune_centre(&land);
        sand_place top;
        const double summit = dune_summit(&land, &top);
        const int32_t arms = dune_arms(&land, to, 3.0 * height, 1.0);
        const double drift = hypot(to.along - from.along, to.across - from.across);
        print_message("turned by %2.0f: star of %d arms, %.1f m high, order %.2f, drift %.1f m\n",
                      37.0 * k, (int)arms, summit, m.order, drift);
        assert_true(arms >= 3 && m.order < 0.15 && drift < 50.0);
        sand_land_close(&land);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_crests_follow_the_sum_of_both_winds),
        cmocka_unit_test(at_right_angles_there_is_no_order),
        cmocka_unit_test(slow_little_sand_makes_a_finger),
        cmocka_unit_test(three_winds_make_a_star),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
