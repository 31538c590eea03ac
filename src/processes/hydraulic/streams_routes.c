// SPDX-License-Identifier: MIT
// Routes of one step. Water leaves a cell for one or two neighbours, by the steepest of eight
// facets of the flooded surface (D-infinity: Tarboton 1997): between the two directions of the
// facet it is divided so that its mean direction is that of the gradient. Matter follows one of
// them, drawn with the same shares.
#include "core/random.h"
#include "processes/hydraulic/streams.h"

#include <string.h>

// ---- receivers ---------------------------------------------------------------------------

typedef struct stream_way
{
    int32_t axis;
    int32_t diagonal;
    float share; // of the diagonal
    float steep; // slope squared [units2]
} stream_way;

// The steeper of the best facet so far and that of an axis `a` and a diagonal `b`.
static inline void stream_try_facet(const float* fall, int32_t a, int32_t b, stream_way* best)
{
    const float s1 = fall[a];
    const float s2 = fall[b] - fall[a];
    float share = s2 / (s1 > 1.0f ? s1 : 1.0f);
    float steep = s1 * s1 + s2 * s2;
    if (s2 >= s1)
    {
        share = 1.0f;
        steep = fall[b] > 0.0f ? 0.5f * fall[b] * fall[b] : 0.0f;
    }
    else if (s2 <= 0.0f)
    {
        share = 0.0f;
        steep = s1 > 0.0f ? s1 * s1 : 0.0f;
    }
    if (steep > best->steep)
    {
        *best = (stream_way){a, b, share, steep};
    }
}

// A cell at an open edge drains inwards or over the edge, never along it: that draws lines.
static bool stream_is_along_rim(const streams* s, int64_t cell, int32_t direction)
{
    const int64_t n = stream_neighbour(s, cell, direction);
    return n >= 0 && s->rim[n] != 0;
}

static stream_way stream_steepest(const streams* s, int64_t cell, int64_t padded)
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
    stream_way best = {STREAM_STAYS, STREAM_STAYS, 0.0f, 0.0f};
    for (int32_t d = 0; d < 8; d += 2)
    {
        stream_try_facet(fall, d, d + 1, &best);
        stream_try_facet(fall, d, (d + 7) & 7, &best);
    }
    return best;
}

// On a lake any lower neighbour, each as often.
static stream_way stream_drift(const streams* s, int64_t padded, uint32_t random)
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
    const int32_t d = lower[((uint64_t)random * count) >> 32];
    return (stream_way){d, d, 0.0f, 0.0f};
}

static void stream_route(const streams* s, int64_t cell, int64_t padded, uint32_t random)
{
    const bool wet = s->spill[padded] - s->surface[padded] > STREAM_SHALLOW;
    s->wet[cell] = wet ? 1 : 0;
    s->to[cell] = STREAM_STAYS;
    s->ways[cell] = STREAM_STAYS | STREAM_STAYS << 4;
    s->donor[cell] = -1;
    stream_way way = stream_steepest(s, cell, padded);
    const bool leaves = s->rim[cell] == STREAM_SEA || s->rim[cell] == STREAM_VOID ||
                        way.steep <= 0.0f || cell == s->sink;
    if (leaves)
    {
        return;
    }
    if (wet)
    {
        way = stream_drift(s, padded, random);
    }
    const bool across = wadi_unit_float(random) < way.share;
    s->to[cell] = (uint8_t)(across ? way.diagonal : way.axis);
    s->ways[cell] = (uint8_t)((way.share < 1.0f ? way.axis : way.diagonal) |
                              (way.share > 0.0f ? way.diagonal : STREAM_STAYS) << 4);
    s->share[cell] = way.share < 1.0f ? way.share : 0.0f;
    if (way.share >= 1.0f)
    {
        s->ways[cell] = (uint8_t)(way.diagonal | STREAM_STAYS << 4);
    }
}

static void streams_route_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const streams* s = user;
    const uint64_t seed = wadi_terrain_seed(s->terrain);
    wadi_philox random = {{0}};
    int64_t drawn = -1;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < s->width; ++x)
        {
            const int64_t cell = (int64_t)y * s->width + x;
            if (cell >> 2 != drawn)
            {
                drawn = cell >> 2;
                random = wadi_random(seed, s->stream, (uint64_t)drawn, (uint32_t)s->step_index);
            }
            stream_route(s, cell, stream_padded(s, x, y), random.v[cell & 3]);
        }
    }
}

// ---- order and discharge -----------------------------------------------------------------

static void streams_count_donors(streams* s)
{
    memset(s->waits, 0, (size_t)s->cells);
    for (int64_t c = 0; c < s->cells; ++c)
    {
        const int32_t a = s->ways[c] & 15;
        const int32_t b = s->ways[c] >> 4;
        if (a != STREAM_STAYS)
        {
            s->waits[stream_neighbour(s, c, a)] += 1;
        }
        if (b != STREAM_STAYS)
        {
            s->waits[stream_neighbour(s, c, b)] += 1;
        }
    }
}

