// SPDX-License-Identifier: MIT
// Readers and writers behind raster.h, one file each.
#pragma once

#include "raster.h"
#include "sidecar.h"

// What a format keeps of a grid of heights, and who reads and writes it.
typedef struct wadi_io_format
{
    const char* extension; // lower case, without the dot
    const char* name;
    bool integers;  // cells are 0..65535: heights are stretched over them
    bool scaleless; // cell size and place go to a sidecar
    // `sidecar` is NULL where there is none; its size may be needed to read at all
    wadi_result (*read)(wadi_context* context, const char* path, const wadi_io_sidecar* sidecar,
                        wadi_io_raster* out);
    // NULL: read only. `path` is a temporary name, so messages give the cause alone
    wadi_result (*write)(wadi_context* context, const wadi_io_raster* raster,
                         const wadi_io_sidecar* sidecar, const char* path);
} wadi_io_format;

// Format of a file by its extension; formats without a row of their own are GDAL's to recognise.
const wadi_io_format* wadi_io_format_of(const char* path);

wadi_result wadi_io_gdal_read(wadi_context* context, const char* path,
                              const wadi_io_sidecar* sidecar, wadi_io_raster* out);
wadi_result wadi_io_tiff_write(wadi_context* context, const wadi_io_raster* raster,
                               const wadi_io_sidecar* sidecar, const char* path);
wadi_result wadi_io_asc_write(wadi_context* context, const wadi_io_raster* raster,
                              const wadi_io_sidecar* sidecar, const char* path);
wadi_result wadi_io_netcdf_write(wadi_context* context, const wadi_io_raster* raster,
                                 const wadi_io_sidecar* sidecar, const char* path);
wadi_result wadi_io_png_write(wadi_context* context, const wadi_io_raster* raster,
                              const wadi_io_sidecar* sidecar, const char* path);
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
wadi_result wadi_io_ply_write(wadi_context* context, const wadi_io_raster* raster,
                              const wadi_io_sidecar* sidecar, const char* path);

// Fail where an ESRI ASCII grid holds more or fewer cells than its header says.
wadi_result wadi_io_asc_check(wadi_context* context, const char* path, int64_t cells);

// Fail where a classic NetCDF file is shorter than its header says, or the header makes no sense.
// Any other file passes.
wadi_result wadi_io_netcdf_check(wadi_context* context, const char* path);

// Heights as whole numbers 0..65535 by the sidecar's scale; cells without data become its nodata.
wadi_result wadi_io_quantise(wadi_context* context, const wadi_io_raster* raster,
                             const wadi_io_sidecar* sidecar, uint16_t** out);

// Memory of a raster of width x height cells.
wadi_result wadi_io_raster_allocate(wadi_context* context, const char* path, int64_t width,
                                    int64_t height, wadi_io_raster* out);
