// SPDX-License-Identifier: MIT
// A plain priority flood (Barnes et al. 2014) that shares nothing with the library's own.
#pragma once

#include <stdint.h>

// Level that water would stand at in every cell, with open borders [m]. `out` and `heights` hold
// width x height values.
void flooding_levels(const float* heights, int32_t width, int32_t height, float* out);

// Cells that stand more than `depth` below their flood level.
int64_t flooding_closed_cells(const float* heights, const float* levels, int64_t cells,
                              double depth);
