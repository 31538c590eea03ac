// SPDX-License-Identifier: MIT
// The process "landslide": soil slides as grains. The soil is a failing area, all soil of a region,
// or soil of a region that rain soaks.
#include "core/field_rows.h"
#include "core/random.h"
#include "processes/landslide/landslide_state.h"

#include <wadi/stability.h>

#include <math.h>
#include <string.h>

static const double landslide_year = 31557600.0; // [s]
static const double landslide_gap = 1.0;         // between two steps that follow each other [s]

// Seconds of the clock per second of sliding.
static double landslide_pace(const wadi_landslide_params* params)
{
    return params->start == WADI_LANDSLIDE_SOAKING ? params->acceleration : 1.0;
}

// ---- making ------------------------------------------------------------------------------

// Discard the current slide. The layers have not been changed by it.
static void landslide_drop(landslide_state* state)
{
    if (state->slide.terrain != NULL)
    {
        wadi_slide_destroy(&state->slide);
    }
    wadi_landslide_flow_drop(state);
    wadi_slide_source_destroy(wadi_terrain_context(state->terrain), &state->source);
    wadi_slide_source_destroy(wadi_terrain_context(state->terrain), &state->own);
    state->slide = (slide){0};
    state->at_work = false;
}

static void landslide_destroy(void* user)
{
    landslide_state* state = user;
    landslide_drop(state);
    wadi_context* context = wadi_terrain_context(state->terrain);
    wadi_free(context, state->corners);
    wadi_free(context, state->inflow.rows);
    wadi_free(context, state->depth);
    wadi_free(context, state->stability);
    wadi_free(context, state->released);
    wadi_free(context, state->failure);
    wadi_free(context, state->hour);
    wadi_free(context, state->before);
    wadi_free(context, state->change[0]);
    wadi_free(context, state->change[1]);
    wadi_free(context, state->speed);
    for (int32_t k = 0; k < LANDSLIDE_PEAKS; ++k)
    {
        wadi_free(context, state->peaks[k]);
    }
    wadi_free(context, state);
}

static wadi_result landslide_allocate_peaks(landslide_state* state, int64_t cells)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    for (int32_t k = 0; k < LANDSLIDE_PEAKS; ++k)
    {
        if (!wadi_landslide_has_peak(&state->params, k + LANDSLIDE_MAP_HEIGHT))
        {
            continue;
        }
        WADI_ALLOC(context, state->peaks[k], cells, "maps of flows");
        for (int64_t c = 0; c < cells; ++c)
        {
            state->peaks[k][c] =
                k + LANDSLIDE_MAP_HEIGHT == LANDSLIDE_MAP_ARRIVAL ? INFINITY : 0.0f;
        }
    }
    return WADI_OK;
}

static wadi_result landslide_allocate(landslide_state* state)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    const int64_t cells = wadi_terrain_ground_const(state->terrain)->cells;
    WADI_ALLOC(context, state->stability, cells, "maps of landslides");
    WADI_ALLOC(context, state->released, cells, "maps of landslides");
    WADI_ALLOC(context, state->failure, cells, "maps of landslides");
    WADI_ALLOC(context, state->hour, cells, "maps of landslides");
    WADI_ALLOC(context, state->before, cells, "maps of landslides");
    WADI_ALLOC(context, state->change[0], cells, "maps of landslides");
    WADI_ALLOC(context, state->change[1], cells, "maps of landslides");
    WADI_ALLOC(context, state->speed, cells, "maps of landslides");
    for (int64_t c = 0; c < cells; ++c)
    {
        state->stability[c] = (float)WADI_STABILITY_MOST; // until it is computed
    }
    return landslide_allocate_peaks(state, cells);
}

