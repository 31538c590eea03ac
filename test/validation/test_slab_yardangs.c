// SPDX-License-Identifier: MIT
// labels: slow
// seconds: 11
// Yardangs: a storm of sand wears rock with isotropic blotches of hardness to ridges along the wind
// that are three times as long as wide. 90 years, 600 times as fast: after half of that they are
// 2.4 times as long.
#include "support/dune_crests.h"
#include "support/dune_land.h"

enum
{
    SIZE = 128,
    RIM = 12, // cells at open edges that are left out
    LEAST = 20
};

static const double yardang_blotch = 6.0; // [m]

static double yardang_corner(int32_t x, int32_t y)
{
    uint32_t word = (uint32_t)x * 0x9E3779B1u ^ (uint32_t)y * 0x85EBCA77u;
    word = (word ^ word >> 15) * 0x2C1B3C6Du;
    word = (word ^ word >> 12) * 0x297A2D39u;
    return (word ^ word >> 15) / 4294967296.0;
}

static double yardang_ease(double x)
{
    return x * x * (3.0 - 2.0 * x);
}

static double yardang_hardness(sand_place place, const void* user)
{
    const double x = place.along / yardang_blotch;
    const double y = place.across / yardang_blotch;
    const int32_t column = (int32_t)floor(x);
    const int32_t row = (int32_t)floor(y);
    const double fx = yardang_ease(x - column);
    const double fy = yardang_ease(y - row);
    const double near =
        yardang_corner(column, row) * (1.0 - fx) + yardang_corner(column + 1, row) * fx;
    const double far =
        yardang_corner(column, row + 1) * (1.0 - fx) + yardang_corner(column + 1, row + 1) * fx;
    (void)user;
    return near * (1.0 - fy) + far * fy;
}

// ---- ridges -------------------------------------------------------------------------------------

// Cells of rock at least a standard deviation above the mean that are not counted yet.
typedef struct yardang_map
{
    const sand_land* land;
    bool high[SIZE * SIZE];
    int32_t stack[SIZE * SIZE];
} yardang_map;

// Sums over the cells of one ridge: count, places along and across the wind, squares of both.
typedef struct yardang_sums
{
    double count;
    double along, across;
    double along2, across2;
} yardang_sums;

static double yardang_rock(const sand_land* land, int32_t cell)
{
    return (double)wadi_terrain_units(land->terrain, WADI_LAYER_BEDROCK, cell % SIZE, cell / SIZE) /
           WADI_UNITS_PER_METRE;
}

static bool yardang_inside(int32_t cell)
{
    const int32_t x = cell % SIZE;
    const int32_t y = cell / SIZE;
    return x >= RIM && y >= RIM && x < SIZE - RIM && y < SIZE - RIM;
}

static void yardang_find_high(yardang_map* map)
{
    double sum[3] = {0};
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        const double rock = yardang_inside(i) ? yardang_rock(map->land, i) : 0.0;
        sum[0] += yardang_inside(i) ? 1.0 : 0.0;
        sum[1] += rock;
        sum[2] += rock * rock;
    }
    const double mean = sum[1] / sum[0];
    const double level = mean + sqrt(sum[2] / sum[0] - mean * mean);
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        map->high[i] = yardang_inside(i) && yardang_rock(map->land, i) >= level;
    }
}

static void yardang_count(yardang_sums* sums, sand_place p)
{
    sums->count += 1.0;
    sums->along += p.along;
    sums->across += p.across;
    sums->along2 += p.along * p.along;
    sums->across2 += p.across * p.across;
}

// The ridge that contains a cell; its cells are marked as counted.
static yardang_sums yardang_ridge(yardang_map* map, int32_t cell)
{
    static const int32_t beside[4] = {1, -1, SIZE, -SIZE};
    yardang_sums sums = {0};
    int32_t open = 0;
    map->stack[open++] = cell;
    map->high[cell] = false;
    while (open > 0)
    {
        const int32_t here = map->stack[--open];
        yardang_count(&sums, sand_place_of(map->land, here % SIZE, here / SIZE));
        for (int k = 0; k < 4; ++k)
        {
            const int32_t next = here + beside[k];
            if (map->high[next])
            {
                map->high[next] = false;
                map->stack[open++] = next;
            }
        }
    }
    return sums;
}

// Length over width of a ridge: standard deviations of its cells along and across the wind.
static double yardang_aspect_of(const yardang_sums* s)
{
    const double along = s->along2 / s->count - s->along / s->count * (s->along / s->count);
    const double across = s->across2 / s->count - s->across / s->count * (s->across / s->count);
    return sqrt(along / across);
}

// The mean over ridges of LEAST cells and more, by area.
static double yardang_aspect(const sand_land* land)
{
    yardang_map* map = test_malloc(sizeof *map);
    map->land = land;
    yardang_find_high(map);
    double sum = 0.0;
    double area = 0.0;
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        const yardang_sums ridge = map->high[i] ? yardang_ridge(map, i) : (yardang_sums){0};
        if (ridge.count >= LEAST)
        {
            sum += ridge.count * yardang_aspect_of(&ridge);
            area += ridge.count;
        }
    }
    test_free(map);
    return sum / area;
}

// ---- the test -----------------------------------------------------------------------------------

static void yardangs_are_three_times_as_long_as_wide(void** state)
{
    (void)state;
    static const double winds[] = {270.0, 233.0};
    for (size_t w = 0; w < sizeof winds / sizeof winds[0]; ++w)
    {
        dune_land_def def = dune_land_def_default();
        CHECK_OK(NULL, wadi_process_apply_preset(NULL, &wadi_dunes_process, "paper", &def.params));
        def.size = SIZE;
        def.edges = WADI_EDGE_OPEN;
        def.params.slab_spread = 0.5;
        def.params.direction = winds[w];
        def.params.speed = 15.0;
        def.params.inflow = 0.2;
        def.params.slab_wear_gain = 600.0;
        def.hardness = yardang_hardness;
        sand_land land;
        dune_land_open(&land, &def);
        dune_land_blow(&land, 3200.0 / 36.5);
        CHECK_OK(land.f.context, wadi_terrain_fill_layer(land.terrain, WADI_LAYER_SEDIMENT, 0.0));
        dune_crests crests = {0};
        dune_crests_add(&crests, land.terrain);
        const double turn = fabs(dune_crests_turn(&crests, land.x, land.y));
        const double aspect = yardang_aspect(&land);
        sand_land_close(&land);
        print_message("wind from %3.0f: normal of ridges %.1f degrees off, %.1f times as long as "
                      "wide\n",
                      winds[w], turn, aspect);
        assert_true(fabs(turn - 90.0) <= 10.0);
        assert_true(aspect >= 3.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(yardangs_are_three_times_as_long_as_wide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
