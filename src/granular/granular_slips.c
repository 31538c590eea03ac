// SPDX-License-Identifier: MIT
// What contacts remember, side by side: pairs that touch are half of those that may, so that a
// memory for each pair would be read and written for nothing, and take twice the room. A step reads
// the memories of the contacts that were in their order, and writes those that are in theirs, in
// place: it starts as many earlier as contacts are born, so that it never overtakes what it reads.
#include "granular/granular.h"

static void slips_slide(granular_chunk* chunk, int32_t to)
{
    const size_t count = (size_t)chunk->slip_count;
    memmove(chunk->slips + to, chunk->slips + chunk->slip_first, count * sizeof *chunk->slips);
    if (chunk->rolls != NULL)
    {
        memmove(chunk->rolls + to, chunk->rolls + chunk->slip_first, count * sizeof *chunk->rolls);
    }
    chunk->slip_first = to;
}

bool granular_slips_open(granular_chunk* chunk, int32_t born)
{
    const int32_t free = chunk->slip_capacity - chunk->slip_count;
    if (free < 2 * born)
    {
        chunk->slip_wanted = chunk->slip_count + 2 * born;
        return false;
    }
    const int32_t behind = free - chunk->slip_first;
    if (chunk->slip_first < born || behind < born)
    {
        // what births take before, ends leave behind: most of the room belongs there
        const int32_t least = free / 4 > born ? free / 4 : born;
        slips_slide(chunk, free - least);
    }
    return true;
}

wadi_result granular_slips_reserve(wadi_grains* grains, granular_chunk* chunk, int32_t wanted)
{
    enum
    {
        LEAST = 64
    };
    chunk->slip_wanted = 0;
    if (wanted <= chunk->slip_capacity)
    {
        return WADI_OK;
    }
    wadi_context* context = grains->context;
    const int32_t capacity = wanted + wanted / 8 + LEAST;
    const size_t count = (size_t)chunk->slip_count;
    granular_slip* slips;
    granular_roll* rolls = NULL;
    WADI_ALLOC(context, slips, capacity, "contacts");
    if (grains->rolls)
    {
        rolls = wadi_alloc(context, (size_t)capacity, sizeof *rolls);
        if (rolls == NULL)
        {
            wadi_free(context, slips);
            return wadi_fail_memory(context, (size_t)capacity * sizeof *rolls, "rolling contacts");
        }
    }
    if (count > 0)
    {
        memcpy(slips, chunk->slips + chunk->slip_first, count * sizeof *slips);
    }
    if (count > 0 && rolls != NULL)
    {
        memcpy(rolls, chunk->rolls + chunk->slip_first, count * sizeof *rolls);
    }
    wadi_free(context, chunk->slips);
    wadi_free(context, chunk->rolls);
    chunk->slips = slips;
    chunk->rolls = rolls;
    chunk->slip_first = 0;
    chunk->slip_capacity = capacity;
    return WADI_OK;
}

int32_t granular_slips_rank(granular_chunk* chunk)
{
    int32_t count = 0;
    const int32_t groups = (chunk->pair_count + GRANULAR_GROUP - 1) / GRANULAR_GROUP;
    for (int32_t g = 0; g < groups; ++g)
    {
        chunk->ranks[g] = count;
        count += __builtin_popcount(chunk->touching[g]);
    }
    return count;
}
