// SPDX-License-Identifier: MIT
// The way out of every cell: a priority flood that remembers how it came.
#pragma once

#include "derive/flow_grid.h"

typedef struct channel_order
{
    float* level; // [m] to which the cell fills before its water leaves
    int8_t*
        parent; // the neighbour on the way out; WADI_FLOW_NOWHERE at outlets and unreached cells
} channel_order;

wadi_result wadi_channel_order_create(wadi_context* context, const flow_grid* grid,
                                      const uint8_t* outlets, channel_order* out);
void wadi_channel_order_free(wadi_context* context, channel_order* order);
