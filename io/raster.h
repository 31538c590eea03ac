// SPDX-License-Identifier: MIT
// Raster files: elevation models and maps, read and written by name. Values are float with NaN for
// cells without data; row 0 is in the north.
#pragma once

#include <wadi/terrain.h>

// One band of a file. Read with wadi_io_raster_read() and freed with wadi_io_raster_free(), or put
// together by hand to be written.
typedef struct wadi_io_raster
{
    int32_t width;      // [cells]
    int32_t height;     // [cells]
    float* values;      // (height x width), NaN: no data
    double dx;          // width of a cell: [m], or [degree] where geographic
    double dy;          // height of a cell, the same
    bool geographic;    // the affine is in degrees
    bool point;         // the file says that values belong to points (AREA_OR_POINT)
    bool has_nodata;    // the file marks cells without data by `nodata`
    double nodata;      // NaN is possible
    wadi_georef georef; // wkt is owned here; "" when unknown
    char type[16];      // of the file's cells: "Int16", "Float32" ...
    char format[24];    // short name of the format: "GTiff", "R16" ...
} wadi_io_raster;

// Read the first band. `cell` [m] is for files without a scale of their own; 0: the file or its
// sidecar says. `is_ground` asks for elevations: they must have a scale, lie within the range of
// heights and may not be missing altogether; else dx is 0 where nobody knows the scale.
wadi_result wadi_io_raster_read(wadi_context* context, const char* path, double cell,
                                bool is_ground, wadi_io_raster* out);
void wadi_io_raster_free(wadi_io_raster* raster); // an empty one is allowed

// Say whether files with the extension of `path` can be written.
wadi_result wadi_io_raster_check_writable(wadi_context* context, const char* path);

// Write to a temporary file beside `path`, then rename: an error leaves `path` as it was. Formats
// that lose the scale get a sidecar PATH.json.
wadi_result wadi_io_raster_write(wadi_context* context, const wadi_io_raster* raster,
                                 const char* path);

// Write 8-bit RGB rows from the top as PNG, the same way.
wadi_result wadi_io_picture_write(wadi_context* context, const uint8_t* rgb, int32_t width,
                                  int32_t height, const char* path);
