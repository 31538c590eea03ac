// SPDX-License-Identifier: MIT
// Life, steps, maps and books of the model "streams".
#include "processes/hydraulic/streams.h"
#include "core/dmath.h"
#include "laws/slopes/talus.h"
#include "process/figure_row.h"
#include "terrain/sea.h"

#include <wadi/archive.h>

#include <math.h>
#include <string.h>

// A river that enters the map may be rain on its first cells: 13 m3/s on a cell of 2 m.
static const float STREAMS_MOST_RAIN = 1e8f;

// Reference width W0 [m] (streams_solve.c).
#define STREAMS_WIDTH 30.0

// ---- life --------------------------------------------------------------------------------

static void streams_destroy(void* user)
{
    streams* s = user;
    void* const arrays[] = {
        s->surface,   s->spill,   s->top,     s->rim,   s->outline, s->inside, s->wet,   s->to,
        s->ways,      s->share,   s->waits,   s->order, s->donor,   s->water,  s->drop,  s->room,
        s->load,      s->remains, s->scratch, s->soft,  s->rain,    s->wear,   s->units, s->held,
        s->discharge, s->deposit, s->tallies, s->bed,   s->bands,   s->inbox,  s->rows,  s->ones,
        s->bases,     s->carrier, s->front,   s->falls, s->landed,  s->ring,   s->pages, s->shores,
    };
    wadi_flow_flood_destroy(s->flood);
    wadi_streams_supply_free(s);
    wadi_streams_lakes_free(s);
    wadi_streams_plains_free(s);
    wadi_streams_banks_free(s);
    wadi_streams_walls_free(s);
    for (size_t i = 0; i < WADI_COUNT(arrays); ++i)
    {
        wadi_free(s->context, arrays[i]);
    }
    wadi_free(s->context, s);
}

static wadi_result streams_allocate_routes(streams* s)
{
    uint8_t** const bytes[] = {&s->rim, &s->outline, &s->inside, &s->wet,
                               &s->to,  &s->ways,    &s->waits,  &s->donor};
    int32_t** const words[] = {&s->order, &s->drop, &s->bed, &s->wear, &s->deposit, &s->landed};
    float** const floats[] = {&s->share, &s->discharge, &s->carrier};
    for (size_t i = 0; i < WADI_COUNT(bytes); ++i)
    {
        WADI_ALLOC(s->context, *bytes[i], s->cells, "streams");
    }
    for (size_t i = 0; i < WADI_COUNT(words); ++i)
    {
        WADI_ALLOC(s->context, *words[i], s->cells, "streams");
    }
    for (size_t i = 0; i < WADI_COUNT(floats); ++i)
    {
        WADI_ALLOC(s->context, *floats[i], s->cells, "streams");
    }
    return WADI_OK;
}

// Work of creep, then of the flood, then of the solution.
static wadi_result streams_allocate_room(streams* s)
{
    const size_t flood = wadi_flow_flood_room(s->width, s->height);
    const size_t nodes = (size_t)s->cells * sizeof *s->node;
    const size_t bytes = flood > nodes ? flood : nodes;
    WADI_ALLOC(s->context, s->node, bytes / sizeof *s->node + 1, "streams");
    s->room = s->node;
    s->along = s->room;
    s->across = s->along + s->cells;
    s->spare = s->across + s->cells;
    s->ease = (float*)(s->spare + s->cells);
    return WADI_OK;
}

// Names of arrays in the place of others that are done with by then (streams.h).
static void streams_share_arrays(streams* s)
{
    s->kind = s->ways;
    s->fixed = s->waits;
    s->pace = s->share;
    s->outlets = (uint32_t*)(void*)s->share;
    s->settle = s->carrier;
    s->change = (int32_t*)(void*)s->carrier;
}

