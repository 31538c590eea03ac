// SPDX-License-Identifier: MIT
// Lists of particles that may come within reach before any has moved by half the skin (Verlet
// 1967), chunk by chunk. Each pair is listed once, by the chunk of its first particle. Neighbours
// of one particle come in groups that are filled up with the particle itself, which does nothing
// to itself: no masks in the law.
#include "sph/sph.h"

// Everything that one worker needs to list the neighbours of one chunk.
typedef struct list_search
{
    wadi_sph* sph;
    sph_chunk* chunk;
    int32_t* local;
    int32_t needed; // neighbours found, also those there was no room for
    int32_t halo_needed;
    float reach;
    float period[2];
    float inverse[2];
} list_search;

// The columns around a particle that hold later ones, and how far each has been searched.
typedef struct list_column
{
    int32_t end;
    int32_t cursor;
} list_column;

// Number of a particle in the chunk; those of other chunks join its halo when they are first met.
static int32_t list_local(list_search* search, int32_t place)
{
    sph_chunk* chunk = search->chunk;
    const int32_t own = chunk->end - chunk->begin;
    if (place < chunk->end)
    {
        return place - chunk->begin;
    }
    if (search->local[place] == 0)
    {
        if (search->halo_needed < chunk->halo_capacity)
        {
            chunk->halo[search->halo_needed] = place;
            chunk->halo_count = search->halo_needed + 1;
        }
        search->halo_needed += 1;
        search->local[place] = own + search->halo_needed;
    }
    return search->local[place] - 1;
}

static void list_append(list_search* search, int32_t local)
{
    sph_chunk* chunk = search->chunk;
    if (search->needed < chunk->other_capacity)
    {
        chunk->others[search->needed] = (uint16_t)local;
    }
    search->needed += 1;
}

static float list_image(float difference, float period, float inverse)
{
    const float magic = 0x1.8p23f;
    return difference - period * ((difference * inverse + magic) - magic);
}

enum
{
    LIST_LANES = SPH_OVERREAD
};

// Bit k: particle first + k is within reach of particle i. Reads LIST_LANES points.
static uint32_t list_within(const list_search* search, int32_t i, int32_t first)
{
    const sph_points* p = &search->sph->points;
    const float at[3] = {p->x[i], p->y[i], p->z[i]};
    const float reach2 = search->reach * search->reach;
    uint32_t inside = 0;
#pragma omp simd reduction(| : inside)
    for (uint32_t k = 0; k < LIST_LANES; ++k)
    {
        const float x =
            list_image(at[0] - p->x[first + (int32_t)k], search->period[0], search->inverse[0]);
        const float y =
            list_image(at[1] - p->y[first + (int32_t)k], search->period[1], search->inverse[1]);
        const float z = at[2] - p->z[first + (int32_t)k];
        inside |= (x * x + y * y + z * z < reach2 ? 1u : 0u) << k;
    }
    return inside;
}

// Later particles of one column within reach of particle i, LIST_LANES at a time.
static void list_scan(list_search* search, int32_t i, list_column* column)
{
    const float* z = search->sph->points.z;
    const float low = z[i] - search->reach;
    const float high = z[i] + search->reach;
    while (column->cursor < column->end && z[column->cursor] < low)
    {
        ++column->cursor;
    }
    const int32_t start = column->cursor > i ? column->cursor : i + 1;
    for (int32_t j = start; j < column->end && z[j] <= high; j += LIST_LANES)
    {
        const int32_t left = column->end - j;
        const uint32_t full = left < LIST_LANES ? (1u << left) - 1u : 0xFFFFu;
        for (uint32_t bits = list_within(search, i, j) & full; bits != 0; bits &= bits - 1)
        {
            list_append(search, list_local(search, j + __builtin_ctz(bits)));
        }
    }
}

// Columns around (x, y) that come no earlier.
static int32_t list_around(const list_search* search, int32_t x, int32_t y, list_column out[25])
{
    const sph_grid* grid = &search->sph->grid;
    const int32_t own = sph_column(grid, x, y);
    int32_t along[2][5];
    const int32_t nx = sph_near_columns(search->sph, 0, x, along[0]);
    const int32_t ny = sph_near_columns(search->sph, 1, y, along[1]);
    int32_t count = 0;
    for (int32_t k = 0; k < nx * ny; ++k)
    {
        const int32_t column = sph_column(grid, along[0][k % nx], along[1][k / nx]);
        if (column >= own && grid->first[column + 1] > grid->first[column])
        {
            out[count++] = (list_column){grid->first[column + 1], grid->first[column]};
        }
    }
    return count;
}

// Particles of the chunk in one column, from the lowest up.
static void list_column_rows(list_search* search, int32_t x, int32_t y)
{
    const sph_grid* grid = &search->sph->grid;
    sph_chunk* chunk = search->chunk;
    const int32_t own = sph_column(grid, x, y);
    const int32_t begin = grid->first[own] > chunk->begin ? grid->first[own] : chunk->begin;
    const int32_t end = grid->first[own + 1] < chunk->end ? grid->first[own + 1] : chunk->end;
    if (begin >= end)
    {
        return;
    }
    list_column around[25];
    const int32_t count = list_around(search, x, y, around);
    for (int32_t i = begin; i < end; ++i)
    {
        chunk->first[i - chunk->begin] = search->needed;
        for (int32_t c = 0; c < count; ++c)
        {
            list_scan(search, i, &around[c]);
        }
        while (search->needed % SPH_GROUP != 0)
        {
            list_append(search, i - chunk->begin);
        }
    }
}

