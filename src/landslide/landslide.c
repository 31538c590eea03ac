// SPDX-License-Identifier: MIT
// The process "landslide": soil that fails, or that a region holds, slides as grains.
#include "landslide/landslide_internal.h"

#include <wadi/stability.h>

#include <math.h>
#include <string.h>

#define LANDSLIDE_COUNT(array) ((int32_t)(sizeof(array) / sizeof((array)[0])))

static const double landslide_year = 31557600.0; // [s]
static const double landslide_toe = 0.1;         // deposit that counts as run-out [m]

enum
{
    LANDSLIDE_MAP_DEPTH, // the only input
    LANDSLIDE_MAP_STABILITY,
    LANDSLIDE_MAP_SOURCE,
    LANDSLIDE_MAP_WEAR,
    LANDSLIDE_MAP_DEPOSIT,
    LANDSLIDE_MAP_SPEED,
    LANDSLIDE_MAP_COUNT
};

// What the last slide was, for the report.
typedef struct landslide_account
{
    double grains;
    double diameter; // [m]
    double step;     // [s]
    double time;     // [s]
    double steps;
    double grain_steps;
    double overlap;  // share of a radius
    double moving;   // share of grains, at the end
    double released; // [m3]
    double areas;
    double largest;  // [m2]
    double runout;   // [m]
    double fall;     // [m]
    double farthest; // way of a grain, level [m]
} landslide_account;

typedef struct landslide_state
{
    wadi_terrain* terrain;
    wadi_landslide_params params;
    uint32_t stream;

    double (*corners)[2];
    int32_t corner_count;
    float* depth;       // input; NULL: none
    float* stability;   // as the last advance found it
    int64_t* released;  // [units] since the start
    int32_t* before;    // surface [units]
    int64_t* change[2]; // lowering and raising since the start [units]
    float* speed;       // [m/s]
    landslide_account account;
    double waiting; // time in which nothing moved [yr]
} landslide_state;

// ---- making ------------------------------------------------------------------------------

static void landslide_destroy(void* user)
{
    landslide_state* state = user;
    wadi_context* context = wadi_terrain_context(state->terrain);
    wadi_free(context, state->corners);
    wadi_free(context, state->depth);
    wadi_free(context, state->stability);
    wadi_free(context, state->released);
    wadi_free(context, state->before);
    wadi_free(context, state->change[0]);
    wadi_free(context, state->change[1]);
    wadi_free(context, state->speed);
    wadi_free(context, state);
}

static wadi_result landslide_allocate(landslide_state* state)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    const int64_t cells = wadi_terrain_ground_const(state->terrain)->cells;
    WADI_ALLOC(context, state->stability, cells, "maps of landslides");
    WADI_ALLOC(context, state->released, cells, "maps of landslides");
    WADI_ALLOC(context, state->before, cells, "maps of landslides");
    WADI_ALLOC(context, state->change[0], cells, "maps of landslides");
    WADI_ALLOC(context, state->change[1], cells, "maps of landslides");
    WADI_ALLOC(context, state->speed, cells, "maps of landslides");
    for (int64_t c = 0; c < cells; ++c)
    {
        state->stability[c] = (float)WADI_STABILITY_MOST; // until somebody looks
    }
    return WADI_OK;
}

static wadi_result landslide_create(wadi_terrain* terrain, const void* user_params, uint32_t stream,
                                    void** out)
{
    landslide_state* state;
    WADI_ALLOC(wadi_terrain_context(terrain), state, 1, "landslide");
    state->terrain = terrain;
    state->params = *(const wadi_landslide_params*)user_params;
    state->stream = stream;
    const wadi_result result = landslide_allocate(state);
    if (result != WADI_OK)
    {
        landslide_destroy(state);
        return result;
    }
    *out = state;
    return WADI_OK;
}

// ---- books -------------------------------------------------------------------------------

static void landslide_snapshot(landslide_state* state, const slide_source* source)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        state->before[c] = wadi_ground_surface(ground, c);
        state->released[c] += (int64_t)source->soil[c] + source->rock[c];
    }
}

