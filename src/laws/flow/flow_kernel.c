// SPDX-License-Identifier: MIT
// Ways down and pits of one row: a pit has no neighbour that is lower by a given drop.
#include "laws/flow/flow_kernels.h"

static void flow_pits_kernel(const flow_pits_row* row)
{
    const ptrdiff_t s = row->stride;
    const ptrdiff_t step[8] = {1, s + 1, s, s - 1, -1, -s - 1, -s, -s + 1};
    const int32_t* restrict h = row->surface;
    const uint8_t* restrict outline = row->outline;
    uint8_t* restrict state = row->state;
    uint8_t* restrict down = row->down;
    const int32_t drop[2] = {row->drop[0], row->drop[1]};
    const uint8_t open = row->open;
    const uint8_t pit = row->pit;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        int32_t lowest = INT32_MAX;
        int32_t best = 8;
        for (int32_t d = 0; d < 8; ++d)
        {
            // ghosts are INT32_MAX and h may be below 0: h - drop stays in range, h - there does
            // not
            const int32_t there = h[x + step[d]];
            const int32_t lower = -((there < lowest) & (there <= h[x] - drop[d & 1]));
            lowest = (there & lower) | (lowest & ~lower);
            best = (d & lower) | (best & ~lower);
        }
        down[x] = (uint8_t)best;
        state[x] = outline[x] == open && best == 8 ? pit : outline[x];
    }
}

const flow_kernels WADI_ISA_BUILD(flow_kernels) = {"base", flow_pits_kernel};
