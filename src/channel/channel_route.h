// SPDX-License-Identifier: MIT
// The cells that a flood runs through, from where it enters to where it leaves the grid.
#pragma once

#include "derive/flow_grid.h"

// Outlets where it is for the route to say: all borders but those that the emitter lies at; and
// where there is none, nowhere or the lowest cell.
enum
{
    CHANNEL_OUTLET_ANY = -1,
    CHANNEL_OUTLET_ANY_OR_LOWEST = -2
};

// Where water enters: the lowest cell along a line of centre to centre, in cells.
typedef struct channel_source
{
    double column;
    double row;
    double to_column;
    double to_row;
} channel_source;

typedef struct channel_route
{
    uint32_t* cell; // upstream first
    int32_t count;
} channel_route;

// `outlet` is a wadi_side or one of the above. Fails with WADI_ERROR_RANGE where the source is
// off the grid, on no data, or has no way out. Borders that wrap are refused.
wadi_result wadi_channel_route_create(wadi_context* context, const wadi_field2d* field,
                                      const channel_source* source, int32_t outlet,
                                      channel_route* out);
void wadi_channel_route_free(wadi_context* context, channel_route* route);
