// SPDX-License-Identifier: MIT
// Resampling of a grid onto another one of the same extent.
#pragma once

#include <stdint.h>

// Fill `to_width x to_height` values: linear between the nearest centres when growing, a weighted
// mean of the cells around when shrinking. Cells without data (NaN) do not bleed: they have no
// weight, and a new cell is without data when more than half of its weight has none.
void wadi_io_stretch(const float* from, int32_t from_width, int32_t from_height, float* to,
                     int32_t to_width, int32_t to_height);
