// SPDX-License-Identifier: MIT
// Resampling of a grid onto another one of the same extent.
#pragma once

#include <stdint.h>

// Resample to `to_width x to_height` values: linear interpolation when enlarging, weighted mean
// when shrinking. Cells without data (NaN) have weight 0; a new cell has no data if more than half
// of its weight falls on such cells.
void wadi_io_stretch(const float* from, int32_t from_width, int32_t from_height, float* to,
                     int32_t to_width, int32_t to_height);
