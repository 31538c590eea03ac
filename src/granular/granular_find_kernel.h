// SPDX-License-Identifier: MIT
// Who touches: of all pairs of a chunk, those whose grains overlap. Included once per instruction
// set.
#include "granular/granular_vector.h"

static GRANULAR_INLINE bool find_is_touching(const granular_work* work, granular_pair pair)
{
    const granular_body* a = &work->bodies[pair.i];
    const granular_body* b = &work->bodies[pair.j];
    const vec d = vec_nearest(work, vec_sub(vec_load(a->x), vec_load(b->x)));
    const double reach = a->radius + b->radius;
    return vec_dot(d, d) < reach * reach;
}

// Squared distance less squared sum of radii of a group of pairs, in short floats.
static GRANULAR_INLINE void find_gaps(const granular_work* work, const granular_pair* pairs,
                                      float* gaps)
{
    const float period_x = work->near_period[0];
    const float period_y = work->near_period[1];
    const float inverse_x = work->near_inverse[0];
    const float inverse_y = work->near_inverse[1];
    const float magic = 0x1.8p23f;
    float d[GROUP][4];
    for (int k = 0; k < GROUP; ++k)
    {
        // three differences and the sum of radii in one subtraction
        const vec_near a = vec_near_load(work->near[pairs[k].i]);
        const vec_near b = vec_near_load(work->near[pairs[k].j]);
        vec_near_store(a - vec_near_turn(b), d[k]);
    }
#pragma omp simd
    for (int k = 0; k < GROUP; ++k)
    {
        const float x = d[k][0] - period_x * ((d[k][0] * inverse_x + magic) - magic);
        const float y = d[k][1] - period_y * ((d[k][1] * inverse_y + magic) - magic);
        gaps[k] = x * x + y * y + d[k][2] * d[k][2] - d[k][3] * d[k][3];
    }
}

// Bit k: pair k of the group touches. Short floats decide all but the few within `band`.
static GRANULAR_INLINE uint32_t find_group(const granular_work* work, const granular_pair* pairs)
{
    float gaps[GROUP];
    find_gaps(work, pairs, gaps);
    uint32_t inside = vec_below(gaps, -work->band);
    for (uint32_t open = vec_below(gaps, work->band) & ~inside; open != 0; open &= open - 1)
    {
        const int k = __builtin_ctz(open);
        inside |= (uint32_t)find_is_touching(work, pairs[k]) << k;
    }
    return inside;
}

// A contact is born: no spring is stretched yet.
static GRANULAR_INLINE void find_begin(const granular_work* work, int32_t p)
{
    const granular_body* a = &work->bodies[work->pairs[p].i];
    const granular_body* b = &work->bodies[work->pairs[p].j];
    const granular_contact* law = &work->contacts[a->kind * work->kinds + b->kind];
    const double damping = granular_damping(law, work->hertz, a->inverse_mass + b->inverse_mass);
    work->slips[p] = (granular_slip){{0.0, 0.0, 0.0}, damping};
    if (work->rolls != NULL)
    {
        work->rolls[p] = (granular_roll){{0.0, 0.0, 0.0}, 0.0};
    }
}

// Numbers of all pairs that touch, into work->found.
static GRANULAR_INLINE int32_t find_touching(granular_work* work)
{
    int32_t found = 0;
    for (int32_t p = 0; p < work->pair_count; p += GROUP)
    {
        const int32_t left = work->pair_count - p;
        const uint32_t full = left < GROUP ? (1u << left) - 1u : 0xFFFFu;
        const uint32_t now = find_group(work, work->pairs + p) & full;
        found += vec_append(work->found + found, p, now);
        const uint32_t born = now & ~(uint32_t)work->touching[p / GROUP];
        for (uint32_t bits = born; bits != 0; bits &= bits - 1)
        {
            find_begin(work, p + __builtin_ctz(bits));
        }
        work->touching[p / GROUP] = (uint16_t)now;
    }
    memset(work->found + found, 0, 2 * (size_t)LANES * sizeof *work->found);
    return found;
}
