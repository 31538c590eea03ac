// SPDX-License-Identifier: MIT
#include "granular/granular_kernels.h"

static const granular_kernels* const kernels_builds[WADI_ISA_COUNT] =
    WADI_ISA_BUILDS(&granular_kernels);

const granular_kernels* granular_kernels_of(wadi_isa isa)
{
    return kernels_builds[isa];
}
