// SPDX-License-Identifier: MIT
// wadi bench tiles: flood, receivers, drainage area and a step of stream power by tiles in files in
// the current folder, against the same with the whole grid as one tile.
#include "cli/bench/bench.h"

#include "io/raster/tile_file.h"

#include <wadi/tiles.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    TILES_WHOLE = 4096, // largest grid that is also measured as one tile
    TILES_OCTAVES = 8,
    TILES_WAVE = 256, // cells of the longest wave
    TILES_RISE = 66   // units between cells along an axis: 1 mm
};

typedef struct tiles_cost
{
    double flood;  // [s] of processor time
    double rest;   // [s] receivers, drainage area, stream power
    double memory; // [B] at most
    wadi_tiles_work work;
} tiles_cost;

typedef struct tiles_bench
{
    wadi_context* context;
    wadi_tiling tiling;
    wadi_io_replacement folder;
    wadi_io_tile_file ground; // units of 2^-16 m
    wadi_io_tile_file levels;
    wadi_io_tile_file directions;
    wadi_io_tile_file eroded;
} tiles_bench;

// A number in [0, 1) of a corner of the noise.
static double tiles_corner(uint32_t x, uint32_t y, uint32_t octave)
{
    uint32_t h = x * 0x9e3779b1u ^ y * 0x85ebca77u ^ octave * 0xc2b2ae3du;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (double)(h ^ h >> 15) / 4294967296.0;
}

// Value noise: 400 m of relief over 256 cells, and half of it with each octave [m].
static double tiles_height(int32_t x, int32_t y)
{
    double height = 0.0;
    for (uint32_t octave = 0; octave < TILES_OCTAVES; ++octave)
    {
        const int32_t wave = TILES_WAVE >> octave;
        const uint32_t cx = (uint32_t)(x / wave);
        const uint32_t cy = (uint32_t)(y / wave);
        const double s = (double)(x % wave) / wave;
        const double t = (double)(y % wave) / wave;
        const double u = s * s * (3.0 - 2.0 * s);
        const double v = t * t * (3.0 - 2.0 * t);
        const double north =
            tiles_corner(cx, cy, octave) * (1.0 - u) + tiles_corner(cx + 1, cy, octave) * u;
        const double south =
            tiles_corner(cx, cy + 1, octave) * (1.0 - u) + tiles_corner(cx + 1, cy + 1, octave) * u;
        height += 400.0 * (double)wave / (double)TILES_WAVE * (north * (1.0 - v) + south * v);
    }
    return height;
}

static wadi_result tiles_ground(tiles_bench* bench)
{
    const wadi_tiling* tiling = &bench->tiling;
    int32_t* row = malloc((size_t)tiling->width * sizeof *row);
    wadi_result result = row != NULL ? WADI_OK : WADI_ERROR_MEMORY;
    for (int32_t y = 0; y < tiling->height && result == WADI_OK; ++y)
    {
        for (int32_t x = 0; x < tiling->width; ++x)
        {
            row[x] = (int32_t)(65536.0 * tiles_height(x, y));
        }
        result = wadi_io_tile_file_write_rows(&bench->ground, y, 1, row);
    }
    free(row);
    return result;
}

static wadi_result tiles_open(tiles_bench* bench)
{
    const struct
    {
        wadi_io_tile_file* file;
        wadi_tile_type type;
    } files[] = {{&bench->ground, WADI_TILE_INT32},
                 {&bench->levels, WADI_TILE_INT32},
                 {&bench->directions, WADI_TILE_INT8},
                 {&bench->eroded, WADI_TILE_FLOAT32}};
    wadi_result result = wadi_io_replace_begin(bench->context, "tiles", &bench->folder);
    for (int i = 0; i < 4 && result == WADI_OK; ++i)
    {
        result = wadi_io_tile_file_open(bench->context, &bench->folder, &bench->tiling,
                                        files[i].type, files[i].file);
    }
    return result;
}

