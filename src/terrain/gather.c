// SPDX-License-Identifier: MIT
#include "terrain/gather.h"

#include "core/partition_rows.h"
#include "terrain/terrain.h"

#include <string.h>

enum
{
    GATHER_LAYERS = WADI_MAX_LOOSE + 8,
    GATHER_NUMBERS = sizeof(wadi_tally) / sizeof(int64_t)
};

typedef struct gather_list
{
    partition_layer layers[GATHER_LAYERS];
    int32_t count;
} gather_list;

static void gather_add(gather_list* list, void* window, void* whole, int32_t bytes)
{
    list->layers[list->count++] = (partition_layer){window, whole, bytes};
}

// What processes change: rock, loose layers and water, and what follows from them.
static gather_list gather_changing(const wadi_ground* window, const wadi_ground* whole)
{
    gather_list list = {.count = 0};
    gather_add(&list, window->bedrock, whole != NULL ? whole->bedrock : NULL, 4);
    gather_add(&list, window->water, whole != NULL ? whole->water : NULL, 4);
    for (int32_t i = 0; i < window->loose_count; ++i)
    {
        gather_add(&list, window->loose[i], whole != NULL ? whole->loose[i] : NULL, 4);
    }
    if (window->strata != NULL)
    {
        gather_add(&list, window->hardness, whole != NULL ? whole->hardness : NULL, 2);
    }
    return list;
}

static void gather_add_share(gather_list* list, uint32_t reads, wadi_layer layer, uint16_t* window,
                             uint16_t* whole)
{
    if ((reads & WADI_LAYER_BIT(layer)) != 0)
    {
        gather_add(list, window, whole, 2);
    }
}

// The mask of the whole gets the codes of the sides of voids too: a window without any has none.
static gather_list gather_all(const wadi_ground* window, const wadi_ground* whole, uint32_t reads)
{
    static const wadi_ground none;
    const wadi_ground* to = whole != NULL ? whole : &none;
    gather_list list = gather_changing(window, whole);
    uint8_t* mask = window->void_sides != NULL ? window->void_sides : window->valid;
    gather_add(&list, mask, to->valid, 1);
    gather_add_share(&list, reads, WADI_LAYER_VEGETATION, window->vegetation, to->vegetation);
    gather_add_share(&list, reads, WADI_LAYER_MOISTURE, window->moisture, to->moisture);
    if (window->strata == NULL)
    {
        gather_add_share(&list, reads, WADI_LAYER_HARDNESS, window->hardness, to->hardness);
    }
    else
    {
        gather_add(&list, window->strata->top, whole != NULL ? whole->strata->top : NULL, 4);
    }
    return list;
}

wadi_result wadi_terrain_create_whole(const wadi_terrain* window, wadi_context* context,
                                      wadi_terrain** out)
{
    wadi_terrain_def def = wadi_terrain_definition(window);
    if (wadi_partition_is_alone(window->ground.part))
    {
        def.width = window->ground.width;
        def.height = window->ground.height;
        memcpy(def.edges, window->ground.edges, sizeof def.edges);
    }
    return wadi_terrain_create(context, &def, out);
}

static wadi_result gather_beds(const wadi_strata* beds, wadi_terrain* whole)
{
    wadi_strata* own = whole->ground.strata;
    if (beds == NULL || own == NULL)
    {
        wadi_strata_destroy(whole);
        return beds != NULL ? wadi_strata_adopt(whole, beds) : WADI_OK;
    }
    int32_t* top = own->top;
    *own = *beds;
    own->top = top;
    return WADI_OK;
}

wadi_result wadi_terrain_gather_members(const wadi_terrain* window, wadi_terrain* whole)
{
    if (whole == NULL)
    {
        return WADI_OK;
    }
    memcpy(whole->loose_names, window->loose_names, sizeof whole->loose_names);
    memcpy(whole->materials, window->materials, sizeof whole->materials);
    memcpy(whole->ground.material, window->ground.material, sizeof whole->ground.material);
    whole->material_count = window->material_count;
    whole->ground.rock_softness = window->ground.rock_softness;
    whole->clock = window->clock;
    WADI_TRY(gather_beds(window->ground.strata, whole));
    WADI_TRY(wadi_rivers_copy(window, whole));
    return wadi_sea_copy(window, whole);
}

