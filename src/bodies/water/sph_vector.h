// SPDX-License-Identifier: MIT
// Lanes of doubles, and the shuffles between records in memory and lanes: eight 64-byte records
// become eight vectors and four vectors become eight 32-byte rows. Written with the vector
// extensions of gcc and clang; shuffles instead of gathers are worth 1.5-1.9 times the speed.
#pragma once

#include "bodies/water/sph_kernels.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

// Wider vectors than the instruction set has are never passed to a function: all is inlined.
#pragma GCC diagnostic ignored "-Wpsabi"

#define SPH_INLINE inline __attribute__((always_inline))

typedef double lane4 __attribute__((vector_size(32)));
typedef int64_t unit4 __attribute__((vector_size(32)));

#if defined(__AVX512F__)
enum
{
    LANES = 8
};
typedef double lane __attribute__((vector_size(64)));
typedef int64_t unit __attribute__((vector_size(64)));
#define LANE_ALL(x) ((lane){x, x, x, x, x, x, x, x})
// within each half of four
#define LANE_LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14)
#define LANE_HIGH(a, b) __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15)
#define LANE_FRONT(a, b) __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define LANE_BACK(a, b) __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
// even and odd pairs of both
#define LANE_EVEN(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5, 8, 9, 12, 13)
#define LANE_ODD(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7, 10, 11, 14, 15)
#else
enum
{
    LANES = 4
};
typedef lane4 lane;
typedef unit4 unit;
#define LANE_ALL(x) ((lane){x, x, x, x})
#define LANE_LOW(a, b) __builtin_shufflevector(a, b, 0, 4, 2, 6)
#define LANE_HIGH(a, b) __builtin_shufflevector(a, b, 1, 5, 3, 7)
#define LANE_FRONT(a, b) __builtin_shufflevector(a, b, 0, 1, 4, 5)
#define LANE_BACK(a, b) __builtin_shufflevector(a, b, 2, 3, 6, 7)
#define LANE_EVEN(a, b) LANE_FRONT(a, b)
#define LANE_ODD(a, b) LANE_BACK(a, b)
#endif

static SPH_INLINE lane lane_sqrt(lane x)
{
#if defined(__AVX512F__)
    return (lane)_mm512_sqrt_pd((__m512d)x);
#elif defined(__AVX__)
    return (lane)_mm256_sqrt_pd((__m256d)x);
#else
    lane root;
    for (int k = 0; k < LANES; ++k)
    {
        root[k] = sqrt(x[k]);
    }
    return root;
#endif
}

// x where it is above 0, else 0; and where below. Without masks, which take five cycles longer.
static SPH_INLINE lane lane_above(lane x)
{
#if defined(__AVX512F__)
    return (lane)_mm512_max_pd((__m512d)x, _mm512_setzero_pd());
#elif defined(__AVX__)
    return (lane)_mm256_max_pd((__m256d)x, _mm256_setzero_pd());
#else
    return (lane)((unit)x & (unit)(x > LANE_ALL(0.0)));
#endif
}

static SPH_INLINE lane lane_below(lane x)
{
#if defined(__AVX512F__)
    return (lane)_mm512_min_pd((__m512d)x, _mm512_setzero_pd());
#elif defined(__AVX__)
    return (lane)_mm256_min_pd((__m256d)x, _mm256_setzero_pd());
#else
    return (lane)((unit)x & (unit)(x < LANE_ALL(0.0)));
#endif
}

// See wadi_exact_round().
static SPH_INLINE unit lane_round(lane x)
{
    return (unit)(x + LANE_ALL(WADI_EXACT_MAGIC)) - (unit)LANE_ALL(WADI_EXACT_MAGIC);
}

