// SPDX-License-Identifier: MIT
// Trunks: all cells on flow paths that enter a tile, down to where they leave it or end. The
// trunks of all tiles form a small graph that stays in memory; on noise it has 4 to 8 % of the
// cells. Water is added down this graph and heights are found up it, with the arithmetic of the
// whole grid, so a tile needs only the values at its borders.
//
// Stream power needs all trunk cells. Sums that are exact need only the nodes: cells that are
// entered from another tile, and confluences. The cells between two nodes are added to the first.
#pragma once

#include "window/tiling.h"

struct drainage_run;

// The nodes of the trunks of one tile.
typedef struct trunks_tile
{
    uint32_t count;
    double* sum;        // [m2] what the cell has without its open donors, then all; then z'
    uint32_t* receiver; // number in the same tile; or TRUNKS_LEAVES and the border slot; or
                        // TRUNKS_ENDS
    uint32_t* ground;   // z, in the bits of its layer; with stream power
    int32_t* row;       // of the whole grid, where the area or length of cells depends on it
    int8_t* direction;  // of the cell, or of the last one on the way to the receiver
    uint8_t* open;      // donors whose sums are not known: from other tiles or on trunks; when
                        // going up 1 for cells that are done
    uint8_t* items;     // one bit for each donor from the first open one on
    uint32_t* first;    // its items in `item`
    double* item;       // sums of these donors in the order of the directions
} trunks_tile;

#define TRUNKS_NONE UINT32_MAX
#define TRUNKS_ENDS (UINT32_MAX - 1u)
#define TRUNKS_BETWEEN (UINT32_MAX - 2u) // a trunk cell that is no node
#define TRUNKS_LEAVES 0x80000000u

typedef struct drainage_trunks
{
    trunks_tile* tiles;
    tiling_rings number; // of the trunk cell at a border cell; TRUNKS_NONE
    tiling_rings sum;    // [m2] final sums of the border cells that drain to another tile
    tiling_rings height; // [m] z' of the border cells that something enters
    bool ordered;        // sums depend on the order of the donors, by rounding
    bool all;            // all trunk cells are nodes
} drainage_trunks;

wadi_result wadi_trunks_create(struct drainage_run* run);
void wadi_trunks_destroy(struct drainage_run* run);

// Mark the trunk cells of a tile in `donors`.
void wadi_trunks_mark(struct drainage_run* run, const tiling_frame* frame);
// Keep them, after all other cells of the tile have been summed.
wadi_result wadi_trunks_keep(struct drainage_run* run, const tiling_frame* frame);
// Add the water down all trunks.
void wadi_trunks_add(struct drainage_run* run);
// Find the heights up all trunks.
wadi_result wadi_trunks_climb(struct drainage_run* run);
