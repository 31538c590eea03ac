// SPDX-License-Identifier: MIT
// A small process for tests of saved states: it has fixed steps, random numbers, matter in transit,
// a map and an input map, and lists its state.
#pragma once

#include <wadi/process.h>

typedef struct drift_params
{
    uint32_t cookie;
    double rate;     // [m] taken from a cell in a step
    double max_step; // [yr]
} drift_params;

extern const wadi_process drift_process;
