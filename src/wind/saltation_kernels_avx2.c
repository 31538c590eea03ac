// SPDX-License-Identifier: MIT
#include "wind/saltation_kernel.h"
#include "wind/saltation_rows_kernel.h"

const saltation_kernels saltation_kernels_avx2 = {
    .fly = saltation_fly_kernel,
    .blend = saltation_blend_kernel,
    .ahead = saltation_ahead_kernel,
    .settle = saltation_settle_kernel,
    .creep = saltation_creep_kernel,
    .steep = saltation_steep_kernel,
};
