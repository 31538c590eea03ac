// SPDX-License-Identifier: MIT
// Memory of grains, chunks and workers, which grows with what lists hold.
#include "bodies/grains/granular.h"

static const wadi_array memory_grains[] = {
    WADI_ARRAY(wadi_grains, bodies, 0),
    WADI_ARRAY(wadi_grains, sorted, 0),
    WADI_ARRAY(wadi_grains, ids, 0),
    WADI_ARRAY(wadi_grains, sorted_ids, 0),
    WADI_ARRAY(wadi_grains, places, 0),
    WADI_ARRAY(wadi_grains, names, 0),
    WADI_ARRAY(wadi_grains, same, 0),
    WADI_ARRAY(wadi_grains, leaning, 0),
    WADI_ARRAY(wadi_grains, sorted_leaning, 0),
    WADI_ARRAY(wadi_grains, walled, 0),
    WADI_ARRAY(wadi_grains, wetness, 0),
    WADI_ARRAY(wadi_grains, clump_of, 0),
    WADI_ARRAY(wadi_grains, bond_start, 1),
    WADI_ARRAY(wadi_grains, sorted_slips, 0),
};
static const wadi_arrays memory_by_grain = WADI_ARRAYS(memory_grains, "grains");

// Copies of the grains of a chunk and its halo.
static const wadi_array memory_local[] = {
    WADI_ARRAY(granular_scratch, bodies, 0),
    WADI_ARRAY(granular_scratch, wet, 0),
    WADI_ARRAY(granular_scratch, near, 0),
    WADI_ARRAY(granular_scratch, rows, 0),
};
static const wadi_arrays memory_by_local = WADI_ARRAYS(memory_local, "copies of grains");

// Pairs of a chunk that touch, and two batches.
static const wadi_array memory_found[] = {
    WADI_ARRAY(granular_scratch, found, 2 * GRANULAR_LANES),
    WADI_ARRAY(granular_scratch, memory, 2 * GRANULAR_LANES),
    WADI_ARRAY(granular_scratch, born, 2 * GRANULAR_LANES),
    WADI_ARRAY(granular_scratch, now, 2 * GRANULAR_LANES),
};
static const wadi_arrays memory_by_found = WADI_ARRAYS(memory_found, "contacts of a chunk");

static const wadi_array memory_after[] = {WADI_ARRAY(wadi_grains, after, 0)};
static const wadi_arrays memory_by_halo = WADI_ARRAYS(memory_after, "forces between chunks");

static wadi_result memory_create_chunks(wadi_grains* grains)
{
    WADI_TRY(wadi_list_reserve_chunks(&grains->list));
    for (int32_t c = 0; c < grains->list.chunk_count; ++c)
    {
        WADI_TRY(wadi_granular_slips_reserve(grains, granular_chunk_at(grains, c), 1));
    }
    return WADI_OK;
}

wadi_result wadi_granular_memory_create(wadi_grains* grains)
{
    wadi_list* list = &grains->list;
    const int32_t count = grains->room;
    WADI_TRY(wadi_arrays_resize(grains->context, &memory_by_grain, grains, 0, count));
    for (int32_t id = 0; id < count; ++id)
    {
        grains->same[id] = id;
    }
    if (grains->rolls)
    {
        WADI_ALLOC(grains->context, grains->sorted_rolls, count, "contacts with walls");
    }
    WADI_TRY(wadi_list_create(list));
    WADI_TRY(wadi_list_reserve(list, count));
    list->count = count;
    WADI_TRY(memory_create_chunks(grains));
    grains->before = list->chunks; // that of the list before is made alike
    list->chunks = NULL;
    const int32_t capacity = list->chunk_capacity;
    list->chunk_capacity = 0;
    const wadi_result result = memory_create_chunks(grains);
    list->chunk_capacity = capacity;
    WADI_TRY(result);
    WADI_ALLOC(grains->context, grains->waits, capacity, "chunks of grains");
    WADI_ALLOC(grains->context, grains->scratch, list->workers, "workers");
    for (int32_t w = 0; w < list->workers; ++w)
    {
        const int32_t length = list->chunk_length;
        const int32_t room = length > GRANULAR_TOUCHES ? length : GRANULAR_TOUCHES;
        WADI_ALLOC(grains->context, grains->scratch[w].touches, room, "contacts");
        WADI_ALLOC(grains->context, grains->scratch[w].pushes, GRANULAR_TOUCHES, "contacts");
    }
    return WADI_OK;
}

