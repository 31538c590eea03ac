// SPDX-License-Identifier: MIT
// A mountain front with a river that leaves it, at any azimuth: land on which fans and deltas grow,
// and measurements of them.
#pragma once

#include "support/fixture.h"

typedef struct front_land
{
    int32_t size;   // cells along each side
    double cell;    // [m]
    double azimuth; // of the river, from east to south [degree]
    double slope;   // of the plain
    double sea;     // [m] depth of a level sea before the front; 0: a plain
    double gap;     // [m] width of the gap in the mountains
    double back;    // [m] from the west edge to the front, at azimuth 0
    uint64_t seed;
} front_land;

// A plain of 96 cells of 30 m that falls by 0.004.
front_land front_plain(void);

// 20 m of loose ground before a mountain front of rock, 60 m high, with a gap for a river.
wadi_terrain* front_terrain(fixture* f, const front_land* land);

// The mouth: where the river leaves the gap, in cells from the north-west corner.
void front_mouth(const front_land* land, double* x, double* y);

// A row of the table `inflow` for a river that enters in the gap: mean discharge [m3/s] and load
// [m3/yr].
void front_inflow(const front_land* land, double discharge, double load, double* row);

// A river of 50 m3/s in flood with a load of 0.01 of its water, on a solver of the model
// `alluvial` at its defaults.
wadi_solver* front_fan(wadi_terrain* terrain, const front_land* land,
                       const wadi_hydraulic_params* params);

// Heights of the ground [m], one for each cell.
void front_heights(const wadi_terrain* terrain, float* heights);

typedef struct front_measures
{
    double volume;   // [m3] of all that lies higher than before
    int32_t cells;   // with a deposit of more than a metre: the fan
    double cone;     // R2 of z = a - b r about the mouth
    double parabola; // the same with r2
    double plane;
    double slope;     // b
    double off;       // [degree] median angle between the fall of the fan and the radius
    double sector[6]; // share of the volume in sectors of 30 degrees, from left to right
    double tower;     // [m] most that a cell stands above the highest of its eight neighbours
} front_measures;

// Compare with the heights before [m].
front_measures front_measure(const wadi_terrain* terrain, const front_land* land,
                             const float* before);

// Direction of the strongest flow across a ring about the mouth [degree from the river's azimuth].
double front_heading(wadi_solver* solver, const front_land* land, double radius);
