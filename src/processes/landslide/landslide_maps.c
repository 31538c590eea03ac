// SPDX-License-Identifier: MIT
// Maps of the process "landslide", input and output, and the outline of its region.
#include "processes/landslide/landslide_state.h"

#include <math.h>
#include <string.h>

// ---- maps --------------------------------------------------------------------------------

const wadi_map_info wadi_landslide_maps[LANDSLIDE_MAP_COUNT] = {
    [LANDSLIDE_MAP_DEPTH] = {"depth", "m",
                             "most soil that is cut out, as a depth or as a change below 0; 0 or "
                             "no data leaves a cell as it is",
                             true, 0},
    [LANDSLIDE_MAP_STABILITY] = {"stability", "1",
                                 "factor of safety before the last slide, 100 at most", false, 0},
    [LANDSLIDE_MAP_SOURCE] = {"source", "m", "soil cut out since the start", false, 0},
    [LANDSLIDE_MAP_WEAR] = {"wear", "m", "lowering by slides since the start", false, 0},
    [LANDSLIDE_MAP_DEPOSIT] = {"deposit", "m", "raising by slides since the start", false, 0},
    [LANDSLIDE_MAP_SLIDE] = {"slide", "1",
                             "number of the slide that began in a cell, in the order of failure; "
                             "start storm",
                             false, 0},
    [LANDSLIDE_MAP_HOUR] = {"hour", "h", "of that slide's failure, after the begin of its storm",
                            false, 0},
    [LANDSLIDE_MAP_SPEED] = {"speed", "m/s", "greatest speed of grains or flow", false, 0},
    [LANDSLIDE_MAP_HEIGHT] = {"height", "m", "greatest thickness of the flow, measured upright",
                              false, LANDSLIDE_FLOWS},
    [LANDSLIDE_MAP_PRESSURE] = {"pressure", "kPa",
                                "greatest pressure of the flow: density times speed squared", false,
                                LANDSLIDE_FLOWS},
    [LANDSLIDE_MAP_ARRIVAL] = {"arrival", "s",
                               "time from the begin of a slide to 0.1 m of flow; 0 where none "
                               "came",
                               false, LANDSLIDE_FLOWS},
    [LANDSLIDE_MAP_REACH] = {"reach", "1",
                             "share of the runs of the ensemble with 0.1 m of flow or more, of the "
                             "slide that reaches most",
                             false, LANDSLIDE_FLOWS},
    [LANDSLIDE_MAP_RUNOUT] = {"runout", "m",
                              "run-out of the slide that began in a cell, from its highest cell to "
                              "its farthest deposit of 0.1 m; of grains, start storm only",
                              false, LANDSLIDE_MOVES},
    [LANDSLIDE_MAP_ANGLE] = {"angle", "1", "fall of that slide over its run-out", false,
                             LANDSLIDE_MOVES},
    [LANDSLIDE_MAP_VOLUME] = {"volume", "m3", "of that slide, without the bed that it took up",
                              false, LANDSLIDE_MOVES},
};

static float landslide_map_at(const landslide_state* state, int32_t index, int64_t cell)
{
    const float metre = 1.0f / WADI_UNITS_PER_METRE;
    switch (index)
    {
    case LANDSLIDE_MAP_STABILITY:
        return state->stability[cell];
    case LANDSLIDE_MAP_SOURCE:
        return (float)state->released[cell] * metre;
    case LANDSLIDE_MAP_WEAR:
        return (float)state->change[0][cell] * metre;
    case LANDSLIDE_MAP_DEPOSIT:
        return (float)state->change[1][cell] * metre;
    case LANDSLIDE_MAP_SLIDE:
        return state->failure[cell];
    case LANDSLIDE_MAP_HOUR:
        return state->hour[cell];
    case LANDSLIDE_MAP_SPEED:
        return state->speed[cell];
    default:
        return isinf(state->peaks[index - LANDSLIDE_MAP_HEIGHT][cell])
                   ? 0.0f
                   : state->peaks[index - LANDSLIDE_MAP_HEIGHT][cell];
    }
}

wadi_result wadi_landslide_map(void* user, int32_t index, float* out)
{
    const landslide_state* state = user;
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        out[c] = ground->valid[c] != 0 ? landslide_map_at(state, index, c) : NAN;
    }
    return WADI_OK;
}

wadi_result wadi_landslide_set_map(void* user, int32_t index, const float* values)
{
    landslide_state* state = user;
    (void)index; // depth is the only input
    wadi_context* context = wadi_terrain_context(state->terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        WADI_CHECK(context, isnan(values[c]) || fabsf(values[c]) <= 1000.0f, WADI_ERROR_RANGE,
                   "the map of depths is %g at cell (%d, %d), expected -1000 to 1000 m",
                   (double)values[c], (int)(c % ground->width), (int)(c / ground->width));
    }
    if (state->depth == NULL)
    {
        WADI_ALLOC(context, state->depth, ground->cells, "a map of depths");
    }
    memcpy(state->depth, values, (size_t)ground->cells * sizeof *values);
    state->is_stale = true;
    return WADI_OK;
}

// ---- tables ------------------------------------------------------------------------------

static const wadi_column landslide_outline[] = {
    {"x", "m", -1e9, 1e9},
    {"y", "m", -1e9, 1e9},
};
static const wadi_column landslide_inflow_columns[] = {
    {"second", "s", 0.0, 1e9},
    {"discharge", "m3/s", 0.0, 1e6},
};
const wadi_table_info wadi_landslide_tables[LANDSLIDE_TABLE_COUNT] = {
    [LANDSLIDE_TABLE_OUTLINE] = {"outline",
                                 "corners of the region, one after the other; metres from the "
                                 "south-west corner",
                                 landslide_outline, WADI_COUNT(landslide_outline), 0, 0},
    [LANDSLIDE_TABLE_INFLOW] = {"inflow",
                                "start inflow: discharge of debris, water included, by seconds "
                                "since the begin of the slide; linear between rows, 0 before the "
                                "first and after the last",
                                landslide_inflow_columns, WADI_COUNT(landslide_inflow_columns),
                                LANDSLIDE_FLOWS, 1 << LANDSLIDE_INFLOW_SECOND},
};

static wadi_result landslide_set_outline(landslide_state* state, const double* values, int32_t rows)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    WADI_CHECK(context, rows >= 3, WADI_ERROR_ARGUMENT,
               "the outline of a landslide has %d corners, expected 3 or more", rows);
    double(*corners)[2];
    WADI_ALLOC(context, corners, rows, "an outline");
    memcpy(corners, values, (size_t)rows * sizeof *corners);
    wadi_free(context, state->corners);
    state->corners = corners;
    state->corner_count = rows;
    state->is_stale = true;
    return WADI_OK;
}

wadi_result wadi_landslide_set_table(void* user, int32_t index, const double* values, int32_t rows)
{
    return index == LANDSLIDE_TABLE_INFLOW ? wadi_landslide_inflow_set(user, values, rows)
                                           : landslide_set_outline(user, values, rows);
}
