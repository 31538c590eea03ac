// SPDX-License-Identifier: MIT
// Numbers by year, such as a hydrograph: linear between rows, and constant before the first row and
// after the last.
#pragma once

#include <stdint.h>

typedef struct wadi_series
{
    const double* rows; // one after the other, in the order of their years
    int32_t count;      // at least 1
    int32_t columns;    // of a row
    int32_t year;       // column of the years
} wadi_series;

// Integral of a column [its unit x yr] from the year of the first row to `year`, which may come
// before it: then it is negative. `times`: a second column to multiply by, or -1.
double wadi_series_sum(const wadi_series* series, int32_t column, int32_t times, double year);

// Mean of a column over a span of time.
double wadi_series_mean(const wadi_series* series, int32_t column, double from, double years);
