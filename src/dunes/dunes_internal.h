// SPDX-License-Identifier: MIT
// What the modes of the process "dunes" share. A mode is a wadi_solver_api of its own, whose
// `create` takes wadi_dunes_params; dunes.c passes every call on to the mode that was asked for.
#pragma once

#include <wadi/dunes.h>

#include "airflow/wind_course.h"
#include "process/solver.h"
#include "terrain/ground.h"

// Indices of the process's maps; every mode fills all of them.
enum
{
    DUNES_MAP_FLUX_X,
    DUNES_MAP_FLUX_Y,
    DUNES_MAP_WIND,
    DUNES_MAP_SHELTER,
    DUNES_MAP_AIRBORNE,
    DUNES_MAP_WEAR,
    DUNES_MAP_COUNT
};

// What a default run of the process lasts: 500 m2 of sand past each metre at 50 m2/yr, the age at
// which dunes from noise have slip faces.
#define DUNES_DEFAULT_YEARS 10.0

// The winds of the parameters, and of a table in their place.
wadi_result wadi_dunes_course_create(wind_course* course, wadi_context* context,
                                     const wadi_dunes_params* params);
wadi_result wadi_dunes_course_table(wind_course* course, wadi_context* context,
                                    const wadi_dunes_params* params, int32_t index,
                                    const double* rows, int32_t count);

extern const wadi_solver_api wadi_dunes_flux_api;
extern const wadi_solver_api wadi_dunes_slab_api;
