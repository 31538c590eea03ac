// SPDX-License-Identifier: MIT
#include "laws/channels/channel_ground.h"

#include <math.h>

wadi_field2d wadi_channel_field_of(const wadi_ground* ground, float* heights)
{
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        heights[i] = ground->valid[i] != 0
                         ? (float)wadi_ground_surface(ground, i) / WADI_UNITS_PER_METRE
                         : NAN;
    }
    wadi_field2d field = {
        .heights = heights,
        .width = ground->width,
        .height = ground->height,
        .stride = ground->width,
        .dx = ground->cell_size,
        .dy = ground->cell_size,
    };
    for (int side = 0; side < 4; ++side)
    {
        field.edges[side] =
            ground->edges[side] == WADI_EDGE_OPEN ? WADI_EDGE_OPEN : WADI_EDGE_CLOSED;
    }
    return field;
}
