// SPDX-License-Identifier: MIT
// State of the process "ice", shared by ice.c (the process), ice_flow.c (how ice flows) and
// ice_bed.c (wear and debris).
#pragma once

#include "ice.h"

#include <wadi/archive.h>
#include <wadi/model.h>

#include <math.h>
#include <stddef.h>
#include <string.h>

#define ICE_LIMIT (WADI_HEIGHT_LIMIT * WADI_UNITS_PER_METRE) // [units] of heights

enum
{
    ICE_GRAIN = 16,  // rows of a block of parallel work
    ICE_CLOSED = -1, // no neighbour, and no way out
    ICE_OUT = -2     // ice that goes there leaves the grid
};

typedef struct ice_cell
{
    double ice;       // thickness [m]
    double ease;      // c of the constriction
    double out[4];    // flux of ice to each side [m2/yr]
    double moved[4];  // the same in this turn, as thickness [m]
    double melted;    // in this turn [m]
    double mean;      // thickness x time in this turn [m yr]
    double speed;     // of the last turn [m/yr]
    double due;       // wear that is less than a unit [units]
    int64_t debris;   // [units] in the ice
    int64_t arriving; // [units] debris from neighbours
    int64_t wear;     // [units] taken since the start
    int64_t till;     // [units] deposited since the start
} ice_cell;

typedef struct ice_state
{
    wadi_terrain* terrain;
    wadi_context* context;
    ice_params params;
    int32_t width;
    int32_t height;
    double dx;         // [m]
    double flow;       // (rho g)^3 2 A / 5 [1/(m3 yr)]
    double slide;      // (rho g)^3 f [1/(m yr)]
    ice_cell* cells;   // width x height
    double* ice;       // thickness after a step [m]
    double* fastest;   // largest D of each row [m2/yr]
    int32_t* ground;   // surface of rock and sediment [units]; WADI_NO_UNITS: void
    int32_t* rock_top; // top of the rock [units]
    double step;       // [yr]
    double years;      // since the start
    int64_t rock;      // [units x cells] worn since the start
} ice_state;

// The neighbour of a cell on one side, ICE_CLOSED or ICE_OUT; *side is where ice would leave.
ptrdiff_t ice_next(const ice_state* state, int32_t x, int32_t y, int32_t* side);

// Move the ice for a time: as many steps as stability needs.
void ice_flow(ice_state* state, double years);

// Wear of the bed under one cell, by the sliding part of its speed; debris goes into the ice.
void ice_wear(ice_state* state, ptrdiff_t i, double years, wadi_tally* tally);
// Move the debris of a cell with its ice, and lay it down where the ice melts.
void ice_carry(ice_state* state, ptrdiff_t i, double years, wadi_tally* tally);
// Lay debris of a cell down where it is. Debris in a cell that has become void leaves the grid.
void ice_lay(ice_state* state, ptrdiff_t i, int64_t amount, wadi_tally* tally);
