// SPDX-License-Identifier: MIT
// Many takers of one cell. Particles run twice over frozen ground. The first run only sums up what
// each demands of the cells that it visits. The owner of a cell then grants a share of that, and in
// the second run each particle takes its share on the same path:
//
//     demand[c] += want                             first run, int64
//     g = grant_of(demand[c], have[c])              once per cell
//     takes grant_take(want, g)                   second run
//
// The sum of takes never exceeds `have`, and where no cell is short every particle takes all that
// it demands, so the second run then repeats the first and may be left out. The rule requires that
// loads do not influence paths, and that no particle demands more in the second run than in the
// first. All arithmetic has 32-bit words, so that processors without larger ones give the same
// bits.
#pragma once

#include <stdint.h>

// The grant of a cell that can give all that is demanded.
#define GRANT_ALL UINT32_C(65536)

// Share of the demand that a cell can give, in 1/65536. The last 16 bits of both numbers count:
//     demand x g / 65536 <= demand x have' / (demand' + 1) <= have, as demand < (demand' + 1) 2^k.
static inline uint32_t grant_of(int64_t demand, int64_t have)
{
    if (demand <= have)
    {
        return GRANT_ALL;
    }
    if (have <= 0)
    {
        return 0;
    }
    int shift = 0;
    while (demand >> shift >= 65536)
    {
        ++shift;
    }
    const uint32_t wanted = (uint32_t)(demand >> shift);
    const uint32_t held = (uint32_t)(have >> shift);
    return (held << 16) / (wanted + 1);
}

// floor(want x grant / 65536) for 0 <= want < 2^31. Lanes of a vector loop may call it.
static inline int32_t grant_take(int32_t want, uint32_t grant)
{
    const uint32_t high = (uint32_t)want >> 16;
    const uint32_t low = (uint32_t)want & 0xFFFFu;
    return (int32_t)(high * grant + (low * grant >> 16));
}
