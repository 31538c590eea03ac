// SPDX-License-Identifier: MIT
// The process "dunes": its descriptor, and which of its modes is at work.
#include "core/internal.h"
#include "dunes/dunes_internal.h"

#define DUNES_COUNT(array) ((int32_t)(sizeof(array) / sizeof((array)[0])))

typedef struct dunes_state
{
    wadi_terrain* terrain;
    bool supplied; // sand may come in over an edge
    const wadi_solver_api* mode;
    void* own; // the mode's state
} dunes_state;

static const wadi_solver_api* const dunes_apis[WADI_DUNES_MODE_COUNT] = {
    [WADI_DUNES_FLUX] = &wadi_dunes_flux_api,
    [WADI_DUNES_SLAB] = &wadi_dunes_slab_api,
};

static wadi_result dunes_create(wadi_terrain* terrain, const void* user_params, uint32_t stream,
                                void** out)
{
    const wadi_dunes_params* params = user_params;
    wadi_context* context = wadi_terrain_context(terrain);
    dunes_state* state;
    WADI_ALLOC(context, state, 1, "dunes");
    state->terrain = terrain;
    state->supplied = params->inflow > 0.0;
    state->mode = dunes_apis[params->mode];
    const wadi_result result = state->mode->create(terrain, params, stream, &state->own);
    if (result != WADI_OK)
    {
        wadi_free(context, state);
        return result;
    }
    *out = state;
    return WADI_OK;
}

static void dunes_destroy(void* user)
{
    dunes_state* state = user;
    state->mode->destroy(state->own);
    wadi_free(wadi_terrain_context(state->terrain), state);
}

static wadi_result dunes_advance(void* user, double years)
{
    dunes_state* state = user;
    if (!state->supplied && wadi_ground_is_bare(wadi_terrain_ground_const(state->terrain)))
    {
        wadi_log_line(wadi_terrain_context(state->terrain),
                      "there is no sand for dunes: fill the layer sediment, or let sand come in "
                      "with inflow");
    }
    return state->mode->advance(state->own, years);
}

static void dunes_settle(void* user)
{
    dunes_state* state = user;
    if (state->mode->settle != NULL)
    {
        state->mode->settle(state->own);
    }
}

static wadi_result dunes_map(void* user, int32_t index, float* out)
{
    dunes_state* state = user;
    return state->mode->map(state->own, index, out);
}

static wadi_result dunes_set_table(void* user, int32_t index, const double* values, int32_t rows)
{
    dunes_state* state = user;
    return state->mode->set_table(state->own, index, values, rows);
}

static int32_t dunes_work(const void* user, wadi_work* out, int32_t capacity)
{
    const dunes_state* state = user;
    return state->mode->work(state->own, out, capacity);
}

static int32_t dunes_figures(const void* user, wadi_figure* out, int32_t capacity)
{
    const dunes_state* state = user;
    return state->mode->figures(state->own, out, capacity);
}

static uint64_t dunes_hash(const void* user)
{
    const dunes_state* state = user;
    return state->mode->hash(state->own);
}

// ---- descriptor --------------------------------------------------------------------------

static const wadi_map_info dunes_maps[DUNES_MAP_COUNT] = {
    [DUNES_MAP_FLUX_X] = {"flux_x", "m2/yr", "mean flux of sand to the east", false},
    [DUNES_MAP_FLUX_Y] = {"flux_y", "m2/yr", "mean flux of sand to the north", false},
    [DUNES_MAP_WIND] = {"wind", "1", "wind near the ground over that of flat ground, at the end",
                        false},
    [DUNES_MAP_SHELTER] = {"shelter", "1",
                           "share of the wind that relief and plants keep off, at "
                           "the end",
                           false},
    [DUNES_MAP_AIRBORNE] = {"airborne", "m3/m2", "sand in the air", false},
    [DUNES_MAP_WEAR] = {"wear", "m", "rock worn since the start", false},
};

// The article's wind never stops: 36.5 slabs of 0.1 m leave every cell in a year, and each flies
// 8 / 0.6 m in a wind of 15 m/s, two thirds of that in the 10 m/s for which `flux` is given.
static const wadi_preset_value dunes_paper_values[] = {
    {"mode", WADI_DUNES_SLAB}, {"flux", 32.44},          {"blowing", 1.0},     {"threshold", 0.0},
    {"repose", 30.0},          {"slab_wear_gain", 12.5}, {"slab_spread", 0.0},
};

static const wadi_preset dunes_presets[] = {
    {"default", "a continuous flux of sand under the shear stress of the wind", NULL, 0},
    {"paper", "the article's slabs of sand, with its constants", dunes_paper_values,
     DUNES_COUNT(dunes_paper_values)},
};

static const wadi_layer dunes_reads[] = {WADI_LAYER_BEDROCK,  WADI_LAYER_SEDIMENT,
                                         WADI_LAYER_WATER,    WADI_LAYER_HARDNESS,
                                         WADI_LAYER_MOISTURE, WADI_LAYER_VEGETATION};
static const wadi_layer dunes_writes[] = {WADI_LAYER_BEDROCK, WADI_LAYER_SEDIMENT,
                                          WADI_LAYER_VEGETATION};

static const wadi_solver_api dunes_api = {
    .create = dunes_create,
    .advance = dunes_advance,
    .settle = dunes_settle,
    .destroy = dunes_destroy,
    .map = dunes_map,
    .set_table = dunes_set_table,
    .work = dunes_work,
    .figures = dunes_figures,
    .hash = dunes_hash,
};

const wadi_process wadi_dunes_process = {
    .name = "dunes",
    .doc = "Dunes: wind over relief lifts sand where it speeds up and drops it where it slackens; "
           "slip faces avalanche, lees are sheltered, plants hold sand and bare rock is worn.",
    .fields = &wadi_dunes_fields,
    .presets = dunes_presets,
    .preset_count = DUNES_COUNT(dunes_presets),
    .maps = dunes_maps,
    .map_count = DUNES_MAP_COUNT,
    .tables = wadi_wind_tables,
    .table_count = AIRFLOW_TABLE_COUNT,
    .reads = dunes_reads,
    .read_count = DUNES_COUNT(dunes_reads),
    .writes = dunes_writes,
    .write_count = DUNES_COUNT(dunes_writes),
    .default_years = DUNES_DEFAULT_YEARS,
    .api = &dunes_api,
};