static wadi_result streams_allocate(streams* s)
{
    const int64_t padded = (int64_t)s->stride * (s->height + 2);
    const int64_t workers = wadi_context_workers(s->context);
    WADI_ALLOC(s->context, s->surface, padded, "heights");
    WADI_ALLOC(s->context, s->spill, padded, "levels of water");
    WADI_ALLOC(s->context, s->water, s->cells, "discharge");
    WADI_ALLOC(s->context, s->load, s->cells, "loads");
    WADI_ALLOC(s->context, s->tallies, workers, "books");
    WADI_ALLOC(s->context, s->ones, s->width, "streams");
    WADI_ALLOC(s->context, s->front, STREAM_FRONT, "fronts of deltas");
    WADI_ALLOC(s->context, s->falls, STREAM_FALLS, "fronts of deltas");
    WADI_ALLOC(s->context, s->rows, s->height, "rain");
    WADI_ALLOC(s->context, s->ring, 2 * ((int64_t)s->width + s->height), "base levels");
    const int64_t lines = workers * CREEP_LANES * s->longest;
    WADI_ALLOC(s->context, s->scratch, STREAM_SCRATCH * lines, "lines");
    WADI_ALLOC(s->context, s->units, lines, "lines");
    WADI_ALLOC(s->context, s->held, lines, "lines");
    WADI_TRY(wadi_streams_walls_create(s));
    WADI_TRY(streams_allocate_room(s));
    WADI_TRY(streams_allocate_routes(s));
    streams_share_arrays(s);
    return WADI_OK;
}

// Is all rock of hardness 0?
static bool streams_is_plain(const streams* s)
{
    const wadi_ground* ground = s->ground;
    const uint16_t* hardness = ground->hardness;
    const stream_array arrays[] = {{hardness, sizeof *hardness, STREAM_AT}, {NULL, 0, STREAM_AT}};
    uint32_t hard = ground->strata != NULL || ground->rock_softness != 1.0 ? 1 : 0;
    for (int32_t y = 0; y < s->height && hard == 0; ++y)
    {
        wadi_streams_ahead(s, arrays, y);
        const uint16_t* row = hardness + (int64_t)y * s->width;
        for (int32_t x = 0; x < s->width; ++x)
        {
            hard |= row[x];
        }
    }
    return hard == 0;
}

static wadi_result streams_init(streams* s)
{
    WADI_TRY(streams_allocate(s));
    WADI_TRY(wadi_streams_cut_bands(s));
    for (int32_t x = 0; x < s->width; ++x)
    {
        s->ones[x] = 1.0f;
    }
    wadi_streams_outline(s);
    const wadi_flow_flood_def def = {
        .context = s->context,
        .width = s->width,
        .height = s->height,
        .wraps_x = s->ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC,
        .wraps_y = s->ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC,
        .valid = s->ground->valid,
        .room = s->room,
    };
    WADI_TRY(wadi_flow_flood_create(&def, &s->flood));
    return s->params.plains ? wadi_streams_plains_create(s) : WADI_OK;
}

static void streams_find_offsets(streams* s)
{
    for (int32_t d = 0; d < 8; ++d)
    {
        s->step[d] = (ptrdiff_t)stream_dy[d] * s->stride + stream_dx[d];
        s->move[d] = (int64_t)stream_dy[d] * s->width + stream_dx[d];
    }
}

static wadi_result streams_create(wadi_terrain* terrain, const void* params, uint32_t stream,
                                  void** out)
{
    wadi_context* context = wadi_terrain_context(terrain);
    streams* s;
    WADI_ALLOC(context, s, 1, "streams");
    s->terrain = terrain;
    s->context = context;
    s->ground = wadi_terrain_ground(terrain);
    s->params = *(const wadi_hydraulic_params*)params;
    s->stream = stream;
    s->width = s->ground->width;
    s->height = s->ground->height;
    s->stride = s->width + 2;
    s->cells = s->ground->cells;
    s->cell = s->ground->cell_size;
    s->longest = s->width > s->height ? s->width : s->height;
    s->mean_rain = s->params.rain;
    s->supply.factor = 1.0;
    streams_find_offsets(s);
    const wadi_result result = streams_init(s);
    if (result != WADI_OK)
    {
        streams_destroy(s);
        return result;
    }
    *out = s;
    return WADI_OK;
}

