// SPDX-License-Identifier: MIT
// The list of grains that may touch: order, pairs without bonds, and which chunks wait for which.
#include "bodies/grains/granular.h"

#include <string.h>

// ---- order -------------------------------------------------------------------------------

// Two grains may close a gap of the skin before the next list, and a bridge lasts across its own.
static double list_gap(const wadi_grains* grains)
{
    double most = 0.0;
    for (int32_t id = 0; grains->wet != NULL && id < grains->count; ++id)
    {
        most = grains->wet[id].bridge > most ? grains->wet[id].bridge : most;
    }
    const double span = grains->wet != NULL ? wadi_granular_bridge_span(grains, 2.0 * most) : 0.0;
    const double skin = 2.0 * grains->params.skin * grains->list.largest;
    return span > skin ? span : skin;
}

static void list_gather(int32_t begin, int32_t end, int32_t worker, void* job)
{
    (void)worker;
    wadi_grains* grains = job;
    for (int32_t k = begin; k < end; ++k)
    {
        const int32_t from = grains->list.order[k];
        const granular_body* body = &grains->bodies[from];
        wadi_list_put(&grains->list, k, body->x, body->radius);
        grains->sorted[k] = *body;
        grains->sorted_ids[k] = grains->ids[from];
        grains->sorted_leaning[k] = grains->leaning[from];
    }
}

void wadi_granular_sort(wadi_grains* grains)
{
    grains->list.margin = list_gap(grains);
    wadi_list_sort(&grains->list, grains->bodies, sizeof *grains->bodies, grains->count,
                   list_gather);
}

// ---- pairs -------------------------------------------------------------------------------

static bool list_is_bonded(const wadi_grains* grains, int32_t i, int32_t j)
{
    for (int32_t b = grains->bond_start[i]; b < grains->bond_start[i + 1]; ++b)
    {
        if (grains->bonds[b].j == j)
        {
            return true;
        }
    }
    return false;
}

// Grains without a pair: they are bonded, or spheres of one clump.
static bool list_is_joined(const wadi_grains* grains, int32_t i, int32_t j)
{
    const int32_t clump = granular_clump_of_id(grains, grains->ids[i]);
    return list_is_bonded(grains, i, j) ||
           (clump >= 0 && clump == grains->clump_of[grains->ids[j]]);
}

static void list_append(wadi_search* search, int32_t i, int32_t first, uint32_t bits)
{
    granular_chunk* chunk = (granular_chunk*)search->chunk;
    for (; bits != 0; bits &= bits - 1)
    {
        const int32_t j = first + __builtin_ctz(bits);
        if (list_is_joined(search->list->owner, i, j))
        {
            continue;
        }
        const int32_t local = wadi_search_local(search, j);
        if (search->found < chunk->base.pair_capacity)
        {
            chunk->pairs[search->found] =
                (granular_pair){(uint16_t)(i - chunk->base.begin), (uint16_t)local};
        }
        search->found += 1;
    }
}

// Middle of a chunk's own grains, and the error of short floats counted from there: four times what
// the roundings of two positions, their differences and squares can add up to. A chunk that spans
// less than half the period has the nearest images of all that it may touch: its pairs need not
// look across the seam, and the period is no part of the error.
static void list_frame(const wadi_grains* grains, granular_chunk* chunk)
{
    const double periods[3] = {grains->params.period_x, grains->params.period_y, 0.0};
    const double reach = grains->list.reach;
    double extent = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double low = grains->bodies[chunk->base.begin].x[axis];
        double high = low;
        for (int32_t i = chunk->base.begin; i < chunk->base.end; ++i)
        {
            const double x = grains->bodies[i].x[axis];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        chunk->middle[axis] = 0.5 * (low + high);
        chunk->wraps[axis] = periods[axis] > 0.0 && high - low + 4.0 * reach > 0.5 * periods[axis];
        extent += 0.5 * (high - low) + (chunk->wraps[axis] ? periods[axis] : 0.0);
    }
    chunk->band = (float)(0x1p-20 * reach * (extent + 4.0 * reach));
}

