// SPDX-License-Identifier: MIT
#include "window/tiling.h"

#include "core/radix_heap.h"

#include <math.h>
#include <string.h>

int32_t wadi_tile_type_bytes(wadi_tile_type type)
{
    return type == WADI_TILE_INT8                                 ? 1
           : type == WADI_TILE_FLOAT64 || type == WADI_TILE_INT64 ? 8
                                                                  : 4;
}

// ---- a map in memory ---------------------------------------------------------------------

static char* tiling_row(const wadi_tile_array* array, const wadi_tile* tile, int32_t y)
{
    return (char*)array->cells +
           ((ptrdiff_t)(tile->y + y) * array->stride + tile->x) * wadi_tile_type_bytes(array->type);
}

static wadi_result tiling_read_array(const wadi_tile* tile, void* cells, void* user)
{
    const wadi_tile_array* array = user;
    const size_t row = (size_t)tile->width * (size_t)wadi_tile_type_bytes(array->type);
    for (int32_t y = 0; y < tile->height; ++y)
    {
        memcpy((char*)cells + (size_t)y * row, tiling_row(array, tile, y), row);
    }
    return WADI_OK;
}

static wadi_result tiling_write_array(const wadi_tile* tile, const void* cells, void* user)
{
    const wadi_tile_array* array = user;
    const size_t row = (size_t)tile->width * (size_t)wadi_tile_type_bytes(array->type);
    for (int32_t y = 0; y < tile->height; ++y)
    {
        memcpy(tiling_row(array, tile, y), (const char*)cells + (size_t)y * row, row);
    }
    return WADI_OK;
}

wadi_tile_layer wadi_tile_layer_of(wadi_tile_array* array)
{
    return (wadi_tile_layer){array->type, tiling_read_array, tiling_write_array, array};
}

// ---- geometry ----------------------------------------------------------------------------

static int32_t tiling_least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

tiling_frame wadi_tiling_frame(const tiling_grid* grid, int64_t index)
{
    const int32_t x = (int32_t)(index % grid->columns) * grid->of.tile;
    const int32_t y = (int32_t)(index / grid->columns) * grid->of.tile;
    tiling_frame frame = {
        .tile = {x, y, tiling_least(grid->of.tile, grid->of.width - x),
                 tiling_least(grid->of.tile, grid->of.height - y)},
        .index = index,
    };
    frame.stride = frame.tile.width + 2;
    for (int k = 0; k < 8; ++k)
    {
        frame.step[k] = tiling_south[k] * frame.stride + tiling_east[k];
    }
    return frame;
}

static bool tiling_wrap_one(int32_t* at, int32_t size, bool wraps)
{
    if (wraps)
    {
        *at = (*at + size) % size;
    }
    return *at >= 0 && *at < size;
}

bool wadi_tiling_wrap(const tiling_grid* grid, int32_t* x, int32_t* y)
{
    return tiling_wrap_one(x, grid->of.width, grid->wraps_x) &&
           tiling_wrap_one(y, grid->of.height, grid->wraps_y);
}

int64_t wadi_tiling_tile_of(const tiling_grid* grid, int32_t x, int32_t y)
{
    return (int64_t)(y / grid->of.tile) * grid->columns + x / grid->of.tile;
}

// ---- input and output --------------------------------------------------------------------

static int64_t tiling_bytes(const wadi_tile_layer* layer, const tiling_frame* frame)
{
    return (int64_t)frame->tile.width * frame->tile.height * wadi_tile_type_bytes(layer->type);
}

wadi_result wadi_tiling_read(wadi_tiles* tiles, const wadi_tile_layer* layer,
                             const tiling_frame* frame)
{
    tiles->work.bytes_read += tiling_bytes(layer, frame);
    return layer->read(&frame->tile, tiles->raw, layer->user);
}

wadi_result wadi_tiling_write(wadi_tiles* tiles, const wadi_tile_layer* layer,
                              const tiling_frame* frame)
{
    tiles->work.bytes_written += tiling_bytes(layer, frame);
    return layer->write(&frame->tile, tiles->raw, layer->user);
}

static void tiling_float_keys(const float* from, int32_t count, uint32_t* keys)
{
    for (int32_t x = 0; x < count; ++x)
    {
        keys[x] = isnan(from[x]) ? TILING_VOID : wadi_radix_key(from[x]);
    }
}

