// SPDX-License-Identifier: MIT
// The neighbour list of particles (Verlet 1967), which grains and water share.
//
// Particles are sorted along columns of space (a cell list), so that near means near in memory. A
// chunk is a stretch of that order, cut anywhere. It owns the pairs of which it has the first
// particle; the other particles of its pairs are its halo. A step works on copies of a chunk's
// particles and halo, and adds up forces in rows: those of its own particles, and those of its
// halo, which other chunks collect. Forces are whole numbers, so neither chunks, nor the order of
// particles, nor when lists are built shows in a result.
#pragma once

#include "bodies/engine/arrays.h"
#include "bodies/engine/list_kernels.h"

#include <string.h>

enum
{
    WADI_LIST_LANES = 16,             // points that are searched at once
    WADI_LIST_LOCAL = UINT16_MAX + 1, // particles of a chunk that a pair can name
    WADI_LIST_AROUND = 25             // most columns around one, itself included
};

// The part of a chunk that grains and water share: the first member of both chunk types.
typedef struct wadi_chunk
{
    int32_t begin; // places of its own particles
    int32_t end;
    int32_t* halo; // places of the others
    int32_t halo_count;
    int32_t halo_capacity;
    int32_t halo_first; // its first row among all halo rows
    int32_t* rows;      // first pair of each own particle, and one past the last
    int32_t row_capacity;
    int32_t pair_count;
    int32_t pair_capacity; // a multiple of the kind's group
    int32_t pair_spare;    // further pairs for which there must be room
} wadi_chunk;

// Columns along z on a grid in x and y, in strips.
typedef struct wadi_columns
{
    double origin[2];
    double size[2]; // of a column [m]
    int32_t count[2];
    int32_t strip;  // columns across a strip
    int32_t* first; // place of the first particle of each column, and one past the last
    int32_t capacity;
} wadi_columns;

typedef struct wadi_list wadi_list;

// The search of one worker for the pairs of one chunk.
typedef struct wadi_search
{
    const wadi_list* list;
    wadi_chunk* chunk;
    int32_t* local;     // number in the halo by place, or 0
    int32_t found;      // pairs, including those for which there was no room
    int32_t halo_found; // as well
    float margin;
    float tallest;
    float period[2];
    float inverse[2];
} wadi_search;

// Properties of a kind of particle, which the list needs.
typedef struct wadi_list_kind
{
    const char* what;  // for messages: "grains"
    size_t chunk_size; // bytes of a chunk
    size_t row_size;   // bytes of a row of forces
    int32_t across;    // columns in a reach: 1 or 2
    int32_t group;     // room for pairs comes in multiples of this
    int32_t padding;   // pairs of a particle are filled up with itself to multiples of this
    wadi_arrays pairs; // arrays of a chunk, by pair
    // Append the pairs of particle i and those of first, first + 1, ... whose bit is set.
    void (*append)(wadi_search* search, int32_t i, int32_t first, uint32_t bits);
    // After the last pair of a chunk; NULL: nothing is left to do.
    void (*finish)(wadi_search* search);
} wadi_list_kind;

struct wadi_list
{
    // set by the owner
    wadi_context* context;
    const wadi_list_kind* kind;
    const list_kernels* kernels; // set by wadi_list_create()
    void* owner;
    double period[2];
    double inverse_period[2]; // 0 without a period
    int32_t chunk_length;     // particles

    // of the last sort
    const void* bodies; // each begins with its position
    size_t body_size;
    int32_t count;
    double margin;  // surfaces nearer than this are a pair; without radii, centres [m]
    double largest; // radius
    double reach;   // centres farther apart than this are no pair
    wadi_columns columns;

    int32_t capacity;    // particles
    int32_t* order;      // place before by place
    int32_t* moved;      // place by place before
    int32_t* column;     // of each particle before sorting
    int32_t* halo_start; // of the rows that push each particle, and one past the last
    float* x;            // from the origin of the columns
    float* y;
    float* z;
    float* radius;
    int32_t** local; // by worker: see wadi_search
    int32_t workers;