static wadi_result memory_grow_scratch(wadi_grains* grains, int32_t local, int32_t found)
{
    grains->local_capacity = 0;
    grains->found_capacity = 0;
    for (int32_t w = 0; w < grains->list.workers; ++w)
    {
        granular_scratch* scratch = &grains->scratch[w];
        WADI_TRY(wadi_arrays_resize(grains->context, &memory_by_local, scratch, 0, local));
        WADI_TRY(wadi_arrays_resize(grains->context, &memory_by_found, scratch, 0, found));
    }
    grains->local_capacity = local;
    grains->found_capacity = found;
    return WADI_OK;
}

wadi_result wadi_granular_memory_reserve(wadi_grains* grains)
{
    const wadi_list* list = &grains->list;
    int32_t found = 0;
    for (int32_t c = 0; c < list->chunk_count; ++c)
    {
        const int32_t capacity = wadi_list_chunk(list, c)->pair_capacity;
        found = capacity > found ? capacity : found;
    }
    if (list->halo_capacity > grains->after_capacity)
    {
        grains->after_capacity = 0;
        WADI_TRY(
            wadi_arrays_resize(grains->context, &memory_by_halo, grains, 0, list->halo_capacity));
        grains->after_capacity = list->halo_capacity;
    }
    if (list->longest > grains->local_capacity || found > grains->found_capacity)
    {
        WADI_TRY(memory_grow_scratch(grains, wadi_arrays_spare(list->longest, 64), found));
    }
    return WADI_OK;
}

static void memory_free_chunks(wadi_grains* grains, granular_chunk* chunks)
{
    for (int32_t c = 0; chunks != NULL && c < grains->list.chunk_capacity; ++c)
    {
        wadi_free(grains->context, chunks[c].slips);
        wadi_free(grains->context, chunks[c].rolls);
    }
}

// All that wadi_granular_memory_create() makes, and what lists have made of it since.
static void memory_free_places(wadi_grains* grains)
{
    wadi_context* context = grains->context;
    memory_free_chunks(grains, grains->list.chunks);
    memory_free_chunks(grains, grains->before);
    wadi_list_free_chunks(&grains->list, grains->before);
    for (int32_t w = 0; grains->scratch != NULL && w < grains->list.workers; ++w)
    {
        wadi_arrays_free(context, &memory_by_local, &grains->scratch[w]);
        wadi_arrays_free(context, &memory_by_found, &grains->scratch[w]);
        wadi_free(context, grains->scratch[w].touches);
        wadi_free(context, grains->scratch[w].pushes);
        wadi_free(context, grains->scratch[w].candidates);
    }
    wadi_free(context, grains->scratch);
    wadi_list_free(&grains->list);
    wadi_arrays_free(context, &memory_by_grain, grains);
    wadi_free(context, grains->sorted_rolls);
    wadi_free(context, grains->waits);
}

// What the list was told of its owner.
static void memory_forget_places(wadi_grains* grains)
{
    const wadi_list* list = &grains->list;
    grains->list = (wadi_list){.context = list->context,
                               .kind = list->kind,
                               .owner = list->owner,
                               .period = {list->period[0], list->period[1]},
                               .inverse_period = {list->inverse_period[0], list->inverse_period[1]},
                               .chunk_length = list->chunk_length,
                               .largest = list->largest};
    grains->before = NULL;
    grains->scratch = NULL;
    grains->sorted_rolls = NULL;
    grains->waits = NULL;
    grains->kept = NULL;
    grains->built = NULL;
    grains->local_capacity = 0;
    grains->found_capacity = 0;
    wadi_granular_beside_free(grains->context, &grains->beside);
}

