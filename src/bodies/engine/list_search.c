// SPDX-License-Identifier: MIT
// The search for pairs, chunk by chunk: particles that may come within reach before any has moved
// by half the skin. Each pair is found once, from its first particle.
#include "bodies/engine/list.h"

#include <math.h>
#include <string.h>

// A column around a particle, and how far it has been searched.
typedef struct search_column
{
    int32_t end;
    int32_t cursor;
} search_column;

static float search_nearest(float difference, float period, float inverse)
{
    const float magic = 0x1.8p23f;
    return difference - period * ((difference * inverse + magic) - magic);
}

static inline bool search_is_within(const wadi_search* search, int32_t i, int32_t j, float reach)
{
    const wadi_list* p = search->list;
    const float x = search_nearest(p->x[i] - p->x[j], search->period[0], search->inverse[0]);
    const float y = search_nearest(p->y[i] - p->y[j], search->period[1], search->inverse[1]);
    const float z = p->z[i] - p->z[j];
    const float sum = reach + p->radius[j];
    return x * x + y * y + z * z < sum * sum;
}

// Bit k: particle first + k is within reach of particle i. Reads WADI_LIST_LANES points.
static uint32_t search_within(const wadi_search* search, int32_t i, int32_t first, float reach)
{
    uint32_t inside = 0;
#pragma omp simd reduction(| : inside)
    for (uint32_t k = 0; k < WADI_LIST_LANES; ++k)
    {
        inside |= (search_is_within(search, i, first + (int32_t)k, reach) ? 1u : 0u) << k;
    }
    return inside;
}

// The same for the first of a few, up to a height.
static uint32_t search_within_few(const wadi_search* search, int32_t i, int32_t first, float reach,
                                  int32_t count, float high)
{
    uint32_t inside = 0;
    for (int32_t k = 0; k < count && search->list->z[first + k] <= high; ++k)
    {
        inside |= (search_is_within(search, i, first + k, reach) ? 1u : 0u) << k;
    }
    return inside;
}

// Later particles of one column within reach of particle i, WADI_LIST_LANES at a time, or one by
// one where they are few: a column of grains has 3 in a reach, one of water 12.
static void search_scan(wadi_search* search, int32_t i, search_column* column)
{
    enum
    {
        FEW = 8
    };
    const float* z = search->list->z;
    const float reach = search->list->radius[i] + search->margin;
    const float low = z[i] - reach - search->tallest;
    const float high = z[i] + reach + search->tallest;
    while (column->cursor < column->end && z[column->cursor] < low)
    {
        ++column->cursor;
    }
    const int32_t start = column->cursor > i ? column->cursor : i + 1;
    for (int32_t j = start; j < column->end && z[j] <= high; j += WADI_LIST_LANES)
    {
        const int32_t left = column->end - j;
        const bool few = left <= FEW || z[j + FEW] > high;
        const uint32_t full = left < WADI_LIST_LANES ? (1u << left) - 1u : 0xFFFFu;
        const uint32_t bits = few ? search_within_few(search, i, j, reach, left, high)
                                  : search_within(search, i, j, reach) & full;
        if (bits != 0)
        {
            search->list->kind->append(search, i, j, bits);
        }
    }
}

// Numbers along an axis of the columns around `at`, each once; returns how many.
static int32_t search_along(const wadi_list* list, int axis, int32_t at, int32_t out[5])
{
    const int32_t across = list->kind->across;
    const int32_t n = list->columns.count[axis];
    const bool repeats = list->period[axis] > 0.0;
    const bool all = repeats && n <= 2 * across + 1;
    const int32_t first = all ? 0 : at - across;
    const int32_t last = all ? n - 1 : at + across;
    int32_t count = 0;
    for (int32_t k = first; k <= last; ++k)
    {
        if (repeats || (k >= 0 && k < n))
        {
            out[count++] = (k + n) % n;
        }
    }
    return count;
}

// Columns around (x, y) that come no earlier and are not empty.
static int32_t search_around(const wadi_list* list, int32_t x, int32_t y, search_column* out)
{
    const wadi_columns* columns = &list->columns;
    const int32_t own = wadi_columns_number(columns, x, y);
    int32_t along[2][5];
    const int32_t nx = search_along(list, 0, x, along[0]);
    const int32_t ny = search_along(list, 1, y, along[1]);
    int32_t count = 0;
    for (int32_t k = 0; k < nx * ny; ++k)
    {
        const int32_t column = wadi_columns_number(columns, along[0][k % nx], along[1][k / nx]);
        if (column >= own && columns->first[column + 1] > columns->first[column])
        {
            out[count++] = (search_column){columns->first[column + 1], columns->first[column]};
        }
    }
    return count;
}

// Particles of the chunk in one column, from the lowest up.
static void search_column_rows(wadi_search* search, int32_t x, int32_t y)
{
    const wadi_list* list = search->list;
    const wadi_chunk* chunk = search->chunk;
    const int32_t* first = list->columns.first + wadi_columns_number(&list->columns, x, y);
    const int32_t begin = first[0] > chunk->begin ? first[0] : chunk->begin;
    const int32_t end = first[1] < chunk->end ? first[1] : chunk->end;
    if (begin >= end)
    {
        return;
    }
    search_column around[WADI_LIST_AROUND];
    const int32_t count = search_around(list, x, y, around);
    for (int32_t i = begin; i < end; ++i)
    {
        chunk->rows[i - chunk->begin] = search->found;
        for (int32_t c = 0; c < count; ++c)
        {
            search_scan(search, i, &around[c]);
        }
        while (search->found % list->kind->padding != 0)
        {
            list->kind->append(search, i, i, 1u);
        }
    }
}

// All columns that a chunk has particles in: it is a stretch of their order, strip by strip.
static void search_columns(wadi_search* search)
{
    const wadi_columns* columns = &search->list->columns;
    const wadi_chunk* chunk = search->chunk;
    for (int32_t west = 0; west < columns->count[0]; west += columns->strip)
    {
        const int32_t left = columns->count[0] - west;
        const int32_t east = west + (columns->strip < left ? columns->strip : left);
        const int32_t first = wadi_columns_number(columns, west, 0);
        const int32_t last = wadi_columns_number(columns, east - 1, columns->count[1] - 1);
        if (columns->first[last + 1] <= chunk->begin || columns->first[first] >= chunk->end)
        {
            continue;
        }
        for (int32_t y = 0; y < columns->count[1]; ++y)
        {
            for (int32_t x = west; x < east; ++x)
            {
                search_column_rows(search, x, y);
            }
        }
    }
}

// ---- all chunks --------------------------------------------------------------------------

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
    search_columns(&search);
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
