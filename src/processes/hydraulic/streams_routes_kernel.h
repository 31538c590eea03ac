// SPDX-License-Identifier: MIT
// Routes of a row: receivers, the number of donors, and the main donor. Included by
// streams_kernel.c. Plain C without branches, so that compilers vectorise it.
#include "core/random.h"
#include "processes/hydraulic/streams_facets.h"
#include "processes/hydraulic/streams_kernels.h"

enum
{
    ROUTES_CHUNK = 256 // cells: a few rows and the buffers stay in the cache
};

// Words of Philox for `count` groups of four cells, as wadi_random() has them.
static inline void routes_draw(const stream_routes_row* row, uint64_t group, int32_t count,
                               uint32_t* restrict words)
{
    const uint32_t low = (uint32_t)group;
    const uint32_t high = (uint32_t)(group >> 32); // the same for all cells of a map
    const uint32_t k0 = (uint32_t)row->seed;
    const uint32_t k1 = (uint32_t)(row->seed >> 32);
    uint32_t v[4][ROUTES_CHUNK / 4 + 2];
#pragma omp simd
    for (int32_t i = 0; i < count; ++i)
    {
        uint32_t c0 = low + (uint32_t)i;
        uint32_t c1 = high;
        uint32_t c2 = row->step_index;
        uint32_t c3 = row->stream;
        for (uint32_t round = 0; round < 10; ++round)
        {
            const uint64_t p0 = (uint64_t)0xD2511F53u * c0;
            const uint64_t p1 = (uint64_t)0xCD9E8D57u * c2;
            const uint32_t n0 = (uint32_t)(p1 >> 32) ^ c1 ^ (k0 + round * 0x9E3779B9u);
            const uint32_t n2 = (uint32_t)(p0 >> 32) ^ c3 ^ (k1 + round * 0xBB67AE85u);
            c1 = (uint32_t)p1;
            c3 = (uint32_t)p0;
            c0 = n0;
            c2 = n2;
        }
        v[0][i] = c0;
        v[1][i] = c1;
        v[2][i] = c2;
        v[3][i] = c3;
    }
    for (int32_t i = 0; i < count; ++i)
    {
        for (int32_t k = 0; k < 4; ++k)
        {
            words[4 * i + k] = v[k][i];
        }
    }
}

// Fall to a neighbour; a wall is far above [units]. Its difference would overflow below level 0.
static inline float routes_fall(int32_t here, int32_t there)
{
    const int32_t fall = (int32_t)((uint32_t)here - (uint32_t)there);
    return lanes_pickf(-(there == INT32_MAX), -1e9f, (float)fall);
}

static inline void routes_descend(const stream_routes_row* row, int32_t begin, int32_t count,
                                  const uint32_t* restrict words, int32_t* restrict code)
{
    const ptrdiff_t s = row->stride;
    const int32_t* restrict r = row->spill + begin;
    float* restrict share_out = row->share + begin;
#pragma omp simd
    for (int32_t x = 0; x < count; ++x)
    {
        const int32_t here = r[x];
        const float e = routes_fall(here, r[x + 1]);
        const float se = routes_fall(here, r[x + s + 1]);
        const float so = routes_fall(here, r[x + s]);
        const float sw = routes_fall(here, r[x + s - 1]);
        const float w = routes_fall(here, r[x - 1]);
        const float nw = routes_fall(here, r[x - s - 1]);
        const float n = routes_fall(here, r[x - s]);
        const float ne = routes_fall(here, r[x - s + 1]);
        stream_facet best = {8, 8, 0.0f, 0.0f, 0.0f};
        stream_try_facet(0, 1, e, se, &best);
        stream_try_facet(0, 7, e, ne, &best);
        stream_try_facet(2, 3, so, sw, &best);
        stream_try_facet(2, 1, so, se, &best);
        stream_try_facet(4, 5, w, nw, &best);
        stream_try_facet(4, 3, w, sw, &best);
        stream_try_facet(6, 7, n, ne, &best);
        stream_try_facet(6, 5, n, nw, &best);
        const int32_t falls = -(best.steep > 0.0f);
        const float share = lanes_pickf(falls, stream_facet_share(&best), 0.0f);
        const float lot = (float)(int32_t)(words[x] >> 8) * 0x1p-24f; // wadi_unit_float()
        const int32_t some = -(share > 0.0f);
        const int32_t part = -(share < 1.0f);
        const int32_t to = lanes_pick(-(lot < share), best.diagonal, best.axis);
        const int32_t first = lanes_pick(part, best.axis, best.diagonal);
        const int32_t second = lanes_pick(some & part, best.diagonal, 8);
        share_out[x] = lanes_pickf(part, share, 0.0f);
        code[x] = to | first << 8 | second << 12;
    }
}