// Does the model have the start?
static wadi_result landslide_check(wadi_context* context, const wadi_landslide_params* params)
{
    WADI_CHECK(context,
               params->model != WADI_LANDSLIDE_RUNNER || params->start != WADI_LANDSLIDE_SOAKING,
               WADI_ERROR_ARGUMENT,
               "landslide.start soaking wets grains, which model runner does not have: set model "
               "grains or auto");
    WADI_CHECK(context,
               params->model != WADI_LANDSLIDE_GRAINS || params->start != WADI_LANDSLIDE_INFLOW,
               WADI_ERROR_ARGUMENT,
               "landslide.start inflow brings a flow, which model grains does not have: set model "
               "runner or auto");
    WADI_CHECK(context,
               params->model != WADI_LANDSLIDE_SLUMP || params->start == WADI_LANDSLIDE_DEEP,
               WADI_ERROR_ARGUMENT,
               "landslide.model slump turns blocks on deep rupture surfaces, which only start deep "
               "searches for: set start deep, or model runner, grains or auto");
    return WADI_OK;
}

static wadi_result landslide_create(wadi_terrain* terrain, const void* user_params, uint32_t stream,
                                    void** out)
{
    const wadi_landslide_params* params = user_params;
    WADI_TRY(landslide_check(wadi_terrain_context(terrain), params));
    landslide_state* state;
    WADI_ALLOC(wadi_terrain_context(terrain), state, 1, "landslide");
    state->terrain = terrain;
    state->params = *params;
    state->stream = stream;
    state->account.failed = (double)NAN;
    const wadi_result result = landslide_allocate(state);
    if (result != WADI_OK)
    {
        landslide_destroy(state);
        return result;
    }
    if (params->start == WADI_LANDSLIDE_DEEP)
    {
        wadi_slide_deep_note(terrain, params);
    }
    *out = state;
    return WADI_OK;
}

// ---- sliding -----------------------------------------------------------------------------

// The number of the largest slide of a storm, counted on from the storms before.
static double landslide_largest(const landslide_state* state)
{
    const slide_list* list = &state->source.list;
    double number = state->account.number;
    for (int32_t i = 0; i < list->count; ++i)
    {
        const slide_failure* f = &list->failures[i];
        number = f->count == state->source.largest ? (double)(state->failures + f->number) : number;
    }
    return number;
}

void wadi_landslide_paint(landslide_state* state, const slide_failure* f)
{
    const slide_list* list = &state->source.list;
    for (int64_t k = f->first; k < f->first + f->count; ++k)
    {
        state->failure[list->cells[k].cell] = (float)(state->failures + f->number);
        state->hour[list->cells[k].cell] = (float)(f->time / 3600.0);
    }
}

void wadi_landslide_paint_all(landslide_state* state)
{
    const slide_list* list = &state->source.list;
    for (int32_t i = 0; i < list->count; ++i)
    {
        wadi_landslide_paint(state, &list->failures[i]);
    }
    state->failures += list->count;
}

static slide_region landslide_region(const landslide_state* state)
{
    return (slide_region){&state->params, (const double(*)[2])state->corners, state->corner_count,
                          state->depth};
}

// Tell once that a region has no cell of the terrain. The other starts find no soil there, which
// is an error.
static void landslide_note(landslide_state* state)
{
    const int32_t start = state->params.start;
    const slide_region region = landslide_region(state);
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    const bool may_be_empty = start == WADI_LANDSLIDE_FAILING || start == WADI_LANDSLIDE_STORM ||
                              start == WADI_LANDSLIDE_DEEP;
    int64_t c = may_be_empty && !state->is_told ? 0 : ground->cells;
    const bool asks = c < ground->cells;
    while (c < ground->cells && wadi_slide_source_limit(&region, ground, c) == 0)
    {
        ++c;
    }
    if (asks && c == ground->cells)
    {
        wadi_log_line(wadi_terrain_context(state->terrain),
                      "landslide: the region holds no cell with data, so nothing can fail: see "
                      "shape, x, y, radius, width, height, and the inputs outline and depth");
        state->is_told = true;
    }
}

