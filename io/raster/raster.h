// SPDX-License-Identifier: MIT
// Raster files: elevation models and maps. The extension selects the format for writing. Values are
// float, NaN without data; row 0 is in the north.
#pragma once

#include "io/replace.h"
#include "io/tags.h"

#include <wadi/terrain.h>

enum
{
    WADI_IO_LEVELS_MOST = 8
};

// One band of a file, from wadi_io_raster_read() or filled in by the caller. Free with
// wadi_io_raster_free() only if it was read.
typedef struct wadi_io_raster
{
    int32_t width;            // [cells]
    int32_t height;           // [cells]
    float* values;            // (height x width), NaN: no data
    double dx;                // width of a cell: [m], or [degree] where geographic
    double dy;                // height of a cell, same unit
    bool geographic;          // coordinates are in degrees
    bool point;               // values are at points, not cell means (AREA_OR_POINT)
    bool is_picture;          // the numbers are those of a palette of colours
    bool has_nodata;          // cells without data have the value `nodata`
    double nodata;            // may be NaN
    wadi_georef georef;       // wkt is owned by this struct; "" when unknown
    double low;               // [m] what the integers of a file stand for, from low to high;
    double high;              // equal: the range of the values
    int32_t bits;             // to write a PNG with: 8, or 0 for 16
    int32_t levels;           // of detail, to write a .glb with: 1 to WADI_IO_LEVELS_MOST; 0 is 1
    double step;              // [m] stated height of one unit of the file's values; 0: not stated
    const char* name;         // of the values, for the file: "height", "hydraulic.flow"; or NULL
    const char* unit;         // of the values; or NULL
    bool is_map;              // to write a sidecar with: the values are no heights of the ground
    const wadi_io_tags* tags; // for the file; or NULL
    char type[16];            // cell type in the file: "Int16", "Float32" ...
    char format[24];          // short name of the format: "GTiff", "R16" ...
    char read_name[64];       // name and unit in the file, or of the heights that were made of its
    char read_unit[24];       // values; "" if unknown
} wadi_io_raster;

// What the caller knows about the cells of a file that does not say it. All zero: nothing. The
// heights go with one of `relief`, `high` and `scale`.
typedef struct wadi_io_reading
{
    double cell;   // [m] size of a cell
    double relief; // [m] from the lowest to the highest value that the type of the cells can have
    double low;    // [m] height of the lowest value; with `scale`, of the value 0
    double high;   // [m] height of the highest value; it counts if above `low`
    double scale;  // [m] height of one unit
    bool quiet;    // no line to the log hook
    bool doubts;   // lines about the heights of 8 bits or without a unit also where a map is read
    bool weighs;   // the greatest number of a PNG or R16 that does not say what it holds means 1
} wadi_io_reading;

// Read the first band. `cell` [m] is the cell size for files without one; 0: use the file's or its
// sidecar's. With `is_ground` the values are elevations: a cell size is required, heights must be
// in range and at least one cell must have data. Otherwise dx is 0 if the cell size is unknown.
wadi_result wadi_io_raster_read(wadi_context* context, const char* path, double cell,
                                bool is_ground, wadi_io_raster* out);

// The same with heights. Integers without any scale are taken as metres, and the log hook gets a
// line about them, as about heights of 8 bits.
wadi_result wadi_io_raster_read_as(wadi_context* context, const char* path,
                                   const wadi_io_reading* reading, bool is_ground,
                                   wadi_io_raster* out);
void wadi_io_raster_free(wadi_io_raster* raster); // an empty raster is allowed

// Fail unless files with the extension of `path` can be written.
wadi_result wadi_io_raster_check_writable(wadi_context* context, const char* path);

// Load what writing `path` takes, before work whose result it is. WADI_ERROR_IO: it cannot be
// loaded.
wadi_result wadi_io_raster_load_writer(wadi_context* context, const char* path);

// Write atomically: an error leaves `path` unchanged. Formats without a scale get a sidecar
// PATH.json.
wadi_result wadi_io_raster_write(wadi_context* context, const wadi_io_raster* raster,
                                 const char* path);

// Add a raster to a NetCDF file with an axis of time, `time` in years, which begins anew with
// `first`. A raster of a year that is there already, as after a restart, takes its place.
wadi_result wadi_io_netcdf_add(wadi_context* context, const wadi_io_raster* raster,
                               const char* path, bool first, double years);

// Pixels of a PNG, rows from the top.
typedef struct wadi_io_pixels
{
    const void* values;       // (height x width x channels) uint8_t, or uint16_t if `wide`
    int32_t width;            // [pixels]
    int32_t height;           // [pixels]
    int32_t channels;         // 1: grey, 3: RGB, 4: RGBA
    bool wide;                // 16 bits for each channel
    int32_t level;            // of compression, 1 (fast) to 9 (small)
    const wadi_io_tags* tags; // as text in the file; or NULL
} wadi_io_pixels;

// Write a PNG, also atomically. The bytes do not depend on the number of threads.
wadi_result wadi_io_pixels_write(wadi_context* context, const wadi_io_pixels* pixels,
                                 const char* path);

// An animated PNG under way: begin, add each frame, end.
typedef struct wadi_io_animation
{
    wadi_context* context;
    wadi_io_replacement replacement;
    FILE* file;
    int32_t frames; // in all
    int32_t count;  // so far
    int32_t delay;  // [ms] of a frame, to 65535
    uint32_t sequence;
} wadi_io_animation;

wadi_result wadi_io_animation_begin(wadi_context* context, const char* path, int32_t frames,
                                    int32_t delay, wadi_io_animation* out);
// All frames have one size. Viewers that know no animation show the first, whose tags are written.
wadi_result wadi_io_animation_add(wadi_io_animation* animation, const wadi_io_pixels* pixels);
// Finish the file, or remove it if `result` is a failure, which is returned then.
wadi_result wadi_io_animation_end(wadi_io_animation* animation, wadi_result result);

// Write 8-bit RGB rows, top first, as PNG.
wadi_result wadi_io_picture_write(wadi_context* context, const uint8_t* rgb, int32_t width,
                                  int32_t height, const char* path);
// The same with tags, or NULL, as text in the file.
wadi_result wadi_io_picture_write_tagged(wadi_context* context, const uint8_t* rgb, int32_t width,
                                         int32_t height, const wadi_io_tags* tags,
                                         const char* path);
