// SPDX-License-Identifier: MIT
// Priority flood with a tilt (Barnes, Lehman & Mulla 2014), for ground on which most cells drain.
//
// The result R is the unique solution of R(c) = max(h(c), min over neighbours n of R(n) + rise),
// with R = h at the outlets, so it does not depend on the order of the work. Where a cell has a
// lower neighbour that drains, R = h and no work is needed. A parallel pass finds the pits, which
// are cells without a lower neighbour, and the depression around each pit is flooded on its own.
// Flooding all ground from the outlets, on one thread, took a fifth of a run. A terrain that is
// nearly all depression, such as a bowl or white noise, takes 1.5 times as long as with that.
#include "processes/hydraulic/flood.h"
#include "processes/hydraulic/parcel_kernels.h"

#include <string.h>

static void flood_scan_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const flood_run* run = user;
    const parcel_level* level = run->level;
    const parcel_kernels* kernels = parcel_kernels_of(wadi_isa_best());
    for (int32_t y = begin; y < end; ++y)
    {
        const int64_t padded = parcel_padded_index(level, 0, y);
        kernels->pits(&(parcel_pits_row){
            .surface = run->surface + padded,
            .stride = level->stride,
            .count = level->width,
            .drop = {run->drop[0], run->drop[1]},
            .outline = run->work->outline + padded,
            .open = FLOOD_OPEN,
            .pit = FLOOD_PIT,
            .state = run->work->state + padded,
        });
        memcpy(run->out + padded, run->surface + padded, (size_t)level->width * sizeof *run->out);
    }
}

static void flood_gather_pits(flood_run* run)
{
    const parcel_level* level = run->level;
    const parcel_flood_work* work = run->work;
    flood_candidates* pits = &run->work->pits;
    wadi_flood_candidates_clear(pits);
    for (int32_t y = 0; y < level->height; ++y)
    {
        const uint8_t* row = work->state + parcel_padded_index(level, 0, y);
        const uint8_t* end = row + level->width;
        const uint8_t* at = row;
        while ((at = memchr(at, FLOOD_PIT, (size_t)(end - at))) != NULL)
        {
            wadi_flood_push(pits, run->surface[at - work->state], at - work->state);
            at += 1;
        }
    }
}

static void flood_start(flood_run* run)
{
    const parcel_level* level = run->level;
    parcel_flood_work* work = run->work;
    wadi_parallel_rows(level->context, level->height, PARCEL_ROWS, flood_scan_rows, run);
    for (int64_t i = 0; i < work->outlet_count; ++i)
    {
        work->state[work->outlets[i]] = FLOOD_DONE;
    }
    if (level->sink >= 0)
    {
        work->state[parcel_padded_index(level, (int32_t)(level->sink % level->width),
                                        (int32_t)(level->sink / level->width))] = FLOOD_DONE;
    }
    flood_gather_pits(run);
}

wadi_result wadi_parcel_flood(parcel_level* level, int32_t rise_axis, int32_t rise_diagonal,
                              int32_t* out)
{
    const ptrdiff_t s = level->stride;
    parcel_flood_work* work = level->flood;
    flood_run run = {
        .level = level,
        .work = work,
        .surface = level->surface,
        .out = out,
        .rise = {rise_axis, rise_diagonal},
        .drop = {rise_axis > 1 ? rise_axis : 1, rise_diagonal > 1 ? rise_diagonal : 1},
        .step = {1, s + 1, s, s - 1, -1, -s - 1, -s, -s + 1},
    };
    flood_start(&run);

    // Lowest pit first: its water then spills onto ground that drains, not into another depression
    // that would be searched too (six times as many cells).
    int32_t height;
    int64_t pit;
    while (wadi_flood_pop(&work->pits, &height, &pit))
    {
        if (work->state[pit] != FLOOD_DONE)
        {
            WADI_TRY(wadi_flood_hollow(&run, pit));
        }
    }
    wadi_parcel_level_refresh_ghosts(level, out);
    return work->pits.result;
}

// ---- life --------------------------------------------------------------------------------

static uint8_t flood_outline_of(const parcel_level* level, int32_t x, int32_t y)
{
    const bool out_x = x < 0 || x >= level->width;
    const bool out_y = y < 0 || y >= level->height;
    const bool wraps_x = level->ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool wraps_y = level->ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    if ((out_x && !wraps_x) || (out_y && !wraps_y))
    {
        return FLOOD_WALL;
    }
    if (out_x || out_y)
    {
        return FLOOD_WRAPPED;
    }
    return level->rim[(int64_t)y * level->width + x] == PARCEL_VOID ? FLOOD_WALL : FLOOD_OPEN;
}

static void flood_outline(const parcel_level* level)
{
    parcel_flood_work* work = level->flood;
    for (int32_t y = -1; y <= level->height; ++y)
    {
        for (int32_t x = -1; x <= level->width; ++x)
        {
            const int64_t i = parcel_padded_index(level, x, y);
            work->outline[i] = flood_outline_of(level, x, y);
            work->state[i] = work->outline[i];
            if (work->outline[i] == FLOOD_OPEN && level->rim[(int64_t)y * level->width + x] != 0)
            {
                work->outlets[work->outlet_count++] = (uint32_t)i;
            }
        }
    }
}

wadi_result wadi_parcel_flood_create(parcel_level* level)
{
    WADI_ALLOC(level->context, level->flood, 1, "the flood");
    parcel_flood_work* work = level->flood;
    work->pits.context = level->context;
    work->candidates.context = level->context;
    WADI_ALLOC(level->context, work->outline, level->padded, "the flood");
    WADI_ALLOC(level->context, work->state, level->padded, "the flood");
    WADI_ALLOC(level->context, work->from, level->padded, "the flood");
    WADI_ALLOC(level->context, work->way, level->cells, "the flood");
    WADI_ALLOC(level->context, work->touched, level->cells, "the flood");
    WADI_ALLOC(level->context, work->outlets, level->cells, "the flood");
    flood_outline(level);
    return WADI_OK;
}

void wadi_parcel_flood_destroy(parcel_level* level)
{
    parcel_flood_work* work = level->flood;
    if (work != NULL)
    {
        wadi_free(level->context, work->outline);
        wadi_free(level->context, work->state);
        wadi_free(level->context, work->from);
        wadi_free(level->context, work->way);
        wadi_free(level->context, work->touched);
        wadi_free(level->context, work->outlets);
        wadi_flood_candidates_free(&work->pits);
        wadi_flood_candidates_free(&work->candidates);
        wadi_free(level->context, work);
        level->flood = NULL;
    }
}
