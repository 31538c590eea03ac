// SPDX-License-Identifier: MIT
// Shared by the two models of the process "wind".
#pragma once

#include <wadi/wind.h>

#include "laws/sand/sand_top.h"
#include "laws/wind/wind_heading.h"
#include "laws/wind/wind_tables.h"
#include "terrain/ground.h"
#include <wadi/model.h>

// Indices of the process's maps; both models fill those before WIND_MAP_TOP.
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
    WIND_MAP_TOP, // the maps of the top of the sand
    WIND_MAP_COUNT = WIND_MAP_TOP + SAND_TOP_MAP_COUNT
};

// Duration of a default run: 500 m2 of sand pass each metre at 50 m2/yr, after which dunes that
// grew from noise have slip faces.
#define WIND_DEFAULT_YEARS 10.0

// Log a note if the terrain has no loose material.
void wadi_wind_note_bare(const wadi_terrain* terrain);