// Tell once that there is no soil to fail. Land from a file is rock alone.
static void landslide_note_bare(landslide_state* state)
{
    const wadi_landslide_params* p = &state->params;
    const bool needs_soil =
        (p->start == WADI_LANDSLIDE_STORM || p->start == WADI_LANDSLIDE_FAILING) &&
        p->rock_depth == 0.0;
    if (needs_soil && !state->is_told &&
        wadi_ground_is_bare(wadi_terrain_ground_const(state->terrain)))
    {
        wadi_log_line(wadi_terrain_context(state->terrain),
                      "landslide: there is no soil, so nothing can fail: fill the layer sediment, "
                      "with 'sediment: {soil: {}}' in a scene or --layer sediment=1m to 'wadi "
                      "erode'");
        state->is_told = true;
    }
}

// What fails, of the soil that the region holds.
static wadi_result landslide_trigger(landslide_state* state, int64_t index)
{
    const slide_region region = landslide_region(state);
    if (state->params.start == WADI_LANDSLIDE_DEEP)
    {
        return wadi_slide_deep(state->terrain, &region, &state->source);
    }
    WADI_TRY(wadi_slide_trigger(state->terrain, &state->params, &state->source));
    return state->params.start == WADI_LANDSLIDE_STORM
               ? wadi_slide_storm(state->terrain, &state->params, (uint32_t)index + 1,
                                  &state->source)
               : WADI_OK;
}

static wadi_result landslide_find(landslide_state* state, int64_t index)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    const slide_region region = landslide_region(state);
    slide_source* source = &state->source;
    WADI_TRY(wadi_slide_source_create(state->terrain, &region, source));
    WADI_TRY(landslide_trigger(state, index));
    wadi_slide_source_sum(ground, source);
    memcpy(state->stability, source->stability, (size_t)ground->cells * sizeof *state->stability);
    state->account.areas += (double)source->areas;
    state->account.number = landslide_largest(state);
    state->account.largest = (double)source->largest * ground->cell_size * ground->cell_size;
    WADI_CHECK(context,
               source->units > 0 || state->params.start == WADI_LANDSLIDE_FAILING ||
                   state->params.start == WADI_LANDSLIDE_STORM ||
                   state->params.start == WADI_LANDSLIDE_DEEP,
               WADI_ERROR_STATE,
               "there is no soil in the region of the landslide: give layers: {sediment: ...}, "
               "weathered rock by rock_depth, or another region");
    return WADI_OK;
}

// Every step has its own random numbers.
static uint32_t landslide_stream(const landslide_state* state, int64_t index)
{
    return wadi_random(wadi_terrain_seed(state->terrain), state->stream, (uint64_t)index, 0).v[0];
}

static wadi_result landslide_start(landslide_state* state, int64_t index)
{
    WADI_TRY(wadi_landslide_inflows(state) ? wadi_landslide_inflow_place(state)
                                           : landslide_find(state, index));
    if (state->source.units == 0 && !wadi_landslide_inflows(state))
    {
        return WADI_OK;
    }
    state->before_slide = state->account;
    if (wadi_landslide_flows(state))
    {
        state->at_work = true;
        return wadi_landslide_flow_begin(state);
    }
    if (state->params.start == WADI_LANDSLIDE_STORM)
    {
        return wadi_landslide_release_begin(state);
    }
    state->slide = (slide){
        .terrain = state->terrain,
        .params = &state->params,
        .stream = landslide_stream(state, index),
        .source = &state->source,
        .speed = state->speed,
        .origin = state->clock,
        .watch = state->watch,
        .watcher = state->watcher,
    };
    state->at_work = true;
    WADI_TRY(wadi_slide_prepare(&state->slide));
    return state->slide.count > 0 ? wadi_slide_begin(&state->slide) : WADI_OK;
}

