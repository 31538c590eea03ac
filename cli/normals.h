// SPDX-License-Identifier: MIT
// Normals of the ground as the colours of a picture.
#pragma once

#include "io/raster/raster.h"

// Write unit normals, three floats a cell, to a PNG: -1 to 1 becomes 0 to 255, and z up is blue.
// Cells without data point up. `flip` turns the sign of green. `picture` has the size and tags.
wadi_result cli_normals_draw(wadi_context* context, const float* normals, bool flip,
                             const wadi_io_raster* picture, const char* path);
