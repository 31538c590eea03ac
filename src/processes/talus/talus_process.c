// SPDX-License-Identifier: MIT
// The process "talus": rock weathers, and loose matter slides until it comes to rest.
#include <wadi/talus.h>

#include "core/archive.h"
#include "laws/slopes/talus.h"
#include "process/figure_row.h"
#include "processes/talus/weathering.h"
#include <wadi/archive.h>
#include <wadi/model.h>

#include <math.h>
#include <string.h>

// Time since the last glaciation of the Alps.
#define TALUS_DEFAULT_YEARS 15000.0

enum
{
    TALUS_MAP_WEAR,
    TALUS_MAP_DEPOSIT,
    TALUS_MAP_WEATHERED,
    TALUS_MAP_COUNT
};

enum
{
    // sweeps with the greater share; measured: steps on real relief need 8 to 106
    TALUS_QUICK_SWEEPS = 1024
};

typedef struct talus_state
{
    wadi_terrain* terrain;
    wadi_talus_params params;
    wadi_talus* talus;
    float* tangents;                // of the angle of repose, by plant cover
    int64_t* maps[TALUS_MAP_COUNT]; // [units]
    int32_t* amount;
    wadi_tally* tallies; // by worker
    uint32_t stream;
    int64_t cells; // processed, counted once per sweep
    int64_t sweeps;
    bool calm; // the last step ended with nothing moving
    double years;
} talus_state;

// ---- making ------------------------------------------------------------------------------

static void talus_process_destroy(void* user)
{
    talus_state* state = user;
    wadi_context* context = wadi_terrain_context(state->terrain);
    wadi_talus_destroy(state->talus);
    for (int i = 0; i < TALUS_MAP_COUNT; ++i)
    {
        wadi_free(context, state->maps[i]);
    }
    wadi_free(context, state->tangents);
    wadi_free(context, state->amount);
    wadi_free(context, state->tallies);
    wadi_free(context, state);
}

static wadi_result talus_process_allocate(talus_state* state)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    for (int i = 0; i < TALUS_MAP_COUNT; ++i)
    {
        WADI_ALLOC(context, state->maps[i], ground->cells, "maps of talus");
    }
    WADI_ALLOC(context, state->tangents, ground->cells, "angles of repose");
    WADI_ALLOC(context, state->amount, ground->cells, "weathering");
    WADI_ALLOC(context, state->tallies, wadi_context_workers(context), "books of talus");
    return wadi_talus_create(context, ground->width, ground->height,
                             state->params.rock_repose < 90.0, &state->talus);
}

static wadi_result talus_process_create(wadi_terrain* terrain, const void* user_params,
                                        uint32_t stream, void** out)
{
    const wadi_talus_params* params = user_params;
    wadi_context* context = wadi_terrain_context(terrain);
    WADI_CHECK(context, params->rock_repose >= params->repose, WADI_ERROR_RANGE,
               "rock_repose is %g degrees but must be at least repose, %g: rock holds steeper than "
               "its debris",
               params->rock_repose, params->repose);
    talus_state* state;
    WADI_ALLOC(context, state, 1, "talus");
    state->terrain = terrain;
    state->params = *params;
    state->stream = stream;
    const wadi_result result = talus_process_allocate(state);
    if (result != WADI_OK)
    {
        talus_process_destroy(state);
        return result;
    }
    *out = state;
    return WADI_OK;
}

// ---- advancing ---------------------------------------------------------------------------

static wadi_talus_law talus_process_law(const talus_state* state)
{
    wadi_talus_law law = wadi_talus_law_default();
    law.repose = state->params.repose;
    law.hysteresis = state->params.hysteresis;
    law.rock_repose = state->params.rock_repose;
    law.tangents = wadi_talus_plant(wadi_terrain_ground_const(state->terrain), state->params.repose,
                                    state->params.plant_repose, state->tangents);
    law.worn = state->maps[TALUS_MAP_WEAR];
    law.laid = state->maps[TALUS_MAP_DEPOSIT];
    return law;
}

static bool talus_process_weather(talus_state* state, const wadi_span* span)
{
    const weathering w = {
        .ground = wadi_terrain_ground_const(state->terrain),
        .rate = state->params.weathering * 1e-3,
        .cover = state->params.cover_depth,
        .steep = (float)wadi_talus_tangent(state->params.repose),
        .seed = wadi_terrain_seed(state->terrain),
        .stream = state->stream,
        .amount = state->amount,
        .sum = state->maps[TALUS_MAP_WEATHERED],
        .tallies = state->tallies,
    };
    state->years += span->years;
    return w.rate == 0.0 || wadi_weathering_advance(wadi_terrain_context(state->terrain), &w,
                                                    span->years, (uint32_t)span->index);
}

// Run the given number of sweeps, or sweep until nothing moves. Weathering disturbs a slope at rest
// only slightly: a share of 0.5 halves the sweeps there. If other processes moved the ground far
// from stable, the slides of that share may not end, so the smaller share follows.
static void talus_process_settle(talus_state* state, wadi_tally* tally)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    wadi_talus_law law = talus_process_law(state);
    const double careful = law.share;
    const int64_t cells = wadi_talus_cells(state->talus);
    int32_t left = state->params.sweeps > 0 ? state->params.sweeps : WADI_TALUS_FIXPOINT;
    if (state->calm)
    {
        const int32_t most = left < TALUS_QUICK_SWEEPS ? left : TALUS_QUICK_SWEEPS;
        law.share = 0.5;
        const int32_t sweeps = wadi_talus_relax(state->talus, ground, &law, most, tally);
        state->sweeps += sweeps;
        left -= sweeps;
        law.share = careful;
    }
    if (left > 0 && !wadi_talus_is_still(state->talus))
    {
        state->sweeps += wadi_talus_relax(state->talus, ground, &law, left, tally);
    }
    state->calm = wadi_talus_is_still(state->talus);
    state->cells += wadi_talus_cells(state->talus) - cells;
}