static void landslide_compare(landslide_state* state)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        const int64_t change = (int64_t)wadi_ground_surface(ground, c) - state->before[c];
        state->change[0][c] += change < 0 ? -change : 0;
        state->change[1][c] += change > 0 ? change : 0;
    }
}

// Cells from one to another, the shorter way round where the terrain repeats.
static double landslide_apart(int64_t cells, int32_t period, wadi_edge edge)
{
    return slide_apart((double)cells, 0.0, edge == WADI_EDGE_PERIODIC ? (double)period : 0.0);
}

// From the highest cell that gave soil to the farthest that got some.
static void landslide_measure(landslide_state* state, const slide_source* source)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    int64_t top = -1;
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        const bool gave = source->soil[c] + source->rock[c] > 0;
        top = gave && (top < 0 || state->before[c] > state->before[top]) ? c : top;
    }
    double far2 = 0.0;
    int64_t toe = top;
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        const int32_t raised = wadi_ground_surface(ground, c) - state->before[c];
        const double dx = landslide_apart(c % ground->width - top % ground->width, ground->width,
                                          ground->edges[WADI_SIDE_WEST]);
        const double dy = landslide_apart(c / ground->width - top / ground->width, ground->height,
                                          ground->edges[WADI_SIDE_NORTH]);
        if ((double)raised >= landslide_toe * WADI_UNITS_PER_METRE && dx * dx + dy * dy > far2)
        {
            far2 = dx * dx + dy * dy;
            toe = c;
        }
    }
    state->account.runout = sqrt(far2) * ground->cell_size;
    state->account.fall = (double)(state->before[top] - state->before[toe]) / WADI_UNITS_PER_METRE;
}

static double landslide_farthest(const slide* s)
{
    double most = 0.0;
    for (int32_t i = 0; i < s->count; ++i)
    {
        const double way2 = s->way[i][0] * s->way[i][0] + s->way[i][1] * s->way[i][1];
        most = way2 > most ? way2 : most;
    }
    return sqrt(most);
}

static void landslide_account_for(landslide_state* state, const slide* s)
{
    const double cell = wadi_terrain_cell_size(state->terrain);
    landslide_account* account = &state->account;
    account->grains = s->count;
    account->diameter = s->diameter;
    account->step = s->summary.step;
    account->time += s->time;
    account->steps += (double)s->summary.steps;
    account->grain_steps += (double)s->summary.steps * (double)s->count;
    account->overlap = s->overlap > account->overlap ? s->overlap : account->overlap;
    account->moving = s->still_moving;
    account->farthest = landslide_farthest(s);
    account->released += (double)s->source->units / WADI_UNITS_PER_METRE * cell * cell;
}

// ---- sliding -----------------------------------------------------------------------------

// All memory is there before the ground is touched: a slide that fails has changed nothing.
static wadi_result landslide_slide(landslide_state* state, const slide_source* source,
                                   double seconds, bool* stopped)
{
    slide s = {
        .terrain = state->terrain,
        .params = &state->params,
        // every slide draws lots of its own, the same ones after a restart
        .stream = state->stream ^ (uint32_t)wadi_terrain_hash(state->terrain),
        .source = source,
        .speed = state->speed,
    };
    wadi_result result = slide_prepare(&s);
    if (result == WADI_OK && s.count > 0)
    {
        result = slide_move(&s, seconds, stopped);
    }
    if (result == WADI_OK && s.count > 0)
    {
        wadi_tally tally = {0};
        landslide_snapshot(state, source);
        slide_return(&s, &tally);
        wadi_terrain_book(state->terrain, "landslide", &tally);
        landslide_compare(state);
        landslide_account_for(state, &s);
        landslide_measure(state, source);
    }
    slide_destroy(&s);
    return result;
}

