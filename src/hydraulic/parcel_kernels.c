// SPDX-License-Identifier: MIT
#include "hydraulic/parcel_kernels.h"

const parcel_kernels* parcel_kernels_pick(void)
{
#if defined(WADI_X86_KERNELS)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    {
        return &parcel_kernels_avx512;
    }
    if (__builtin_cpu_supports("avx2"))
    {
        return &parcel_kernels_avx2;
    }
#endif
    return &parcel_kernels_base;
}
