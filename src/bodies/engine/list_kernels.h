// SPDX-License-Identifier: MIT
// Kernels of the neighbour list, compiled once for each instruction set.
#pragma once

#include "core/isa.h"

struct wadi_search;

typedef struct list_kernels
{
    // Find the pairs of all particles of the search's chunk and append them, row by row.
    void (*rows)(struct wadi_search* search);
} list_kernels;

WADI_ISA_KERNELS(list_kernels)
