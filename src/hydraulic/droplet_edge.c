// SPDX-License-Identifier: MIT
// What the vector kernel cannot do: steps over an edge or onto a cell without data, and ends.
#include "hydraulic/droplet_state.h"

#include <math.h>

enum
{
    EDGE_NONE = -1
};

static void edge_end(droplet* d)
{
    d->volume = 0.0f;
    d->load = 0;
}

void droplet_edge_expire(const wadi_droplets* droplets, droplet_worker* worker, droplet* d)
{
    worker->sums[d->cell] += droplet_entry(-d->load, 0);
    worker->tally.lost[WADI_MATERIAL_WATER] += droplets->water;
    edge_end(d);
}

// The droplet takes along what it carries and the water that is left of it.
static void edge_leave(const wadi_droplets* droplets, droplet_worker* worker, droplet* d,
                       wadi_side side)
{
    const int64_t left = (int64_t)((double)d->volume * (double)droplets->water);
    worker->tally.out[WADI_MATERIAL_WATER][side] += left;
    worker->tally.lost[WADI_MATERIAL_WATER] += droplets->water - left;
    worker->tally.out[WADI_MATERIAL_SEDIMENT][side] += d->load;
    edge_end(d);
}

// Bring one coordinate back to [0, size): wrapped, or mirrored at a closed edge. EDGE_NONE, or the
// open side it left by.
static int edge_fold(const wadi_ground* ground, wadi_side low, wadi_side high, float size,
                     float* place, float* speed)
{
    const wadi_side side = *place < 0.0f ? low : high;
    if (*place >= 0.0f && *place < size)
    {
        return EDGE_NONE;
    }
    if (ground->edges[side] == WADI_EDGE_OPEN)
    {
        return (int)side;
    }
    const float last = size * (1.0f - 0x1p-22f); // surely below size
    if (ground->edges[side] == WADI_EDGE_PERIODIC)
    {
        *place -= size * floorf(*place / size);
    }
    else
    {
        *place = side == low ? -*place : 2.0f * size - *place;
        *speed = -*speed;
    }
    // a droplet that flies further than the whole grid comes to rest at the wall
    *place = *place < last ? *place : last;
    *place = *place > 0.0f ? *place : 0.0f;
    return EDGE_NONE;
}

// Same transfer as in the kernel, for the step that crossed.
static void edge_transfer(const wadi_droplets* droplets, droplet_worker* worker, droplet* d,
                          int32_t to)
{
    const droplet_law* law = &droplets->law;
    const float fall = droplets->frozen[d->cell].level - droplets->frozen[to].level;
    const float pace = sqrtf(d->u * d->u + d->v * d->v);
    const float want = d->rest + droplet_exchange(law, d->volume, pace, fall, (float)d->load);
    const int32_t whole = droplet_round(want);
    // where droplets ask, the ground has not been asked for this step: it only receives
    const int32_t most = droplets->asks && whole > 0 ? 0 : whole;
    const int32_t gain = most > -d->load ? most : -d->load;
    worker->sums[d->cell] += droplet_entry(gain, (int32_t)(d->volume * DROPLET_WATER_PARTS + 0.5f));
    worker->steps += 1;
    worker->useful += 1;
    d->rest = droplets->asks ? 0.0f : want - (float)gain;
    d->load += gain;
    d->volume *= law->keep;
    d->pull *= law->grow;
    d->cell = to;
}

void droplet_edge_cross(const wadi_droplets* droplets, droplet_worker* worker, droplet* d)
{
    const wadi_ground* ground = droplets->ground;
    int side =
        edge_fold(ground, WADI_SIDE_WEST, WADI_SIDE_EAST, (float)ground->width, &d->x, &d->u);
    if (side == EDGE_NONE)
    {
        side = edge_fold(ground, WADI_SIDE_NORTH, WADI_SIDE_SOUTH, (float)ground->height, &d->y,
                         &d->v);
    }
    const int32_t to = side == EDGE_NONE ? (int32_t)d->y * ground->width + (int32_t)d->x : d->cell;
    if (side == EDGE_NONE && ground->valid[to] == 0)
    {
        side = WADI_SIDE_VOID;
    }
    if (side != EDGE_NONE)
    {
        edge_leave(droplets, worker, d, (wadi_side)side);
        return;
    }
    edge_transfer(droplets, worker, d, to);
    if (d->volume <= droplets->law.min_volume)
    {
        droplet_edge_expire(droplets, worker, d);
    }
}
