// SPDX-License-Identifier: MIT
// A tile of ground with the two rows and columns around it, as the kernels read it: edges and
// missing cells have become heights.
#pragma once

#include "talus/talus.h"
#include "talus/talus_kernels.h"

enum
{
    TALUS_HALO = 2,    // cells that give need their neighbours' neighbours
    TALUS_MARGIN = 16, // columns in front of a patch's column 0; a vector
    TALUS_PATCH_STRIDE = TALUS_MARGIN + WADI_TALUS_TILE_WIDTH + 2 * TALUS_LANES,
    TALUS_PATCH_ROWS = WADI_TALUS_TILE_ROWS + 2 * TALUS_HALO,
    TALUS_PATCH_CELLS = TALUS_PATCH_ROWS * TALUS_PATCH_STRIDE
};

// Cells of one tile: [x, x + width) x [y, y + height) of the grid.
typedef struct talus_tile
{
    int32_t x;
    int32_t y;
    int32_t width;
    int32_t height;
} talus_tile;

// Slopes of the law, in units of height per cell.
typedef struct talus_scale
{
    double cell;      // units of height in the width of a cell
    float widening;   // tangent of the hysteresis
    float hold;       // where sliding ends, without `tangents`
    float start;      // where it begins
    float rock_hold;  // where rock stops breaking
    float rock_start; // where it begins
} talus_scale;

// Column c and row r of the tile are at [(r + TALUS_HALO) * TALUS_PATCH_STRIDE + TALUS_MARGIN + c].
typedef struct talus_patch
{
    int32_t surface[TALUS_PATCH_CELLS]; // [units] above the tile's first cell
    int32_t change[TALUS_PATCH_CELLS];  // [units]
    float loose[TALUS_PATCH_CELLS];     // [units]; 0 in cells that are not there
    float hold[TALUS_PATCH_CELLS];      // [units/cell], in use with `tangents` only
    float start[TALUS_PATCH_CELLS];
    float slope[TALUS_PATCH_STRIDE];                        // of one row
    int32_t flux[TALUS_NEIGHBOURS + 1][TALUS_PATCH_STRIDE]; // of one row; the last: all given
    uint32_t stale;                                         // vectors of `flux` that are not 0
    uint32_t
        awake[WADI_TALUS_TILE_ROWS + 2]; // rows -1 to height: vectors to look at, see talus_wake.h
    uint64_t cleared; // rows of `change` that are in use, from row -TALUS_HALO on
    uint64_t changed; // those that something moves in
    bool crosses;     // the last move: something may go to or come from another tile
} talus_patch;

static inline int32_t talus_patch_index(int32_t column, int32_t row)
{
    return (row + TALUS_HALO) * TALUS_PATCH_STRIDE + TALUS_MARGIN + column;
}

// What all tiles of a sweep share.
typedef struct talus_setting
{
    const wadi_ground* ground;
    const wadi_talus_law* law;
    const talus_kernels* kernels;
    talus_scale scale;
} talus_setting;

// Read the rows of a tile, and around it, that `awake` needs, or `all` of them.
void talus_patch_load(talus_patch* patch, const talus_setting* setting, const talus_tile* tile,
                      bool all);

// Work out the changes of a patch that has been loaded, from all rows that may give to its tile;
// `breaks` (by tile, NULL: rock holds) is how much rock breaks. True when something moves or
// breaks.
bool talus_patch_move(talus_patch* patch, const talus_setting* setting, const talus_tile* tile,
                      int32_t* breaks);

// Then: book what has crossed open edges.
void talus_patch_book_leaving(const talus_patch* patch, const talus_setting* setting,
                              const talus_tile* tile, wadi_tally* tally);
