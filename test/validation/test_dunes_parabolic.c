// SPDX-License-Identifier: MIT
// labels: medium
// seconds: 4
// A heap of sand on a plain of plants: bare it becomes a barchan, whose horns run ahead. Plants
// that grow turn it into a parabolic dune, whose nose runs ahead of two arms. Winds from 270 and
// 307.
#include "support/dune_land.h"

enum
{
    SIZE = 224
};

static const double cell = 2.0;     // [m]
static const double start = -140.0; // of the heap, along the wind [m]
static const double reach = 210.0;  // [m] from the middle of the map
static const double thick = 1.0;    // [m] of sand of a dune

static double heap(sand_place p, const void* user)
{
    (void)user;
    const double x = p.along - start;
    const double d = fmax(0.0, 1.0 - sqrt(x * x + p.across * p.across) / 50.0);
    return 10.0 * d * d * (3.0 - 2.0 * d);
}

static double plain_of_plants(sand_place p, const void* user)
{
    (void)user;
    const double x = p.along - start;
    return x * x + p.across * p.across < 60.0 * 60.0 ? 0.0 : 1.0;
}

typedef struct parabola
{
    double lead;  // of the middle third's front before those of the outer thirds [m]
    double front; // of the dune, from the start of the heap [m]
    double arms;  // length over which both outer thirds hold more sand than the axis [m]
} parabola;

static double sand_at(const sand_land* land, double along, double across)
{
    return sand_layer_at(land, WADI_LAYER_SEDIMENT, (sand_place){along, across});
}

// Downwind end of the sand between two lines along the wind.
static double front_of(const sand_land* land, double left, double right)
{
    for (double along = reach; along > -reach; along -= cell)
    {
        for (double across = left; across <= right; across += cell)
        {
            if (sand_at(land, along, across) > thick)
            {
                return along;
            }
        }
    }
    return -reach;
}

static double crest_of(const sand_land* land, double along, double left, double right)
{
    double most = 0.0;
    for (double across = left; across <= right; across += cell)
    {
        most = fmax(most, sand_at(land, along, across));
    }
    return most;
}

static parabola parabola_of(const sand_land* land)
{
    double width = 0.0; // half of it
    for (double along = -reach; along < reach; along += cell)
    {
        for (double across = 0.0; across <= 100.0; across += cell)
        {
            const double sand = fmax(sand_at(land, along, across), sand_at(land, along, -across));
            width = sand > thick ? fmax(width, across) : width;
        }
    }
    parabola out;
    const double third = width / 3.0;
    const double middle = front_of(land, -third, third);
    out.lead = middle - fmax(front_of(land, -width, -third), front_of(land, third, width));
    out.front = fmax(middle, middle - out.lead) - start;
    out.arms = 0.0;
    for (double along = start; along < start + out.front; along += cell)
    {
        const double axis = crest_of(land, along, -cell, cell);
        const double arm =
            fmin(crest_of(land, along, -width, -third), crest_of(land, along, third, width));
        out.arms += arm > thick && arm > 1.5 * axis ? cell : 0.0;
    }
    return out;
}

static parabola grow(double direction, double growth, double years)
{
    sand_land land;
    dune_land_def def = dune_land_def_default();
    def.size = SIZE;
    def.cell = cell;
    def.edges = WADI_EDGE_OPEN;
    def.threads = 2;
    def.sand = heap;
    def.params.direction = direction;
    def.params.blowing = 0.08;
    if (growth > 0.0)
    {
        def.plants = plain_of_plants;
        def.params.plant_growth = growth;
        def.params.plant_height = 1.2;
        def.params.plant_roots = 0.0;
        def.params.plant_uproot = 2.0;
    }
    dune_land_open(&land, &def);
    dune_land_blow(&land, years);
    const parabola out = parabola_of(&land);
    sand_land_close(&land);
    print_message("wind from %.0f, growth %g /yr, %.0f yr: front %.0f m from the start, its middle "
                  "%.0f m ahead of the sides, arms of %.0f m\n",
                  direction, growth, years, out.front, out.lead, out.arms);
    return out;
}

static void plants_turn_barchans_into_parabolic_dunes(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k)
    {
        const double direction = 270.0 + 37.0 * k;
        const parabola bare = grow(direction, 0.0, 10.0);
        assert_true(bare.lead < -10.0 && bare.arms < 30.0);
        const parabola planted = grow(direction, 2.0, 10.0);
        assert_true(planted.lead > 30.0 && planted.front > 150.0 && planted.arms > 50.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plants_turn_barchans_into_parabolic_dunes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
