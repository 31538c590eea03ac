// SPDX-License-Identifier: MIT
// Row kernels, compiled once for each instruction set, and what they work on.
#pragma once

#include "hydraulic/parcel.h"

// All that the rates need, in units of height and weights of water.
typedef struct parcel_rate_constants
{
    float mean_rate;   // of the running mean of the discharge
    float slope_scale; // height units per cell -> slope [m/m]
    float pick_scale;  // dt K (m3/yr per weight)^m in units
    float m;
    float n;
    bool slope_is_linear; // n = 1
    float loose_factor;   // K of loose sediment over that of rock
    float incision_limit;
    float deposit_limit;
    float settling; // G x weight of a cell's rain
    float lake_settling;
    float lake_share;  // of its depth that a flooded cell may gain
    float lake_cap;    // [units]
    int32_t wet_depth; // [units] of R above h that counts as water
} parcel_rate_constants;

// One row: padded arrays point at its first cell, `stride` apart from the rows beside it.
typedef struct parcel_row
{
    const parcel_rate_constants* constants;
    const int32_t* route_surface;
    const int32_t* surface;
    ptrdiff_t stride;
    int32_t count;
    const int32_t* loose;
    const float* flow;
    float* discharge;
    parcel_route* route;
    uint8_t* wet;
    int32_t* pick;
    int32_t* cap;
    float* settle;
} parcel_row;

// A row in search of pits: cells without a neighbour that is lower by the drop.
typedef struct parcel_pits_row
{
    const int32_t* surface; // padded, at the row's first cell
    ptrdiff_t stride;
    int32_t count;
    int32_t drop[2];        // [units] by axis and diagonal
    const uint8_t* outline; // what each cell is
    uint8_t open;           // outline of a cell that may be a pit
    uint8_t pit;            // what to call it then
    uint8_t* state;
} parcel_pits_row;

// Creep of one row, in two passes: how near each cell is to failing, and the exchange.
typedef struct parcel_creep_row
{
    const int32_t* surface; // padded, at the row's first cell
    const float* grip;      // padded likewise, or NULL: share that a cell lets go
    ptrdiff_t stride;
    int32_t count;
    float rate;      // D dt / L^2 of one substep
    float steepness; // 1 / (critical slope x cell) [1/units]
    float* ease;     // padded: 1 / (1 - (S/S_c)^2)
    int32_t* change; // [units], second pass
} parcel_creep_row;

// The kernels of one instruction set.
typedef struct parcel_kernels
{
    const char* name;
    void (*pits)(const parcel_pits_row* row);
    void (*routes)(const parcel_row* row);
    void (*creep_ease)(const parcel_creep_row* row);
    void (*creep)(const parcel_creep_row* row);
} parcel_kernels;

extern const parcel_kernels parcel_kernels_base;
#if defined(WADI_X86_KERNELS)
extern const parcel_kernels parcel_kernels_avx2;
extern const parcel_kernels parcel_kernels_avx512;
#endif

// The widest set this machine has. The bits are the same with each.
const parcel_kernels* parcel_kernels_pick(void);
