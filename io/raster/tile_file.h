// SPDX-License-Identifier: MIT
// A map in a temporary file, tile after tile: a layer of <wadi/tiles.h>. Its name is removed as
// soon as it is open, so nothing is left of it however the program ends.
#pragma once

#include "io/replace.h"

#include <wadi/tiles.h>

typedef struct wadi_io_tile_file
{
    wadi_context* context;
    wadi_tiling tiling;
    wadi_tile_type type;
    int file; // -1: not open
} wadi_io_tile_file;

// Create the file in the temporary folder of an output.
wadi_result wadi_io_tile_file_open(wadi_context* context, const wadi_io_replacement* replacement,
                                   const wadi_tiling* tiling, wadi_tile_type type,
                                   wadi_io_tile_file* out);
void wadi_io_tile_file_close(wadi_io_tile_file* file);

// The layer; `file` stays where it is.
wadi_tile_layer wadi_io_tile_file_layer(wadi_io_tile_file* file);

// Read or write rows [y, y + count) of the whole map.
wadi_result wadi_io_tile_file_read_rows(wadi_io_tile_file* file, int32_t y, int32_t count,
                                        void* cells);
wadi_result wadi_io_tile_file_write_rows(wadi_io_tile_file* file, int32_t y, int32_t count,
                                         const void* cells);
