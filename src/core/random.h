// SPDX-License-Identifier: MIT
// Philox4x32-10 (Salmon et al. 2011, "Parallel random numbers: as easy as 1, 2, 3"): a
// counter-based generator. A number is a function of (seed, stream, counter), so it has no state
// and does not depend on order or threads.
#pragma once

#include <stdint.h>

typedef struct wadi_philox
{
    uint32_t v[4];
} wadi_philox;

static inline wadi_philox wadi_philox4x32(uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3,
                                          uint32_t k0, uint32_t k1)
{
    for (int round = 0; round < 10; ++round)
    {
        const uint64_t p0 = (uint64_t)0xD2511F53u * c0;
        const uint64_t p1 = (uint64_t)0xCD9E8D57u * c2;
        const uint32_t n0 = (uint32_t)(p1 >> 32) ^ c1 ^ k0;
        const uint32_t n2 = (uint32_t)(p0 >> 32) ^ c3 ^ k1;
        c1 = (uint32_t)p1;
        c3 = (uint32_t)p0;
        c0 = n0;
        c2 = n2;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return (wadi_philox){{c0, c1, c2, c3}};
}

// Four words keyed by the seed of the terrain, a stream (process and instance), an entity (cell,
// particle) and a step.
static inline wadi_philox wadi_random(uint64_t seed, uint32_t stream, uint64_t entity,
                                      uint32_t step)
{
    return wadi_philox4x32((uint32_t)entity, (uint32_t)(entity >> 32), step, stream, (uint32_t)seed,
                           (uint32_t)(seed >> 32));
}

// Uniform in [0, 1) from the top 24 bits of a word.
static inline float wadi_unit_float(uint32_t word)
{
    return (float)(word >> 8) * 0x1p-24f;
}

// Uniform in [0, 1) from two words, 53 bits.
static inline double wadi_unit_double(uint32_t high, uint32_t low)
{
    return (double)(((uint64_t)high << 21) ^ ((uint64_t)low >> 11)) * 0x1p-53;
}
