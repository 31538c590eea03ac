// SPDX-License-Identifier: MIT
// The cells of a flood's route, from its source to an outlet.
#pragma once

#include "laws/flow/flow_grid.h"

// Automatic choice of the outlet: all borders except those that the source touches; if there is
// none, fail or take the lowest cell.
enum
{
    CHANNEL_OUTLET_ANY = -1,
    CHANNEL_OUTLET_ANY_OR_LOWEST = -2
};

// Source of the water: the lowest cell along a line between two cell centres [cells].
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

// `outlet` is a wadi_side or one of the above. Fails with WADI_ERROR_RANGE if the source is off the
// grid, has no data or cannot reach an outlet. Periodic borders are refused.
wadi_result wadi_channel_route_create(wadi_context* context, const wadi_field2d* field,
                                      const channel_source* source, int32_t outlet,
                                      channel_route* out);
void wadi_channel_route_free(wadi_context* context, channel_route* route);
