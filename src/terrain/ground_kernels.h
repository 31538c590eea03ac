// SPDX-License-Identifier: MIT
// Row kernels of the ground's verbs, compiled once for each instruction set.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// A stretch of cells with one loose layer.
typedef struct ground_stretch
{
    int32_t* loose;        // [units]
    const int32_t* change; // [units]
    int32_t count;
    int64_t laid; // sums, set by the kernel
    int64_t taken;
} ground_stretch;

// Apply changes. False, and nothing done: some cell has less than it would lose, so that rock must
// give the rest.
typedef bool ground_change_fn(ground_stretch* stretch);

typedef struct ground_kernels
{
    ground_change_fn* change;
} ground_kernels;

extern const ground_kernels ground_kernels_base;
#if defined(WADI_X86_KERNELS)
extern const ground_kernels ground_kernels_avx2;
extern const ground_kernels ground_kernels_avx512;
#endif
