// SPDX-License-Identifier: MIT
#include "processes/landslide/runner_rows_kernel.h"

const runner_kernels WADI_ISA_BUILD(runner_kernels) = {
    .name = "base",
    .push = runner_push_kernel,
    .rub = runner_rub_kernel,
    .flow = runner_flow_kernel,
    .settle = runner_settle_kernel,
};
