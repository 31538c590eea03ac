// SPDX-License-Identifier: MIT
// The plain goes on beyond open edges: it falls on there as it does on the last cells before the
// edge, and never rises. So the cells at an edge are worn and filled like those before them, and no
// wall or pit stays there.
#include "processes/hydraulic/alluvial.h"

#include <math.h>

enum
{
    EDGE_SKIP = 2, // cells inwards that do not count, so that a notch at the edge does not grow
    EDGE_DEEP = 8, // and how many then do
    EDGE_WIDE = 2  // and to both sides along the edge
};

#define EDGE_MOST 0.6f // slope at which loose matter rests

// A line through the heights before an edge.
typedef struct edge_plain
{
    double height; // [units] at the edge
    double fall;   // [units a cell] outwards
} edge_plain;

// The cell `in` cells inside of the edge at the place `at` along it; -1: outside the map.
static int64_t edge_cell(const alluvial* a, int32_t side, int32_t at, int32_t in)
{
    const bool rows = side == WADI_SIDE_NORTH || side == WADI_SIDE_SOUTH;
    const bool far = side == WADI_SIDE_SOUTH || side == WADI_SIDE_EAST;
    const int32_t deep = rows ? a->height : a->width;
    const int32_t wide = rows ? a->width : a->height;
    if (at < 0 || at >= wide || in >= deep)
    {
        return -1;
    }
    const int32_t out = far ? deep - 1 - in : in;
    return rows ? (int64_t)out * a->width + at : (int64_t)at * a->width + out;
}

// The least-squares line through the cells before an edge; level if there are fewer than two, and
// where it rises outwards.
static edge_plain edge_line(const alluvial* a, int32_t side, int32_t at)
{
    double heights = 0.0;
    double moments = 0.0;
    int32_t n = 0;
    for (int32_t k = EDGE_SKIP; k < EDGE_SKIP + EDGE_DEEP; ++k)
    {
        const int64_t c = edge_cell(a, side, at, k);
        if (c < 0 || a->ground->valid[c] == 0)
        {
            break;
        }
        const double height = wadi_ground_surface(a->ground, c);
        heights += height;
        moments += n * height;
        n += 1;
    }
    const double middle = 0.5 * (n - 1);
    const double squares = n * ((double)n * n - 1.0) / 12.0;
    const double fall = n > 1 ? (moments - middle * heights) / squares : 0.0;
    const double mean = n > 0 ? heights / n : -HUGE_VAL;
    return (edge_plain){mean - (middle + (double)EDGE_SKIP) * fall, fall};
}

// The mean of the lines beside each other.
static edge_plain edge_plain_of(const alluvial* a, int32_t side, int32_t at)
{
    edge_plain sum = {0.0, 0.0};
    int32_t count = 0;
    for (int32_t k = at - EDGE_WIDE; k <= at + EDGE_WIDE; ++k)
    {
        const edge_plain line = edge_line(a, side, k);
        if (line.height > -HUGE_VAL)
        {
            sum.height += line.height;
            sum.fall += line.fall;
            count += 1;
        }
    }
    return count > 0 ? (edge_plain){sum.height / count, sum.fall / count}
                     : (edge_plain){-HUGE_VAL, 0.0};
}

static alluvial_rim edge_rim(const alluvial* a, int32_t side, int32_t at)
{
    const edge_plain plain = edge_plain_of(a, side, at);
    const double most = (double)EDGE_MOST * a->cell;
    const double fall = fmin(fmax(plain.fall / WADI_UNITS_PER_METRE, 0.0), most);
    const double height = (plain.height - a->datum) / WADI_UNITS_PER_METRE;
    return (alluvial_rim){(float)fmax(height, -1e6), (float)fall};
}

void wadi_alluvial_read_edges(alluvial* a)
{
    const int32_t longer = a->width > a->height ? a->width : a->height;
    for (int32_t side = 0; side < WADI_SIDE_VOID; ++side)
    {
        const bool rows = side == WADI_SIDE_NORTH || side == WADI_SIDE_SOUTH;
        const bool open = a->ground->edges[side] == WADI_EDGE_OPEN;
        for (int32_t at = 0; at < (rows ? a->width : a->height); ++at)
        {
            a->rims[(ptrdiff_t)side * longer + at] =
                open ? edge_rim(a, side, at) : (alluvial_rim){0};
        }
    }
}

static int32_t edge_within(int32_t at, int32_t count)
{
    return at < 0 ? 0 : at < count ? at : count - 1;
}

// How far the ground falls from `bed` at an edge to a place `out` cells beyond it.
static float edge_drop(const alluvial_rim* rim, float bed, int32_t out)
{
    const float fall = rim->fall * (float)out;
    const float over = bed - (rim->height - fall);
    const float drop = over < fall ? over : fall;
    return out > 0 && drop > 0.0f ? drop : 0.0f;
}

float wadi_alluvial_beyond(const alluvial* a, int32_t x, int32_t y, float bed)
{
    const int32_t column = edge_within(x, a->width);
    const int32_t row = edge_within(y, a->height);
    return edge_drop(alluvial_rim_at(a, WADI_SIDE_NORTH, column), bed, -y) +
           edge_drop(alluvial_rim_at(a, WADI_SIDE_SOUTH, column), bed, y - a->height + 1) +
           edge_drop(alluvial_rim_at(a, WADI_SIDE_WEST, row), bed, -x) +
           edge_drop(alluvial_rim_at(a, WADI_SIDE_EAST, row), bed, x - a->width + 1);
}
