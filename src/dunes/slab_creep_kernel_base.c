// SPDX-License-Identifier: MIT
#include "dunes/slab_creep_kernel.h"

const slab_creep_kernels slab_creep_kernels_base = {
    creep_plan_kernel,
    creep_sum_kernel,
};
