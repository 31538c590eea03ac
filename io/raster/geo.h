// SPDX-License-Identifier: MIT
// The working grid: square cells in metres, as all processes need. Files in degrees or with oblong
// cells are resampled; files that are square and metric are copied bit for bit.
#pragma once

#include "io/raster/raster.h"

// A grid of square cells in metres.
typedef struct wadi_io_grid
{
    int32_t width;      // [cells]
    int32_t height;     // [cells]
    double cell;        // [m]
    wadi_georef georef; // wkt is owned by this struct
    bool same;          // identical to the raster's grid

    int32_t raster_width; // [cells] the raster that was resampled, unless the grids are the same
    int32_t raster_height;
    wadi_georef raster_georef; // wkt is owned by this struct
} wadi_io_grid;

// Working grid of a raster. Square metric grids are kept. Otherwise the cells are squares of the
// raster's mean area; rasters in degrees are projected (azimuthal equal-area, centred on the
// raster).
wadi_result wadi_io_grid_of(wadi_context* context, const wadi_io_raster* raster, wadi_io_grid* out);
void wadi_io_grid_free(wadi_io_grid* grid);

// Resample a raster to `grid->width x grid->height` floats. Bilinear over cells with data; cells
// without data neither spread nor shrink. A raster without coordinates must have the grid's size.
wadi_result wadi_io_grid_read(wadi_context* context, const wadi_io_raster* raster,
                              const wadi_io_grid* grid, float* out);

// Fail if none of `values`, which wadi_io_grid_read() made of a raster, is a number where `ground`
// has data; `ground` may be NULL. Only rasters and grids with coordinates are checked.
wadi_result wadi_io_grid_check_cover(wadi_context* context, const char* path,
                                     const wadi_io_raster* raster, const wadi_io_grid* grid,
                                     const float* ground, const float* values);

// Resample values from the grid to the raster's cells, in the same way. Cells without data in the
// raster have none in the result.
wadi_result wadi_io_grid_write(wadi_context* context, const wadi_io_grid* grid, const float* values,
                               const wadi_io_raster* raster, float* out);

// The side of the raster beyond which each cell of a frame lies, as a wadi_side: WADI_SIDE_VOID for
// cells on the raster, and for all cells if the working grid is the raster's own.
wadi_result wadi_io_grid_sides(wadi_context* context, const wadi_io_grid* grid, int32_t width,
                               int32_t height, const wadi_georef* georef, uint8_t* out);

// Cell width of each row and cell height [m]; for rasters in degrees, lengths on the WGS 84
// ellipsoid. `dx_of_row` has raster->height elements.
void wadi_io_raster_metric(const wadi_io_raster* raster, double* dx_of_row, double* dy);

// Leave the vertical part of a coordinate system out, whose unit is not that of the heights.
wadi_result wadi_io_raster_drop_vertical(wadi_context* context, wadi_io_raster* raster);