// ---- a step ------------------------------------------------------------------------------

static double streams_step(const void* user)
{
    return ((const streams*)user)->params.max_step;
}

// A root for each cell of a front would take half of its time.
static void streams_set_falls(streams* s)
{
    if (s->falls[1] == s->rates.rest)
    {
        return;
    }
    for (int32_t far = 0; far < STREAM_FALLS; ++far)
    {
        s->falls[far] = s->rates.rest * sqrt((double)far);
    }
}

static void streams_set_rates(streams* s, double years)
{
    const wadi_hydraulic_params* p = &s->params;
    const double width = p->floor_width / s->cell;
    // settling velocities are multiples of the rain, also where only rivers bring water
    const double given = s->mean_rain > 0.0 ? s->mean_rain : p->rain;
    const double rain = given > 0.0 ? given : 1.0;
    const double fall = wadi_talus_tangent(p->lake_repose) * s->cell * WADI_UNITS_PER_METRE;
    s->rates = (stream_rates){
        .years = years,
        .wear = p->erodibility * STREAMS_WIDTH * years / (s->cell * s->cell),
        .exponent = (float)(p->discharge_exponent - 1.0),
        .head = (float)p->channel_head,
        .own = (float)(STREAM_OWN * s->mean_rain * s->supply.factor * s->cell * s->cell),
        .fall = p->settling * rain,
        .lake_fall = p->lake_settling * rain,
        .rest = fmin(fall, 5e8),
        .floor = width > 1.0 ? fmin(1.0, 0.5 * (width - 1.0)) : 0.0,
        .water = 1.0f / STREAM_WATER,
    };
    streams_set_falls(s);
    if (p->river_width > 0.0)
    {
        const double root = s->cell / p->river_width;
        s->rates.wide = root * root * STREAM_SECONDS;
        s->rates.river = (float)(p->river_width / (s->cell * sqrt(STREAM_SECONDS)));
    }
}

// Water leaves over the outlets as it came, so its books are those of the outlets.
static void streams_count_row(const streams* s, int32_t y)
{
    stream_row* row = &s->rows[y];
    memset(row->out, 0, sizeof row->out);
    row->ended = 0;
    const uint8_t* first = s->to + (int64_t)y * s->width;
    const uint8_t* end = first + s->width;
    const uint8_t* at = first;
    while ((at = memchr(at, STREAM_STAYS, (size_t)(end - at))) != NULL)
    {
        const int64_t c = at - s->to;
        const bool open = s->rim[c] != 0 && s->rim[c] < STREAM_PLAYA;
        const bool ends = s->rim[c] != STREAM_VOID;
        *(open ? &row->out[s->rim[c] - 1] : &row->ended) += ends ? s->water[c] : 0;
        at += 1;
    }
}

// Lakes stand in the layer of water.
static void streams_write_lakes(const streams* s, int32_t y, wadi_tally* tally)
{
    const int64_t first = (int64_t)y * s->width;
    stream_lakes_row row = {
        .count = s->width,
        .rim = s->rim + first,
        .sea = STREAM_SEA,
        .wet = s->wet + first,
        .drop = s->drop + first,
        .water = s->ground->water + first,
    };
    stream_kernels_of(wadi_isa_best())->lakes(&row);
    tally->in[WADI_MATERIAL_WATER] += row.risen;
    tally->lost[WADI_MATERIAL_WATER] += row.fallen;
}

static void streams_close_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const streams* s = user;
    for (int32_t y = begin; y < end; ++y)
    {
        streams_count_row(s, y);
        streams_write_lakes(s, y, &s->tallies[worker]);
    }
}

