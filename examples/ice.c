// SPDX-License-Identifier: MIT
// A process of one's own: ice that flows, slides and wears its bed. It uses public headers only.
// docs/own-process.md walks through this file, which has all that a process gives to the library:
// parameters, a model, maps and a descriptor. The physics are in ice_flow.c and ice_bed.c.
//
// Ice itself is no layer: it comes from snow and leaves as water, and the ledger does not hold it.
#include "ice_state.h"

#define ICE_WEIGHT (917.0 * 9.81)   // rho g [Pa/m]
#define ICE_YEAR (365.25 * 86400.0) // [s]

enum
{
    ICE_MAP_THICKNESS,
    ICE_MAP_SPEED,
    ICE_MAP_WEAR,
    ICE_MAP_TILL,
    ICE_MAP_COUNT
};

// ---- the model -------------------------------------------------------------------------------

static void ice_destroy(void* user)
{
    ice_state* state = user;
    wadi_free(state->context, state->cells);
    wadi_free(state->context, state->ice);
    wadi_free(state->context, state->fastest);
    wadi_free(state->context, state->ground);
    wadi_free(state->context, state->rock_top);
    wadi_free(state->context, state);
}

static wadi_result ice_create(wadi_terrain* terrain, const void* params, uint32_t stream,
                              void** out)
{
    (void)stream; // nothing is random
    wadi_context* context = wadi_terrain_context(terrain);
    ice_state* state = wadi_alloc(context, 1, sizeof *state);
    if (state == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "no memory for ice");
    }
    state->terrain = terrain;
    state->context = context;
    state->params = *(const ice_params*)params;
    state->width = wadi_terrain_width(terrain);
    state->height = wadi_terrain_height(terrain);
    state->dx = wadi_terrain_cell_size(terrain);
    const double unit = ICE_WEIGHT * ICE_WEIGHT * ICE_WEIGHT * ICE_YEAR;
    state->flow = unit * 0.4 * state->params.softness;
    state->slide = unit * state->params.sliding;
    const size_t cells = (size_t)state->width * (size_t)state->height;
    state->cells = wadi_alloc(context, cells, sizeof *state->cells);
    state->ice = wadi_alloc(context, cells, sizeof *state->ice);
    state->fastest = wadi_alloc(context, (size_t)state->height, sizeof *state->fastest);
    state->ground = wadi_alloc(context, cells, sizeof *state->ground);
    state->rock_top = wadi_alloc(context, cells, sizeof *state->rock_top);
    if (state->cells == NULL || state->ice == NULL || state->fastest == NULL ||
        state->ground == NULL || state->rock_top == NULL)
    {
        ice_destroy(state);
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "no memory for %zu cells of ice",
                                 cells);
    }
    *out = state;
    return WADI_OK;
}

// Move the ice for a step, then change the bed.
static void ice_turn(ice_state* state, double years, wadi_tally* tally)
{
    const ptrdiff_t count = (ptrdiff_t)state->width * state->height;
    wadi_terrain_read_units(state->terrain, WADI_LAYER_SURFACE, state->ground);
    wadi_terrain_read_units(state->terrain, WADI_LAYER_BEDROCK, state->rock_top);
    for (ptrdiff_t i = 0; i < count; ++i)
    {
        ice_cell* cell = &state->cells[i];
        cell->ice = state->ground[i] == WADI_NO_UNITS ? 0.0 : cell->ice;
        cell->melted = cell->mean = 0.0;
        memset(cell->moved, 0, sizeof cell->moved);
    }
    ice_flow(state, years);
    for (ptrdiff_t i = 0; i < count; ++i)
    {
        if (state->ground[i] != WADI_NO_UNITS)
        {
            ice_wear(state, i, years, tally);
        }
        ice_carry(state, i, years, tally);
    }
    for (ptrdiff_t i = 0; i < count; ++i)
    {
        state->cells[i].debris += state->cells[i].arriving;
        state->cells[i].arriving = 0;
    }
    state->years += years;
}

static double ice_step(const void* user)
{
    const ice_state* state = user;
    return state->params.max_step;
}

static wadi_result ice_advance(void* user, const wadi_span* span)
{
    ice_state* state = user;
    wadi_tally tally = {0};
    ice_turn(state, span->years, &tally);
    state->rock += tally.eroded[WADI_MATERIAL_ROCK];
    wadi_terrain_book(state->terrain, "ice", &tally);
    return WADI_OK;
}

