// SPDX-License-Identifier: MIT
// The process "flood": puts the water of a flood on a terrain.
#include "core/internal.h"
#include "laws/channels/channel_ground.h"
#include "laws/channels/channel_route.h"
#include "process/figure_row.h"
#include "processes/flood/flood_internal.h"
#include <wadi/archive.h>
#include <wadi/model.h>

#include <math.h>

#include <string.h>

enum
{
    FLOOD_LEAST_SIDE = 4 // cells; smaller grids have no room for a route
};

typedef struct flood_state
{
    wadi_terrain* terrain;
    wadi_flood_params params;
    float* heights;    // of the ground [m]
    float* flooded;    // heights on which `depth` was computed; a cache, so it is not archived
    bool is_flooded;   // `flooded` holds heights
    float* depth;      // of the last flood [m]
    float* overtopped; // [m]
    wadi_flood_station deepest;
    double length;      // of the route [m]
    double over_length; // length of the route with an overtopped bank [m]
} flood_state;

static void flood_process_destroy(void* user)
{
    flood_state* state = user;
    wadi_context* context = wadi_terrain_context(state->terrain);
    wadi_free(context, state->heights);
    wadi_free(context, state->flooded);
    wadi_free(context, state->depth);
    wadi_free(context, state->overtopped);
    wadi_free(context, state);
}

static wadi_result flood_process_allocate(flood_state* state)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    const int64_t cells = wadi_terrain_ground_const(state->terrain)->cells;
    WADI_ALLOC(context, state->heights, cells, "heights for a flood");
    WADI_ALLOC(context, state->flooded, cells, "heights for a flood");
    WADI_ALLOC(context, state->depth, cells, "depths of a flood");
    WADI_ALLOC(context, state->overtopped, cells, "overtopped banks");
    return WADI_OK;
}

static wadi_result flood_process_create(wadi_terrain* terrain, const void* params, uint32_t stream,
                                        void** out)
{
    flood_state* state;
    (void)stream; // no random numbers
    WADI_TRY(wadi_flood_check_steady(wadi_terrain_context(terrain), params));
    WADI_ALLOC(wadi_terrain_context(terrain), state, 1, "flood");
    state->terrain = terrain;
    state->params = *(const wadi_flood_params*)params;
    const wadi_result result = flood_process_allocate(state);
    if (result != WADI_OK)
    {
        flood_process_destroy(state);
        return result;
    }
    *out = state;
    return WADI_OK;
}

// ---- a flood -----------------------------------------------------------------------------

static void flood_process_sum_up(flood_state* state, const wadi_flood* flood)
{
    int32_t count;
    const wadi_flood_station* stations = wadi_flood_stations(flood, &count);
    const double spacing = stations[1].distance;
    state->deepest = stations[0];
    state->length = stations[count - 1].distance;
    state->over_length = 0.0;
    for (int32_t i = 0; i < count; ++i)
    {
        const wadi_flood_station* s = &stations[i];
        const double depth = s->stage - s->bed;
        state->deepest = depth > state->deepest.stage - state->deepest.bed ? *s : state->deepest;
        state->over_length += s->overtopped ? spacing : 0.0;
    }
}

static void flood_process_pour(flood_state* state)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    wadi_tally tally = {0};
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        const double depth = floor((double)state->depth[i] * WADI_UNITS_PER_METRE + 0.5);
        const double missing = fmin(depth, (double)INT32_MAX) - (double)ground->water[i];
        if (ground->valid[i] != 0 && missing > 0.0)
        {
            ground->water[i] += (int32_t)missing;
            tally.in[WADI_MATERIAL_WATER] += (int32_t)missing;
        }
    }
    wadi_terrain_book(state->terrain, "flood", &tally);
}

static wadi_result flood_process_run(flood_state* state, const wadi_field2d* field)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    const int32_t outlet = state->params.outlet == WADI_FLOOD_OUTLET_ANY
                               ? CHANNEL_OUTLET_ANY_OR_LOWEST
                               : state->params.outlet - 1;
    wadi_flood* flood;
    WADI_TRY(wadi_flood_create_to(context, field, &state->params, outlet, &flood));
    wadi_result result = wadi_flood_map(flood, WADI_FLOOD_DEPTH, state->depth);
    if (result == WADI_OK)
    {
        result = wadi_flood_map(flood, WADI_FLOOD_OVERTOPPED, state->overtopped);
    }
    flood_process_sum_up(state, flood);
    wadi_flood_destroy(flood);
    return result;
}