// All columns that a chunk has particles in: it is a stretch of their order, strip by strip.
static void list_columns(list_search* search)
{
    const sph_grid* grid = &search->sph->grid;
    const sph_chunk* chunk = search->chunk;
    for (int32_t west = 0; west < grid->columns[0]; west += grid->strip)
    {
        const int32_t east =
            west + grid->strip < grid->columns[0] ? west + grid->strip : grid->columns[0];
        const int32_t first = sph_column(grid, west, 0);
        const int32_t last = sph_column(grid, east - 1, grid->columns[1] - 1);
        if (grid->first[last + 1] <= chunk->begin || grid->first[first] >= chunk->end)
        {
            continue;
        }
        for (int32_t y = 0; y < grid->columns[1]; ++y)
        {
            for (int32_t x = west; x < east; ++x)
            {
                list_column_rows(search, x, y);
            }
        }
    }
}

// ---- all chunks --------------------------------------------------------------------------

// Numbers given to a halo are the chunk's own affair. Those there was no room for are lost.
static void list_forget(const list_search* search)
{
    sph_chunk* chunk = search->chunk;
    for (int32_t k = 0; k < chunk->halo_count; ++k)
    {
        search->local[chunk->halo[k]] = 0;
    }
    if (search->halo_needed > chunk->halo_capacity)
    {
        memset(search->local, 0, (size_t)search->sph->count * sizeof *search->local);
    }
    chunk->halo_count = search->halo_needed;
}

// Largest distance from height 0 of a chunk's particles.
static double list_highest(const wadi_sph* sph, const sph_chunk* chunk)
{
    double most = 0.0;
    for (int32_t i = chunk->begin; i < chunk->end; ++i)
    {
        const double high = fabs((double)sph->points.z[i]);
        most = high > most ? high : most;
    }
    return most;
}

static void list_chunk(int64_t block, int32_t worker, void* job)
{
    wadi_sph* sph = job;
    sph_chunk* chunk = &sph->chunks[block];
    // short floats may be off by the size of the world in 2^24; twice that, and the search is safe
    const double far = sph->grid.size[0] * sph->grid.columns[0] +
                       sph->grid.size[1] * sph->grid.columns[1] + 2.0 * list_highest(sph, chunk) +
                       64.0 * sph->reach;
    list_search search = {
        .sph = sph,
        .chunk = chunk,
        .local = sph->scratch[worker].local,
        .reach = (float)(sph->reach + sph->skin + 0x1p-21 * far),
        .period = {(float)sph->law.period[0], (float)sph->law.period[1]},
        .inverse = {(float)sph->law.inverse_period[0], (float)sph->law.inverse_period[1]},
    };
    chunk->halo_count = 0;
    list_columns(&search);
    chunk->first[chunk->end - chunk->begin] = search.needed;
    chunk->other_count = search.needed;
    list_forget(&search);
}

// Make room where a chunk found more than it could hold; *again: search anew.
static wadi_result list_grow(wadi_sph* sph, bool* again)
{
    *again = false;
    for (int32_t c = 0; c < sph->chunk_count; ++c)
    {
        sph_chunk* chunk = &sph->chunks[c];
        const int32_t own = chunk->end - chunk->begin;
        WADI_CHECK(sph->context, own + chunk->halo_count <= SPH_MOST_LOCAL, WADI_ERROR_STATE,
                   "a stretch of %d particles of water meets %d others, more than the %d that a "
                   "list can name: make chunk smaller",
                   own, chunk->halo_count, (int)SPH_MOST_LOCAL);
        if (chunk->other_count > chunk->other_capacity || chunk->halo_count > chunk->halo_capacity)
        {
            WADI_TRY(sph_chunk_grow(sph, chunk, chunk->other_count, chunk->halo_count));
            *again = true;
        }
    }
    return WADI_OK;
}

// Which halo rows push a particle: rows of chunks one after the other, listed by place.
static void list_halo(wadi_sph* sph)
{
    memset(sph->halo_start, 0, ((size_t)sph->count + 1) * sizeof *sph->halo_start);
    for (int32_t c = 0; c < sph->chunk_count; ++c)
    {
        const sph_chunk* chunk = &sph->chunks[c];
        for (int32_t k = 0; k < chunk->halo_count; ++k)
        {
            sph->halo_start[chunk->halo[k] + 1] += 1;
        }
    }
    for (int32_t i = 0; i < sph->count; ++i)
    {
        sph->halo_start[i + 1] += sph->halo_start[i];
    }
    for (int32_t c = 0; c < sph->chunk_count; ++c)
    {
        const sph_chunk* chunk = &sph->chunks[c];
        for (int32_t k = 0; k < chunk->halo_count; ++k)
        {
            sph->halo_slots[sph->halo_start[chunk->halo[k]]++] = chunk->halo_first + k;
        }
    }
    for (int32_t i = sph->count; i > 0; --i)
    {
        sph->halo_start[i] = sph->halo_start[i - 1];
    }
    sph->halo_start[0] = 0;
}

wadi_result sph_list_build(wadi_sph* sph)
{
    WADI_TRY(sph_reserve_chunks(sph));
    bool again = true;
    while (again)
    {
        wadi_parallel_blocks(sph->context, sph->chunk_count, list_chunk, sph);
        WADI_TRY(list_grow(sph, &again));
    }
    WADI_TRY(sph_reserve_pairs(sph));
    list_halo(sph);
    return WADI_OK;
}
