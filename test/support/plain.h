// SPDX-License-Identifier: MIT
// A plain of loose ground for rivers of the model "alluvial": it falls to the east, between walls.
#pragma once

#include "support/fixture.h"

typedef struct plain_land
{
    int32_t width;
    int32_t height;
    double fall;    // to the east
    wadi_edge east; // the other edges are closed
    int32_t hole;   // a column without data; -1: none
    // Metres of bare rock over the plain at a column and row; 0: 20 m of loose ground. NULL: none.
    double (*rock)(int32_t x, int32_t y);
} plain_land;

#define PLAIN_CELL 20.0 // [m]

// A plain of `size` cells along each side with an open edge in the east.
plain_land plain_falling(int32_t size, double fall);

// The model "alluvial" with 40 parcels.
wadi_hydraulic_params plain_params(void);

wadi_terrain* plain_terrain(fixture* f, const plain_land* land);

// A solver with a river that enters at a place [m]: mean discharge [m3/s] and load [m3/yr].
wadi_solver* plain_river(wadi_terrain* terrain, const wadi_hydraulic_params* params, double x,
                         double y, double discharge, double load);

// A copy that is restored from the saved state of ground and solver. Both live for `years`; the
// test fails if their bits differ. The copy is the caller's.
wadi_solver* plain_restored(wadi_solver* solver, double years);

// Check the books, and destroy solver and terrain.
void plain_close(wadi_solver* solver);
