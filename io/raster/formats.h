// SPDX-License-Identifier: MIT
// Internal interface of the raster formats; one source file per format.
#pragma once

#include "io/raster/raster.h"
#include "io/raster/rows.h"
#include "io/raster/sidecar.h"

// Properties and functions of one format.
typedef struct wadi_io_format
{
    const char* extension; // lower case, without the dot
    const char* name;
    bool integers;  // cells are 0..65535; heights are scaled to that range
    bool scaleless; // the format has no cell size and position; a sidecar stores them
    // `sidecar` may be NULL. Some formats need it for the size.
    wadi_result (*read)(wadi_context* context, const char* path, const wadi_io_sidecar* sidecar,
                        wadi_io_raster* out);
    // NULL: read only. `path` is a temporary name, so messages leave it out
    wadi_result (*write)(wadi_context* context, const wadi_io_raster* raster,
                         const wadi_io_sidecar* sidecar, const char* path);
} wadi_io_format;

// Split FILE.nc:NAME, a variable of a NetCDF file, or FILE.exr:NAME, a channel: `file` gets the
// file, and *name points to the name in `path`; "" without one.
void wadi_io_variable_of(const char* path, char file[4096], const char** name);

// Format of a file by its extension; GDAL reads all formats that are not in the table.
const wadi_io_format* wadi_io_format_of(const char* path);

wadi_result wadi_io_gdal_read(wadi_context* context, const char* path,
                              const wadi_io_sidecar* sidecar, wadi_io_raster* out);
// The same for a part of the cells; a width of 0: size and place of the raster, without values.
typedef struct wadi_io_part
{
    int32_t x;
    int32_t y;
    int32_t width;
    int32_t height;
} wadi_io_part;
wadi_result wadi_io_gdal_read_part(wadi_context* context, const char* path,
                                   const wadi_io_part* part, wadi_io_raster* out);
wadi_result wadi_io_tiff_write(wadi_context* context, const wadi_io_raster* raster,
                               const wadi_io_sidecar* sidecar, const char* path);
wadi_result wadi_io_asc_write(wadi_context* context, const wadi_io_raster* raster,
                              const wadi_io_sidecar* sidecar, const char* path);
wadi_result wadi_io_netcdf_write(wadi_context* context, const wadi_io_raster* raster,
                                 const wadi_io_sidecar* sidecar, const char* path);
wadi_result wadi_io_png_write(wadi_context* context, const wadi_io_raster* raster,
                              const wadi_io_sidecar* sidecar, const char* path);
wadi_result wadi_io_raw8_read(wadi_context* context, const char* path,
                              const wadi_io_sidecar* sidecar, wadi_io_raster* out);
wadi_result wadi_io_raw16_read(wadi_context* context, const char* path,
                               const wadi_io_sidecar* sidecar, wadi_io_raster* out);
wadi_result wadi_io_raw16_write(wadi_context* context, const wadi_io_raster* raster,
                                const wadi_io_sidecar* sidecar, const char* path);
wadi_result wadi_io_raw32_read(wadi_context* context, const char* path,
                               const wadi_io_sidecar* sidecar, wadi_io_raster* out);
wadi_result wadi_io_raw32_write(wadi_context* context, const wadi_io_raster* raster,
                                const wadi_io_sidecar* sidecar, const char* path);
wadi_result wadi_io_exr_read(wadi_context* context, const char* path,
                             const wadi_io_sidecar* sidecar, wadi_io_raster* out);
wadi_result wadi_io_exr_write(wadi_context* context, const wadi_io_raster* raster,
                              const wadi_io_sidecar* sidecar, const char* path);
wadi_result wadi_io_obj_write(wadi_context* context, const wadi_io_raster* raster,
                              const wadi_io_sidecar* sidecar, const char* path);
wadi_result wadi_io_glb_write(wadi_context* context, const wadi_io_raster* raster,
                              const wadi_io_sidecar* sidecar, const char* path);
wadi_result wadi_io_ply_write(wadi_context* context, const wadi_io_raster* raster,
                              const wadi_io_sidecar* sidecar, const char* path);

// Reading and writing of rows.h.
wadi_result wadi_io_gdal_open_rows(wadi_context* context, const char* path, wadi_io_rows* rows);
wadi_result wadi_io_gdal_read_rows(wadi_context* context, const wadi_io_rows* rows, int32_t y,
                                   int32_t count, float* values);
wadi_result wadi_io_tiff_create_rows(wadi_context* context, const char* path, wadi_io_rows* rows);
wadi_result wadi_io_tiff_write_rows(wadi_context* context, const wadi_io_rows* rows, int32_t y,
                                    int32_t count, float* values);
wadi_result wadi_io_tiff_finish_rows(wadi_context* context, wadi_io_rows* rows);

// Fail if an ESRI ASCII grid has more or fewer cells than its header states.
wadi_result wadi_io_asc_check(wadi_context* context, const char* path, int64_t cells);

// Fail if a classic NetCDF file is truncated or has an invalid header. Other files pass.
wadi_result wadi_io_netcdf_check(wadi_context* context, const char* path);

// Convert heights to 0..65535, or to 0..255, with the sidecar's scale; cells without data get its
// nodata value.
wadi_result wadi_io_quantise(wadi_context* context, const wadi_io_raster* raster,
                             const wadi_io_sidecar* sidecar, uint16_t** out);

// Allocate the values of a raster of width x height cells.
wadi_result wadi_io_raster_allocate(wadi_context* context, const char* path, int64_t width,
                                    int64_t height, wadi_io_raster* out);
