// SPDX-License-Identifier: MIT
// The JSON file NAME.json beside formats that lose their scale: what the cells mean, and values to
// paste into engines.
#pragma once

#include "raster.h"

typedef struct wadi_io_sidecar
{
    int32_t width;  // [cells]
    int32_t height; // [cells]
    double cell;    // [m]
    double offset;  // height = offset + scale x cell [m]
    double scale;   // [m]
    double low;     // lowest and highest height [m], written for readers' sake
    double high;
    bool big_endian; // R16 and R32 with the high byte first, as some programs write them
    bool has_nodata; // cells of the value `nodata` have no data
    double nodata;
    wadi_georef georef; // wkt is owned here
} wadi_io_sidecar;

// Read PATH.json. *found is false, and nothing fails, where there is none.
wadi_result wadi_io_sidecar_read(wadi_context* context, const char* path, wadi_io_sidecar* out,
                                 bool* found);
void wadi_io_sidecar_free(wadi_io_sidecar* sidecar);

// The sidecar that a raster needs; `integers`: heights are stretched over 0..65535, or 1..65535
// where 0 has to mark cells without data. Borrows the raster's wkt.
wadi_io_sidecar wadi_io_sidecar_for(const wadi_io_raster* raster, bool integers);

// Write PATH.json; `format` names what it lies beside.
wadi_result wadi_io_sidecar_write(wadi_context* context, const wadi_io_sidecar* sidecar,
                                  const char* format, const char* path);
