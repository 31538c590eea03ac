// SPDX-License-Identifier: MIT
// How high the ground stands before the sky, seen from every cell in one direction.
#pragma once

#include "maps/render/relief.h"

// What a sweep works with: shared by all directions.
typedef struct render_horizon
{
    const render_relief* relief;
    float* rise;    // tangents of the horizon along the lines of the last sweep
    int32_t* whole; // by step along a line: rows (or columns) that the line has shifted, and the
    float* part;    // rest of it, in [0, 1)
    int32_t lines;  // of the last sweep
    int32_t first_line; // its number; lines are numbered by where they meet step 0
    ptrdiff_t line_stride;
    ptrdiff_t step_stride;
    bool steps_down; // steps follow rows; otherwise columns
} render_horizon;

wadi_result wadi_horizon_create(const render_relief* relief, render_horizon* out);
void wadi_horizon_destroy(render_horizon* horizon);

// Look from all cells towards (x, y) [columns, rows], a unit vector.
wadi_result wadi_horizon_sweep(render_horizon* horizon, float x, float y);

// Tangents of the horizon's altitude at a row of cells after a sweep; very low where nothing stands
// there.
void wadi_horizon_row(const render_horizon* horizon, int32_t y, float* out);
