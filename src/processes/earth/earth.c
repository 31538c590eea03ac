// SPDX-License-Identifier: MIT
// The process "earth": descriptor, clock, maps and figures.
#include "process/figure_row.h"
#include "processes/earth/earth_water.h"

#include <wadi/model.h>

#include <math.h>

#include <string.h>

static const double EARTH_SECONDS_PER_YEAR = 31557600.0;
static const double EARTH_MM_PER_HOUR = 1e-3 / 3600.0; // in m/s
static const double EARTH_MM_PER_DAY = 1e-3 / 86400.0;

// Ten seconds: most soil that falls is at rest by then.
#define EARTH_DEFAULT_YEARS (10.0 / 31557600.0)

static void earth_destroy(void* user)
{
    wadi_earth_state* state = user;
    wadi_earth_water_destroy(state->water);
    wadi_wet_grains_destroy(state->world);
    wadi_free(wadi_terrain_context(state->terrain), state->ground);
    wadi_free(wadi_terrain_context(state->terrain), state);
}

static wadi_result earth_create(wadi_terrain* terrain, const void* params, uint32_t stream,
                                void** out)
{
    wadi_earth_state* state;
    WADI_ALLOC(wadi_terrain_context(terrain), state, 1, "earth");
    state->terrain = terrain;
    state->params = *(const wadi_earth_params*)params;
    state->stream = stream;
    *out = state;
    return WADI_OK;
}

static wadi_result earth_set_bodies(void* user, const wadi_bodies* bodies)
{
    return wadi_earth_build(user, bodies);
}

// ---- time --------------------------------------------------------------------------------

// Rain rate now; returns the time of its next change, at most `end` [s].
static double earth_weather(const wadi_earth_params* params, double now, double end, double* rain)
{
    const bool rains = now >= params->rain_from && now < params->rain_until;
    double next = end;
    next = now < params->rain_from && params->rain_from < next ? params->rain_from : next;
    next = now < params->rain_until && params->rain_until < next ? params->rain_until : next;
    *rain = rains ? params->rain * EARTH_MM_PER_HOUR : 0.0;
    return next;
}

// Set the current weather; *next is the time of its next change, at most `end`.
static wadi_result earth_set_weather(wadi_earth_state* state, double end, double* next)
{
    double rain;
    *next = earth_weather(&state->params, state->asked, end, &rain);
    const double evaporation = state->params.evaporation * EARTH_MM_PER_DAY;
    return state->world != NULL ? wadi_wet_grains_set_weather(state->world, rain, evaporation)
                                : WADI_OK;
}

// Advance grains and pore water up to the next change of weather; without bodies only the clock.
static wadi_result earth_turn(wadi_earth_state* state, double end)
{
    double next;
    WADI_TRY(earth_set_weather(state, end, &next));
    const double most = next - state->asked;
    double passed = most;
    if (state->world != NULL)
    {
        WADI_TRY(wadi_wet_grains_turn(state->world, most, &passed));
    }
    state->asked = passed < most ? state->asked + passed : next;
    return WADI_OK;
}

// Advance by one exchange with particles of water. The last exchange is the nearest to `end`.
static wadi_result earth_turn_water(wadi_earth_state* state, double end)
{
    const double exchange = state->water->exchange;
    const double now = (double)state->water->passed * exchange;
    double next;
    WADI_TRY(earth_set_weather(state, end, &next));
    const bool is_due = now + 0.5 * exchange < end;
    state->asked = is_due && now + exchange < end ? now + exchange : end;
    return is_due ? wadi_earth_water_pass(state) : WADI_OK;
}

// While all grains sleep a step is one update of the water.
static double earth_step(const void* user)
{
    const wadi_earth_params* p = &((const wadi_earth_state*)user)->params;
    const double awake = p->exchange * p->acceleration;
    const double own = awake > p->water_step ? awake : p->water_step;
    return (p->interval > 0.0 ? p->interval : own) / EARTH_SECONDS_PER_YEAR;
}

static bool earth_unfinished(const void* user)
{
    const wadi_earth_state* state = user;
    return state->asked > state->begun;
}