static void streams_close_all(streams* s)
{
    int32_t* depth = s->ground->water;
    const stream_array arrays[] = {
        {s->to, 1, STREAM_AT},
        {s->rim, 1, STREAM_AT},
        {s->wet, 1, STREAM_AT},
        {s->drop, sizeof *s->drop, STREAM_AT},
        {depth, sizeof *depth, STREAM_AT},
        {NULL, 0, STREAM_AT},
    };
    wadi_streams_pass(s, arrays, STREAM_ROWS, streams_close_rows, s);
}

static void streams_book_water(streams* s)
{
    const double scale = s->rates.years / STREAM_WATER / (s->cell * s->cell) * WADI_UNITS_PER_METRE;
    stream_row all = {0};
    for (int32_t y = 0; y < s->height; ++y)
    {
        for (int side = 0; side < WADI_SIDE_COUNT; ++side)
        {
            all.out[side] += s->rows[y].out[side];
        }
        all.ended += s->rows[y].ended;
    }
    const int64_t closed = wadi_streams_evaporated(s);
    wadi_tally* tally = &s->tally;
    int64_t outflow = all.ended;
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        outflow += all.out[side];
        const int64_t left = (int64_t)((double)all.out[side] * scale);
        tally->out[WADI_MATERIAL_WATER][side] += left;
        tally->in[WADI_MATERIAL_WATER] += left;
    }
    // what lakes that spill have lost to the air is missing at the ends
    const double open =
        s->params.lake_evaporation > 0.0 ? wadi_streams_gain(s) - (double)outflow : 0.0;
    const int64_t lost = (int64_t)(((double)all.ended + open) * scale);
    tally->lost[WADI_MATERIAL_WATER] += lost;
    tally->in[WADI_MATERIAL_WATER] += lost;
    s->supply.outflow_sum += (double)(outflow - closed) / STREAM_WATER * s->rates.years;
    s->supply.evaporated_sum += ((double)closed + open) / STREAM_WATER * s->rates.years;
}

static void streams_close(streams* s)
{
    for (int32_t w = 0; w < wadi_context_workers(s->context); ++w)
    {
        wadi_tally_add(&s->tally, &s->tallies[w]);
        s->tallies[w] = (wadi_tally){0};
    }
    wadi_terrain_book(s->terrain, "hydraulic", &s->tally);
    s->tally = (wadi_tally){0};
    s->visits += (double)s->count;
}

// A step that fails lays down what has crept into streams; rivers have brought nothing yet.
static void streams_drop_loads(streams* s)
{
    for (int64_t c = 0; c < s->cells; ++c)
    {
        wadi_ground_put(s->ground, c, (int32_t)s->load[c], &s->tally);
        s->load[c] = 0;
    }
}

// Routes of water, plains and banks: the part of a step that may run out of memory.
static wadi_result streams_find_ways(streams* s)
{
    wadi_stage(s->context, "routes");
    WADI_TRY(wadi_streams_routes(s));
    if (s->plains != NULL)
    {
        wadi_stage(s->context, "plains");
        WADI_TRY(wadi_streams_plains_begin(s));
    }
    wadi_stage(s->context, "banks");
    return wadi_streams_find_banks(s);
}

// Wear and deposits.
static void streams_move(streams* s)
{
    if (s->plains != NULL)
    {
        wadi_stage(s->context, "plains");
        wadi_streams_plains_bring(s);
    }
    wadi_stage(s->context, "rates");
    wadi_streams_solve(s);
    wadi_streams_apply(s);
    if (s->plains != NULL)
    {
        wadi_stage(s->context, "plains");
        wadi_streams_plains_flood(s);
    }
    wadi_stage(s->context, "books");
    streams_close_all(s);
    streams_book_water(s);
}

