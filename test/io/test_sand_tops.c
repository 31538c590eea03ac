// SPDX-License-Identifier: MIT
// labels: slow data
// seconds: 30
// Crusts, coarse grains and moist sand that dries on crops of real elevation models: the cells do
// not take turns to hold sand and to lose it.
#include "sample.h"

#include "support/grid_marks.h"

#include <wadi/wadi.h>

enum
{
    SIDE = 128
};

enum
{
    LOOSE,
    CRUSTS,
    COARSE,
    DRYING,
    KINDS
};

typedef struct top_land
{
    const char* file;
    double cell;  // [m], in place of the file's
    double scale; // of the heights
} top_land;

static const char* const kinds[KINDS] = {"loose", "crusts", "coarse", "drying"};

static wadi_dunes_params top_params(int kind)
{
    wadi_dunes_params params = wadi_dunes_params_default();
    params.direction = 240.0;
    params.crust_gain = kind == CRUSTS ? 1.0 : 0.0;
    params.crust_start = 0.8;
    params.crust_growth = 0.5;
    params.coarse_depth = kind == COARSE ? 0.01 : 0.0;
    params.dry_rate = kind == DRYING ? 0.02 : 0.0;
    params.dry_rain = 10.0;
    return params;
}

// Share of the sand cells that alternate after six steps.
static double top_marks(fixture* f, const top_land* land, const float* heights, int kind)
{
    static float rock[SIDE * SIDE];
    static float sand[SIDE * SIDE];
    wadi_terrain* terrain = fixture_plain(f, SIDE, SIDE, land->cell, WADI_EDGE_OPEN);
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        rock[i] = heights[i] - 3.0f;
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, SIDE));
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 3.0));
    CHECK_OK(f->context,
             wadi_terrain_fill_layer(terrain, WADI_LAYER_MOISTURE, kind == DRYING ? 0.3 : 0.0));
    const wadi_dunes_params params = top_params(kind);
    wadi_solver* solver;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_dunes_process, &params, 0, &solver));
    fixture_advance(solver, 0.6 * land->cell * land->cell);
    wadi_solver_destroy(solver);
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        sand[i] = (float)fixture_metres(terrain, WADI_LAYER_SEDIMENT, i % SIDE, i / SIDE);
        rock[i] += sand[i];
    }
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
    return grid_marks_alternating(rock, sand, SIDE, SIDE);
}

static int32_t top_clamp(int32_t place)
{
    return place < 0 ? 0 : place < SIDE ? place : SIDE - 1;
}

// Heights of a crop, spread by 1 2 1 along both axes if `even`.
static const float* top_heights(fixture* f, const top_land* land, bool even)
{
    static float heights[SIDE * SIDE];
    wadi_io_raster raster;
    CHECK_OK(f->context, wadi_io_raster_read(f->context, land->file, 0.0, true, &raster));
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        const int32_t x = i % SIDE;
        const int32_t y = i / SIDE;
        double sum = 0.0;
        for (int k = 0; k < 9; ++k)
        {
            const int32_t nx = top_clamp(x + k % 3 - 1);
            const int32_t ny = top_clamp(y + k / 3 - 1);
            const double weight = (k % 3 == 1 ? 0.5 : 0.25) * (k / 3 == 1 ? 0.5 : 0.25);
            sum += weight * (double)raster.values[ny * raster.width + nx];
        }
        const double height = even ? sum : (double)raster.values[y * raster.width + x];
        heights[i] = (float)(land->scale * height);
    }
    wadi_io_raster_free(&raster);
    return heights;
}

// Marks of the ground itself, under 3 m of sand.
static double top_own_marks(const float* heights)
{
    static float sand[SIDE * SIDE];
    for (int32_t i = 0; i < SIDE * SIDE; ++i)
    {
        sand[i] = 3.0f;
    }
    return grid_marks_alternating(heights, sand, SIDE, SIDE);
}

// No kind has more marks than loose sand, which has some on rough ground, or than the ground has
// itself: what holds sand keeps the ground as it is.
static void top_check(fixture* f, const top_land* land, bool even)
{
    const float* heights = top_heights(f, land, even);
    const double own = top_own_marks(heights);
    const double loose = top_marks(f, land, heights, LOOSE);
    print_message("%s%s, cells of %.0f m: %.3f of the cells alternate, of loose sand %.3f\n",
                  land->file + sizeof SAMPLE_DATA - 1, even ? ", even" : "", land->cell, own,
                  loose);
    for (int kind = CRUSTS; kind <= DRYING; ++kind)
    {
        const double marks = top_marks(f, land, heights, kind);
        print_message("  %s: %.3f\n", kinds[kind], marks);
        assert_true(marks <= fmax(0.03, fmax(loose + 0.01, even ? 0.0 : own)));
    }
}

static void tops_keep_no_marks_of_the_grid(void** state)
{
    (void)state;
    static const top_land lands[] = {
        {SAMPLE_DATA "st-helens-128.tif", 1.0, 0.1},
        {SAMPLE_DATA "st-helens-128.tif", 5.0, 0.5},
        // whole metres of height, so that neighbours alternate in 0.164 of the cells from the start
        {SAMPLE_DATA "taal-256.tif", 2.0, 2.0 / 90.0},
    };
    fixture f;
    fixture_open(&f, 2);
    for (size_t l = 0; l < sizeof lands / sizeof lands[0]; ++l)
    {
        top_check(&f, &lands[l], false);
        top_check(&f, &lands[l], true);
    }
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tops_keep_no_marks_of_the_grid)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
