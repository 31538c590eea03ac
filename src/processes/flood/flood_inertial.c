// SPDX-License-Identifier: MIT
// The model "inertial" of process "flood": shallow water in time on the terrain's layer of water.
#include "process/figure_row.h"
#include "processes/flood/flood_internal.h"
#include "processes/flood/inertial.h"

#include <math.h>
#include <string.h>

static const double wave_year = 31557600.0; // [s]
static const double wave_hour = 3600.0;
static const double wave_tick = 0.0625; // times given are rounded to this [s]
static const double wave_arrival = 0.1; // [m]

enum
{
    WAVE_QUESTION = 64, // steps between two questions whether to go on

    HYDROGRAPH_HOUR = 0,
    HYDROGRAPH_DISCHARGE,
    HYDROGRAPH_COLUMNS,

    INFLOW_X = 0,
    INFLOW_Y,
    INFLOW_HOUR,
    INFLOW_DISCHARGE,
    INFLOW_COLUMNS
};

typedef struct wave_table
{
    double* rows;
    int32_t count;
} wave_table;

typedef struct wave_state
{
    wadi_terrain* terrain;
    wadi_flood_params params;
    inertial* water;
    float* rough; // input; NULL: none
    wave_table tables[FLOOD_TABLE_COUNT];
    double steady[HYDROGRAPH_COLUMNS]; // the hydrograph of `discharge`
    inertial_source* sources;
    int32_t source_count;
    double given; // since the start [s]
    double taken; // part of the present step that was given to the water [s]; 0: no step
    double in;    // [m3]
    double out;
} wave_state;

// ---- sources -----------------------------------------------------------------------------

static void wave_drop_sources(wave_state* state)
{
    wadi_context* context = wadi_terrain_context(state->terrain);
    for (int32_t k = 0; k < state->source_count; ++k)
    {
        wadi_free(context, state->sources[k].cells);
    }
    wadi_free(context, state->sources);
    state->sources = NULL;
    state->source_count = 0;
}

static bool wave_goes_on(const double* row)
{
    return row[INFLOW_X] == row[INFLOW_X - INFLOW_COLUMNS] &&
           row[INFLOW_Y] == row[INFLOW_Y - INFLOW_COLUMNS];
}

// Rows of one place that follow one another are one source.
static void wave_find_places(wave_state* state, const wave_table* table)
{
    for (int32_t i = 0; i < table->count; ++i)
    {
        const double* row = table->rows + (ptrdiff_t)i * INFLOW_COLUMNS;
        if (i > 0 && wave_goes_on(row))
        {
            state->sources[state->source_count - 1].series.count += 1;
            continue;
        }
        state->sources[state->source_count++] = (inertial_source){
            .series = {.rows = row, .count = 1, .columns = INFLOW_COLUMNS, .year = INFLOW_HOUR},
            .column = INFLOW_DISCHARGE};
    }
}

// The line gives `discharge` if no table says otherwise.
static wadi_result wave_find_sources(wave_state* state)
{
    wave_drop_sources(state);
    const wave_table* line = &state->tables[FLOOD_TABLE_HYDROGRAPH];
    const wave_table* places = &state->tables[FLOOD_TABLE_INFLOW];
    WADI_ALLOC(wadi_terrain_context(state->terrain), state->sources, places->count + 1,
               "sources of a flood");
    wave_find_places(state, places);
    if (line->count > 0 || places->count == 0)
    {
        const bool steady = line->count == 0;
        state->sources[state->source_count++] =
            (inertial_source){.series = {.rows = steady ? state->steady : line->rows,
                                         .count = steady ? 1 : line->count,
                                         .columns = HYDROGRAPH_COLUMNS,
                                         .year = HYDROGRAPH_HOUR},
                              .column = HYDROGRAPH_DISCHARGE};
    }
    return WADI_OK;
}

// A line without discharge has no place, so it may lie on cells without data. It stays a source,
// since saved states list the water that each owes.
static bool wave_has_place(const wave_state* state, const inertial_source* source)
{
    return source->series.rows != state->steady || state->params.discharge > 0.0 ||
           source->owed > 0;
}