// Cut out the soil that slides, if there is any. Soil too thin for one grain stays in place. Grains
// settle for seconds to minutes; a stop that is asked for meanwhile is not put off to the end of
// the step: as nothing has changed yet, the step begins anew later. It is stopped here only once,
// so that a caller who stops often gets on.
static wadi_result landslide_begin(landslide_state* state, int64_t index)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    landslide_note(state);
    landslide_note_bare(state);
    if (state->params.model == WADI_LANDSLIDE_SLUMP)
    {
        const slide_region region = landslide_region(state);
        const wadi_result turned = wadi_landslide_slump(state, &region);
        landslide_drop(state);
        return turned;
    }
    const landslide_account account = state->account;
    const bool held = wadi_progress_hold(context, state->is_put_off);
    const wadi_result result = landslide_start(state, index);
    (void)wadi_progress_hold(context, held);
    state->is_put_off = result == WADI_ERROR_CANCELLED;
    if (result != WADI_OK)
    {
        state->account = account;
    }
    else if (!wadi_landslide_releases(state) &&
             (state->flow == NULL || state->params.start == WADI_LANDSLIDE_DEEP))
    {
        wadi_landslide_paint_all(state);
    }
    const bool works =
        state->slide.count > 0 || state->flow != NULL || wadi_landslide_releases(state);
    if (result != WADI_OK || !works)
    {
        landslide_drop(state);
    }
    else
    {
        wadi_landslide_flow_note(state);
    }
    return result;
}

// Write the slide back to the layers.
static void landslide_finish(landslide_state* state)
{
    if (state->flow != NULL)
    {
        wadi_landslide_flow_finish(state);
        landslide_drop(state);
        return;
    }
    if (wadi_landslide_releases(state))
    {
        wadi_landslide_release_finish(state);
        landslide_drop(state);
        return;
    }
    wadi_landslide_lay_grains(state);
    if (state->slide.wet != NULL)
    {
        wadi_slide_soak_return(&state->slide);
    }
    landslide_drop(state);
}

// Lay down the slide in progress where it is.
static void landslide_settle(void* user)
{
    landslide_state* state = user;
    if (state->at_work)
    {
        landslide_finish(state);
    }
}

// Begin a step: go on with the slide in progress, or begin one. A slide comes to rest when the
// world goes on without landslides, or when another region slides.
static wadi_result landslide_enter(landslide_state* state, const wadi_span* span)
{
    const bool is_apart = (span->from - state->until) * landslide_year > landslide_gap;
    if (is_apart || state->is_stale)
    {
        landslide_settle(state);
    }
    state->is_stale = false;
    if (state->flow != NULL)
    {
        wadi_runner_follow(state->flow, wadi_terrain_ground_const(state->terrain));
    }
    if (!state->at_work)
    {
        WADI_TRY(landslide_begin(state, span->index));
    }
    const bool queues = state->flow != NULL || wadi_landslide_releases(state);
    state->slid = queues ? state->account.time : 0.0;
    if (state->flow == NULL && state->slide.count > 0)
    {
        WADI_TRY(wadi_slide_follow_ground(&state->slide));
        state->slid = queues ? state->slid : state->slide.time;
    }
    return WADI_OK;
}

// After an error. Slides of a storm that came to rest before it stay where they are.
static void landslide_undo(landslide_state* state, double seconds)
{
    if (wadi_landslide_releases(state))
    {
        state->slide.given -= seconds;
        wadi_landslide_release_forget(state);
    }
    else
    {
        landslide_drop(state);
    }
    state->given = 0.0;
}

// Move the slide for the rest of the step. All memory of a slide is allocated before the layers are
// changed, so an error changes nothing of it.
static wadi_result landslide_go(landslide_state* state, double seconds, bool* stopped)
{
    slide* s = &state->slide;
    s->given += seconds - state->given;
    s->watch = state->watch;
    s->watcher = state->watcher;
    state->given = seconds;
    if (state->flow != NULL)
    {
        wadi_landslide_flow_run(state, s->given, stopped);
        return WADI_OK;
    }
    const bool releases = wadi_landslide_releases(state);
    const wadi_result result = releases ? wadi_landslide_release_run(state, s->given, stopped)
                                        : wadi_slide_move(s, s->given, stopped);
    if (result != WADI_OK && result != WADI_ERROR_CANCELLED)
    {
        landslide_undo(state, seconds);
    }
    return result;
}

