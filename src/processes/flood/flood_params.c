// SPDX-License-Identifier: MIT
// The parameter table of floods.
#include "core/field_rows.h"

#include <wadi/flood_route.h>

#define FLOOD_NUMBER(...) FIELD_NUMBER(wadi_flood_params, __VA_ARGS__)
#define FLOOD_CHOICE(...) FIELD_CHOICE(wadi_flood_params, __VA_ARGS__)

static const char* const flood_outlets[] = {"any", "north", "east", "south", "west", NULL};

// clang-format off
static const wadi_field flood_field_list[] = {
    FLOOD_NUMBER(from_x, 0.0, -1e9, 1e9, "m", "x of one end of the emitter, eastwards from the south-west corner. Only the part on the grid is used, so the default is the western side", ""),
    FLOOD_NUMBER(from_y, 0.0, -1e9, 1e9, "m", "y of that end, northwards from the south-west corner", ""),
    FLOOD_NUMBER(to_x, 0.0, -1e9, 1e9, "m", "x of the other end; equal ends make a point", ""),
    FLOOD_NUMBER(to_y, 1e9, -1e9, 1e9, "m", "y of the other end", ""),
    FLOOD_NUMBER(discharge, 100.0, 1e-6, 1e7, "m3/s", "inflow, constant in time", ""),
    FLOOD_NUMBER(roughness, 0.035, 0.005, 1.0, "1", "Manning's n in s/m^(1/3)", "natural streams, clean and winding 0.033-0.045: Chow 1959, table 5-6"),
    FLOOD_CHOICE(outlet, WADI_FLOOD_OUTLET_ANY, WADI_FLOOD_OUTLET_COUNT, "side over which the flood leaves; any: the nearest side by cost, but not the side of the emitter", "", flood_outlets),
    FLOOD_NUMBER(reach, 0.0, 0.0, 1e5, "m", "half-length of cross-sections; 0: 12 Q^(1/2), but at least 16 cells", "three times the width of a river in regime, 4 Q^(1/2)"),
    FLOOD_NUMBER(bank_relief, 0.3, 1e-3, 1e3, "m", "fall of the ground beyond a crest that makes the crest a bank", "above the noise of lidar, 0.1-0.2 m"),
    FLOOD_NUMBER(least_slope, 1e-4, 1e-7, 1.0, "1", "slope of uniform flow on a bed that is flatter or rises", "large rivers of plains 1e-5 to 1e-4"),
    FLOOD_NUMBER(step, 1.0, 1e-6, 1e6, "yr", "step length of the process: the flood is computed again if the ground has changed", "the default duration"),
};
// clang-format on

const wadi_field_table wadi_flood_fields =
    FIELD_TABLE("flood", flood_field_list, wadi_flood_params);

wadi_flood_params wadi_flood_params_default(void)
{
    wadi_flood_params params;
    wadi_fields_init(&wadi_flood_fields, &params);
    return params;
}