static void ice_settle(void* user)
{
    ice_state* state = user;
    wadi_tally tally = {0};
    wadi_terrain_read_units(state->terrain, WADI_LAYER_SURFACE, state->ground);
    for (ptrdiff_t i = 0; i < (ptrdiff_t)state->width * state->height; ++i)
    {
        ice_lay(state, i, state->cells[i].debris, &tally);
    }
    wadi_terrain_book(state->terrain, "ice", &tally);
}

static void ice_held(const void* user, int64_t held[WADI_MAX_MATERIALS])
{
    const ice_state* state = user;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)state->width * state->height; ++i)
    {
        held[WADI_MATERIAL_SEDIMENT] += state->cells[i].debris;
    }
}

static wadi_result ice_map(void* user, int32_t index, float* out)
{
    const ice_state* state = user;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)state->width * state->height; ++i)
    {
        const ice_cell* cell = &state->cells[i];
        const double values[ICE_MAP_COUNT] = {
            [ICE_MAP_THICKNESS] = cell->ice,
            [ICE_MAP_SPEED] = cell->speed,
            [ICE_MAP_WEAR] = (double)cell->wear / WADI_UNITS_PER_METRE,
            [ICE_MAP_TILL] = (double)cell->till / WADI_UNITS_PER_METRE,
        };
        const bool valid = wadi_terrain_is_valid(state->terrain, (int32_t)(i % state->width),
                                                 (int32_t)(i / state->width));
        out[i] = valid ? (float)values[index] : NAN;
    }
    return WADI_OK;
}

static int32_t ice_figures(const void* user, wadi_figure* rows)
{
    const ice_state* state = user;
    double volume = 0.0;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)state->width * state->height; ++i)
    {
        volume += state->cells[i].ice;
    }
    const double cells = (double)wadi_terrain_valid_count(state->terrain) * state->years;
    const double rock = (double)state->rock / WADI_UNITS_PER_METRE;
    // their units and kinds are those of ice_figure_list
    rows[0] = (wadi_figure){.name = "years", .value = state->years};
    rows[1] = (wadi_figure){.name = "ice_volume", .value = volume * state->dx * state->dx};
    rows[2] = (wadi_figure){.name = "denudation", .value = cells > 0.0 ? 1e6 * rock / cells : 0.0};
    return 3;
}

// What a step leaves behind outside the layers, and the sums of maps and figures.
static wadi_result ice_archive(void* user, wadi_archive* archive)
{
    ice_state* state = user;
    for (ptrdiff_t i = 0; i < (ptrdiff_t)state->width * state->height; ++i)
    {
        ice_cell* cell = &state->cells[i];
        wadi_archive_f64(archive, &cell->ice, 1);
        wadi_archive_f64(archive, &cell->speed, 1);
        wadi_archive_f64(archive, &cell->due, 1);
        wadi_archive_i64(archive, &cell->debris, 1);
        wadi_archive_i64(archive, &cell->wear, 1);
        wadi_archive_i64(archive, &cell->till, 1);
        const bool sound = cell->ice >= 0.0 && cell->ice < 1e5 && fabs(cell->due) < 1e9 &&
                           cell->debris >= 0 && cell->debris < (int64_t)1 << 40;
        if (!sound)
        {
            return wadi_context_fail(state->context, WADI_ERROR_FORMAT,
                                     "a cell of the saved ice is out of range");
        }
    }
    wadi_archive_f64(archive, &state->years, 1);
    wadi_archive_i64(archive, &state->rock, 1);
    return wadi_archive_result(archive);
}

// ---- the descriptor --------------------------------------------------------------------------

