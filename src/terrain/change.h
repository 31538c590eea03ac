// SPDX-License-Identifier: MIT
// Changing part of a layer: what brushes and edits need.
#pragma once

#include <wadi/terrain.h>

// Add `change` (width x height, metres or share) to a layer. A cell whose change is 0 keeps its
// bits, and void cells stay void. Thicknesses stop at 0 and shares at 0 and 1; a change of the
// surface moves the bedrock. The difference is booked as an edit. Fails with WADI_ERROR_RANGE,
// naming the first bad cell and changing nothing, where a height would leave its range.
wadi_result wadi_terrain_change_layer(wadi_terrain* terrain, wadi_layer layer,
                                      const double* change);
