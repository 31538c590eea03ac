// SPDX-License-Identifier: MIT
// Memory that beaches and storms share.
#pragma once

#include "laws/sand/sand_shore.h"
#include "laws/sand/sand_storm.h"

// A cell of the halo from which a beach goes on.
typedef struct sand_shore_seed
{
    int32_t steps; // from the water line
    int32_t cell;
} sand_shore_seed;

struct sand_shore
{
    wadi_context* context;
    const wadi_terrain* terrain;
    const wadi_ground* ground;
    int32_t given;       // [units] level of the sea, if the terrain has none
    int32_t usual;       // [units] run-up of waves that bring sand
    int32_t usual_reach; // [cells]
    double supply;       // [units/yr]

    // the waves of now
    int32_t level; // [units] of the sea
    int32_t surge; // [units] of a storm, above `level`
    int32_t runup; // [units] above `level`, with the surge
    int32_t reach; // [cells] of the run-up from the water line
    int64_t steep; // [units] waves do not run up a neighbour that is so much higher

    sand_storm_law storm;
    int32_t* dry;   // by cell: steps from the water line, 0 in the sea; -1: not reached
    int32_t* queue; // reached cells, those of the sea first

    // windows only
    int32_t* ring;          // cells of the halo beside owned ones
    int32_t ring_count;     // of them
    sand_shore_seed* seeds; // room for those that are reached
};

// Reached cells are found in two passes: all of the sea, then the beach.
typedef enum sand_shore_pass
{
    SAND_SHORE_SEA,
    SAND_SHORE_BEACH
} sand_shore_pass;

// Cells that a beach of the flattest slope would have between the sea and a run-up [m].
int32_t wadi_sand_shore_reach(const wadi_ground* ground, double runup);

// Find the sea and the beach up to which waves run; returns the number of cells in `queue`. Of the
// whole grid only.
int64_t wadi_sand_shore_spread(sand_shore* shore);
// The same `dry` in windows, with that of the halo. `queue` is scratch then.
wadi_result wadi_sand_shore_spread_windows(sand_shore* shore);
// Memory of the ring; nothing without windows.
wadi_result wadi_sand_shore_ring_create(sand_shore* shore);

// Begin with cells of the sea beside an edge that is not periodic, or beside a void. `last`: cells
// in `queue`.
void wadi_sand_shore_begin(sand_shore* shore, int64_t* last);
// Visit the neighbours of a reached cell. Those that are reached anew are added to `queue`.
void wadi_sand_shore_visit_around(sand_shore* shore, int64_t cell, sand_shore_pass pass,
                                  int64_t* last);

// The level of the sea at a year [units].
int32_t wadi_sand_shore_level(const sand_shore* shore, double year);

// The neighbour of a cell on a side; -1 beyond an edge.
int64_t wadi_sand_shore_neighbour(const wadi_ground* ground, int64_t cell, int side);
