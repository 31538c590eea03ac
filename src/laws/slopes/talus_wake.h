// SPDX-License-Identifier: MIT
// Selects the groups of cells that a sweep must process: those where in the previous sweep a cell
// or its neighbour changed, or gave matter. All others are stable. A cell on a long slope may give
// as much as it gets, sweep after sweep: without the second condition its flux would stop where no
// neighbour changes, and results would depend on how cells are grouped. On a field of dunes a sweep
// changes one group in twenty-five.
#pragma once

#include "laws/slopes/talus_patch.h"

#define TALUS_AWAKE_ALL UINT32_MAX

// Change bits of the last sweep, by tile and row of the tile: bit b covers the TALUS_LANES columns
// of the tile from b x TALUS_LANES on.
typedef struct talus_stir
{
    uint8_t* bits;
    int32_t width; // of the grid [cells]
    int32_t height;
    int32_t columns; // of tiles
    int32_t rows;
} talus_stir;

// Change bits of a row of `width` changes.
uint8_t wadi_talus_stir_of(const int32_t* change, int32_t width);
// The same where changes lie in some stretches only: bit g is group g.
uint8_t wadi_talus_stir_within(const int32_t* change, int32_t width, uint32_t stretches);

// Groups of columns that vectors with these bits may change: vector g begins a column before group
// g, and its matter goes a column farther.
static inline uint32_t wadi_talus_stretches(uint32_t vectors)
{
    return vectors | vectors >> 1;
}

// For rows -1 to height of a tile: bit g means that vector g, which begins at column g x
// TALUS_LANES - 1, must be processed. Returns false if no bit is set.
bool wadi_talus_wake(const talus_stir* stir, const talus_tile* tile,
                     uint32_t awake[WADI_TALUS_TILE_ROWS + 2]);
