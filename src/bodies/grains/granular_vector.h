// SPDX-License-Identifier: MIT
// Vectors of three numbers, and the lanes of many of them for SIMD kernels. Functions take them by
// value and have no inner loops: gcc 12 vectorises a loop over lanes only if its body contains no
// array.
#pragma once

#include "bodies/grains/granular_kernels.h"

#include <math.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

// A loop over lanes makes vectors only when all that it calls is inlined, however large.
#define GRANULAR_INLINE inline __attribute__((always_inline))

enum
{
    LANES = GRANULAR_LANES,
    GROUP = GRANULAR_GROUP
};

// Four short floats that every processor has instructions for.
typedef float vec_near __attribute__((vector_size(16)));

static GRANULAR_INLINE vec_near vec_near_load(const float* from)
{
    vec_near v;
    memcpy(&v, from, sizeof v);
    return v;
}

static GRANULAR_INLINE void vec_near_store(vec_near v, float* to)
{
    memcpy(to, &v, sizeof v);
}

// With the sign of the last number changed.
static GRANULAR_INLINE vec_near vec_near_turn(vec_near v)
{
    typedef int32_t vec_near_bits __attribute__((vector_size(16)));
    return (vec_near)((vec_near_bits)v ^ (vec_near_bits){0, 0, 0, INT32_MIN});
}

// Bit k: values[k] is below the limit, of a group.
static GRANULAR_INLINE uint32_t vec_below(const float* values, float limit)
{
#if defined(__AVX512F__)
    return _mm512_cmp_ps_mask(_mm512_loadu_ps(values), _mm512_set1_ps(limit), _CMP_LT_OQ);
#elif defined(__SSE2__)
    uint32_t bits = 0;
    for (int k = 0; k < GROUP; k += 4)
    {
        const __m128 below = _mm_cmplt_ps(_mm_loadu_ps(values + k), _mm_set1_ps(limit));
        bits |= (uint32_t)_mm_movemask_ps(below) << k;
    }
    return bits;
#else
    uint32_t bits = 0;
    for (uint32_t k = 0; k < GROUP; ++k)
    {
        bits |= (values[k] < limit ? 1u : 0u) << k;
    }
    return bits;
#endif
}

// Write `first` plus the number of each bit of a group that is set; returns how many. There must be
// room for a whole group.
static GRANULAR_INLINE int32_t vec_append(int32_t* out, int32_t first, uint32_t bits)
{
#if defined(__AVX512F__)
    // the end of a loop over bits is mispredicted: 3 % of a step
    const __m512i count = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i numbers = _mm512_add_epi32(count, _mm512_set1_epi32(first));
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi32((__mmask16)bits, numbers));
    return __builtin_popcount(bits);
#else
    int32_t count = 0;
    for (; bits != 0; bits &= bits - 1)
    {
        out[count++] = first + __builtin_ctz(bits);
    }
    return count;
#endif
}

// Write where each bit of `now` has its memory: bits of `was` follow each other from `seen` on, the
// others from `next` on. There must be room for a whole group.
static GRANULAR_INLINE void vec_append_ranks(int32_t* out, uint32_t now, uint32_t was, int32_t seen,
                                             int32_t next)
{
#if defined(__AVX512F__)
    const __m512i count = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i old = _mm512_add_epi32(count, _mm512_set1_epi32(seen));
    const __m512i born = _mm512_add_epi32(count, _mm512_set1_epi32(next));
    const __m512i ranks = _mm512_mask_expand_epi32(_mm512_maskz_expand_epi32((__mmask16)was, old),
                                                   (__mmask16)(now & ~was), born);
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi32((__mmask16)now, ranks));
#else
    for (uint32_t bits = now; bits != 0; bits &= bits - 1)
    {
        const uint32_t bit = bits & (~bits + 1u);
        const int32_t rank = seen + __builtin_popcount(was & (bit - 1u));
        *out++ = (was & bit) != 0 ? rank : next++;
    }
