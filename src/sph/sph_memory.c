// SPDX-License-Identifier: MIT
// Memory of particles, chunks and workers, which grows with what there is.
#include "sph/sph.h"

// ---- particles ---------------------------------------------------------------------------

// Make an array longer; what is in it stays.
static wadi_result memory_stretch(wadi_context* context, void** array, size_t size, int32_t had,
                                  int32_t wanted)
{
    void* longer = wadi_alloc(context, (size_t)wanted, size);
    if (longer == NULL)
    {
        return wadi_fail_memory(context, (size_t)wanted * size, "particles of water");
    }
    if (*array != NULL)
    {
        memcpy(longer, *array, (size_t)had * size);
        wadi_free(context, *array);
    }
    *array = longer;
    return WADI_OK;
}

#define MEMORY_STRETCH(sph, array, had, wanted)                                                    \
    do                                                                                             \
    {                                                                                              \
        void* stretched = (array);                                                                 \
        const wadi_result stretching =                                                             \
            memory_stretch((sph)->context, &stretched, sizeof *(array), (had), (wanted));          \
        (array) = stretched;                                                                       \
        WADI_TRY(stretching);                                                                      \
    } while (0)

static wadi_result memory_grow_particles(wadi_sph* sph, int32_t wanted)
{
    const int32_t had = sph->capacity;
    MEMORY_STRETCH(sph, sph->bodies, had, wanted);
    MEMORY_STRETCH(sph, sph->sorted, had, wanted);
    MEMORY_STRETCH(sph, sph->states, had, wanted);
    MEMORY_STRETCH(sph, sph->sorted_states, had, wanted);
    MEMORY_STRETCH(sph, sph->line, had, wanted);
    MEMORY_STRETCH(sph, sph->order, had, wanted);
    MEMORY_STRETCH(sph, sph->moved, had, wanted);
    MEMORY_STRETCH(sph, sph->column, had, wanted);
    MEMORY_STRETCH(sph, sph->own, had, wanted);
    MEMORY_STRETCH(sph, sph->built, had, wanted);
    MEMORY_STRETCH(sph, sph->solid, had, wanted);
    MEMORY_STRETCH(sph, sph->halo_start, had, wanted + 1);
    MEMORY_STRETCH(sph, sph->points.x, had, wanted + SPH_OVERREAD);
    MEMORY_STRETCH(sph, sph->points.y, had, wanted + SPH_OVERREAD);
    MEMORY_STRETCH(sph, sph->points.z, had, wanted + SPH_OVERREAD);
    for (int32_t w = 0; w < sph->workers; ++w)
    {
        MEMORY_STRETCH(sph, sph->scratch[w].local, had, wanted);
    }
    return WADI_OK;
}

wadi_result sph_reserve(wadi_sph* sph, int64_t count)
{
    enum
    {
        FEWEST = 1024
    };
    WADI_CHECK(sph->context, count <= 100000000, WADI_ERROR_ARGUMENT,
               "there would be %lld particles of water; there can be 1e8: make spacing larger",
               (long long)count);
    if (count <= sph->capacity)
    {
        return WADI_OK;
    }
    const int32_t wanted = (int32_t)(count + count / 4) + FEWEST;
    sph->stale = true; // columns and the end of halo_start do not outlive this, even if it fails
    WADI_TRY(memory_grow_particles(sph, wanted));
    if (2 * wanted > sph->grid.capacity)
    {
        int32_t* first; // without it, water flows on in the columns that there are
        WADI_ALLOC(sph->context, first, 2 * wanted + 1, "columns of water");
        wadi_free(sph->context, sph->grid.first);
        sph->grid.first = first;
        sph->grid.capacity = 2 * wanted;
    }
    sph->capacity = wanted;
    return WADI_OK;
}

// ---- chunks ------------------------------------------------------------------------------

static void memory_free_chunk(wadi_context* context, sph_chunk* chunk)
{
    wadi_free(context, chunk->halo);
    wadi_free(context, chunk->others);
    wadi_free(context, chunk->first);
}

wadi_result sph_reserve_chunks(wadi_sph* sph)
{
    const int32_t size = sph->params.chunk;
    const int32_t count = (sph->count + size - 1) / size;
    if (count > sph->chunk_capacity)
    {
        MEMORY_STRETCH(sph, sph->chunks, sph->chunk_capacity, count + 4);
        sph->chunk_capacity = count + 4;
    }
    sph->chunk_count = count;
    for (int32_t c = 0; c < count; ++c)
    {
        sph_chunk* chunk = &sph->chunks[c];
        chunk->begin = c * size;
        chunk->end = sph->count - chunk->begin < size ? sph->count : chunk->begin + size;
        if (chunk->end - chunk->begin + 1 > chunk->first_capacity)
        {
            wadi_free(sph->context, chunk->first);
            chunk->first_capacity = 0;
            WADI_ALLOC(sph->context, chunk->first, size + 1, "rows of neighbours");
            chunk->first_capacity = size + 1;
        }
    }
    return WADI_OK;
}

