// SPDX-License-Identifier: MIT
// Time as a whole number of milliseconds and the rest of less than half of one, so that a time cut
// into many parts adds up to the same number of milliseconds as the whole.
#pragma once

#include <math.h>
#include <stdint.h>

#define WADI_MS_PER_YEAR 31557600000.0 // Julian year of 365.25 days

typedef struct wadi_clock
{
    int64_t ms;
    double rest; // [ms] in [-0.5, 0.5]; saved, and no part of any hash or result
} wadi_clock;

// The clock stops at 285 million years, the end of 64 bits.
static inline void wadi_clock_add(wadi_clock* clock, double years)
{
    if ((double)clock->ms + years * WADI_MS_PER_YEAR > 9e18)
    {
        *clock = (wadi_clock){.ms = INT64_C(9000000000000000000)};
        return;
    }
    // whole years are exact; the fraction has an error below 2e-6 ms
    const double whole = floor(years);
    clock->ms += (int64_t)whole * INT64_C(31557600000);
    clock->rest += (years - whole) * WADI_MS_PER_YEAR;
    const double carry = floor(clock->rest + 0.5);
    clock->ms += (int64_t)carry;
    clock->rest -= carry;
}

static inline double wadi_clock_years(const wadi_clock* clock)
{
    return (double)clock->ms / WADI_MS_PER_YEAR;
}
