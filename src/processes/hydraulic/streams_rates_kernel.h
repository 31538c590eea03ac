// SPDX-License-Identifier: MIT
// Rates of wear and deposition of a row. Included by streams_kernel.c. Plain C without branches, so
// that compilers vectorise it.
#include "core/dmath.h"
#include "processes/hydraulic/streams_kernels.h"

#include <math.h>

// Width of a sheet of water on slopes gives way to that of a channel at this discharge [m3/yr].
#define STREAM_SHEET 3e4f

// Reference width of a channel W0 [m]: K means the same as in a law per cell of this size.
#define STREAM_WIDTH 30.0f

// 1 - exp(-x)
static inline float rates_share(float exponent)
{
    return exponent < 60.0f ? 1.0f - wadi_expf(-exponent) : 1.0f;
}

// A stream beside lower ground than its bed is a lake's: the drop is then to the water.
static void stream_rates_kernel(const stream_rates_row* row)
{
    const stream_rate_constants c = *row->constants;
    const ptrdiff_t s = row->stride;
    const ptrdiff_t step[8] = {1, s + 1, s, s - 1, -1, -s - 1, -s, -s + 1};
    const int32_t* restrict h = row->surface;
    const int32_t* restrict r = row->spill;
    const uint8_t* restrict to = row->to;
    const uint8_t* restrict wet = row->wet;
    const float* restrict discharge = row->discharge;
    const float* restrict soft = row->soft;
    float* restrict pace = row->pace;
    float* restrict settle = row->settle;
    int32_t* restrict bed = row->bed;
    int32_t* restrict drop = row->drop;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        const float q = discharge[x];
        const float some = q > 1e-3f ? q : 1e-3f;
        const int32_t way = to[x];
        const float channel = q / (q + c.head);
        // wear
        const float gathered = q > c.own ? q - c.own : 0.0f;
        const float power = q > 1e-3f ? q * wadi_powf(gathered + c.head, c.exponent) : 0.0f;
        const float part = 1.0f + 2.0f * c.floor * channel;
        const float cells = c.river * sqrtf(q) * channel; // the width of a river's bed
        const float wears = c.wear * power * soft[x] / (cells > part ? cells : part);
        // deposition
        const float carrier = settle[x];
        const float bears = carrier > some ? carrier : some;
        const float width = (c.cell * STREAM_SHEET + STREAM_WIDTH * bears) / (bears + STREAM_SHEET);
        const float length = (way & 1) != 0 ? 1.41421356f : 1.0f; // [cells]
        const float settles = rates_share(c.fall * width * length / bears) / part;
        const float settles_wet = rates_share(c.lake_fall / some);
        // the receiver's water, or its bed where it is dry
        int32_t there = h[x];
        for (int d = 0; d < 8; ++d)
        {
            const int32_t level = r[x + step[d]];
            const int32_t ground = h[x + step[d]];
            const bool water = (level - ground > c.shallow) | (c.has_sea != 0);
            const int32_t surface = water ? level : ground;
            there = way == d ? surface : there;
        }
        const int32_t falls = there < h[x] ? there - h[x] : 0;
        const bool stays = way == 8;
        const bool lake = wet[x] != 0;
        bed[x] = h[x];
        pace[x] = lake ? 0.0f : wears;
        settle[x] = lake ? settles_wet : settles;
        drop[x] = stays ? 0 : lake ? h[x] - r[x] : falls;
    }
}
