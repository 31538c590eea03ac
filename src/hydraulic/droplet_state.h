// SPDX-License-Identifier: MIT
// The inside of wadi_droplets, and its parts: pool (who is under way), run (a round of steps) and
// edge (what the vector kernel cannot do). The ground under them is particle/bed.h.
#pragma once

#include "hydraulic/droplet.h"
#include "hydraulic/droplet_law.h"
#include "particle/particle.h"

enum
{
    DROPLET_STRIDE = 16, // steps between two looks at who has met an edge; rounds are whole strides
    DROPLET_SHARE = 8    // cells to a droplet of a full pool
};

struct wadi_droplets
{
    wadi_terrain* terrain;
    wadi_context* context;
    particle_bed* bed;
    droplet_law law;
    droplet_kernel_fn* kernel;
    particle_places places;

    double per_year; // droplets
    double due;      // droplets not yet run; less than one between two calls
    int64_t spawned; // droplets since creation: the counter of the random numbers
    int64_t water;   // of a fresh droplet [units x cells]
    double years;    // advanced since creation
    wadi_droplet_work work;

    droplet* pool; // the first `live` are under way
    droplet* spare;
    int32_t* tile_starts;
    int32_t capacity;
    int32_t live;
    int32_t round; // steps of a round when the pool is full

    bool hard;    // some cell withstands
    bool asks;    // in this round droplets ask before they take
    int32_t care; // rounds for which they go on asking, though the ground is soft

    float* momentum; // sampled volume x speed
    float* passing;  // sampled volume
};

// Kernels of one instruction set that runs here, instead of the best.
void droplet_use(wadi_droplets* droplets, wadi_isa isa);

// pool: bring in up to `due` fresh droplets; let go of those that have ended and keep neighbours
// together; note speeds for the velocity map.
void droplet_pool_fill(wadi_droplets* droplets, int64_t* due);
void droplet_pool_compact(wadi_droplets* droplets);
void droplet_pool_sort(wadi_droplets* droplets);
void droplet_pool_sample(wadi_droplets* droplets);
// Matter under way in droplets [units x cells].
int64_t droplet_pool_load(const wadi_droplets* droplets);

// run: `count` steps of all droplets on the frozen ground; those that end are marked.
void droplet_run(wadi_droplets* droplets, int32_t count);
// The same without consequences: takes are added to the workers' demands, as if droplets were
// empty, which bounds what they can want.
void droplet_run_ask(wadi_droplets* droplets, int32_t count);
// All droplets end where they are.
void droplet_run_abandon(wadi_droplets* droplets);

// edge: finish the step of a droplet that has crossed an edge; may end it.
void droplet_edge_cross(const wadi_droplets* droplets, particle_worker* worker, droplet* d);
// The same without consequences, for a droplet that only asks.
void droplet_edge_follow(const wadi_droplets* droplets, droplet* d);
// A droplet is used up: its load stays where it stands.
void droplet_edge_expire(const wadi_droplets* droplets, particle_worker* worker, droplet* d);

static inline bool droplet_has_ended(const droplet* d)
{
    return d->volume == 0.0f;
}
