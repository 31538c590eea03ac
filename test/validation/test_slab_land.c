// SPDX-License-Identifier: MIT
// labels: slow
// Slabs among obstacles, and dunes on the move: how fast piles wander, yardangs along the wind,
// sand behind plants, sand against slopes and cliffs.
#include "support/dune_crests.h"
#include "support/dune_land.h"

static dune_land_def land_def(double direction)
{
    dune_land_def def = dune_land_def_default();
    CHECK_OK(NULL, wadi_process_apply_preset(NULL, &wadi_dunes_process, "paper", &def.params));
    def.params.slab_spread = 0.5;
    def.params.direction = direction;
    return def;
}

static double land_units(const sand_land* land, wadi_layer layer, int32_t i)
{
    return (double)wadi_terrain_units(land->terrain, layer, i % land->size, i / land->size) /
           WADI_UNITS_PER_METRE;
}

// ---- piles --------------------------------------------------------------------------------------

// A cone of 20 degrees, so high.
static double land_pile(sand_place place, const void* user)
{
    const double high = *(const double*)user;
    const double off = sqrt(place.along * place.along + place.across * place.across);
    const double level = high - 0.364 * off;
    return level > 0.0 ? level : 0.0;
}

typedef struct land_walk
{
    double height; // [m] mean of beginning and end
    double speed;  // [m/yr]
} land_walk;

static land_walk land_watch(double high, double direction)
{
    dune_land_def def = land_def(direction);
    def.params.speed = 5.0;
    def.size = 192;
    def.sand = land_pile;
    def.user = &high;
    sand_land land;
    dune_land_open(&land, &def);
    const double years = 30.0 / 36.5;
    dune_land_blow(&land, years);
    sand_place where;
    const double before = dune_summit(&land, &where);
    double* levels = dunes_levels(land.terrain);
    dune_land_blow(&land, years);
    const double after = dune_summit(&land, &where);
    const double way = dunes_shift(levels, land.terrain, land.x, land.y, 20.0);
    test_free(levels);
    sand_land_close(&land);
    const land_walk walk = {0.5 * (before + after), way / years};
    print_message("pile of %4.1f m, wind from %3.0f: %4.1f m high, %5.1f m/yr\n", high, direction,
                  walk.height, walk.speed);
    return walk;
}

// Slope of log y over log x.
static double land_power(const land_walk* walks, int32_t count)
{
    double sum[4] = {0};
    for (int32_t i = 0; i < count; ++i)
    {
        const double x = log(walks[i].height);
        const double y = log(walks[i].speed);
        sum[0] += x / count;
        sum[1] += y / count;
        sum[2] += x * x / count;
        sum[3] += x * y / count;
    }
    return (sum[3] - sum[0] * sum[1]) / (sum[2] - sum[0] * sum[0]);
}

// Bagnold: celerity x height is the flux of sand over the crest.
static void small_dunes_are_fast(void** state)
{
    (void)state;
    static const double piles[] = {4.0, 8.0, 16.0};
    static const double winds[] = {270.0, 233.0};
    for (size_t w = 0; w < 2; ++w)
    {
        land_walk walks[3];
        for (size_t i = 0; i < 3; ++i)
        {
            walks[i] = land_watch(piles[i], winds[w]);
        }
        const double power = land_power(walks, 3);
        print_message("celerity as the power %.2f of height\n", power);
        assert_true(power >= -1.25 && power <= -0.75);
    }
}

// ---- yardangs -----------------------------------------------------------------------------------

static double land_corner(int32_t x, int32_t y)
{
    uint32_t word = (uint32_t)x * 0x9E3779B1u ^ (uint32_t)y * 0x85EBCA77u;
    word = (word ^ word >> 15) * 0x2C1B3C6Du;
    word = (word ^ word >> 12) * 0x297A2D39u;
    return (word ^ word >> 15) / 4294967296.0;
}

// Isotropic blotches of 12 m, independent of the wind.
static double land_hardness(sand_place place, const void* user)
{
    const double x = place.along / 12.0;
    const double y = place.across / 12.0;
    const int32_t column = (int32_t)floor(x);
    const int32_t row = (int32_t)floor(y);
    const double fx = (x - column) * (x - column) * (3.0 - 2.0 * (x - column));
    const double fy = (y - row) * (y - row) * (3.0 - 2.0 * (y - row));
    const double near = land_corner(column, row) * (1.0 - fx) + land_corner(column + 1, row) * fx;
    const double far =
        land_corner(column, row + 1) * (1.0 - fx) + land_corner(column + 1, row + 1) * fx;
    (void)user;
    return near * (1.0 - fy) + far * fy;
}