static wadi_result wave_place_sources(wave_state* state)
{
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    const wadi_flood_params* p = &state->params;
    for (int32_t k = 0; k < state->source_count; ++k)
    {
        inertial_source* source = &state->sources[k];
        const double* row = source->series.rows;
        const bool is_line = source->column == HYDROGRAPH_DISCHARGE;
        const double line[4] = {p->from_x, p->from_y, p->to_x, p->to_y};
        const double point[4] = {row[0], row[1], row[0], row[1]};
        wadi_free(wadi_terrain_context(state->terrain), source->cells); // voids may have changed
        source->cells = NULL;
        if (!wave_has_place(state, source))
        {
            continue;
        }
        WADI_TRY(wadi_inertial_line(wadi_terrain_context(state->terrain), ground,
                                    is_line ? line : point, source));
    }
    state->water->sources = state->sources;
    state->water->source_count = state->source_count;
    state->water->rain = p->rain;
    state->water->rain_hours = p->rain_duration;
    return WADI_OK;
}

static const wadi_column wave_hydrograph[HYDROGRAPH_COLUMNS] = {
    {"hour", "h", -1e6, 1e6},
    {"discharge", "m3/s", 0.0, 1e7},
};
static const wadi_column wave_inflow[INFLOW_COLUMNS] = {
    {"x", "m", -1e9, 1e9},
    {"y", "m", -1e9, 1e9},
    {"hour", "h", -1e6, 1e6},
    {"discharge", "m3/s", 0.0, 1e7},
};

const wadi_table_info wadi_flood_tables[FLOOD_TABLE_COUNT] = {
    [FLOOD_TABLE_HYDROGRAPH] = {"hydrograph",
                                "discharge of the line by hours since the begin of the flood, "
                                "linear between rows",
                                wave_hydrograph, HYDROGRAPH_COLUMNS,
                                UINT32_C(1) << WADI_FLOOD_INERTIAL, 0},
    [FLOOD_TABLE_INFLOW] = {"inflow",
                            "places where water enters, from the south-west corner; rows of one "
                            "place that follow one another are a hydrograph, linear between "
                            "hours. Without `hydrograph` the line gives no water then",
                            wave_inflow, INFLOW_COLUMNS, UINT32_C(1) << WADI_FLOOD_INERTIAL,
                            1 << INFLOW_HOUR},
};

static wadi_result wave_check_row(const wave_state* state, int32_t index, const double* rows,
                                  int32_t row)
{
    const int32_t columns = wadi_flood_tables[index].column_count;
    const int32_t hour = index == FLOOD_TABLE_INFLOW ? INFLOW_HOUR : HYDROGRAPH_HOUR;
    const double* now = rows + (ptrdiff_t)row * columns;
    const bool follows = row > 0 && (index == FLOOD_TABLE_HYDROGRAPH || wave_goes_on(now));
    WADI_CHECK(wadi_terrain_context(state->terrain), !follows || now[hour] > now[hour - columns],
               WADI_ERROR_RANGE,
               "row %d of %s is for hour %g, which does not come after %g: sort the rows by hour",
               row + 1, wadi_flood_tables[index].name, now[hour], now[hour - columns]);
    return WADI_OK;
}

static wadi_result wave_set_table(void* user, int32_t index, const double* values, int32_t rows)
{
    wave_state* state = user;
    wadi_context* context = wadi_terrain_context(state->terrain);
    const size_t values_count = (size_t)rows * (size_t)wadi_flood_tables[index].column_count;
    for (int32_t i = 0; i < rows; ++i)
    {
        WADI_TRY(wave_check_row(state, index, values, i));
    }
    double* copy = NULL;
    if (rows > 0)
    {
        WADI_ALLOC(context, copy, values_count, "a table of inflow");
        memcpy(copy, values, values_count * sizeof *copy);
    }
    wave_drop_sources(state); // they borrow the rows
    wadi_free(context, state->tables[index].rows);
    state->tables[index] = (wave_table){copy, rows};
    return wave_find_sources(state);
}

// ---- making ------------------------------------------------------------------------------

static void wave_destroy(void* user)
{
    wave_state* state = user;
    wadi_context* context = wadi_terrain_context(state->terrain);
    wave_drop_sources(state);
    for (int32_t k = 0; k < FLOOD_TABLE_COUNT; ++k)
    {
        wadi_free(context, state->tables[k].rows);
    }
    wadi_inertial_destroy(state->water);
    wadi_free(context, state->rough);
    wadi_free(context, state);
}

static inertial_law wave_law(const wadi_flood_params* p)
{
    return (inertial_law){
        .roughness = p->roughness,
        .theta = p->theta,
        .courant = p->courant,
        .froude = p->froude,
        .film = p->film,
        .least_slope = p->least_slope,
        .edge_slope = p->edge_slope,
        .arrival = wave_arrival,
        .levels = p->local_steps,
    };
}

