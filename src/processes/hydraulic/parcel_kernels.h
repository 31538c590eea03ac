// SPDX-License-Identifier: MIT
// Row kernels, compiled once for each instruction set, and their arguments.
#pragma once

#include "core/isa.h"
#include "processes/hydraulic/parcel.h"

// Constants of the rates, in units of height and weights of water.
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
    float lake_share;  // largest share of its water depth that a flooded cell may gain
    float lake_cap;    // largest gain of a flooded cell [units]
    int32_t wet_depth; // least depth R - h that counts as water [units]
} parcel_rate_constants;

// One row: padded arrays point at its first cell; `stride` leads to the next row.
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

// Creep of one row, in two passes: amplification near failure, then exchange between neighbours.
typedef struct parcel_creep_row
{
    const int32_t* surface; // padded, at the row's first cell
    const float* grip;      // padded likewise, or NULL: share of creep that a cell's rock allows
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
    void (*routes)(const parcel_row* row);
    void (*creep_ease)(const parcel_creep_row* row);
    void (*creep)(const parcel_creep_row* row);
} parcel_kernels;

WADI_ISA_KERNELS(parcel_kernels)