static double land_correlation(const sand_land* land, wadi_layer a, wadi_layer b)
{
    double sum[5] = {0};
    const int32_t cells = land->size * land->size;
    for (int32_t i = 0; i < cells; ++i)
    {
        const double x = land_units(land, a, i);
        const double y = land_units(land, b, i);
        sum[0] += x / cells;
        sum[1] += y / cells;
        sum[2] += x * x / cells;
        sum[3] += y * y / cells;
        sum[4] += x * y / cells;
    }
    return (sum[4] - sum[0] * sum[1]) /
           sqrt((sum[2] - sum[0] * sum[0]) * (sum[3] - sum[1] * sum[1]));
}

static void yardangs_lie_along_the_wind(void** state)
{
    (void)state;
    static const double winds[] = {270.0, 233.0};
    for (size_t w = 0; w < 2; ++w)
    {
        dune_land_def def = land_def(winds[w]);
        def.size = 160;
        def.edges = WADI_EDGE_OPEN;
        def.params.speed = 15.0;
        def.params.inflow = 0.2;
        def.params.slab_wear_gain = 600.0;
        def.hardness = land_hardness;
        sand_land land;
        dune_land_open(&land, &def);
        dune_land_blow(&land, 400.0 / 36.5);
        const double corr = land_correlation(&land, WADI_LAYER_HARDNESS, WADI_LAYER_BEDROCK);
        CHECK_OK(land.f.context, wadi_terrain_fill_layer(land.terrain, WADI_LAYER_SEDIMENT, 0.0));
        dune_crests crests = {0};
        dune_crests_add(&crests, land.terrain);
        const double turn = fabs(dune_crests_turn(&crests, land.x, land.y));
        print_message("wind from %3.0f: normal of ridges of rock %.1f degrees off, order %.2f, "
                      "harder rock stands higher by %.2f\n",
                      winds[w], turn, dune_crests_order(&crests), corr);
        sand_land_close(&land);
        assert_true(fabs(turn - 90.0) <= 10.0);
        assert_true(corr > 0.5);
    }
}

// ---- plants -------------------------------------------------------------------------------------

// A bush 8 m wide.
static double land_bush(sand_place place, const void* user)
{
    (void)user;
    return place.along * place.along + place.across * place.across < 16.0 ? 0.7 : 0.0;
}

// Metres of a line through the bush, across or along the wind, under more than 0.3 m of sand.
static double land_extent(const sand_land* land, bool along)
{
    double sum = 0.0;
    for (double at = -40.0; at < 40.0; at += 0.5)
    {
        const sand_place place = along ? (sand_place){at, 0.0} : (sand_place){2.0, at};
        sum += sand_layer_at(land, WADI_LAYER_SEDIMENT, place) > 0.3 ? 0.5 : 0.0;
    }
    return sum;
}

// The highest sand behind the bush.
static double land_tail(const sand_land* land)
{
    double most = 0.0;
    for (double along = 4.0; along < 40.0; along += 0.5)
    {
        const double here = sand_layer_at(land, WADI_LAYER_SEDIMENT, (sand_place){along, 0.0});
        most = here > most ? here : most;
    }
    return most;
}

