// SPDX-License-Identifier: MIT
#pragma once

// Unit vector that a wind from `direction` [degree] blows along, on the grid: x to the east, y to
// the south.
typedef struct wind_heading
{
    float x;
    float y;
} wind_heading;
wind_heading wadi_wind_heading(double direction);
