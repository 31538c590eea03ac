// SPDX-License-Identifier: MIT
// Shared by the models of the process "dunes".
#pragma once

#include <wadi/dunes.h>

#include "laws/sand/sand_top.h"
#include "laws/wind/wind_course.h"
#include "terrain/ground.h"
#include <wadi/model.h>

// Indices of the process's maps; every model fills all of them.
enum
{
    DUNES_MAP_FLUX_X,
    DUNES_MAP_FLUX_Y,
    DUNES_MAP_WIND,
    DUNES_MAP_SHELTER,
    DUNES_MAP_AIRBORNE,
    DUNES_MAP_WEAR,
    DUNES_MAP_TOP, // the maps of the top of the sand
    DUNES_MAP_COUNT = DUNES_MAP_TOP + SAND_TOP_MAP_COUNT
};

// Duration of a default run: 500 m2 of sand pass each metre at 50 m2/yr, after which dunes that
// grew from noise have slip faces.
#define DUNES_DEFAULT_YEARS 10.0

// Create the sequence of winds from the parameters; replace it by the rows of a table.
wadi_result wadi_dunes_course_create(wind_course* course, wadi_context* context,
                                     const wadi_dunes_params* params);
wadi_result wadi_dunes_course_table(wind_course* course, wadi_context* context,
                                    const wadi_dunes_params* params, int32_t index,
                                    const double* rows, int32_t count);

// Log a note if the terrain has no sand and no inflow.
void wadi_dunes_note_bare(const wadi_terrain* terrain, const wadi_dunes_params* params);

extern const wadi_model_api wadi_dunes_flux_api;
extern const wadi_model_api wadi_dunes_slab_api;
