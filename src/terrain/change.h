// SPDX-License-Identifier: MIT
// Changing part of a layer, for brushes and edits.
#pragma once

#include <wadi/terrain.h>

// Add `change` (width x height, metres or share) to a layer. Cells whose change is 0 keep their
// bits; void cells stay void. Thicknesses are clamped at 0, shares to [0, 1]; a change of the
// surface moves the bedrock. The difference is booked as an edit. Fails with WADI_ERROR_RANGE where
// a height would leave its range: the message names the first such cell and nothing is changed.
wadi_result wadi_terrain_change_layer(wadi_terrain* terrain, wadi_layer layer,
                                      const double* change);