static wadi_result landslide_find(landslide_state* state, slide_source* source)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    const slide_region region = {&state->params, (const double(*)[2])state->corners,
                                 state->corner_count, state->depth};
    WADI_TRY(slide_source_create(state->terrain, &region, source));
    WADI_TRY(slide_trigger(state->terrain, &state->params, source));
    slide_source_sum(ground, source);
    memcpy(state->stability, source->stability, (size_t)ground->cells * sizeof *state->stability);
    state->account.areas += (double)source->areas;
    state->account.largest = (double)source->largest * ground->cell_size * ground->cell_size;
    WADI_CHECK(context, source->units > 0 || state->params.start == WADI_LANDSLIDE_FAILING,
               WADI_ERROR_STATE,
               "there is no soil in the region of the landslide: give layers: {sediment: ...}, "
               "weathered rock by rock_depth, or another region");
    return WADI_OK;
}

static wadi_result landslide_advance(void* user, double years)
{
    landslide_state* state = user;
    wadi_context* context = wadi_terrain_context(state->terrain);
    WADI_CHECK(context, wadi_progress(context, 0.0, "landslide"), WADI_ERROR_CANCELLED,
               "the landslide was stopped");
    const double whole = years * landslide_year;
    const double seconds = whole < state->params.longest ? whole : state->params.longest;
    slide_source source = {0};
    bool stopped = false;
    wadi_result result = landslide_find(state, &source);
    const double before = state->account.time;
    if (result == WADI_OK && source.units > 0)
    {
        result = landslide_slide(state, &source, seconds, &stopped);
    }
    slide_source_destroy(context, &source);
    WADI_TRY(result);
    const double slid = state->account.time - before;
    state->waiting += whole > slid ? (whole - slid) / landslide_year : 0.0;
    WADI_CHECK(context, !stopped, WADI_ERROR_CANCELLED, "the landslide was stopped on its way");
    return WADI_OK;
}

// ---- maps --------------------------------------------------------------------------------

static const wadi_map_info landslide_maps[LANDSLIDE_MAP_COUNT] = {
    [LANDSLIDE_MAP_DEPTH] = {"depth", "m",
                             "most soil that is cut out, as a depth or as a change below 0; 0 or "
                             "no data leaves a cell as it is",
                             true},
    [LANDSLIDE_MAP_STABILITY] = {"stability", "1",
                                 "factor of safety before the last slide, 100 at most", false},
    [LANDSLIDE_MAP_SOURCE] = {"source", "m", "soil cut out since the start", false},
    [LANDSLIDE_MAP_WEAR] = {"wear", "m", "lowering by slides since the start", false},
    [LANDSLIDE_MAP_DEPOSIT] = {"deposit", "m", "raising by slides since the start", false},
    [LANDSLIDE_MAP_SPEED] = {"speed", "m/s", "of the fastest grain that came by", false},
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
    default:
        return state->speed[cell];
    }
}

static wadi_result landslide_map(void* user, int32_t index, float* out)
{
    const landslide_state* state = user;
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        out[c] = ground->valid[c] != 0 ? landslide_map_at(state, index, c) : NAN;
    }
    return WADI_OK;
}

static wadi_result landslide_set_map(void* user, int32_t index, const float* values)
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
    return WADI_OK;
}

// ---- outline -----------------------------------------------------------------------------

static const wadi_column landslide_outline[] = {
    {"x", "m", -1e9, 1e9},
    {"y", "m", -1e9, 1e9},
};
static const wadi_table_info landslide_tables[] = {
    {"outline", "corners of the region, one after the other; metres from the south-west corner",
     landslide_outline, LANDSLIDE_COUNT(landslide_outline)},
};

static wadi_result landslide_set_table(void* user, int32_t index, const double* values,
                                       int32_t rows)
{
    landslide_state* state = user;
    (void)index; // outline is the only table
    wadi_context* context = wadi_terrain_context(state->terrain);
    WADI_CHECK(context, rows >= 3, WADI_ERROR_ARGUMENT,
               "the outline of a landslide has %d corners, expected 3 or more", rows);
    double(*corners)[2];
    WADI_ALLOC(context, corners, rows, "an outline");
    memcpy(corners, values, (size_t)rows * sizeof *corners);
    wadi_free(context, state->corners);
    state->corners = corners;
    state->corner_count = rows;
    return WADI_OK;
}

