// SPDX-License-Identifier: MIT
#include "terrain/ground_kernel.h"

const ground_kernels ground_kernels_base = {.change = ground_change_kernel};
