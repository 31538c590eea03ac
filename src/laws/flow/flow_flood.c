// SPDX-License-Identifier: MIT
// Priority flood with a tilt (Barnes, Lehman & Mulla 2014), for ground on which most cells drain.
//
// The result R is the unique solution of R(c) = max(h(c), min over neighbours n of R(n) + rise),
// with R = h at the outlets, so it does not depend on the order of the work. Where a cell has a
// lower neighbour that drains, R = h and no work is needed. A parallel pass finds the pits, which
// are cells without a lower neighbour. Where depressions cover little, the one around each pit is
// flooded on its own (flow_flood_hollow.c); else all at once (flow_flood_basins.c), which takes
// half the time on young noise, and a third of that on one thread. The cells that the last flood
// took for wet decide which; the result is the same. Flooding all ground from the outlets, on one
// thread, took a fifth of a run.
#include "core/paging.h"
#include "laws/flow/flow_flood_internal.h"
#include "laws/flow/flow_kernels.h"

#include <string.h>

enum
{
    FLOOD_ROWS = 16, // per block of a parallel pass
    FLOOD_FEW = 64   // a flood is small if it is less than one part in so many of the ground
};

static int64_t flood_index(const wadi_flow_flood* work, int32_t x, int32_t y)
{
    return (int64_t)(y + 1) * work->stride + x + 1;
}

// Rows are read next, of arrays that may lie in a file.
static void flood_expect_rows(const flood_run* run, int32_t begin, int32_t end)
{
    const wadi_flow_flood* work = run->work;
    const int64_t first = flood_index(work, 0, begin);
    const size_t cells = (size_t)(flood_index(work, 0, end) - first);
    wadi_expect(work->context, run->surface + first, cells * sizeof *run->surface);
    wadi_expect(work->context, run->out + first, cells * sizeof *run->out);
    wadi_expect(work->context, work->outline + first, cells);
    wadi_expect(work->context, work->state + first, cells);
    wadi_expect(work->context, work->down + first, cells);
}

static void flood_scan_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const flood_run* run = user;
    const wadi_flow_flood* work = run->work;
    const flow_kernels* kernels = flow_kernels_of(wadi_isa_best());
    flood_expect_rows(run, begin, end);
    for (int32_t y = begin; y < end; ++y)
    {
        const int64_t padded = flood_index(work, 0, y);
        kernels->pits(&(flow_pits_row){
            .surface = run->surface + padded,
            .stride = work->stride,
            .count = work->width,
            .drop = {run->drop[0], run->drop[1]},
            .outline = work->outline + padded,
            .open = FLOOD_OPEN,
            .pit = FLOOD_PIT,
            .state = work->state + padded,
            .down = work->down + padded,
        });
        memcpy(run->out + padded, run->surface + padded, (size_t)work->width * sizeof *run->out);
    }
}

static void flood_gather_pits(flood_run* run)
{
    wadi_flow_flood* work = run->work;
    flood_candidates* pits = &work->pits;
    wadi_flow_candidates_clear(pits);
    for (int32_t y = 0; y < work->height; ++y)
    {
        const uint8_t* row = work->state + flood_index(work, 0, y);
        const uint8_t* end = row + work->width;
        const uint8_t* at = row;
        while ((at = memchr(at, FLOOD_PIT, (size_t)(end - at))) != NULL)
        {
            wadi_flow_push(pits, run->surface[at - work->state], at - work->state);
            at += 1;
        }
    }
}

// The states around the grid, which a room of the caller has lost since the last run.
static void flood_restore_rim(wadi_flow_flood* work)
{
    const size_t stride = (size_t)work->stride;
    const int64_t last = flood_index(work, -1, work->height);
    memcpy(work->state, work->outline, stride);
    memcpy(work->state + last, work->outline + last, stride);
    for (int32_t y = 0; y < work->height; ++y)
    {
        const int64_t west = flood_index(work, -1, y);
        const int64_t east = flood_index(work, work->width, y);
        work->state[west] = work->outline[west];
        work->state[east] = work->outline[east];
    }
}

static void flood_start(flood_run* run)
{
    wadi_flow_flood* work = run->work;
    flood_restore_rim(work);
    wadi_parallel_rows(work->context, work->height, FLOOD_ROWS, flood_scan_rows, run);
    for (int64_t i = 0; i < run->job->outlet_count; ++i)
    {
        work->state[run->job->outlets[i]] = FLOOD_DONE;
    }
    flood_gather_pits(run);
}

// Pages around pits that are searched soon, of arrays in a file.
static void flood_expect(const flood_run* run, const int64_t* pits, int32_t count)
{
    const wadi_flow_flood* work = run->work;
    const struct
    {
        const void* cells;
        size_t size;
    } arrays[] = {{run->surface, sizeof *run->surface},
                  {run->out, sizeof *run->out},
                  {work->state, 1},
                  {work->from, 1},
                  {work->down, 1}};
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0] && wadi_is_paged(work->context); ++a)
    {
        const unsigned char* from = arrays[a].cells;
        for (int32_t i = 0; i < 3 * count; ++i)
        {
            const int64_t cell = pits[i / 3] + (i % 3 - 1) * (int64_t)work->stride;
            wadi_expect(work->context, from + (size_t)cell * arrays[a].size, arrays[a].size);
        }
    }
}

