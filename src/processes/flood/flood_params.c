// SPDX-License-Identifier: MIT
// The parameter table of floods.
#include "core/field_rows.h"

#include <wadi/flood_route.h>

#define FLOOD_NUMBER(...) FIELD_NUMBER(wadi_flood_params, __VA_ARGS__)
#define FLOOD_CHOICE(...) FIELD_CHOICE(wadi_flood_params, __VA_ARGS__)

#define FLOOD_MANNING FIELD_MODEL(WADI_FLOOD_MANNING)
#define FLOOD_INERTIAL FIELD_MODEL(WADI_FLOOD_INERTIAL)
#define MANNING_NUMBER(...) FIELD_NUMBER_OF(wadi_flood_params, FLOOD_MANNING, __VA_ARGS__)
#define MANNING_CHOICE(...) FIELD_CHOICE_OF(wadi_flood_params, FLOOD_MANNING, __VA_ARGS__)
#define INERTIAL_WHOLE(...) FIELD_WHOLE_OF(wadi_flood_params, FLOOD_INERTIAL, __VA_ARGS__)
#define INERTIAL_NUMBER(...) FIELD_NUMBER_OF(wadi_flood_params, FLOOD_INERTIAL, __VA_ARGS__)

static const char* const flood_models[] = {"manning", "inertial", NULL};
static const char* const flood_outlets[] = {"any", "north", "east", "south", "west", NULL};

// clang-format off
static const wadi_field flood_field_list[] = {
    FLOOD_CHOICE(model, WADI_FLOOD_MANNING, WADI_FLOOD_MODEL_COUNT, "manning: steady flow along one route; inertial: shallow water in time on all cells", "", flood_models),

    FLOOD_NUMBER(from_x, 0.0, -1e9, 1e9, "m", "x of one end of the emitter, eastwards from the south-west corner. Only the part on the grid is used, so the default is the western side", ""),
    FLOOD_NUMBER(from_y, 0.0, -1e9, 1e9, "m", "y of that end, northwards from the south-west corner", ""),
    FLOOD_NUMBER(to_x, 0.0, -1e9, 1e9, "m", "x of the other end; equal ends make a point", ""),
    FLOOD_NUMBER(to_y, 1e9, -1e9, 1e9, "m", "y of the other end", ""),
    FLOOD_NUMBER(discharge, 100.0, 0.0, 1e7, "m3/s", "inflow, constant in time; manning: at least 1e-6; inertial: the table `hydrograph` replaces it, and with 0 no water enters over the line, so that rain, the table `inflow` or water on the ground floods the land alone", ""),
    FLOOD_NUMBER(roughness, 0.035, 0.005, 1.0, "1", "Manning's n in s/m^(1/3)", "natural streams, clean and winding 0.033-0.045: Chow 1959, table 5-6"),
    MANNING_CHOICE(outlet, WADI_FLOOD_OUTLET_ANY, WADI_FLOOD_OUTLET_COUNT, "side over which the flood leaves; any: the nearest side by cost, but not the side of the emitter", "", flood_outlets),
    MANNING_NUMBER(reach, 0.0, 0.0, 1e5, "m", "half-length of cross-sections; 0: 12 Q^(1/2), but at least 16 cells", "three times the width of a river in regime, 4 Q^(1/2)"),
    MANNING_NUMBER(bank_relief, 0.3, 1e-3, 1e3, "m", "fall of the ground beyond a crest that makes the crest a bank", "above the noise of lidar, 0.1-0.2 m"),
    FLOOD_NUMBER(least_slope, 1e-4, 1e-7, 1.0, "1", "slope of uniform flow on a bed that is flatter or rises; inertial: at open edges", "large rivers of plains 1e-5 to 1e-4"),
    FLOOD_NUMBER(step, 1.0, 1e-6, 1e6, "yr", "step length of the process: manning computes the flood again if the ground has changed, inertial goes on with it", "the default duration"),

    INERTIAL_NUMBER(longest, 24.0, 1e-6, 1e5, "h", "duration of the flood; then the water stands", ""),
    INERTIAL_NUMBER(rain, 0.0, 0.0, 1e3, "mm/h", "rain on all cells; all of it runs off, so give what does not sink in", ""),
    INERTIAL_NUMBER(rain_duration, 1.0, 0.0, 1e5, "h", "duration of the rain, from the begin of the flood", ""),
    INERTIAL_NUMBER(edge_slope, 0.0, 0.0, 10.0, "1", "slope of the water at open edges; 0: that of the ground there", ""),
    INERTIAL_NUMBER(film, 0.001, 1e-4, 1.0, "m", "water shallower than this does not flow", "0.001 m: LISFLOOD-FP, Bates et al. 2010"),
    INERTIAL_NUMBER(froude, 1.0, 0.1, 10.0, "1", "greatest Froude number", "steep streams run near critical: Grant 1997"),
    INERTIAL_NUMBER(theta, 0.8, 0.5, 1.0, "1", "weight of an edge's own discharge against that of the edges beside it; 1: undamped", "de Almeida et al. 2012"),
    INERTIAL_NUMBER(courant, 0.6, 0.01, 0.7, "1", "share of the time in which a wave crosses a cell that a step lasts", "0.2-0.7: Bates et al. 2010"),
    INERTIAL_WHOLE(local_steps, 0, 0, 3, "times that the step is doubled where water is shallow and slow; 0: one step for all", "Osher & Sanders 1983"),
};

static const wadi_field_group flood_groups[] = {
    {"model", "model"},
    {"from_x", "inflow"},
    {"roughness", "channel"},
    {"step", "steps"},
    {"longest", "duration and rain"},
    {"edge_slope", "scheme"},
    {NULL, NULL},
};
// clang-format on

const wadi_field_table wadi_flood_fields =
    FIELD_TABLE_IN("flood", flood_field_list, wadi_flood_params, flood_groups);

wadi_flood_params wadi_flood_params_default(void)
{
    wadi_flood_params params;
    wadi_fields_init(&wadi_flood_fields, &params);
    return params;
}
