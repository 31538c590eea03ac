// SPDX-License-Identifier: MIT
// Which of the ground below the level of a sea the sea covers in a picture.
#pragma once

#include "maps/render/relief.h"

// One byte for each cell of the land, of `refined` x `refined` cells of the relief.
typedef struct sea_map
{
    int32_t width;
    int32_t height;
    int32_t refined;
    uint8_t* may;  // 1: the sea may be here: a cell of open water, or dry ground beside one
    uint8_t* surf; // 1: waves come as far as this
} sea_map;

// Find the open water below `level` [cells of the relief]: water with room for 3 x 3 cells of the
// land, which reaches the border, a void or a hundred such cells.
wadi_result wadi_sea_find(const render_relief* relief, float level, sea_map* out);
void wadi_sea_destroy(wadi_context* context, sea_map* sea);

static inline bool sea_may_be(const sea_map* sea, int32_t x, int32_t y)
{
    return sea->may[(ptrdiff_t)(y / sea->refined) * sea->width + x / sea->refined] != 0;
}
