// SPDX-License-Identifier: MIT
#include "hydraulic/parcel_pits_kernel.h"
#include "hydraulic/parcel_routes_kernel.h"
#include "hydraulic/parcel_slopes_kernel.h"

const parcel_kernels parcel_kernels_avx512 = {
    "avx512",
    parcel_pits_kernel,
    parcel_routes_kernel,
    parcel_creep_ease_kernel,
    parcel_creep_kernel,
};
