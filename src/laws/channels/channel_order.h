// SPDX-License-Identifier: MIT
// The route from every cell to an outlet: a priority flood that stores the parent of each cell.
#pragma once

#include "laws/flow/flow_grid.h"

typedef struct channel_order
{
    float* level;   // [m] spill level of the cell
    int8_t* parent; // receiver; WADI_FLOW_NOWHERE at outlets and unreached cells
} channel_order;

wadi_result wadi_channel_order_create(wadi_context* context, const flow_grid* grid,
                                      const uint8_t* outlets, channel_order* out);
void wadi_channel_order_free(wadi_context* context, channel_order* order);
