// SPDX-License-Identifier: MIT
// What the two models of the process "wind" share.
#pragma once

#include <wadi/wind.h>

#include "process/solver.h"
#include "terrain/ground.h"

// Indices of the process's maps; both models fill all of them.
enum
{
    WIND_MAP_TRACK,
    WIND_MAP_FLUX_X,
    WIND_MAP_FLUX_Y,
    WIND_MAP_MOMENTUM,
    WIND_MAP_AIRBORNE,
    WIND_MAP_WEAR,
    WIND_MAP_DEPOSIT,
    WIND_MAP_COUNT
};

// Indices of the process's tables.
enum
{
    WIND_TABLE_ROSE,
    WIND_TABLE_SERIES,
    WIND_TABLE_COUNT
};

// What a default run of the process lasts: 500 m2 of sand past each metre at 50 m2/yr, the age at
// which dunes from noise have slip faces.
#define WIND_DEFAULT_YEARS 10.0

// Unit vector that a wind from `direction` [degree] blows along, on the grid: x to the east, y to
// the south.
typedef struct wind_heading
{
    float x;
    float y;
} wind_heading;
wind_heading wadi_wind_heading(double direction);
