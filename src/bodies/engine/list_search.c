// SPDX-License-Identifier: MIT
// The list of pairs, chunk by chunk: memory, halos, and the rows that push each particle. The
// kernel finds the pairs (list_search_kernel.c).
#include "bodies/engine/list.h"

#include <math.h>
#include <string.h>

// Clear the local numbers of a halo. If some had no room in the halo, the whole array is cleared.
static void search_clear_local(const wadi_search* search)
{
    wadi_chunk* chunk = search->chunk;
    for (int32_t k = 0; k < chunk->halo_count; ++k)
    {
        search->local[chunk->halo[k]] = 0;
    }
    if (search->halo_found > chunk->halo_capacity)
    {
        memset(search->local, 0, (size_t)search->list->count * sizeof *search->local);
    }
    chunk->halo_count = search->halo_found;
}

// Largest distance from height 0 of a chunk's particles.
static double search_highest(const wadi_list* list, const wadi_chunk* chunk)
{
    double most = 0.0;
    for (int32_t i = chunk->begin; i < chunk->end; ++i)
    {
        const double high = fabs((double)list->z[i]);
        most = high > most ? high : most;
    }
    return most;
}

static void search_chunk(int64_t block, int32_t worker, void* job)
{
    const wadi_list* list = job;
    const wadi_columns* columns = &list->columns;
    wadi_chunk* chunk = wadi_list_chunk(list, block);
    // floats have an error of up to the size of the world x 2^-24: the search margin is twice that
    const double far = columns->size[0] * columns->count[0] + columns->size[1] * columns->count[1] +
                       2.0 * search_highest(list, chunk) + 64.0 * list->reach;
    wadi_search search = {
        .list = list,
        .chunk = chunk,
        .local = list->local[worker],
        .margin = (float)(list->margin + 0x1p-21 * far),
        .tallest = (float)list->largest,
        .period = {(float)list->period[0], (float)list->period[1]},
        .inverse = {(float)list->inverse_period[0], (float)list->inverse_period[1]},
    };
    chunk->halo_count = 0;
    list->kernels->rows(&search);
    chunk->rows[chunk->end - chunk->begin] = search.found;
    chunk->pair_count = search.found;
    if (list->kind->finish != NULL)
    {
        list->kind->finish(&search);
    }
    search_clear_local(&search);
}

// Make room where a chunk found more than it could hold; *again: search anew.
static wadi_result search_grow(wadi_list* list, bool* again)
{
    *again = false;
    for (int32_t c = 0; c < list->chunk_count; ++c)
    {
        wadi_chunk* chunk = wadi_list_chunk(list, c);
        WADI_CHECK(list->context, wadi_chunk_length(chunk) <= WADI_LIST_LOCAL, WADI_ERROR_STATE,
                   "a chunk of %d %s has %d neighbours in other chunks; %d is the most for both "
                   "together: make chunk smaller, or sizes less different",
                   chunk->end - chunk->begin, list->kind->what, chunk->halo_count,
                   (int)WADI_LIST_LOCAL);
        if (chunk->pair_count + chunk->pair_spare > chunk->pair_capacity ||
            chunk->halo_count > chunk->halo_capacity)
        {
            WADI_TRY(wadi_list_reserve_pairs(list, chunk));
            *again = true;
        }
    }
    return WADI_OK;
}

// Which halo rows push a particle: rows of chunks one after the other, listed by place.
static void search_collect_halos(wadi_list* list)
{
    int32_t* start = list->halo_start;
    memset(start, 0, ((size_t)list->count + 1) * sizeof *start);
    for (int32_t c = 0; c < list->chunk_count; ++c)
    {
        const wadi_chunk* chunk = wadi_list_chunk(list, c);
        for (int32_t k = 0; k < chunk->halo_count; ++k)
        {
            start[chunk->halo[k] + 1] += 1;
        }
    }
    for (int32_t i = 0; i < list->count; ++i)
    {
        start[i + 1] += start[i];
    }
    for (int32_t c = 0; c < list->chunk_count; ++c)
    {
        const wadi_chunk* chunk = wadi_list_chunk(list, c);
        for (int32_t k = 0; k < chunk->halo_count; ++k)
        {
            list->halo_slots[start[chunk->halo[k]]++] = chunk->halo_first + k;
        }
    }
    memmove(start + 1, start, (size_t)list->count * sizeof *start);
    start[0] = 0;
}

wadi_result wadi_list_build(wadi_list* list)
{
    WADI_TRY(wadi_list_reserve_chunks(list));
    bool again = true;
    while (again)
    {
        wadi_parallel_blocks(list->context, list->chunk_count, search_chunk, list);
        WADI_TRY(search_grow(list, &again));
    }
    WADI_TRY(wadi_list_reserve_rows(list));
    search_collect_halos(list);
    return WADI_OK;
}