// A bush gathers sand, and a shadow dune grows behind it, as high as its width allows at repose
// (Hesp 1981).
static void plants_gather_sand_and_a_tail(void** state)
{
    (void)state;
    static const double winds[] = {270.0, 233.0};
    for (size_t w = 0; w < 2; ++w)
    {
        dune_land_def def = land_def(winds[w]);
        def.size = 96;
        def.edges = WADI_EDGE_OPEN;
        def.params.speed = 6.0;
        def.params.inflow = 0.3;
        def.params.plant_height = 1.0;
        def.plants = land_bush;
        sand_land land;
        dune_land_open(&land, &def);
        dune_land_blow(&land, 600.0 / 36.5);
        const double inside = sand_layer_at(&land, WADI_LAYER_SEDIMENT, (sand_place){0.0, 0.0});
        const double bare = sand_layer_at(&land, WADI_LAYER_SEDIMENT, (sand_place){0.0, 30.0});
        const double length = land_extent(&land, true);
        const double width = land_extent(&land, false);
        const double height = land_tail(&land);
        const double hesp = 0.5 * width * tan(30.0 * 0.017453292519943295);
        print_message("nabkha, wind from %3.0f: %.1f m long, %.1f m wide, %.2f m of sand among the "
                      "plants, tail %.2f m high (by its width %.2f)\n",
                      winds[w], length, width, inside, height, hesp);
        sand_land_close(&land);
        assert_true(inside > bare + 0.5);
        assert_true(length / width >= 2.0 && length / width <= 6.0);
        assert_true(fabs(height / hesp - 1.0) <= 0.3);
    }
}

// ---- slopes and cliffs --------------------------------------------------------------------------

// A table of rock 10 m high, 60 m long, whose windward side rises at an angle [degree].
static double land_table(sand_place place, const void* user)
{
    const double rise = tan(*(const double*)user * 0.017453292519943295);
    const double level = 10.0 + rise * (place.along < 0.0 ? place.along : 0.0);
    return place.along > 60.0 || level < 0.0 ? 0.0 : level;
}

// Mean sand along the front of the table, so far from its foot or edge.
static double land_front(const sand_land* land, double along)
{
    double sum = 0.0;
    for (double across = -30.0; across <= 30.0; across += 1.0)
    {
        sum += sand_layer_at(land, WADI_LAYER_SEDIMENT, (sand_place){along, across}) / 61.0;
    }
    return sum;
}

static void land_blow_at_table(sand_land* land, double direction, const double* slope, double steps)
{
    dune_land_def def = land_def(direction);
    def.size = 160;
    def.edges = WADI_EDGE_OPEN;
    def.params.speed = 6.0;
    def.params.inflow = 0.4;
    def.rock = land_table;
    def.user = slope;
    dune_land_open(land, &def);
    dune_land_blow(land, steps / 36.5);
}

static void sand_climbs_slopes(void** state)
{
    (void)state;
    static const double winds[] = {270.0, 233.0};
    const double slope = 40.0; // 12 m long
    for (size_t w = 0; w < 2; ++w)
    {
        sand_land land;
        land_blow_at_table(&land, winds[w], &slope, 70.0);
        const double foot = land_front(&land, -11.0);
        const double middle = land_front(&land, -8.0);
        const double plain = land_front(&land, -30.0);
        print_message(
            "slope of 40 degrees, wind from %3.0f: sand %.2f m at its foot, %.2f m on it, "
            "%.2f m on the plain\n",
            winds[w], foot, middle, plain);
        assert_true(middle > 0.2 && foot > 0.2 && plain < 0.2);
        sand_land_close(&land);
    }
}

static void sand_stays_off_cliffs(void** state)
{
    (void)state;
    static const double winds[] = {270.0, 233.0};
    const double slope = 85.0;
    for (size_t w = 0; w < 2; ++w)
    {
        sand_land land;
        land_blow_at_table(&land, winds[w], &slope, 30.0);
        double gap = 0.0;
        while (gap < 30.0 && land_front(&land, -1.5 - gap) < 0.3)
        {
            gap += 0.25;
        }
        double most = 0.0;
        double ridge = 0.0;
        for (double off = 1.5; off < 40.0; off += 0.25)
        {
            const double here = land_front(&land, -off);
            ridge = here > most ? off : ridge;
            most = here > most ? here : most;
        }
        print_message("cliff of 10 m, wind from %3.0f: bare for %.1f m, then a dune of %.1f m, "
                      "%.1f m off\n",
                      winds[w], gap + 1.5, most, ridge);
        assert_true(gap + 1.5 >= 3.0 && gap + 1.5 <= 5.0);
        assert_true(most > 0.5 && ridge <= 20.0);
        sand_land_close(&land);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_dunes_are_fast),
        cmocka_unit_test(yardangs_lie_along_the_wind),
        cmocka_unit_test(plants_gather_sand_and_a_tail),
        cmocka_unit_test(sand_climbs_slopes),
        cmocka_unit_test(sand_stays_off_cliffs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
