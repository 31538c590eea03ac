// SPDX-License-Identifier: MIT
// Drainage by tiles on real relief: the flood visits few cells twice, flow paths between tiles need
// little memory, and the sums are those of the whole grid.
#include "io/sample.h"

#include <wadi/tiles.h>

#include <stdlib.h>

typedef struct relief
{
    wadi_context* context;
    wadi_io_raster ground;
    int32_t* units;
    int32_t* levels;
    int8_t* directions;
    double* sum;
} relief;

static wadi_tile_layer layer_of(const relief* r, void* cells, wadi_tile_type type,
                                wadi_tile_array* array)
{
    *array = (wadi_tile_array){cells, r->ground.width, type};
    return wadi_tile_layer_of(array);
}

static wadi_tiles_work drain(const relief* r, int32_t tile, double* sum)
{
    wadi_tile_array a[4];
    const wadi_tile_layer units = layer_of(r, r->units, WADI_TILE_INT32, &a[0]);
    const wadi_tile_layer levels = layer_of(r, r->levels, WADI_TILE_INT32, &a[1]);
    const wadi_tile_layer directions = layer_of(r, r->directions, WADI_TILE_INT8, &a[2]);
    const wadi_tiling tiling = {.width = r->ground.width, .height = r->ground.height, .tile = tile};
    wadi_tiles* tiles;
    CHECK_OK(r->context, wadi_tiles_create(r->context, &tiling, &tiles));
    CHECK_OK(r->context, wadi_tiles_flood(tiles, &(wadi_tiles_flood_job){units, levels, 66, 93}));
    CHECK_OK(r->context,
             wadi_tiles_route(tiles, &(wadi_tiles_route_job){.levels = levels,
                                                             .directions = directions,
                                                             .law = WADI_TILES_LOWEST}));
    CHECK_OK(r->context,
             wadi_tiles_drain(
                 tiles, &(wadi_tiles_drain_job){.directions = directions,
                                                .sum = layer_of(r, sum, WADI_TILE_FLOAT64, &a[3]),
                                                .dx = 30.0,
                                                .dy = 30.0}));
    const wadi_tiles_work work = wadi_tiles_work_of(tiles);
    wadi_tiles_destroy(tiles);
    return work;
}

static void check_relief(const char* path, int32_t tile)
{
    fixture f;
    fixture_open(&f, 1);
    relief r = {.context = f.context};
    CHECK_OK(f.context, wadi_io_raster_read(f.context, path, 0.0, true, &r.ground));
    const size_t cells = (size_t)r.ground.width * (size_t)r.ground.height;
    r.units = malloc(cells * sizeof *r.units);
    r.levels = malloc(cells * sizeof *r.levels);
    r.directions = malloc(cells);
    r.sum = malloc(cells * sizeof *r.sum);
    double* whole = malloc(cells * sizeof *whole);
    for (size_t i = 0; i < cells; ++i)
    {
        const float z = r.ground.values[i];
        r.units[i] = isnan(z) ? INT32_MAX : (int32_t)floorf(65536.0f * z);
    }
    (void)drain(&r, 16384, whole);
    const wadi_tiles_work work = drain(&r, tile, r.sum);
    assert_memory_equal(whole, r.sum, cells * sizeof *whole);
    print_message("%s by tiles of %d: %.3f visits a cell, %.2f B a cell of trunks\n", path,
                  (int)tile, (double)work.visits / (double)cells,
                  (double)work.trunk_bytes / (double)cells);
    assert_true((double)work.visits <= 1.3 * (double)cells);
    assert_true((double)work.trunk_bytes <= 1.5 * (double)cells);
    free(whole);
    free(r.sum);
    free(r.directions);
    free(r.levels);
    free(r.units);
    wadi_io_raster_free(&r.ground);
    fixture_close(&f);
}

static void the_flood_of_real_relief_visits_few_cells_twice(void** state)
{
    (void)state;
    static const char* const maps[] = {
        SAMPLE_DATA "pyrenees-256.tif", SAMPLE_DATA "taal-256.tif", SAMPLE_DATA "eno-river-192.tif",
        SAMPLE_DATA "st-helens-128.tif", SAMPLE_DATA "taal-coast-224.tif"};
    for (int i = 0; i < 5; ++i)
    {
        check_relief(maps[i], 64);
        check_relief(maps[i], 50);
    }
}

int main(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i)
    {
        check_relief(argv[i], 512);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_flood_of_real_relief_visits_few_cells_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
