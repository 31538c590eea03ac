// SPDX-License-Identifier: MIT
// Routes of one step. Water leaves a cell for one or two neighbours, by the steepest of eight
// facets of the flooded surface (D-infinity: Tarboton 1997): between the two directions of the
// facet it is divided so that its mean direction is that of the gradient. Matter follows one of
// them, drawn with the same shares.
#include "core/random.h"
#include "processes/hydraulic/streams.h"
#include "processes/hydraulic/streams_facets.h"

#include <string.h>

// ---- receivers ---------------------------------------------------------------------------

// A cell at an open edge drains inwards or over the edge, never along it: that draws lines.
static bool stream_is_along_rim(const streams* s, int64_t cell, int32_t direction)
{
    const int64_t n = stream_neighbour(s, cell, direction);
    return n >= 0 && s->rim[n] != 0;
}

static stream_facet stream_steepest(const streams* s, int64_t cell, int64_t padded)
{
    const int32_t here = s->spill[padded];
    const bool rim = s->rim[cell] != 0;
    float fall[8];
    for (int32_t d = 0; d < 8; ++d)
    {
        const int32_t there = s->spill[padded + s->step[d]];
        const bool closed = there == FLOW_WALL || (rim && stream_is_along_rim(s, cell, d));
        fall[d] = closed ? -1e9f : (float)(here - there);
    }
    stream_facet best = {STREAM_STAYS, STREAM_STAYS, 0.0f, 0.0f, 0.0f};
    for (int32_t d = 0; d < 8; d += 2)
    {
        const int32_t other = (d + 7) & 7;
        stream_try_facet(d, d + 1, fall[d], fall[d + 1], &best);
        stream_try_facet(d, other, fall[d], fall[other], &best);
    }
    return best;
}

// On a lake any lower neighbour, each as often.
static int32_t stream_drift(const streams* s, int64_t padded, uint32_t random)
{
    int32_t lower[8];
    uint32_t count = 0;
    for (int32_t d = 0; d < 8; ++d)
    {
        if (s->spill[padded + s->step[d]] < s->spill[padded])
        {
            lower[count++] = d;
        }
    }
    return lower[((uint64_t)random * count) >> 32];
}

static void stream_set_route(const streams* s, int64_t cell, int32_t to, int32_t a, int32_t b,
                             float share)
{
    s->to[cell] = (uint8_t)to;
    s->ways[cell] = (uint8_t)(a | b << 4);
    s->share[cell] = share;
}

// The random numbers of four cells.
typedef struct stream_draw
{
    int64_t four; // cell / 4; -1: none yet
    wadi_philox words;
} stream_draw;

static uint32_t stream_random(const streams* s, int64_t cell, stream_draw* draw)
{
    if (draw->four != cell / 4)
    {
        draw->four = cell / 4;
        draw->words = wadi_random(wadi_terrain_seed(s->terrain), s->stream, (uint64_t)draw->four,
                                  (uint32_t)s->step_index);
    }
    return draw->words.v[cell & 3];
}

// The route of a cell at the rim, or on a lake.
static void stream_route(const streams* s, int64_t cell, int64_t padded, stream_draw* draw)
{
    const uint32_t random = stream_random(s, cell, draw);
    const bool lake = s->wet[cell] != 0 && s->rim[cell] == 0 && cell != s->sink;
    const stream_facet level = {.steep = 1.0f};
    const stream_facet best = lake ? level : stream_steepest(s, cell, padded);
    const bool ends = s->rim[cell] >= STREAM_PLAYA || best.steep <= 0.0f || cell == s->sink;
    if (ends)
    {
        stream_set_route(s, cell, STREAM_STAYS, STREAM_STAYS, STREAM_STAYS, 0.0f);
        return;
    }
    if (s->wet[cell] != 0)
    {
        const int32_t d = stream_drift(s, padded, random);
        stream_set_route(s, cell, d, d, STREAM_STAYS, 0.0f);
        return;
    }
    const float share = stream_facet_share(&best);
    const int32_t to = wadi_unit_float(random) < share ? best.diagonal : best.axis;
    const bool both = share > 0.0f && share < 1.0f;
    stream_set_route(s, cell, to, share < 1.0f ? best.axis : best.diagonal,
                     both ? best.diagonal : STREAM_STAYS, both ? share : 0.0f);
}

// Number of cells before the first at a rim or on a lake, of `count`; eight at a time.
static int32_t stream_usual(const uint8_t* rim, const uint8_t* wet, int32_t count)
{
    int32_t x = 0;
    uint64_t any = 0;
    for (; x + 8 <= count && any == 0; x += any == 0 ? 8 : 0)
    {
        uint64_t wets;
        memcpy(&any, rim + x, sizeof any);
        memcpy(&wets, wet + x, sizeof wets);
        any |= wets;
    }
    while (x < count && (rim[x] | wet[x]) == 0)
    {
        x += 1;
    }
    return x;
}

