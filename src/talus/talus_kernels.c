// SPDX-License-Identifier: MIT
#include "talus/talus_kernels.h"

static const talus_kernels* const kernels_builds[WADI_ISA_COUNT] = WADI_ISA_BUILDS(&talus_kernels);

const talus_kernels* talus_kernels_of(wadi_isa isa)
{
    return kernels_builds[isa];
}
