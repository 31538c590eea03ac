// SPDX-License-Identifier: MIT
// labels: medium
// Sand about obstacles, flux model: nebkhas behind plants, echo dunes before walls, ramps before
// and falling dunes behind slopes, rock that wears by its hardness. Winds from 270 and 307.
#include "support/dune_land.h"

static double thin_sheet(sand_place p, const void* user)
{
    (void)p;
    return *(const double*)user;
}

static double sand_at(const sand_land* land, double along, double across)
{
    return sand_layer_at(land, WADI_LAYER_SEDIMENT, (sand_place){along, across});
}

// ---- plants ----------------------------------------------------------------------------------

static double bush(sand_place p, const void* user)
{
    (void)user;
    return p.along * p.along + p.across * p.across < 16.0 ? 1.0 : 0.0;
}

// Extent of the form from its middle: up to where it is a tenth of its height above the sheet. Sand
// beyond a gap belongs to waves of the sheet.
static double nebkha_reach(const sand_land* land, double least, double along, double across)
{
    double reach = 0.0;
    while (reach < 50.0 && sand_at(land, reach * along, reach * across) > least)
    {
        reach += 0.5;
    }
    return reach;
}

static void plants_grow_a_nebkha(void** state)
{
    (void)state;
    static const double depth = 0.5;
    for (int k = 0; k < 2; ++k)
    {
        sand_land land;
        dune_land_def def = dune_land_def_default();
        def.size = 128;
        def.sand = thin_sheet;
        def.plants = bush;
        def.user = &depth;
        def.params.plant_height = 1.0;
        def.params.direction = 270.0 + 37.0 * k;
        dune_land_open(&land, &def);
        dune_land_blow(&land, 2.0);
        sand_place top;
        const double height = dune_summit(&land, &top) - depth;
        const double least = depth + 0.1 * height;
        const double back = nebkha_reach(&land, least, 1.0, 0.0);
        const double front = nebkha_reach(&land, least, -1.0, 0.0);
        const double width =
            nebkha_reach(&land, least, 0.0, 1.0) + nebkha_reach(&land, least, 0.0, -1.0);
        const double shelter = 0.5 * width * 0.6445; // half the width at repose: Hesp 1981
        print_message("wind from %.0f: nebkha %.2f m high (%.2f by its width), %.1f m before and "
                      "%.1f behind the middle, %.1f wide\n",
                      def.params.direction, height, shelter, front, back, width);
        assert_true(sand_at(&land, 0.0, 0.0) > depth + 0.3);
        assert_true(back > front); // the tail
        assert_true((back + front) / width >= 2.0 && (back + front) / width <= 6.0);
        assert_true(height >= 0.7 * shelter && height <= 1.3 * shelter);
        sand_land_close(&land);
    }
}

// ---- walls and slopes --------------------------------------------------------------------------

static const double wall_height = 12.0; // [m]

static double wall(sand_place p, const void* user)
{
    (void)user;
    return p.along > 0.0 && p.along < 30.0 ? wall_height : 0.0;
}

static void walls_have_echo_dunes(void** state)
{
    (void)state;
    static const double depth = 0.5;
    for (int k = 0; k < 2; ++k)
    {
        sand_land land;
        dune_land_def def = dune_land_def_default();
        def.size = 160;
        def.sand = thin_sheet;
        def.rock = wall;
        def.user = &depth;
        def.params.direction = 270.0 + 37.0 * k;
        dune_land_open(&land, &def);
        dune_land_blow(&land, 1.0);
        double gap = 0.0;
        double ridge = 0.0;
        double most = 0.0;
        for (double s = 1.0; s < 3.0 * wall_height; s += 0.5)
        {
            const double sand = sand_at(&land, -s, 0.0);
            gap = sand < 0.1 && gap >= s - 1.0 ? s : gap;
            ridge = sand > most ? s : ridge;
            most = fmax(most, sand);
        }
        print_message("wind from %.0f: bare for %.2f heights before the wall, ridge of %.2f m at "
                      "%.2f heights\n",
                      def.params.direction, gap / wall_height, most, ridge / wall_height);
        assert_true(gap >= 0.3 * wall_height && gap <= 0.5 * wall_height);
        assert_true(ridge <= 2.0 * wall_height && most > 1.5 * depth);
        sand_land_close(&land);
    }
}

