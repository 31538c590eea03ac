// SPDX-License-Identifier: MIT
// Floats as whole numbers in the same order. Compilers may not reorder comparisons of floats, which
// might be NaN, so that clang computes a loop that keeps the least or largest of them one value at
// a time; with whole numbers it takes several at once.
#pragma once

#include "core/dmath.h"

// No NaN. -0 and 0 get the same number.
static inline int32_t wadi_order_of_float(float value)
{
    const int32_t bits = (int32_t)wadi_bits_of_float(value + 0.0f);
    return bits ^ (int32_t)((uint32_t)(bits >> 31) >> 1);
}

static inline float wadi_float_of_order(int32_t order)
{
    return wadi_float_of_bits((uint32_t)order ^ ((uint32_t)(order >> 31) >> 1));
}