#endif
}

// Four numbers of one grain or contact: records are read and written a row at a time, and turned
// into lanes four rows at a time. Element by element, number by number, it is 12 loads, as many
// stores and as many sums a contact (40 % of a step).
typedef double vec_four __attribute__((vector_size(32)));
typedef int64_t vec_whole __attribute__((vector_size(32)));

static GRANULAR_INLINE vec_four vec_four_load(const double* from)
{
    vec_four v;
    memcpy(&v, from, sizeof v);
    return v;
}

static GRANULAR_INLINE void vec_four_store(vec_four v, double* to)
{
    memcpy(to, &v, sizeof v);
}

// Load three numbers; the fourth word in memory is no number and must not enter arithmetic.
static GRANULAR_INLINE vec_four vec_four_load_three(const double* from)
{
    return (vec_four)((vec_whole)vec_four_load(from) & (vec_whole){-1, -1, -1, 0});
}

static GRANULAR_INLINE vec_whole vec_whole_load(const int64_t* from)
{
    vec_whole v;
    memcpy(&v, from, sizeof v);
    return v;
}

static GRANULAR_INLINE vec_four vec_four_of(vec_whole v)
{
    return __builtin_convertvector(v, vec_four);
}

static GRANULAR_INLINE vec_four vec_four_pick(vec_whole first, vec_four a, vec_four b)
{
    return (vec_four)(((vec_whole)a & first) | ((vec_whole)b & ~first));
}

// The first three of a and the last of b.
static GRANULAR_INLINE vec_four vec_four_last(vec_four a, vec_four b)
{
    return __builtin_shufflevector(a, b, 0, 1, 2, 7);
}

// Rows become columns.
static GRANULAR_INLINE void vec_four_turn(vec_four r[4])
{
    const vec_four xy01 = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6);
    const vec_four zw01 = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7);
    const vec_four xy23 = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6);
    const vec_four zw23 = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
    r[0] = __builtin_shufflevector(xy01, xy23, 0, 1, 4, 5);
    r[1] = __builtin_shufflevector(zw01, zw23, 0, 1, 4, 5);
    r[2] = __builtin_shufflevector(xy01, xy23, 2, 3, 6, 7);
    r[3] = __builtin_shufflevector(zw01, zw23, 2, 3, 6, 7);
}

typedef struct vec
{
    double x;
    double y;
    double z;
} vec;

typedef struct vec_lanes
{
    double x[LANES];
    double y[LANES];
    double z[LANES];
} vec_lanes;

typedef struct vec_units
{
    int64_t x[LANES];
    int64_t y[LANES];
    int64_t z[LANES];
} vec_units;

// Rows of four contacts to lanes k to k + 3; what stood last in each to `last`.
static GRANULAR_INLINE void vec_four_spread(const vec_four rows[4], vec_lanes* lanes, int k,
                                            vec_four* last)
{
    vec_four r[4] = {rows[0], rows[1], rows[2], rows[3]};
    vec_four_turn(r);
    vec_four_store(r[0], lanes->x + k);
    vec_four_store(r[1], lanes->y + k);
    vec_four_store(r[2], lanes->z + k);
    *last = r[3];
}

// The inverse: rows from lanes.
static GRANULAR_INLINE void vec_four_gather(const vec_lanes* lanes, int k, vec_four last,
                                            vec_four rows[4])
{
    rows[0] = vec_four_load(lanes->x + k);
    rows[1] = vec_four_load(lanes->y + k);
    rows[2] = vec_four_load(lanes->z + k);
    rows[3] = last;
    vec_four_turn(rows);
}

static GRANULAR_INLINE void vec_whole_gather(const vec_units* units, int k, vec_whole rows[4])
{
    vec_four r[4] = {{0.0}, {0.0}, {0.0}, {0.0}};
    memcpy(&r[0], units->x + k, sizeof r[0]);
    memcpy(&r[1], units->y + k, sizeof r[1]);
    memcpy(&r[2], units->z + k, sizeof r[2]);
    vec_four_turn(r);
    for (int m = 0; m < 4; ++m)
    {
        rows[m] = (vec_whole)r[m];
    }
}

