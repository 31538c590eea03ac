// SPDX-License-Identifier: MIT
// Mean of a value over seeds and its variance.
#pragma once

#include <stdint.h>

typedef struct moments
{
    double mean;
    double variance; // of the mean
} moments;

// Moments of `count` > 1 values at a distance of `stride` doubles.
moments moments_of(const double* values, int32_t count, int32_t stride);
