// SPDX-License-Identifier: MIT
// --stitch: tiles that `wadi convert --tiles` wrote, as one raster again.
#pragma once

#include "cli/message.h"

#include "io/raster/raster.h"

// How the tiles lie.
typedef struct cli_join
{
    int32_t tiles[2]; // across and down
    int32_t overlap;  // [cells] that neighbours share
    bool has_overlap; // it was given; tiles without a place need that
} cli_join;

// Read NAME_x0_y0.EXT, NAME_x1_y0.EXT and so on for the path NAME.EXT, and add each to `tags` as an
// input. Fails if they differ in size, cell or format. Shared cells are those of the tile in the
// north-west; the log hook gets a line if others differ. The caller frees `out`.
cli_status cli_join_read(wadi_context* context, const char* path, const cli_join* join,
                         const wadi_io_reading* reading, bool is_ground, wadi_io_tags* tags,
                         wadi_io_raster* out);