// Moving grains may take minutes for one step, so the caller can stop it on its way.
static wadi_result earth_advance(void* user, const wadi_span* span)
{
    wadi_earth_state* state = user;
    wadi_context* context = wadi_terrain_context(state->terrain);
    if (state->world == NULL && state->water == NULL && span->index == 0)
    {
        wadi_log_line(context, "there is no soil for earth: list bodies under soil");
    }
    const double length = span->years * EARTH_SECONDS_PER_YEAR;
    const double end = state->begun + length;
    while (state->asked < end)
    {
        WADI_TRY(state->water != NULL ? earth_turn_water(state, end) : earth_turn(state, end));
        if (state->watch != NULL)
        {
            WADI_TRY(state->watch(state->watch_user, state->asked));
        }
        const double share = (state->asked - state->begun) / length;
        WADI_CHECK(context, share >= 1.0 || wadi_progress_stop(context, share, "earth"),
                   WADI_ERROR_CANCELLED, "stopped by the caller");
    }
    state->begun = state->asked;
    return WADI_OK;
}

static void earth_watch(void* user, wadi_watch watch, void* watch_user)
{
    wadi_earth_state* state = user;
    state->watch = watch;
    state->watch_user = watch_user;
}

// ---- grains and maps ---------------------------------------------------------------------

static int32_t earth_grains(const void* user, wadi_grain* out, int32_t capacity, double* seconds)
{
    const wadi_earth_state* state = user;
    if (seconds != NULL)
    {
        *seconds = state->asked;
    }
    if (state->world != NULL && capacity >= state->count)
    {
        wadi_grains_read(wadi_wet_grains_solid(state->world), out);
    }
    if (state->water == NULL)
    {
        return state->count;
    }
    const int32_t room = capacity > state->count ? capacity - state->count : 0;
    return state->count +
           wadi_sph_read_grains(state->water->sph, room > 0 ? out + state->count : out, room);
}

enum
{
    EARTH_MAP_DEPTH,
    EARTH_MAP_WATER,
    EARTH_MAP_FREE,
    EARTH_MAP_COUNT
};

static const wadi_map_info earth_maps[EARTH_MAP_COUNT] = {
    [EARTH_MAP_DEPTH] = {"depth", "m", "soil of bodies over the cell, with its pores", false, 0},
    [EARTH_MAP_WATER] = {"water", "m", "water in the soil of bodies", false, 0},
    [EARTH_MAP_FREE] = {"free_water", "m", "water as particles over the cell", false, 0},
};

// Cell below a position; -1 outside of the terrain.
static int64_t earth_cell(const wadi_terrain* terrain, const double at[3])
{
    const double cell = wadi_terrain_cell_size(terrain);
    const int32_t width = wadi_terrain_width(terrain);
    const int32_t height = wadi_terrain_height(terrain);
    const double x = floor(at[0] / cell);
    const double y = floor(at[1] / cell);
    const bool inside = x >= 0.0 && x < width && y >= 0.0 && y < height;
    return inside ? ((int64_t)height - 1 - (int64_t)y) * width + (int64_t)x : -1;
}

static double earth_volume(const wadi_earth_state* state, const wadi_grain* grain, int32_t index)
{
    const double sphere =
        4.18879020478639098 * grain->radius * grain->radius * grain->radius; // 4/3 pi
    const bool is_water = grain->material == WADI_GRAIN_WATER;
    if (is_water || index == EARTH_MAP_FREE)
    {
        return is_water && index == EARTH_MAP_FREE ? sphere : 0.0;
    }
    return index == EARTH_MAP_DEPTH
               ? sphere / (1.0 - state->materials[grain->material].soil.porosity)
               : grain->wetness * sphere * state->materials[grain->material].grain.density / 1000.0;
}

