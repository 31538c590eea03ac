// SPDX-License-Identifier: MIT
// Cases outside the vector kernel: steps over an edge or onto a void cell, and ends of droplets.
#include "lockstep/lanes.h"
#include "lockstep/particle.h"
#include "processes/articles/droplets/droplet_state.h"

#include <math.h>

static void edge_end(droplet* d)
{
    d->volume = 0.0f;
    d->load = 0;
}

void wadi_droplet_edge_expire(const wadi_droplets* droplets, particle_worker* worker, droplet* d)
{
    worker->cells[d->cell].sum += particle_entry(-d->load, 0);
    worker->tally.lost[WADI_MATERIAL_WATER] += droplets->water;
    edge_end(d);
}

// The droplet leaves with its load and its remaining water.
static void edge_leave(const wadi_droplets* droplets, particle_worker* worker, droplet* d,
                       wadi_side side)
{
    const int64_t left = (int64_t)((double)d->volume * (double)droplets->water);
    worker->tally.out[WADI_MATERIAL_WATER][side] += left;
    worker->tally.lost[WADI_MATERIAL_WATER] += droplets->water - left;
    worker->tally.out[WADI_MATERIAL_SEDIMENT][side] += d->load;
    edge_end(d);
}

static void edge_go_on(const droplet_law* law, droplet* d, int32_t to)
{
    d->volume *= law->keep;
    d->pull *= law->grow;
    d->cell = to;
}

// Mass transfer, as in the kernel, for the step that crossed.
static void edge_transfer(const wadi_droplets* droplets, particle_worker* worker, droplet* d,
                          int32_t to)
{
    const droplet_law* law = &droplets->law;
    const float fall = worker->cells[d->cell].level - worker->cells[to].level;
    const float pace = sqrtf(d->u * d->u + d->v * d->v);
    const float want = d->rest + droplet_exchange(law, d->volume, pace, fall, (float)d->load);
    const int32_t whole = lanes_round(want);
    // demands of a limited round do not include this step: the ground may only receive
    const int32_t most = droplets->limited && whole > 0 ? 0 : whole;
    const int32_t gain = most > -d->load ? most : -d->load;
    worker->cells[d->cell].sum +=
        particle_entry(gain, (int32_t)(d->volume * DROPLET_WATER_PARTS + 0.5f));
    worker->steps += 1;
    worker->useful += 1;
    d->rest = droplets->limited ? 0.0f : want - (float)gain;
    d->load += gain;
    edge_go_on(law, d, to);
}

// Target of the step: the cell, and PARTICLE_INSIDE or the side over which the droplet left.
static int edge_land(const wadi_droplets* droplets, droplet* d, int32_t* to)
{
    const wadi_ground* ground = droplets->bed->ground;
    const particle_axis across = {WADI_SIDE_WEST, WADI_SIDE_EAST, ground->edges, ground->width};
    const particle_axis down = {WADI_SIDE_NORTH, WADI_SIDE_SOUTH, ground->edges, ground->height};
    int side = wadi_particle_apply_edge(&across, &d->x, &d->u);
    if (side == PARTICLE_INSIDE)
    {
        side = wadi_particle_apply_edge(&down, &d->y, &d->v);
    }
    *to = side == PARTICLE_INSIDE ? (int32_t)d->y * ground->width + (int32_t)d->x : d->cell;
    return side == PARTICLE_INSIDE && ground->valid[*to] == 0
               ? (int)wadi_ground_void_side(ground, *to)
               : side;
}

void wadi_droplet_edge_cross(const wadi_droplets* droplets, particle_worker* worker, droplet* d)
{
    int32_t to;
    const int side = edge_land(droplets, d, &to);
    if (side != PARTICLE_INSIDE)
    {
        edge_leave(droplets, worker, d, (wadi_side)side);
        return;
    }
    edge_transfer(droplets, worker, d, to);
    if (d->volume <= droplets->law.min_volume)
    {
        wadi_droplet_edge_expire(droplets, worker, d);
    }
}

void wadi_droplet_edge_move(const wadi_droplets* droplets, droplet* d)
{
    int32_t to;
    const bool leaves = edge_land(droplets, d, &to) != PARTICLE_INSIDE;
    edge_go_on(&droplets->law, d, to);
    if (leaves || d->volume <= droplets->law.min_volume)
    {
        edge_end(d);
    }
}
