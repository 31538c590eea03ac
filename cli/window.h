// SPDX-License-Identifier: MIT
// A window of a terrain with finer cells, written to a file.
#pragma once

#include "io/tags.h"

#include <wadi/amplify.h>

// Compute the window and write its heights with the terrain's georeference.
wadi_result cli_window_write(wadi_context* context, wadi_terrain* terrain,
                             const wadi_amplify_params* params, const wadi_io_tags* tags,
                             const char* path);

// The same in tiles of at most size x size cells: FILE-1-1.tif in the north-west, then by row and
// column.
wadi_result cli_window_write_tiles(wadi_context* context, wadi_terrain* terrain,
                                   const wadi_amplify_params* params, const wadi_io_tags* tags,
                                   int32_t size, const char* path);