// A quarter more than is needed now: water spreads and gathers, and lists with it.
static int32_t memory_spare(int32_t count, int32_t multiple)
{
    const int32_t wanted = count + count / 4 + multiple;
    return wanted / multiple * multiple;
}

wadi_result sph_chunk_grow(wadi_sph* sph, sph_chunk* chunk, int32_t others, int32_t halo)
{
    if (others > chunk->other_capacity)
    {
        wadi_free(sph->context, chunk->others);
        chunk->other_capacity = 0;
        WADI_ALLOC(sph->context, chunk->others, memory_spare(others, SPH_GROUP), "neighbours");
        chunk->other_capacity = memory_spare(others, SPH_GROUP);
    }
    if (halo > chunk->halo_capacity)
    {
        wadi_free(sph->context, chunk->halo);
        chunk->halo_capacity = 0;
        WADI_ALLOC(sph->context, chunk->halo, memory_spare(halo, 64), "neighbours of chunks");
        chunk->halo_capacity = memory_spare(halo, 64);
    }
    return WADI_OK;
}

// ---- workers -----------------------------------------------------------------------------

static wadi_result memory_grow_local(wadi_sph* sph, int32_t local)
{
    sph->local_capacity = 0;
    for (int32_t w = 0; w < sph->workers; ++w)
    {
        sph_scratch* scratch = &sph->scratch[w];
        wadi_free(sph->context, scratch->bodies);
        wadi_free(sph->context, scratch->shares);
        wadi_free(sph->context, scratch->rows);
        *scratch = (sph_scratch){.local = scratch->local};
        WADI_ALLOC(sph->context, scratch->bodies, local, "copies of particles");
        WADI_ALLOC(sph->context, scratch->shares, local, "copies of particles");
        WADI_ALLOC(sph->context, scratch->rows, local, "forces");
    }
    sph->local_capacity = local;
    return WADI_OK;
}

static wadi_result memory_grow_halo(wadi_sph* sph, int32_t rows)
{
    wadi_free(sph->context, sph->halo_rows);
    wadi_free(sph->context, sph->halo_slots);
    sph->halo_rows = NULL;
    sph->halo_slots = NULL;
    sph->halo_capacity = 0;
    WADI_ALLOC(sph->context, sph->halo_rows, rows, "forces between chunks");
    WADI_ALLOC(sph->context, sph->halo_slots, rows, "forces between chunks");
    sph->halo_capacity = rows;
    return WADI_OK;
}

wadi_result sph_reserve_pairs(wadi_sph* sph)
{
    int32_t halo = 0;
    int32_t local = 0;
    for (int32_t c = 0; c < sph->chunk_count; ++c)
    {
        sph_chunk* chunk = &sph->chunks[c];
        const int32_t here = chunk->end - chunk->begin + chunk->halo_count;
        chunk->halo_first = halo;
        halo += chunk->halo_count;
        local = here > local ? here : local;
    }
    if (halo > sph->halo_capacity)
    {
        WADI_TRY(memory_grow_halo(sph, memory_spare(halo, 64)));
    }
    return local > sph->local_capacity ? memory_grow_local(sph, memory_spare(local, 64)) : WADI_OK;
}

// ---- end ---------------------------------------------------------------------------------

static void memory_free_workers(wadi_sph* sph)
{
    for (int32_t w = 0; sph->scratch != NULL && w < sph->workers; ++w)
    {
        wadi_free(sph->context, sph->scratch[w].bodies);
        wadi_free(sph->context, sph->scratch[w].shares);
        wadi_free(sph->context, sph->scratch[w].rows);
        wadi_free(sph->context, sph->scratch[w].local);
    }
    wadi_free(sph->context, sph->scratch);
}

void sph_memory_free(wadi_sph* sph)
{
    wadi_context* context = sph->context;
    memory_free_workers(sph);
    for (int32_t c = 0; c < sph->chunk_capacity; ++c)
    {
        memory_free_chunk(context, &sph->chunks[c]);
    }
    wadi_free(context, sph->chunks);
    wadi_free(context, sph->halo_rows);
    wadi_free(context, sph->halo_slots);
    wadi_free(context, sph->halo_start);
    wadi_free(context, sph->bodies);
    wadi_free(context, sph->sorted);
    wadi_free(context, sph->states);
    wadi_free(context, sph->sorted_states);
    wadi_free(context, sph->line);
    wadi_free(context, sph->order);
    wadi_free(context, sph->moved);
    wadi_free(context, sph->column);
    wadi_free(context, sph->own);
    wadi_free(context, sph->built);
    wadi_free(context, sph->solid);
    wadi_free(context, sph->points.x);
    wadi_free(context, sph->points.y);
    wadi_free(context, sph->points.z);
    wadi_free(context, sph->grid.first);
    wadi_free(context, sph->ground.heights);
    wadi_free(context, sph->spheres);
    wadi_free(context, sph->meeting_start);
    wadi_free(context, sph->meetings);
}
