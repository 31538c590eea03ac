// SPDX-License-Identifier: MIT
#include "dunes/flux_kernel.h"

const flux_kernels flux_kernels_base = FLUX_KERNELS;