static void landslide_leave(landslide_state* state, const wadi_span* span, double seconds)
{
    double slid = 0.0;
    if (state->flow != NULL)
    {
        wadi_landslide_flow_account_for(state);
        slid = state->account.time - state->slid;
        if (wadi_landslide_flow_is_over(state))
        {
            landslide_settle(state);
        }
    }
    else if (wadi_landslide_releases(state))
    {
        slid = state->account.time - state->slid;
        if (wadi_landslide_release_is_over(state))
        {
            landslide_finish(state);
        }
    }
    else if (state->at_work)
    {
        slid = (state->slide.time - state->slid) * landslide_pace(&state->params);
        wadi_landslide_account_for(state);
        if (wadi_slide_is_over(&state->slide))
        {
            landslide_finish(state);
        }
    }
    state->waiting += seconds > slid ? (seconds - slid) / landslide_year : 0.0;
    state->clock += seconds;
    state->until = span->from + span->years;
    state->given = 0.0;
}

static wadi_result landslide_advance(void* user, const wadi_span* span)
{
    landslide_state* state = user;
    const double seconds = span->years * landslide_year;
    if (state->given <= 0.0)
    {
        WADI_TRY(landslide_enter(state, span));
    }
    if (state->at_work)
    {
        bool stopped = false;
        WADI_TRY(landslide_go(state, seconds, &stopped));
        WADI_CHECK(wadi_terrain_context(state->terrain), !stopped, WADI_ERROR_CANCELLED,
                   "the landslide was stopped on its way");
    }
    landslide_leave(state, span, seconds);
    return WADI_OK;
}

static double landslide_step(const void* user)
{
    return ((const landslide_state*)user)->params.interval;
}

static bool landslide_unfinished(const void* user)
{
    const landslide_state* state = user;
    return state->given > 0.0 || state->is_put_off;
}

// ---- frames ------------------------------------------------------------------------------

static void landslide_watch(void* user, wadi_watch watch, void* watcher)
{
    landslide_state* state = user;
    state->watch = watch;
    state->watcher = watcher;
}

static int32_t landslide_grains(const void* user, wadi_grain* out, int32_t capacity,
                                double* seconds)
{
    const landslide_state* state = user;
    if (seconds != NULL)
    {
        *seconds = state->at_work ? state->slide.shown : state->clock;
    }
    if (state->slide.count > 0 && capacity >= state->slide.count)
    {
        memcpy(out, state->slide.now, (size_t)state->slide.count * sizeof *out);
    }
    return state->at_work ? state->slide.count : 0;
}

// ---- descriptor --------------------------------------------------------------------------

static const wadi_preset landslide_presets[] = {
    {"default", "soil slides where it fails, by its own strength and the water in it", NULL, 0},
};

static const wadi_model_api landslide_api = {
    .create = landslide_create,
    .step = landslide_step,
    .advance = landslide_advance,
    .unfinished = landslide_unfinished,
    .settle = landslide_settle,
    .held = wadi_landslide_held,
    .destroy = landslide_destroy,
    .map = wadi_landslide_map,
    .set_map = wadi_landslide_set_map,
    .set_table = wadi_landslide_set_table,
    .work = wadi_landslide_work,
    .figures = wadi_landslide_figures,
    .grains = landslide_grains,
    .watch = landslide_watch,
    .archive = wadi_landslide_archive,
};

enum
{
    LANDSLIDE_READS = WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT) |
                      WADI_LAYER_BIT(WADI_LAYER_HARDNESS) | WADI_LAYER_BIT(WADI_LAYER_MOISTURE),
    LANDSLIDE_LAYS = WADI_LAYER_BIT(WADI_LAYER_BEDROCK) | WADI_LAYER_BIT(WADI_LAYER_SEDIMENT),
    LANDSLIDE_WATER = WADI_LAYER_BIT(WADI_LAYER_WATER)
};

