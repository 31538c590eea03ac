// SPDX-License-Identifier: MIT
// The state of contacts is copied from one list to the next.
#include "bodies/grains/granular.h"

// A pair of a new list was pair `from` of another; `turned`: its grains have changed places.
static void carry_copy(granular_chunk* to, const granular_chunk* before, int32_t from, bool turned)
{
    const double sign = turned ? -1.0 : 1.0;
    const int32_t source = granular_slip_of(before, from);
    granular_slip slip = before->slips[source];
    for (int c = 0; c < 3; ++c)
    {
        slip.slip[c] *= sign;
    }
    to->slips[to->slip_count] = slip;
    if (to->rolls != NULL)
    {
        to->rolls[to->slip_count] = before->rolls[source];
    }
}

// Pairs are visited in their order, and states are appended in it. States without room are only
// counted.
static void carry_pair(granular_chunk* to, int32_t p, const granular_chunk* before, int32_t from,
                       bool turned)
{
    if (granular_flag(before->touching, from))
    {
        granular_set_flag(to->touching, p);
        if (to->slip_count < to->slip_capacity)
        {
            carry_copy(to, before, from, turned);
        }
        to->slip_count += 1;
    }
    if (granular_flag(before->bridged, from))
    {
        granular_set_flag(to->bridged, p);
    }
}

// Look up each pair in the list before. That list is only read, so workers do not conflict.
static void carry_chunk(int64_t block, int32_t worker, void* job)
{
    (void)worker;
    wadi_grains* grains = job;
    granular_chunk* chunk = granular_chunk_at(grains, block);
    chunk->slip_first = 0;
    chunk->slip_count = 0;
    for (int32_t p = 0; p < chunk->base.pair_count; ++p)
    {
        const int32_t i = grains->list.order[chunk->base.begin + chunk->pairs[p].i];
        const int32_t j = grains->list.order[wadi_chunk_place(&chunk->base, chunk->pairs[p].j)];
        const int32_t first = i < j ? i : j;
        const granular_chunk* before = &grains->before[first / grains->params.chunk];
        const int32_t from = wadi_granular_list_find(before, first, i < j ? j : i);
        if (from >= 0)
        {
            carry_pair(chunk, p, before, from, i > j);
        }
    }
}

wadi_result wadi_granular_carry_contacts(wadi_grains* grains)
{
    for (int32_t c = 0; c < grains->list.chunk_count; ++c)
    {
        (void)wadi_granular_slips_rank(&grains->before[c]);
    }
    wadi_parallel_blocks(grains->context, grains->list.chunk_count, carry_chunk, grains);
    for (int32_t c = 0; c < grains->list.chunk_count; ++c)
    {
        granular_chunk* chunk = granular_chunk_at(grains, c);
        const int32_t wanted = chunk->slip_count;
        if (wanted > chunk->slip_capacity)
        {
            chunk->slip_count = 0;
            WADI_TRY(wadi_granular_slips_reserve(grains, chunk, wanted + wanted / 8));
            carry_chunk(c, 0, grains);
        }
    }
    return WADI_OK;
}
