// SPDX-License-Identifier: MIT
// Weathering: rock turns to sediment in place, at a rate that decreases with its sediment cover.
#pragma once

#include "terrain/ground.h"

typedef struct weathering
{
    const wadi_ground* ground;
    double rate;  // on bare flat rock [m/yr]
    double cover; // depth of sediment that reduces it to 1/e [m]
    float steep;  // slope on which no debris stays [m/m]
    uint64_t seed;
    uint32_t stream;
    int32_t* amount;     // scratch: sediment produced by cell [units]
    int64_t* sum;        // [units] by cell, since the start
    wadi_tally* tallies; // by worker
} weathering;

// Weather for `years`; `step` is a key of the random numbers. The surface does not change. False:
// another window has failed.
bool wadi_weathering_advance(wadi_context* context, const weathering* w, double years,
                             uint32_t step);
