// SPDX-License-Identifier: MIT
// Contact detection: of all pairs of a chunk, those whose grains overlap. Included once per
// instruction set.
#include "bodies/grains/granular_vector.h"

// Consecutive copies of a chunk's grains, and their positions from the chunk's centre as floats.
static void granular_copy_kernel(const granular_copy_work* work)
{
    const vec_four middle = {work->middle[0], work->middle[1], work->middle[2], 0.0};
    const vec_four period = {work->period[0], work->period[1], 0.0, 0.0};
    const vec_four inverse = {work->inverse_period[0], work->inverse_period[1], 0.0, 0.0};
    const vec_four magic = {WADI_EXACT_MAGIC, WADI_EXACT_MAGIC, WADI_EXACT_MAGIC, WADI_EXACT_MAGIC};
    for (int32_t k = 0; k < work->count; ++k)
    {
        const granular_body* body = &work->from[work->places != NULL ? work->places[k] : k];
        const vec_four d = vec_four_load(body->x) - middle;
        const vec_four turns = (d * inverse + magic) - magic;
        vec_near_store(__builtin_convertvector(d - period * turns, vec_near), work->near[k]);
        work->bodies[k] = *body;
    }
}

static GRANULAR_INLINE bool find_is_touching(const granular_work* work, granular_pair pair)
{
    const granular_body* a = &work->bodies[pair.i];
    const granular_body* b = &work->bodies[pair.j];
    const vec d = vec_nearest(work, vec_sub(vec_load(a->x), vec_load(b->x)));
    const double reach = a->radius + b->radius;
    return vec_dot(d, d) < reach * reach;
}

// From j to i and the sum of radii, of a group of pairs, as floats.
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

// Squared distance less squared sum of radii of a group.
static GRANULAR_INLINE void find_gaps(const granular_work* work, const float (*d)[4], float* gaps)
{
    const float period_x = work->near_period[0];
    const float period_y = work->near_period[1];
    const float inverse_x = work->near_inverse[0];
    const float inverse_y = work->near_inverse[1];
    const float magic = 0x1.8p23f;
#pragma omp simd
    for (int k = 0; k < GROUP; ++k)
    {
        const float x = d[k][0] - period_x * ((d[k][0] * inverse_x + magic) - magic);
        const float y = d[k][1] - period_y * ((d[k][1] * inverse_y + magic) - magic);
        gaps[k] = x * x + y * y + d[k][2] * d[k][2] - d[k][3] * d[k][3];
    }
}

// Bit k: pair k of the group touches. Floats suffice except for pairs within `band`, which are
// computed in double.
static GRANULAR_INLINE uint32_t find_group(const granular_work* work, const granular_pair* pairs,
                                           const float (*d)[4])
{
    float gaps[GROUP];
    find_gaps(work, d, gaps);
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

// All pairs that touch. Some groups at once: what is written 16 bytes at a time cannot be read 64
// bytes at a time right away (a quarter of the search).
static void granular_find_kernel(granular_work* work)
{
    enum
    {
        FEW = 8 * GROUP
    };
    float differences[FEW][4];
    int32_t seen = 0;
    for (int32_t first = 0; first < work->pair_count; first += FEW)
    {
        const int32_t left = work->pair_count - first;
        const int32_t whole = (left + GROUP - 1) / GROUP * GROUP;
        find_differences(work, work->pairs + first, whole < FEW ? whole : FEW, differences);
        for (int32_t k = 0; k < FEW && k < left; k += GROUP)
        {
            const uint32_t full = left - k < GROUP ? (1u << (left - k)) - 1u : 0xFFFFu;
            const uint32_t now =
                find_group(work, work->pairs + first + k, (const float(*)[4])(differences + k));
            find_note(work, first + k, now & full, seen);
            seen += __builtin_popcount(work->touching[(first + k) / GROUP]);
        }
    }
    memset(work->found + work->found_count, 0, 2 * (size_t)LANES * sizeof *work->found);
    memset(work->memory + work->found_count, 0, 2 * (size_t)LANES * sizeof *work->memory);
}
