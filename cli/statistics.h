// SPDX-License-Identifier: MIT
// Figures of a grid of values.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct cli_statistics
{
    int64_t cells;
    int64_t voids; // NaN
    double min;    // NaN where all cells are void, as are max and mean
    double max;
    double mean;
    uint64_t hash; // of size and values; all NaN count as one, and -0 as 0
} cli_statistics;

cli_statistics cli_statistics_of(const float* values, int32_t width, int32_t height);

// How two grids of one size differ, b - a, over the cells where both have data.
typedef struct cli_difference
{
    int64_t cells;
    int64_t both;      // cells where both have data
    int64_t differing; // of these, and cells where only one has data
    int64_t voids_a;
    int64_t voids_b;
    int64_t voids_unlike; // void in one only
    double max_abs;
    double mean;
    double rms;
    double raised;  // sum of the positive differences
    double lowered; // sum of the negative ones, as a positive number
} cli_difference;

cli_difference cli_difference_of(const float* a, const float* b, int64_t cells);
