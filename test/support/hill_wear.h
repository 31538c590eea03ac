// SPDX-License-Identifier: MIT
// What water wears from hills of noise, 128 x 128 cells of 60 m.
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
    int32_t batches; // that the default duration would take
    bool mirrored;   // west and east exchanged
} hill_run;

// Wear of every cell [m]; returns its mean.
double hill_wear(const hill_run* run, float* wear);

// Mean wear does not change by a tenth when batches are 100 instead of 50.
void hill_check_batches(uint32_t seed, double years);
