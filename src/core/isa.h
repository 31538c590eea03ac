// SPDX-License-Identifier: MIT
// The instruction sets that kernels are built for. A kernel is one source, compiled once for each
// set (wadi_add_kernels in src/CMakeLists.txt) and picked here at run time; all builds agree to the
// bit, so the choice is a matter of speed alone.
#pragma once

#include <stdbool.h>

typedef enum wadi_isa
{
    WADI_ISA_BASE, // what every processor of the family has
    WADI_ISA_AVX2,
    WADI_ISA_AVX512, // F, DQ, BW, VL
    WADI_ISA_COUNT
} wadi_isa;

// Builds of one kernel by instruction set, as the members of an array:
//     static const my_kernels* const my_builds[WADI_ISA_COUNT] = WADI_ISA_BUILDS(&my_kernels);
#if defined(WADI_X86_KERNELS)
#define WADI_ISA_BUILDS(stem)                                                                      \
    {                                                                                              \
        stem##_base, stem##_avx2, stem##_avx512                                                    \
    }
#else
#define WADI_ISA_BUILDS(stem)                                                                      \
    {                                                                                              \
        stem##_base                                                                                \
    }
#endif

const char* wadi_isa_name(wadi_isa isa); // "base", "avx2", "avx512"
// Is it in this build, and does this processor have it?
bool wadi_isa_runs(wadi_isa isa);
// The widest that runs.
wadi_isa wadi_isa_best(void);