static wadi_result wave_fill(wave_state* state)
{
    const inertial_law law = wave_law(&state->params);
    WADI_TRY(wadi_inertial_create(wadi_terrain_context(state->terrain),
                                  wadi_terrain_ground_const(state->terrain), &law, &state->water));
    return wave_find_sources(state);
}

static wadi_result wave_create(wadi_terrain* terrain, const void* params, uint32_t stream,
                               void** out)
{
    wave_state* state;
    (void)stream; // no random numbers
    WADI_ALLOC(wadi_terrain_context(terrain), state, 1, "a flood");
    state->terrain = terrain;
    state->params = *(const wadi_flood_params*)params;
    state->steady[HYDROGRAPH_DISCHARGE] = state->params.discharge;
    const wadi_result result = wave_fill(state);
    if (result != WADI_OK)
    {
        wave_destroy(state);
        return result;
    }
    *out = state;
    return WADI_OK;
}

// ---- time --------------------------------------------------------------------------------

// Write the water to its layer, and book what entered and what left.
static void wave_commit(wave_state* state)
{
    inertial* water = state->water;
    const wadi_ground* ground = wadi_terrain_ground(state->terrain);
    const double volume = water->cell * water->cell / WADI_UNITS_PER_METRE;
    wadi_tally tally = {0};
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        ground->water[c] = ground->valid[c] != 0 ? water->planes.mass[wadi_inertial_at(water, c)]
                                                 : ground->water[c];
    }
    tally.in[WADI_MATERIAL_WATER] = water->in;
    state->in += (double)water->in * volume;
    water->in = 0;
    for (int32_t side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        tally.out[WADI_MATERIAL_WATER][side] = water->left[side];
        state->out += (double)water->left[side] * volume;
        water->left[side] = 0;
    }
    wadi_terrain_book(state->terrain, "flood", &tally);
}

// Does water stand anywhere?
static bool wave_stands(const wadi_ground* ground)
{
    bool stands = false;
    for (int64_t c = 0; c < ground->cells && !stands; ++c)
    {
        stands = ground->valid[c] != 0 && ground->water[c] > 0;
    }
    return stands;
}

// A flood without any water is a mistake. Later its water may have left, so the begin alone is
// looked at: then no cut of time changes the answer.
static wadi_result wave_check_water(const wave_state* state)
{
    WADI_CHECK(wadi_terrain_context(state->terrain),
               state->given > 0.0 || wadi_inertial_awaits(state->water) ||
                   wave_stands(wadi_terrain_ground_const(state->terrain)),
               WADI_ERROR_STATE,
               "nothing brings water to the flood: discharge is %g m3/s, rain %g mm/h for %g h, no "
               "table brings any and none stands on the ground; set rain or discharge above 0, or "
               "give the table hydrograph or inflow",
               state->params.discharge, state->params.rain, state->params.rain_duration);
    return WADI_OK;
}

// Advance the water up to the time given; a step of it may end beyond.
static void wave_run(wave_state* state, bool* stopped)
{
    inertial* water = state->water;
    wadi_context* context = wadi_terrain_context(state->terrain);
    const double given = floor(state->given / wave_tick + 0.5) * wave_tick;
    const double until = fmin(given, state->params.longest * wave_hour);
    water->rests = water->rests && !wadi_inertial_awaits(water);
    while (!water->rests && water->time < until && !*stopped)
    {
        wadi_inertial_step(water);
        *stopped = water->steps % WAVE_QUESTION == 0 &&
                   !wadi_progress_stop(context, water->time / until, "flood");
    }
    water->time = water->rests && water->time < until ? until : water->time;
}

static wadi_result wave_advance(void* user, const wadi_span* span)
{
    wave_state* state = user;
    wadi_context* context = wadi_terrain_context(state->terrain);
    WADI_CHECK(context, wadi_terrain_valid_count(state->terrain) > 0, WADI_ERROR_STATE,
               "there is no ground for a flood to run over: all cells are without data");
    WADI_TRY(wave_place_sources(state));
    WADI_TRY(wave_check_water(state));
    WADI_TRY(wadi_inertial_follow(state->water, wadi_terrain_ground_const(state->terrain),
                                  state->rough));
    const double seconds = span->years * wave_year;
    bool stopped = false;
    state->given += seconds - state->taken;
    wave_run(state, &stopped);
    wave_commit(state);
    state->taken = stopped ? seconds : 0.0;
    WADI_CHECK(context, !stopped, WADI_ERROR_CANCELLED, "the flood was stopped on its way");
    return WADI_OK;
}