// The flood is steady, so it is computed again only when the ground has changed.
static wadi_result flood_process_update(flood_state* state)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    const size_t size = (size_t)ground->cells * sizeof *state->heights;
    const wadi_field2d field = wadi_channel_field_of(ground, state->heights);
    if (state->is_flooded && memcmp(state->heights, state->flooded, size) == 0)
    {
        return WADI_OK;
    }
    state->is_flooded = false;
    WADI_TRY(flood_process_run(state, &field));
    memcpy(state->flooded, state->heights, size);
    state->is_flooded = true;
    return WADI_OK;
}

static double flood_process_step(const void* user)
{
    const flood_state* state = user;
    return state->params.step;
}

static wadi_result flood_process_advance(void* user, const wadi_span* span)
{
    (void)span; // steady
    flood_state* state = user;
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    WADI_CHECK(wadi_terrain_context(state->terrain), wadi_terrain_valid_count(state->terrain) > 0,
               WADI_ERROR_STATE,
               "there is no ground for a flood to run over: all cells are without data");
    if (ground->width < FLOOD_LEAST_SIDE || ground->height < FLOOD_LEAST_SIDE)
    {
        return WADI_OK;
    }
    WADI_TRY(flood_process_update(state));
    flood_process_pour(state);
    return WADI_OK;
}

// ---- maps and reports --------------------------------------------------------------------

enum
{
    FLOOD_OF_MANNING = 1 << WADI_FLOOD_MANNING,
    FLOOD_OF_INERTIAL = 1 << WADI_FLOOD_INERTIAL
};

static const wadi_map_info flood_process_maps[FLOOD_MAP_COUNT] = {
    [FLOOD_MAP_ROUGHNESS] = {"roughness", "s/m^(1/3)",
                             "Manning's n; 0 or no data: that of the parameters", true,
                             FLOOD_OF_INERTIAL},
    [FLOOD_MAP_DEPTH] = {"depth", "m", "water depth of the flood", false, 0},
    [FLOOD_MAP_OVERTOPPED] = {"overtopped", "m", "water depth on and beyond overtopped banks",
                              false, FLOOD_OF_MANNING},
    [FLOOD_MAP_PEAK_DEPTH] = {"peak_depth", "m", "greatest depth", false, FLOOD_OF_INERTIAL},
    [FLOOD_MAP_PEAK_SPEED] = {"peak_speed", "m/s", "greatest speed", false, FLOOD_OF_INERTIAL},
    [FLOOD_MAP_HAZARD] = {"hazard", "m2/s",
                          "greatest depth x (speed + 0.5 m/s); 0.75 endangers children, 1.25 most "
                          "people, 2.5 all: Defra 2006",
                          false, FLOOD_OF_INERTIAL},
    [FLOOD_MAP_ARRIVAL] =
        {"arrival", "s", "time from the begin of the flood to a depth of 0.1 m; -1 where none came",
         false, FLOOD_OF_INERTIAL},
    [FLOOD_MAP_DURATION] = {"duration", "s", "time with a depth of 0.1 m or more", false,
                            FLOOD_OF_INERTIAL},
};

static wadi_result flood_process_map(void* user, int32_t index, float* out)
{
    const flood_state* state = user;
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    const float* map = index == FLOOD_MAP_DEPTH ? state->depth : state->overtopped;
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        out[i] = ground->valid[i] != 0 ? map[i] : NAN;
    }
    return WADI_OK;
}

static int32_t flood_process_work(const void* user, wadi_work* rows)
{
    const flood_state* state = user;
    rows[0] = (wadi_work){"cells", (double)wadi_terrain_ground_const(state->terrain)->cells};
    return 1;
}

static int32_t flood_process_figures(const void* user, wadi_figure* rows)
{
    const flood_state* state = user;
    const wadi_figure all[] = {
        wadi_figure_of("length", state->length),
        wadi_figure_of("deepest", state->deepest.stage - state->deepest.bed),
        wadi_figure_of("at_x", state->deepest.x),
        wadi_figure_of("at_y", state->deepest.y),
        wadi_figure_of("overtopped", state->over_length),
    };
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all);
}

