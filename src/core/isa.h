// SPDX-License-Identifier: MIT
// The instruction sets that kernels are built for. A kernel is one source, compiled once for each
// set (src/CMakeLists.txt) and selected at run time. All builds give the same bits, so the choice
// affects speed only.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum wadi_isa
{
    WADI_ISA_BASE, // baseline of the processor family
    WADI_ISA_AVX2,
    WADI_ISA_AVX512, // F, DQ, BW, VL
    WADI_ISA_COUNT
} wadi_isa;

// Declares the builds of a kernel table `type`, and type_of(isa), which is NULL where the library
// has no build for that set. The bits are the same with each.
#if defined(__x86_64__)
#define WADI_ISA_KERNELS(type)                                                                     \
    extern const type wadi_##type##_base;                                                          \
    extern const type wadi_##type##_avx2;                                                          \
    extern const type wadi_##type##_avx512;                                                        \
    static inline const type* type##_of(wadi_isa isa)                                              \
    {                                                                                              \
        const type* const builds[WADI_ISA_COUNT] = {&wadi_##type##_base, &wadi_##type##_avx2,      \
                                                    &wadi_##type##_avx512};                        \
        return builds[isa];                                                                        \
    }
#else
#define WADI_ISA_KERNELS(type)                                                                     \
    extern const type wadi_##type##_base;                                                          \
    static inline const type* type##_of(wadi_isa isa)                                              \
    {                                                                                              \
        return isa == WADI_ISA_BASE ? &wadi_##type##_base : NULL;                                  \
    }
#endif

// Name of the build that is being compiled: `const my_kernels WADI_ISA_BUILD(my_kernels) = {...};`
// WADI_ISA is base, avx2 or avx512, set by the build system for files named *_kernel.c.
#define WADI_ISA_BUILD(type) WADI_ISA_JOIN(type, WADI_ISA)
#define WADI_ISA_JOIN(type, isa) WADI_ISA_PASTE(type, isa)
#define WADI_ISA_PASTE(type, isa) wadi_##type##_##isa

const char* wadi_isa_name(wadi_isa isa); // "base", "avx2", "avx512"
// True if the library has a build for this set and the processor supports it.
bool wadi_isa_runs(wadi_isa isa);
// The widest instruction set that this processor supports.
wadi_isa wadi_isa_best(void);
