// SPDX-License-Identifier: MIT
// Streams that remember where they were going, and the banks they eat where they must turn. Only on
// levels whose cells are finer than that memory, which is 5-50 m: elsewhere `level->momentum` is
// NULL and nothing here does anything.
#pragma once

#include "hydraulic/parcel.h"

// What the water of a cell remembers as it leaves. Directions are averages of unit vectors over the
// way it came: their length is under 1 where it has turned.
typedef struct parcel_stream
{
    float slow_x; // over the way on which friction stops water
    float slow_y;
    float fast_x; // over half the width of the stream
    float fast_y;
    float out_x; // unit vector to the outer bank
    float out_y;
    float retreat; // [cells] of the outer bank in this batch; 0: no stream, or no bend
    float depth;   // [units]
    float water;   // [weights]
    parcel_route route;
} parcel_stream;

// What arrives in a cell: weighted by water over all that flows to it.
typedef struct parcel_arrival
{
    float slow_x;
    float slow_y;
    float fast_x;
    float fast_y;
} parcel_arrival;

// A cell as bank of the streams around it, and as stream between its banks.
typedef struct parcel_bank
{
    float give;     // share of what streams want from this cell that they get
    float accept;   // share of what streams offer this cell that it takes
    float height;   // [units] of the stream's outer bank above its bed
    int32_t taken;  // [units] that the stream took from its outer bank
    int32_t change; // [units] of the cell
    bool near;      // a stream that turns is in this cell or beside it
} parcel_bank;

typedef struct parcel_momentum
{
    parcel_stream* streams;  // padded
    parcel_bank* banks;      // padded
    parcel_arrival* arrival; // one per cell
    uint8_t* turns;          // by row: 1 where a stream turns
} parcel_momentum;

wadi_result parcel_momentum_create(parcel_level* level);
void parcel_momentum_destroy(parcel_level* level);

// parcel_momentum.c: follow the routes for one cell, so that after so many batches the memory
// reaches as many cells back.
void parcel_momentum_flow(parcel_level* level);

// parcel_banks.c: move matter from outer banks to inner ones.
void parcel_banks(parcel_level* level);

// Momentum of the water over its density, q u along what it remembers [m4/s2], one value a cell.
void parcel_momentum_map(const parcel_level* level, float* east, float* north);

// Whether levels of this cell size [m] keep the direction of streams.
bool parcel_momentum_applies(const wadi_hydraulic_params* params, double cell);