// Of the deepest station the figures read place, bed and stage.
static wadi_result flood_process_archive(void* user, wadi_archive* archive)
{
    flood_state* state = user;
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    wadi_archive_grid(archive, state->depth, sizeof *state->depth, ground->width, ground->height);
    wadi_archive_grid(archive, state->overtopped, sizeof *state->overtopped, ground->width,
                      ground->height);
    double* values[] = {&state->deepest.x,     &state->deepest.y, &state->deepest.bed,
                        &state->deepest.stage, &state->length,    &state->over_length};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i)
    {
        wadi_archive_f64(archive, values[i], 1);
    }
    return wadi_archive_result(archive);
}

// ---- descriptor --------------------------------------------------------------------------

static const wadi_preset_value flood_process_inertial[] = {{"model", WADI_FLOOD_INERTIAL}};

static const wadi_preset flood_process_presets[] = {
    {"default", "a flood of 100 m3/s over natural ground", NULL, 0},
    {"inertial", "the same in time, on all cells", flood_process_inertial,
     WADI_COUNT(flood_process_inertial)},
};

static const wadi_model_api flood_process_api = {
    .create = flood_process_create,
    .step = flood_process_step,
    .advance = flood_process_advance,
    .destroy = flood_process_destroy,
    .map = flood_process_map,
    .work = flood_process_work,
    .figures = flood_process_figures,
    .archive = flood_process_archive,
};

enum
{
    FLOOD_READS = WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |
                  WADI_LAYER_BIT(WADI_LAYER_WATER)
};

// clang-format off
static const wadi_figure_info flood_process_figure_list[] = {
    {"length", "m", WADI_FIGURE_STATE, "length of the route", FLOOD_OF_MANNING},
    {"deepest", "m", WADI_FIGURE_STATE, "greatest depth of the water", 0},
    {"at_x", "m", WADI_FIGURE_STATE, "its place, eastwards from the south-west corner", FLOOD_OF_MANNING},
    {"at_y", "m", WADI_FIGURE_STATE, "its place, northwards from the south-west corner", FLOOD_OF_MANNING},
    {"overtopped", "m", WADI_FIGURE_STATE, "length of the route on which water stands over a bank", FLOOD_OF_MANNING},
    {"time", "h", WADI_FIGURE_STATE, "time since the flood began", FLOOD_OF_INERTIAL},
    {"inflow", "m3", WADI_FIGURE_STATE, "water that came in, rain too", FLOOD_OF_INERTIAL},
    {"outflow", "m3", WADI_FIGURE_STATE, "water that left the map", FLOOD_OF_INERTIAL},
    {"flooded", "m2", WADI_FIGURE_STATE, "area that was flooded at any time", FLOOD_OF_INERTIAL},
    {"fastest", "m/s", WADI_FIGURE_STATE, "greatest speed of the water", FLOOD_OF_INERTIAL},
};
// clang-format on

static const wadi_model flood_process_models[WADI_FLOOD_MODEL_COUNT] = {
    {"manning", "Steady flow by Manning's law in cross-sections of the ground.", FLOOD_READS,
     WADI_LAYER_BIT(WADI_LAYER_WATER), WADI_MODEL_GATHERS, &flood_process_api},
    {"inertial", "Shallow water in time on all cells, without advection of momentum.", FLOOD_READS,
     WADI_LAYER_BIT(WADI_LAYER_WATER), WADI_MODEL_GATHERS, &wadi_flood_inertial_api},
};

static const double flood_process_years[WADI_FLOOD_MODEL_COUNT] = {1.0, 6.0 / 8766.0};

const wadi_process wadi_flood_process = {
    .name = "flood",
    .doc = "A flood: steady, by its route over the ground, its depth by Manning's law and the "
           "banks that it overtops; or in time, as shallow water from hydrographs and rain. It "
           "does not erode; its water stays on the terrain.",
    .fields = &wadi_flood_fields,
    .presets = flood_process_presets,
    .preset_count = WADI_COUNT(flood_process_presets),
    .maps = flood_process_maps,
    .map_count = FLOOD_MAP_COUNT,
    .figures = flood_process_figure_list,
    .figure_count = WADI_COUNT(flood_process_figure_list),
    .tables = wadi_flood_tables,
    .table_count = FLOOD_TABLE_COUNT,
    .models = flood_process_models,
    .model_count = WADI_COUNT(flood_process_models),
    .default_years = 1.0,
    .model_years = flood_process_years,
};