// Four doubles at an offset of the first record; with eight lanes, of the second behind them.
static SPH_INLINE lane lane_load(const sph_body* first, const sph_body* second, int offset)
{
#if defined(__AVX512F__)
    const __m512d front = _mm512_castpd256_pd512(_mm256_loadu_pd((const double*)first + offset));
    return (lane)_mm512_insertf64x4(front, _mm256_loadu_pd((const double*)second + offset), 1);
#else
    (void)second;
    lane four;
    memcpy(&four, (const double*)first + offset, sizeof four);
    return four;
#endif
}

// Four members of LANES records, each a vector. Halves of eight lanes hold every other pair of
// records, so that one shuffle without a table brings them in order.
static SPH_INLINE void lane_gather(const sph_body* bodies, const uint16_t* others, int offset,
                                   lane out[4])
{
    enum
    {
        NEXT = LANES == 8 ? 2 : 0,
        HALF = LANES / 2
    };
    const lane a = lane_load(&bodies[others[0]], &bodies[others[NEXT]], offset);
    const lane b = lane_load(&bodies[others[1]], &bodies[others[1 + NEXT]], offset);
    const lane c = lane_load(&bodies[others[HALF]], &bodies[others[HALF + NEXT]], offset);
    const lane d = lane_load(&bodies[others[HALF + 1]], &bodies[others[HALF + 1 + NEXT]], offset);
    const lane ab_low = LANE_LOW(a, b);
    const lane ab_high = LANE_HIGH(a, b);
    const lane cd_low = LANE_LOW(c, d);
    const lane cd_high = LANE_HIGH(c, d);
    out[0] = LANE_EVEN(ab_low, cd_low);
    out[1] = LANE_EVEN(ab_high, cd_high);
    out[2] = LANE_ODD(ab_low, cd_low);
    out[3] = LANE_ODD(ab_high, cd_high);
}

static SPH_INLINE void unit_add(sph_row* row, unit4 more)
{
    unit4 sum;
    memcpy(&sum, row, sizeof sum);
    sum += more;
    memcpy(row, &sum, sizeof sum);
}

// Add to the k-th row; with eight lanes, also to row k + 4.
static SPH_INLINE void unit_store(sph_row* rows, const uint16_t* others, int k, unit x)
{
#if defined(__AVX512F__)
    unit_add(&rows[others[k]], __builtin_shufflevector(x, x, 0, 1, 2, 3));
    unit_add(&rows[others[k + 4]], __builtin_shufflevector(x, x, 4, 5, 6, 7));
#else
    unit_add(&rows[others[k]], x);
#endif
}

// Add four vectors to LANES rows, one after the other: a row may come twice.
static SPH_INLINE void unit_scatter(sph_row* rows, const uint16_t* others, const unit in[4])
{
    const unit ab_low = LANE_LOW(in[0], in[1]);
    const unit ab_high = LANE_HIGH(in[0], in[1]);
    const unit cd_low = LANE_LOW(in[2], in[3]);
    const unit cd_high = LANE_HIGH(in[2], in[3]);
    unit_store(rows, others, 0, LANE_FRONT(ab_low, cd_low));
    unit_store(rows, others, 1, LANE_FRONT(ab_high, cd_high));
    unit_store(rows, others, 2, LANE_BACK(ab_low, cd_low));
    unit_store(rows, others, 3, LANE_BACK(ab_high, cd_high));
}

// Add what the lanes of four vectors add up to, each to a member of a row.
static SPH_INLINE void unit_gather(sph_row* row, const unit in[4])
{
    const unit ab = LANE_LOW(in[0], in[1]) + LANE_HIGH(in[0], in[1]);
    const unit cd = LANE_LOW(in[2], in[3]) + LANE_HIGH(in[2], in[3]);
    const unit sum = LANE_FRONT(ab, cd) + LANE_BACK(ab, cd);
#if defined(__AVX512F__)
    unit_add(row, __builtin_shufflevector(sum, sum, 0, 1, 2, 3) +
                      __builtin_shufflevector(sum, sum, 4, 5, 6, 7));
#else
    unit_add(row, sum);
#endif
}
