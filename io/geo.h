// SPDX-License-Identifier: MIT
// The working grid: processes need square cells in metres, files may have degrees or oblong cells.
// Files that are square and metric already pass through untouched, bit for bit.
#pragma once

#include "raster.h"

// A grid of square cells in metres.
typedef struct wadi_io_grid
{
    int32_t width;      // [cells]
    int32_t height;     // [cells]
    double cell;        // [m]
    wadi_georef georef; // wkt is owned here
    bool same;          // it is the raster's own grid
} wadi_io_grid;

// The working grid of a raster: its own, or one whose square cells have the raster's mean area; of
// degrees on an azimuthal equal-area projection centred on the raster.
wadi_result wadi_io_grid_of(wadi_context* context, const wadi_io_raster* raster, wadi_io_grid* out);
void wadi_io_grid_free(wadi_io_grid* grid);

// Bring a raster onto a grid, `grid->width x grid->height` floats. Bilinear among cells with data:
// voids neither bleed nor fill. A raster without coordinates must have the grid's size.
wadi_result wadi_io_grid_read(wadi_context* context, const wadi_io_raster* raster,
                              const wadi_io_grid* grid, float* out);

// Bring values on a grid onto the raster's cells, in the same way. Cells where the raster has no
// data get none.
wadi_result wadi_io_grid_write(wadi_context* context, const wadi_io_grid* grid, const float* values,
                               const wadi_io_raster* raster, float* out);

// Width of the cells of each row and height of all [m], also where the raster is in degrees:
// lengths on the WGS 84 ellipsoid. `dx_of_row` has raster->height elements.
void wadi_io_raster_metric(const wadi_io_raster* raster, double* dx_of_row, double* dy);
