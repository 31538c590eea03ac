// SPDX-License-Identifier: MIT
// labels: medium
// seconds: 4
// How fast model "streams" wears real mountains: rocks of four classes and two climates against
// rates of whole basins from cosmogenic 10Be (docs/theory/streams.md).
#include "io/streams_file.h"

#include <stdlib.h>

enum
{
    SIDE = 256
};

#define ALPS WADI_SOURCE_DIR "/scenes/data/bernese-alps-256.tif"
#define PYRENEES WADI_SOURCE_DIR "/test/data/pyrenees-256.tif"

// Mean net lowering over 10 000 years [mm/yr].
static double rate_of(const char* file, double hardness, double rain)
{
    fixture f;
    fixture_open(&f, 2);
    cells_land land = cells_file(&f, file, SIDE, 80.0);
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = SIDE;
    def.height = SIDE;
    def.cell_size = land.cell;
    wadi_terrain* terrain;
    CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, land.heights, SIDE));
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        land.heights[i] = (float)hardness;
    }
    CHECK_OK(f.context, wadi_terrain_set_layer(terrain, WADI_LAYER_HARDNESS, land.heights, SIDE));
    cells_free(&land);
    const double before = wadi_terrain_volume(terrain, WADI_LAYER_SURFACE);
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.rain = rain;
    wadi_solver* solver;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    fixture_advance(solver, 10e3);
    const double lost = before - wadi_terrain_volume(terrain, WADI_LAYER_SURFACE);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return lost / (SIDE * 80.0 * SIDE * 80.0) / 10e3 * 1e3;
}

// Of the classes of the page.
static const double classes[4] = {0.0, 0.6, 0.86, 0.96};

// The crystalline western Alps lose 0.2 to 0.9 mm/yr (Serra et al. 2022), the low Nock Mountains
// 0.12 to 0.28 mm/yr (Hampel et al. 2024); half of the basins of the world lose more than 0.054
// (Portenga & Bierman 2011).
static void humid_mountains_wear_at_published_rates(void** state)
{
    (void)state;
    double alps[4];
    double low[4];
    for (int i = 0; i < 4; ++i)
    {
        alps[i] = rate_of(ALPS, classes[i], 1.0);
        low[i] = rate_of(PYRENEES, classes[i], 1.0);
        print_message("hardness %.2f: Alps %.3f, Pyrenees %.3f mm/yr\n", classes[i], alps[i],
                      low[i]);
        assert_true(i == 0 || (alps[i] < 0.7 * alps[i - 1] && low[i] < 0.7 * low[i - 1]));
    }
    for (int i = 1; i < 3; ++i) // medium and strong
    {
        assert_true(alps[i] >= 0.2 && alps[i] <= 0.9);
    }
    assert_true(low[1] >= 0.12 && low[1] <= 0.28);
    assert_true(low[2] >= 0.03 && low[2] <= 0.1);
}

// Semi-arid basins of the Peninsular Ranges lose 0.038 +- 0.024 mm/yr.
static void dry_mountains_wear_less(void** state)
{
    (void)state;
    const double medium = rate_of(PYRENEES, classes[1], 0.2);
    const double strong = rate_of(PYRENEES, classes[2], 0.2);
    print_message("rain 0.2 m/yr: medium %.3f, strong %.3f mm/yr\n", medium, strong);
    assert_true(medium >= 0.014 && medium <= 0.062);
    assert_true(strong >= 0.01 && strong < medium);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(humid_mountains_wear_at_published_rates),
        cmocka_unit_test(dry_mountains_wear_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
