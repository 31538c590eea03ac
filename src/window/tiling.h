// SPDX-License-Identifier: MIT
// A grid of tiles, one tile with a ring of ghost cells around it, and reading and writing of tiles.
#pragma once

#include "core/internal.h"

#include <wadi/tiles.h>

// Order of heights as unsigned numbers.
#define TILING_VOID UINT32_MAX       // no data
#define TILING_FAR (UINT32_MAX - 1u) // not reached yet; also a cell beyond a closed border

static const int8_t tiling_east[8] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int8_t tiling_south[8] = {0, -1, -1, -1, 0, 1, 1, 1};

typedef struct tiling_grid
{
    wadi_tiling of;
    int32_t columns; // of tiles
    int32_t rows;
    int64_t tiles;
    int32_t side; // of the largest tile [cells]
    bool wraps_x;
    bool wraps_y;
} tiling_grid;

// A tile and the layout of its padded arrays: one ghost cell on each side.
typedef struct tiling_frame
{
    wadi_tile tile;
    int64_t index;     // of the tile
    ptrdiff_t stride;  // width + 2
    ptrdiff_t step[8]; // padded offsets of the neighbours
} tiling_frame;

// Values of the cells along the border of each tile.
typedef struct tiling_rings
{
    int32_t bytes; // of a value; 0: not allocated
    unsigned char* values;
} tiling_rings;

struct wadi_tiles
{
    wadi_context* context;
    tiling_grid grid;
    tiling_rings level;     // keys of levels, by the flood
    tiling_rings direction; // by the routing
    wadi_tiles_work work;
    void* raw; // cells of one tile, as a layer has them
};

static inline ptrdiff_t tiling_at(const tiling_frame* frame, int32_t x, int32_t y)
{
    return (ptrdiff_t)(y + 1) * frame->stride + x + 1;
}

static inline ptrdiff_t tiling_padded(const tiling_frame* frame)
{
    return frame->stride * (frame->tile.height + 2);
}

// Padded cells of the largest tile.
static inline int64_t tiling_most(const tiling_grid* grid)
{
    return (int64_t)(grid->side + 2) * (grid->side + 2);
}

static inline bool tiling_is_inside(const tiling_frame* frame, int32_t x, int32_t y)
{
    return x >= 0 && x < frame->tile.width && y >= 0 && y < frame->tile.height;
}

tiling_frame wadi_tiling_frame(const tiling_grid* grid, int64_t index);

// Wrap a cell of the whole grid across periodic borders; false if it lies outside.
bool wadi_tiling_wrap(const tiling_grid* grid, int32_t* x, int32_t* y);
int64_t wadi_tiling_tile_of(const tiling_grid* grid, int32_t x, int32_t y);

// Read a tile into `tiles->raw`, and write it from there.
wadi_result wadi_tiling_read(wadi_tiles* tiles, const wadi_tile_layer* layer,
                             const tiling_frame* frame);
wadi_result wadi_tiling_write(wadi_tiles* tiles, const wadi_tile_layer* layer,
                              const tiling_frame* frame);

// Heights in `tiles->raw` as ordered keys, into a padded array.
void wadi_tiling_keys(const wadi_tiles* tiles, wadi_tile_type type, const tiling_frame* frame,
                      uint32_t* keys);
float wadi_tiling_float_of(uint32_t key);
static inline int32_t tiling_int_of(uint32_t key)
{
    return (int32_t)(key ^ 0x80000000u);
}

// ---- rings -------------------------------------------------------------------------------

wadi_result wadi_rings_create(wadi_tiles* tiles, int32_t bytes, tiling_rings* rings);
void wadi_rings_destroy(wadi_tiles* tiles, tiling_rings* rings);

// Number of a border cell within its tile, by its place there.
int32_t wadi_rings_slot(const tiling_grid* grid, const wadi_tile* tile, int32_t x, int32_t y);
void wadi_rings_place(const tiling_grid* grid, const wadi_tile* tile, int32_t slot, int32_t* x,
                      int32_t* y);
static inline void* rings_value(const tiling_grid* grid, const tiling_rings* rings, int64_t tile,
                                int32_t slot)
{
    return rings->values +
           ((size_t)tile * 4 * (size_t)grid->side + (size_t)slot) * (size_t)rings->bytes;
}
// The value of a border cell of the whole grid.
void* wadi_rings_at(const tiling_grid* grid, const tiling_rings* rings, int32_t x, int32_t y);

// Copy the border cells of a padded array to the rings.
void wadi_rings_save(const tiling_grid* grid, const tiling_rings* rings, const tiling_frame* frame,
                     const void* padded);
// Set the ghost cells of a padded array: values of the neighbours, or beyond the grid `open` at an
// open border and `closed` at a closed one.
void wadi_rings_load(const tiling_grid* grid, const tiling_rings* rings, const tiling_frame* frame,
                     const void* open, const void* closed, void* padded);

// A walk along the border cells of a tile: each once.
typedef struct rings_walk
{
    int32_t x;
    int32_t y;
    bool started;
} rings_walk;
bool wadi_rings_next(const tiling_frame* frame, rings_walk* walk);