// Models whose soil may be grains, or flows.
enum
{
    LANDSLIDE_OF_GRAINS = FIELD_MODEL(WADI_LANDSLIDE_GRAINS) | FIELD_MODEL(WADI_LANDSLIDE_AUTO),
    LANDSLIDE_OF_FLOWS = FIELD_MODEL(WADI_LANDSLIDE_RUNNER) | FIELD_MODEL(WADI_LANDSLIDE_AUTO),
    LANDSLIDE_OF_SLIDES = LANDSLIDE_OF_GRAINS | LANDSLIDE_OF_FLOWS,
    LANDSLIDE_OF_SLUMP = FIELD_MODEL(WADI_LANDSLIDE_SLUMP)
};

// clang-format off
static const wadi_figure_info landslide_figure_list[] = {
    {"least_stability", "1", WADI_FIGURE_STATE, "least factor of safety before the last slide; 100: nothing that could fail", 0},
    {"failing_areas", "1", WADI_FIGURE_SUM, "number of slides, or of connected areas that failed", 0},
    {"largest_area", "m2", WADI_FIGURE_STATE, "area of the largest slide", 0},
    {"largest_slide", "1", WADI_FIGURE_STATE, "its number in the map `slide` (storms)", LANDSLIDE_OF_SLIDES},
    {"released", "m3", WADI_FIGURE_SUM, "soil that failed", 0},
    {"grains", "1", WADI_FIGURE_STATE, "number of grains; 0 where slides are flows", LANDSLIDE_OF_SLIDES},
    {"grain_diameter", "m", WADI_FIGURE_STATE, "mean diameter of grains", LANDSLIDE_OF_SLIDES},
    {"step", "s", WADI_FIGURE_STATE, "time step of grains", LANDSLIDE_OF_SLIDES},
    {"slide_clock", "s", WADI_FIGURE_SUM, "time in which soil slid, summed over all slides", LANDSLIDE_OF_SLIDES},
    {"waiting_clock", "yr", WADI_FIGURE_SUM, "time in which nothing moved", 0},
    {"largest_overlap", "1", WADI_FIGURE_STATE, "largest overlap of grains, as a share of a radius", LANDSLIDE_OF_SLIDES},
    {"still_moving", "1", WADI_FIGURE_STATE, "share of the grains that moved at the end", LANDSLIDE_OF_SLIDES},
    {"runout", "m", WADI_FIGURE_STATE, "from the highest cell of a source to the farthest deposit, on the map", 0},
    {"fall", "m", WADI_FIGURE_STATE, "the same in height", 0},
    {"farthest_grain", "m", WADI_FIGURE_STATE, "largest displacement of a grain", LANDSLIDE_OF_SLIDES},
    {"soaking_clock", "s", WADI_FIGURE_SUM, "time of the water; from here to `failed`: start soaking", LANDSLIDE_OF_GRAINS},
    {"slept", "s", WADI_FIGURE_SUM, "part of it in which all grains slept", LANDSLIDE_OF_GRAINS},
    {"acceleration", "1", WADI_FIGURE_STATE, "seconds of water for a second of motion", LANDSLIDE_OF_GRAINS},
    {"wakes", "1", WADI_FIGURE_SUM, "times that water woke grains when all slept", LANDSLIDE_OF_GRAINS},
    {"rain_water", "m3", WADI_FIGURE_SUM, "water that rain brought to the soil", LANDSLIDE_OF_GRAINS},
    {"soil_water", "m3", WADI_FIGURE_STATE, "water in the soil of the last slide", LANDSLIDE_OF_GRAINS},
    {"soil_gained", "m3", WADI_FIGURE_SUM, "water that the soil gained", LANDSLIDE_OF_GRAINS},
    {"runoff", "m3", WADI_FIGURE_SUM, "water that ran off", LANDSLIDE_OF_GRAINS},
    {"drained", "m3", WADI_FIGURE_SUM, "water that drained into the rock", LANDSLIDE_OF_GRAINS},
    {"evaporated", "m3", WADI_FIGURE_SUM, "water that evaporated", LANDSLIDE_OF_GRAINS},
    {"water_residual", "1", WADI_FIGURE_SUM, "units of water that the books do not explain: 0", LANDSLIDE_OF_GRAINS},
    {"failed", "s", WADI_FIGURE_STATE, "time at which one grain in twenty had moved by its diameter; left out if the soil stands", LANDSLIDE_OF_GRAINS},
    {"entrained", "m3", WADI_FIGURE_SUM, "bed that flows took up", LANDSLIDE_OF_FLOWS},
    {"flow_height", "m", WADI_FIGURE_STATE, "greatest thickness of a flow", LANDSLIDE_OF_FLOWS},
    {"flow_speed", "m/s", WADI_FIGURE_STATE, "greatest speed of a flow", LANDSLIDE_OF_FLOWS},
    {"farthest_slide", "1", WADI_FIGURE_STATE, "number of the slide that `runout` and `fall` belong to (storms)", LANDSLIDE_OF_SLIDES},
    {"hummocks", "1", WADI_FIGURE_SUM, "mounds of blocks in deposits; with `hummocks` only", LANDSLIDE_OF_FLOWS},
    {"rotation", "degree", WADI_FIGURE_STATE, "largest angle by which a block turned", LANDSLIDE_OF_SLUMP},
    {"secondary_blocks", "1", WADI_FIGURE_SUM, "blocks that turned on surfaces within others; with `secondary` only", LANDSLIDE_OF_SLUMP},
};
// clang-format on

