// SPDX-License-Identifier: MIT
// The default model of running water: parcels of rain flow over a frozen terrain. They merge in a
// common cell, split where the gradient points between two neighbours, carry load, and leave over
// the edge. docs/theory/hydraulic.md has the equations.
//
// A level is the terrain at one cell size. A batch on a level has four passes:
//
// - flood: level of standing water, and slope of the fill of depressions (flow_flood.h)
// - routes: for each cell two receivers, detachment and deposition rates (parcel_routes_kernel.h)
// - walk: parcels flow from the highest cell of each tile to the lowest (parcel_walk.c)
// - slopes: creep, slides (parcel_slopes.c)
//
// Arrays that are read with neighbours are padded by one cell all around; the others are not.
#pragma once

#include "core/internal.h"
#include "laws/flow/flow_flood.h"
#include "processes/hydraulic/hydraulic_internal.h"

#include <stdatomic.h>

enum
{
    PARCEL_TILE =
        62, // cells per side of a tile, 64 with its halo; parcels that leave it wait for a batch
    PARCEL_TILE_CELLS = PARCEL_TILE * PARCEL_TILE,
    PARCEL_ROWS = 16,        // rows per block of the row passes
    PARCEL_WEIGHT = 64,      // water of a cell's mean rain in one batch [weights]
    PARCEL_WALL = INT32_MAX, // height of cells without data: no water flows to them
    PARCEL_HOLD = 8,         // route of a cell without a lower neighbour: parcels stay
    PARCEL_OUTLET = 9,       // route of a cell over which parcels leave the terrain
    PARCEL_VOID = 255        // `rim` of a cell without data
};

// Compass order of neighbours, clockwise from east; y grows to the south.
static const int32_t parcel_dx[8] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int32_t parcel_dy[8] = {0, 1, 1, 1, 0, -1, -1, -1};

// Receivers of a cell: share/256 of its parcel goes to neighbour b, the rest to neighbour a.
typedef uint16_t parcel_route; // a | b << 4 | share << 8

static inline parcel_route parcel_route_make(int32_t a, int32_t b, int32_t share)
{
    return (parcel_route)(a | b << 4 | share << 8);
}

// A body of standing water, identified by its label (index + 1).
typedef struct parcel_lake
{
    int64_t stored;   // [units x cells]
    int64_t capacity; // [units x cells] up to the sill
    int64_t cells;
    int64_t exit;            // cell outside into which the sill spills, or -1
    int64_t lowest;          // cell of the lake with the lowest ground
    int32_t level;           // [units] of the sill
    _Atomic int64_t arrived; // [weights] that reached the sill in this batch
} parcel_lake;

typedef struct parcel_level
{
    wadi_context* context;
    wadi_terrain* terrain; // of this level's cell size
    wadi_ground* ground;
    const wadi_hydraulic_params* params;
    uint32_t stream;

    int32_t width;
    int32_t height;
    int64_t cells;
    int32_t stride; // of padded arrays: width + 2
    int64_t padded; // elements of a padded array
    int32_t tiles_x;
    int32_t tiles_y;
    double cell;   // [m]
    double land;   // land area of the finest level, in cells of this level
    int32_t datum; // [units] subtracted from heights, so that they are >= 0
    bool has_outlet;
    bool has_hardness;
    int64_t sink; // without any outlet the lowest cell, else -1

    // padded
    int32_t* surface;       // [units] h
    int32_t* spare;         // [units] h after a slope pass
    int32_t* route_surface; // [units] R >= h
    float* ease;            // amplification of creep near failure: 1 / (1 - (S/S_c)^2)
    float* grip;            // share of creep that hard rock allows; NULL without hardness

    // one per cell
    uint8_t* rim; // 0 inside, PARCEL_VOID, or 1 + wadi_side of the open edge it lies on
    parcel_route* route;
    uint8_t* wet;                   // 1 where water stood when the routes were made
    int32_t* pick;                  // [units] to take in this batch
    int32_t* cap;                   // [units] largest deposit of this batch
    float* settle;                  // share of the load to deposit
    float* flow;                    // [weights] water that passed in the last batch
    float* discharge;               // [weights] running mean of the flow
    int32_t* rain;                  // [weights] per batch; NULL: PARCEL_WEIGHT everywhere
    _Atomic int64_t* water[2];      // [weights] waiting, now and for the next batch
    _Atomic int64_t* load[2];       // [units x cells]
    _Atomic uint8_t* tile_waits[2]; // by tile: 1 parcels wait on its rim, 2 elsewhere in it
    int64_t* filling;               // [weights] that waited while rivers filled, or NULL
    int32_t* wear;                  // [units] gross, borrowed; NULL on coarse levels
    int32_t* deposit;               // likewise

    // lakes, on the finest level only
    int32_t* label; // NULL on coarse levels
    parcel_lake* lakes;
    int32_t lake_count;
    int64_t lake_capacity;

    struct wadi_talus* talus;   // parcel_slopes.c
    float* tangents;            // of repose; one per cell
    wadi_tally* worker_tallies; // by worker
    int32_t* worker_rows;       // by worker: one row
    wadi_flow_flood* flood;
    uint32_t* outlets; // padded indices of the cells over which water leaves
    int64_t outlet_count;
    struct parcel_momentum* momentum;    // NULL where streams have no momentum
    struct parcel_walk_scratch* scratch; // parcel_walk.c: one per worker

    // batch
    int now;        // index of the waiting arrays of this batch
    uint32_t batch; // counts batches for random numbers
    double dt;      // [yr]; 0 while draining
    bool rains;
    double mean_rain;     // [m/yr]
    double weight_m3;     // water of one weight [m3/yr]
    int64_t weight_units; // water of one weight in the ledger [units x cells]

    // ledger entries of this level
    wadi_tally tally; // solids, in units x cells of this level
    int64_t water_in; // [weights]
    int64_t water_out[WADI_SIDE_COUNT];
    int64_t water_lost;
    int64_t lake_lost; // [units x cells] evaporated from lakes
    double moves;      // parcel moves
} parcel_level;

