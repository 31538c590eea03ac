// SPDX-License-Identifier: MIT
// Streams as smooth lines: receivers lie in eight directions, streams do not.
#pragma once

#include "maps/render/relief.h"

#include <wadi/flow.h>

// Streams on a grid of cells.
typedef struct stream_lines
{
    int32_t width;                   // [cells]
    int32_t height;                  // [cells]
    const wadi_flow_target* targets; // receivers, D8
    const double* area;              // catchments: the main stream is that of the largest
    const float* cover;              // opacity of the stream of each cell, 0: none
} stream_lines;

// Draw the streams into `out`, opacities at the cells of the relief, which is zero before.
// A cell of the grid is `refine` cells of the relief long.
wadi_result wadi_stream_lines_draw(const stream_lines* streams, const render_relief* relief,
                                   float refine, float* out);
