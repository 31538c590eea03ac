// SPDX-License-Identifier: MIT
// The search for the pairs of one chunk: particles that may come within reach before any has moved
// by half the skin. Each pair is found once, from its first particle. Compiled once per instruction
// set: a list needs more pairs than touch, so roundings that differ would not show in a result.
#include "bodies/engine/list.h"

#include <string.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

// A column around a particle, and how far it has been searched.
typedef struct search_column
{
    int32_t end;
    int32_t cursor;
} search_column;

static inline float search_nearest(float difference, float period, float inverse)
{
    const float magic = 0x1.8p23f;
    return difference - period * ((difference * inverse + magic) - magic);
}

// Squared distance of two particles less the square of the reach. Below 0 they are a pair.
static inline float search_gap(const wadi_search* search, int32_t i, int32_t j, float reach)
{
    const wadi_list* p = search->list;
    const float x = search_nearest(p->x[i] - p->x[j], search->period[0], search->inverse[0]);
    const float y = search_nearest(p->y[i] - p->y[j], search->period[1], search->inverse[1]);
    const float z = p->z[i] - p->z[j];
    const float sum = reach + p->radius[j];
    return (x * x + y * y + z * z) - sum * sum;
}

// Bit k: gaps[k] is below 0.
static inline uint32_t search_below(const float gaps[WADI_LIST_LANES])
{
#if defined(__AVX512F__)
    return _mm512_cmp_ps_mask(_mm512_loadu_ps(gaps), _mm512_setzero_ps(), _CMP_LT_OQ);
#elif defined(__AVX__)
    const __m256 none = _mm256_setzero_ps();
    const __m256 low = _mm256_cmp_ps(_mm256_loadu_ps(gaps), none, _CMP_LT_OQ);
    const __m256 high = _mm256_cmp_ps(_mm256_loadu_ps(gaps + 8), none, _CMP_LT_OQ);
    return (uint32_t)_mm256_movemask_ps(low) | (uint32_t)_mm256_movemask_ps(high) << 8;
#elif defined(__SSE2__)
    uint32_t bits = 0;
    for (int k = 0; k < WADI_LIST_LANES; k += 4)
    {
        const __m128 below = _mm_cmplt_ps(_mm_loadu_ps(gaps + k), _mm_setzero_ps());
        bits |= (uint32_t)_mm_movemask_ps(below) << k;
    }
    return bits;
#else
    uint32_t bits = 0;
#pragma omp simd reduction(| : bits)
    for (uint32_t k = 0; k < WADI_LIST_LANES; ++k)
    {
        bits |= (gaps[k] < 0.0f ? 1u : 0u) << k;
    }
    return bits;
#endif
}

// Bit k: particle first + k is within reach of particle i. Reads WADI_LIST_LANES points.
static inline uint32_t search_within(const wadi_search* search, int32_t i, int32_t first,
                                     float reach)
{
    float gaps[WADI_LIST_LANES];
#pragma omp simd
    for (int32_t k = 0; k < WADI_LIST_LANES; ++k)
    {
        gaps[k] = search_gap(search, i, first + k, reach);
    }
    return search_below(gaps);
}

// The same for the first of a few, up to a height.
static inline uint32_t search_within_few(const wadi_search* search, int32_t i, int32_t first,
                                         float reach, int32_t count, float high)
{
    uint32_t inside = 0;
    for (int32_t k = 0; k < count && search->list->z[first + k] <= high; ++k)
    {
        inside |= (search_gap(search, i, first + k, reach) < 0.0f ? 1u : 0u) << k;
    }
    return inside;
}

// Later particles of one column within reach of particle i, WADI_LIST_LANES at a time. Registers of
// four numbers test a few of them sooner one by one: a column of grains has 3 in a reach, one of
// water 12.
static inline void search_scan(wadi_search* search, int32_t i, search_column* column)
{
#if defined(__AVX__)
    enum
    {
        FEW = 0
    };
#else
    enum
    {
        FEW = 8
    };
#endif
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
        const bool few = FEW > 0 && (left <= FEW || z[j + FEW] > high);
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
static void search_rows(wadi_search* search)
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

const list_kernels WADI_ISA_BUILD(list_kernels) = {search_rows};
