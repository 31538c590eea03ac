// SPDX-License-Identifier: MIT
#include "terrain/ground_kernel.h"

const ground_kernels ground_kernels_avx512 = {.change = ground_change_kernel};
