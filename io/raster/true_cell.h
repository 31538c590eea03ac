// SPDX-License-Identifier: MIT
// Lengths on the ground of cells that a projection stretches, as Web Mercator does.
#pragma once

#include "io/raster/raster.h"

// Size of a cell in the middle of a raster on the ground, from west to east and from south to north
// [m]. That of the file where its coordinates are in degrees or have no known place on Earth.
void wadi_io_true_cell(wadi_context* context, const wadi_io_raster* raster, double out[2]);

// Log that cells have another size on the ground, if it is far from the one in the file.
void wadi_io_true_cell_note(wadi_context* context, const char* path, const wadi_io_raster* raster);