// clang-format off
#define ICE_FIELD(member, initial, min, max, unit, doc, source)                                    \
    {#member, WADI_FIELD_DOUBLE, offsetof(ice_params, member), initial, min, max, unit, doc, source, NULL, 0}

static const wadi_field ice_field_list[] = {
    ICE_FIELD(line, 150.0, -1000.0, 9000.0, "m", "altitude where as much snow falls as melts", "100 to 800 m on Svalbard: Hagen et al. 2003"),
    ICE_FIELD(gradient, 0.007, 0.0, 0.1, "yr-1", "change of the mass balance with height", "0.005 to 0.01: Oerlemans 2001"),
    ICE_FIELD(snow, 2.0, 0.0, 20.0, "m/yr", "largest mass balance, as ice", "2 m/yr: Herman & Braun 2008"),
    ICE_FIELD(softness, 2.4e-24, 0.0, 1e-22, "Pa-3 s-1", "A of Glen's law", "ice at the melting point: Cuffey & Paterson 2010, table 3.4"),
    ICE_FIELD(sliding, 5.7e-20, 0.0, 1e-17, "Pa-3 m2 s-1", "factor of sliding; 0: frozen to the bed", "Budd et al. 1979, Oerlemans 2001"),
    ICE_FIELD(constriction, 1000.0, 0.0, 1e5, "m", "length by which narrow channels slow sliding; 0: none", "1000 m: Braun et al. 1999"),
    ICE_FIELD(abrasion, 1e-4, 0.0, 0.1, "1", "rock of hardness 0 worn for each metre of sliding", "1e-4: Humphrey & Raymond 1994"),
    ICE_FIELD(till, 100.0, 1.0, 1e6, "1", "loose matter is taken so many times faster than rock of hardness 0", "chosen: soft beds move with the ice, Boulton & Hindmarsh 1987"),
    ICE_FIELD(release, 20.0, 0.0, 1e4, "yr", "ice that melts away in this time lays down its debris", "chosen for this example, not measured"),
    ICE_FIELD(washed, 0.5, 0.0, 1.0, "1", "share of the debris at the margin that meltwater carries out of the model", "chosen for this example, not measured"),
    ICE_FIELD(max_step, 1.0, 1e-3, 100.0, "yr", "step length: the ice moves, then the bed changes", "a year of snow and melt"),
    ICE_FIELD(shortest_step, 0.1, 1e-4, 100.0, "yr", "of the ice; limits its diffusivity to dx^2 / 8 steps", "thick ice on fine cells would need shorter ones"),
};
// clang-format on

static const wadi_field_table ice_fields = {"ice", ice_field_list,
                                            sizeof ice_field_list / sizeof ice_field_list[0],
                                            sizeof(ice_params), NULL};

static const wadi_map_info ice_maps[ICE_MAP_COUNT] = {
    [ICE_MAP_THICKNESS] = {"thickness", "m", "of the ice", false, 0},
    [ICE_MAP_SPEED] = {"speed", "m/yr", "of the ice, mean over its depth", false, 0},
    [ICE_MAP_WEAR] = {"wear", "m", "rock and sediment that the ice took since the start", false, 0},
    [ICE_MAP_TILL] = {"till", "m", "debris that the ice laid down since the start", false, 0},
};

static const wadi_preset ice_presets[] = {{"default", "a maritime arctic climate", NULL, 0}};

static const wadi_model_api ice_api = {
    .create = ice_create,
    .step = ice_step,
    .advance = ice_advance,
    .settle = ice_settle,
    .held = ice_held,
    .destroy = ice_destroy,
    .map = ice_map,
    .figures = ice_figures,
    .archive = ice_archive,
};

static const wadi_model ice_models[] = {
    {"shallow", "Shallow ice that slides and wears its bed.",
     WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |
         WADI_LAYER_BIT(WADI_LAYER_HARDNESS),
     WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT), WADI_MODEL_HOLDS,
     &ice_api},
};

static const wadi_figure_info ice_figure_list[] = {
    {"years", "yr", WADI_FIGURE_SUM, "time that the process ran", 0},
    {"ice_volume", "m3", WADI_FIGURE_STATE, "ice on the map", 0},
    {"denudation", "mm/kyr", WADI_FIGURE_MEAN, "mean lowering of the rock a year", 0},
};

const wadi_process ice_process = {
    .name = "ice",
    .doc = "Glaciers: snow turns to ice above a line, flows and slides downhill, wears its bed and "
           "leaves the debris where it melts.",
    .fields = &ice_fields,
    .presets = ice_presets,
    .preset_count = 1,
    .maps = ice_maps,
    .map_count = ICE_MAP_COUNT,
    .models = ice_models,
    .model_count = 1,
    .default_years = 1000.0,
    .figures = ice_figure_list,
    .figure_count = sizeof ice_figure_list / sizeof ice_figure_list[0],
};
