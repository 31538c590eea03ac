// SPDX-License-Identifier: MIT
// Ways down and pits of one row: a pit has no neighbour that is lower by a given drop. Borders
// between basins, and shores of water.
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

static void flow_borders_kernel(int32_t count, ptrdiff_t stride, const uint32_t* restrict basin,
                                uint8_t* restrict differs)
{
#pragma omp simd
    for (int32_t x = 0; x < count; ++x)
    {
        const uint32_t other = (basin[x] ^ basin[x + 1]) | (basin[x] ^ basin[x + stride]) |
                               (basin[x] ^ basin[x + stride - 1]) |
                               (basin[x] ^ basin[x + stride + 1]);
        differs[x] = other != 0 ? 1 : 0;
    }
}

static int32_t flow_shores_kernel(int32_t count, ptrdiff_t stride, uint8_t wet,
                                  const uint8_t* restrict state, uint8_t* restrict shore)
{
    const ptrdiff_t s = stride;
    int32_t cells = 0;
#pragma omp simd reduction(+ : cells)
    for (int32_t x = 0; x < count; ++x)
    {
        const uint8_t* at = state + x;
        const uint8_t other = (uint8_t)((at[1] ^ wet) | (at[-1] ^ wet) | (at[s] ^ wet) |
                                        (at[-s] ^ wet) | (at[s + 1] ^ wet) | (at[s - 1] ^ wet) |
                                        (at[1 - s] ^ wet) | (at[-s - 1] ^ wet));
        const uint8_t here = state[x] == wet ? 1 : 0;
        shore[x] = other != 0 ? here : 0;
        cells += here;
    }
    return cells;
}

const flow_kernels WADI_ISA_BUILD(flow_kernels) = {"base", flow_pits_kernel, flow_borders_kernel,
                                                   flow_shores_kernel};
