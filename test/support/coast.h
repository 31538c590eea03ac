// SPDX-License-Identifier: MIT
// A square of land and sea at level 0 for the tests of coasts, with cells of 10 m and waves that do
// not depend on their direction.
#pragma once

#include "support/fixture.h"

typedef struct coast_world
{
    fixture f;
    wadi_terrain* terrain;
    wadi_solver* solver; // NULL before the first coast_run()
    wadi_coast_params params;
} coast_world;

typedef float coast_shape(int32_t x, int32_t y);

// Set `params` before coast_run().
void coast_open(coast_world* w, int32_t size, wadi_edge edge, coast_shape* shape);
void coast_open_edges(coast_world* w, int32_t size, const wadi_edge* edges, coast_shape* shape);
void coast_run(coast_world* w, double years);
void coast_close(coast_world* w);
