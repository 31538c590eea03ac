// SPDX-License-Identifier: MIT
// Which stretches of rows a sweep must look at: those where the sweep before it changed a cell or
// its neighbour. All others were looked at and rest. On a field of dunes a sweep changes one
// stretch in twenty-five.
#pragma once

#include "talus/talus_patch.h"

#define TALUS_AWAKE_ALL UINT32_MAX

// What the last sweep changed, by tile and row of the tile: bit b is for the columns from
// b x TALUS_LANES of the tile on.
typedef struct talus_stir
{
    uint8_t* bits;
    int32_t width; // of the grid [cells]
    int32_t height;
    int32_t columns; // of tiles
    int32_t rows;
} talus_stir;

// The bits of a row of `width` changes.
uint8_t talus_stir_of(const int32_t* change, int32_t width);

// For rows -1 to height of a tile: bit g says that the kernel must look at its vector g, which
// begins at column g x TALUS_LANES - 1 of the tile. False: no row is awake.
bool talus_wake(const talus_stir* stir, const talus_tile* tile,
                uint32_t awake[WADI_TALUS_TILE_ROWS + 2]);
