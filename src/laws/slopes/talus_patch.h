// SPDX-License-Identifier: MIT
// A tile of ground with a halo of two cells, as the kernels read it: edges and voids have been
// replaced by heights.
#pragma once

#include "laws/slopes/talus.h"
#include "laws/slopes/talus_kernels.h"

enum
{
    TALUS_HALO = 2,    // fluxes from neighbours need their neighbours
    TALUS_MARGIN = 16, // columns before column 0 of a patch: one vector
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
    double cell;      // [units] width of a cell
    float widening;   // tangent of the hysteresis
    float hold;       // slope at which sliding stops, without `tangents`
    float start;      // slope at which it starts
    float rock_hold;  // slope at which rock stops failing
    float rock_start; // slope at which it starts
} talus_scale;

// Column c and row r of the tile are at [(r + TALUS_HALO) * TALUS_PATCH_STRIDE + TALUS_MARGIN + c].
typedef struct talus_patch
{
    int32_t surface[TALUS_PATCH_CELLS]; // [units] above the tile's first cell
    int32_t change[TALUS_PATCH_CELLS];  // [units]
    float loose[TALUS_PATCH_CELLS];     // [units]; 0 in missing cells
    float tangents[TALUS_PATCH_CELLS];  // of repose, if each cell has its own
    float hold[TALUS_PATCH_STRIDE];     // [units/cell] of one row; without tangents of all rows
    float start[TALUS_PATCH_STRIDE];
    float slope[TALUS_PATCH_STRIDE];                        // of one row
    int32_t flux[TALUS_NEIGHBOURS + 1][TALUS_PATCH_STRIDE]; // of one row; the last: sum of outflows
    uint32_t stale;                           // bits of vectors of `flux` that are not 0
    uint32_t awake[WADI_TALUS_TILE_ROWS + 2]; // rows -1 to height, see talus_wake.h
    uint64_t cleared;                    // bits of rows of `change` in use, from row -TALUS_HALO on
    uint32_t moved[TALUS_PATCH_ROWS];    // by row: bits of the vectors whose matter changes it
    uint8_t given[WADI_TALUS_TILE_ROWS]; // by row of the tile: stretches with cells that give
    bool crosses;                        // matter may have crossed the tile's border
} talus_patch;

static inline int32_t talus_patch_index(int32_t column, int32_t row)
{
    return (row + TALUS_HALO) * TALUS_PATCH_STRIDE + TALUS_MARGIN + column;
}

// Shared by all tiles of a sweep.
typedef struct talus_setting
{
    const wadi_ground* ground;
    const wadi_talus_law* law;
    const talus_kernels* kernels;
    talus_scale scale;
} talus_setting;

// Read the rows of a tile and its halo that `awake` needs, or `all` of them.
void wadi_talus_patch_load(talus_patch* patch, const talus_setting* setting, const talus_tile* tile,
                           bool all);

// Compute the changes of a loaded patch, from all rows that may slide into its tile. `breaks` (by
// tile, NULL: rock never fails) gets the amounts of failing rock. True if anything changes.
bool wadi_talus_patch_move(talus_patch* patch, const talus_setting* setting, const talus_tile* tile,
                           int32_t* breaks);

// Afterwards, book the outflow across open edges.
void wadi_talus_patch_book_leaving(const talus_patch* patch, const talus_setting* setting,
                                   const talus_tile* tile, wadi_tally* tally);