static void tiling_int_keys(const int32_t* from, int32_t count, uint32_t* keys)
{
    for (int32_t x = 0; x < count; ++x)
    {
        keys[x] = (uint32_t)from[x] ^ 0x80000000u; // INT32_MAX becomes TILING_VOID
    }
}

void wadi_tiling_keys(const wadi_tiles* tiles, wadi_tile_type type, const tiling_frame* frame,
                      uint32_t* keys)
{
    for (int32_t y = 0; y < frame->tile.height; ++y)
    {
        const ptrdiff_t at = (ptrdiff_t)y * frame->tile.width;
        uint32_t* row = keys + tiling_at(frame, 0, y);
        if (type == WADI_TILE_FLOAT32)
        {
            tiling_float_keys((const float*)tiles->raw + at, frame->tile.width, row);
        }
        else
        {
            tiling_int_keys((const int32_t*)tiles->raw + at, frame->tile.width, row);
        }
    }
}

float wadi_tiling_float_of(uint32_t key)
{
    return key >= TILING_FAR
               ? NAN
               : wadi_float_of_bits((key & 0x80000000u) != 0 ? key ^ 0x80000000u : ~key);
}

// ---- life --------------------------------------------------------------------------------

static wadi_result tiling_check_sizes(wadi_context* context, const wadi_tiling* tiling)
{
    WADI_CHECK(context,
               tiling->width >= 1 && tiling->width <= 1 << 20 && tiling->height >= 1 &&
                   tiling->height <= 1 << 20,
               WADI_ERROR_RANGE, "a tiling of %d x %d cells: each side must be 1..1048576",
               (int)tiling->width, (int)tiling->height);
    WADI_CHECK(context, tiling->tile >= 8 && tiling->tile <= 16384, WADI_ERROR_RANGE,
               "tiles of %d cells along each side: it must be 8..16384", (int)tiling->tile);
    return WADI_OK;
}

static wadi_result tiling_check_edges(wadi_context* context, const wadi_edge edges[4])
{
    for (int side = 0; side < 4; ++side)
    {
        WADI_CHECK(
            context, (int)edges[side] >= 0 && edges[side] < WADI_EDGE_COUNT, WADI_ERROR_ARGUMENT,
            "unknown edge %d; expected open (0), closed (1) or periodic (2)", (int)edges[side]);
        WADI_CHECK(
            context,
            (edges[side] == WADI_EDGE_PERIODIC) == (edges[(side + 2) % 4] == WADI_EDGE_PERIODIC),
            WADI_ERROR_ARGUMENT, "a periodic edge needs its opposite edge to be periodic too");
    }
    return WADI_OK;
}

static tiling_grid tiling_grid_of(const wadi_tiling* tiling)
{
    const int32_t t = tiling->tile;
    const int32_t larger = tiling->width > tiling->height ? tiling->width : tiling->height;
    tiling_grid grid = {
        .of = *tiling,
        .columns = (tiling->width + t - 1) / t,
        .rows = (tiling->height + t - 1) / t,
        .side = tiling_least(t, larger),
        .wraps_x = tiling->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC,
        .wraps_y = tiling->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC,
    };
    grid.tiles = (int64_t)grid.columns * grid.rows;
    return grid;
}

wadi_result wadi_tiles_create(wadi_context* context, const wadi_tiling* tiling, wadi_tiles** out)
{
    *out = NULL;
    WADI_TRY(tiling_check_sizes(context, tiling));
    WADI_TRY(tiling_check_edges(context, tiling->edges));
    wadi_tiles* tiles;
    WADI_ALLOC(context, tiles, 1, "a tiling");
    tiles->context = context;
    tiles->grid = tiling_grid_of(tiling);
    const size_t cells = (size_t)tiles->grid.side * (size_t)tiles->grid.side;
    tiles->raw = wadi_alloc(context, cells, sizeof(double));
    if (tiles->raw == NULL)
    {
        wadi_free(context, tiles);
        return wadi_fail_memory(context, cells * sizeof(double), "a tile");
    }
    *out = tiles;
    return WADI_OK;
}

void wadi_tiles_destroy(wadi_tiles* tiles)
{
    if (tiles != NULL)
    {
        wadi_rings_destroy(tiles, &tiles->level);
        wadi_rings_destroy(tiles, &tiles->direction);
        wadi_free(tiles->context, tiles->raw);
        wadi_free(tiles->context, tiles);
    }
}

wadi_tiles_work wadi_tiles_work_of(const wadi_tiles* tiles)
{
    return tiles->work;
}
