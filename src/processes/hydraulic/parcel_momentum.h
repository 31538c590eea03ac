// SPDX-License-Identifier: MIT
// Momentum of streams and erosion of their banks in bends. Only on levels whose cells are smaller
// than the decay length of momentum, 5-50 m; elsewhere `level->momentum` is NULL and these
// functions do nothing.
#pragma once

#include "processes/hydraulic/parcel.h"

// Momentum of the water that leaves a cell. Directions are averages of unit vectors along the
// upstream path; their length is below 1 after a bend.
typedef struct parcel_stream
{
    float slow_x; // average over the decay length
    float slow_y;
    float fast_x; // average over half the width of the stream
    float fast_y;
    float out_x; // unit vector to the outer bank
    float out_y;
    float retreat; // [cells] of the outer bank in this batch; 0: no stream, or no bend
    float depth;   // [units]
    float water;   // [weights]
    parcel_route route;
} parcel_stream;

// Momentum of the water that enters a cell: mean over its donors, weighted by water.
typedef struct parcel_arrival
{
    float slow_x;
    float slow_y;
    float fast_x;
    float fast_y;
} parcel_arrival;

// A cell as a bank of the streams around it, and as a stream between its banks.
typedef struct parcel_bank
{
    float give;     // factor that limits the erosion of this cell
    float accept;   // factor that limits the deposition on this cell
    float height;   // [units] of the stream's outer bank above its bed
    int32_t taken;  // [units] eroded by the stream from its outer bank
    int32_t change; // [units] of this cell
    bool near;      // a stream in a bend is in this cell or beside it
} parcel_bank;

typedef struct parcel_momentum
{
    parcel_stream* streams;  // padded
    parcel_bank* banks;      // padded
    parcel_arrival* arrival; // one per cell
    uint8_t* turns;          // by row: 1 where a stream is in a bend
} parcel_momentum;

wadi_result wadi_parcel_momentum_create(parcel_level* level);
void wadi_parcel_momentum_destroy(parcel_level* level);

// parcel_momentum.c: move the averages down the routes by one cell; after n batches they cover n
// cells.
void wadi_parcel_momentum_flow(parcel_level* level);

// parcel_banks.c: move matter from outer to inner banks.
void wadi_parcel_banks(parcel_level* level);

// Momentum flux of the water over its density, q u along the slow direction [m4/s2], by cell.
void wadi_parcel_momentum_map(const parcel_level* level, float* east, float* north);

// Do levels of this cell size [m] have momentum?
bool wadi_parcel_momentum_applies(const wadi_hydraulic_params* params, double cell);
