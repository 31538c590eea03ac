// SPDX-License-Identifier: MIT
// The smoothed centre line of a route, resampled at equally spaced stations.
#pragma once

#include "laws/channels/channel_route.h"

// Metres, x east and y north of the grid's south-west corner. The tangent points downstream; the
// left bank is in the direction (-tangent_y, tangent_x).
typedef struct channel_station
{
    double x;
    double y;
    double tangent_x;
    double tangent_y;
} channel_station;

typedef struct channel_axis
{
    channel_station* station; // upstream first
    int32_t count;
    double spacing; // [m]
} channel_axis;

// `spacing` is reduced to a whole fraction of the length. The cells are averaged over `reach` [m]
// on either side.
wadi_result wadi_channel_axis_of_route(wadi_context* context, const wadi_field2d* field,
                                       const channel_route* route, double spacing, double reach,
                                       channel_axis* out);

// Along straight lines between given points, stored as x, y pairs.
wadi_result wadi_channel_axis_of_points(wadi_context* context, const double* points, int32_t count,
                                        double spacing, channel_axis* out);
void wadi_channel_axis_free(wadi_context* context, channel_axis* axis);

// The station nearest to a point, by descending distance from station `from`, which must be close
// to it.
int32_t wadi_channel_axis_nearest(const channel_axis* axis, int32_t from, double x, double y);
