// SPDX-License-Identifier: MIT
#include "sph/sph_kernels.h"

static const sph_kernels* const kernels_builds[WADI_ISA_COUNT] = WADI_ISA_BUILDS(&sph_kernels);

const sph_kernels* sph_kernels_of(wadi_isa isa)
{
    return kernels_builds[isa];
}