static GRANULAR_INLINE vec vec_load(const double v[3])
{
    return (vec){v[0], v[1], v[2]};
}

static GRANULAR_INLINE void vec_store(vec v, double out[3])
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static GRANULAR_INLINE vec vec_get(const vec_lanes* lanes, int k)
{
    return (vec){lanes->x[k], lanes->y[k], lanes->z[k]};
}

static GRANULAR_INLINE void vec_set(vec_lanes* lanes, int k, vec v)
{
    lanes->x[k] = v.x;
    lanes->y[k] = v.y;
    lanes->z[k] = v.z;
}

static GRANULAR_INLINE vec vec_add(vec a, vec b)
{
    return (vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

static GRANULAR_INLINE vec vec_sub(vec a, vec b)
{
    return (vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

static GRANULAR_INLINE vec vec_scale(double s, vec a)
{
    return (vec){s * a.x, s * a.y, s * a.z};
}

static GRANULAR_INLINE double vec_dot(vec a, vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static GRANULAR_INLINE double vec_size(vec a)
{
    return sqrt(vec_dot(a, a));
}

static GRANULAR_INLINE vec vec_cross(vec a, vec b)
{
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static GRANULAR_INLINE vec vec_pick(bool first, vec a, vec b)
{
    return (vec){first ? a.x : b.x, first ? a.y : b.y, first ? a.z : b.z};
}

// Part of a vector perpendicular to n.
static GRANULAR_INLINE vec vec_across(vec n, vec a)
{
    return vec_sub(a, vec_scale(vec_dot(a, n), n));
}

// Turned into the plane across n, and as long as `length`. A vector along n becomes 0.
static GRANULAR_INLINE vec vec_lay(vec n, vec a, double length)
{
    const vec flat = vec_across(n, a);
    const double size = vec_size(flat);
    return vec_scale(length / (size > 1e-150 ? size : 1e-150), flat);
}

// In units of force: see wadi_exact_round().
static GRANULAR_INLINE void vec_count(vec_units* units, int k, double scale, vec v)
{
    units->x[k] = wadi_exact_round(scale * v.x);
    units->y[k] = wadi_exact_round(scale * v.y);
    units->z[k] = wadi_exact_round(scale * v.z);
}

static GRANULAR_INLINE vec vec_nearest(const granular_work* work, vec d)
{
    return (vec){wadi_exact_nearest(d.x, work->period[0], work->inverse_period[0]),
                 wadi_exact_nearest(d.y, work->period[1], work->inverse_period[1]), d.z};
}

// Add lane k to the force on a grain.
static GRANULAR_INLINE void vec_scatter(granular_row* row, const vec_units* force,
                                        const vec_units* turn, int32_t k)
{
    row->force[0] = wadi_exact_plus(row->force[0], force->x[k]);
    row->force[1] = wadi_exact_plus(row->force[1], force->y[k]);
    row->force[2] = wadi_exact_plus(row->force[2], force->z[k]);
    row->turn[0] = wadi_exact_plus(row->turn[0], turn->x[k]);
    row->turn[1] = wadi_exact_plus(row->turn[1], turn->y[k]);
    row->turn[2] = wadi_exact_plus(row->turn[2], turn->z[k]);
}

// The same for all lanes of one contact at once.
static GRANULAR_INLINE void vec_row_add(granular_row* row, vec_whole force, vec_whole turn)
{
    const vec_whole forces = vec_whole_load(row->force) + force;
    const vec_whole turns = vec_whole_load(row->turn) + turn;
    memcpy(row->force, &forces, sizeof forces);
    memcpy(row->turn, &turns, sizeof turns);
}
