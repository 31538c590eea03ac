// SPDX-License-Identifier: MIT
// Mean of a figure over seeds, and how sure it is.
#pragma once

#include <stdint.h>

typedef struct moments
{
    double mean;
    double variance; // of the mean
} moments;

// Of `count` > 1 values that lie `stride` doubles apart.
moments moments_of(const double* values, int32_t count, int32_t stride);
