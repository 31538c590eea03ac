// SPDX-License-Identifier: MIT
// Erosion of noise hills by water, 128 x 128 cells of 60 m.
#pragma once

#include "support/fixture.h"

enum
{
    HILL_SIDE = 128,
    HILL_CELLS = HILL_SIDE * HILL_SIDE
};

typedef struct hill_run
{
    uint32_t seed; // of the noise
    double years;
    int32_t batches; // number of batches for the default duration
    bool mirrored;   // west and east swapped
} hill_run;

// Wear of every cell [m]; returns its mean.
double hill_wear(const hill_run* run, float* wear);

// Check that mean wear differs by less than 10 % between 50 and 100 batches.
void hill_check_batches(uint32_t seed, double years);
