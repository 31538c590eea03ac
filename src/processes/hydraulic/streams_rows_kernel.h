// SPDX-License-Identifier: MIT
// Passes of a step over rows: heights, what creep may take and what streams carry on, gross wear
// and deposits, and lakes. Included by streams_kernel.c. Plain C without branches, so that
// compilers vectorise it.
#include "lockstep/lanes.h"
#include "processes/hydraulic/streams_kernels.h"

static inline int32_t rows_lower(int32_t a, int32_t b)
{
    return lanes_pick(-(a < b), a, b);
}

static inline int32_t rows_higher(int32_t a, int32_t b)
{
    return lanes_pick(-(a > b), a, b);
}

// ---- heights -----------------------------------------------------------------------------

static void stream_heights_kernel(stream_heights_row* row)
{
    const int32_t* restrict rock = row->rock;
    const int32_t* restrict loose = row->loose;
    const uint8_t* restrict valid = row->valid;
    int32_t* restrict out = row->out;
    int32_t low = INT32_MAX;
    int32_t high = INT32_MIN;
#pragma omp simd reduction(min : low) reduction(max : high)
    for (int32_t x = 0; x < row->count; ++x)
    {
        const int32_t h = rock[x] + loose[x];
        const int32_t there = -(valid[x] != 0);
        const int32_t least = lanes_pick(there, h, INT32_MAX);
        const int32_t most = lanes_pick(there, h, INT32_MIN);
        out[x] = h;
        low = least < low ? least : low;
        high = most > high ? most : high;
    }
    row->low = low;
    row->high = high;
}

static void stream_level_kernel(int32_t count, int32_t datum, const uint8_t* restrict valid,
                                int32_t* restrict height)
{
#pragma omp simd
    for (int32_t x = 0; x < count; ++x)
    {
        height[x] = lanes_pick(-(valid[x] != 0), height[x] - datum, INT32_MAX);
    }
}

// ---- creep -------------------------------------------------------------------------------

static void creep_spare_kernel(int32_t count, const int32_t* restrict water,
                               const int32_t* restrict loose, int32_t* restrict spare)
{
#pragma omp simd
    for (int32_t x = 0; x < count; ++x)
    {
        spare[x] = lanes_pick(-(water[x] > 0), loose[x] / 4, INT32_MAX);
    }
}

static void creep_flush_kernel(const creep_flush_row* row)
{
    const float flushing = row->flushing;
    const float head = row->head;
    const int32_t keep = row->keep;
    const float* restrict q = row->discharge;
    const int32_t* restrict water = row->water;
    const uint8_t* restrict rim = row->rim;
    int64_t* restrict load = row->load;
    int32_t* restrict landed = row->landed;
    int32_t* restrict gains = row->gains;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        const int32_t gain = rows_higher(gains[x], 0);
        const float channel = q[x] / (q[x] + head);
        const int32_t flows = -((water[x] == 0) & (rim[x] == 0));
        const int32_t part = (int32_t)((float)gain * (flushing * channel));
        const int32_t flushed = rows_lower(part, gain) & flows;
        const int32_t rest = gain - flushed;
        const int32_t lands = rows_lower((int32_t)((float)rest * channel), rest) & flows;
        landed[x] = (landed[x] & keep) + lands;
        load[x] = (load[x] & keep) + flushed + lands;
        gains[x] -= flushed + lands;
    }
}

// ---- books -------------------------------------------------------------------------------

// A map of gross wear or deposits stops at 32 767 m.
static inline int32_t rows_sum(int32_t sum, int32_t amount)
{
    return sum + rows_lower(amount, INT32_MAX - sum);
}

static void stream_count_kernel(int32_t count, const int32_t* restrict change,
                                int32_t* restrict wear, int32_t* restrict deposit)
{
#pragma omp simd
    for (int32_t x = 0; x < count; ++x)
    {
        wear[x] = rows_sum(wear[x], rows_higher(-change[x], 0));
        deposit[x] = rows_sum(deposit[x], rows_higher(change[x], 0));
    }
}

static void stream_lakes_kernel(stream_lakes_row* row)
{
    const uint8_t* restrict rim = row->rim;
    const uint8_t* restrict wet = row->wet;
    const int32_t* restrict drop = row->drop;
    int32_t* restrict water = row->water;
    const uint8_t sea = row->sea;
    int64_t risen = 0;
    int64_t fallen = 0;
#pragma omp simd reduction(+ : risen, fallen)
    for (int32_t x = 0; x < row->count; ++x)
    {
        const int32_t lake = -((rim[x] < sea) & (wet[x] != 0));
        const int32_t held = rows_higher(-drop[x], 0) & lake;
        const int32_t change = held - water[x];
        risen += rows_higher(change, 0);
        fallen += rows_higher(-change, 0);
        water[x] = held;
    }
    row->risen = risen;
    row->fallen = fallen;
}

// ---- slides under water ------------------------------------------------------------------

static void stream_steep_kernel(const stream_steep_row* row)
{
    const ptrdiff_t w = row->width;
    const uint8_t* restrict kind = row->kind;
    const int32_t* restrict h = row->bed;
    uint8_t* restrict steep = row->steep;
    const int32_t axis = row->rest[0] + row->slack;
    const int32_t diagonal = row->rest[1] + row->slack;
    const uint8_t water = row->water;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        const int32_t beside =
            rows_lower(rows_lower(h[x + 1], h[x - 1]), rows_lower(h[x + w], h[x - w]));
        const int32_t corner = rows_lower(rows_lower(h[x + w + 1], h[x + w - 1]),
                                          rows_lower(h[x - w + 1], h[x - w - 1]));
        const bool falls = (beside < h[x] - axis) | (corner < h[x] - diagonal);
        steep[x] = (uint8_t)(falls & (kind[x] >= water));
    }
}
