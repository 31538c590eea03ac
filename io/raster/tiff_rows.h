// SPDX-License-Identifier: MIT
// A GeoTIFF of heights that is written some rows at a time, for grids larger than memory.
#pragma once

#include "io/raster/raster.h"

typedef struct wadi_io_tiff_rows
{
    wadi_context* context;
    wadi_io_replacement replacement;
    void* dataset; // of GDAL
    int32_t width;
    int32_t height;
    int32_t row;   // next to write
    float* marked; // rows with a number in cells without data
    int64_t marked_cells;
} wadi_io_tiff_rows;

// Begin a file of the size, place, name and unit of `raster`, whose values are not used.
wadi_result wadi_io_tiff_rows_begin(wadi_context* context, const wadi_io_raster* raster,
                                    const char* path, wadi_io_tiff_rows* out);
// Add rows from the north to the south; NaN: no data.
wadi_result wadi_io_tiff_rows_add(wadi_io_tiff_rows* file, const float* values, int32_t rows);
// Finish the file, or remove it if `result` is a failure, which is returned then.
wadi_result wadi_io_tiff_rows_end(wadi_io_tiff_rows* file, wadi_result result);
