// SPDX-License-Identifier: MIT
// The process "hydraulic": its descriptor, and which of its two models is at work.
#include "core/internal.h"
#include "hydraulic/droplet.h"
#include "hydraulic/hydraulic_internal.h"
#include "hydraulic/parcels.h"

#include <math.h>
#include <string.h>

#define HYDRAULIC_COUNT(array) ((int32_t)(sizeof(array) / sizeof((array)[0])))

// Noise of mountain relief drains in this time at the default erodibility.
#define HYDRAULIC_DEFAULT_YEARS 400000.0

typedef struct hydraulic_state
{
    wadi_terrain* terrain;
    wadi_parcels* parcels; // one of the two is there
    wadi_droplets* droplets;
    double years;
} hydraulic_state;

static void hydraulic_destroy(void* user)
{
    hydraulic_state* state = user;
    wadi_parcels_destroy(state->parcels);
    wadi_droplets_destroy(state->droplets);
    wadi_free(wadi_terrain_context(state->terrain), state);
}

static wadi_result hydraulic_create(wadi_terrain* terrain, const void* user_params, uint32_t stream,
                                    void** out)
{
    const wadi_hydraulic_params* params = user_params;
    hydraulic_state* state;
    WADI_ALLOC(wadi_terrain_context(terrain), state, 1, "hydraulic");
    state->terrain = terrain;
    const wadi_result result = params->model == WADI_HYDRAULIC_DROPLETS
                                   ? wadi_droplets_create(terrain, params, HYDRAULIC_DEFAULT_YEARS,
                                                          stream, &state->droplets)
                                   : wadi_parcels_create(terrain, params, HYDRAULIC_DEFAULT_YEARS,
                                                         stream, &state->parcels);
    if (result != WADI_OK)
    {
        hydraulic_destroy(state);
        return result;
    }
    *out = state;
    return WADI_OK;
}

static wadi_result hydraulic_advance(void* user, double years)
{
    hydraulic_state* state = user;
    state->years += years;
    return state->droplets != NULL ? wadi_droplets_advance(state->droplets, years)
                                   : wadi_parcels_advance(state->parcels, years);
}

// ---- maps --------------------------------------------------------------------------------

static const wadi_map_info hydraulic_maps[HYDRAULIC_MAP_COUNT] = {
    [HYDRAULIC_MAP_RAIN] = {"rain", "m/yr", "effective rain, in place of the constant", true},
    [HYDRAULIC_MAP_FLOW] = {"flow", "m2", "area that drains through the cell", false},
    [HYDRAULIC_MAP_DISCHARGE] = {"discharge", "m3/s", "mean discharge of water", false},
    [HYDRAULIC_MAP_VELOCITY] = {"velocity", "m/s", "mean velocity of water", false},
    [HYDRAULIC_MAP_WEAR] = {"wear", "m", "gross lowering since the start", false},
    [HYDRAULIC_MAP_DEPOSIT] = {"deposit", "m", "gross raising since the start", false},
    [HYDRAULIC_MAP_LAKE_DEPTH] = {"lake_depth", "m", "depth of standing water", false},
    [HYDRAULIC_MAP_MOMENTUM_EAST] = {"momentum_east", "m4/s2",
                                     "discharge x velocity of streams, eastwards", false},
    [HYDRAULIC_MAP_MOMENTUM_NORTH] = {"momentum_north", "m4/s2",
                                      "discharge x velocity of streams, northwards", false},
};

// A droplet is the article's unit of rain; at so many a year its paths are a discharge.
static void hydraulic_droplet_map(const hydraulic_state* state, int32_t index, float* out)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    if (index >= HYDRAULIC_MAP_LAKE_DEPTH)
    {
        // droplets keep their momentum to themselves
        const float scale = index == HYDRAULIC_MAP_LAKE_DEPTH ? 1.0f / WADI_UNITS_PER_METRE : 0.0f;
        for (int64_t c = 0; c < ground->cells; ++c)
        {
            out[c] = ground->valid[c] != 0 ? (float)ground->water[c] * scale : NAN;
        }
        return;
    }
    static const wadi_droplet_map of[HYDRAULIC_MAP_COUNT] = {
        [HYDRAULIC_MAP_FLOW] = WADI_DROPLET_DISCHARGE,
        [HYDRAULIC_MAP_DISCHARGE] = WADI_DROPLET_DISCHARGE,
        [HYDRAULIC_MAP_VELOCITY] = WADI_DROPLET_VELOCITY,
        [HYDRAULIC_MAP_WEAR] = WADI_DROPLET_WEAR,
        [HYDRAULIC_MAP_DEPOSIT] = WADI_DROPLET_DEPOSIT,
    };
    wadi_droplets_map(state->droplets, of[index], out);
    if (index == HYDRAULIC_MAP_DISCHARGE)
    {
        for (int64_t c = 0; c < ground->cells; ++c)
        {
            out[c] /= 31557600.0f; // per year to per second
        }
    }
}

static wadi_result hydraulic_map(void* user, int32_t index, float* out)
{
    hydraulic_state* state = user;
    if (state->droplets != NULL)
    {
        hydraulic_droplet_map(state, index, out);
    }
    else
    {
        wadi_parcels_map(state->parcels, index, out);
    }
    return WADI_OK;
}