static wadi_result streams_advance(void* user, const wadi_span* span)
{
    streams* s = user;
    s->step_index = span->index;
    if (s->years <= 0.0)
    {
        wadi_terrain_note_drowned(s->terrain, "hydraulic", span->from);
    }
    if (!s->ground->all_valid && wadi_terrain_valid_count(s->terrain) == 0)
    {
        s->years += span->years;
        return WADI_OK;
    }
    WADI_TRY(wadi_streams_read_guests(s));
    wadi_stage(s->context, "read");
    s->plain = streams_is_plain(s);
    if (!s->plain && s->soft == NULL)
    {
        WADI_ALLOC(s->context, s->soft, s->cells, "hardness");
    }
    wadi_streams_read_climate(s, span);
    streams_set_rates(s, span->years);
    WADI_TRY(wadi_streams_read(s, span->from + 0.5 * span->years));
    WADI_TRY(wadi_streams_read_inflow(s, span));
    if (s->params.orographic > 0.0)
    {
        wadi_stage(s->context, "showers");
    }
    WADI_TRY(wadi_streams_read_showers(s));
    s->years += span->years;
    s->at_once = !s->plain || s->at_bottom;
    // dunes have a stage "creep" too, which is not one of passes that say what they read
    wadi_stage(s->context, s->pages != NULL ? "lines" : "creep");
    wadi_streams_creep(s);
    const wadi_result result = streams_find_ways(s);
    if (result == WADI_OK)
    {
        wadi_streams_bring_load(s, span);
        streams_move(s);
    }
    else
    {
        streams_drop_loads(s);
    }
    streams_close(s);
    wadi_stage(s->context, NULL);
    return result;
}

// ---- matter in transit -------------------------------------------------------------------

static void streams_held(const void* user, int64_t held[WADI_MAX_MATERIALS])
{
    const streams* s = user;
    held[WADI_MATERIAL_SEDIMENT] = s->plains != NULL ? wadi_streams_plains_held(s) : 0;
}

static void streams_settle(void* user)
{
    streams* s = user;
    if (s->plains != NULL)
    {
        wadi_streams_plains_settle(s);
    }
}

// ---- maps and figures --------------------------------------------------------------------

static wadi_result streams_set_map(void* user, int32_t index, const float* rain)
{
    streams* s = user;
    (void)index; // the rain map is the only input map of the model
    for (int64_t c = 0; c < s->cells; ++c)
    {
        const bool sound =
            s->ground->valid[c] == 0 || (rain[c] >= 0.0f && rain[c] <= STREAMS_MOST_RAIN);
        WADI_CHECK(s->context, sound, WADI_ERROR_RANGE,
                   "rain at column %d, row %d is %g m/yr but must lie in [0, 1e8]",
                   (int32_t)(c % s->width), (int32_t)(c / s->width), (double)rain[c]);
    }
    if (s->rain == NULL)
    {
        WADI_ALLOC(s->context, s->rain, s->cells, "the rain map");
    }
    for (int64_t c = 0; c < s->cells; ++c)
    {
        s->rain[c] = s->ground->valid[c] != 0 ? rain[c] : 0.0f;
    }
    return WADI_OK;
}

static float streams_map_value(const streams* s, int32_t map, int64_t c)
{
    switch (map)
    {
    case HYDRAULIC_MAP_FLOW:
        return s->mean_rain * s->supply.factor > 0.0
                   ? s->discharge[c] / (float)(s->mean_rain * s->supply.factor)
                   : 0.0f;
    case HYDRAULIC_MAP_RAINFALL:
        return (s->supply.showers != NULL ? s->supply.showers[c]
                : s->rain != NULL         ? s->rain[c]
                                          : (float)s->params.rain) *
               (float)s->supply.factor;
    case HYDRAULIC_MAP_DISCHARGE:
        return s->discharge[c] / (float)STREAM_SECONDS;
    case HYDRAULIC_MAP_VELOCITY:
        return wadi_hydraulic_velocity(s->ground, c, s->discharge[c] / (float)STREAM_SECONDS);
    case HYDRAULIC_MAP_RIVER_WIDTH:
        return s->ground->water[c] > 0 ? 0.0f : (float)wadi_streams_width(s, c);
    case HYDRAULIC_MAP_WEAR:
        return (float)s->wear[c] / WADI_UNITS_PER_METRE;
    case HYDRAULIC_MAP_DEPOSIT:
        return (float)s->deposit[c] / WADI_UNITS_PER_METRE;
    case HYDRAULIC_MAP_FLOOD_DEPTH:
    case HYDRAULIC_MAP_COARSE:
    case HYDRAULIC_MAP_FLOOD_FLOW:
    case HYDRAULIC_MAP_PLAINS:
        return wadi_streams_plains_map(s, map, c);
    default:
        return (float)s->ground->water[c] / WADI_UNITS_PER_METRE;
    }
}