static void stream_route_row(const streams* s, int32_t y)
{
    const int64_t first = (int64_t)y * s->width;
    const int64_t padded = stream_padded(s, 0, y);
    stream_kernels_of(wadi_isa_best())
        ->routes(&(stream_routes_row){
            .count = s->width,
            .stride = s->stride,
            .spill = s->spill + padded,
            .surface = s->surface + padded,
            .shallow = STREAM_SHALLOW,
            .first = (uint64_t)first,
            .seed = wadi_terrain_seed(s->terrain),
            .stream = s->stream,
            .step_index = (uint32_t)s->step_index,
            .to = s->to + first,
            .ways = s->ways + first,
            .wet = s->wet + first,
            .share = s->share + first,
        });
    stream_draw draw = {.four = -1};
    for (int32_t x = 0; x < s->width; ++x)
    {
        x += stream_usual(s->rim + first + x, s->wet + first + x, s->width - x);
        if (x < s->width)
        {
            stream_route(s, first + x, padded + x, &draw);
        }
    }
    if (s->sink >= first && s->sink < first + s->width)
    {
        stream_route(s, s->sink, padded + (s->sink - first), &draw);
    }
}

static void streams_route_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    for (int32_t y = begin; y < end; ++y)
    {
        stream_route_row(user, y);
    }
}

// ---- discharge ---------------------------------------------------------------------------

// Rain of each cell.
static void streams_rain_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const streams* s = user;
    const double area = s->cell * s->cell;
    const float* map = s->supply.showers != NULL ? s->supply.showers : s->rain;
    for (int32_t y = begin; y < end; ++y)
    {
        stream_row* row = &s->rows[y];
        row->rain = 0.0;
        row->land = 0;
        for (int64_t c = (int64_t)y * s->width; c < (int64_t)(y + 1) * s->width; ++c)
        {
            const bool land = s->rim[c] < STREAM_SEA;
            const double rain = map != NULL ? (double)map[c] : s->params.rain;
            const double water = rain * s->supply.factor * area * STREAM_WATER;
            s->water[c] = land ? (int64_t)water : 0;
            row->rain += land ? rain : 0.0;
            row->land += land ? 1 : 0;
        }
    }
}

static void streams_rain(streams* s)
{
    const float* map = s->supply.showers != NULL ? s->supply.showers : s->rain;
    const stream_array arrays[] = {
        {s->rim, 1, STREAM_AT},
        {s->water, sizeof *s->water, STREAM_AT},
        {map, sizeof *map, STREAM_AT},
        {NULL, 0, STREAM_AT},
    };
    wadi_streams_pass(s, arrays, STREAM_ROWS, streams_rain_rows, s);
    double sum = 0.0;
    int64_t cells = 0;
    for (int32_t y = 0; y < s->height; ++y)
    {
        sum += s->rows[y].rain;
        cells += s->rows[y].land;
    }
    s->mean_rain = cells > 0 ? sum / (double)cells : 0.0;
    s->supply.rain_now = sum * s->supply.factor * s->cell * s->cell;
}

// The donor with most water of each cell; the first of equals.
static uint8_t stream_main_donor(const streams* s, int64_t cell)
{
    float most = -1.0f;
    int32_t best = STREAM_STAYS;
    for (int32_t d = 0; d < 8; ++d)
    {
        const int64_t n = stream_neighbour(s, cell, d);
        if (n >= 0 && s->to[n] == (d ^ 4) && s->discharge[n] > most)
        {
            most = s->discharge[n];
            best = d;
        }
    }
    return (uint8_t)best;
}

static void streams_discharge_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const streams* s = user;
    for (int64_t c = (int64_t)begin * s->width; c < (int64_t)end * s->width; ++c)
    {
        s->discharge[c] = (float)s->water[c] * s->rates.water;
    }
}

static void streams_donor_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const streams* s = user;
    for (int32_t y = begin; y < end; ++y)
    {
        const int64_t first = (int64_t)y * s->width;
        if (y > 0 && y < s->height - 1)
        {
            const stream_donors_row row = wadi_streams_donors_row(s, first + 1);
            stream_kernels_of(wadi_isa_best())->donors(&row);
        }
        for (int64_t c = first; c < first + s->width; ++c)
        {
            if (s->inside[c] == 0)
            {
                s->donor[c] = stream_main_donor(s, c);
            }
        }
    }
}

static void streams_set_discharge(streams* s)
{
    const stream_array water[] = {
        {s->water, sizeof *s->water, STREAM_AT},
        {s->discharge, sizeof *s->discharge, STREAM_AT},
        {NULL, 0, STREAM_AT},
    };
    const stream_array donors[] = {
        {s->to, 1, STREAM_AT},     {s->discharge, sizeof *s->discharge, STREAM_AT},
        {s->inside, 1, STREAM_AT}, {s->donor, 1, STREAM_AT},
        {NULL, 0, STREAM_AT},
    };
    wadi_streams_pass(s, water, STREAM_ROWS, streams_discharge_rows, s);
    wadi_streams_pass(s, donors, STREAM_ROWS, streams_donor_rows, s);
}