static wadi_result hydraulic_set_map(void* user, int32_t index, const float* values)
{
    hydraulic_state* state = user;
    (void)index; // rain is the only input
    WADI_CHECK(wadi_terrain_context(state->terrain), state->parcels != NULL, WADI_ERROR_STATE,
               "the droplets of preset 'paper' fall evenly: a rain map needs model parcels");
    return wadi_parcels_set_rain(state->parcels, values);
}

// ---- reports -----------------------------------------------------------------------------

static int32_t hydraulic_work(const void* user, wadi_work* out, int32_t capacity)
{
    const hydraulic_state* state = user;
    wadi_work rows[3];
    int32_t count = 0;
    if (state->droplets != NULL)
    {
        const wadi_droplet_work work = wadi_droplets_work(state->droplets);
        rows[count++] = (wadi_work){"particles", (double)work.droplets};
        rows[count++] = (wadi_work){"particle_steps", (double)work.useful};
        rows[count++] = (wadi_work){"batches", (double)work.batches};
    }
    else
    {
        rows[count++] = (wadi_work){"particle_steps", wadi_parcels_moves(state->parcels)};
    }
    for (int32_t i = 0; i < count && i < capacity; ++i)
    {
        out[i] = rows[i];
    }
    return count;
}

static double hydraulic_exported(const wadi_terrain* terrain)
{
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    const int32_t count = wadi_terrain_ledger_of(terrain, "hydraulic", rows, WADI_MAX_MATERIALS);
    double sum = 0.0;
    for (int side = 0; side < WADI_SIDE_COUNT && count > WADI_MATERIAL_SEDIMENT; ++side)
    {
        sum += rows[WADI_MATERIAL_SEDIMENT].out[side];
    }
    return sum;
}

static int32_t hydraulic_figures(const void* user, wadi_figure* out, int32_t capacity)
{
    const hydraulic_state* state = user;
    const double cell = wadi_terrain_cell_size(state->terrain);
    const double area = (double)wadi_terrain_valid_count(state->terrain) * cell * cell;
    const double lowering = area > 0.0 ? hydraulic_exported(state->terrain) / area : 0.0;
    const wadi_figure rows[] = {
        {"years", "yr", state->years, WADI_FIGURE_SUM},
        {"denudation", "mm/kyr", state->years > 0.0 ? lowering / state->years * 1e6 : 0.0,
         WADI_FIGURE_MEAN},
        {"mean_lowering", "m", lowering, WADI_FIGURE_SUM},
        {"acceleration", "1", 1.0, WADI_FIGURE_STATE},
    };
    for (int32_t i = 0; i < HYDRAULIC_COUNT(rows) && i < capacity; ++i)
    {
        out[i] = rows[i];
    }
    return HYDRAULIC_COUNT(rows);
}

static uint64_t hydraulic_hash(const void* user)
{
    const hydraulic_state* state = user;
    return state->droplets != NULL ? wadi_droplets_hash(state->droplets)
                                   : wadi_parcels_hash(state->parcels);
}

// ---- descriptor --------------------------------------------------------------------------

static const wadi_preset_value hydraulic_paper_values[] = {{"model", WADI_HYDRAULIC_DROPLETS}};

static const wadi_preset hydraulic_presets[] = {
    {"default", "rain in metres and years, rivers, lakes, hillslopes", NULL, 0},
    {"paper", "the article's droplets and constants, with closed mass and an unbiased normal",
     hydraulic_paper_values, HYDRAULIC_COUNT(hydraulic_paper_values)},
};

static const wadi_layer hydraulic_reads[] = {WADI_LAYER_BEDROCK, WADI_LAYER_SEDIMENT,
                                             WADI_LAYER_WATER, WADI_LAYER_HARDNESS};
static const wadi_layer hydraulic_writes[] = {WADI_LAYER_BEDROCK, WADI_LAYER_SEDIMENT,
                                              WADI_LAYER_WATER};

static const wadi_solver_api hydraulic_api = {
    .create = hydraulic_create,
    .advance = hydraulic_advance,
    .destroy = hydraulic_destroy,
    .map = hydraulic_map,
    .set_map = hydraulic_set_map,
    .work = hydraulic_work,
    .figures = hydraulic_figures,
    .hash = hydraulic_hash,
};

const wadi_process wadi_hydraulic_process = {
    .name = "hydraulic",
    .doc = "Erosion by running water: rain gathers to rivers that cut, carry and lay down, "
           "fill lakes and silt them up, while slopes creep and slide.",
    .fields = &wadi_hydraulic_fields,
    .presets = hydraulic_presets,
    .preset_count = HYDRAULIC_COUNT(hydraulic_presets),
    .maps = hydraulic_maps,
    .map_count = HYDRAULIC_MAP_COUNT,
    .reads = hydraulic_reads,
    .read_count = HYDRAULIC_COUNT(hydraulic_reads),
    .writes = hydraulic_writes,
    .write_count = HYDRAULIC_COUNT(hydraulic_writes),
    .default_years = HYDRAULIC_DEFAULT_YEARS,
    .api = &hydraulic_api,
};