// The last group of pairs is read in full: what lies behind must name grains that are there.
static void list_clear_rest(granular_chunk* chunk)
{
    const int32_t rest = chunk->base.pair_capacity - chunk->base.pair_count;
    if (rest > 0)
    {
        memset(chunk->pairs + chunk->base.pair_count, 0, (size_t)rest * sizeof *chunk->pairs);
    }
}

// Grains of bonds are part of a chunk; a bond that breaks becomes a pair.
static void list_finish(wadi_search* search)
{
    wadi_grains* grains = search->list->owner;
    granular_chunk* chunk = (granular_chunk*)search->chunk;
    const int32_t first = grains->bond_start[chunk->base.begin];
    const int32_t end = grains->bond_start[chunk->base.end];
    for (int32_t b = first; b < end; ++b)
    {
        grains->bonds[b].local = (uint16_t)wadi_search_local(search, grains->bonds[b].j);
    }
    chunk->base.pair_spare = end - first;
    chunk->settled = false;
    list_clear_rest(chunk);
    list_frame(grains, chunk);
}

static const wadi_array list_arrays[] = {
    WADI_ARRAY(granular_chunk, pairs, 0),
    WADI_ARRAY_BY_GROUP(granular_chunk, touching, GRANULAR_GROUP),
    WADI_ARRAY_BY_GROUP(granular_chunk, bridged, GRANULAR_GROUP),
    WADI_ARRAY_BY_GROUP(granular_chunk, ranks, GRANULAR_GROUP),
};

const wadi_list_kind wadi_granular_list_kind = {
    .what = "grains",
    .chunk_size = sizeof(granular_chunk),
    .row_size = sizeof(granular_row),
    .across = 1,
    .group = GRANULAR_GROUP,
    .padding = 1,
    .pairs = WADI_ARRAYS(list_arrays, "pairs"),
    .append = list_append,
    .finish = list_finish,
};

// ---- all chunks --------------------------------------------------------------------------

// Which later chunks each one touches, and how many touch it. Each is named at most once for every
// grain of a halo, so there is room.
static void list_after(wadi_grains* grains)
{
    for (int32_t c = 0; c < grains->list.chunk_count; ++c)
    {
        granular_chunk_at(grains, c)->awaited = 1;
    }
    int32_t last = 0;
    for (int32_t c = 0; c < grains->list.chunk_count; ++c)
    {
        granular_chunk* chunk = granular_chunk_at(grains, c);
        chunk->after_first = last;
        for (int32_t k = 0; k < chunk->base.halo_count; ++k)
        {
            const int32_t other = chunk->base.halo[k] / grains->params.chunk;
            bool known = false;
            for (int32_t m = chunk->after_first; m < last && !known; ++m)
            {
                known = grains->after[m] == other;
            }
            if (!known)
            {
                grains->after[last++] = other;
                granular_chunk_at(grains, other)->awaited += 1;
            }
        }
        chunk->after_count = last - chunk->after_first;
    }
}

int32_t wadi_granular_list_find(const granular_chunk* chunk, int32_t a, int32_t b)
{
    const int32_t row = a - chunk->base.begin;
    for (int32_t p = chunk->base.rows[row]; p < chunk->base.rows[row + 1]; ++p)
    {
        if (wadi_chunk_place(&chunk->base, chunk->pairs[p].j) == b)
        {
            return p;
        }
    }
    // behind the rows: bonds that broke since
    for (int32_t p = chunk->base.rows[chunk->base.end - chunk->base.begin];
         p < chunk->base.pair_count; ++p)
    {
        if (chunk->pairs[p].i == row && wadi_chunk_place(&chunk->base, chunk->pairs[p].j) == b)
        {
            return p;
        }
    }
    return -1;
}

wadi_result wadi_granular_list_build(wadi_grains* grains)
{
    WADI_TRY(wadi_list_build(&grains->list));
    WADI_TRY(wadi_granular_memory_reserve(grains));
    for (int32_t c = 0; c < grains->list.chunk_count; ++c)
    {
        granular_clear_flags(granular_chunk_at(grains, c));
    }
    list_after(grains);
    return WADI_OK;
}