static wadi_result gather_close_mask(wadi_terrain* whole)
{
    WADI_TRY(wadi_void_sides_split(whole));
    wadi_ground* ground = &whole->ground;
    ground->all_valid = memchr(ground->valid, 0, (size_t)ground->cells) == NULL;
    return WADI_OK;
}

wadi_result wadi_terrain_gather(wadi_terrain* window, wadi_terrain* whole, uint32_t reads)
{
    WADI_TRY(wadi_terrain_gather_members(window, whole));
    if (whole != NULL)
    {
        wadi_void_sides_free(whole); // the mask brings those of all windows
    }
    const gather_list list =
        gather_all(&window->ground, whole != NULL ? &whole->ground : NULL, reads);
    WADI_TRY(wadi_partition_gather(window->context, list.layers, list.count));
    return whole != NULL ? gather_close_mask(whole) : WADI_OK;
}

// ---- rivers ------------------------------------------------------------------------------------

static wadi_result gather_take_rivers(wadi_terrain* window, const wadi_part* sent)
{
    terrain_rivers taken = {.count = (int32_t)(sent->size / (int64_t)sizeof *taken.list)};
    if (taken.count > 0)
    {
        WADI_ALLOC(window->context, taken.list, taken.count, "rivers");
        memcpy(taken.list, sent->bytes, (size_t)sent->size);
    }
    wadi_rivers_free(window->context, &window->rivers);
    window->rivers = taken;
    return WADI_OK;
}

// All windows hold the rivers of the whole.
static wadi_result gather_give_rivers(wadi_terrain* window, const wadi_terrain* whole)
{
    const wadi_partition* part = window->ground.part;
    const terrain_rivers none = {0};
    const terrain_rivers* from = whole != NULL ? &whole->rivers : &none;
    wadi_part* sent;
    WADI_ALLOC(window->context, sent, part->count, "rivers");
    const bool goes_on =
        part->table(from->list, from->count * (int64_t)sizeof *from->list, sent, part->user);
    const wadi_result result =
        goes_on ? gather_take_rivers(window, &sent[0]) : wadi_partition_lost(window->context);
    wadi_free(window->context, sent);
    return result;
}

wadi_result wadi_terrain_scatter(wadi_terrain* window, const wadi_terrain* whole, uint32_t writes)
{
    static const wadi_ground none;
    const wadi_ground* from = whole != NULL ? &whole->ground : &none;
    gather_list list = gather_changing(&window->ground, whole != NULL ? from : NULL);
    gather_add_share(&list, writes, WADI_LAYER_VEGETATION, window->ground.vegetation,
                     from->vegetation);
    gather_add_share(&list, writes, WADI_LAYER_MOISTURE, window->ground.moisture, from->moisture);
    WADI_TRY(wadi_partition_scatter(window->context, list.layers, list.count));
    return gather_give_rivers(window, whole);
}

// ---- books -------------------------------------------------------------------------------------

void wadi_terrain_empty_books(wadi_terrain* whole)
{
    whole->account_count = 0;
    memset(whole->accounts, 0, sizeof whole->accounts);
}

bool wadi_terrain_gather_books(const wadi_terrain* window, wadi_terrain* whole, const char* process)
{
    const wadi_tally* here = wadi_terrain_account(window, process);
    int64_t numbers[GATHER_NUMBERS] = {0};
    if (here != NULL)
    {
        memcpy(numbers, here, sizeof numbers);
    }
    const bool goes_on = wadi_partition_sum(window->ground.part, numbers, GATHER_NUMBERS);
    if (whole != NULL)
    {
        wadi_tally all;
        memcpy(&all, numbers, sizeof all);
        wadi_terrain_empty_books(whole);
        wadi_terrain_book(whole, process, &all);
    }
    return goes_on;
}

bool wadi_terrain_scatter_books(wadi_terrain* window, const wadi_terrain* whole,
                                const char* process)
{
    const wadi_tally none = {0};
    const wadi_tally* booked = whole != NULL ? wadi_terrain_account(whole, process) : NULL;
    // all windows have the same accounts
    int64_t any = booked != NULL ? 1 : 0;
    const bool goes_on = wadi_partition_sum(window->ground.part, &any, 1);
    if (any != 0)
    {
        wadi_terrain_book(window, process, booked != NULL ? booked : &none);
    }
    return goes_on;
}
