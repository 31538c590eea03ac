// SPDX-License-Identifier: MIT
// Which ground at the level of the sea is a sea of unknown depth, and which is a shore.
//
// Elevation models without depths have 0 m for all of the sea. Models with depths, in whole
// centimetres, have scattered cells of exactly 0 m along the shore; taken as deep sea, these stay
// as pillars where waves lower the beach around them. A patch of such cells is a shore if ground
// below the level lies at one side or more for each COAST_SHORE of its cells.
#include "processes/coast/coast_depths.h"

#define COAST_SHORE 8

typedef struct depths_search
{
    const wadi_ground* ground;
    int32_t level;
    int32_t* queue;
    uint8_t* unknown; // 1: at the level, 2: of the patch and of those before
    int64_t count;    // of the patch
    int64_t below;    // sides of the patch with lower ground
} depths_search;

// A place on the other side of a periodic edge; -1 beyond other edges.
static int32_t depths_place(int32_t at, int32_t count, bool wraps)
{
    const bool beyond = at < 0 || at >= count;
    return !beyond ? at : wraps ? (at + count) % count : -1;
}

static void depths_visit(depths_search* s, int32_t x, int32_t y)
{
    const wadi_ground* g = s->ground;
    const int32_t at_x = depths_place(x, g->width, g->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC);
    const int32_t at_y =
        depths_place(y, g->height, g->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC);
    const int64_t cell = (int64_t)at_y * g->width + at_x;
    if (at_x < 0 || at_y < 0 || g->valid[cell] == 0)
    {
        return;
    }
    if (s->unknown[cell] == 1)
    {
        s->unknown[cell] = 2;
        s->queue[s->count++] = (int32_t)cell;
    }
    s->below += wadi_ground_surface(g, cell) < s->level ? 1 : 0;
}

static void depths_patch(depths_search* s, int64_t from)
{
    const int32_t width = s->ground->width;
    s->unknown[from] = 2;
    s->queue[0] = (int32_t)from;
    s->count = 1;
    s->below = 0;
    for (int64_t next = 0; next < s->count; ++next)
    {
        const int32_t x = s->queue[next] % width;
        const int32_t y = s->queue[next] / width;
        depths_visit(s, x + 1, y);
        depths_visit(s, x - 1, y);
        depths_visit(s, x, y + 1);
        depths_visit(s, x, y - 1);
    }
    const bool shore = s->below * COAST_SHORE >= s->count;
    for (int64_t i = 0; i < s->count && shore; ++i)
    {
        s->unknown[s->queue[i]] = 0;
    }
}

void wadi_coast_find_depthless(const wadi_ground* ground, int32_t level, int32_t* queue,
                               uint8_t* unknown)
{
    depths_search s = {.ground = ground, .level = level, .queue = queue, .unknown = unknown};
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        unknown[i] = ground->valid[i] != 0 && wadi_ground_surface(ground, i) == level ? 1 : 0;
    }
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        if (unknown[i] == 1)
        {
            depths_patch(&s, i);
        }
    }
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        unknown[i] = unknown[i] != 0 ? 1 : 0;
    }
}
