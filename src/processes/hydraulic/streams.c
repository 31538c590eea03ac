// SPDX-License-Identifier: MIT
// Life, steps, maps and books of the model "streams".
#include "processes/hydraulic/streams.h"
#include "core/dmath.h"

#include <wadi/archive.h>

#include <math.h>
#include <string.h>

#define STREAMS_SECONDS_PER_YEAR 31557600.0

// A river that enters the map may be rain on its first cells: 13 m3/s on a cell of 2 m.
static const float STREAMS_MOST_RAIN = 1e8f;

// Reference width W0 [m] (streams_solve.c).
#define STREAMS_WIDTH 30.0

// ---- life --------------------------------------------------------------------------------

static void streams_destroy(void* user)
{
    streams* s = user;
    void* const arrays[] = {
        s->surface, s->spill,   s->top,     s->rim,   s->outline, s->inside, s->wet,
        s->to,      s->ways,    s->share,   s->waits, s->starts,  s->order,  s->donor,
        s->water,   s->pace,    s->settle,  s->drop,  s->node,    s->load,   s->change,
        s->flux,    s->fixed,   s->scratch, s->soft,  s->outlets, s->rain,   s->discharge,
        s->wear,    s->deposit, s->tallies,
    };
    wadi_flow_flood_destroy(s->flood);
    for (size_t i = 0; i < WADI_COUNT(arrays); ++i)
    {
        wadi_free(s->context, arrays[i]);
    }
    wadi_free(s->context, s);
}

