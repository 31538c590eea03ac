// SPDX-License-Identifier: MIT
// Pits of one row: cells without a neighbour that is lower by a given drop.
#include "laws/flow/flow_kernels.h"

static void flow_pits_kernel(const flow_pits_row* row)
{
    const ptrdiff_t s = row->stride;
    const int32_t* restrict h = row->surface;
    const uint8_t* restrict outline = row->outline;
    uint8_t* restrict state = row->state;
    const int32_t axis = row->drop[0];
    const int32_t diagonal = row->drop[1];
    const uint8_t open = row->open;
    const uint8_t pit = row->pit;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        // test the lowest of four neighbours once; ghosts are INT32_MAX, and h >= 0
        const int32_t west_east = h[x - 1] < h[x + 1] ? h[x - 1] : h[x + 1];
        const int32_t north_south = h[x - s] < h[x + s] ? h[x - s] : h[x + s];
        const int32_t north = h[x - s - 1] < h[x - s + 1] ? h[x - s - 1] : h[x - s + 1];
        const int32_t south = h[x + s - 1] < h[x + s + 1] ? h[x + s - 1] : h[x + s + 1];
        const int32_t along = west_east < north_south ? west_east : north_south;
        const int32_t across = north < south ? north : south;
        const bool drains = h[x] - along >= axis || h[x] - across >= diagonal;
        state[x] = outline[x] == open && !drains ? pit : outline[x];
    }
}

const flow_kernels WADI_ISA_BUILD(flow_kernels) = {"base", flow_pits_kernel};
