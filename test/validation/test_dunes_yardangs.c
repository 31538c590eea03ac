// SPDX-License-Identifier: MIT
// labels: slow
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

// Skewness of the slope along the wind over the middle of the map: above 0 where windward faces are
// steeper than tails.
static double bluntness(const sand_land* land)
{
    double square = 0.0;
    double cube = 0.0;
    double count = 0.0;
    for (double s = -80.0; s < 80.0; s += 2.0)
    {
        for (double t = -80.0; t < 80.0; t += 2.0)
        {
            const double rise = rock_at(land, t + 2.0, s) - rock_at(land, t - 2.0, s);
            square += rise * rise;
            cube += rise * rise * rise;
            count += 1.0;
        }
    }
    return cube / count / pow(square / count, 1.5);
}

// Second difference of the rock along x or y [m].
static double bend(const sand_land* land, int32_t x, int32_t y, bool along_x)
{
    const int32_t dx = along_x ? 1 : 0;
    const int32_t dy = along_x ? 0 : 1;
    const double sum =
        (double)wadi_terrain_units(land->terrain, WADI_LAYER_BEDROCK, x - dx, y - dy) +
        wadi_terrain_units(land->terrain, WADI_LAYER_BEDROCK, x + dx, y + dy);
    return (wadi_terrain_units(land->terrain, WADI_LAYER_BEDROCK, x, y) - 0.5 * sum) / 65536.0;
}

// Share of the cells in runs of four along x or y whose second differences alternate in sign and
// are over 3 cm: every second cell is higher.
static double alternating(const sand_land* land, bool along_x)
{
    double runs = 0.0;
    for (int32_t s = 1; s < SIZE - 1; ++s)
    {
        int32_t length = 1;
        for (int32_t t = 2; t < SIZE - 1; ++t)
        {
            const double a = bend(land, along_x ? t - 1 : s, along_x ? s : t - 1, along_x);
            const double b = bend(land, along_x ? t : s, along_x ? s : t, along_x);
            length = a * b < 0.0 && fmin(fabs(a), fabs(b)) > 0.03 ? length + 1 : 1;
            runs += length == 4 ? 4.0 : length > 4 ? 1.0 : 0.0;
        }
    }
    return runs / SIZE / SIZE;
}

// Rock after `years` of sand that flies over it.
typedef struct yardangs
{
    double turn;   // of the normal of ridges from the wind [degree]
    double length; // correlation lengths [m]
    double width;
    double blunt;
    double hard; // correlation of height and hardness
    double runs; // share of the cells in runs that alternate
} yardangs;

static yardangs yardangs_of(const wadi_dunes_params* params, double years)
{
    sand_land land;
    dune_land_def def = dune_land_def_default();
    def.size = SIZE;
    def.cell = 2.0;
    def.edges = WADI_EDGE_OPEN;
    def.hardness = blotches;
    def.params = *params;
    dune_land_open(&land, &def);
    assert_true(extent(&land, true) == 4.0 * LAGS); // a plain
    dune_land_blow(&land, years);
    dune_crests crests = {0};
    dune_crests_add(&crests, land.terrain);
    const yardangs found = {fabs(dune_crests_turn(&crests, land.x, land.y)),
                            extent(&land, true),
                            extent(&land, false),
                            bluntness(&land),
                            hard_is_high(&land),
                            fmax(alternating(&land, true), alternating(&land, false))};
    print_message(
        "wind from %3.0f: normal of ridges %.1f degrees off the wind, order %.2f, %.0f m "
        "long and %.0f wide, bluntness %.2f, harder rock stands higher by %.2f, runs that "
        "alternate %.4f\n",
        params->direction, found.turn, dune_crests_order(&crests), found.length, found.width,
        found.blunt, found.hard, found.runs);
    sand_land_close(&land);
    return found;
}

static void rock_wears_to_ridges_along_the_wind(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k)
    {
        wadi_dunes_params params = wadi_dunes_params_default();
        params.direction = 270.0 + 37.0 * k;
        params.abrasion = 0.05;
        params.inflow = 0.3;
        const yardangs found = yardangs_of(&params, 50.0);
        assert_true(fabs(found.turn - 90.0) <= 10.0);
        assert_true(found.length >= 3.0 * found.width && found.hard > 0.5);
    }
}

// Where the load is nearly saturated, a film of sand lies on the rock. It must not settle on every
// second cell across the wind and keep it from wear.
static void films_leave_no_washboard(void** state)
{
    (void)state;
    for (int k = 0; k < 4; ++k)
    {
        wadi_dunes_params params = wadi_dunes_params_default();
        params.direction = k % 2 == 0 ? 270.0 : 225.0;
        params.abrasion = 0.05;
        params.inflow = k < 2 ? 0.3 : 0.9; // 0.3: the load grows with what it wears
        const yardangs found = yardangs_of(&params, 30.0);
        assert_true(found.runs < 0.01);
    }
}

// Where grains fly low and worn rock blows away as dust, ridges end: heads are steep and tails
// gentle.
static void low_grains_cut_yardangs(void** state)
{
    (void)state;
    static const double winds[] = {0.0, 17.0, 45.0, 90.0};
    for (int k = 0; k < 4; ++k)
    {
        wadi_dunes_params params = wadi_dunes_params_default();
        params.direction = 270.0 - winds[k];
        params.abrasion = 0.3;
        params.abrasion_height = 4.0;
        params.dust = 1.0;
        params.echo = 0.0;
        params.inflow = 0.6;
        const yardangs found = yardangs_of(&params, 10.0);
        assert_true(fabs(found.turn - 90.0) <= 5.0);
        assert_true(found.length >= 3.0 * found.width && found.length <= 5.0 * found.width);
        assert_true(found.blunt > 0.3 && found.hard > 0.4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rock_wears_to_ridges_along_the_wind),
        cmocka_unit_test(films_leave_no_washboard),
        cmocka_unit_test(low_grains_cut_yardangs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
