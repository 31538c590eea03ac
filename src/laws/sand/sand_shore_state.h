// SPDX-License-Identifier: MIT
// Memory that beaches and storms share.
#pragma once

#include "laws/sand/sand_shore.h"
#include "laws/sand/sand_storm.h"

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
};

// Cells that a beach of the flattest slope would have between the sea and a run-up [m].
int32_t wadi_sand_shore_reach(const wadi_ground* ground, double runup);

// Find the sea and the beach up to which waves run; returns the number of cells in `queue`.
int64_t wadi_sand_shore_spread(sand_shore* shore);

// The level of the sea at a year [units].
int32_t wadi_sand_shore_level(const sand_shore* shore, double year);

// The neighbour of a cell on a side; -1 beyond an edge.
int64_t wadi_sand_shore_neighbour(const wadi_ground* ground, int64_t cell, int side);
