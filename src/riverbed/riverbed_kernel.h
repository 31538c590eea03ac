// SPDX-License-Identifier: MIT
// Source of the builds of riverbed_stamp_fn, RIVERBED_STAMP in each.
#include "riverbed/riverbed_stamp.h"

#include <math.h>

// A row of one stamp. Cells out of reach have a negative radicand and add 0: the root of a negative
// is no cut, and a test for it would cost more than the lanes.
static inline void kernel_row(int32_t* restrict row, int32_t span, float left, float x, float chord)
{
    for (int32_t k = 0; k < span; k += RIVERBED_LANES)
    {
#pragma omp simd simdlen(8)
        for (int32_t lane = 0; lane < RIVERBED_LANES; ++lane)
        {
            const float dx = (left + (float)(k + lane)) - x;
            const float radicand = chord - dx * dx;
            const float thickness = sqrtf(radicand > 0.0f ? radicand : 0.0f);
            row[k + lane] += (int32_t)(thickness * (float)RIVERBED_PARTS + 0.5f);
        }
    }
}

void RIVERBED_STAMP(const riverbed_stamps* stamps)
{
    const float first = (float)(1 - stamps->reach);
    for (int32_t i = 0; i < stamps->count; ++i)
    {
        int32_t* row = stamps->sums + stamps->corner[i];
        for (int32_t k = 0; k < 2 * stamps->reach; ++k)
        {
            const float dy = (first + (float)k) - stamps->y[i];
            const float chord = stamps->squared - dy * dy;
            if (chord > 0.0f)
            {
                kernel_row(row, stamps->span, first, stamps->x[i], chord);
            }
            row += stamps->stride;
        }
    }
}
