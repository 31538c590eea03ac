// SPDX-License-Identifier: MIT
// Contact detection: of all pairs of a chunk, those whose grains overlap. Included once per
// instruction set.
#include "bodies/grains/granular_vector.h"

// Positions of grains from the chunk's centre as floats, and consecutive copies of the halo's
// grains.
static void granular_copy_kernel(granular_copy_work* work)
{
    const vec_four middle = {work->middle[0], work->middle[1], work->middle[2], 0.0};
    const vec_four period = {work->period[0], work->period[1], 0.0, 0.0};
    const vec_four inverse = {work->inverse_period[0], work->inverse_period[1], 0.0, 0.0};
    const vec_four magic = {WADI_EXACT_MAGIC, WADI_EXACT_MAGIC, WADI_EXACT_MAGIC, WADI_EXACT_MAGIC};
    int32_t mixed = 0;
    int32_t calmest = work->calmest;
    for (int32_t k = 0; k < work->count; ++k)
    {
        const granular_body* body = &work->from[work->places != NULL ? work->places[k] : k];
        const vec_four d = vec_four_load(body->x) - middle;
        const vec_four turns = (d * inverse + magic) - magic;
        vec_near_store(__builtin_convertvector(d - period * turns, vec_near), work->near[k]);
        mixed |= body->kind ^ work->kind;
        calmest = body->calm > calmest ? body->calm : calmest;
        if (work->bodies != NULL)
        {
            work->bodies[k] = *body;
        }
    }
    work->mixed = work->mixed || mixed != 0;
    work->calmest = calmest;
}

static GRANULAR_INLINE bool find_is_touching(const granular_work* work, granular_pair pair)
{
    const granular_body* a = &work->bodies[pair.i];
    const granular_body* b = granular_work_body(work, pair.j);
    const vec d = vec_nearest(work, vec_sub(vec_load(a->x), vec_load(b->x)));
    const double reach = a->radius + b->radius;
    return vec_dot(d, d) < reach * reach;
}

enum
{
    FIND_FEW = 8 * GROUP // pairs at once
};

// Squared distance less squared sum of radii.
static GRANULAR_INLINE float find_gap(const granular_work* work, float dx, float dy, float dz,
                                      float sum)
{
    const float magic = 0x1.8p23f;
    const float x = dx - work->near_period[0] * ((dx * work->near_inverse[0] + magic) - magic);
    const float y = dy - work->near_period[1] * ((dy * work->near_inverse[1] + magic) - magic);
    return x * x + y * y + dz * dz - sum * sum;
}

#if defined(__AVX512F__)

// Positions and radii of four grains.
static GRANULAR_INLINE __m512 find_rows(const float (*near)[4], int32_t a, int32_t b, int32_t c,
                                        int32_t d)
{
    const __m256 ab = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(near[a])),
                                           _mm_loadu_ps(near[b]), 1);
    const __m256 cd = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(near[c])),
                                           _mm_loadu_ps(near[d]), 1);
    return _mm512_insertf32x8(_mm512_castps256_ps512(ab), cd, 1);
}

// From j to i and the sum of radii, of every fourth pair of a group.
static GRANULAR_INLINE __m512 find_fourths(const granular_work* work, const granular_pair* p)
{
    const __m512 turn = _mm512_castsi512_ps(
        _mm512_broadcast_i32x4(_mm_setr_epi32(0, 0, 0, INT32_MIN))); // sign of the radius
    const __m512 i = find_rows(work->near, p[0].i, p[4].i, p[8].i, p[12].i);
    const __m512 j = find_rows(work->near, p[0].j, p[4].j, p[8].j, p[12].j);
    return _mm512_sub_ps(i, _mm512_xor_ps(j, turn));
}

// Gaps of a group, as find_gap(): four rows of four pairs become four numbers of sixteen.
static GRANULAR_INLINE void find_gaps_group(const granular_work* work, const granular_pair* pairs,
                                            float* gaps)
{
    __m512 r[4];
    for (int k = 0; k < 4; ++k)
    {
        r[k] = find_fourths(work, pairs + k);
    }
    const __m512d xy01 = _mm512_castps_pd(_mm512_unpacklo_ps(r[0], r[1]));
    const __m512d zw01 = _mm512_castps_pd(_mm512_unpackhi_ps(r[0], r[1]));
    const __m512d xy23 = _mm512_castps_pd(_mm512_unpacklo_ps(r[2], r[3]));
    const __m512d zw23 = _mm512_castps_pd(_mm512_unpackhi_ps(r[2], r[3]));
    float d[4][GROUP];
    _mm512_storeu_ps(d[0], _mm512_castpd_ps(_mm512_unpacklo_pd(xy01, xy23)));
    _mm512_storeu_ps(d[1], _mm512_castpd_ps(_mm512_unpackhi_pd(xy01, xy23)));
    _mm512_storeu_ps(d[2], _mm512_castpd_ps(_mm512_unpacklo_pd(zw01, zw23)));
    _mm512_storeu_ps(d[3], _mm512_castpd_ps(_mm512_unpackhi_pd(zw01, zw23)));
#pragma omp simd
    for (int k = 0; k < GROUP; ++k)
    {
        gaps[k] = find_gap(work, d[0][k], d[1][k], d[2][k], d[3][k]);
    }
}

