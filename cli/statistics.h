// SPDX-License-Identifier: MIT
// Statistics of a grid of values.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct cli_statistics
{
    int64_t cells;
    int64_t voids; // cells without data (NaN)
    double min;    // min, max and mean are NaN if all cells are void
    double max;
    double mean;
    uint64_t hash; // of size and values; all NaN are equal, and -0 equals 0
} cli_statistics;

cli_statistics cli_statistics_of(const float* values, int32_t width, int32_t height);

// Differences b - a of two grids of one size, over cells with data in both.
typedef struct cli_difference
{
    int64_t cells;
    int64_t both;      // cells where both have data
    int64_t differing; // differing cells, including those with data in one grid only
    int64_t voids_a;
    int64_t voids_b;
    int64_t voids_unlike; // cells with data in one grid only
    double max_abs;
    double mean;
    double rms;
    double raised;  // sum of positive differences
    double lowered; // sum of negative differences, as a positive number
} cli_difference;

cli_difference cli_difference_of(const float* a, const float* b, int64_t cells);
