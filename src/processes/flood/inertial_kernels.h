// SPDX-License-Identifier: MIT
// The three passes of a step of inertial shallow water over a run of tiles, compiled once for each
// instruction set. Every pass writes planes that no other tile reads meanwhile, so tiles may run in
// any order.
#pragma once

#include "core/isa.h"

#include <stddef.h>
#include <stdint.h>

enum
{
    INERTIAL_TILE_WIDTH = 16, // cells
    INERTIAL_TILE_HEIGHT = 8,
    INERTIAL_RUN = 8, // most tiles beside each other that are computed together
    INERTIAL_RUN_WIDTH = INERTIAL_RUN * INERTIAL_TILE_WIDTH
};

// Planes of the water. Cell i has the neighbours i - 1, i + 1 (east), i - stride and i + stride
// (south). Edges are staggered: qx[i] lies between i and i + 1, qy[i] between i and i + stride.
typedef struct inertial_planes
{
    ptrdiff_t stride;
    int32_t* bed;    // height of the ground [units]
    int32_t* mass;   // depth of the water [units]
    float* rough;    // Manning's n [s/m^(1/3)]; below 0 in outlets, 0 in walls
    float* qx;       // discharge per width over edges [m2/s]
    float* qy;       //
    float* nx;       // the same after friction, before the limit of what a cell has
    float* ny;       //
    float* ux;       // velocity over edges [m/s]
    float* uy;       //
    int32_t* fx;     // flow over edges in the step [units]
    int32_t* fy;     //
    float* depth;    // maps: greatest depth [units]
    float* fast;     // greatest speed squared [m2/s2]
    float* hazard;   // greatest depth x (speed + 0.5 m/s) [m2/s]
    float* dawn;     // time of arrival [s]
    float* duration; // of inundation [s]
} inertial_planes;

// Constants of a step.
typedef struct inertial_step
{
    float metre;   // of a unit
    float slope;   // metres of a unit over the width of a cell
    float step;    // [s]
    float time;    // at the end of the step [s]
    float push;    // gravity times step [m/s]
    float share;   // units that flow over an edge in the step by a discharge of 1 m2/s
    float dither;  // share of a unit that counts as a whole one in this step
    float damping; // share of the fourth difference of discharge that a step takes away
    float froude;  // greatest Froude number
    float film;    // water shallower than this does not flow [m]
    float arrival; // depth that counts as arrival and as inundation [units]
    int32_t rain;  // [units]
} inertial_step;

typedef struct inertial_kernels
{
    const char* name;
    // `count` columns from `first`, INERTIAL_TILE_HEIGHT rows.
    // 1: discharge over edges. Raises by column the greatest velocity.
    void (*push)(const inertial_planes* p, const inertial_step* s, ptrdiff_t first, int32_t count,
                 float* fastest);
    // 2: flow over edges in whole units, which never takes more than a cell has; maps of speed.
    void (*flow)(const inertial_planes* p, const inertial_step* s, ptrdiff_t first, int32_t count);
    // 3: new depth; maps of depth. Raises by column the greatest depth.
    void (*settle)(const inertial_planes* p, const inertial_step* s, ptrdiff_t first, int32_t count,
                   int32_t* deepest);
} inertial_kernels;

WADI_ISA_KERNELS(inertial_kernels)
