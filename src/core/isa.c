// SPDX-License-Identifier: MIT
#include "core/isa.h"

const char* wadi_isa_name(wadi_isa isa)
{
    static const char* const names[WADI_ISA_COUNT] = {"base", "avx2", "avx512"};
    return names[isa];
}

bool wadi_isa_runs(wadi_isa isa)
{
#if defined(__x86_64__)
#if defined(WADI_ISA_BASE_ONLY) // a build to compare with: bench/wasm.mjs
    return isa == WADI_ISA_BASE;
#endif
    if (isa == WADI_ISA_AVX512)
    {
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    }
    if (isa == WADI_ISA_AVX2)
    {
        return __builtin_cpu_supports("avx2") != 0;
    }
#endif
    return isa == WADI_ISA_BASE;
}

wadi_isa wadi_isa_best(void)
{
    wadi_isa isa = WADI_ISA_COUNT - 1;
    while (!wadi_isa_runs(isa))
    {
        --isa;
    }
    return isa;
}
