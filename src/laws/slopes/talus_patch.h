// SPDX-License-Identifier: MIT
// The memory of a worker for one tile, with a halo of two cells, and what the kernels read of rows
// of it beside the heights (talus_plane.h).
#pragma once

#include "laws/slopes/talus.h"
#include "laws/slopes/talus_kernels.h"

enum
{
    TALUS_HALO = 2,                 // fluxes from neighbours need their neighbours
    TALUS_MARGIN = 2 * TALUS_LANES, // columns before column 0 of a patch: two vectors
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

// Where a row of a tile has stirred, by groups of TALUS_LANES columns: bit g is group g. A group
// beside a stirred one sleeps on where the outer cells of that one are at rest.
typedef struct talus_marks
{
    uint8_t any;  // groups with a stirred cell
    uint8_t west; // groups of which one of the two western cells stirred
    uint8_t east; // likewise of the two eastern ones
} talus_marks;

// Column c and row r of the tile are at [(r + TALUS_HALO) * TALUS_PATCH_STRIDE + TALUS_MARGIN + c],
// column c of a row at [TALUS_MARGIN + c]. Vector v of a row begins at column (v - 1) x
// TALUS_LANES: the first one and the last one hold the columns beside the tile.
typedef struct talus_patch
{
    _Alignas(64) int32_t change[TALUS_PATCH_CELLS]; // [units]; 0 between tiles
    int32_t loose[TALUS_PATCH_STRIDE];  // [units] of one row, where the ground's own does not do
    float tangents[TALUS_PATCH_STRIDE]; // of repose, likewise
    float hold[TALUS_PATCH_STRIDE];     // [units/cell] of one row; without tangents of all rows
    float start[TALUS_PATCH_STRIDE];
    float slope[TALUS_PATCH_STRIDE];                        // of one row
    int32_t flux[TALUS_NEIGHBOURS + 1][TALUS_PATCH_STRIDE]; // of one row; the last: sum of outflows
    uint32_t stale;                            // bits of vectors of `flux` that are not 0
    uint32_t awake[WADI_TALUS_TILE_ROWS + 2];  // rows -1 to height, see talus_wake.h
    uint32_t coarse[WADI_TALUS_TILE_ROWS + 2]; // likewise
    uint32_t moved[TALUS_PATCH_ROWS];          // by row: bits of the vectors whose cells may change
    talus_marks gives[WADI_TALUS_TILE_ROWS];   // by row of the tile: cells that give
    int64_t tested; // vectors that the rough test has looked at in this sweep,
    int64_t steep;  // and those it has left
    bool crosses;   // matter may have crossed the tile's border
} talus_patch;

// The vector that holds a column.
static inline int32_t talus_vector_of(int32_t column)
{
    return column / TALUS_LANES + 1;
}

// Bits of all vectors of a tile and of the columns beside it.
static inline uint32_t talus_vectors_of(const talus_tile* tile)
{
    return (2u << talus_vector_of(tile->width)) - 1u;
}

static inline int32_t talus_patch_index(int32_t column, int32_t row)
{
    return (row + TALUS_HALO) * TALUS_PATCH_STRIDE + TALUS_MARGIN + column;
}

// A place along an axis that wraps.
static inline int32_t talus_wrap(int32_t i, int32_t size)
{
    return (i % size + size) % size;
}

// Shared by all tiles of a sweep.
typedef struct talus_setting
{
    const wadi_ground* ground;
    const wadi_talus_law* law;
    const talus_kernels* kernels;
    talus_scale scale;
    bool sieve; // leave out vectors that are not steep by a rough test
} talus_setting;

struct talus_plane;

// Loose matter of a cell [units].
static inline int32_t talus_loose_of(const wadi_ground* ground, int64_t cell)
{
    int32_t sum = 0;
    for (int32_t i = 0; i < ground->loose_count; ++i)
    {
        sum += ground->loose[i][cell];
    }
    return sum;
}

// Tangents of repose, and loose matter, of some vectors of a row, from the column of the first
// vector on. Columns that cannot slide into the tile may have none, and asleep cells have none.
const float* wadi_talus_patch_tangents(talus_patch* patch, const talus_setting* setting,
                                       const talus_tile* tile, int32_t row, uint32_t vectors);
const int32_t* wadi_talus_patch_loose(talus_patch* patch, const talus_setting* setting,
                                      const talus_tile* tile, int32_t row, uint32_t vectors);
// Clear the slopes of asleep cells in some vectors of a row.
void wadi_talus_patch_level(talus_patch* patch, int32_t row, uint32_t vectors);

// Compute the changes of a tile, from all rows that may slide into it. `breaks` (by tile, NULL:
// rock never fails) gets the amounts of failing rock. True if anything changes.
bool wadi_talus_patch_move(talus_patch* patch, const struct talus_plane* plane,
                           const talus_setting* setting, const talus_tile* tile, int32_t* breaks);

// Afterwards, book the outflow across open edges,
void wadi_talus_patch_book_leaving(const talus_patch* patch, const talus_setting* setting,
                                   const talus_tile* tile, wadi_tally* tally);

// and then take the changes out of the rows from -TALUS_HALO to TALUS_HALO beyond the last one.
// Those of a row of the tile go to `out`, for the vectors that slides reached. Returns which are
// not 0.
talus_marks wadi_talus_patch_take(talus_patch* patch, const talus_setting* setting,
                                  const talus_tile* tile, int32_t row, int32_t* out);