// ---- both --------------------------------------------------------------------------------

// A land without outlets drains into its lowest cell.
static void streams_find_sink(streams* s)
{
    const stream_array arrays[] = {
        {s->surface, sizeof *s->surface, STREAM_PADDED},
        {NULL, 0, STREAM_AT},
    };
    int32_t lowest = FLOW_WALL;
    for (int32_t y = 0; y < s->height; ++y)
    {
        wadi_streams_ahead(s, arrays, y);
        const int32_t* row = s->surface + stream_padded(s, 0, y);
        for (int32_t x = 0; x < s->width; ++x)
        {
            s->sink = row[x] < lowest ? (int64_t)y * s->width + x : s->sink;
            lowest = row[x] < lowest ? row[x] : lowest;
        }
    }
    s->outlets[0] = (uint32_t)stream_padded_of(s, s->sink);
    s->outlet_count = 1;
}

static void streams_set_routes(streams* s)
{
    const stream_array arrays[] = {
        {s->spill, sizeof *s->spill, STREAM_PADDED},
        {s->surface, sizeof *s->surface, STREAM_PADDED},
        {s->rim, 1, STREAM_AT},
        {s->to, 1, STREAM_AT},
        {s->ways, 1, STREAM_AT},
        {s->wet, 1, STREAM_AT},
        {s->share, sizeof *s->share, STREAM_AT},
        {NULL, 0, STREAM_AT},
    };
    wadi_streams_pass(s, arrays, STREAM_ROWS, streams_route_rows, s);
}

// Where water leaves: open edges, the border of voids and the sea; without any the lowest cell.
static void streams_find_outlets(streams* s)
{
    const stream_array arrays[] = {{s->rim, 1, STREAM_AT}, {NULL, 0, STREAM_AT}};
    s->outlet_count = 0;
    s->sink = -1;
    for (int32_t y = 0; y < s->height; ++y)
    {
        wadi_streams_ahead(s, arrays, y);
        const uint8_t* rim = s->rim + (int64_t)y * s->width;
        for (int32_t x = stream_first_set(rim, 0, s->width); x < s->width;
             x = stream_first_set(rim, x + 1, s->width))
        {
            if (rim[x] != STREAM_VOID)
            {
                s->outlets[s->outlet_count++] = (uint32_t)stream_padded(s, x, y);
            }
        }
    }
    if (!s->has_outlet && !s->has_sea && !wadi_streams_has_closed(s))
    {
        streams_find_sink(s);
    }
}

// Passes over lakes do not say what they read: a stage of their own, if there are such lakes.
static void streams_stage_of_lakes(const streams* s, bool begin)
{
    if (s->params.lake_evaporation > 0.0)
    {
        wadi_stage(s->context, begin ? "lakes" : "routes");
    }
}

// Routes and discharge under the lakes that are closed so far.
static wadi_result streams_route(streams* s)
{
    const bool covered = s->has_sea || wadi_streams_has_closed(s);
    if (covered && s->top == NULL)
    {
        WADI_ALLOC(s->context, s->top, (int64_t)s->stride * (s->height + 2), "levels of lakes");
    }
    if (s->has_sea)
    {
        wadi_streams_cover(s);
    }
    if (wadi_streams_has_closed(s))
    {
        streams_stage_of_lakes(s, true);
        wadi_streams_cover_closed(s);
        streams_stage_of_lakes(s, false);
    }
    streams_find_outlets(s);
    const wadi_flow_flood_job job = {
        .surface = covered ? s->top : s->surface,
        .outlets = s->outlets,
        .outlet_count = s->outlet_count,
        .rise_axis = 1,
        .rise_diagonal = 1,
        .out = s->spill,
    };
    wadi_stage(s->context, "flood");
    WADI_TRY(wadi_flow_flood_run(s->flood, &job));
    wadi_stage(s->context, "routes");
    wadi_streams_ghosts(s, s->spill);
    streams_set_routes(s);
    streams_stage_of_lakes(s, true);
    WADI_TRY(wadi_streams_find_lakes(s));
    streams_stage_of_lakes(s, false);
    streams_rain(s);
    wadi_streams_bring_water(s);
    wadi_streams_lose_water(s);
    wadi_stage(s->context, "order");
    const wadi_result result = wadi_streams_sort(s);
    wadi_stage(s->context, "routes");
    return result;
}

wadi_result wadi_streams_routes(streams* s)
{
    streams_stage_of_lakes(s, true);
    WADI_TRY(wadi_streams_lakes_begin(s));
    streams_stage_of_lakes(s, false);
    bool again = true;
    for (int32_t round = 1; again; ++round)
    {
        WADI_TRY(streams_route(s));
        streams_stage_of_lakes(s, true);
        again = wadi_streams_close_lakes(s, round == STREAM_LAKE_ROUNDS);
        streams_stage_of_lakes(s, false);
    }
    wadi_streams_sum_water(s);
    streams_set_discharge(s);
    return WADI_OK;
}
