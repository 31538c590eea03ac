// SPDX-License-Identifier: MIT
#include "hydraulic/parcel_kernels.h"

#include "core/isa.h"

const parcel_kernels* parcel_kernels_pick(void)
{
    static const parcel_kernels* const builds[WADI_ISA_COUNT] = WADI_ISA_BUILDS(&parcel_kernels);
    return builds[wadi_isa_best()];
}
