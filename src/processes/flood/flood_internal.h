// SPDX-License-Identifier: MIT
#pragma once

#include <wadi/flood_route.h>
#include <wadi/model.h>

// Create a flood that leaves over `outlet` (numbered as in channel_route.h), not over the outlet of
// the parameters.
wadi_result wadi_flood_create_to(wadi_context* context, const wadi_field2d* field,
                                 const wadi_flood_params* params, int32_t outlet, wadi_flood** out);

// A steady flood has a discharge.
wadi_result wadi_flood_check_steady(wadi_context* context, const wadi_flood_params* params);

enum
{
    FLOOD_MAP_ROUGHNESS, // the only input
    FLOOD_MAP_DEPTH,
    FLOOD_MAP_OVERTOPPED,
    FLOOD_MAP_PEAK_DEPTH, // from here on: of model inertial
    FLOOD_MAP_PEAK_SPEED,
    FLOOD_MAP_HAZARD,
    FLOOD_MAP_ARRIVAL,
    FLOOD_MAP_DURATION,
    FLOOD_MAP_COUNT,

    FLOOD_TABLE_HYDROGRAPH = 0,
    FLOOD_TABLE_INFLOW,
    FLOOD_TABLE_COUNT
};

// The model "inertial": flood_inertial.c
extern const wadi_model_api wadi_flood_inertial_api;
extern const wadi_table_info wadi_flood_tables[FLOOD_TABLE_COUNT];
