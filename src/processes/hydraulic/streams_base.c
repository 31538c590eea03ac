// SPDX-License-Identifier: MIT
// Base level of the outlets at open edges.
//
// Beyond an open edge the land goes on, but the map does not show it. A river that leaves falls at
// least at `outside_slope`, until it reaches the level of the lowest outlets: along the rim, from
// each outlet to each other, no river has to be steeper than that. So the base level of an outlet
// is the lowest of all h_j + slope x distance to outlet j. The lowest outlet keeps its height; one
// high on the side of a mountain is cut down with the valley behind it, so that basins which drain
// over a high edge do not stand full of sediment for ever.
#include "processes/hydraulic/streams.h"

#include <math.h>

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

// Levels spread to the south-east and back; across periodic edges that takes a second round.
static void base_spread(streams* s)
{
    const double axis = s->params.outside_slope * s->cell * WADI_UNITS_PER_METRE;
    const int32_t rise[2] = {(int32_t)fmin(axis, 1e9), (int32_t)fmin(axis * BASE_DIAGONAL, 1e9)};
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

void wadi_streams_base(streams* s)
{
    for (int32_t y = 0; y < s->height; ++y)
    {
        const int32_t* surface = s->surface + stream_padded(s, 0, y);
        const int64_t row = (int64_t)y * s->width;
        for (int32_t x = 0; x < s->width; ++x)
        {
            s->base[row + x] = INT32_MAX;
        }
        const uint8_t* rim = s->rim + row;
        for (int32_t x = stream_first_set(rim, 0, s->width); x < s->width;
             x = stream_first_set(rim, x + 1, s->width))
        {
            const bool sea = rim[x] == STREAM_SEA || rim[x] == STREAM_DEEP;
            const int32_t here = sea ? s->sea_level : surface[x];
            s->base[row + x] = rim[x] != STREAM_VOID ? here : INT32_MAX;
        }
    }
    base_spread(s);
}
