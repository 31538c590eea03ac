// SPDX-License-Identifier: MIT
// Cells of a land of rupture surfaces that have changed, so that a box is asked in a few steps
// whether it holds one.
#pragma once

#include "laws/slopes/rupture.h"

typedef struct rupture_change
{
    const rupture_land* land;
    int32_t* sums; // changed cells to the west and north of a corner, (width + 1) x (height + 1)
} rupture_change;

wadi_result wadi_rupture_change_create(wadi_context* context, const rupture_land* land,
                                       rupture_change* out);
void wadi_rupture_change_destroy(wadi_context* context, rupture_change* change);
// Set the cells that have changed: those of a box (west, north, east, south, which may lie beyond
// the map) whose byte is not 0; `changed` NULL: all of the box.
void wadi_rupture_change_set(rupture_change* change, const int32_t box[4], const uint8_t* changed);
// Does a box, which may lie beyond the map, hold a cell that has changed?
bool wadi_rupture_changed(const rupture_change* change, const int32_t box[4]);
