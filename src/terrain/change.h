// SPDX-License-Identifier: MIT
// Changing part of a layer, for brushes, rectangles and edits of scenes.
#pragma once

#include <wadi/edit.h>

// The layer of a cell, exactly [m or share].
double wadi_terrain_value(const wadi_terrain* terrain, wadi_layer layer, int64_t cell);

// Weight of a point `depth` metres inside an outline whose rim is `soft` metres wide: 0 on the
// outline and outside, 1 behind the rim, with a continuous slope at both ends.
double wadi_edit_weight(double depth, double soft);

// Change of a cell of value `now` at full weight, for every verb but SMOOTH.
double wadi_edit_change(wadi_edit_verb verb, double now, double amount);

// Change of a cell for the verb SMOOTH: a share of the way to the mean of its valid neighbours,
// over periodic edges too; 0 if it has none.
double wadi_edit_smooth(const wadi_terrain* terrain, wadi_layer layer, int64_t cell, double share);

// Index of a cell of a rectangle that may begin up to one grid outside and leave it on the far
// side: there the grid repeats.
int64_t wadi_terrain_wrap(const wadi_terrain* terrain, int32_t column, int32_t row);

// Add `change` (metres or share, row by row) to a layer of a rectangle; see wadi_terrain_wrap().
// Cells whose change is 0 keep their bits; void cells stay void. Thicknesses are clamped at 0,
// shares to [0, 1]; a change of the surface moves the bedrock. The difference is booked as an edit.
// Fails with WADI_ERROR_RANGE where a height would leave its range: the message names the first
// such cell and nothing is changed.
wadi_result wadi_terrain_change_rectangle(wadi_terrain* terrain, wadi_layer layer,
                                          wadi_rectangle rectangle, const double* change);
// The same for the whole layer.
wadi_result wadi_terrain_change_layer(wadi_terrain* terrain, wadi_layer layer,
                                      const double* change);
