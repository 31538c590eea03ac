// SPDX-License-Identifier: MIT
// The line that a route follows, smoothed and cut into stations at even distances.
#pragma once

#include "channel/channel_route.h"

// Metres, x east and y north of the grid's south-west corner. The tangent looks downstream, and the
// left bank lies at (-tangent_y, tangent_x).
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

// `spacing` is shortened so that stations come out even. `reach` [m] to either hand is averaged
// over.
wadi_result wadi_channel_axis_of_route(wadi_context* context, const wadi_field2d* field,
                                       const channel_route* route, double spacing, double reach,
                                       channel_axis* out);

// Along straight lines between given points, x and y in turn.
wadi_result wadi_channel_axis_of_points(wadi_context* context, const double* points, int32_t count,
                                        double spacing, channel_axis* out);
void wadi_channel_axis_free(wadi_context* context, channel_axis* axis);

// The station nearest to a point, from one that is not far from it: distances fall on the way
// there.
int32_t wadi_channel_axis_nearest(const channel_axis* axis, int32_t from, double x, double y);
