// SPDX-License-Identifier: MIT
// The paper's riverbed the plain way: one particle after the other, step by step, Eq 1-3 on heights
// in metres and cells of 1 m. The reference of the library's tiled, vectorised and threaded
// version.
#pragma once

#include <stdint.h>

typedef struct plain_riverbed
{
    int32_t width;
    int32_t height;
    double* ground;               // h [m]
    const double* susceptibility; // d [1]
    double size;                  // s
    double step;                  // v
    double radius;                // r
    double turn;                  // omega [radian]
    double kappa;
} plain_riverbed;

// Roll a particle eastwards from (x, y), beta at 0 there. Returns its steps.
int64_t plain_riverbed_roll(const plain_riverbed* bed, double x, double y);
