// SPDX-License-Identifier: MIT
// Wear a range by stream power on tiles in files, with one tile in memory at a time.
#include <wadi/wadi.h>

#include <stdio.h>
#include <stdlib.h>

enum
{
    SIZE = 600, // of the whole grid [cells]
    TILE = 128
};

// A map in a file, tile after tile.
typedef struct map
{
    FILE* file;
    int32_t bytes; // of a cell
} map;

static int seek(const map* m, const wadi_tile* tile)
{
    const long columns = (SIZE + TILE - 1) / TILE;
    const long index = tile->y / TILE * columns + tile->x / TILE;
    return fseek(m->file, index * TILE * TILE * m->bytes, SEEK_SET);
}

static wadi_result read_tile(const wadi_tile* tile, void* cells, void* user)
{
    const map* m = user;
    const size_t count = (size_t)tile->width * (size_t)tile->height;
    const int done = seek(m, tile) == 0 && fread(cells, (size_t)m->bytes, count, m->file) == count;
    return done ? WADI_OK : WADI_ERROR_IO;
}

static wadi_result write_tile(const wadi_tile* tile, const void* cells, void* user)
{
    const map* m = user;
    const size_t count = (size_t)tile->width * (size_t)tile->height;
    const int done = seek(m, tile) == 0 && fwrite(cells, (size_t)m->bytes, count, m->file) == count;
    return done ? WADI_OK : WADI_ERROR_IO;
}

static wadi_tile_layer layer_of(map* m, wadi_tile_type type)
{
    *m = (map){.file = tmpfile(), .bytes = wadi_tile_type_bytes(type)};
    return (wadi_tile_layer){type, read_tile, write_tile, m};
}

// A dome with furrows [m], one tile after the other.
static wadi_result fill(const wadi_tile_layer* ground)
{
    static float cells[TILE * TILE];
    wadi_result result = WADI_OK;
    for (wadi_tile t = {0, 0, 0, 0}; t.y < SIZE && result == WADI_OK; t.x += TILE)
    {
        t.width = SIZE - t.x < TILE ? SIZE - t.x : TILE;
        t.height = SIZE - t.y < TILE ? SIZE - t.y : TILE;
        for (int32_t i = 0; i < t.width * t.height; ++i)
        {
            const int32_t x = t.x + i % t.width;
            const int32_t y = t.y + i / t.width;
            cells[i] = 1e-5f * (float)(x * (SIZE - x)) * (float)(y * (SIZE - y)) / (float)SIZE +
                       (float)((x * 7 + y * 3) % 11);
        }
        result = ground->write(&t, cells, ground->user);
        if (t.x + TILE >= SIZE)
        {
            t.x = -TILE;
            t.y += TILE;
        }
    }
    return result;
}

int main(void)
{
    map maps[4];
    wadi_tile_layer ground = layer_of(&maps[0], WADI_TILE_FLOAT32);
    wadi_tile_layer worn = layer_of(&maps[1], WADI_TILE_FLOAT32);
    const wadi_tile_layer levels = layer_of(&maps[2], WADI_TILE_FLOAT32);
    const wadi_tile_layer ways = layer_of(&maps[3], WADI_TILE_INT8);
    wadi_context* context;
    wadi_tiles* tiles = NULL;
    wadi_result result = wadi_context_create(NULL, &context);
    const wadi_tiling tiling = {.width = SIZE, .height = SIZE, .tile = TILE};
    result = result == WADI_OK ? wadi_tiles_create(context, &tiling, &tiles) : result;
    result = result == WADI_OK ? fill(&ground) : result;
    for (int step = 0; step < 5 && result == WADI_OK; ++step)
    {
        // a tilt of one float between cells: each cell has a lower neighbour
        result = wadi_tiles_flood(tiles, &(wadi_tiles_flood_job){ground, levels, 1, 1});
        const wadi_tiles_route_job route = {
            .levels = levels, .directions = ways, .law = WADI_TILES_LOWEST};
        result = result == WADI_OK ? wadi_tiles_route(tiles, &route) : result;
        const wadi_tiles_drain_job drain = {.directions = ways,
                                            .dx = 30.0,
                                            .dy = 30.0,
                                            .power = {.erodibility = 2e-5,
                                                      .area_exponent = 0.5,
                                                      .years = 20000.0,
                                                      .ground = ground,
                                                      .eroded = worn}};
        result = result == WADI_OK ? wadi_tiles_drain(tiles, &drain) : result;
        const wadi_tile_layer last = ground;
        ground = worn;
        worn = last;
    }
    const double cells = (double)SIZE * (double)SIZE;
    if (result == WADI_OK)
    {
        const wadi_tiles_work work = wadi_tiles_work_of(tiles);
        printf("%.0f bytes a cell moved, %.2f in memory\n",
               (double)(work.bytes_read + work.bytes_written) / cells,
               (double)wadi_memory_peak(context) / cells);
    }
    else
    {
        printf("failed: %s\n", wadi_error_detail(context));
    }
    wadi_tiles_destroy(tiles);
    wadi_context_destroy(context);
    for (int i = 0; i < 4; ++i)
    {
        fclose(maps[i].file);
    }
    return result == WADI_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
