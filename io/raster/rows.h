// SPDX-License-Identifier: MIT
// Raster files larger than memory, some rows at a time: GDAL's formats that hold heights in metres
// are read, GeoTIFF is written.
#pragma once

#include "io/raster/raster.h"

typedef struct wadi_io_rows
{
    wadi_io_raster header; // without values
    const char* path;      // borrowed
    double metres;         // length of the unit of the file's heights
    bool reads;            // the file was opened to be read: its header is owned
    void* dataset;
    void* band;
} wadi_io_rows;

// Open a map of heights. Of `reading` only the cell size counts. Fails for formats whose numbers
// need a scale, such as PNG. Free with wadi_io_rows_close(), also after a failure.
wadi_result wadi_io_rows_open(wadi_context* context, const char* path,
                              const wadi_io_reading* reading, wadi_io_rows* out);
// Rows [y, y + count): metres, NaN where there is no data. Fails for heights out of range.
wadi_result wadi_io_rows_read(wadi_context* context, const wadi_io_rows* rows, int32_t y,
                              int32_t count, float* values);

// Create a GeoTIFF with the place, names and tags of `header`, whose wkt is borrowed.
wadi_result wadi_io_rows_create(wadi_context* context, const char* path,
                                const wadi_io_raster* header, wadi_io_rows* out);
// Write rows; `values` are changed. Best in stretches of WADI_IO_ROWS rows, which are whole blocks.
wadi_result wadi_io_rows_write(wadi_context* context, const wadi_io_rows* rows, int32_t y,
                               int32_t count, float* values);
// Close the file and add overviews.
wadi_result wadi_io_rows_finish(wadi_context* context, wadi_io_rows* rows);

void wadi_io_rows_close(wadi_io_rows* rows);

enum
{
    WADI_IO_ROWS = 256 // side of a block of a GeoTIFF
};
