// SPDX-License-Identifier: MIT
#include "particle/bed_kernel.h"

const bed_kernels bed_kernels_avx512 = {bed_freeze_kernel, bed_plan_kernel, bed_change_kernel,
                                        bed_share_kernel};