static wadi_result tiles_measure(tiles_bench* bench, wadi_tiles* tiles, tiles_cost* out)
{
    const wadi_tile_layer ground = wadi_io_tile_file_layer(&bench->ground);
    const wadi_tile_layer levels = wadi_io_tile_file_layer(&bench->levels);
    const wadi_tile_layer directions = wadi_io_tile_file_layer(&bench->directions);
    const wadi_tiles_flood_job flood = {ground, levels, TILES_RISE, TILES_RISE * 7 / 5};
    const wadi_tiles_route_job route = {
        .levels = levels, .directions = directions, .law = WADI_TILES_LOWEST};
    const wadi_tiles_drain_job drain = {
        .directions = directions,
        .dx = bench_cell,
        .dy = bench_cell,
        .power = {.erodibility = 2e-5,
                  .area_exponent = 0.5,
                  .years = 1000.0,
                  .unit = 1.0 / 65536.0,
                  .ground = ground,
                  .eroded = wadi_io_tile_file_layer(&bench->eroded)},
    };
    const double start = bench_cpu_seconds();
    wadi_result result = wadi_tiles_flood(tiles, &flood);
    out->flood = bench_cpu_seconds() - start;
    result = result == WADI_OK ? wadi_tiles_route(tiles, &route) : result;
    result = result == WADI_OK ? wadi_tiles_drain(tiles, &drain) : result;
    out->rest = bench_cpu_seconds() - start - out->flood;
    out->work = wadi_tiles_work_of(tiles);
    out->memory = (double)wadi_memory_peak(bench->context);
    return result;
}

static cli_status tiles_once(int32_t size, int32_t tile, tiles_cost* out)
{
    const cli_run_options run = {.threads = 1, .progress = CLI_PROGRESS_NONE};
    cli_session session;
    CLI_TRY(cli_session_open(&run, &session));
    tiles_bench bench = {.context = session.context,
                         .tiling = {.width = size, .height = size, .tile = tile},
                         .ground = {.file = -1},
                         .levels = {.file = -1},
                         .directions = {.file = -1},
                         .eroded = {.file = -1},
                         .folder = {.lock = -1}};
    wadi_tiles* tiles = NULL;
    wadi_result result = tiles_open(&bench);
    result = result == WADI_OK ? tiles_ground(&bench) : result;
    result = result == WADI_OK ? wadi_tiles_create(bench.context, &bench.tiling, &tiles) : result;
    result = result == WADI_OK ? tiles_measure(&bench, tiles, out) : result;
    wadi_tiles_destroy(tiles);
    const cli_status status = cli_check(session.context, result);
    wadi_io_tile_file_close(&bench.ground);
    wadi_io_tile_file_close(&bench.levels);
    wadi_io_tile_file_close(&bench.directions);
    wadi_io_tile_file_close(&bench.eroded);
    (void)wadi_io_replace_abort(session.context, &bench.folder, WADI_ERROR_STATE);
    cli_session_close(&session);
    return status;
}

static cli_status tiles_rows(int32_t size, int32_t tile, bench_rows* rows)
{
    const double cells = (double)size * size;
    tiles_cost cost = {0};
    tiles_cost whole = {.flood = (double)NAN, .rest = (double)NAN, .memory = (double)NAN};
    CLI_TRY(tiles_once(size, tile, &cost));
    if (size <= TILES_WHOLE)
    {
        CLI_TRY(tiles_once(size, size, &whole));
    }
    const double moved = (double)(cost.work.bytes_read + cost.work.bytes_written);
    const bench_row values[] = {
        {.metric = "flood", .unit = "s", .value = cost.flood, .reference = whole.flood},
        {.metric = "rest", .unit = "s", .value = cost.rest, .reference = whole.rest},
        {.metric = "memory",
         .unit = "B/cell",
         .value = cost.memory / cells,
         .reference = whole.memory / cells},
        {.metric = "io", .unit = "B/cell", .value = moved / cells, .reference = (double)NAN},
        {.metric = "trunks",
         .unit = "B/cell",
         .value = (double)cost.work.trunk_bytes / cells,
         .reference = (double)NAN},
        {.metric = "visits",
         .unit = "1",
         .value = (double)cost.work.visits / cells,
         .reference = (double)NAN},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i)
    {
        bench_row row = values[i];
        row.name = tile == 512 ? "tiles of 512" : tile == 1024 ? "tiles of 1024" : "tiles of 2048";
        row.size = size;
        row.threads = 1;
        row.less = true;
        bench_add(rows, row);
    }
    return CLI_DONE;
}

cli_status bench_tiles_at(int32_t size, bench_rows* rows)
{
    return tiles_rows(size, size <= 2048 ? 512 : size <= 8192 ? 1024 : 2048, rows);
}

cli_status bench_tiles(bool full, bench_rows* rows)
{
    CLI_TRY(bench_tiles_at(2048, rows));
    return full ? bench_tiles_at(TILES_WHOLE, rows) : CLI_DONE;
}
