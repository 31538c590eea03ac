// SPDX-License-Identifier: MIT
// Asking for memory before it is needed. Where a compiler cannot, nothing happens; results are the
// same.
#pragma once

// The line of the cache at p, for the next few instructions.
static inline void wadi_prefetch(const void* p)
{
#if defined(__GNUC__)
    __builtin_prefetch(p, 1);
#else
    (void)p;
#endif
}

// The same for a thousand instructions later: the nearest cache is too small to wait in.
static inline void wadi_prefetch_far(const void* p)
{
#if defined(__GNUC__)
    __builtin_prefetch(p, 0, 2);
    // gcc 12 takes functions that do nothing but this for such without effect, and drops the calls
    __asm__ volatile("");
#else
    (void)p;
#endif
}
