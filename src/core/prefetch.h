// SPDX-License-Identifier: MIT
// Cache prefetch. A no-op for compilers without the builtin; results are the same.
#pragma once

// Prefetch the cache line at p for use within the next few instructions.
static inline void wadi_prefetch(const void* p)
{
#if defined(__GNUC__)
    __builtin_prefetch(p, 1);
#else
    (void)p;
#endif
}

// For use a thousand instructions later: into L2, as L1 would evict the line by then.
static inline void wadi_prefetch_far(const void* p)
{
#if defined(__GNUC__)
    __builtin_prefetch(p, 0, 2);
    // gcc 12 regards a function that only prefetches as free of effects and drops calls of it
    __asm__ volatile("");
#else
    (void)p;
#endif
}