static void talus_process_book(talus_state* state, wadi_tally* tally)
{
    wadi_tally_collect(tally, state->tallies, wadi_terrain_context(state->terrain));
    wadi_terrain_book(state->terrain, "talus", tally);
}

static double talus_process_step(const void* user)
{
    const talus_state* state = user;
    return state->params.max_step;
}

static wadi_result talus_process_advance(void* user, const wadi_span* span)
{
    talus_state* state = user;
    wadi_tally tally = {0};
    if (!talus_process_weather(state, span))
    {
        return wadi_partition_lost(wadi_terrain_context(state->terrain));
    }
    wadi_talus_touch_all(state->talus); // other processes may have changed the ground too
    talus_process_settle(state, &tally);
    talus_process_book(state, &tally);
    return WADI_OK;
}

// ---- maps and reports --------------------------------------------------------------------

static const wadi_map_info talus_maps[TALUS_MAP_COUNT] = {
    [TALUS_MAP_WEAR] = {"wear", "m", "gross lowering by slides since the start", false, 0},
    [TALUS_MAP_DEPOSIT] = {"deposit", "m", "gross raising by slides since the start", false, 0},
    [TALUS_MAP_WEATHERED] = {"weathered", "m", "thickness of rock turned to sediment by weathering",
                             false, 0},
};

static wadi_result talus_process_map(void* user, int32_t index, float* out)
{
    const talus_state* state = user;
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        const double metres = (double)state->maps[index][i] / WADI_UNITS_PER_METRE;
        out[i] = ground->valid[i] != 0 ? (float)metres : NAN;
    }
    return WADI_OK;
}

static int32_t talus_process_work(const void* user, wadi_work* rows)
{
    const talus_state* state = user;
    const wadi_work all[] = {
        {"cells", (double)state->cells},
        {"sweeps", (double)state->sweeps},
    };
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all);
}

static double talus_process_weathered(const talus_state* state)
{
    const double sum = wadi_terrain_map_sum(state->terrain, state->maps[TALUS_MAP_WEATHERED]);
    const int64_t cells = wadi_terrain_valid_count(state->terrain);
    return cells > 0 ? sum / WADI_UNITS_PER_METRE / (double)cells : 0.0;
}

static int32_t talus_process_figures(const void* user, wadi_figure* rows)
{
    const talus_state* state = user;
    const double metres = talus_process_weathered(state);
    const wadi_figure all[] = {
        wadi_figure_of("years", state->years),
        wadi_figure_of("mean_weathering", state->years > 0.0 ? metres / state->years * 1e6 : 0.0),
        wadi_figure_of("acceleration", 1.0),
    };
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all);
}

static wadi_result talus_process_archive(void* user, wadi_archive* archive)
{
    talus_state* state = user;
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    for (int i = 0; i < TALUS_MAP_COUNT; ++i)
    {
        wadi_archive_grid(archive, state->maps[i], sizeof *state->maps[i], ground->width,
                          ground->height);
    }
    wadi_archive_work(archive, &state->cells, 1);
    wadi_archive_i64(archive, &state->sweeps, 1);
    wadi_archive_bool(archive, &state->calm);
    wadi_archive_f64(archive, &state->years, 1);
    return wadi_archive_result(archive);
}

// ---- descriptor --------------------------------------------------------------------------

static const wadi_preset talus_presets[] = {
    {"default", "weathering of alpine rock walls, scree at 35 degrees", NULL, 0},
};

static const wadi_model_api talus_api = {
    .create = talus_process_create,
    .step = talus_process_step,
    .advance = talus_process_advance,
    .destroy = talus_process_destroy,
    .map = talus_process_map,
    .work = talus_process_work,
    .figures = talus_process_figures,
    .archive = talus_process_archive,
};

// clang-format off
static const wadi_figure_info talus_figure_list[] = {
    {"years", "yr", WADI_FIGURE_SUM, "time that the process ran", 0},
    {"mean_weathering", "mm/kyr", WADI_FIGURE_MEAN, "mean rock that becomes loose a year", 0},
    {"acceleration", "1", WADI_FIGURE_STATE, "how many times faster than in nature the process runs: always 1", 0},
};
// clang-format on

static const wadi_model talus_models[] = {
    {"relaxation", "Weathering in steps, each followed by slides until nothing moves.",
     WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |
         WADI_LAYER_BIT(WADI_LAYER_HARDNESS) | WADI_LAYER_BIT(WADI_LAYER_VEGETATION) |
         WADI_LAYER_BIT(WADI_LAYER_WATER),
     WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |
         WADI_LAYER_BIT(WADI_LAYER_WATER),
     WADI_MODEL_RANDOM | WADI_MODEL_WINDOWS | WADI_MODEL_UNDER_WATER, &talus_api},
};

const wadi_process wadi_talus_process = {
    .name = "talus",
    .doc = "Weathering and talus: bare rock turns to debris; debris and rock steeper than their "
           "angle of repose slide, and cliffs become scree.",
    .fields = &wadi_talus_fields,
    .presets = talus_presets,
    .preset_count = WADI_COUNT(talus_presets),
    .maps = talus_maps,
    .map_count = TALUS_MAP_COUNT,
    .figures = talus_figure_list,
    .figure_count = WADI_COUNT(talus_figure_list),
    .models = talus_models,
    .model_count = WADI_COUNT(talus_models),
    .default_years = TALUS_DEFAULT_YEARS,
};