// ---- reports -----------------------------------------------------------------------------

static int32_t landslide_work(const void* user, wadi_work* out, int32_t capacity)
{
    const landslide_state* state = user;
    const wadi_work rows[] = {
        {"grains", state->account.grains},
        {"steps", state->account.steps},
        {"particle_steps", state->account.grain_steps},
    };
    for (int32_t i = 0; i < LANDSLIDE_COUNT(rows) && i < capacity; ++i)
    {
        out[i] = rows[i];
    }
    return LANDSLIDE_COUNT(rows);
}

static double landslide_least(const landslide_state* state)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    double least = WADI_STABILITY_MOST;
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        const double here = (double)state->stability[c];
        least = here < least ? here : least;
    }
    return least;
}

static int32_t landslide_figures(const void* user, wadi_figure* out, int32_t capacity)
{
    const landslide_state* state = user;
    const landslide_account* a = &state->account;
    const wadi_figure rows[] = {
        {"least_stability", "1", landslide_least(state), WADI_FIGURE_STATE},
        {"failing_areas", "1", a->areas, WADI_FIGURE_SUM},
        {"largest_area", "m2", a->largest, WADI_FIGURE_STATE},
        {"released", "m3", a->released, WADI_FIGURE_SUM},
        {"grains", "1", a->grains, WADI_FIGURE_STATE},
        {"grain_diameter", "m", a->diameter, WADI_FIGURE_STATE},
        {"step", "s", a->step, WADI_FIGURE_STATE},
        {"slide_clock", "s", a->time, WADI_FIGURE_SUM},
        {"waiting_clock", "yr", state->waiting, WADI_FIGURE_SUM},
        {"largest_overlap", "1", a->overlap, WADI_FIGURE_STATE},
        {"still_moving", "1", a->moving, WADI_FIGURE_STATE},
        {"runout", "m", a->runout, WADI_FIGURE_STATE},
        {"fall", "m", a->fall, WADI_FIGURE_STATE},
        {"farthest_grain", "m", a->farthest, WADI_FIGURE_STATE},
    };
    for (int32_t i = 0; i < LANDSLIDE_COUNT(rows) && i < capacity; ++i)
    {
        out[i] = rows[i];
    }
    return LANDSLIDE_COUNT(rows);
}

// ---- descriptor --------------------------------------------------------------------------

static const wadi_preset landslide_presets[] = {
    {"default", "soil slides where it fails, by its own strength and the water in it", NULL, 0},
};

static const wadi_layer landslide_reads[] = {WADI_LAYER_BEDROCK, WADI_LAYER_SEDIMENT,
                                             WADI_LAYER_HARDNESS, WADI_LAYER_MOISTURE};
static const wadi_layer landslide_writes[] = {WADI_LAYER_BEDROCK, WADI_LAYER_SEDIMENT};

static const wadi_solver_api landslide_api = {
    .create = landslide_create,
    .advance = landslide_advance,
    .destroy = landslide_destroy,
    .map = landslide_map,
    .set_map = landslide_set_map,
    .set_table = landslide_set_table,
    .work = landslide_work,
    .figures = landslide_figures,
};

const wadi_process wadi_landslide_process = {
    .name = "landslide",
    .doc = "Landslides: where soil fails under its own weight and the water in it, it is cut out "
           "as grains, slides, and is laid back where it comes to rest.",
    .fields = &wadi_landslide_fields,
    .presets = landslide_presets,
    .preset_count = LANDSLIDE_COUNT(landslide_presets),
    .maps = landslide_maps,
    .map_count = LANDSLIDE_MAP_COUNT,
    .tables = landslide_tables,
    .table_count = LANDSLIDE_COUNT(landslide_tables),
    .reads = landslide_reads,
    .read_count = LANDSLIDE_COUNT(landslide_reads),
    .writes = landslide_writes,
    .write_count = LANDSLIDE_COUNT(landslide_writes),
    .default_years = 600.0 / 31557600.0,
    .api = &landslide_api,
};