static wadi_result streams_map(void* user, int32_t index, float* out)
{
    const streams* s = user;
    for (int64_t c = 0; c < s->cells; ++c)
    {
        out[c] = s->ground->valid[c] != 0 ? streams_map_value(s, index, c) : NAN;
    }
    return WADI_OK;
}

static int32_t streams_work(const void* user, wadi_work* rows)
{
    rows[0] = (wadi_work){"cells", ((const streams*)user)->visits};
    rows[1] = (wadi_work){"slides", ((const streams*)user)->slides};
    const stream_plains* plains = ((const streams*)user)->plains;
    if (plains == NULL)
    {
        return 2;
    }
    rows[2] = (wadi_work){"rounds", (double)plains->floods->rounds};
    rows[3] = (wadi_work){"moves", plains->floods->moves};
    return 4;
}

static int32_t streams_figures(const void* user, wadi_figure* rows)
{
    const streams* s = user;
    const stream_supply* supply = &s->supply;
    const int32_t count = wadi_hydraulic_figures(s->terrain, s->years, rows);
    const wadi_figure water[] = {
        wadi_figure_of("rain", supply->rain_sum),
        wadi_figure_of("inflow", supply->inflow_sum),
        wadi_figure_of("outflow", supply->outflow_sum),
        wadi_figure_of("evaporation", supply->evaporated_sum),
    };
    memcpy(rows + count, water, sizeof water);
    return count + WADI_COUNT(water);
}

// Water that rivers and rain of a saved state may have [m3/yr, m/yr]; a step begins with them.
static const double streams_most_water = 1e30;

static bool streams_is_water(double value)
{
    return value >= 0.0 && value <= streams_most_water;
}

static wadi_result streams_check_saved(const streams* s)
{
    bool sound = streams_is_water(s->mean_rain) && streams_is_water(s->supply.factor);
    for (int64_t c = 0; c < s->cells && sound; ++c)
    {
        sound = streams_is_water((double)s->discharge[c]);
    }
    WADI_CHECK(s->context, sound, WADI_ERROR_FORMAT,
               "the saved discharge of streams is out of range");
    return wadi_hydraulic_check_sums(s->terrain, s->wear, s->deposit);
}

static wadi_result streams_archive(void* user, wadi_archive* archive)
{
    streams* s = user;
    void* const maps[] = {s->discharge, s->wear, s->deposit};
    for (size_t i = 0; i < WADI_COUNT(maps); ++i)
    {
        wadi_archive_grid(archive, maps[i], 4, s->width, s->height);
    }
    wadi_archive_f64(archive, &s->years, 1);
    wadi_archive_f64(archive, &s->mean_rain, 1);
    wadi_archive_f64(archive, &s->visits, 1);
    wadi_archive_f64(archive, &s->slides, 1);
    WADI_TRY(wadi_streams_supply_archive(s, archive));
    WADI_TRY(wadi_archive_is_reading(archive) ? streams_check_saved(s) : WADI_OK);
    return s->plains != NULL ? wadi_streams_plains_archive(s, archive) : WADI_OK;
}

const wadi_model_api wadi_streams_api = {
    .create = streams_create,
    .step = streams_step,
    .advance = streams_advance,
    .settle = streams_settle,
    .held = streams_held,
    .destroy = streams_destroy,
    .map = streams_map,
    .set_map = streams_set_map,
    .set_table = wadi_streams_set_table,
    .work = streams_work,
    .figures = streams_figures,
    .archive = streams_archive,
};
