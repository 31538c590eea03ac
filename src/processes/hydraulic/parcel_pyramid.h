// SPDX-License-Identifier: MIT
// Coarse to fine. A signal travels about a cell per batch, so the valleys of a large map are cut on
// coarse grids first; each level passes its change of rock and sediment to the next finer one.
#pragma once

#include "processes/hydraulic/parcel.h"

// The same land on cells twice as large: means over the valid cells of 2 x 2.
wadi_result wadi_parcel_coarsen(const wadi_terrain* fine, wadi_terrain** out);

// Means of a map over the same 2 x 2 cells.
wadi_result wadi_parcel_coarsen_map(const wadi_terrain* fine, const float* map, float** out);

// Change of the ground by a level, in units of its own cells.
typedef struct parcel_change
{
    int32_t* rock;     // <= 0
    int32_t* sediment; // of either sign
} parcel_change;

wadi_result wadi_parcel_change_take(const wadi_terrain* now, const wadi_terrain* before,
                                    parcel_change* out);
void wadi_parcel_change_free(wadi_context* context, parcel_change* change);

// Apply a coarse change to the terrain on cells half as large, with take and put. `wear` and
// `deposit` sum the gross lowering and raising of each cell; both may be NULL.
wadi_result wadi_parcel_refine(wadi_terrain* fine, const wadi_terrain* coarse,
                               const parcel_change* change, int32_t* wear, int32_t* deposit,
                               wadi_tally* tally);
