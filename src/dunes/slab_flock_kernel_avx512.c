// SPDX-License-Identifier: MIT
#include "dunes/slab_flock_kernel.h"

const slab_flock_kernels slab_flock_kernels_avx512 = {
    flock_draw_kernel,
    flock_depart_kernel,
    flock_hop_kernel,
    flock_strike_kernel,
};
