// SPDX-License-Identifier: MIT
// Plants that grow, against dunes that move (Duran & Herrmann 2006): they hold slow dunes and are
// buried by fast ones. Winds from 270 and 307.
#include "support/dune_land.h"

static double heap_on_a_sheet(sand_place p, const void* user)
{
    (void)user;
    const double x = p.along + 50.0;
    const double far = (x * x + p.across * p.across) / (40.0 * 40.0);
    return 1.5 + fmax(0.0, 8.0 * (1.0 - far));
}

enum
{
    SIZE = 128
};

typedef struct grown
{
    double speed;      // [m/yr]
    double top_cover;  // where the sand is highest
    double mean_cover; // of the map
} grown;

static grown grow(double direction, double flux, double growth, double years)
{
    sand_land land;
    dune_land_def def = dune_land_def_default();
    def.size = SIZE;
    def.cell = 2.0;
    def.sand = heap_on_a_sheet;
    def.params.direction = direction;
    def.params.flux = flux;
    def.params.plant_growth = growth;
    grown g = {0};
    dune_land_open(&land, &def);
    double* levels = dunes_levels(land.terrain);
    dune_land_blow(&land, years);
    g.speed = dunes_shift(levels, land.terrain, land.x, land.y, 60.0) / years;
    sand_place top;
    (void)dune_summit(&land, &top);
    g.top_cover = sand_layer_at(&land, WADI_LAYER_VEGETATION, top);
    for (int32_t i = 0; i < SIZE * SIZE; ++i)
    {
        g.mean_cover +=
            wadi_terrain_units(land.terrain, WADI_LAYER_VEGETATION, i % SIZE, i / SIZE) /
            (65535.0 * SIZE * SIZE);
    }
    print_message("wind from %3.0f, flux %3.0f m2/yr, growth %g /yr, %2.0f yr: %5.2f m/yr, cover "
                  "%.2f on top, %.2f in all\n",
                  direction, 0.125 * flux, growth, years, g.speed, g.top_cover, g.mean_cover);
    test_free(levels);
    sand_land_close(&land);
    return g;
}

static void plants_hold_slow_dunes_and_fast_ones_bury_them(void** state)
{
    (void)state;
    for (int k = 0; k < 2; ++k)
    {
        const double direction = 270.0 + 37.0 * k;
        const grown slow_bare = grow(direction, 75.0, 0.0, 10.0);
        const grown slow = grow(direction, 75.0, 2.0, 20.0);
        const grown fast_bare = grow(direction, 400.0, 0.0, 2.0);
        const grown fast = grow(direction, 400.0, 2.0, 2.0);
        assert_true(slow_bare.mean_cover == 0.0 && fast_bare.mean_cover == 0.0);
        // it migrates for years until plants cover its sides, and then stops
        assert_true(slow.speed < 0.4 * slow_bare.speed && slow.top_cover > 0.9);
        assert_true(fast.speed > 0.85 * fast_bare.speed && fast.top_cover < 0.1);
        assert_true(fast.mean_cover > 0.4); // they grow all around it
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plants_hold_slow_dunes_and_fast_ones_bury_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
