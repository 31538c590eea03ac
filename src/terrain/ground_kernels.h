// SPDX-License-Identifier: MIT
// Row kernels of the ground's verbs, compiled once for each instruction set.
#pragma once

#include "core/isa.h"
#include <stdbool.h>
#include <stdint.h>

// A run of cells of a row with one loose layer.
typedef struct ground_stretch
{
    int32_t* loose;        // [units]
    const int32_t* change; // [units]
    int32_t count;
    int64_t laid; // sums, set by the kernel
    int64_t taken;
} ground_stretch;

// Apply the changes. Returns false and changes nothing if some cell has less loose matter than it
// would lose, so that rock must be eroded too.
typedef bool ground_change_fn(ground_stretch* stretch);

typedef struct ground_kernels
{
    ground_change_fn* change;
} ground_kernels;

WADI_ISA_KERNELS(ground_kernels)
