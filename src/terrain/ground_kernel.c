// SPDX-License-Identifier: MIT
#include "terrain/ground_kernels.h"

static bool ground_change_kernel(ground_stretch* stretch)
{
    int32_t* restrict loose = stretch->loose;
    const int32_t* restrict change = stretch->change;
    const int32_t count = stretch->count;
    int64_t laid = 0;
    int64_t sum = 0;
    int32_t least = 0;
#pragma omp simd reduction(+ : laid, sum) reduction(min : least)
    for (int32_t x = 0; x < count; ++x)
    {
        const int32_t left = loose[x] + change[x];
        laid += change[x] > 0 ? change[x] : 0;
        sum += change[x];
        least = left < least ? left : least;
    }
    if (least < 0)
    {
        return false;
    }
#pragma omp simd
    for (int32_t x = 0; x < count; ++x)
    {
        loose[x] += change[x];
    }
    stretch->laid = laid;
    stretch->taken = laid - sum;
    return true;
}

const ground_kernels WADI_ISA_BUILD(ground_kernels) = {.change = ground_change_kernel};
