// SPDX-License-Identifier: MIT
#include "processes/hydraulic/parcel_routes_kernel.h"
#include "processes/hydraulic/parcel_slopes_kernel.h"

const parcel_kernels WADI_ISA_BUILD(parcel_kernels) = {
    "base",
    parcel_routes_kernel,
    parcel_creep_ease_kernel,
    parcel_creep_kernel,
};