static double wave_step(const void* user)
{
    return ((const wave_state*)user)->params.step;
}

static bool wave_unfinished(const void* user)
{
    return ((const wave_state*)user)->taken > 0.0;
}

// ---- maps and reports --------------------------------------------------------------------

static float wave_map_at(const wave_state* state, int32_t index, int64_t cell)
{
    const inertial* water = state->water;
    const inertial_planes* p = &water->planes;
    const ptrdiff_t i = wadi_inertial_at(water, cell);
    const float metre = 1.0f / WADI_UNITS_PER_METRE;
    switch (index)
    {
    case FLOOD_MAP_DEPTH:
        return (float)wadi_terrain_ground_const(state->terrain)->water[cell] * metre;
    case FLOOD_MAP_PEAK_DEPTH:
        return p->depth[i] * metre;
    case FLOOD_MAP_PEAK_SPEED:
        return sqrtf(p->fast[i]);
    case FLOOD_MAP_HAZARD:
        return p->hazard[i];
    case FLOOD_MAP_ARRIVAL:
        return isinf(p->dawn[i]) ? -1.0f : p->dawn[i];
    default:
        return p->duration[i];
    }
}

static wadi_result wave_map(void* user, int32_t index, float* out)
{
    const wave_state* state = user;
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        out[c] = ground->valid[c] != 0 ? wave_map_at(state, index, c) : NAN;
    }
    return WADI_OK;
}

static wadi_result wave_set_map(void* user, int32_t index, const float* values)
{
    wave_state* state = user;
    (void)index; // roughness is the only input
    wadi_context* context = wadi_terrain_context(state->terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        WADI_CHECK(context, isnan(values[c]) || (values[c] >= 0.0f && values[c] <= 1.0f),
                   WADI_ERROR_RANGE,
                   "the map of roughness is %g at cell (%d, %d), expected 0 to 1 s/m^(1/3)",
                   (double)values[c], (int)(c % ground->width), (int)(c / ground->width));
    }
    if (state->rough == NULL)
    {
        WADI_ALLOC(context, state->rough, ground->cells, "a map of roughness");
    }
    memcpy(state->rough, values, (size_t)ground->cells * sizeof *values);
    return WADI_OK;
}

static int32_t wave_work(const void* user, wadi_work* rows)
{
    const wave_state* state = user;
    rows[0] = (wadi_work){"cell_steps", (double)state->water->cell_steps};
    rows[1] = (wadi_work){"steps", (double)state->water->steps};
    return 2;
}

static int32_t wave_figures(const void* user, wadi_figure* rows)
{
    const wave_state* state = user;
    const inertial* water = state->water;
    const wadi_ground* ground = wadi_terrain_ground_const(state->terrain);
    double flooded = 0.0;
    float deepest = 0.0f;
    float fastest = 0.0f;
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        const ptrdiff_t i = wadi_inertial_at(water, c);
        flooded += isinf(water->planes.dawn[i]) ? 0.0 : 1.0;
        deepest = fmaxf(deepest, water->planes.depth[i]);
        fastest = fmaxf(fastest, water->planes.fast[i]);
    }
    const wadi_figure all[] = {
        wadi_figure_of("time", water->time / wave_hour),
        wadi_figure_of("inflow", state->in),
        wadi_figure_of("outflow", state->out),
        wadi_figure_of("flooded", flooded * water->cell * water->cell),
        wadi_figure_of("deepest", (double)deepest / WADI_UNITS_PER_METRE),
        wadi_figure_of("fastest", sqrt((double)fastest)),
    };
    memcpy(rows, all, sizeof all);
    return WADI_COUNT(all);
}

static wadi_result wave_archive(void* user, wadi_archive* archive)
{
    wave_state* state = user;
    for (int32_t k = 0; k < state->source_count; ++k)
    {
        wadi_archive_i64(archive, &state->sources[k].owed, 1);
    }
    double* values[] = {&state->given, &state->taken, &state->in, &state->out};
    for (int32_t k = 0; k < WADI_COUNT(values); ++k)
    {
        wadi_archive_f64(archive, values[k], 1);
    }
    return wadi_inertial_archive(state->water, archive);
}

const wadi_model_api wadi_flood_inertial_api = {
    .create = wave_create,
    .step = wave_step,
    .advance = wave_advance,
    .unfinished = wave_unfinished,
    .destroy = wave_destroy,
    .map = wave_map,
    .set_map = wave_set_map,
    .set_table = wave_set_table,
    .work = wave_work,
    .figures = wave_figures,
    .archive = wave_archive,
};
