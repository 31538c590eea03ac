// SPDX-License-Identifier: MIT
// Primitives for particle kernels. A kernel is a plain loop over lanes, with one array per member,
// that the compiler vectorises. It has no branches and uses only + - * / sqrt and conversions, each
// rounded by IEEE 754, so that all builds give the same bits.
#pragma once

#include "core/dmath.h"

// For functions with a flag that callers pass as a constant: inlined, each call has loops without
// branches. gcc 12 keeps one copy for both values otherwise, and does not vectorise it.
#if defined(__GNUC__)
#define LANES_INLINE inline __attribute__((always_inline))
#else
#define LANES_INLINE inline
#endif

// `a` where mask is -1, `b` where it is 0. gcc 12 turns `?:` into branches and then does not
// vectorise the loop (20 instead of 6 ns a step).
static inline int32_t lanes_pick(int32_t mask, int32_t a, int32_t b)
{
    return (a & mask) | (b & ~mask);
}

static inline float lanes_pickf(int32_t mask, float a, float b)
{
    return wadi_float_of_bits((wadi_bits_of_float(a) & (uint32_t)mask) |
                              (wadi_bits_of_float(b) & ~(uint32_t)mask));
}

// x clamped to [0, high]. Comparisons in this order become min and max instructions.
static inline float lanes_clamp(float x, float high)
{
    const float low = x > 0.0f ? x : 0.0f;
    return low < high ? low : high;
}

// Nearest whole number, halves away from zero.
static inline int32_t lanes_round(float amount)
{
    return (int32_t)(amount + (amount < 0.0f ? -0.5f : 0.5f));
}

// The index of an array element that a scalar loop reads or writes. It keeps gcc 12 from collecting
// the elements of several lanes in vectors, which takes more instructions than to copy them.
static inline int64_t lanes_scalar(int32_t index)
{
    int64_t scalar = index;
#if defined(__GNUC__)
    __asm__("" : "+r"(scalar));
#endif
    return scalar;
}
