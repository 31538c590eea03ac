// SPDX-License-Identifier: MIT
// Sand that enters over open edges. Outside lies a plain where the wind carries the share `inflow`
// of its saturated flux, so slabs strike the ground there at the same rate everywhere. Slabs whose
// hop from outside ends within one hop of the edge enter. No cells outside need to be simulated.
#include "core/internal.h"
#include "processes/articles/slabs/slab_flock.h"

#include <math.h>

// Share of its hop (0..1) after which a slab that is now at `place` crossed an edge of this axis;
// 0: it crossed none. *side is that edge.
static float inflow_entry(const wadi_edge edges[4], wadi_side low, wadi_side high, float size,
                          float place, float hop, wadi_side* side)
{
    const float from = place - hop;
    *side = from < 0.0f ? low : high;
    const bool inside = from >= 0.0f && from < size;
    if (inside || edges[*side] == WADI_EDGE_PERIODIC)
    {
        return 0.0f;
    }
    const float edge = from < 0.0f ? 0.0f : size;
    return (edge - from) / hop;
}

// Did the slab that lands here hop in over an open edge? At a corner the later crossing counts.
static bool inflow_enters(const slab_bed* bed, const slab_flock* flock, int32_t i)
{
    const wadi_ground* ground = bed->ground;
    const slab_law* law = &bed->law;
    const float along = 1.0f + law->spread * flock->along[i];
    const float across = law->spread * flock->across[i];
    wadi_side column;
    wadi_side row;
    const float across_x =
        inflow_entry(ground->edges, WADI_SIDE_WEST, WADI_SIDE_EAST, (float)ground->width,
                     flock->x[i], along * law->fetch_x - across * law->fetch_y, &column);
    const float across_y =
        inflow_entry(ground->edges, WADI_SIDE_NORTH, WADI_SIDE_SOUTH, (float)ground->height,
                     flock->y[i], along * law->fetch_y + across * law->fetch_x, &row);
    if (across_x == 0.0f && across_y == 0.0f)
    {
        return false;
    }
    return ground->edges[across_x > across_y ? column : row] == WADI_EDGE_OPEN;
}

// Slabs of the flock that come from beyond an edge enter and fly on.
static void inflow_land(const slab_bed* bed, slab_flock* flock, wadi_tally* tally)
{
    wadi_slab_flock_depart(bed, flock, SLAB_INFLOW);
    for (int32_t i = 0; i < flock->count; ++i)
    {
        flock->bounces[i] = inflow_enters(bed, flock, i) ? 1 : 0;
    }
    wadi_slab_flock_keep(flock);
    tally->in[WADI_MATERIAL_SEDIMENT] += (int64_t)flock->count * bed->law.inflow;
    wadi_slab_flock_land(bed, flock, tally);
    flock->count = 0;
}

static void inflow_cell(const slab_bed* bed, int64_t cell, slab_flock* flock, wadi_tally* tally)
{
    if (bed->ground->valid[cell] == 0)
    {
        return;
    }
    flock->start[flock->count] = (int32_t)cell;
    flock->amount[flock->count] = bed->law.inflow;
    flock->count += 1;
    if (flock->count == SLAB_FLOCK)
    {
        inflow_land(bed, flock, tally);
    }
}

// Cells that a hop from beyond the edges can reach.
static void inflow_rows(int32_t begin, int32_t end, int32_t worker, void* job)
{
    const slab_bed* bed = job;
    const int32_t width = bed->ground->width;
    const int32_t height = bed->ground->height;
    const float hop = fabsf(bed->law.fetch_x) + fabsf(bed->law.fetch_y);
    const int32_t deep = (int32_t)(hop * (1.0f + bed->law.spread)) + 1;
    slab_flock flock;
    flock.count = 0;
    for (int32_t y = begin; y < end; ++y)
    {
        const bool whole = y < deep || y >= height - deep || width <= 2 * deep;
        for (int32_t x = 0; x < width; x += !whole && x == deep - 1 ? width - 2 * deep + 1 : 1)
        {
            inflow_cell(bed, (int64_t)y * width + x, &flock, &bed->tallies[worker]);
        }
    }
    inflow_land(bed, &flock, &bed->tallies[worker]);
}

void wadi_slab_flow_in(slab_bed* bed)
{
    if (bed->law.inflow > 0)
    {
        wadi_parallel_rows(bed->context, bed->ground->height, 8, inflow_rows, bed);
    }
}
