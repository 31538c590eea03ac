// SPDX-License-Identifier: MIT
// Independent implementation of priority flood (Barnes et al. 2014), as a reference.
#pragma once

#include <stdint.h>

// Flood level of every cell, with open borders [m]. `out` and `heights` hold width x height values.
void flooding_levels(const float* heights, int32_t width, int32_t height, float* out);

// Number of cells more than `depth` below their flood level.
int64_t flooding_closed_cells(const float* heights, const float* levels, int64_t cells,
                              double depth);