// 40 degrees up, a top of 36 m, and a wall behind.
static double wedge(sand_place p, const void* user)
{
    (void)user;
    return p.along > 20.0 ? 0.0 : fmin(12.0, fmax(0.0, 0.8391 * (p.along + 40.0)));
}

// The steepest descent over 4 m behind the wall: its slip face [degree].
static double wedge_slip_face(const sand_land* land)
{
    double most = 0.0;
    for (double s = 22.0; s <= 40.0; s += land->cell)
    {
        most = fmax(most, (sand_at(land, s, 0.0) - sand_at(land, s + 4.0, 0.0)) / 4.0);
    }
    return atan(most) * 57.29577951308232;
}

static void sand_climbs_slopes_and_falls_behind(void** state)
{
    (void)state;
    static const double depth = 1.2;
    for (int k = 0; k < 2; ++k)
    {
        sand_land land;
        dune_land_def def = dune_land_def_default();
        def.size = 192;
        def.sand = thin_sheet;
        def.rock = wedge;
        def.user = &depth;
        def.params.direction = 270.0 + 37.0 * k;
        dune_land_open(&land, &def);
        dune_land_blow(&land, 3.0);
        const double foot = sand_at(&land, -40.0, 0.0);
        const double stoss = sand_at(&land, -37.0, 0.0);
        const double top = sand_at(&land, 0.0, 0.0);
        const double lee = sand_at(&land, 24.0, 0.0);
        const double angle = wedge_slip_face(&land);
        print_message("wind from %.0f: sand of %.2f m at the foot, %.2f on the slope, %.2f on the "
                      "top, %.2f behind, falling at %.1f degrees\n",
                      def.params.direction, foot, stoss, top, lee, angle);
        assert_true(foot > 1.5 * depth && stoss > 0.3 * depth); // climbing
        assert_true(top < 0.1 && lee > 2.0 * depth);            // falling: only in the lee
        assert_true(angle >= 30.0 && angle <= 34.0);            // at repose
        sand_land_close(&land);
    }
}

// ---- rock
// ----------------------------------------------------------------------------------------

static double hard_side(sand_place p, const void* user)
{
    (void)user;
    return p.across > 0.0 ? 0.75 : 0.0;
}

static void hard_rock_wears_by_its_hardness(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k)
    {
        sand_land land;
        dune_land_def def = dune_land_def_default();
        def.size = 96;
        def.edges = WADI_EDGE_OPEN;
        def.hardness = hard_side;
        def.params.abrasion = 0.02;
        def.params.inflow = 0.2;
        def.params.direction = 270.0 + 37.0 * k;
        dune_land_open(&land, &def);
        dune_land_blow(&land, 4.0);
        const double soft = -sand_layer_at(&land, WADI_LAYER_BEDROCK, (sand_place){0.0, -15.0});
        const double hard = -sand_layer_at(&land, WADI_LAYER_BEDROCK, (sand_place){0.0, 15.0});
        print_message("wind from %.0f: soft rock worn by %.4f m, hard by %.4f\n",
                      def.params.direction, soft, hard);
        assert_true(soft > 0.01);
        CHECK_NEAR(hard, 0.25 * soft, 0.1 * soft);
        sand_land_close(&land);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plants_grow_a_nebkha),
        cmocka_unit_test(walls_have_echo_dunes),
        cmocka_unit_test(sand_climbs_slopes_and_falls_behind),
        cmocka_unit_test(hard_rock_wears_by_its_hardness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
