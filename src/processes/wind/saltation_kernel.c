// SPDX-License-Identifier: MIT
#include "processes/wind/saltation_fly_kernel.h"
#include "processes/wind/saltation_rows_kernel.h"
#include "processes/wind/saltation_spread_kernel.h"

const saltation_kernels WADI_ISA_BUILD(saltation_kernels) = {
    .fly = saltation_fly_kernel,
    .blend = saltation_blend_kernel,
    .ahead = saltation_ahead_kernel,
    .settle = saltation_settle_kernel,
    .even = saltation_even_kernel,
    .limit = saltation_limit_kernel,
    .weigh = saltation_weigh_kernel,
    .spread_west = saltation_spread_west_kernel,
    .spread_south = saltation_spread_south_kernel,
    .spread_along = saltation_spread_along_kernel,
    .spread_across = saltation_spread_across_kernel,
    .spread_add = saltation_spread_add_kernel,
    .creep = saltation_creep_kernel,
    .steep = saltation_steep_kernel,
};
