// SPDX-License-Identifier: MIT
// From one grid in the world to another.
#pragma once

#include <wadi/terrain.h>

// A grid without its values. Borrowed.
typedef struct wadi_io_frame
{
    int32_t width;  // [cells]
    int32_t height; // [cells]
    const wadi_georef* georef;
} wadi_io_frame;

// Resample `values` on `from` to `out` on `to`. Bilinear among cells with data, and only where the
// nearest cell has data: voids neither bleed nor fill. Grids that agree are copied bit for bit.
wadi_result wadi_io_warp(wadi_context* context, const wadi_io_frame* from, const float* values,
                         const wadi_io_frame* to, float* out);

// West, south, east and north of a frame in another system, along its whole rim.
wadi_result wadi_io_frame_bounds(wadi_context* context, const wadi_io_frame* frame, const char* wkt,
                                 double bounds[4]);
