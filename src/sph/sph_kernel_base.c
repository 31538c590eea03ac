// SPDX-License-Identifier: MIT
#include "sph/sph_pair_kernel.h"

const sph_kernels sph_kernels_base = {sph_pairs_kernel};
