// SPDX-License-Identifier: MIT
#include "wind/saltation_kernel.h"
#include "wind/saltation_rows_kernel.h"

const saltation_kernels saltation_kernels_avx2 = {
    saltation_fly_kernel,    saltation_blend_kernel, saltation_ahead_kernel,
    saltation_settle_kernel, saltation_creep_kernel,
};
