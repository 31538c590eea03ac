// SPDX-License-Identifier: MIT
// Weathering: rock turns to sediment where it is, the slower the more sediment covers it.
#pragma once

#include "terrain/ground.h"

typedef struct weathering
{
    const wadi_ground* ground;
    double rate;  // of bare flat rock [m/yr]
    double cover; // depth that slows it to 1/e [m]
    float steep;  // slope above which debris does not stay [m/m]
    uint64_t seed;
    uint32_t stream;
    int32_t* amount;     // scratch: units of each cell
    int64_t* sum;        // [units] of each cell so far
    wadi_tally* tallies; // by worker
} weathering;

// Let `years` pass; `step` keys the random numbers. The surface stays as it is.
void weathering_advance(wadi_context* context, const weathering* w, double years, uint32_t step);
