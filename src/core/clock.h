// SPDX-License-Identifier: MIT
// Time as a whole number of milliseconds and a rest, so that a time cut into many parts adds up to
// the same number of milliseconds as the whole. Parts that are doubles have errors of t / 2^53 in
// all; so from 2^51 ms (71 000 yr) on, time is a multiple of a longer unit. Whole years are
// multiples of 256 ms, the longest unit, with which up to 36 million years add up.
#pragma once

#include <math.h>
#include <stdint.h>

#define WADI_MS_PER_YEAR 31557600000.0 // Julian year of 365.25 days

typedef struct wadi_clock
{
    int64_t ms;
    double rest; // [ms] up to half a unit; saved, and no part of any hash or result
} wadi_clock;

// Unit of a time [ms]: at least four times the error of its parts.
static inline int64_t wadi_clock_unit(int64_t ms)
{
    int64_t unit = 1;
    while (unit < 256 && ms >> 51 >= unit)
    {
        unit *= 2;
    }
    return unit;
}

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
    const int64_t unit = wadi_clock_unit(clock->ms);
    const int64_t over = clock->ms % unit;
    clock->rest += (double)over;
    const int64_t carry = unit * (int64_t)floor(clock->rest / (double)unit + 0.5);
    clock->ms += carry - over;
    clock->rest -= (double)carry;
}

static inline double wadi_clock_years(const wadi_clock* clock)
{
    return (double)clock->ms / WADI_MS_PER_YEAR;
}
