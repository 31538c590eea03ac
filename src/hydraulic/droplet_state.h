// SPDX-License-Identifier: MIT
// The inside of wadi_droplets, and its parts: pool (who is under way), run (a round of steps),
// edge (what the vector kernel cannot do) and settle (the ground after a round).
#pragma once

#include "core/internal.h"
#include "hydraulic/droplet.h"
#include "hydraulic/droplet_law.h"

enum
{
    DROPLET_STRIDE = 16, // steps between two looks at who has met an edge; rounds are whole strides
    DROPLET_SHARE = 32   // cells to a droplet of a full pool
};

// What one worker adds to; merged after the round.
typedef struct droplet_worker
{
    int64_t* sums;    // matter and water a cell has got this round: see DROPLET_MATTER_BITS
    int64_t* demands; // the same of a round in which droplets only ask; NULL before the first
    wadi_tally tally;
    int64_t steps;
    int64_t useful;
    int64_t moved; // |changes| of this round [units x cells]
    int64_t owed;  // of them, beyond what the cell could give
} droplet_worker;

struct wadi_droplets
{
    wadi_terrain* terrain;
    wadi_context* context;
    wadi_ground* ground;
    droplet_law law;
    const droplet_isa* isa;
    uint64_t seed;
    uint32_t stream;

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

    droplet_worker* workers;
    int32_t worker_count;
    droplet_ground* frozen; // (height x width)
    int32_t* levels;        // surface [units], (height + 2) x (width + 2): a rim around the grid
    int32_t datum;          // [units] that frozen levels count from
    int32_t* changes;       // of this round [units]
    int32_t* spills;        // + excess that flows off, - debt that the neighbours pay
    uint8_t* spill_flags;   // one a chunk
    bool hard;              // some cell withstands
    bool asks;              // in this round droplets ask before they take
    int32_t care;           // rounds for which they go on asking, though the ground is soft
    float* shares;          // of a demand that a cell can meet; from the first round that asks on

    float* wear;     // [units]
    float* deposit;  // [units]
    float* flow;     // [1/16 droplet]
    float* momentum; // sampled volume x speed
    float* passing;  // sampled volume
};

static inline int32_t* droplet_levels_row(const wadi_droplets* droplets, int32_t row)
{
    return droplets->levels + (int64_t)(row + 1) * (droplets->ground->width + 2) + 1;
}

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
// The same without consequences: takes are added to the workers' demands.
void droplet_run_ask(wadi_droplets* droplets, const droplet_law* law, int32_t count);
// All droplets end where they are.
void droplet_run_abandon(wadi_droplets* droplets);

// demand: find out what each cell is asked for in the coming round, and from that the share of it
// that the cell can give.
bool droplet_demand_is_hard(const wadi_droplets* droplets);
wadi_result droplet_demand_allocate(wadi_droplets* droplets);
void droplet_demand(wadi_droplets* droplets, int32_t steps);

// edge: finish the step of a droplet that has crossed an edge; may end it.
void droplet_edge_cross(const wadi_droplets* droplets, droplet_worker* worker, droplet* d);
// A droplet is used up: its load stays where it stands.
void droplet_edge_expire(const wadi_droplets* droplets, droplet_worker* worker, droplet* d);

static inline bool droplet_has_ended(const droplet* d)
{
    return d->volume == 0.0f;
}

// freeze: read the ground as it stands.
void droplet_settle_start(wadi_droplets* droplets);