static wadi_result streams_allocate_routes(streams* s)
{
    uint8_t** const bytes[] = {&s->rim,  &s->outline, &s->inside, &s->wet,  &s->to,
                               &s->ways, &s->waits,   &s->starts, &s->fixed};
    int32_t** const words[] = {&s->order, &s->donor, &s->drop,   &s->change,
                               &s->flux,  &s->wear,  &s->deposit};
    float** const floats[] = {&s->share, &s->pace, &s->settle, &s->discharge};
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

static wadi_result streams_allocate(streams* s)
{
    const int64_t padded = (int64_t)s->stride * (s->height + 2);
    const int64_t workers = wadi_context_workers(s->context);
    WADI_ALLOC(s->context, s->surface, padded, "heights");
    WADI_ALLOC(s->context, s->spill, padded, "levels of water");
    WADI_ALLOC(s->context, s->water, s->cells, "discharge");
    WADI_ALLOC(s->context, s->node, s->cells, "streams");
    WADI_ALLOC(s->context, s->load, s->cells, "loads");
    WADI_ALLOC(s->context, s->outlets, s->cells, "outlets");
    WADI_ALLOC(s->context, s->tallies, workers, "books");
    WADI_ALLOC(s->context, s->scratch, workers * STREAM_SCRATCH * s->longest, "lines");
    return streams_allocate_routes(s);
}

// Is any rock harder than 0?
static bool streams_is_plain(const wadi_ground* ground)
{
    bool plain = ground->strata == NULL && ground->rock_softness == 1.0;
    for (int64_t c = 0; c < ground->cells && plain; ++c)
    {
        plain = ground->hardness[c] == 0;
    }
    return plain;
}

static wadi_result streams_init(streams* s)
{
    WADI_TRY(streams_allocate(s));
    wadi_streams_outline(s);
    const wadi_flow_flood_def def = {
        .context = s->context,
        .width = s->width,
        .height = s->height,
        .wraps_x = s->ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC,
        .wraps_y = s->ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC,
        .valid = s->ground->valid,
    };
    return wadi_flow_flood_create(&def, &s->flood);
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

static void streams_set_rates(streams* s, double years)
{
    const wadi_hydraulic_params* p = &s->params;
    const double width = p->floor_width / s->cell;
    const double rain = s->mean_rain > 0.0 ? s->mean_rain : p->rain;
    s->rates = (stream_rates){
        .years = years,
        .wear = p->erodibility * STREAMS_WIDTH * years / (s->cell * s->cell),
        .exponent = (float)(p->discharge_exponent - 1.0),
        .head = (float)p->channel_head,
        .fall = p->settling * rain,
        .lake_fall = p->lake_settling * rain,
        .floor = width > 1.0 ? fmin(1.0, 0.5 * (width - 1.0)) : 0.0,
        .water = 1.0f / STREAM_WATER,
    };
}

// Water leaves over the outlets as it came, so its books are those of the outlets.
static void streams_book_water(streams* s)
{
    const double scale = s->rates.years / STREAM_WATER / (s->cell * s->cell) * WADI_UNITS_PER_METRE;
    int64_t out[WADI_SIDE_COUNT] = {0};
    int64_t ended = 0; // in the sea, or in the lowest place of a closed land
    for (int64_t c = 0; c < s->cells; ++c)
    {
        if (s->to[c] == STREAM_STAYS && s->rim[c] != STREAM_VOID)
        {
            int64_t* where =
                s->rim[c] != 0 && s->rim[c] < STREAM_SEA ? &out[s->rim[c] - 1] : &ended;
            *where += s->water[c];
        }
    }
    wadi_tally* tally = &s->tally;
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        const int64_t left = (int64_t)((double)out[side] * scale);
        tally->out[WADI_MATERIAL_WATER][side] += left;
        tally->in[WADI_MATERIAL_WATER] += left;
    }
    const int64_t lost = (int64_t)((double)ended * scale);
    tally->lost[WADI_MATERIAL_WATER] += lost;
    tally->in[WADI_MATERIAL_WATER] += lost;
}

// Lakes stand in the layer of water.
static void streams_write_lakes(streams* s)
{
    for (int32_t y = 0; y < s->height; ++y)
    {
        for (int32_t x = 0; x < s->width; ++x)
        {
            const int64_t c = (int64_t)y * s->width + x;
            const int64_t padded = stream_padded(s, x, y);
            const int32_t depth = s->rim[c] < STREAM_SEA && s->wet[c] != 0
                                      ? s->spill[padded] - s->surface[padded]
                                      : 0;
            const int32_t held = depth > 0 ? depth : 0;
            const int32_t change = held - s->ground->water[c];
            s->tally.in[WADI_MATERIAL_WATER] += change > 0 ? change : 0;
            s->tally.lost[WADI_MATERIAL_WATER] -= change < 0 ? change : 0;
            s->ground->water[c] = held;
        }
    }
}

static void streams_close(streams* s)
{
    for (int32_t w = 0; w < wadi_context_workers(s->context); ++w)
    {
        wadi_tally_add(&s->tally, &s->tallies[w]);
        s->tallies[w] = (wadi_tally){0};
    }
    for (int64_t c = 0; c < s->cells; ++c)
    {
        s->discharge[c] = (float)s->water[c] * s->rates.water;
    }
    streams_book_water(s);
    streams_write_lakes(s);
    wadi_terrain_book(s->terrain, "hydraulic", &s->tally);
    s->tally = (wadi_tally){0};
    s->visits += (double)s->count;
}

// A step that fails lays down what has crept into streams.
static void streams_drop_loads(streams* s)
{
    for (int64_t c = 0; c < s->cells; ++c)
    {
        wadi_ground_put(s->ground, c, (int32_t)s->load[c], &s->tally);
        s->load[c] = 0;
    }
}

static wadi_result streams_advance(void* user, const wadi_span* span)
{
    streams* s = user;
    s->step_index = span->index;
    s->years += span->years;
    if (wadi_terrain_valid_count(s->terrain) == 0)
    {
        return WADI_OK;
    }
    s->plain = streams_is_plain(s->ground);
    if (!s->plain && s->soft == NULL)
    {
        WADI_ALLOC(s->context, s->soft, s->cells, "hardness");
    }
    streams_set_rates(s, span->years);
    WADI_TRY(wadi_streams_read(s, span->from + 0.5 * span->years));
    wadi_stage(s->context, "creep");
    wadi_streams_creep(s);
    wadi_stage(s->context, "routes");
    const wadi_result result = wadi_streams_routes(s);
    if (result == WADI_OK)
    {
        wadi_stage(s->context, "solve");
        wadi_streams_solve(s);
        wadi_stage(s->context, "apply");
        wadi_streams_apply(s);
    }
    else
    {
        streams_drop_loads(s);
    }
    wadi_stage(s->context, NULL);
    streams_close(s);
    return result;
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
        return s->mean_rain > 0.0 ? s->discharge[c] / (float)s->mean_rain : 0.0f;
    case HYDRAULIC_MAP_DISCHARGE:
        return s->discharge[c] / (float)STREAMS_SECONDS_PER_YEAR;
    case HYDRAULIC_MAP_VELOCITY:
        return wadi_hydraulic_velocity(s->ground, c,
                                       s->discharge[c] / (float)STREAMS_SECONDS_PER_YEAR);
    case HYDRAULIC_MAP_WEAR:
        return (float)s->wear[c] / WADI_UNITS_PER_METRE;
    case HYDRAULIC_MAP_DEPOSIT:
        return (float)s->deposit[c] / WADI_UNITS_PER_METRE;
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
    return 1;
}

static int32_t streams_figures(const void* user, wadi_figure* rows)
{
    const streams* s = user;
    return wadi_hydraulic_figures(s->terrain, s->years, rows);
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
    return wadi_archive_result(archive);
}

const wadi_model_api wadi_streams_api = {
    .create = streams_create,
    .step = streams_step,
    .advance = streams_advance,
    .destroy = streams_destroy,
    .map = streams_map,
    .set_map = streams_set_map,
    .work = streams_work,
    .figures = streams_figures,
    .archive = streams_archive,
};
