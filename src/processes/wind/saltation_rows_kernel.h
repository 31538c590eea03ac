// SPDX-License-Identifier: MIT
// Row kernels between two batches. saltation_kernel.c includes them, once per instruction set.
//
// Creep is an exchange between pairs of neighbours. Both cells of a pair compute the same float
// product from the same numbers and truncate it to the same integer. The loss of a cell is thus
// exactly the gain of its neighbour, although each cell writes only its own change.
#include "laws/slopes/talus.h"
#include "processes/wind/saltation_law.h"

static void saltation_blend_kernel(const float* a, const float* b, float part, int32_t count,
                                   float* restrict out)
{
#pragma omp simd
    for (int32_t x = 0; x < count; ++x)
    {
        out[x] = a[x] + part * (b[x] - a[x]);
    }
}

// Wind reduction of one look-ahead scale at column x.
static inline float rows_ahead(const saltation_ahead_row* row, int scale, int32_t x)
{
    const saltation_law* law = row->law;
    const float* far = row->far[scale];
    const float there = far[x] + row->part[scale] * (far[x + 1] - far[x]);
    const float slope = (there - row->level[x]) * law->ahead_slope[scale];
    const float high = slope < law->max_slope ? slope : law->max_slope;
    return law->ahead_gain[scale] * (high > -law->max_slope ? high : -law->max_slope);
}

// Equation 4: ground that rises ahead slows the wind.
static void saltation_ahead_kernel(const saltation_ahead_row* row)
{
    const int32_t* restrict sand = row->sand;
    saltation_bed* restrict bed = row->bed;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        const float near = rows_ahead(row, 0, x);
        const float middle = rows_ahead(row, 1, x);
        const float far = rows_ahead(row, 2, x);
        bed[x].sand = (float)sand[x];
        bed[x].ahead = 1.0f - ((near + middle) + far);
    }
}

static inline float rows_fall(float here, float there)
{
    return here > there ? here - there : 0.0f;
}

// Add the sums of all workers to those of the first and clear the others.
static inline void rows_merge(const saltation_row* row)
{
    int64_t* restrict const sums = row->sums[0] + row->first;
    for (int32_t w = 1; w < row->workers; ++w)
    {
        int64_t* restrict const part = row->sums[w] + row->first;
#pragma omp simd
        for (int32_t x = 0; x < row->count; ++x)
        {
            sums[x] += part[x];
            part[x] = 0;
        }
    }
}

// Returns the excess lifted beyond the cells' sand; saltation_settle.c takes it from the parcels.
static int64_t saltation_settle_kernel(const saltation_row* row)
{
    int64_t* restrict sums = row->sums[0] + row->first;
    uint32_t* restrict through = row->passed;
    int32_t* restrict change = row->change;
    float* restrict creep = row->due;
    const float* restrict later = row->later;
    const int32_t* restrict sand = row->sand;
    rows_merge(row);
    int64_t excess = 0;
#pragma omp simd reduction(+ : excess)
    for (int32_t x = 0; x < row->count; ++x)
    {
        const int64_t sum = sums[x];
        const uint32_t passed = (uint32_t)((uint64_t)sum & 0xFFFFFFFFu);
        const int32_t due = (int32_t)(sum >> 32);
        const int32_t given = due < -sand[x] ? -sand[x] : due;
        sums[x] = 0;
        through[x] += passed;
        excess += given - due;
        change[x] = given;
        creep[x] = row->creep * (float)passed + later[x];
    }
    return excess;
}

// About one parcel passes a cell in a batch, often none or two. Creep by the load of a cell alone
// would dig single cells out of a slope and heap others up, the more the steeper it is, so its rate
// is the mean by 1 2 1 along both axes. Beyond an edge that does not wrap it is that at the edge.
static void saltation_even_kernel(const saltation_row* row)
{
    const float* restrict due = row->due;
    const float* restrict north = row->due_north;
    const float* restrict south = row->due_south;
    const int32_t count = row->count;
    float* restrict mean = row->mean;
    float* restrict rate = row->rate;
#pragma omp simd
    for (int32_t x = 0; x < count; ++x)
    {
        mean[x + 1] = (north[x] + south[x]) + 2.0f * due[x];
    }
    mean[0] = mean[row->wraps ? count : 1];
    mean[count + 1] = mean[row->wraps ? 1 : count];
#pragma omp simd
    for (int32_t x = 0; x < count; ++x)
    {
        rate[x] = 0.0625f * ((mean[x] + mean[x + 2]) + 2.0f * mean[x + 1]);
    }
}