static const wadi_model landslide_models[WADI_LANDSLIDE_MODEL_COUNT] = {
    {"grains", "Soil as grains in three dimensions.", LANDSLIDE_READS,
     LANDSLIDE_LAYS | WADI_LAYER_BIT(WADI_LAYER_MOISTURE),
     WADI_MODEL_RANDOM | WADI_MODEL_GRAINS | WADI_MODEL_GATHERS, &landslide_api},
    {"runner", "A depth-averaged flow with Voellmy's friction, which entrains its bed.",
     LANDSLIDE_READS | LANDSLIDE_WATER, LANDSLIDE_LAYS | LANDSLIDE_WATER,
     WADI_MODEL_RANDOM | WADI_MODEL_HOLDS | WADI_MODEL_GATHERS, &landslide_api},
    {"auto", "Grains where five or more lie across the depth of the soil, else the flow.",
     LANDSLIDE_READS | LANDSLIDE_WATER,
     LANDSLIDE_LAYS | LANDSLIDE_WATER | WADI_LAYER_BIT(WADI_LAYER_MOISTURE),
     WADI_MODEL_RANDOM | WADI_MODEL_GRAINS | WADI_MODEL_HOLDS | WADI_MODEL_GATHERS, &landslide_api},
    {"slump", "Blocks that turn on deep rupture surfaces.", LANDSLIDE_READS, LANDSLIDE_LAYS,
     WADI_MODEL_GATHERS, &landslide_api},
};

const wadi_process wadi_landslide_process = {
    .name = "landslide",
    .doc = "Landslides: where soil fails under its own weight and the water in it, it is cut out, "
           "slides as grains or as a flow, and is laid back where it comes to rest; or blocks turn "
           "on deep surfaces.",
    .fields = &wadi_landslide_fields,
    .presets = landslide_presets,
    .preset_count = WADI_COUNT(landslide_presets),
    .maps = wadi_landslide_maps,
    .map_count = LANDSLIDE_MAP_COUNT,
    .figures = landslide_figure_list,
    .figure_count = WADI_COUNT(landslide_figure_list),
    .tables = wadi_landslide_tables,
    .table_count = LANDSLIDE_TABLE_COUNT,
    .models = landslide_models,
    .model_count = WADI_COUNT(landslide_models),
    .default_years = 600.0 / 31557600.0,
    .example = "  size: [256, 256]\n  cell: 10 m\n"
               "  noise: {kind: fbm, relief: 400 m, wavelength: 1.2 km, octaves: 3}\n"
               "layers:\n  sediment: 2 m\n  moisture: 0.75\n",
};
