// SPDX-License-Identifier: MIT
// Base level of the outlets at open edges.
//
// Beyond an open edge the land goes on, but the map does not show it. A river that leaves falls at
// least at `outside_slope`, until it reaches the level of the lowest outlets: along the rim, from
// each outlet to each other, no river has to be steeper than that. So the base level of an outlet
// is the lowest of all h_j + slope x distance to outlet j. The lowest outlet keeps its height; one
// high on the side of a mountain is cut down with the valley behind it, so that basins which drain
// over a high edge do not stand full of sediment for ever.
//
// Where all outlets lie at the edges of the map, only the levels along these are found.
#include "processes/hydraulic/streams.h"

#include <math.h>
#include <stdlib.h>

// Distances go by steps along the axes and the diagonals: at most 8 % too long.
#define BASE_DIAGONAL 1.41421356237309515

static int32_t base_above(int32_t level, int32_t rise)
{
    return level < INT32_MAX - rise ? level + rise : INT32_MAX;
}

// Lower the level of a cell to that of its neighbours in four directions from `first` on, plus the
// rise to it along an axis or a diagonal.
static void base_reach(streams* s, int64_t cell, int32_t first, const int32_t* rise)
{
    int32_t level = s->base[cell];
    for (int32_t d = first; d < first + 4; ++d)
    {
        const int64_t n = wadi_streams_beside(s, cell, d & 7);
        const int32_t there = n >= 0 ? base_above(s->base[n], rise[d & 1]) : INT32_MAX;
        level = there < level ? there : level;
    }
    s->base[cell] = level;
}

// The same for the cells of a row one after the other, `way` apart, from `at` on.
static void base_reach_row(streams* s, int64_t at, int64_t way, const int32_t* rise)
{
    const int64_t beside = at - way * s->width; // in the row that is done
    const int32_t inner = s->width - 2;
    int32_t* first = s->base + (way > 0 ? at + 1 : at - inner);
    base_reach(s, at, way > 0 ? 4 : 0, rise);
    if (beside >= 0 && beside < s->cells)
    {
        stream_kernels_of(wadi_isa_best())->base(inner, rise, first - way * s->width, first);
    }
    int32_t* here = s->base + at;
    int32_t level = *here;
    for (int32_t x = 1; x <= inner; ++x)
    {
        here += way;
        const int32_t there = base_above(level, rise[0]);
        level = there < *here ? there : *here;
        *here = level;
    }
    base_reach(s, at + (inner + 1) * way, way > 0 ? 4 : 0, rise);
}

// A row at an edge that is next to the opposite one, or without cells inside.
static void base_reach_edge(streams* s, int64_t at, int64_t way, const int32_t* rise)
{
    for (int32_t x = 0; x < s->width; ++x)
    {
        base_reach(s, at + x * way, way > 0 ? 4 : 0, rise);
    }
}

// Rises to the neighbours along an axis and a diagonal [units].
static void base_rises(const streams* s, int32_t rise[2])
{
    const double axis = s->params.outside_slope * s->cell * WADI_UNITS_PER_METRE;
    rise[0] = (int32_t)fmin(axis, 1e9);
    rise[1] = (int32_t)fmin(axis * BASE_DIAGONAL, 1e9);
}

// Levels spread to the south-east and back; across periodic edges that takes a second round.
static void base_spread(streams* s)
{
    int32_t rise[2];
    base_rises(s, rise);
    const bool wraps_y = s->ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    const bool wraps = wraps_y || s->ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    for (int32_t pass = 0; pass < (wraps ? 4 : 2); ++pass)
    {
        const int64_t way = pass % 2 == 0 ? 1 : -1;
        for (int32_t y = 0; y < s->height; ++y)
        {
            const int64_t at =
                way > 0 ? (int64_t)y * s->width : s->cells - 1 - (int64_t)y * s->width;
            const bool edge = y == 0 || y == s->height - 1;
            if (s->width < 3 || (edge && wraps_y))
            {
                base_reach_edge(s, at, way, rise);
            }
            else
            {
                base_reach_row(s, at, way, rise);
            }
        }
    }
}

