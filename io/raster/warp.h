// SPDX-License-Identifier: MIT
// Resampling between georeferenced grids.
#pragma once

#include <wadi/terrain.h>

// Size and georeference of a grid. Borrowed.
typedef struct wadi_io_frame
{
    int32_t width;  // [cells]
    int32_t height; // [cells]
    const wadi_georef* georef;
} wadi_io_frame;

// Resample `values` on `from` to `out` on `to`. Bilinear over cells with data; a result has data
// only if the nearest cell has. Identical grids are copied bit for bit.
wadi_result wadi_io_warp(wadi_context* context, const wadi_io_frame* from, const float* values,
                         const wadi_io_frame* to, float* out);

// The side of `from` beyond which the centre of each cell of `to` lies, as a wadi_side;
// WADI_SIDE_VOID for cells on `from`. Beyond a corner the farther side counts, in cells of `from`.
wadi_result wadi_io_warp_sides(wadi_context* context, const wadi_io_frame* from,
                               const wadi_io_frame* to, uint8_t* out);

// West, south, east and north of a frame in another coordinate system, from points along its edge.
wadi_result wadi_io_frame_bounds(wadi_context* context, const wadi_io_frame* frame, const char* wkt,
                                 double bounds[4]);
