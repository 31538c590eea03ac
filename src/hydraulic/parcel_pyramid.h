// SPDX-License-Identifier: MIT
// Coarse to fine: signals travel at most about a cell a batch, so the valleys of a large map are
// cut on coarse grids first, and each level hands its change of rock and sediment to the finer
// ones.
#pragma once

#include "hydraulic/parcel.h"

// The same land on cells twice as large: means over the valid cells of 2 x 2.
wadi_result parcel_coarsen(const wadi_terrain* fine, wadi_terrain** out);

// Means of a map over the same 2 x 2 cells.
wadi_result parcel_coarsen_map(const wadi_terrain* fine, const float* map, float** out);

// What a level changed, in units of its own cells.
typedef struct parcel_change
{
    int32_t* rock;     // <= 0
    int32_t* sediment; // of either sign
} parcel_change;

wadi_result parcel_change_take(const wadi_terrain* now, const wadi_terrain* before,
                               parcel_change* out);
void parcel_change_free(wadi_context* context, parcel_change* change);

// Apply a coarse change to the terrain on cells half as large, through the verbs of the ground.
// `wear` and `deposit` gather the gross lowering and raising of each cell; both may be NULL.
wadi_result parcel_refine(wadi_terrain* fine, const wadi_terrain* coarse,
                          const parcel_change* change, int32_t* wear, int32_t* deposit,
                          wadi_tally* tally);