// Where levels begin: outlets at their heights, the sea at its level.
static int32_t base_begin(const streams* s, int32_t x, int32_t y)
{
    const uint8_t rim = s->rim[(int64_t)y * s->width + x];
    const bool sea = rim == STREAM_SEA || rim == STREAM_DEEP;
    const int32_t here = sea ? s->sea_level : s->surface[stream_padded(s, x, y)];
    return rim != 0 && rim != STREAM_VOID ? here : INT32_MAX;
}

// Levels of all cells: rims may be anywhere.
static void base_of_all(streams* s)
{
    for (int32_t y = 0; y < s->height; ++y)
    {
        const int64_t row = (int64_t)y * s->width;
        for (int32_t x = 0; x < s->width; ++x)
        {
            s->base[row + x] = INT32_MAX;
        }
        const uint8_t* rim = s->rim + row;
        for (int32_t x = stream_first_set(rim, 0, s->width); x < s->width;
             x = stream_first_set(rim, x + 1, s->width))
        {
            s->base[row + x] = base_begin(s, x, y);
        }
    }
    base_spread(s);
}

// ---- rims at the edges -------------------------------------------------------------------

// Cells along one edge.
typedef struct base_edge
{
    int32_t x;
    int32_t y;
    int32_t dx; // to the next cell
    int32_t dy;
    int32_t count;
} base_edge;

// The four edges, each without its last cell, so that they make a ring.
static void base_edges(const streams* s, base_edge edges[4])
{
    const int32_t right = s->width - 1;
    const int32_t bottom = s->height - 1;
    edges[0] = (base_edge){0, 0, 1, 0, right};
    edges[1] = (base_edge){right, 0, 0, 1, bottom};
    edges[2] = (base_edge){right, bottom, -1, 0, right};
    edges[3] = (base_edge){0, bottom, 0, -1, bottom};
}

// The levels of an edge in the ring.
static int32_t* base_of_edge(const streams* s, int32_t edge)
{
    const int32_t right = s->width - 1;
    const int32_t bottom = s->height - 1;
    return s->ring + (edge + 1) / 2 * (int64_t)right + edge / 2 * (int64_t)bottom;
}

// Levels begin along the ring; returns how many cells it has.
static int32_t base_ring(const streams* s, const base_edge edges[4])
{
    int32_t count = 0;
    for (int32_t k = 0; k < 4; ++k)
    {
        for (int32_t at = 0; at < edges[k].count; ++at)
        {
            s->ring[count++] =
                base_begin(s, edges[k].x + at * edges[k].dx, edges[k].y + at * edges[k].dy);
        }
    }
    return count;
}

// Levels spread along the ring, both ways.
static void base_spread_ring(const streams* s, int32_t count, int32_t rise)
{
    int32_t level = INT32_MAX;
    for (int32_t i = 0; i < 4 * count; ++i)
    {
        const int32_t at = i % count;
        int32_t* here = &s->ring[i < 2 * count ? at : count - 1 - at];
        level = i == 2 * count ? INT32_MAX : base_above(level, rise);
        level = level < *here ? level : *here;
        *here = level;
    }
}

// Lower the levels along an edge to those that an outlet at a place allows.
static void base_lower_edge(const base_edge* e, int32_t* base, int32_t x, int32_t y, int32_t outlet,
                            const int32_t* rise)
{
    // two steps along the axes may be less than one along a diagonal
    const int64_t diagonal = rise[1] < 2 * (int64_t)rise[0] ? rise[1] : 2 * (int64_t)rise[0];
    for (int32_t at = 0; at < e->count; ++at)
    {
        const int32_t dx = abs(e->x + at * e->dx - x);
        const int32_t dy = abs(e->y + at * e->dy - y);
        const int32_t less = dx < dy ? dx : dy;
        const int64_t level =
            outlet + (int64_t)(dx + dy - 2 * less) * rise[0] + (int64_t)less * diagonal;
        base[at] = level < base[at] ? (int32_t)level : base[at];
    }
}

