// SPDX-License-Identifier: MIT
// Stamping by tiles. A worker owns a tile, follows the section of every path that can touch it, and
// sums stamps in a buffer that stays in cache. So no two workers write the same cell, and each cell
// in memory is written once a round.
#pragma once

#include "processes/articles/stamps/riverbed_path.h"
#include "processes/articles/stamps/riverbed_stamp.h"

enum
{
    // cells: a buffer of 320 kB at s = 3; at 128, overlap of margins is a fifth more work
    RIVERBED_TILE = 256
};

typedef struct riverbed_tiles
{
    int32_t width; // of the grid [cells]
    int32_t height;
    int32_t columns;
    int32_t rows;
    double size;      // s [cells]
    int32_t reach;    // ceil(s)
    int32_t stride;   // of a buffer: the tile with a margin on all sides
    int32_t** buffer; // by worker
    int32_t workers;
    uint8_t* touched; // by tile
    int64_t* sums;    // [parts] by cell of the grid
} riverbed_tiles;

wadi_result wadi_riverbed_tiles_create(wadi_context* context, const wadi_ground* ground,
                                       double size, riverbed_tiles* out);
void wadi_riverbed_tiles_destroy(wadi_context* context, riverbed_tiles* tiles);

// Add the stamps of paths to `sums`, and mark the tiles they touch.
void wadi_riverbed_tiles_stamp(wadi_context* context, riverbed_tiles* tiles,
                               const riverbed_orbit* orbit, const riverbed_path* paths,
                               int32_t count);

// Bounds of a tile in cells: from (x0, y0) up to, but not including, (x1, y1).
typedef struct riverbed_box
{
    int32_t x0;
    int32_t y0;
    int32_t x1;
    int32_t y1;
} riverbed_box;
riverbed_box wadi_riverbed_tiles_box(const riverbed_tiles* tiles, int64_t tile);
