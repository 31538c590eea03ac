// SPDX-License-Identifier: MIT
// The inside of the grains, and its parts: pool (who is under way), run (a batch of steps), edge
// (what the vector kernel cannot do), land (the ground under them) and archive.
//
// A batch: all grains of the pool take the same number of steps on frozen ground and add integers
// to sums; then the land settles. The demand of a batch is known only when it is over. Where every
// cell has enough sand, it stands. Otherwise it runs again, and each visit takes what the cell
// grants (lockstep/grant.h). Paths and demand do not depend on loads, so both runs visit the same
// cells. Each run has a kernel of its own: the first sums up demand, the second reads grants.
#pragma once

#include "core/internal.h"
#include "lockstep/particle.h"
#include "processes/articles/wind_grains/grain_kernels.h"
#include "processes/wind/wind_internal.h"

enum
{
    GRAIN_STRIDE = 16 // steps between two looks at who has met an edge; batches are whole strides
};

// The ground in padded arrays: a rim of one cell around the grid, cell (x, y) at
// (y + 1) * stride + x + 1. Looked after in chunks of GRAIN_CHUNK cells, of which only those that
// grains have visited, and their neighbours, cost anything.
typedef struct grain_land
{
    wadi_context* context;
    wadi_ground* ground;
    grain_slope slope; // of the arrays below
    grain_cascade_fn* cascade;
    grain_freeze_fn* freeze;
    int32_t stride;
    int32_t total;  // padded cells
    int32_t chunks; // in all
    grain_cell* frozen;
    int32_t* levels;  // surface [units]
    int32_t* sand;    // all loose layers [units]
    float* rates;     // cascades of this batch
    int32_t* changes; // of this batch [units]
    int32_t* flows;   // of them, those by cascades; before that grants, in the chunks visited
    int32_t* rubs;    // rock rubbed off in this batch [units]
    uint8_t* visited; // chunks: grains were there in this batch
    uint8_t* near;    // chunks that those touch
    uint8_t* far;     // and those that these touch
    float* wear;      // [units] since creation
    float* deposit;   // [units] since creation
    float rate;       // that one cascade moves of an excess
    uint32_t batch;   // counter
} grain_land;

// What one worker does in a batch.
typedef struct grain_worker
{
    grain_sums sums;
    int64_t out[WADI_SIDE_COUNT]; // sand that left [units]
    int64_t steps;
    int64_t contacts;
    int64_t lifted;   // gross [units]
    wadi_tally tally; // of the land
    bool is_short;    // some cell was asked for more sand than it has
} grain_worker;

typedef struct wadi_grains
{
    wadi_terrain* terrain;
    wadi_context* context;
    grain_law law;
    grain_steps_fn* kernel;
    grain_land land;
    grain_worker* workers;
    int32_t worker_count;
    uint64_t seed;
    uint32_t stream;

    double per_year; // grains
    double step;     // [yr] given; 0: automatic
    int64_t due;     // parts of a grain that wait for the next step
    double years;    // advanced since creation
    int64_t spawned; // the counter of the random numbers
    int64_t started; // grains that have set out: spawned, or come round on a torus
    int64_t batches;
    int64_t again; // batches that ran twice
    int64_t steps;
    int64_t contacts;
    int64_t lifted; // [units]
    int64_t laid;

    grain* pool; // the first `live` are under way, then `parked`
    grain* spare;
    int32_t* tile_starts;
    int32_t capacity;
    int32_t live;

    float* track; // samples of grains in contact, since creation
    float* samples;
    float* speed;  // sum of their speeds [cells per unit of time]
    float* flux_x; // load x displacement [units x cells]
    float* flux_y;
    float* airborne; // load over each cell at the last sample [units]
} wadi_grains;

static inline int32_t grain_padded(const grain_land* land, int32_t x, int32_t y)
{
    return (y + 1) * land->stride + x + 1;
}

// Kernels of one instruction set that runs here, instead of the best.
void wadi_grain_use(wadi_grains* grains, wadi_isa isa);

// land: memory; read the ground as it stands; settle it after a batch, or refuse (false), with
// grants in the sums, which are empty otherwise. A batch with grants is never refused.
wadi_result wadi_grain_land_create(grain_land* land, wadi_terrain* terrain);
void wadi_grain_land_destroy(grain_land* land);
void wadi_grain_land_read(grain_land* land);
bool wadi_grain_land_plan(grain_land* land, grain_worker* workers, int32_t worker_count,
                          bool granted);
void wadi_grain_land_settle(grain_land* land, grain_worker* workers);

// pool: bring in fresh grains at the edges that the wind blows in at, up to `due`; let go of those
// that have ended; keep neighbours together; sample the maps.
void wadi_grain_pool_fill(wadi_grains* grains, int64_t* due);
int32_t wadi_grain_pool_crowd(const grain_law* law); // most fresh grains of a batch
void wadi_grain_pool_compact(wadi_grains* grains);
void wadi_grain_pool_sort(wadi_grains* grains);
void wadi_grain_pool_swap(wadi_grains* grains); // pool and spare
int32_t wadi_grain_pool_tiles(const grain_law* law);
void wadi_grain_pool_sample(wadi_grains* grains, int32_t steps);
int64_t wadi_grain_pool_load(const wadi_grains* grains); // sand in the air [units]

// run: `count` steps of all grains, from `pool` to `spare`; `granted`: by the grants in the sums.
void wadi_grain_run(wadi_grains* grains, int32_t count, bool granted);

// archive: all that is kept between steps.
wadi_result wadi_wind_grains_archive(void* user, wadi_archive* archive);

// edge: bring back, park or end a grain that has crossed an edge or come to rest.
void wadi_grain_edge_cross(const wadi_grains* grains, grain_worker* worker, grain* g);
void wadi_grain_edge_expire(const wadi_grains* grains, grain_worker* worker, grain* g);