// Does the level of a cell of the ring begin there?
static bool base_begins(const streams* s, const base_edge* e, int32_t at, int32_t level)
{
    return level < INT32_MAX && level == base_begin(s, e->x + at * e->dx, e->y + at * e->dy);
}

// Would it take longer to go over all outlets than over the map?
static bool base_has_many(const streams* s, const base_edge edges[4], int32_t count)
{
    int64_t begins = 0;
    for (int32_t k = 0; k < 4; ++k)
    {
        for (int32_t at = 0; at < edges[k].count; ++at)
        {
            begins += base_begins(s, &edges[k], at, base_of_edge(s, k)[at]) ? 1 : 0;
        }
    }
    return begins * count > s->cells;
}

// Lower the levels of the ring to those that the outlets of an edge allow, one after the other. One
// whose level another has lowered lowers no more than that other.
static void base_lower_by(const streams* s, const base_edge edges[4], int32_t edge,
                          const int32_t* rise)
{
    const base_edge* e = &edges[edge];
    const int32_t* level = base_of_edge(s, edge);
    for (int32_t at = 0; at < e->count; ++at)
    {
        for (int32_t k = 0; k < 4 && base_begins(s, e, at, level[at]); ++k)
        {
            base_lower_edge(&edges[k], base_of_edge(s, k), e->x + at * e->dx, e->y + at * e->dy,
                            level[at], rise);
        }
    }
}

// The level of each cell of the ring from all outlets. Returns false if there are too many.
static bool base_of_ring(const streams* s)
{
    int32_t rise[2];
    base_edge edges[4];
    base_rises(s, rise);
    base_edges(s, edges);
    const int32_t count = base_ring(s, edges);
    base_spread_ring(s, count, rise[0]);
    if (base_has_many(s, edges, count))
    {
        return false;
    }
    for (int32_t k = 0; k < 4; ++k)
    {
        base_lower_by(s, edges, k, rise);
    }
    return true;
}

// Are all rims at the edges of the map, and none of these next to the opposite one?
static bool base_is_ring(const streams* s)
{
    bool wraps = false;
    for (int side = 0; side < 4; ++side)
    {
        wraps |= s->ground->edges[side] == WADI_EDGE_PERIODIC;
    }
    return s->ground->all_valid && !s->has_sea && !wraps && s->width > 2 && s->height > 2;
}

// The level of a cell of the ring. Lakes inside that spill nowhere have the lowest.
static int32_t base_on_ring(const streams* s, int64_t cell)
{
    const int32_t x = (int32_t)(cell % s->width);
    const int32_t y = (int32_t)(cell / s->width);
    const int32_t right = s->width - 1;
    const int32_t bottom = s->height - 1;
    if (y == 0 && x < right)
    {
        return s->ring[x];
    }
    if (x == right && y < bottom)
    {
        return s->ring[right + y];
    }
    if (y == bottom && x > 0)
    {
        return s->ring[right + bottom + right - x];
    }
    return x == 0 ? s->ring[2 * right + bottom + bottom - y] : 0;
}

int32_t wadi_streams_base_of(const streams* s, int64_t cell)
{
    return s->base != NULL ? s->base[cell] : base_on_ring(s, cell);
}

wadi_result wadi_streams_base(streams* s)
{
    s->base = NULL;
    if (base_is_ring(s) && base_of_ring(s))
    {
        return WADI_OK;
    }
    if (s->bases == NULL)
    {
        WADI_ALLOC(s->context, s->bases, s->cells, "base levels");
    }
    s->base = s->bases;
    base_of_all(s);
    return WADI_OK;
}
