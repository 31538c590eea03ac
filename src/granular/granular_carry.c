// SPDX-License-Identifier: MIT
// What lasting contacts remember goes from one list to the next.
#include "granular/granular.h"

// Pair p of a chunk was pair `from` of another list; `turned`: its grains have changed places.
static void carry_copy(granular_chunk* to, int32_t p, const granular_chunk* before, int32_t from,
                       bool turned)
{
    const double sign = turned ? -1.0 : 1.0;
    granular_slip slip = before->slips[from];
    for (int c = 0; c < 3; ++c)
    {
        slip.slip[c] *= sign;
    }
    to->slips[p] = slip;
    if (to->rolls != NULL)
    {
        to->rolls[p] = before->rolls[from];
    }
    if (granular_flag(before->touching, from))
    {
        granular_set_flag(to->touching, p);
    }
    if (granular_flag(before->bridged, from))
    {
        granular_set_flag(to->bridged, p);
    }
}

// Look up each pair in the list before. Reading there and writing here, no two workers meet.
static void carry_chunk(int64_t block, int32_t worker, void* job)
{
    (void)worker;
    wadi_grains* grains = job;
    granular_chunk* chunk = &grains->chunks[block];
    for (int32_t p = 0; p < chunk->pair_count; ++p)
    {
        const int32_t i = grains->order[chunk->begin + chunk->pairs[p].i];
        const int32_t j = grains->order[granular_place(chunk, chunk->pairs[p].j)];
        const int32_t first = i < j ? i : j;
        const granular_chunk* before = &grains->before[first / grains->params.chunk];
        const int32_t from = granular_list_find(before, first, i < j ? j : i);
        if (from >= 0 && granular_remembers(before, from))
        {
            carry_copy(chunk, p, before, from, i > j);
        }
    }
}

// Pairs behind the rows of a list: bonds that broke after it was built.
static void carry_tail(wadi_grains* grains, const granular_chunk* before)
{
    const int32_t* place = grains->moved;
    const int32_t listed = before->rows[before->end - before->begin];
    for (int32_t from = listed; from < before->pair_count; ++from)
    {
        const int32_t i = place[before->begin + before->pairs[from].i];
        const int32_t j = place[granular_place(before, before->pairs[from].j)];
        const int32_t first = i < j ? i : j;
        granular_chunk* chunk = &grains->chunks[first / grains->params.chunk];
        const int32_t p = granular_list_find(chunk, first, i < j ? j : i);
        if (p >= 0 && granular_remembers(before, from))
        {
            carry_copy(chunk, p, before, from, i > j);
        }
    }
}

void granular_carry(wadi_grains* grains)
{
    wadi_parallel_blocks(grains->context, grains->chunk_count, carry_chunk, grains);
    for (int32_t c = 0; c < grains->chunk_count; ++c)
    {
        carry_tail(grains, &grains->before[c]);
    }
}
