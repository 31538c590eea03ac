// SPDX-License-Identifier: MIT
// Marks that a grid leaves on simulated ground: waves along its axes, lines parallel to its edges,
// and cells that alternate.
#pragma once

#include <stdint.h>

// Power of waves of 2.0 to 2.9 cells within 12 degrees of the grid's axes, over their power in all
// directions. 1: none stand out. `values` is a square; `size` a power of two. A Hann window is
// applied.
double grid_marks_axes(const float* values, int32_t size);
// Root mean square of these waves in all directions.
double grid_marks_rms(const float* values, int32_t size);

typedef struct grid_line
{
    double ratio; // over the rows 2 to 4 beside it
    double bend;  // mean second difference across the line
} grid_line;

// The strongest line 4, 8, 16 ... cells from the edges, in the mean over the four edges.
grid_line grid_marks_lines(const float* values, int32_t width, int32_t height);

// Share of the cells with over 0.3 m of sand that lie in runs of four or more cells along x or y,
// whose second differences alternate in sign and exceed 3 cm. The larger of both axes.
double grid_marks_alternating(const float* ground, const float* sand, int32_t width,
                              int32_t height);
