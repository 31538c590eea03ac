// SPDX-License-Identifier: MIT
// Source of the builds of riverbed_stamp_fn, RIVERBED_STAMP in each.
#include "riverbed/riverbed_stamp.h"

#include <math.h>

// Lanes of a row: squares of the ways to the stamp's centre along it, the same in all its rows.
typedef struct kernel_lanes
{
    float squares[RIVERBED_LANES];
} kernel_lanes;

static inline kernel_lanes kernel_lanes_at(float first, float x)
{
    kernel_lanes lanes;
#pragma omp simd simdlen(RIVERBED_LANES)
    for (int32_t lane = 0; lane < RIVERBED_LANES; ++lane)
    {
        const float dx = (first + (float)lane) - x;
        lanes.squares[lane] = dx * dx;
    }
    return lanes;
}

// Eight cells of a row. Those out of reach have a negative radicand and add 0: the root of a
// negative is no cut, and a test for it would cost more than the lanes.
static inline void kernel_row(int32_t* restrict row, const kernel_lanes* restrict lanes,
                              float chord)
{
#pragma omp simd simdlen(RIVERBED_LANES)
    for (int32_t lane = 0; lane < RIVERBED_LANES; ++lane)
    {
        const float radicand = chord - lanes->squares[lane];
        const float thickness = sqrtf(radicand > 0.0f ? radicand : 0.0f);
        row[lane] += (int32_t)(thickness * (float)RIVERBED_PARTS + 0.5f);
    }
}

// Eight columns of a stamp, all its rows.
static inline void kernel_columns(const riverbed_stamps* stamps, int32_t i, int32_t column)
{
    const float first = (float)(1 - stamps->reach);
    const kernel_lanes lanes = kernel_lanes_at(first + (float)column, stamps->x[i]);
    int32_t* row = stamps->sums + stamps->corner[i] + column;
    for (int32_t k = 0; k < 2 * stamps->reach; ++k)
    {
        const float dy = (first + (float)k) - stamps->y[i];
        kernel_row(row, &lanes, stamps->squared - dy * dy);
        row += stamps->stride;
    }
}

static inline void kernel_stamp(const riverbed_stamps* stamps, int32_t i)
{
    for (int32_t column = 0; column < stamps->span; column += RIVERBED_LANES)
    {
        kernel_columns(stamps, i, column);
    }
}

void RIVERBED_STAMP(const riverbed_stamps* stamps)
{
    // A particle's next stamp lies half over its last: to load what has just been stored, a few
    // bytes aside, stalls. So stamps of RIVERBED_APART places along the queue take turns.
    const int32_t turns = stamps->count / RIVERBED_APART;
    for (int32_t turn = 0; turn < turns; ++turn)
    {
        for (int32_t place = 0; place < RIVERBED_APART; ++place)
        {
            kernel_stamp(stamps, place * turns + turn);
        }
    }
    for (int32_t i = turns * RIVERBED_APART; i < stamps->count; ++i)
    {
        kernel_stamp(stamps, i);
    }
}