static inline int64_t parcel_padded_index(const parcel_level* level, int32_t x, int32_t y)
{
    return (int64_t)(y + 1) * level->stride + (x + 1);
}

// Cell reached from (x, y) in a direction, across periodic edges; it must exist.
static inline int64_t parcel_neighbour(const parcel_level* level, int32_t x, int32_t y,
                                       int32_t direction)
{
    int32_t nx = x + parcel_dx[direction];
    int32_t ny = y + parcel_dy[direction];
    nx = nx < 0 ? nx + level->width : nx >= level->width ? nx - level->width : nx;
    ny = ny < 0 ? ny + level->height : ny >= level->height ? ny - level->height : ny;
    return (int64_t)ny * level->width + nx;
}

// parcel_level.c: create and destroy a level
typedef struct parcel_level_def
{
    wadi_terrain* terrain;
    bool finest; // keeps lakes
    double land; // see parcel_level
    const wadi_hydraulic_params* params;
    const float* rain; // [m/yr] of this level's cells, or NULL
    int32_t* wear;     // [units] maps to add to; NULL on coarse levels
    int32_t* deposit;
    uint32_t stream;
} parcel_level_def;
wadi_result wadi_parcel_level_create(const parcel_level_def* def, parcel_level** out);
void wadi_parcel_level_destroy(parcel_level* level);
void wadi_parcel_level_read_ground(parcel_level* level);
void wadi_parcel_level_refresh_ghosts(const parcel_level* level, int32_t* padded);
void wadi_parcel_level_wrap(const parcel_level* level, void* padded,
                            size_t size); // periodic edges only

// parcel_batch.c: run some years on a level in some batches. Progress rises from `share_from` to
// `share_to`.
wadi_result wadi_parcel_level_run(parcel_level* level, double years, int32_t batches,
                                  double share_from, double share_to);

// parcel_level.c: flood `surface` into `out` (padded), tilted by some units per step along an axis
// and along a diagonal (flow_flood.h)
wadi_result wadi_parcel_flood(parcel_level* level, int32_t rise_axis, int32_t rise_diagonal,
                              int32_t* out);

// parcel_routes.c: routes and rates for some walks over the same surface.
void wadi_parcel_routes(parcel_level* level, float mean_rate, int32_t walks);

// parcel_walk.c: one walk; `dry` moves water only and leaves the ground unchanged.
wadi_result wadi_parcel_walk_create(parcel_level* level);
void wadi_parcel_walk_destroy(parcel_level* level);
void wadi_parcel_walk(parcel_level* level, bool dry);
// add a parcel to those that wait for the next walk
void wadi_parcel_walk_wait(parcel_level* level, int64_t cell, int64_t water, int64_t load);
bool wadi_parcel_walk_is_idle(const parcel_level* level);

// parcel_slopes.c
void wadi_parcel_slopes(parcel_level* level);

// parcel_lakes.c, on the finest level: find the lakes, evaporate and spill their water, write the
// water layer.
wadi_result wadi_parcel_lakes_label(parcel_level* level);
void wadi_parcel_lakes_spill(parcel_level* level);
wadi_result wadi_parcel_lakes_write(parcel_level* level);

// parcel_sink.c, without any outlet: deposit the load that reached the lowest cell around it.
void wadi_parcel_sink_pour(parcel_level* level);
