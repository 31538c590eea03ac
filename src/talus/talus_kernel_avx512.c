// SPDX-License-Identifier: MIT
#include "talus/talus_kernel.h"

const talus_kernels talus_kernels_avx512 = {
    talus_read_kernel, talus_hold_kernel, talus_flux_kernel, talus_sum_kernel, talus_break_kernel,
};
