// SPDX-License-Identifier: MIT
#include "dunes/flux_kernels.h"

static const flux_kernels* const kernels_builds[WADI_ISA_COUNT] = WADI_ISA_BUILDS(&flux_kernels);

const flux_kernels* flux_kernels_of(wadi_isa isa)
{
    return kernels_builds[isa];
}