static wadi_result earth_map(void* user, int32_t index, float* out)
{
    wadi_earth_state* state = user;
    wadi_terrain* terrain = state->terrain;
    const int64_t cells = (int64_t)wadi_terrain_width(terrain) * wadi_terrain_height(terrain);
    const double cell = wadi_terrain_cell_size(terrain);
    const int32_t count = earth_grains(state, NULL, 0, NULL);
    wadi_grain* grains;
    WADI_ALLOC(wadi_terrain_context(terrain), grains, count > 0 ? count : 1, "grains");
    (void)earth_grains(state, grains, count, NULL);
    for (int64_t c = 0; c < cells; ++c)
    {
        const int32_t width = wadi_terrain_width(terrain);
        const bool valid =
            wadi_terrain_is_valid(terrain, (int32_t)(c % width), (int32_t)(c / width));
        out[c] = valid ? 0.0f : NAN;
    }
    for (int32_t i = 0; i < count; ++i)
    {
        const int64_t at = earth_cell(terrain, grains[i].position);
        if (at >= 0)
        {
            out[at] += (float)(earth_volume(state, &grains[i], index) / (cell * cell));
        }
    }
    wadi_free(wadi_terrain_context(terrain), grains);
    return WADI_OK;
}

// ---- reports -----------------------------------------------------------------------------

static int32_t earth_work(const void* user, wadi_work* rows)
{
    const wadi_earth_state* state = user;
    const double steps =
        state->world != NULL ? (double)wadi_wet_grains_summarize(state->world).grains.steps : 0.0;
    const wadi_work all[] = {{"steps", steps}, {"particle_steps", steps * state->count}};
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all);
}

// Copy figures that have a value; NaN marks those that do not, such as the time of a failure.
static int32_t earth_copy_figures(const wadi_figure* from, int32_t count, wadi_figure* rows)
{
    int32_t copied = 0;
    for (int32_t i = 0; i < count; ++i)
    {
        if (!isnan(from[i].value))
        {
            rows[copied++] = from[i];
        }
    }
    return copied;
}

static int32_t earth_soil_figures(const wadi_earth_state* state, wadi_figure* rows)
{
    wadi_wet_grains_summary s = {.failed = (double)NAN};
    if (state->world != NULL)
    {
        s = wadi_wet_grains_summarize(state->world);
    }
    const wadi_figure all[] = {
        wadi_figure_of("grains", state->count),
        wadi_figure_of("time", s.time),
        wadi_figure_of("motion", s.motion),
        wadi_figure_of("slept", s.slept),
        wadi_figure_of("acceleration", state->params.acceleration),
        wadi_figure_of("step", s.grains.step),
        wadi_figure_of("overlap", s.grains.overlap),
        wadi_figure_of("asleep", s.grains.asleep),
        wadi_figure_of("bonds", (double)s.grains.bonds),
        wadi_figure_of("broken", (double)s.grains.broken),
        wadi_figure_of("farthest", s.farthest),
        wadi_figure_of("failed", s.failed),
        wadi_figure_of("rain_water", s.water.rain),
        wadi_figure_of("soil_water", s.water.now),
        wadi_figure_of("runoff", s.water.runoff),
        wadi_figure_of("drained", s.water.drained),
        wadi_figure_of("evaporated", s.water.evaporated),
        wadi_figure_of("water_residual", (double)s.water.residual),
    };
    return earth_copy_figures(all, WADI_COUNT(all), rows);
}

static int32_t earth_water_figures(const wadi_earth_state* state, wadi_figure* rows)
{
    const wadi_sph_books w = wadi_sph_account(state->water->sph);
    const double particles = wadi_sph_count(state->water->sph);
    const double residual = (double)wadi_earth_water_residual(state);
    const wadi_figure all[] = {
        wadi_figure_of("particles", particles),        wadi_figure_of("particle_added", w.added),
        wadi_figure_of("particle_rain", w.rain),       wadi_figure_of("particle_water", w.now),
        wadi_figure_of("particle_out", w.out),         wadi_figure_of("particle_drunk", w.drunk),
        wadi_figure_of("particle_residual", residual),
    };
    return earth_copy_figures(all, WADI_COUNT(all), rows);
}

static int32_t earth_figures(const void* user, wadi_figure* rows)
{
    const wadi_earth_state* state = user;
    const int32_t count = earth_soil_figures(state, rows);
    return state->water != NULL ? count + earth_water_figures(state, rows + count) : count;
}

// ---- descriptor --------------------------------------------------------------------------

static const wadi_preset earth_presets[] = {
    {"default", "soil as it is: at rest until something moves it", NULL, 0},
};

