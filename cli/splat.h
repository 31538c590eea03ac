// SPDX-License-Identifier: MIT
// Weights of several maps as the channels of a picture.
#pragma once

#include "io/raster/raster.h"

#include <wadi/scene.h>

// Write `count` (2 to WADI_MAX_SPLAT) maps of the size of `picture` to a PNG: shares that sum to
// 255 for each cell. Where no weight is above 0 the first map has all. `picture` has the size and
// tags.
wadi_result cli_splat_draw(wadi_context* context, const float* const* maps, int32_t count,
                           const wadi_io_raster* picture, const char* path);
