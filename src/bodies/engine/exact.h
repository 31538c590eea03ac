// SPDX-License-Identifier: MIT
// Rounding that adds up exactly: forces in whole units have a sum that no order changes.
#pragma once

#include <stdint.h>
#include <string.h>

// Added and subtracted, it rounds a double to the nearest whole number.
#define WADI_EXACT_MAGIC 0x1.8p52

static inline uint64_t wadi_exact_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// Nearest whole number, halves to even, of |value| < 2^51. An odd function, so that both sides of a
// pair get the same with opposite signs; and an addition and a subtraction, so that every build
// makes vectors of it.
static inline int64_t wadi_exact_round(double value)
{
    return (int64_t)(wadi_exact_bits(value + WADI_EXACT_MAGIC) - wadi_exact_bits(WADI_EXACT_MAGIC));
}

// Sums of what wadi_exact_round() gives. A value beyond its range, such as the force on a grain
// that lies a million radii below a wall, gives any number: these sums are then wrong, but defined.
static inline int64_t wadi_exact_plus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static inline int64_t wadi_exact_minus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

// The nearest periodic image of a difference; an odd function too. A period of 0 has the inverse 0.
static inline double wadi_exact_nearest(double difference, double period, double inverse)
{
    const double turns = (difference * inverse + WADI_EXACT_MAGIC) - WADI_EXACT_MAGIC;
    return difference - period * turns;
}
