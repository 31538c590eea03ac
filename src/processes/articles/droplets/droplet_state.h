// SPDX-License-Identifier: MIT
// Internals of wadi_droplets: pool (active droplets), run (a round of steps) and edge (cases
// outside the vector kernel). The ground is lockstep/bed.h.
#pragma once

#include "lockstep/particle.h"
#include "processes/articles/droplets/droplet.h"
#include "processes/articles/droplets/droplet_law.h"
#include "processes/articles/droplets/droplet_rain.h"

enum
{
    DROPLET_STRIDE = 16, // steps between two checks of lanes; a round is a multiple of it
    DROPLET_SHARE = 8    // cells per droplet of a full pool
};

struct wadi_droplets
{
    wadi_terrain* terrain;
    wadi_context* context;
    particle_bed* bed;
    droplet_law law;
    droplet_steps_fn* kernel;
    particle_places places;
    droplet_rain rain; // rows NULL: even

    double span;     // length of a step [yr]
    double per_year; // droplets
    double due;      // droplets not yet run; less than one between two calls
    int64_t spawned; // droplets since creation: counter of the random numbers
    int64_t water;   // of a new droplet [units x cells]
    double years;    // advanced since creation
    bool noted;      // that rivers stay dry
    wadi_droplet_work work;

    droplet* pool; // the first `live` are active
    droplet* spare;
    int32_t* tile_starts;
    int32_t capacity;
    int32_t live;
    int32_t round; // steps of a round with a full pool

    bool hard;              // some cell has hardness above 0
    bool limited;           // transfers of this round are limited to what cells grant
    int32_t limited_rounds; // limited rounds still to run, even if the ground is soft

    float* momentum; // sampled volume x speed
    float* passing;  // sampled volume
};

// Use the kernels of a given instruction set, which must be supported, instead of the best.
void wadi_droplet_use(wadi_droplets* droplets, wadi_isa isa);

// pool: add up to `due` new droplets; remove ended droplets; sort by tile; sample speeds for the
// velocity map.
void wadi_droplet_pool_fill(wadi_droplets* droplets, int64_t* due);
void wadi_droplet_pool_compact(wadi_droplets* droplets);
void wadi_droplet_pool_sort(wadi_droplets* droplets);
void wadi_droplet_pool_sample(wadi_droplets* droplets);
// Load of all active droplets [units x cells].
int64_t wadi_droplet_pool_load(const wadi_droplets* droplets);

// run: `count` steps of all droplets on the frozen ground; ended droplets are marked.
void wadi_droplet_run(wadi_droplets* droplets, int32_t count);
// The same steps, but what droplets would take is only summed up in the cells. Droplets count as
// empty, so a demand is an upper bound of the transfer.
void wadi_droplet_run_demands(wadi_droplets* droplets, int32_t count);
// End all droplets at their places.
void wadi_droplet_run_stop(wadi_droplets* droplets);

// edge: finish the step of a droplet that has crossed an edge; may end it.
void wadi_droplet_edge_cross(const wadi_droplets* droplets, particle_worker* worker, droplet* d);
// The same without effect on the ground, for demands.
void wadi_droplet_edge_move(const wadi_droplets* droplets, droplet* d);
// End a droplet whose water is used up: its load stays in its cell.
void wadi_droplet_edge_expire(const wadi_droplets* droplets, particle_worker* worker, droplet* d);

static inline bool droplet_has_ended(const droplet* d)
{
    return d->volume == 0.0f;
}
