// SPDX-License-Identifier: MIT
// The cells of the window within one cell of the terrain. The rows of such a block are always
// computed whole, also where the window cuts them, so no bit of a height depends on the window.
#include "maps/amplify/amplify_internal.h"

#include <math.h>

// One cell of the terrain, and what lies in it.
typedef struct block_place
{
    amplify_area area;
    bool plants; // tongues may reach it
    amplify_bends bends;
} block_place;

// First cell of the fine lattice whose centre lies beyond `position` [cells of the terrain].
static int64_t block_first(const amplify_job* job, int32_t position)
{
    return (int64_t)ceil(position * (job->ground->cell_size / job->params.cell) - 0.5);
}

// True if tongues can reach the block: stones anywhere, or plants near.
static bool block_has_tongues(const amplify_job* job, int32_t column, int32_t row)
{
    const wadi_ground* g = job->ground;
    if (job->params.stones > 0.0 || job->params.obstacle_height == 0.0)
    {
        return job->params.obstacle_height > 0.0;
    }
    const double far = ceil(3.0 * job->params.obstacle_spacing / g->cell_size) + 1.0;
    const int32_t reach = (int32_t)fmin(far, (double)(g->width > g->height ? g->width : g->height));
    for (int32_t y = row - reach; y <= row + reach; ++y)
    {
        for (int32_t x = column - reach; x <= column + reach; ++x)
        {
            if (g->vegetation[wadi_amplify_cell(g, x, y)] > 0)
            {
                return true;
            }
        }
    }
    return false;
}

static block_place block_at(const amplify_job* job, int32_t column, int32_t row)
{
    const wadi_ground* g = job->ground;
    const int32_t from_north = g->height - 1 - row;
    block_place b;
    b.area.west = block_first(job, column);
    b.area.south = block_first(job, row);
    b.area.columns = (int32_t)(block_first(job, column + 1) - b.area.west);
    b.area.rows = (int32_t)(block_first(job, row + 1) - b.area.south);
    b.plants = block_has_tongues(job, column, from_north);
    b.bends = wadi_amplify_bends(job, column, from_north);
    return b;
}

// ---- rows --------------------------------------------------------------------------------------

// Surface of a row: smooth, with sharp edges [m].
static void block_surface(const amplify_job* job, const block_place* b, const amplify_worker* own,
                          int64_t row)
{
    const double cell = job->params.cell;
    for (int32_t i = 0; i < b->area.columns; ++i)
    {
        const amplify_place at = {((double)(b->area.west + i) + 0.5) * cell,
                                  ((double)row + 0.5) * cell};
        const double here = wadi_amplify_ground(job, at);
        own->height[i] =
            b->bends.sharp ? here + wadi_amplify_crest(job, &b->bends, at, here) : here;
    }
}

// A row of the window within the block: its cells, NULL outside, and the offset of the first in it.
static float* block_window(const amplify_job* job, const block_place* b, int64_t row,
                           int32_t* begin, int32_t* end)
{
    const amplify_area* a = &job->area;
    const int64_t from = a->west > b->area.west ? a->west - b->area.west : 0;
    const int64_t to = a->west + a->columns - b->area.west;
    *begin = (int32_t)from;
    *end = to < b->area.columns ? (int32_t)to : b->area.columns;
    const bool within = row >= a->south && row < a->south + a->rows;
    const int64_t at = (a->south + a->rows - 1 - row) * a->columns + b->area.west - a->west;
    return within && *end > *begin ? job->out + at : NULL;
}

// Heights of a row of the window [m]: surface, ripples and tongues.
static void block_row(const amplify_job* job, const block_place* b, const amplify_worker* own,
                      int64_t row)
{
    int32_t begin;
    int32_t end;
    float* out = block_window(job, b, row, &begin, &end);
    if (out == NULL)
    {
        return;
    }
    block_surface(job, b, own, row);
    wadi_amplify_ripple_row(job, own, b->area.west, row, b->area.columns);
    if (b->plants)
    {
        wadi_amplify_tongue_row(job, own, b->area.west, row, b->area.columns);
    }
    for (int32_t i = begin; i < end; ++i)
    {
        const double cell = job->params.cell;
        const amplify_place at = {((double)(b->area.west + i) + 0.5) * cell,
                                  ((double)row + 0.5) * cell};
        const double tongue = b->plants ? (double)own->tongue[i] : 0.0;
        const double base = job->params.displacement ? wadi_amplify_linear(job, at) : 0.0;
        const double height = own->height[i] + (double)own->ripple[i] + tongue - base;
        const bool nothing = !job->ground->all_valid && wadi_amplify_is_void(job, at);
        out[i] = nothing ? NAN : (float)height;
    }
}

// ---- all blocks --------------------------------------------------------------------------------

// The blocks that the window touches.
typedef struct block_range
{
    amplify_job* job;
    int32_t west;
    int32_t south;
    int32_t columns;
} block_range;

static void block_fill(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const block_range* range = user;
    const amplify_job* job = range->job;
    const amplify_worker* own = &job->workers[worker];
    for (int32_t i = begin; i < end; ++i)
    {
        const block_place b =
            block_at(job, range->west + i % range->columns, range->south + i / range->columns);
        for (int32_t k = 0; k < b.area.rows; ++k)
        {
            block_row(job, &b, own, b.area.south + k);
        }
    }
}

static wadi_result block_create_workers(amplify_job* job)
{
    const int32_t count = wadi_context_workers(job->context);
    const int64_t row = (int64_t)ceil(job->ground->cell_size / job->params.cell) + 2;
    WADI_ALLOC(job->context, job->workers, count, "rows of the window");
    WADI_ALLOC(job->context, job->buffers, 4 * row * count, "rows of the window");
    for (int32_t w = 0; w < count; ++w)
    {
        double* own = job->buffers + 4 * row * w;
        float* floats = (float*)(own + row);
        job->workers[w] = (amplify_worker){
            .height = own,
            .ripple = floats,
            .tongue = floats + row,
            .sums = {floats + 2 * row, floats + 3 * row, floats + 4 * row, floats + 5 * row},
        };
    }
    return WADI_OK;
}

// Column or row of the terrain with a cell of the fine lattice.
static int32_t block_of(const amplify_job* job, int64_t index)
{
    const double at = ((double)index + 0.5) * job->params.cell / job->ground->cell_size;
    int32_t block = (int32_t)floor(at);
    // by the same rounding as the bounds of blocks
    block -= index < block_first(job, block) ? 1 : 0;
    block += index >= block_first(job, block + 1) ? 1 : 0;
    return block;
}

wadi_result wadi_amplify_blocks(amplify_job* job)
{
    const amplify_area* a = &job->area;
    block_range range = {.job = job};
    range.west = block_of(job, a->west);
    range.south = block_of(job, a->south);
    range.columns = block_of(job, a->west + a->columns - 1) - range.west + 1;
    const int32_t rows = block_of(job, a->south + a->rows - 1) - range.south + 1;
    WADI_TRY(block_create_workers(job));
    wadi_parallel_rows(job->context, range.columns * rows, 1, block_fill, &range);
    return WADI_OK;
}
