// SPDX-License-Identifier: MIT
// The steps of droplets, compiled once for each instruction set.
#pragma once

#include "core/isa.h"
#include "processes/articles/droplets/droplet_law.h"

typedef struct droplet_kernels
{
    droplet_steps_fn* steps;
} droplet_kernels;

WADI_ISA_KERNELS(droplet_kernels)
