// SPDX-License-Identifier: MIT
#pragma once

// Unit vector of a wind from `direction` [degree] on the grid: x to the east, y to the south.
typedef struct wind_heading
{
    float x;
    float y;
} wind_heading;
wind_heading wadi_wind_heading(double direction);