static void saltation_limit_kernel(const saltation_row* row)
{
    const ptrdiff_t s = row->stride;
    const float* restrict h = row->level;
    const int32_t* restrict change = row->change;
    const int32_t* restrict sand = row->sand;
    float* restrict rate = row->rate;
    float* restrict later = row->later;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        const float have = (float)(sand[x] + (change[x] < 0 ? change[x] : 0));
        const float falls = (rows_fall(h[x], h[x - 1]) + rows_fall(h[x], h[x + 1])) +
                            (rows_fall(h[x], h[x - s]) + rows_fall(h[x], h[x + s]));
        // creep above the stable rate is delayed to the next batch
        const float full = rate[x];
        const float stable = full < row->max_rate ? full : row->max_rate;
        later[x] = full - stable;
        // the margin of 1e-4 covers rounding, so that creep never exceeds the cell's sand
        const float limit = 0.9999f * have / (falls + 1e-20f);
        rate[x] = stable < limit ? stable : limit;
    }
}

static inline int32_t rows_flow(float rate, float here, float there)
{
    return (int32_t)(rate * rows_fall(here, there));
}

static void saltation_creep_kernel(const saltation_row* row)
{
    const ptrdiff_t s = row->stride;
    const float* restrict h = row->level;
    const float* restrict rate = row->rate;
    int32_t* restrict change = row->change;
    float* restrict deposit = row->deposit;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        const int32_t lost =
            (rows_flow(rate[x], h[x], h[x - 1]) + rows_flow(rate[x], h[x], h[x + 1])) +
            (rows_flow(rate[x], h[x], h[x - s]) + rows_flow(rate[x], h[x], h[x + s]));
        const int32_t gained =
            (rows_flow(rate[x - 1], h[x - 1], h[x]) + rows_flow(rate[x + 1], h[x + 1], h[x])) +
            (rows_flow(rate[x - s], h[x - s], h[x]) + rows_flow(rate[x + s], h[x + s], h[x]));
        change[x] += gained - lost;
        deposit[x] += (float)(change[x] > 0 ? change[x] : 0);
    }
}

static inline float rows_lower(float a, float b)
{
    return a < b ? a : b;
}

// The slope bound of talus_rests() (laws/slopes/talus_kernel.h) with a limit below repose; see
// settle_steep in saltation_settle.c.
static inline bool rows_are_steep(const saltation_steep_row* row, int32_t begin, int32_t end)
{
    const float* h = row->level;
    const float* north = row->level - row->stride;
    const float* south = row->level + row->stride;
    const float least = row->least * row->least;
    int32_t steep = 0;
#pragma omp simd reduction(| : steep)
    for (int32_t x = begin; x < end; ++x)
    {
        const float low_x = rows_lower(h[x - 1], h[x + 1]);
        const float low_y = rows_lower(north[x], south[x]);
        const float low_n = rows_lower(north[x - 1], north[x + 1]);
        const float low_s = rows_lower(south[x - 1], south[x + 1]);
        const float axis = h[x] - rows_lower(low_x, low_y);
        const float diagonal = h[x] - rows_lower(low_n, low_s);
        const float half = 0.5f * (diagonal > 0.0f ? diagonal : 0.0f);
        const float along = axis > half ? axis : half;
        const float beyond = diagonal > axis ? diagonal - axis : 0.0f;
        const float across = beyond < half ? beyond : half;
        steep |= (int32_t)(along * along + across * across > least);
    }
    return steep != 0;
}

static uint8_t saltation_steep_kernel(const saltation_steep_row* row)
{
    uint32_t stretches = 0;
    for (int32_t begin = 0; begin < row->count; begin += WADI_TALUS_STRETCH)
    {
        const int32_t end = begin + WADI_TALUS_STRETCH;
        const bool steep = rows_are_steep(row, begin, end < row->count ? end : row->count);
        stretches |= (steep ? 1u : 0u) << (begin / WADI_TALUS_STRETCH);
    }
    return (uint8_t)stretches;
}
