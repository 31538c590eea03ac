// SPDX-License-Identifier: MIT
// The list of particles within reach. Neighbours of one particle come in groups that are padded
// with the particle itself, on which its own force is 0, so that the law needs no masks.
#include "bodies/water/sph.h"

// Records in their new order.
static void list_gather(int32_t begin, int32_t end, int32_t worker, void* job)
{
    (void)worker;
    wadi_sph* sph = job;
    for (int32_t k = begin; k < end; ++k)
    {
        const int32_t from = sph->list.order[k];
        const sph_body* body = &sph->bodies[from];
        wadi_list_put(&sph->list, k, body->x, 0.0);
        sph->sorted[k] = *body;
        sph->sorted_states[k] = sph->states[from];
        memcpy(sph->built[k], body->x, sizeof body->x);
    }
}

void wadi_sph_sort(wadi_sph* sph)
{
    sph->list.margin = sph->reach + sph->skin;
    wadi_list_sort(&sph->list, sph->bodies, sizeof *sph->bodies, sph->count, list_gather);
    sph_body* const bodies = sph->bodies;
    sph->bodies = sph->sorted;
    sph->sorted = bodies;
    sph_state* const states = sph->states;
    sph->states = sph->sorted_states;
    sph->sorted_states = states;
    for (int32_t k = 0; k < sph->count; ++k)
    {
        sph->line[k] = sph->list.moved[sph->line[k]];
    }
}

static void list_append(wadi_search* search, int32_t i, int32_t first, uint32_t bits)
{
    (void)i; // neighbours are stored by rows of i
    sph_chunk* chunk = (sph_chunk*)search->chunk;
    for (; bits != 0; bits &= bits - 1)
    {
        const int32_t local = wadi_search_local(search, first + __builtin_ctz(bits));
        if (search->found < chunk->base.pair_capacity)
        {
            chunk->others[search->found] = (uint16_t)local;
        }
        search->found += 1;
    }
}

static const wadi_array list_arrays[] = {WADI_ARRAY(sph_chunk, others, 0)};

const wadi_list_kind wadi_sph_list_kind = {
    .what = "particles of water",
    .chunk_size = sizeof(sph_chunk),
    .row_size = sizeof(sph_row),
    .across = 2,
    .group = SPH_GROUP,
    .padding = SPH_GROUP,
    .pairs = WADI_ARRAYS(list_arrays, "neighbours"),
    .append = list_append,
};
