// SPDX-License-Identifier: MIT
// The process "wind": its descriptor, and which of its two models is at work.
#include "core/internal.h"
#include "wind/grains.h"
#include "wind/saltation.h"

#include <wadi/airflow.h>

#define WIND_COUNT(array) ((int32_t)(sizeof(array) / sizeof((array)[0])))

typedef struct wind_state
{
    wadi_terrain* terrain;
    bool supplied; // sand may come in over an edge
    const wadi_solver_api* model;
    void* own; // the model's state
} wind_state;

static const wadi_solver_api* const wind_apis[WADI_WIND_MODEL_COUNT] = {
    [WADI_WIND_SALTATION] = &wadi_saltation_api,
    [WADI_WIND_GRAINS] = &wadi_grains_api,
};

static wadi_result wind_create(wadi_terrain* terrain, const void* user_params, uint32_t stream,
                               void** out)
{
    const wadi_wind_params* params = user_params;
    wadi_context* context = wadi_terrain_context(terrain);
    WADI_CHECK(context, params->model != WADI_WIND_GRAINS || params->regime == WADI_WIND_UNIMODAL,
               WADI_ERROR_STATE,
               "the grains of preset 'paper' know one wind: regime %s needs model saltation",
               wadi_wind_regime_names[params->regime]);
    wind_state* state;
    WADI_ALLOC(context, state, 1, "wind");
    state->terrain = terrain;
    state->supplied = params->model == WADI_WIND_SALTATION && params->inflow > 0.0;
    state->model = wind_apis[params->model];
    const wadi_result result = state->model->create(terrain, params, stream, &state->own);
    if (result != WADI_OK)
    {
        wadi_free(context, state);
        return result;
    }
    *out = state;
    return WADI_OK;
}

static void wind_destroy(void* user)
{
    wind_state* state = user;
    state->model->destroy(state->own);
    wadi_free(wadi_terrain_context(state->terrain), state);
}

static wadi_result wind_advance(void* user, double years)
{
    wind_state* state = user;
    if (!state->supplied && wadi_ground_is_bare(wadi_terrain_ground_const(state->terrain)))
    {
        wadi_log_line(wadi_terrain_context(state->terrain),
                      "the wind finds no sand, only rock to wear: fill the layer sediment, or let "
                      "sand come in with inflow");
    }
    return state->model->advance(state->own, years);
}

static wadi_result wind_map(void* user, int32_t index, float* out)
{
    wind_state* state = user;
    return state->model->map(state->own, index, out);
}

static wadi_result wind_set_table(void* user, int32_t index, const double* values, int32_t rows)
{
    wind_state* state = user;
    WADI_CHECK(
        wadi_terrain_context(state->terrain), state->model->set_table != NULL, WADI_ERROR_STATE,
        "the grains of preset 'paper' know one wind: a table of winds needs model saltation");
    return state->model->set_table(state->own, index, values, rows);
}

static int32_t wind_work(const void* user, wadi_work* out, int32_t capacity)
{
    const wind_state* state = user;
    return state->model->work(state->own, out, capacity);
}

static int32_t wind_figures(const void* user, wadi_figure* out, int32_t capacity)
{
    const wind_state* state = user;
    return state->model->figures(state->own, out, capacity);
}

static uint64_t wind_hash(const void* user)
{
    const wind_state* state = user;
    return state->model->hash(state->own);
}

// ---- descriptor --------------------------------------------------------------------------

static const wadi_map_info wind_maps[WIND_MAP_COUNT] = {
    [WIND_MAP_TRACK] = {"track", "1", "share of the wind that touches the ground, mean over time",
                        false},
    [WIND_MAP_FLUX_X] = {"flux_x", "m2/yr", "mean flux of sand to the east", false},
    [WIND_MAP_FLUX_Y] = {"flux_y", "m2/yr", "mean flux of sand to the north", false},
    [WIND_MAP_MOMENTUM] = {"momentum", "1", "mean wind near the ground over the prevailing wind",
                           false},
    [WIND_MAP_AIRBORNE] = {"airborne", "m3/m2", "sand in the air in the last batch", false},
    [WIND_MAP_TRANSIT] = {"transit", "m",
                          "sand that the wind held when the run ended; the ledger's transit",
                          false},
    [WIND_MAP_WEAR] = {"wear", "m", "rock worn since the start", false},
    [WIND_MAP_DEPOSIT] = {"deposit", "m", "gross raising since the start", false},
};

// The article's wind blows along (1, 1): from the north-west.
static const wadi_preset_value wind_paper_values[] = {
    {"model", WADI_WIND_GRAINS},
    {"direction", 315.0},
};

static const wadi_preset_value wind_paper_repo_values[] = {
    {"model", WADI_WIND_GRAINS}, {"direction", 315.0},     {"grain_wind", 2.0},
    {"grain_suspension", 0.002}, {"grain_abrasion", 0.01}, {"grain_settling", 0.05},
};

static const wadi_preset wind_presets[] = {
    {"default", "parcels of saltating sand in metres and years", NULL, 0},
    {"paper", "the article's wind particles, with the constants that it prints", wind_paper_values,
     WIND_COUNT(wind_paper_values)},
    {"paper-repo", "the same with the constants of the released code, which moves more sand",
     wind_paper_repo_values, WIND_COUNT(wind_paper_repo_values)},
};

static const wadi_layer wind_reads[] = {WADI_LAYER_BEDROCK,  WADI_LAYER_SEDIMENT,
                                        WADI_LAYER_WATER,    WADI_LAYER_HARDNESS,
                                        WADI_LAYER_MOISTURE, WADI_LAYER_VEGETATION};
static const wadi_layer wind_writes[] = {WADI_LAYER_BEDROCK, WADI_LAYER_SEDIMENT};

static const wadi_solver_api wind_api = {
    .create = wind_create,
    .advance = wind_advance,
    .destroy = wind_destroy,
    .map = wind_map,
    .set_table = wind_set_table,
    .work = wind_work,
    .figures = wind_figures,
    .hash = wind_hash,
};

const wadi_process wadi_wind_process = {
    .name = "wind",
    .doc = "Erosion by wind: parcels of air and sand fly, slide and settle, build dunes that "
           "wander and merge, shelter lees and wear bare rock.",
    .fields = &wadi_wind_fields,
    .presets = wind_presets,
    .preset_count = WIND_COUNT(wind_presets),
    .maps = wind_maps,
    .map_count = WIND_MAP_COUNT,
    .tables = wadi_wind_tables,
    .table_count = WIND_TABLE_COUNT,
    .reads = wind_reads,
    .read_count = WIND_COUNT(wind_reads),
    .writes = wind_writes,
    .write_count = WIND_COUNT(wind_writes),
    .default_years = WIND_DEFAULT_YEARS,
    .api = &wind_api,
};
