// SPDX-License-Identifier: MIT
// labels: fast data
// Sand of 3 m on crops of real elevation models under parcels of wind: neighbouring cells do not
// take turns to be high and low.
#include "sample.h"

#include "support/grid_marks.h"

#include <wadi/wadi.h>

enum
{
    SIDE = 128
};

typedef struct marks_land
{
    const char* file;
    double cell;   // [m], in place of the file's
    double relief; // [m], from the lowest cell to the highest
    double years;
} marks_land;

static float* marks_read(fixture* f, const marks_land* land)
{
    wadi_io_raster raster;
    CHECK_OK(f->context, wadi_io_raster_read(f->context, land->file, 0.0, true, &raster));
    float* heights = test_calloc(SIDE * SIDE, sizeof *heights);
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        heights[i] = raster.values[i / SIDE * raster.width + i % SIDE];
        low = fmin(low, (double)heights[i]);
        high = fmax(high, (double)heights[i]);
    }
    wadi_io_raster_free(&raster);
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        heights[i] = (float)(((double)heights[i] - low) / (high - low) * land->relief);
    }
    return heights;
}

// The share of the sand cells that alternate after the wind.
static double marks_of(fixture* f, const marks_land* land)
{
    static float sand[SIDE * SIDE];
    float* ground = marks_read(f, land);
    wadi_terrain* terrain = fixture_plain(f, SIDE, SIDE, land->cell, WADI_EDGE_OPEN);
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        ground[i] -= 3.0f;
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, ground, SIDE));
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 3.0));
    wadi_wind_params params = wadi_wind_params_default();
    params.direction = 240.0;
    params.speed = 11.0;
    wadi_solver* solver;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_wind_process, &params, 0, &solver));
    fixture_advance(solver, land->years);
    wadi_solver_destroy(solver);
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        sand[i] = (float)fixture_metres(terrain, WADI_LAYER_SEDIMENT, i % SIDE, i / SIDE);
        ground[i] =
            sand[i] + (float)fixture_metres(terrain, WADI_LAYER_BEDROCK, i % SIDE, i / SIDE);
    }
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
    const double marks = grid_marks_alternating(ground, sand, SIDE, SIDE);
    test_free(ground);
    return marks;
}

static void cells_take_no_turns(void** state)
{
    (void)state;
    static const char st_helens[] = SAMPLE_DATA "st-helens-128.tif";
    static const char eno_river[] = SAMPLE_DATA "eno-river-192.tif";
    static const marks_land lands[] = {
        {st_helens, 2.0, 4.0, 2.0},
        {eno_river, 1.0, 4.0, 1.0},
        {eno_river, 2.0, 20.0, 1.0},
        {eno_river, 4.0, 10.0, 4.0},
    };
    fixture f;
    fixture_open(&f, 2);
    for (size_t l = 0; l < sizeof lands / sizeof lands[0]; ++l)
    {
        const double marks = marks_of(&f, &lands[l]);
        print_message("%s, cells of %.0f m, relief %.0f m: %.3f of the sand cells alternate\n",
                      lands[l].file + sizeof SAMPLE_DATA - 1, lands[l].cell, lands[l].relief,
                      marks);
        assert_true(marks <= 0.03);
    }
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cells_take_no_turns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