static wadi_result memory_grow_walls(wadi_grains* grains)
{
    for (int32_t w = 0; w < GRANULAR_WALLS; ++w)
    {
        granular_wall* wall = &grains->walls[w];
        if (wall->slips == NULL && (grains->present >> w & 1) == 0)
        {
            continue;
        }
        wadi_free(grains->context, wall->slips);
        wadi_free(grains->context, wall->rolls);
        wall->slips = NULL;
        wall->rolls = NULL;
        WADI_ALLOC(grains->context, wall->slips, grains->room, "contacts with a wall");
        if (grains->rolls)
        {
            WADI_ALLOC(grains->context, wall->rolls, grains->room, "contacts with a wall");
        }
    }
    return WADI_OK;
}

// Strengths stay; grains without one have 1.
static wadi_result memory_grow_shares(wadi_grains* grains, int32_t room)
{
    double* longer;
    if (grains->shares == NULL)
    {
        return WADI_OK;
    }
    WADI_ALLOC(grains->context, longer, room, "strengths of grains");
    for (int32_t id = 0; id < room; ++id)
    {
        longer[id] = id < grains->room ? grains->shares[id] : 1.0;
    }
    wadi_free(grains->context, grains->shares);
    grains->shares = longer;
    return WADI_OK;
}

// Forces and water from outside, which are set by the state that follows.
static wadi_result memory_grow_outside(wadi_grains* grains)
{
    if (grains->forces != NULL)
    {
        wadi_free(grains->context, grains->forces);
        grains->forces = NULL;
        WADI_ALLOC(grains->context, grains->forces, grains->room, "forces from outside");
    }
    if (grains->wet != NULL)
    {
        wadi_free(grains->context, grains->wet);
        grains->wet = NULL;
        WADI_ALLOC(grains->context, grains->wet, grains->room, "water of grains");
    }
    return WADI_OK;
}

// An empty world is left, until there is memory for the next one.
static void memory_lose(wadi_grains* grains)
{
    grains->failed = true;
    grains->bare = true;
    grains->count = 0;
    grains->bond_count = 0;
    if (grains->clumps != NULL)
    {
        grains->clumps->count = 0;
    }
    memory_free_places(grains);
    memory_forget_places(grains);
}

static wadi_result memory_make(wadi_grains* grains)
{
    WADI_TRY(memory_grow_walls(grains));
    WADI_TRY(memory_grow_outside(grains));
    return wadi_granular_memory_create(grains);
}

wadi_result wadi_granular_memory_fit(wadi_grains* grains, int32_t count)
{
    const bool fits = count <= grains->room;
    if (fits && !grains->bare)
    {
        grains->count = count;
        return WADI_OK;
    }
    const int32_t room = fits ? grains->room : wadi_arrays_spare(count, 64);
    WADI_TRY(memory_grow_shares(grains, room)); // what is there has not changed yet
    memory_lose(grains);
    grains->room = room;
    const wadi_result result = memory_make(grains);
    if (result != WADI_OK)
    {
        memory_lose(grains);
        return result;
    }
    grains->bare = false;
    grains->count = count;
    return WADI_OK;
}

void wadi_granular_memory_free(wadi_grains* grains)
{
    wadi_context* context = grains->context;
    memory_free_places(grains);
    wadi_arrays_free(context, &memory_by_halo, grains);
    wadi_free(context, grains->bonds);
    wadi_free(context, grains->sorted_bonds);
    for (int32_t w = 0; w < GRANULAR_WALLS; ++w)
    {
        wadi_free(context, grains->walls[w].slips);
        wadi_free(context, grains->walls[w].rolls);
    }
    wadi_granular_meshes_free(grains);
    wadi_granular_clumps_free(grains);
    wadi_free(context, grains->ground.heights);
    wadi_free(context, grains->contacts);
    wadi_free(context, grains->cements);
    wadi_free(context, grains->shares);
    wadi_free(context, grains->forces);
    wadi_free(context, grains->wet);
}
