// SPDX-License-Identifier: MIT
// The sea of elevation models without depths.
#pragma once

#include "terrain/ground.h"

// Set `unknown` to 1 in cells of a sea of unknown depth, which lie exactly at the level, and to 0
// elsewhere. `queue` has room for all cells.
void wadi_coast_find_depthless(const wadi_ground* ground, int32_t level, int32_t* queue,
                               uint8_t* unknown);
