# SPDX-License-Identifier: MIT
# One interface target with the flags that every C file of ours is built with.
add_library(wadi_flags INTERFACE)

# The same bits from every compiler and at every level: no contraction of a * b + c into one
# rounding, no fast-math. test/unit/test_dmath.c proves at run time that contraction is off.
target_compile_options(wadi_flags INTERFACE
    -ffp-contract=off -fno-math-errno -fno-trapping-math
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wdouble-promotion -Wstrict-prototypes
    -Wmissing-prototypes -Wundef -Wcast-qual -Wvla -Wformat=2 -Wwrite-strings)
# GCC 12 fuses alternating sums and differences of products, as a rotation has them, in spite of
# -ffp-contract=off (vfmaddsub), where a -march gives it such instructions: those of FMA and AVX-512F.
# Targets with the property WADI_AVX512, the kernels for it (src/CMakeLists.txt), keep AVX-512F: flags of
# this target come after theirs, and the last one counts. ports.contraction looks for all of them.
if(CMAKE_C_COMPILER_ID STREQUAL GNU AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(wadi_flags INTERFACE -mno-fma -mno-fma4
        $<$<NOT:$<BOOL:$<TARGET_PROPERTY:WADI_AVX512>>>:-mno-avx512f>)
endif()
# Kernels are one source for all vector widths; that the narrowest build, or one with sanitizers,
# did not vectorise a loop is no defect.
if(CMAKE_C_COMPILER_ID MATCHES Clang)
    target_compile_options(wadi_flags INTERFACE -Wno-pass-failed)
endif()
# clang 19, for WebAssembly: counts that are enumerations in formulas, and 64-bit extents in a ptrdiff_t of 32
if(CMAKE_SYSTEM_PROCESSOR STREQUAL wasm32)
    target_compile_options(wadi_flags INTERFACE -Wno-enum-float-conversion -Wno-shorten-64-to-32)
endif()
# MinGW: printf as the standard has it, where Microsoft's lacks %zu; isnan() of its headers narrows.
if(MINGW)
    target_compile_definitions(wadi_flags INTERFACE __USE_MINGW_ANSI_STDIO=1)
    target_compile_options(wadi_flags INTERFACE -Wno-float-conversion)
endif()
if(WADI_WERROR)
    target_compile_options(wadi_flags INTERFACE -Werror)
endif()
# `omp simd` hints only; threads are our own (src/core/pool.c).
target_compile_options(wadi_flags INTERFACE -fopenmp-simd)
include(cmake/Threads.cmake)
