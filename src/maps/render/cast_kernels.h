// SPDX-License-Identifier: MIT
// The walk of rays through the quadtree, compiled once for each instruction set.
#pragma once

#include "core/isa.h"
#include "maps/render/cast.h"

typedef struct cast_kernels
{
    void (*cast)(const render_caster* caster, cast_rays* rays, float bottom);
} cast_kernels;

WADI_ISA_KERNELS(cast_kernels)

// Single instructions, unlike fminf and fmaxf; no argument is NaN.
static inline float cast_least(float a, float b)
{
    return a < b ? a : b;
}

static inline float cast_most(float a, float b)
{
    return a > b ? a : b;
}

static inline int32_t cast_within(float position, int32_t low, int32_t high)
{
    const int32_t i = (int32_t)position;
    return i < low ? low : (i > high ? high : i);
}
