// SPDX-License-Identifier: MIT
#include "processes/flood/inertial_rows_kernel.h"

const inertial_kernels WADI_ISA_BUILD(inertial_kernels) = {
    .name = "base",
    .push = inertial_push_kernel,
    .flow = inertial_flow_kernel,
    .settle = inertial_settle_kernel,
};
