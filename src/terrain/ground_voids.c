// SPDX-License-Identifier: MIT
#include "terrain/ground.h"

// From `from` to `to` along an axis, the short way round at periodic edges: -count / 2 rather than
// count / 2.
static int32_t voids_step(int32_t from, int32_t to, int32_t count, bool wraps)
{
    const int32_t way = to - from;
    return !wraps || (2 * way >= -count && 2 * way < count) ? way
           : way < 0                                        ? way + count
                                                            : way - count;
}

wadi_ground_way wadi_ground_way_to(const wadi_ground* ground, int64_t from, int64_t to)
{
    const int32_t width = ground->width;
    return (wadi_ground_way){voids_step((int32_t)(from % width), (int32_t)(to % width), width,
                                        ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC),
                             voids_step((int32_t)(from / width), (int32_t)(to / width),
                                        ground->height,
                                        ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC)};
}

static int32_t voids_length(wadi_ground_way way)
{
    return (way.x < 0 ? -way.x : way.x) + (way.y < 0 ? -way.y : way.y);
}

int64_t wadi_ground_cell_at(const wadi_ground* ground, int32_t x, int32_t y)
{
    const bool wrap_x = ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool wrap_y = ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    x = !wrap_x ? x : x < 0 ? x + ground->width : x >= ground->width ? x - ground->width : x;
    y = !wrap_y ? y : y < 0 ? y + ground->height : y >= ground->height ? y - ground->height : y;
    const bool inside = x >= 0 && x < ground->width && y >= 0 && y < ground->height;
    return inside ? (int64_t)y * ground->width + x : -1;
}

// Whether `source` is a better one than `other` for a void: the more northern, then the more
// western. That order depends on the ways alone, not on where the map begins.
static bool voids_prefers(const wadi_ground* ground, int64_t cell, int32_t source, int32_t other)
{
    const wadi_ground_way a = wadi_ground_way_to(ground, cell, source);
    const wadi_ground_way b = wadi_ground_way_to(ground, cell, other);
    return a.y != b.y ? a.y < b.y : a.x < b.x;
}

static int32_t voids_distance(const wadi_ground* ground, const int32_t* source, int64_t cell)
{
    return voids_length(wadi_ground_way_to(ground, cell, source[cell]));
}

// Offer the source of a cell to its four neighbours. Returns the end of the queue.
static int32_t voids_spread(const wadi_ground* ground, int32_t cell, int32_t* source,
                            int32_t* queue, int32_t end)
{
    static const int32_t east[4] = {0, 1, 0, -1};
    static const int32_t south[4] = {-1, 0, 1, 0};
    const int32_t farther = voids_distance(ground, source, cell) + 1;
    for (int k = 0; k < 4; ++k)
    {
        const int64_t next = wadi_ground_cell_at(ground, cell % ground->width + east[k],
                                                 cell / ground->width + south[k]);
        const bool found = next >= 0 && source[next] < 0;
        if (found)
        {
            queue[end++] = (int32_t)next;
        }
        if (found || (next >= 0 && voids_distance(ground, source, next) == farther &&
                      voids_prefers(ground, next, source[cell], source[next])))
        {
            source[next] = source[cell];
        }
    }
    return end;
}

void wadi_ground_nearest_valid(const wadi_ground* ground, int32_t* source, int32_t* queue)
{
    int32_t end = 0;
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        source[cell] = ground->valid[cell] != 0 ? (int32_t)cell : -1;
        if (source[cell] >= 0)
        {
            queue[end++] = (int32_t)cell;
        }
    }

    // cells of one distance are all final before the first of them is taken from the queue
    for (int32_t next = 0; next < end; ++next)
    {
        end = voids_spread(ground, queue[next], source, queue, end);
    }
}
