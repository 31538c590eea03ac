// SPDX-License-Identifier: MIT
// Floods of the model "inertial" on ground that a function draws.
#pragma once

#include "support/fixture.h"

#include <wadi/flood_route.h>

// Height of the ground [m] at a place in metres from the south-west corner; NaN: no data.
typedef double surge_ground(double x, double y, const void* shape);

typedef struct surge
{
    fixture f;
    wadi_terrain* terrain;
    wadi_solver* solver; // NULL until the first surge_run()
    wadi_flood_params params;
    int32_t width;
    int32_t height;
    double cell;
} surge;

// Open a terrain with the same edge on all sides, and parameters without inflow.
void surge_open(surge* s, int32_t width, int32_t height, double cell, wadi_edge edge,
                surge_ground* ground, const void* shape);
void surge_close(surge* s);
void surge_create(surge* s);
// Discharge by hours, rows x 2, of the line of the parameters.
void surge_hydrograph(surge* s, const double* rows, int32_t count);
// Let `depth` metres of water stand on all cells whose ground is below `level`, up to it.
void surge_fill(surge* s, double level);
// Run for some hours, and check the books.
void surge_run(surge* s, double hours);

// Water at a cell, counted from the north-west.
double surge_depth(const surge* s, int32_t column, int32_t row);
double surge_level(const surge* s, int32_t column, int32_t row);

// Low hills, as ground to draw; there is no shape.
double surge_hills(double x, double y, const void* shape);

enum
{
    SURGE_ROUGH = 60 // cells
};

// A solver on rough ground with holes, SURGE_ROUGH cells along each side.
wadi_solver* surge_on_rough(fixture* f, const wadi_flood_params* params);
