// SPDX-License-Identifier: MIT
// JSON sidecar of formats without a scale (PATH.json): meaning of the cells, and import settings
// for game engines.
#pragma once

#include "io/raster/raster.h"

typedef struct wadi_io_sidecar
{
    int32_t width;  // [cells]
    int32_t height; // [cells]
    double cell;    // [m]
    double offset;  // height = offset + scale x cell [m]
    double scale;   // [m]
    double low;     // lowest and highest height [m], for information
    double high;
    bool big_endian; // R16 and R32 with the high byte first
    bool has_nodata; // cells with the value `nodata` have no data
    double nodata;
    wadi_georef georef; // wkt is owned by this struct

    const wadi_io_tags* tags; // borrowed, as name and unit; for writing
    const char* name;         // of the values, or NULL
    const char* unit;         // of the values, or NULL
    bool is_map;              // the values are no heights of the ground

    // as read
    wadi_io_reading heights;
    bool has_heights;
    char read_unit[24]; // of the values that offset and scale give; "" if unknown
    double extent;      // [m] width of the whole file; 0: its cells are stated
    int32_t bits;       // of a cell; 0: as the extension says
    // name of the file of another program: for elevations, not for the masks beside them
    char foreign[256];
} wadi_io_sidecar;

// Read PATH.json, or what other programs lay beside their heights: wadi_io_sidecar_foreign(). If
// there is none, *found is false and the call succeeds.
wadi_result wadi_io_sidecar_read(wadi_context* context, const char* path, wadi_io_sidecar* out,
                                 bool* found);
void wadi_io_sidecar_free(wadi_io_sidecar* sidecar);

// Sidecar of a raster. `integers`: heights are scaled to 0..65535 (0..255 with 8 bits), or from 1
// on if 0 marks cells without data. Borrows the raster's wkt.
wadi_io_sidecar wadi_io_sidecar_for(const wadi_io_raster* raster, bool integers);

// The greatest integer of a cell.
double wadi_io_sidecar_top(const wadi_io_sidecar* sidecar);

// Write PATH.json; `format` is the format of PATH.
wadi_result wadi_io_sidecar_write(wadi_context* context, const wadi_io_sidecar* sidecar,
                                  const char* format, const char* path);

// Write PATH.json with tags only, which changes nothing when PATH is read. Without tags there is no
// file.
wadi_result wadi_io_sidecar_write_tags(wadi_context* context, const wadi_io_tags* tags,
                                       const char* path);