// Pass water on; returns the receiver if all of its donors have been visited, else -1.
static int64_t stream_give(streams* s, int64_t cell, int32_t direction, int64_t water)
{
    const int64_t n = stream_neighbour(s, cell, direction);
    s->water[n] += water;
    s->waits[n] -= 1;
    return s->waits[n] == 0 ? n : -1;
}

static void stream_remember_donor(streams* s, int64_t cell)
{
    if (s->to[cell] != STREAM_STAYS)
    {
        int32_t* donor = &s->donor[stream_neighbour(s, cell, s->to[cell])];
        *donor = *donor < 0 || s->water[cell] > s->water[*donor] ? (int32_t)cell : *donor;
    }
}

// Visit a cell and the cells down from it, as far as all donors of those have been visited. Where
// both receivers become free, one waits on `stack`.
static int64_t stream_run_down(streams* s, int64_t cell, int32_t* stack, int64_t* height)
{
    s->order[s->count++] = (int32_t)cell;
    s->water[cell] = s->water[cell] > 0 ? s->water[cell] : 0;
    stream_remember_donor(s, cell);
    const int32_t a = s->ways[cell] & 15;
    const int32_t b = s->ways[cell] >> 4;
    int64_t next = -1;
    int64_t to_b = 0;
    if (b != STREAM_STAYS)
    {
        to_b = (int64_t)((double)s->water[cell] * (double)s->share[cell]);
        next = stream_give(s, cell, b, to_b);
    }
    if (a != STREAM_STAYS)
    {
        const int64_t other = stream_give(s, cell, a, s->water[cell] - to_b);
        if (other >= 0 && next >= 0)
        {
            stack[(*height)++] = (int32_t)other;
        }
        next = next >= 0 ? next : other;
    }
    return next;
}

// Each cell after its donors (Kahn 1962), from the divides down.
static void streams_sort(streams* s)
{
    s->count = 0;
    for (int64_t c = 0; c < s->cells; ++c)
    {
        s->starts[c] = s->waits[c] == 0 && s->rim[c] != STREAM_VOID ? 1 : 0;
    }
    for (int64_t c = 0; c < s->cells; ++c)
    {
        if (s->starts[c] == 0)
        {
            continue;
        }
        s->starts[c] = 0;
        int64_t height = 0;
        int64_t at = c;
        while (at >= 0 || height > 0)
        {
            if (at < 0)
            {
                at = s->change[--height];
            }
            at = stream_run_down(s, at, s->change, &height);
        }
    }
}

// Rain of each cell, less what a lake evaporates.
static void streams_rain(streams* s)
{
    const double area = s->cell * s->cell;
    const double lost = s->params.lake_evaporation;
    double sum = 0.0;
    int64_t land = 0;
    for (int64_t c = 0; c < s->cells; ++c)
    {
        const bool dry = s->rim[c] < STREAM_SEA;
        const double rain = s->rain != NULL ? (double)s->rain[c] : s->params.rain;
        const double net = rain - (s->wet[c] != 0 ? lost : 0.0);
        s->water[c] = dry ? (int64_t)(net * area * STREAM_WATER) : 0;
        sum += dry ? rain : 0.0;
        land += dry ? 1 : 0;
    }
    s->mean_rain = land > 0 ? sum / (double)land : 0.0;
}

// ---- both --------------------------------------------------------------------------------

// Where water leaves: open edges, the border of voids and the sea; without any the lowest cell.
static void streams_find_outlets(streams* s)
{
    s->outlet_count = 0;
    s->sink = -1;
    int64_t lowest = -1;
    for (int64_t c = 0; c < s->cells; ++c)
    {
        const int64_t padded = stream_padded_of(s, c);
        if (s->rim[c] != 0 && s->rim[c] != STREAM_VOID)
        {
            s->outlets[s->outlet_count++] = (uint32_t)padded;
        }
        if (!s->has_outlet && !s->has_sea && s->rim[c] != STREAM_VOID &&
            (lowest < 0 || s->surface[padded] < s->surface[lowest]))
        {
            lowest = padded;
            s->sink = c;
        }
    }
    if (s->sink >= 0)
    {
        s->outlets[0] = (uint32_t)lowest;
        s->outlet_count = 1;
    }
}

wadi_result wadi_streams_routes(streams* s)
{
    if (s->has_sea)
    {
        wadi_streams_cover(s);
    }
    streams_find_outlets(s);
    const wadi_flow_flood_job job = {
        .surface = s->has_sea ? s->top : s->surface,
        .outlets = s->outlets,
        .outlet_count = s->outlet_count,
        .rise_axis = 1,
        .rise_diagonal = 1,
        .out = s->spill,
    };
    WADI_TRY(wadi_flow_flood_run(s->flood, &job));
    wadi_streams_ghosts(s, s->spill);
    wadi_parallel_rows(s->context, s->height, STREAM_ROWS, streams_route_rows, s);
    streams_rain(s);
    streams_count_donors(s);
    streams_sort(s);
    return WADI_OK;
}
