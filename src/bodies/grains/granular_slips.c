// SPDX-License-Identifier: MIT
// State of contacts (slip and roll), stored without gaps. Half of the pairs are in contact, so
// state for each pair would take twice the memory. A step reads the states of the last step and
// writes those of this one in place. It starts to write earlier by the number of new contacts, so
// that no state is overwritten before it is read.
#include "bodies/grains/granular.h"

static void slips_shift(granular_chunk* chunk, int32_t to)
{
    const size_t count = (size_t)chunk->slip_count;
    memmove(chunk->slips + to, chunk->slips + chunk->slip_first, count * sizeof *chunk->slips);
    if (chunk->rolls != NULL)
    {
        memmove(chunk->rolls + to, chunk->rolls + chunk->slip_first, count * sizeof *chunk->rolls);
    }
    chunk->slip_first = to;
}

bool wadi_granular_slips_make_room(granular_chunk* chunk, int32_t born)
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
        // new contacts take room in front, ended ones leave room behind: put most of it in front
        const int32_t least = free / 4 > born ? free / 4 : born;
        slips_shift(chunk, free - least);
    }
    return true;
}

wadi_result wadi_granular_slips_reserve(wadi_grains* grains, granular_chunk* chunk, int32_t wanted)
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

int32_t wadi_granular_slips_rank(granular_chunk* chunk)
{
    int32_t count = 0;
    const int32_t groups = (chunk->base.pair_count + GRANULAR_GROUP - 1) / GRANULAR_GROUP;
    for (int32_t g = 0; g < groups; ++g)
    {
        chunk->ranks[g] = count;
        count += __builtin_popcount(chunk->touching[g]);
    }
    return count;
}