static const wadi_model_api earth_api = {
    .create = earth_create,
    .step = earth_step,
    .advance = earth_advance,
    .unfinished = earth_unfinished,
    .destroy = earth_destroy,
    .map = earth_map,
    .set_bodies = earth_set_bodies,
    .grains = earth_grains,
    .watch = earth_watch,
    .work = earth_work,
    .figures = earth_figures,
    .archive = wadi_earth_archive,
};

// clang-format off
static const wadi_figure_info earth_figure_list[] = {
    {"grains", "1", WADI_FIGURE_STATE, "number of grains of soil", 0},
    {"time", "s", WADI_FIGURE_STATE, "time of the water", 0},
    {"motion", "s", WADI_FIGURE_STATE, "time in which grains moved", 0},
    {"slept", "s", WADI_FIGURE_STATE, "part of the time in which all grains slept", 0},
    {"acceleration", "1", WADI_FIGURE_STATE, "seconds of water for a second of motion", 0},
    {"step", "s", WADI_FIGURE_STATE, "time step of the grains", 0},
    {"overlap", "1", WADI_FIGURE_STATE, "largest overlap of two grains, as a share of the smaller radius", 0},
    {"asleep", "1", WADI_FIGURE_STATE, "number of grains that sleep at the end", 0},
    {"bonds", "1", WADI_FIGURE_STATE, "number of bonds that hold", 0},
    {"broken", "1", WADI_FIGURE_STATE, "number of bonds that broke", 0},
    {"farthest", "m", WADI_FIGURE_STATE, "largest displacement of a grain", 0},
    {"failed", "s", WADI_FIGURE_STATE, "time at which one grain in twenty had moved by its diameter; left out if the soil stands", 0},
    {"rain_water", "m3", WADI_FIGURE_STATE, "water that rain brought to the soil", 0},
    {"soil_water", "m3", WADI_FIGURE_STATE, "water in the soil", 0},
    {"runoff", "m3", WADI_FIGURE_STATE, "water that ran off the soil", 0},
    {"drained", "m3", WADI_FIGURE_STATE, "water that drained out of the soil", 0},
    {"evaporated", "m3", WADI_FIGURE_STATE, "water that evaporated from the soil", 0},
    {"water_residual", "1", WADI_FIGURE_STATE, "units of that water that its books do not explain: 0", 0},
    {"particles", "1", WADI_FIGURE_STATE, "number of particles of free water; these figures only with some", 0},
    {"particle_added", "m3", WADI_FIGURE_STATE, "free water that was placed", 0},
    {"particle_rain", "m3", WADI_FIGURE_STATE, "free water that rain brought", 0},
    {"particle_water", "m3", WADI_FIGURE_STATE, "free water at the end", 0},
    {"particle_out", "m3", WADI_FIGURE_STATE, "free water that left the bounds", 0},
    {"particle_drunk", "m3", WADI_FIGURE_STATE, "free water that soil absorbed", 0},
    {"particle_residual", "1", WADI_FIGURE_STATE, "units of free water that its books do not explain: 0", 0},
};
// clang-format on

static const wadi_model earth_models[] = {
    {"grains", "Bodies as wet grains, with water as particles.",
     WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT), 0,
     WADI_MODEL_BODIES | WADI_MODEL_GRAINS | WADI_MODEL_GATHERS, &earth_api},
};

const wadi_process wadi_earth_process = {
    .name = "earth",
    .doc =
        "Bodies of soil as grains with the water in them: they stand, soak, break, slide and come "
        "to rest on the terrain, which stays as it is. Water as particles may fall on them or wash "
        "them away.",
    .fields = &wadi_earth_fields,
    .presets = earth_presets,
    .preset_count = WADI_COUNT(earth_presets),
    .maps = earth_maps,
    .map_count = EARTH_MAP_COUNT,
    .figures = earth_figure_list,
    .figure_count = WADI_COUNT(earth_figure_list),
    .models = earth_models,
    .model_count = WADI_COUNT(earth_models),
    .default_years = EARTH_DEFAULT_YEARS,
    .example = "  size: [50, 30]\n  cell: 10 cm\n  flat: 0 m\n",
};
