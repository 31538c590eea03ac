// SPDX-License-Identifier: MIT
// Lists of pairs that may touch before any grain has moved by half the skin (Verlet 1967), chunk by
// chunk. Each pair is listed once, by the chunk of its first grain.
#include "granular/granular.h"

#include <string.h>

// Everything that one worker needs to list the pairs of one chunk.
typedef struct list_search
{
    wadi_grains* grains;
    granular_chunk* chunk;
    int32_t* local;
    int32_t needed; // pairs found, also those there was no room for
    int32_t halo_needed;
    float skin;
    float tallest; // radius
    float period[2];
    float inverse[2];
} list_search;

// The columns around a grain that hold later ones, and how far each has been searched.
typedef struct list_column
{
    int32_t end;
    int32_t cursor;
} list_column;

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

// Number of a grain in the chunk; those of other chunks join its halo when they are first met.
static int32_t list_local(list_search* search, int32_t place)
{
    granular_chunk* chunk = search->chunk;
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

static void list_append(list_search* search, int32_t i, int32_t j)
{
    granular_chunk* chunk = search->chunk;
    if (list_is_bonded(search->grains, i, j))
    {
        return;
    }
    const int32_t local = list_local(search, j);
    if (search->needed < chunk->pair_capacity)
    {
        chunk->pairs[search->needed] =
            (granular_pair){(uint16_t)(i - chunk->begin), (uint16_t)local};
    }
    search->needed += 1;
}

static float list_image(float difference, float period, float inverse)
{
    const float magic = 0x1.8p23f;
    return difference - period * ((difference * inverse + magic) - magic);
}

// Later grains of one column within reach of grain i.
static void list_scan(list_search* search, int32_t i, list_column* column)
{
    const granular_points* p = &search->grains->points;
    const float reach = p->r[i] + search->skin;
    const float low = p->z[i] - reach - search->tallest;
    const float high = p->z[i] + reach + search->tallest;
    while (column->cursor < column->end && p->z[column->cursor] < low)
    {
        ++column->cursor;
    }
    const int32_t start = column->cursor > i ? column->cursor : i + 1;
    for (int32_t j = start; j < column->end && p->z[j] <= high; ++j)
    {
        const float x = list_image(p->x[i] - p->x[j], search->period[0], search->inverse[0]);
        const float y = list_image(p->y[i] - p->y[j], search->period[1], search->inverse[1]);
        const float z = p->z[i] - p->z[j];
        const float sum = reach + p->r[j];
        if (x * x + y * y + z * z < sum * sum)
        {
            list_append(search, i, j);
        }
    }
}

// Columns around (x, y) that come no earlier, wrapped or cut off at the sides.
static int32_t list_around(const list_search* search, int32_t x, int32_t y, list_column* out)
{
    const granular_grid* grid = &search->grains->grid;
    const int32_t own = granular_column(grid, x, y);
    int32_t count = 0;
    for (int32_t k = 0; k < 9; ++k)
    {
        int32_t at[2] = {x + k % 3 - 1, y + k / 3 - 1};
        bool outside = false;
        for (int axis = 0; axis < 2; ++axis)
        {
            const int32_t n = grid->columns[axis];
            const bool wraps = search->period[axis] > 0.0f;
            outside = outside || (!wraps && (at[axis] < 0 || at[axis] >= n));
            at[axis] = at[axis] < 0 ? n - 1 : at[axis] >= n ? 0 : at[axis];
        }
        const int32_t column = outside ? -1 : granular_column(grid, at[0], at[1]);
        if (column >= own)
        {
            out[count++] = (list_column){grid->first[column + 1], grid->first[column]};
        }
    }
    return count;
}

// Grains of the chunk in one column, from the lowest up.
static void list_column_pairs(list_search* search, int32_t x, int32_t y)
{
    const granular_grid* grid = &search->grains->grid;
    granular_chunk* chunk = search->chunk;
    const int32_t own = granular_column(grid, x, y);
    const int32_t begin = grid->first[own] > chunk->begin ? grid->first[own] : chunk->begin;
    const int32_t end = grid->first[own + 1] < chunk->end ? grid->first[own + 1] : chunk->end;
    if (begin >= end)
    {
        return;
    }
    list_column around[9];
    const int32_t count = list_around(search, x, y, around);
    for (int32_t i = begin; i < end; ++i)
    {
        chunk->rows[i - chunk->begin] = search->needed;
        for (int32_t c = 0; c < count; ++c)
        {
            list_scan(search, i, &around[c]);
        }
        for (int32_t b = search->grains->bond_start[i]; b < search->grains->bond_start[i + 1]; ++b)
        {
            granular_bond* bond = &search->grains->bonds[b];
            bond->local = (uint16_t)list_local(search, bond->j);
        }
    }
}

// All columns that a chunk has grains in: it is a stretch of their order, strip by strip.
static void list_columns(list_search* search)
{
    const granular_grid* grid = &search->grains->grid;
    const granular_chunk* chunk = search->chunk;
    for (int32_t west = 0; west < grid->columns[0]; west += grid->strip)
    {
        const int32_t east =
            west + grid->strip < grid->columns[0] ? west + grid->strip : grid->columns[0];
        const int32_t first = granular_column(grid, west, 0);
        const int32_t last = granular_column(grid, east - 1, grid->columns[1] - 1);
        if (grid->first[last + 1] <= chunk->begin || grid->first[first] >= chunk->end)
        {
            continue;
        }
        for (int32_t y = 0; y < grid->columns[1]; ++y)
        {
            for (int32_t x = west; x < east; ++x)
            {
                list_column_pairs(search, x, y);
            }
        }
    }
}

// ---- short positions of a chunk ----------------------------------------------------------

// Middle of a chunk's own grains, and the error of short floats counted from there: four times what
// the roundings of two positions, their differences and squares can add up to. A chunk that spans
// less than half the period has the nearest images of all that it may touch: its pairs need not
// look across the seam, and the period is no part of the error.
static void list_frame(const wadi_grains* grains, granular_chunk* chunk)
{
    const double periods[3] = {grains->params.period_x, grains->params.period_y, 0.0};
    const double reach = granular_reach(grains);
    double extent = 0.0;
    for (int axis = 0; axis < 3; ++axis)
    {
        double low = grains->bodies[chunk->begin].x[axis];
        double high = low;
        for (int32_t i = chunk->begin; i < chunk->end; ++i)
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

// ---- all chunks --------------------------------------------------------------------------

// Numbers given to a halo are the chunk's own affair. Those there was no room for are lost.
static void list_forget(const list_search* search)
{
    granular_chunk* chunk = search->chunk;
    for (int32_t k = 0; k < chunk->halo_count; ++k)
    {
        search->local[chunk->halo[k]] = 0;
    }
    if (search->halo_needed > chunk->halo_capacity)
    {
        memset(search->local, 0, (size_t)search->grains->count * sizeof *search->local);
    }
    chunk->halo_count = search->halo_needed;
}

// Largest distance from height 0 of a chunk's grains.
static double list_highest(const wadi_grains* grains, const granular_chunk* chunk)
{
    double most = 0.0;
    for (int32_t i = chunk->begin; i < chunk->end; ++i)
    {
        const double high = fabs((double)grains->points.z[i]);
        most = high > most ? high : most;
    }
    return most;
}

// The last group of pairs is read in full: what lies behind must name grains that are there.
static void list_clear_rest(granular_chunk* chunk)
{
    const int32_t rest = chunk->pair_capacity - chunk->pair_count;
    if (rest > 0)
    {
        memset(chunk->pairs + chunk->pair_count, 0, (size_t)rest * sizeof *chunk->pairs);
    }
}

static void list_chunk(int64_t block, int32_t worker, void* job)
{
    wadi_grains* grains = job;
    granular_chunk* chunk = &grains->chunks[block];
    const double periods[2] = {grains->params.period_x, grains->params.period_y};
    const double largest = grains->largest;

    // short floats may be off by the size of the world in 2^24; twice that, and the search is safe
    const double far = grains->grid.size[0] * grains->grid.columns[0] +
                       grains->grid.size[1] * grains->grid.columns[1] +
                       2.0 * list_highest(grains, chunk) + 64.0 * largest;
    list_search search = {
        .grains = grains,
        .chunk = chunk,
        .local = grains->scratch[worker].local,
        .skin = (float)(grains->gap + 0x1p-21 * far),
        .tallest = (float)largest,
        .period = {(float)periods[0], (float)periods[1]},
        .inverse = {(float)grains->inverse_period[0], (float)grains->inverse_period[1]},
    };
    chunk->halo_count = 0;
    chunk->settled = false;
    list_columns(&search);
    chunk->rows[chunk->end - chunk->begin] = search.needed;
    chunk->pair_count = search.needed;
    list_clear_rest(chunk);
    list_forget(&search);
    list_frame(grains, chunk);
}

// Make room where a chunk found more than it could hold; true: search again.
static wadi_result list_grow(wadi_grains* grains, bool* again)
{
    *again = false;
    for (int32_t c = 0; c < grains->chunk_count; ++c)
    {
        granular_chunk* chunk = &grains->chunks[c];
        const int32_t bonds = grains->bond_start[chunk->end] - grains->bond_start[chunk->begin];
        const int32_t local = chunk->end - chunk->begin + chunk->halo_count;
        WADI_CHECK(grains->context, local <= GRANULAR_MOST_LOCAL, WADI_ERROR_STATE,
                   "a stretch of %d grains may touch %d others, more than the %d that a list can "
                   "name: make chunk smaller, or the radii less different",
                   chunk->end - chunk->begin, chunk->halo_count, (int)GRANULAR_MOST_LOCAL);
        if (chunk->pair_count + bonds > chunk->pair_capacity ||
            chunk->halo_count > chunk->halo_capacity)
        {
            WADI_TRY(
                granular_chunk_grow(grains, chunk, chunk->pair_count + bonds, chunk->halo_count));
            *again = true;
        }
    }
    return WADI_OK;
}

// Which halo rows push a grain: rows of chunks one after the other, listed by place.
static void list_halo(wadi_grains* grains)
{
    memset(grains->halo_start, 0, ((size_t)grains->count + 1) * sizeof *grains->halo_start);
    for (int32_t c = 0; c < grains->chunk_count; ++c)
    {
        const granular_chunk* chunk = &grains->chunks[c];
        for (int32_t k = 0; k < chunk->halo_count; ++k)
        {
            grains->halo_start[chunk->halo[k] + 1] += 1;
        }
    }
    for (int32_t i = 0; i < grains->count; ++i)
    {
        grains->halo_start[i + 1] += grains->halo_start[i];
    }
    for (int32_t c = 0; c < grains->chunk_count; ++c)
    {
        const granular_chunk* chunk = &grains->chunks[c];
        for (int32_t k = 0; k < chunk->halo_count; ++k)
        {
            grains->halo_slots[grains->halo_start[chunk->halo[k]]++] = chunk->halo_first + k;
        }
    }
    for (int32_t i = grains->count; i > 0; --i)
    {
        grains->halo_start[i] = grains->halo_start[i - 1];
    }
    grains->halo_start[0] = 0;
}

// Which later chunks each one touches, and how many touch it. Each is named at most once for every
// grain of a halo, so there is room.
static void list_after(wadi_grains* grains)
{
    for (int32_t c = 0; c < grains->chunk_count; ++c)
    {
        grains->chunks[c].awaited = 1;
    }
    int32_t last = 0;
    for (int32_t c = 0; c < grains->chunk_count; ++c)
    {
        granular_chunk* chunk = &grains->chunks[c];
        chunk->after_first = last;
        for (int32_t k = 0; k < chunk->halo_count; ++k)
        {
            const int32_t other = chunk->halo[k] / grains->params.chunk;
            bool known = false;
            for (int32_t m = chunk->after_first; m < last && !known; ++m)
            {
                known = grains->after[m] == other;
            }
            if (!known)
            {
                grains->after[last++] = other;
                grains->chunks[other].awaited += 1;
            }
        }
        chunk->after_count = last - chunk->after_first;
    }
}

int32_t granular_list_find(const granular_chunk* chunk, int32_t a, int32_t b)
{
    const int32_t row = a - chunk->begin;
    for (int32_t p = chunk->rows[row]; p < chunk->rows[row + 1]; ++p)
    {
        if (granular_place(chunk, chunk->pairs[p].j) == b)
        {
            return p;
        }
    }
    // behind the rows: bonds that broke since
    for (int32_t p = chunk->rows[chunk->end - chunk->begin]; p < chunk->pair_count; ++p)
    {
        if (chunk->pairs[p].i == row && granular_place(chunk, chunk->pairs[p].j) == b)
        {
            return p;
        }
    }
    return -1;
}

wadi_result granular_list_build(wadi_grains* grains)
{
    bool again = true;
    while (again)
    {
        wadi_parallel_blocks(grains->context, grains->chunk_count, list_chunk, grains);
        WADI_TRY(list_grow(grains, &again));
    }
    WADI_TRY(granular_list_reserve(grains));
    for (int32_t c = 0; c < grains->chunk_count; ++c)
    {
        granular_clear_flags(&grains->chunks[c]);
    }
    list_halo(grains);
    list_after(grains);
    return WADI_OK;
}