static GRANULAR_INLINE void find_gaps(const granular_work* work, const granular_pair* pairs,
                                      int32_t count, float gaps[FIND_FEW])
{
    for (int32_t k = 0; k < count; k += GROUP)
    {
        find_gaps_group(work, pairs + k, gaps + k);
    }
}

#else

// From j to i and the sum of radii of pairs, as floats.
static GRANULAR_INLINE void find_differences(const granular_work* work, const granular_pair* pairs,
                                             int32_t count, float (*out)[4])
{
    for (int32_t k = 0; k < count; ++k)
    {
        // three differences and a sum in one subtraction
        const vec_near a = vec_near_load(work->near[pairs[k].i]);
        const vec_near b = vec_near_load(work->near[pairs[k].j]);
        vec_near_store(a - vec_near_turn(b), out[k]);
    }
}

// Some groups at once: what is written 16 bytes at a time cannot be read in wider pieces right away
// (a quarter of the search).
static GRANULAR_INLINE void find_gaps(const granular_work* work, const granular_pair* pairs,
                                      int32_t count, float gaps[FIND_FEW])
{
    float d[FIND_FEW][4];
    find_differences(work, pairs, count, d);
    for (int32_t first = 0; first < count; first += GROUP)
    {
#pragma omp simd
        for (int k = first; k < first + GROUP; ++k)
        {
            gaps[k] = find_gap(work, d[k][0], d[k][1], d[k][2], d[k][3]);
        }
    }
}

#endif

// Bit k: pair k of the group touches. Floats suffice except for pairs within `band`, which are
// computed in double.
static GRANULAR_INLINE uint32_t find_group(const granular_work* work, const granular_pair* pairs,
                                           const float* gaps)
{
    uint32_t inside = vec_below(gaps, -work->band);
    for (uint32_t open = vec_below(gaps, work->band) & ~inside; open != 0; open &= open - 1)
    {
        const int k = __builtin_ctz(open);
        inside |= (uint32_t)find_is_touching(work, pairs[k]) << k;
    }
    return inside;
}

// Append the pairs of a group in contact, the new contacts among them, and the index of each
// contact's state: `seen` pairs of earlier groups were in contact in the last step.
static GRANULAR_INLINE void find_note(granular_work* work, int32_t first, uint32_t now,
                                      int32_t seen)
{
    const uint32_t was = work->touching[first / GROUP];
    const int32_t next = work->slip_count + work->born_count;
    vec_append_ranks(work->memory + work->found_count, now, was, seen, next);
    if ((now & ~was) != 0)
    {
        work->born_count += vec_append(work->born + work->born_count, first, now & ~was);
    }
    work->found_count += vec_append(work->found + work->found_count, first, now);
    work->now[first / GROUP] = (uint16_t)now;
}

// All pairs that touch.
static void granular_find_kernel(granular_work* work)
{
    float gaps[FIND_FEW];
    int32_t seen = 0;
    for (int32_t first = 0; first < work->pair_count; first += FIND_FEW)
    {
        const granular_pair* pairs = work->pairs + first;
        const int32_t left = work->pair_count - first;
        const int32_t whole = (left + GROUP - 1) / GROUP * GROUP;
        find_gaps(work, pairs, whole < FIND_FEW ? whole : FIND_FEW, gaps);
        for (int32_t k = 0; k < FIND_FEW && k < left; k += GROUP)
        {
            const uint32_t full = left - k < GROUP ? (1u << (left - k)) - 1u : 0xFFFFu;
            const uint32_t now = find_group(work, pairs + k, gaps + k);
            find_note(work, first + k, now & full, seen);
            seen += __builtin_popcount(work->touching[(first + k) / GROUP]);
        }
    }
    memset(work->found + work->found_count, 0, 2 * (size_t)LANES * sizeof *work->found);
    memset(work->memory + work->found_count, 0, 2 * (size_t)LANES * sizeof *work->memory);
}