    void* chunks; // of kind->chunk_size each
    int32_t chunk_count;
    int32_t chunk_capacity;
    int32_t longest;     // particles and halo of a chunk, the most there are
    void* halo_rows;     // of kind->row_size each
    int32_t* halo_slots; // halo rows by the particle they push: see halo_start
    int32_t halo_capacity;
};

// ---- memory: list_memory.c ---------------------------------------------------------------

// Room for the scratch of so many workers, before any particle.
wadi_result wadi_list_create(wadi_list* list);
// Room for so many particles; those there are stay.
wadi_result wadi_list_reserve(wadi_list* list, int32_t capacity);
// Chunks for the particles of the last sort.
wadi_result wadi_list_reserve_chunks(wadi_list* list);
wadi_result wadi_list_reserve_pairs(wadi_list* list, wadi_chunk* chunk);
// Room for the rows of all halos; sets `longest`.
wadi_result wadi_list_reserve_rows(wadi_list* list);
void wadi_list_free_chunks(const wadi_list* list, void* chunks);
void wadi_list_free(wadi_list* list);

// ---- order: list_columns.c ---------------------------------------------------------------

// Find the order of columns for `count` bodies, then let `gather` copy them, a range of new places
// at a time. It calls wadi_list_put().
void wadi_list_sort(wadi_list* list, const void* bodies, size_t body_size, int32_t count,
                    wadi_rows_fn* gather);
int32_t wadi_columns_number(const wadi_columns* columns, int32_t x, int32_t y);

static inline void wadi_list_put(wadi_list* list, int32_t place, const double x[3], double radius)
{
    list->moved[list->order[place]] = place;
    list->x[place] = (float)(x[0] - list->columns.origin[0]);
    list->y[place] = (float)(x[1] - list->columns.origin[1]);
    list->z[place] = (float)x[2];
    list->radius[place] = (float)radius;
}

// ---- pairs: list_search.c, list_search_kernel.c ------------------------------------------------

// Chunks, pairs and halos of the particles that were sorted.
wadi_result wadi_list_build(wadi_list* list);

static inline wadi_chunk* wadi_list_chunk(const wadi_list* list, int64_t number)
{
    void* chunk = (unsigned char*)list->chunks + (size_t)number * list->kind->chunk_size;
    return chunk;
}

// Number of a later particle in the chunk; it joins the halo when it is first met.
static inline int32_t wadi_search_local(wadi_search* search, int32_t place)
{
    wadi_chunk* chunk = search->chunk;
    if (place < chunk->end)
    {
        return place - chunk->begin;
    }
    if (search->local[place] == 0)
    {
        if (search->halo_found < chunk->halo_capacity)
        {
            chunk->halo[search->halo_found] = place;
            chunk->halo_count = search->halo_found + 1;
        }
        search->halo_found += 1;
        search->local[place] = chunk->end - chunk->begin + search->halo_found;
    }
    return search->local[place] - 1;
}

// Place of a particle by its number in a chunk.
static inline int32_t wadi_chunk_place(const wadi_chunk* chunk, int32_t local)
{
    const int32_t own = chunk->end - chunk->begin;
    return local < own ? chunk->begin + local : chunk->halo[local - own];
}

// Particles of a chunk, with its halo.
static inline int32_t wadi_chunk_length(const wadi_chunk* chunk)
{
    return chunk->end - chunk->begin + chunk->halo_count;
}

// Hand over the rows of a chunk's halo.
static inline void wadi_list_send(const wadi_list* list, const wadi_chunk* chunk, const void* rows)
{
    const size_t size = list->kind->row_size;
    if (chunk->halo_count > 0)
    {
        memcpy((unsigned char*)list->halo_rows + (size_t)chunk->halo_first * size, rows,
               (size_t)chunk->halo_count * size);
    }
}
