// SPDX-License-Identifier: MIT
// A world in square tiles, each computed alone on a block: the tile with a halo around it. Near the
// borders of tiles two blocks, or four, are blended, so both sides of a border have the same bits.
#pragma once

#include "cli/message.h"

#include <wadi/window.h>

typedef struct cli_tiling
{
    wadi_windows_def world; // its size and edges
    int32_t size;    // [cells] of a tile; the last ones of a row and column have the rest too
    int32_t halo;    // [cells]
    int32_t blend;   // [cells] on each side of a border; 0: none
    int32_t overlap; // [cells] of the next tiles that a tile repeats in the east and south
} cli_tiling;

// Cells of the whole grid along the axes. Over periodic edges they may go on beyond it.
typedef struct cli_tile_box
{
    int32_t begin[2]; // column, row
    int32_t end[2];
} cli_tile_box;

// Fail unless the options go together.
cli_status cli_tiling_check(const cli_tiling* tiling);
// Tiles along an axis: 0 for columns, 1 for rows.
int32_t cli_tiling_count(const cli_tiling* tiling, int axis);
// Cells of a tile, with those that it repeats.
cli_tile_box cli_tiling_tile(const cli_tiling* tiling, int32_t x, int32_t y);
// Is there a block beside the tile (x, y), by -1, 0 or 1 columns and rows, that the tile needs?
bool cli_tiling_needs(const cli_tiling* tiling, int32_t x, int32_t y, const int32_t step[2]);
// Where the block of a tile lies.
wadi_result cli_tiling_block(wadi_context* context, const cli_tiling* tiling, int32_t x, int32_t y,
                             wadi_partition* out);
// Weight, 0 to 1, of a block for a column (axis 0) or row (axis 1) of the whole grid; `tile` is the
// column or row of its tile, below 0 or beyond the last one for the tiles around a periodic edge.
// The weights of neighbours sum to 1.
double cli_tiling_weight(const cli_tiling* tiling, int axis, int32_t tile, int32_t cell);
