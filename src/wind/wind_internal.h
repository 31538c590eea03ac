// SPDX-License-Identifier: MIT
// What the two models of the process "wind" share.
#pragma once

#include <wadi/wind.h>

#include "airflow/wind_heading.h"
#include "airflow/wind_tables.h"
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
    WIND_MAP_TRANSIT,
    WIND_MAP_WEAR,
    WIND_MAP_DEPOSIT,
    WIND_MAP_COUNT
};

// What a default run of the process lasts: 500 m2 of sand past each metre at 50 m2/yr, the age at
// which dunes from noise have slip faces.
#define WIND_DEFAULT_YEARS 10.0
