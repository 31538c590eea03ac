// SPDX-License-Identifier: MIT
// labels: medium
// Rock of uneven hardness under sand that flies over it, flux model: ridges along the wind, longer
// than wide, of the harder rock. Winds from 270 and 307.
#include "support/dune_crests.h"
#include "support/dune_land.h"

enum
{
    SIZE = 128,
    LAGS = 64
};

static const double blotch = 16.0; // [m]

static double corner(int32_t x, int32_t y)
{
    uint32_t word = (uint32_t)x * 0x9E3779B1u ^ (uint32_t)y * 0x85EBCA77u;
    word = (word ^ word >> 15) * 0x2C1B3C6Du;
    word = (word ^ word >> 12) * 0x297A2D39u;
    return (word ^ word >> 15) / 4294967296.0;
}

// Isotropic blotches, independent of the wind.
static double blotches(sand_place p, const void* user)
{
    const double x = p.along / blotch + 100.0;
    const double y = p.across / blotch + 100.0;
    const int32_t column = (int32_t)floor(x);
    const int32_t row = (int32_t)floor(y);
    const double fx = (x - column) * (x - column) * (3.0 - 2.0 * (x - column));
    const double fy = (y - row) * (y - row) * (3.0 - 2.0 * (y - row));
    const double near = corner(column, row) * (1.0 - fx) + corner(column + 1, row) * fx;
    const double far = corner(column, row + 1) * (1.0 - fx) + corner(column + 1, row + 1) * fx;
    (void)user;
    return near * (1.0 - fy) + far * fy;
}

static double rock_at(const sand_land* land, double along, double across)
{
    return sand_layer_at(land, WADI_LAYER_BEDROCK, (sand_place){along, across});
}

// Correlation length of the rock surface along or across the wind: twice the lag at which the
// correlation of the middle of the map falls below a half [m].
static double extent(const sand_land* land, bool along)
{
    for (int32_t lag = 1; lag < LAGS; ++lag)
    {
        double sum[5] = {0};
        double count = 0.0;
        for (double s = -80.0; s < 80.0; s += 2.0)
        {
            for (double t = -80.0; t < 80.0 - 2.0 * lag; t += 2.0)
            {
                const double a = along ? rock_at(land, t, s) : rock_at(land, s, t);
                const double b =
                    along ? rock_at(land, t + 2.0 * lag, s) : rock_at(land, s, t + 2.0 * lag);
                sum[0] += a;
                sum[1] += b;
                sum[2] += a * a;
                sum[3] += b * b;
                sum[4] += a * b;
                count += 1.0;
            }
        }
        const double spread =
            sqrt((sum[2] - sum[0] * sum[0] / count) * (sum[3] - sum[1] * sum[1] / count));
        if (sum[4] - sum[0] * sum[1] / count < 0.5 * spread)
        {
            return 4.0 * lag;
        }
    }
    return 4.0 * LAGS;
}

// Correlation of height and hardness: above 0 where hard rock stands high.
static double hard_is_high(const sand_land* land)
{
    double sum[5] = {0};
    const double cells = SIZE * SIZE;
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        const int32_t x = i % SIZE;
        const int32_t y = i / SIZE;
        const double a = wadi_terrain_units(land->terrain, WADI_LAYER_BEDROCK, x, y) / 65536.0;
        const double b = wadi_terrain_units(land->terrain, WADI_LAYER_HARDNESS, x, y) / 65535.0;
        sum[0] += a;
        sum[1] += b;
        sum[2] += a * a;
        sum[3] += b * b;
        sum[4] += a * b;
    }
    return (cells * sum[4] - sum[0] * sum[1]) /
           sqrt((cells * sum[2] - sum[0] * sum[0]) * (cells * sum[3] - sum[1] * sum[1]));
}

static void rock_wears_to_ridges_along_the_wind(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k)
    {
        sand_land land;
        dune_land_def def = dune_land_def_default();
        def.size = SIZE;
        def.cell = 2.0;
        def.edges = WADI_EDGE_OPEN;
        def.hardness = blotches;
        def.params.direction = 270.0 + 37.0 * k;
        def.params.abrasion = 0.05;
        def.params.inflow = 0.3;
        dune_land_open(&land, &def);
        const double before = extent(&land, true);
        dune_land_blow(&land, 50.0);
        dune_crests crests = {0};
        dune_crests_add(&crests, land.terrain);
        const double turn = fabs(dune_crests_turn(&crests, land.x, land.y));
        const double longer = extent(&land, true);
        const double wider = extent(&land, false);
        const double hard = hard_is_high(&land);
        print_message("wind from %3.0f: normal of ridges %.1f degrees off the wind, order %.2f, "
                      "%.0f m long and %.0f wide, harder rock stands higher by %.2f\n",
                      def.params.direction, turn, dune_crests_order(&crests), longer, wider, hard);
        assert_true(before == 4.0 * LAGS); // a plain
        assert_true(fabs(turn - 90.0) <= 10.0);
        assert_true(longer >= 3.0 * wider && hard > 0.5);
        sand_land_close(&land);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rock_wears_to_ridges_along_the_wind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
