// SPDX-License-Identifier: MIT
// Memory of chunks and workers, which grows with what lists hold.
#include "granular/granular.h"

static void memory_free_pairs(wadi_context* context, granular_chunk* chunk)
{
    wadi_free(context, chunk->halo);
    wadi_free(context, chunk->pairs);
    wadi_free(context, chunk->touching);
    wadi_free(context, chunk->bridged);
    wadi_free(context, chunk->ranks);
}

void granular_chunk_free(wadi_context* context, granular_chunk* chunk)
{
    memory_free_pairs(context, chunk);
    wadi_free(context, chunk->rows);
    wadi_free(context, chunk->slips);
    wadi_free(context, chunk->rolls);
}

// A quarter more than is needed now: piles spread and pack, and lists with them.
static int32_t memory_spare(int32_t count, int32_t multiple)
{
    const int32_t wanted = count + count / 4 + multiple;
    return wanted / multiple * multiple;
}

wadi_result granular_chunk_grow(wadi_grains* grains, granular_chunk* chunk, int32_t pairs,
                                int32_t halo)
{
    wadi_context* context = grains->context;
    const int32_t pair_capacity = memory_spare(pairs, GRANULAR_GROUP);
    const int32_t halo_capacity = memory_spare(halo, 64);
    memory_free_pairs(context, chunk);
    *chunk = (granular_chunk){.begin = chunk->begin,
                              .end = chunk->end,
                              .rows = chunk->rows,
                              .slips = chunk->slips,
                              .rolls = chunk->rolls,
                              .slip_capacity = chunk->slip_capacity};
    if (chunk->rows == NULL)
    {
        WADI_ALLOC(context, chunk->rows, chunk->end - chunk->begin + 1, "rows of pairs");
    }
    WADI_ALLOC(context, chunk->halo, halo_capacity, "neighbours of chunks");
    WADI_ALLOC(context, chunk->pairs, pair_capacity, "pairs");
    WADI_ALLOC(context, chunk->touching, pair_capacity / GRANULAR_GROUP, "pairs");
    WADI_ALLOC(context, chunk->bridged, pair_capacity / GRANULAR_GROUP, "pairs");
    WADI_ALLOC(context, chunk->ranks, pair_capacity / GRANULAR_GROUP, "pairs");
    chunk->pair_capacity = pair_capacity;
    chunk->halo_capacity = halo_capacity;
    return WADI_OK;
}

static void memory_free_local(wadi_grains* grains)
{
    for (int32_t w = 0; w < grains->workers; ++w)
    {
        granular_scratch* scratch = &grains->scratch[w];
        wadi_free(grains->context, scratch->bodies);
        wadi_free(grains->context, scratch->wet);
        wadi_free(grains->context, scratch->near);
        wadi_free(grains->context, scratch->rows);
        wadi_free(grains->context, scratch->found);
        wadi_free(grains->context, scratch->memory);
        wadi_free(grains->context, scratch->born);
        wadi_free(grains->context, scratch->now);
        *scratch = (granular_scratch){.local = scratch->local, .touches = scratch->touches};
    }
    grains->local_capacity = 0;
    grains->found_capacity = 0;
}

static wadi_result memory_grow_local(wadi_grains* grains, int32_t local, int32_t found)
{
    memory_free_local(grains);
    for (int32_t w = 0; w < grains->workers; ++w)
    {
        granular_scratch* scratch = &grains->scratch[w];
        WADI_ALLOC(grains->context, scratch->bodies, local, "copies of grains");
        WADI_ALLOC(grains->context, scratch->wet, local, "copies of grains");
        WADI_ALLOC(grains->context, scratch->near, local, "copies of grains");
        WADI_ALLOC(grains->context, scratch->rows, local, "forces");
        const int32_t padded = found + 2 * GRANULAR_LANES;
        WADI_ALLOC(grains->context, scratch->found, padded, "contacts of a chunk");
        WADI_ALLOC(grains->context, scratch->memory, padded, "contacts of a chunk");
        WADI_ALLOC(grains->context, scratch->born, padded, "contacts of a chunk");
        WADI_ALLOC(grains->context, scratch->now, padded / GRANULAR_GROUP, "contacts of a chunk");
    }
    grains->local_capacity = local;
    grains->found_capacity = found;
    return WADI_OK;
}

static wadi_result memory_grow_halo(wadi_grains* grains, int32_t rows)
{
    wadi_free(grains->context, grains->halo_rows);
    wadi_free(grains->context, grains->halo_slots);
    wadi_free(grains->context, grains->after);
    grains->halo_rows = NULL;
    grains->halo_slots = NULL;
    grains->after = NULL;
    grains->halo_capacity = 0;
    WADI_ALLOC(grains->context, grains->halo_rows, rows, "forces between chunks");
    WADI_ALLOC(grains->context, grains->halo_slots, rows, "forces between chunks");
    WADI_ALLOC(grains->context, grains->after, rows, "forces between chunks");
    grains->halo_capacity = rows;
    return WADI_OK;
}

wadi_result granular_list_reserve(wadi_grains* grains)
{
    int32_t halo = 0;
    int32_t local = 0;
    int32_t found = 0;
    for (int32_t c = 0; c < grains->chunk_count; ++c)
    {
        granular_chunk* chunk = &grains->chunks[c];
        const int32_t here = chunk->end - chunk->begin + chunk->halo_count;
        chunk->halo_first = halo;
        halo += chunk->halo_count;
        local = here > local ? here : local;
        found = chunk->pair_capacity > found ? chunk->pair_capacity : found;
    }
    if (halo > grains->halo_capacity)
    {
        WADI_TRY(memory_grow_halo(grains, memory_spare(halo, 64)));
    }
    if (local > grains->local_capacity || found > grains->found_capacity)
    {
        WADI_TRY(memory_grow_local(grains, memory_spare(local, 64), found));
    }
    return WADI_OK;
}
