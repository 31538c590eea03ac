// SPDX-License-Identifier: MIT
// Selects the groups of cells that a sweep must process: those with a cell that gave matter in the
// previous sweep, or that changed, or that lies beside a cell that changed. All others are stable.
// A cell on a long slope may give as much as it gets, sweep after sweep: without the first
// condition its flux would stop where no neighbour changes, and results would depend on how cells
// are grouped. On a field of dunes a sweep changes one group in twenty-five.
#pragma once

#include "laws/slopes/talus_patch.h"

// Marks of the last sweep, by tile and row of the tile.
typedef struct talus_stir
{
    uint8_t* any;  // all of a save
    uint8_t* west; // after a restart all groups of `any`, which costs needless looks only
    uint8_t* east;
    int32_t width; // of the grid [cells]
    int32_t height;
    int32_t columns; // of tiles
    int32_t rows;
} talus_stir;

// True if a value of a row of `width` values is not 0.
bool wadi_talus_stir_any(const int32_t* values, int32_t width);
// Find the vectors of rows -1 to height that must be processed: patch->awake, see
// talus_vectors_of(). Returns false if there are none. `exact`: all cells that these marks leave
// asleep are known to be stable. Otherwise some that a caller did not report may be steep, and
// results depend on which cells are looked at. These are those of the coarse vectors beside a
// marked group: coarse vector g begins at column g x TALUS_LANES - 1, patch->coarse has their bits.
bool wadi_talus_wake(const talus_stir* stir, const talus_tile* tile, bool exact,
                     talus_patch* patch);
