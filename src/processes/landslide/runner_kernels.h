// SPDX-License-Identifier: MIT
// The four passes of a step of the runner over a run of tiles, compiled once for each instruction
// set. Every pass writes planes that no other tile reads meanwhile, so tiles may run in any order.
#pragma once

#include "core/isa.h"

#include <stddef.h>
#include <stdint.h>

enum
{
    RUNNER_TILE_WIDTH = 16, // cells
    RUNNER_TILE_HEIGHT = 8,
    RUNNER_RUN = 8, // most tiles beside each other that are computed together
    RUNNER_RUN_WIDTH = RUNNER_RUN * RUNNER_TILE_WIDTH
};

// Planes of a runner. Cell i has the neighbours i - 1, i + 1 (east), i - stride and i + stride
// (south). Edges are staggered: u[i] lies between i and i + 1, v[i] between i and i + stride.
typedef struct runner_planes
{
    ptrdiff_t stride;
    int32_t* bed;   // height of the ground below the flow [units]
    int32_t* mass;  // thickness of the flow, measured upright [units]
    int32_t* soil;  // loose ground that may still be entrained [units]
    int32_t* worn;  // ground entrained so far [units]
    int32_t* least; // a flow thinner than this does not leave the cell [units]
    int32_t* qx;    // flow over edges in the last step [units]
    int32_t* qy;
    float* u;  // velocity across edges, to the east [m/s]
    float* v;  // to the south
    float* us; // the same before friction
    float* vs;
    float* bend;    // centripetal acceleration by the curvature of the ground [m/s2]
    float* rub;     // coefficient of friction, which the flow carries along
    float* mixed;   // the same after a step
    float* added;   // share of the flow that was at rest before the last step
    float* gate;    // 1; 0: nothing moves over the edges of the cell
    float* fast;    // speed squared, along the ground [m2/s2]
    int32_t* takes; // ground entrained in the step [units]
    float* depth;   // maps: greatest thickness [units]
    float* push;    // greatest speed squared [m2/s2]
    float* dawn;    // time of arrival [s]
} runner_planes;

// Constants of a step.
typedef struct runner_step
{
    float slope;     // metres of a unit over the width of a cell
    float metre;     // of a unit
    float cell;      // width of a cell [m]
    float step;      // [s]
    float time;      // at the end of the step [s]
    float turn;      // 1 / width of a cell squared, in metres of a unit
    float carry;     // step over the last step
    float share;     // step / width of a cell
    float drag;      // step times gravity over the turbulence coefficient [m]
    float drained;   // friction without pore pressure
    float drain;     // step times the coefficient of drainage [m2]
    float weight;    // density times gravity times metres of a unit [kPa]
    float blast;     // density times gravity over the turbulence coefficient [kPa s2/m2]
    float threshold; // shear stress that entrains no ground [kPa]
    float potential; // ground that may be entrained by stress above it [units/kPa]
    float rate;      // ground that may be entrained in a step [units]
    float arrival;   // thickness that counts as arrival [units]
} runner_step;

typedef struct runner_kernels
{
    const char* name;
    // `count` columns from `first`, RUNNER_TILE_HEIGHT rows.
    // 1: velocities at edges by gravity, pressure and advection.
    void (*push)(const runner_planes* p, const runner_step* s, ptrdiff_t first, int32_t count);
    // 2: friction. Raises by column the greatest sum of both velocities and the speed of waves, and
    // the greatest velocity.
    void (*rub)(const runner_planes* p, const runner_step* s, ptrdiff_t first, int32_t count,
                float* fastest, float* moving);
    // 3: flow over edges in whole units, which never takes more than a cell has; entrainment.
    void (*flow)(const runner_planes* p, const runner_step* s, ptrdiff_t first, int32_t count);
    // 4: new thickness, ground, friction, maps.
    void (*settle)(const runner_planes* p, const runner_step* s, ptrdiff_t first, int32_t count);
} runner_kernels;

WADI_ISA_KERNELS(runner_kernels)
