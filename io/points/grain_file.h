// SPDX-License-Identifier: MIT
// Files of grains: written as .vtp (ParaView) or .ply (Blender), read from .ply.
#pragma once

#include "io/tags.h"

#include <wadi/grains.h>

// Write radius, layer (from 1), wetness and velocity of all grains. `tags`: the origin, or NULL.
wadi_result wadi_io_grains_write(wadi_context* context, const wadi_grain* grains, int32_t count,
                                 const wadi_io_tags* tags, const char* path);

// Read x, y, z and radius [m]. Optional: layer (from 1; default 1), wetness (water mass over grain
// mass; default 0) and strength (relative to the layer's; default 1), which is stored in
// *strengths. The caller frees both arrays. Invalid radius, layer (above `layers`), wetness or
// strength is an error that names the grain. On failure *out and *strengths are NULL.
wadi_result wadi_io_grains_read(wadi_context* context, const char* path, int32_t layers,
                                wadi_grain** out, double** strengths, int32_t* count);