static inline void routes_store(const stream_routes_row* row, int32_t begin, int32_t count,
                                const int32_t* restrict code)
{
    const int32_t* restrict r = row->spill + begin;
    const int32_t* restrict h = row->surface + begin;
    uint8_t* restrict to = row->to + begin;
    uint8_t* restrict ways = row->ways + begin;
    uint8_t* restrict wet = row->wet + begin;
    const int32_t shallow = row->shallow;
#pragma omp simd
    for (int32_t x = 0; x < count; ++x)
    {
        to[x] = (uint8_t)(code[x] & 255);
        ways[x] = (uint8_t)(code[x] >> 8);
        wet[x] = r[x] - h[x] > shallow ? 1 : 0;
    }
}

static void stream_routes_kernel(const stream_routes_row* row)
{
    uint32_t words[ROUTES_CHUNK + 8];
    int32_t code[ROUTES_CHUNK];
    for (int32_t begin = 0; begin < row->count; begin += ROUTES_CHUNK)
    {
        const int32_t count = begin + ROUTES_CHUNK < row->count ? ROUTES_CHUNK : row->count - begin;
        const uint64_t first = row->first + (uint64_t)begin;
        const int32_t skip = (int32_t)(first & 3);
        routes_draw(row, first >> 2, (skip + count + 3) / 4, words);
        routes_descend(row, begin, count, words + skip, code);
        routes_store(row, begin, count, code);
    }
}

// ---- donors ------------------------------------------------------------------------------

static inline uint8_t donors_gives(uint8_t ways, uint8_t direction)
{
    return (uint8_t)(((ways & 15) == direction) | (ways >> 4 == direction));
}

// Cells whose eight neighbours are there. Bit 7 marks where a stream enters a lake.
static void stream_waits_kernel(const stream_donors_row* row)
{
    const ptrdiff_t w = row->width;
    const ptrdiff_t move[8] = {1, w + 1, w, w - 1, -1, -w - 1, -w, -w + 1};
    const uint8_t* restrict ways = row->ways;
    const uint8_t* restrict wet = row->wet;
    uint8_t* restrict waits = row->waits;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        uint8_t count = 0;
        uint8_t dry = 0;
        for (int d = 0; d < 8; ++d)
        {
            const uint8_t gives = donors_gives(ways[x + move[d]], (uint8_t)(d ^ 4));
            count = (uint8_t)(count + gives);
            dry = (uint8_t)(dry | (gives & (wet[x + move[d]] ^ 1)));
        }
        waits[x] = (uint8_t)(count | (dry & wet[x]) << 7);
    }
}

static void stream_donors_kernel(const stream_donors_row* row)
{
    const ptrdiff_t w = row->width;
    const ptrdiff_t move[8] = {1, w + 1, w, w - 1, -1, -w - 1, -w, -w + 1};
    const uint8_t* restrict to = row->to;
    const float* restrict q = row->discharge;
    uint8_t* restrict donor = row->donor;
#pragma omp simd
    for (int32_t x = 0; x < row->count; ++x)
    {
        float most = -1.0f;
        int32_t best = 8;
        for (int d = 0; d < 8; ++d)
        {
            const int32_t there = to[x + move[d]];
            const bool more = (there == (d ^ 4)) & (q[x + move[d]] > most);
            most = more ? q[x + move[d]] : most;
            best = more ? d : best;
        }
        donor[x] = (uint8_t)best;
    }
}

// ---- base level --------------------------------------------------------------------------

static inline int32_t base_lower(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static void stream_base_kernel(int32_t count, const int32_t* rise, const int32_t* restrict beside,
                               int32_t* restrict level)
{
    const int32_t axis = rise[0];
    const int32_t diagonal = rise[1];
#pragma omp simd
    for (int32_t x = 0; x < count; ++x)
    {
        const int32_t corner = base_lower(beside[x - 1], beside[x + 1]);
        const int32_t over = base_lower(corner, INT32_MAX - diagonal) + diagonal;
        const int32_t along = base_lower(beside[x], INT32_MAX - axis) + axis;
        level[x] = base_lower(level[x], base_lower(over, along));
    }
}
