// SPDX-License-Identifier: MIT
// Memory of a neighbour list, which grows with what it holds.
#include "bodies/engine/list.h"

#include <string.h>

// Searches read whole groups of points.
static const wadi_array list_particles[] = {
    WADI_ARRAY(wadi_list, order, 0),           WADI_ARRAY(wadi_list, moved, 0),
    WADI_ARRAY(wadi_list, column, 0),          WADI_ARRAY(wadi_list, halo_start, 1),
    WADI_ARRAY(wadi_list, x, WADI_LIST_LANES), WADI_ARRAY(wadi_list, y, WADI_LIST_LANES),
    WADI_ARRAY(wadi_list, z, WADI_LIST_LANES), WADI_ARRAY(wadi_list, radius, WADI_LIST_LANES),
};
static const wadi_arrays list_by_particle = WADI_ARRAYS(list_particles, "places of particles");

static const wadi_array list_halo[] = {WADI_ARRAY(wadi_chunk, halo, 0)};
static const wadi_arrays list_by_halo = WADI_ARRAYS(list_halo, "neighbours of chunks");

static const wadi_array list_rows[] = {WADI_ARRAY(wadi_chunk, rows, 1)};
static const wadi_arrays list_by_row = WADI_ARRAYS(list_rows, "rows of pairs");

wadi_result wadi_list_create(wadi_list* list)
{
    list->workers = wadi_context_workers(list->context);
    list->kernels = list_kernels_of(wadi_isa_best());
    WADI_ALLOC(list->context, list->local, list->workers, "workers");
    return WADI_OK;
}

wadi_result wadi_list_reserve(wadi_list* list, int32_t capacity)
{
    enum
    {
        FEWEST_COLUMNS = 1024
    };
    wadi_context* context = list->context;
    WADI_TRY(wadi_arrays_resize(context, &list_by_particle, list, list->capacity, capacity));
    for (int32_t w = 0; w < list->workers; ++w)
    {
        int32_t* local; // all 0 between searches
        WADI_ALLOC(context, local, capacity, "search for neighbours");
        wadi_free(context, list->local[w]);
        list->local[w] = local;
    }
    const int32_t columns = 2 * capacity > FEWEST_COLUMNS ? 2 * capacity : FEWEST_COLUMNS;
    int32_t* first;
    WADI_ALLOC(context, first, columns + 1, "columns of particles");
    wadi_free(context, list->columns.first);
    list->columns.first = first;
    list->columns.capacity = columns;
    list->capacity = capacity;
    return WADI_OK;
}

static wadi_result list_add_chunks(wadi_list* list, int32_t capacity)
{
    const size_t size = list->kind->chunk_size;
    void* chunks = wadi_alloc(list->context, (size_t)capacity, size);
    if (chunks == NULL)
    {
        return wadi_fail_memory(list->context, (size_t)capacity * size, "chunks");
    }
    if (list->chunks != NULL)
    {
        memcpy(chunks, list->chunks, (size_t)list->chunk_capacity * size);
    }
    wadi_free(list->context, list->chunks);
    list->chunks = chunks;
    list->chunk_capacity = capacity;
    return WADI_OK;
}

wadi_result wadi_list_reserve_chunks(wadi_list* list)
{
    const int32_t length = list->chunk_length;
    const int32_t count = (list->count + length - 1) / length;
    if (count > list->chunk_capacity)
    {
        WADI_TRY(list_add_chunks(list, count + 4));
    }
    list->chunk_count = count;
    for (int32_t c = 0; c < count; ++c)
    {
        wadi_chunk* chunk = wadi_list_chunk(list, c);
        chunk->begin = c * length;
        chunk->end = list->count - chunk->begin < length ? list->count : chunk->begin + length;
        if (chunk->end - chunk->begin > chunk->row_capacity)
        {
            chunk->row_capacity = 0;
            WADI_TRY(wadi_arrays_resize(list->context, &list_by_row, chunk, 0, length));
            chunk->row_capacity = length;
        }
    }
    return WADI_OK;
}

wadi_result wadi_list_reserve_pairs(wadi_list* list, wadi_chunk* chunk)
{
    const int32_t pairs = chunk->pair_count + chunk->pair_spare;
    if (pairs > chunk->pair_capacity)
    {
        const int32_t capacity = wadi_arrays_spare(pairs, list->kind->group);
        chunk->pair_capacity = 0;
        WADI_TRY(wadi_arrays_resize(list->context, &list->kind->pairs, chunk, 0, capacity));
        chunk->pair_capacity = capacity;
    }
    if (chunk->halo_count > chunk->halo_capacity)
    {
        const int32_t capacity = wadi_arrays_spare(chunk->halo_count, 64);
        chunk->halo_capacity = 0;
        WADI_TRY(wadi_arrays_resize(list->context, &list_by_halo, chunk, 0, capacity));
        chunk->halo_capacity = capacity;
    }
    return WADI_OK;
}

static wadi_result list_grow_rows(wadi_list* list, int32_t rows)
{
    const size_t size = list->kind->row_size;
    wadi_free(list->context, list->halo_rows);
    wadi_free(list->context, list->halo_slots);
    list->halo_slots = NULL;
    list->halo_capacity = 0;
    list->halo_rows = wadi_alloc(list->context, (size_t)rows, size);
    if (list->halo_rows == NULL)
    {
        return wadi_fail_memory(list->context, (size_t)rows * size, "forces between chunks");
    }
    WADI_ALLOC(list->context, list->halo_slots, rows, "forces between chunks");
    list->halo_capacity = rows;
    return WADI_OK;
}

wadi_result wadi_list_reserve_rows(wadi_list* list)
{
    int32_t rows = 0;
    list->longest = 0;
    for (int32_t c = 0; c < list->chunk_count; ++c)
    {
        wadi_chunk* chunk = wadi_list_chunk(list, c);
        const int32_t length = wadi_chunk_length(chunk);
        list->longest = length > list->longest ? length : list->longest;
        chunk->halo_first = rows;
        rows += chunk->halo_count;
    }
    return rows > list->halo_capacity ? list_grow_rows(list, wadi_arrays_spare(rows, 64)) : WADI_OK;
}

void wadi_list_free_chunks(const wadi_list* list, void* chunks)
{
    for (int32_t c = 0; chunks != NULL && c < list->chunk_capacity; ++c)
    {
        void* chunk = (unsigned char*)chunks + (size_t)c * list->kind->chunk_size;
        wadi_arrays_free(list->context, &list->kind->pairs, chunk);
        wadi_arrays_free(list->context, &list_by_halo, chunk);
        wadi_arrays_free(list->context, &list_by_row, chunk);
    }
    wadi_free(list->context, chunks);
}

void wadi_list_free(wadi_list* list)
{
    wadi_list_free_chunks(list, list->chunks);
    wadi_arrays_free(list->context, &list_by_particle, list);
    for (int32_t w = 0; list->local != NULL && w < list->workers; ++w)
    {
        wadi_free(list->context, list->local[w]);
    }
    wadi_free(list->context, list->local);
    wadi_free(list->context, list->columns.first);
    wadi_free(list->context, list->halo_rows);
    wadi_free(list->context, list->halo_slots);
}
