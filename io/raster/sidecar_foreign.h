// SPDX-License-Identifier: MIT
// Files that other terrain programs lay beside their height maps.
#pragma once

#include "io/raster/sidecar.h"

// Look beside PATH for
// - STEM.json with width, height and bpp, which Unreal writes and reads with a .raw landscape;
// - a definition of Gaea for Unreal, *definition*.json with Resolution, ScaleX and Height [m];
// - a project of Gaea, STEM.terrain or the only *.terrain of the folder, with the width and height
//   of its terrain [m].
// None of them is an error.
wadi_result wadi_io_sidecar_foreign(wadi_context* context, const char* path, wadi_io_sidecar* out,
                                    bool* found);
