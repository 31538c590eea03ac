// SPDX-License-Identifier: MIT
// In each step a cell at random gives sand to the air, and another gets half of what is there.
#include "support/drift.h"

#include <wadi/archive.h>
#include <wadi/model.h>

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef struct drift_state
{
    wadi_terrain* terrain;
    drift_params params;
    uint32_t stream;
    int64_t air;   // [units x cells]
    int32_t* laid; // [units] since the start
    float* dust;   // input map: shares of the rate; 0: none is set
    int32_t width;
    int32_t height;
} drift_state;

static void drift_destroy(void* user)
{
    drift_state* state = user;
    wadi_context* context = wadi_terrain_context(state->terrain);
    wadi_free(context, state->laid);
    wadi_free(context, state->dust);
    wadi_free(context, state);
}

static wadi_result drift_create(wadi_terrain* terrain, const void* params, uint32_t stream,
                                void** out)
{
    wadi_context* context = wadi_terrain_context(terrain);
    drift_state* state = wadi_alloc(context, 1, sizeof *state);
    if (state == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "no memory for drift");
    }
    state->terrain = terrain;
    state->params = *(const drift_params*)params;
    state->stream = stream;
    state->width = wadi_terrain_width(terrain);
    state->height = wadi_terrain_height(terrain);
    const size_t cells = (size_t)state->width * (size_t)state->height;
    state->laid = wadi_alloc(context, cells, sizeof *state->laid);
    state->dust = wadi_alloc(context, cells, sizeof *state->dust);
    if (state->laid == NULL || state->dust == NULL)
    {
        drift_destroy(state);
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "no memory for drift");
    }
    *out = state;
    return WADI_OK;
}

static double drift_step(const void* user)
{
    return ((const drift_state*)user)->params.max_step;
}

static int32_t drift_cell(const drift_state* state, int64_t index, uint32_t which)
{
    uint32_t draw = state->stream + (uint32_t)index * 0x9E3779B9u + which * 0x85EBCA6Bu +
                    (uint32_t)wadi_terrain_seed(state->terrain);
    draw = (draw ^ draw >> 16) * 0x7FEB352Du;
    draw = (draw ^ draw >> 15) * 0x846CA68Bu;
    return (int32_t)((draw ^ draw >> 16) % (uint32_t)(state->width * state->height));
}

static void drift_lay(drift_state* state, int32_t cell, int64_t amount, wadi_tally* tally)
{
    const int32_t x = cell % state->width;
    const int32_t y = cell / state->width;
    const int32_t part = (int32_t)(amount < 1 << 20 ? amount : 1 << 20);
    if (wadi_terrain_is_valid(state->terrain, x, y))
    {
        wadi_terrain_put(state->terrain, x, y, part, tally);
        state->laid[cell] += part;
        state->air -= part;
        tally->transit[WADI_MATERIAL_SEDIMENT] -= part;
    }
}

static wadi_result drift_advance(void* user, const wadi_span* span)
{
    drift_state* state = user;
    wadi_tally tally = {0};
    for (uint32_t i = 0; i < 16; ++i)
    {
        const int32_t cell = drift_cell(state, span->index, 2 * i);
        const int32_t x = cell % state->width;
        const int32_t y = cell / state->width;
        const double share = state->dust[cell] > 0.0f ? (double)state->dust[cell] : 1.0;
        const double amount = floor(state->params.rate * WADI_UNITS_PER_METRE * share *
                                    span->years / state->params.max_step);
        if (wadi_terrain_is_valid(state->terrain, x, y))
        {
            const int32_t taken = wadi_terrain_take(state->terrain, x, y, (int32_t)amount, &tally);
            state->air += taken;
            tally.transit[WADI_MATERIAL_SEDIMENT] += taken;
        }
        drift_lay(state, drift_cell(state, span->index, 2 * i + 1), state->air / 2, &tally);
    }
    wadi_terrain_book(state->terrain, drift_process.name, &tally);
    return WADI_OK;
}

static void drift_settle(void* user)
{
    drift_state* state = user;
    wadi_tally tally = {0};
    for (int32_t i = 0; i < state->width * state->height && state->air > 0; ++i)
    {
        drift_lay(state, i, state->air, &tally);
    }
    wadi_terrain_book(state->terrain, drift_process.name, &tally);
}

static void drift_held(const void* user, int64_t held[WADI_MAX_MATERIALS])
{
    held[WADI_MATERIAL_SEDIMENT] = ((const drift_state*)user)->air;
}

static wadi_result drift_map(void* user, int32_t index, float* out)
{
    (void)index;
    const drift_state* state = user;
    for (int32_t i = 0; i < state->width * state->height; ++i)
    {
        out[i] = (float)state->laid[i] / WADI_UNITS_PER_METRE;
    }
    return WADI_OK;
}

static wadi_result drift_set_map(void* user, int32_t index, const float* values)
{
    (void)index;
    drift_state* state = user;
    for (int32_t i = 0; i < state->width * state->height; ++i)
    {
        // also NaN and huge values of a damaged input are held in range
        state->dust[i] = values[i] > 0.0f && values[i] < 1.0f ? values[i] : 0.0f;
    }
    return WADI_OK;
}

static wadi_result drift_archive(void* user, wadi_archive* archive)
{
    drift_state* state = user;
    wadi_archive_i64(archive, &state->air, 1);
    wadi_archive_grid(archive, state->laid, 4, state->width, state->height);
    if (wadi_archive_is_reading(archive) && (state->air < 0 || state->air > INT64_C(1) << 40))
    {
        return wadi_context_fail(wadi_archive_context(archive), WADI_ERROR_FORMAT,
                                 "the saved drift holds %lld units", (long long)state->air);
    }
    return wadi_archive_result(archive);
}

static const wadi_field drift_field_list[] = {
    {"rate", WADI_FIELD_DOUBLE, offsetof(drift_params, rate), 0.5, 0.0, 100.0, "m",
     "sand that a cell gives in a step", "", NULL, 0},
    {"max_step", WADI_FIELD_DOUBLE, offsetof(drift_params, max_step), 0.5, 1e-6, 1e9, "yr",
     "length of a step", "", NULL, 0},
};
static const wadi_field_table drift_fields = {"drift", drift_field_list, 2, sizeof(drift_params),
                                              NULL};
static const wadi_map_info drift_maps[] = {
    {"laid", "m", "sand laid down since the start", false, 0},
    {"dust", "1", "share of the rate", true, 0},
};
static const wadi_preset drift_presets[] = {{"default", "sand that drifts", NULL, 0}};
static const wadi_model_api drift_api = {
    .create = drift_create,
    .step = drift_step,
    .advance = drift_advance,
    .settle = drift_settle,
    .held = drift_held,
    .destroy = drift_destroy,
    .map = drift_map,
    .set_map = drift_set_map,
    .archive = drift_archive,
};
static const wadi_model drift_models[] = {
    {"random", "Sand that jumps.",
     WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT),
     WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT),
     WADI_MODEL_HOLDS | WADI_MODEL_RANDOM, &drift_api},
};
const wadi_process drift_process = {
    .name = "drift",
    .doc = "Sand that drifts.",
    .fields = &drift_fields,
    .presets = drift_presets,
    .preset_count = 1,
    .maps = drift_maps,
    .map_count = 2,
    .models = drift_models,
    .model_count = 1,
    .default_years = 20.0,
};
