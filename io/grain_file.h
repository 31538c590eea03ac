// SPDX-License-Identifier: MIT
// Grains in files: out as .vtp (ParaView) or .ply (Blender), in from .ply.
#pragma once

#include <wadi/grains.h>

// Write radius, layer (from 1), wetness and velocity of every grain.
wadi_result wadi_io_grains_write(wadi_context* context, const wadi_grain* grains, int32_t count,
                                 const char* path);

// Read x, y, z and radius [m], and, where they are there, layer (from 1, else 1), wetness (water
// over grain mass, else 0) and strength (share of the layer's, else 1), which goes to *strengths.
// The caller frees both. Grains without a size, in no layer up to `layers`, or wet or strong below
// 0 are refused by number. On failure *out and *strengths are NULL.
wadi_result wadi_io_grains_read(wadi_context* context, const char* path, int32_t layers,
                                wadi_grain** out, double** strengths, int32_t* count);
