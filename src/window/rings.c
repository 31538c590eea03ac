// SPDX-License-Identifier: MIT
// Values along the borders of tiles: all that one tile sees of another.
#include "window/tiling.h"

#include <string.h>

wadi_result wadi_rings_create(wadi_tiles* tiles, int32_t bytes, tiling_rings* rings)
{
    wadi_rings_destroy(tiles, rings);
    WADI_ALLOC(tiles->context, rings->values,
               tiles->grid.tiles * 4 * (int64_t)tiles->grid.side * bytes, "the borders of tiles");
    rings->bytes = bytes;
    return WADI_OK;
}

void wadi_rings_destroy(wadi_tiles* tiles, tiling_rings* rings)
{
    wadi_free(tiles->context, rings->values);
    *rings = (tiling_rings){0};
}

// North row, south row, west column, east column; a corner has its place in a row.
int32_t wadi_rings_slot(const tiling_grid* grid, const wadi_tile* tile, int32_t x, int32_t y)
{
    return y == 0                  ? x
           : y == tile->height - 1 ? grid->side + x
           : x == 0                ? 2 * grid->side + y
                                   : 3 * grid->side + y;
}

void wadi_rings_place(const tiling_grid* grid, const wadi_tile* tile, int32_t slot, int32_t* x,
                      int32_t* y)
{
    const int32_t part = slot / grid->side;
    const int32_t along = slot % grid->side;
    *x = part < 2 ? along : part == 2 ? 0 : tile->width - 1;
    *y = part == 0 ? 0 : part == 1 ? tile->height - 1 : along;
}

void* wadi_rings_at(const tiling_grid* grid, const tiling_rings* rings, int32_t x, int32_t y)
{
    const int64_t index = wadi_tiling_tile_of(grid, x, y);
    const tiling_frame frame = wadi_tiling_frame(grid, index);
    return rings_value(grid, rings, index,
                       wadi_rings_slot(grid, &frame.tile, x - frame.tile.x, y - frame.tile.y));
}

bool wadi_rings_next(const tiling_frame* frame, rings_walk* walk)
{
    const int32_t w = frame->tile.width;
    if (!walk->started)
    {
        walk->started = true;
        return true;
    }
    const bool is_row = walk->y == 0 || walk->y == frame->tile.height - 1;
    walk->x += is_row || w == 1 ? 1 : w - 1;
    if (walk->x >= w)
    {
        walk->x = 0;
        walk->y += 1;
    }
    return walk->y < frame->tile.height;
}

void wadi_rings_save(const tiling_grid* grid, const tiling_rings* rings, const tiling_frame* frame,
                     const void* padded)
{
    const size_t bytes = (size_t)rings->bytes;
    for (rings_walk at = {0}; wadi_rings_next(frame, &at);)
    {
        memcpy(
            rings_value(grid, rings, frame->index, wadi_rings_slot(grid, &frame->tile, at.x, at.y)),
            (const char*)padded + (size_t)tiling_at(frame, at.x, at.y) * bytes, bytes);
    }
}

// What a ghost cell beyond the grid gets.
static const void* rings_beyond(const tiling_grid* grid, int32_t x, int32_t y, const void* open,
                                const void* closed)
{
    const wadi_edge* edges = grid->of.edges;
    const bool is_open = (x < 0 && edges[WADI_SIDE_WEST] == WADI_EDGE_OPEN) ||
                         (x >= grid->of.width && edges[WADI_SIDE_EAST] == WADI_EDGE_OPEN) ||
                         (y < 0 && edges[WADI_SIDE_NORTH] == WADI_EDGE_OPEN) ||
                         (y >= grid->of.height && edges[WADI_SIDE_SOUTH] == WADI_EDGE_OPEN);
    return is_open ? open : closed;
}

static const void* rings_ghost(const tiling_grid* grid, const tiling_rings* rings, int32_t x,
                               int32_t y, const void* open, const void* closed)
{
    return wadi_tiling_wrap(grid, &x, &y) ? wadi_rings_at(grid, rings, x, y)
                                          : rings_beyond(grid, x, y, open, closed);
}

void wadi_rings_load(const tiling_grid* grid, const tiling_rings* rings, const tiling_frame* frame,
                     const void* open, const void* closed, void* padded)
{
    const size_t bytes = (size_t)rings->bytes;
    const wadi_tile* tile = &frame->tile;
    for (int32_t y = -1; y <= tile->height; ++y)
    {
        const bool is_row = y == -1 || y == tile->height;
        for (int32_t x = -1; x <= tile->width; x += is_row ? 1 : tile->width + 1)
        {
            memcpy((char*)padded + (size_t)tiling_at(frame, x, y) * bytes,
                   rings_ghost(grid, rings, tile->x + x, tile->y + y, open, closed), bytes);
        }
    }
}
