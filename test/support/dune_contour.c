// SPDX-License-Identifier: MIT
#include "support/dune_contour.h"

#include "support/check.h"
#include "support/dunes.h"

// Edge 0 of a cell leads to its eastern neighbour, edge 1 to the southern one. Contours connect
// crossings of edges through the squares between cells.
typedef struct contour_edge
{
    int32_t x; // cell, may lie beyond the grid
    int32_t y;
    int32_t side;
} contour_edge;

typedef struct contour_map
{
    const double* level;
    bool* seen; // per edge
    int32_t width;
    int32_t height;
    double across[2]; // unit vector
} contour_map;

typedef struct contour_sum
{
    double length;
    double span;
} contour_sum;

static int32_t contour_cell(const contour_map* map, int32_t x, int32_t y)
{
    const int32_t column = (x % map->width + map->width) % map->width;
    const int32_t row = (y % map->height + map->height) % map->height;
    return row * map->width + column;
}

static double contour_level(const contour_map* map, int32_t x, int32_t y)
{
    return map->level[contour_cell(map, x, y)];
}

static bool* contour_mark(const contour_map* map, contour_edge edge)
{
    return &map->seen[2 * contour_cell(map, edge.x, edge.y) + edge.side];
}

// Point at which the surface crosses the contour level on an edge; false if it does not.
static bool contour_crossing(const contour_map* map, contour_edge edge, double at[2])
{
    const int32_t dx = edge.side == 0;
    const double a = contour_level(map, edge.x, edge.y);
    const double b = contour_level(map, edge.x + dx, edge.y + 1 - dx);
    if ((a > 0.0) == (b > 0.0))
    {
        return false;
    }
    const double share = a / (a - b);
    at[0] = edge.x + dx * share;
    at[1] = edge.y + (1 - dx) * share;
    return true;
}

static bool contour_is_same(contour_edge a, contour_edge b)
{
    return a.x == b.x && a.y == b.y && a.side == b.side;
}

// The way on through a square from one of its edges. At a saddle the contour turns about the corner
// on its left, so that two of them never meet.
static contour_edge contour_next(const contour_map* map, int32_t x, int32_t y, contour_edge from)
{
    const contour_edge round[4] = {{x, y, 0}, {x + 1, y, 1}, {x, y + 1, 0}, {x, y, 1}};
    int32_t k = 0;
    while (!contour_is_same(round[k], from))
    {
        ++k;
    }
    double ignored[2];
    const bool turns[3] = {contour_crossing(map, round[(k + 1) % 4], ignored),
                           contour_crossing(map, round[(k + 2) % 4], ignored),
                           contour_crossing(map, round[(k + 3) % 4], ignored)};
    const bool saddle = turns[0] && turns[1] && turns[2];
    // at a saddle, edges 0 and 1, and edges 2 and 3 of the square are connected
    const int32_t on = saddle ? (k % 2 == 0 ? 1 : 3) : turns[0] ? 1 : turns[1] ? 2 : 3;
    return round[(k + on) % 4];
}

// Follow a contour until it closes.
static void contour_follow(const contour_map* map, contour_edge start, contour_sum* sum)
{
    contour_edge edge = start;
    double at[2];
    (void)contour_crossing(map, edge, at);
    double low = at[0] * map->across[0] + at[1] * map->across[1];
    double high = low;
    // start in the square south or east of the first edge
    int32_t x = start.x;
    int32_t y = start.y;
    do
    {
        *contour_mark(map, edge) = true;
        const contour_edge next = contour_next(map, x, y, edge);
        double to[2];
        (void)contour_crossing(map, next, to);
        sum->length += hypot(to[0] - at[0], to[1] - at[1]);
        const double place = to[0] * map->across[0] + to[1] * map->across[1];
        low = fmin(low, place);
        high = fmax(high, place);
        // continue in the square on the other side of the edge
        y += next.side == 0 ? (next.y == y ? -1 : 1) : 0;
        x += next.side == 1 ? (next.x == x ? -1 : 1) : 0;
        edge = next;
        at[0] = to[0];
        at[1] = to[1];
    } while (!*contour_mark(map, edge));
    const bool closed = edge.x == start.x && edge.y == start.y;
    sum->span += closed ? 2.0 * (high - low) : high - low;
}

// Mean over 5 x 5 cells minus the contour level.
static double* contour_smooth(const wadi_terrain* terrain, contour_map* map)
{
    const int32_t cells = map->width * map->height;
    double* rough = dunes_levels(terrain);
    double* smooth = test_calloc((size_t)cells, sizeof *smooth);
    double variance = 0.0;
    map->level = rough;
    for (int32_t i = 0; i < cells; ++i)
    {
        for (int32_t k = 0; k < 25; ++k)
        {
            smooth[i] += contour_level(map, i % map->width + k % 5 - 2, i / map->width + k / 5 - 2);
        }
        smooth[i] /= 25.0;
        variance += smooth[i] * smooth[i] / cells;
    }
    for (int32_t i = 0; i < cells; ++i)
    {
        smooth[i] -= 0.5 * sqrt(variance);
    }
    test_free(rough);
    return smooth;
}

double dune_sinuosity(const wadi_terrain* terrain, double x, double y)
{
    contour_map map = {.width = wadi_terrain_width(terrain),
                       .height = wadi_terrain_height(terrain),
                       .across = {-y, x}};
    double* level = contour_smooth(terrain, &map);
    map.level = level;
    map.seen = test_calloc(2 * (size_t)map.width * (size_t)map.height, sizeof *map.seen);
    contour_sum sum = {0};
    for (int32_t i = 0; i < 2 * map.width * map.height; ++i)
    {
        const contour_edge edge = {i / 2 % map.width, i / 2 / map.width, i % 2};
        double ignored[2];
        if (!map.seen[i] && contour_crossing(&map, edge, ignored))
        {
            contour_follow(&map, edge, &sum);
        }
    }
    test_free(map.seen);
    test_free(level);
    return sum.length / sum.span;
}