// Lowest pit first: its water then spills onto ground that drains, not into another depression that
// would be searched too (six times as many cells).
static wadi_result flood_hollows(flood_run* run)
{
    enum
    {
        AHEAD = 64 // pits
    };
    wadi_flow_flood* flood = run->work;
    int64_t pits[AHEAD];
    int32_t count = AHEAD;
    while (count == AHEAD)
    {
        int32_t height;
        for (count = 0; count < AHEAD && wadi_flow_pop(&flood->pits, &height, &pits[count]);)
        {
            count += 1;
        }
        flood_expect(run, pits, count);
        for (int32_t i = 0; i < count; ++i)
        {
            WADI_TRY(flood->state[pits[i]] != FLOOD_DONE ? wadi_flow_hollow(run, pits[i])
                                                         : WADI_OK);
        }
    }
    return flood->pits.result;
}

wadi_result wadi_flow_flood_run(wadi_flow_flood* flood, const wadi_flow_flood_job* job)
{
    const ptrdiff_t s = flood->stride;
    flood_run run = {
        .job = job,
        .work = flood,
        .surface = job->surface,
        .out = job->out,
        .rise = {job->rise_axis, job->rise_diagonal},
        .drop = {job->rise_axis > 1 ? job->rise_axis : 1,
                 job->rise_diagonal > 1 ? job->rise_diagonal : 1},
        .step = {1, s + 1, s, s - 1, -1, -s - 1, -s, -s + 1},
    };
    flood->pits.result = WADI_OK; // a flood that ran out of memory may be tried again
    flood->candidates.result = WADI_OK;
    flood->touched_count = 0;
    flood_start(&run);

    // On ground that drains the passes over all cells cost more than a few searches.
    if (flood->wet_count > (int64_t)flood->width * flood->height / FLOOD_FEW)
    {
        bool done;
        WADI_TRY(wadi_flow_basins(&run, &done));
        if (done)
        {
            return WADI_OK;
        }
        flood_gather_pits(&run);
    }
    flood->wet_count = 0;
    return flood_hollows(&run);
}

// ---- life --------------------------------------------------------------------------------

static uint8_t flood_outline_of(const wadi_flow_flood_def* def, int32_t x, int32_t y)
{
    const bool out_x = x < 0 || x >= def->width;
    const bool out_y = y < 0 || y >= def->height;
    if ((out_x && !def->wraps_x) || (out_y && !def->wraps_y))
    {
        return FLOOD_WALL;
    }
    if (out_x || out_y)
    {
        return FLOOD_WRAPPED;
    }
    return def->valid[(int64_t)y * def->width + x] == 0 ? FLOOD_WALL : FLOOD_OPEN;
}

static size_t flood_padded(int32_t width, int32_t height)
{
    return ((size_t)width + 2) * ((size_t)height + 2);
}

size_t wadi_flow_flood_room(int32_t width, int32_t height)
{
    const size_t cells = (size_t)width * (size_t)height;
    return (flood_padded(width, height) + cells) * sizeof(uint32_t) +
           3 * flood_padded(width, height);
}

// All that a run begins anew lies in one piece: words, then bytes.
static wadi_result flood_allocate(wadi_flow_flood* flood, void* room)
{
    const size_t padded = flood_padded(flood->width, flood->height);
    const size_t bytes = wadi_flow_flood_room(flood->width, flood->height);
    WADI_ALLOC(flood->context, flood->outline, padded, "the flood");
    WADI_ALLOC(flood->context, flood->blocks, flood->block_count, "the flood");
    flood->lent = room != NULL;
    flood->way = room;
    if (room == NULL)
    {
        WADI_ALLOC(flood->context, flood->way, bytes / sizeof *flood->way + 1, "the flood");
    }
    flood->touched = flood->way + padded;
    flood->state = (uint8_t*)(flood->touched + (size_t)flood->width * (size_t)flood->height);
    flood->from = flood->state + padded;
    flood->down = flood->from + padded;
    return WADI_OK;
}

wadi_result wadi_flow_flood_create(const wadi_flow_flood_def* def, wadi_flow_flood** out)
{
    wadi_flow_flood* flood;
    WADI_ALLOC(def->context, flood, 1, "the flood");
    flood->context = def->context;
    flood->width = def->width;
    flood->height = def->height;
    flood->stride = def->width + 2;
    flood->wraps = def->wraps_x || def->wraps_y;
    flood->block_count = ((int64_t)def->height + FLOOD_BLOCK - 1) / FLOOD_BLOCK;
    flood->wet_count = (int64_t)def->width * def->height; // not known
    flood->pits.context = def->context;
    flood->candidates.context = def->context;
    const wadi_result result = flood_allocate(flood, def->room);
    if (result != WADI_OK)
    {
        wadi_flow_flood_destroy(flood);
        return result;
    }
    for (int32_t y = -1; y <= def->height; ++y)
    {
        for (int32_t x = -1; x <= def->width; ++x)
        {
            flood->outline[flood_index(flood, x, y)] = flood_outline_of(def, x, y);
        }
    }
    *out = flood;
    return WADI_OK;
}

void wadi_flow_flood_destroy(wadi_flow_flood* flood)
{
    if (flood != NULL)
    {
        wadi_free(flood->context, flood->outline);
        wadi_free(flood->context, flood->lent ? NULL : flood->way);
        wadi_free(flood->context, flood->basins);
        wadi_free(flood->context, flood->blocks);
        wadi_flow_candidates_free(&flood->pits);
        wadi_flow_candidates_free(&flood->candidates);
        wadi_free(flood->context, flood);
    }
}
