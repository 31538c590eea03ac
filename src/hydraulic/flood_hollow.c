// SPDX-License-Identifier: MIT
// One hollow, in three steps. Search from its pit upwards for ground that drains. Let water of that
// way out stand over all that lies too low; the search knew no tilt, and for the far end of a lake
// another way out may be better, so this only says which cells may be wet, and finds all of their
// shores that drain. Then fill these cells from these shores, the lowest first.
#include "hydraulic/flood.h"

// ---- search ------------------------------------------------------------------------------

static void hollow_search_around(flood_run* run, int64_t cell, int32_t height)
{
    parcel_flood_work* work = run->work;
    for (int32_t d = 0; d < 8; ++d)
    {
        const int64_t n = flood_neighbour(run, cell, d);
        const uint8_t state = work->state[n];
        if (flood_is_open(state) || state == FLOOD_FAILED || state == FLOOD_DONE)
        {
            if (state != FLOOD_DONE)
            {
                flood_touch(run, n, FLOOD_WAITING);
            }
            work->from[n] = (uint8_t)d;
            flood_push(&work->candidates, run->out[n] > height ? run->out[n] : height, n);
        }
    }
}

// The first cell that drains, searched in the order in which rising water would find it; -1 when
// there is none.
static int64_t hollow_search(flood_run* run, int64_t pit)
{
    parcel_flood_work* work = run->work;
    int32_t height;
    int64_t cell;
    flood_touch(run, pit, FLOOD_SEEN);
    hollow_search_around(run, pit, run->out[pit]);
    while (flood_pop(&work->candidates, &height, &cell))
    {
        if (work->state[cell] == FLOOD_DONE || flood_drains(run, cell))
        {
            return cell;
        }
        flood_touch(run, cell, FLOOD_SEEN);
        hollow_search_around(run, cell, height);
    }
    return -1;
}

// ---- collect -----------------------------------------------------------------------------

// The lowest level that what is known of its neighbours allows a cell, if it is below `height`.
static int32_t hollow_pull(flood_run* run, int64_t cell, int32_t height)
{
    const uint8_t* state = run->work->state;
    int32_t best = height;
    for (int32_t d = 0; d < 8; ++d)
    {
        const int64_t n = flood_neighbour(run, cell, d);
        if (state[n] == FLOOD_WALL || run->out[n] >= best - run->rise[d & 1])
        {
            continue;
        }
        const bool may_drain = flood_is_open(state[n]) || state[n] == FLOOD_WAITING;
        if (state[n] == FLOOD_DONE || state[n] == FLOOD_WET || (may_drain && flood_drains(run, n)))
        {
            best = run->out[n] + run->rise[d & 1];
        }
    }
    return best;
}

// Water at this level comes to a cell by one of the rises: it stands in it, unless the cell knows
// better.
static void hollow_wet(flood_run* run, int64_t cell, int32_t height, int rise)
{
    const int32_t level = hollow_pull(run, cell, height);
    if (run->work->state[cell] == FLOOD_DONE)
    {
        return; // it lay on the way down of a neighbour that drains
    }
    if (run->surface[cell] >= level)
    {
        flood_touch(run, cell, FLOOD_DONE);
        return;
    }
    flood_touch(run, cell, FLOOD_WET);
    run->out[cell] = level;
    if (level == height)
    {
        flood_push_risen(&run->work->candidates, rise, level, cell);
    }
    else
    {
        flood_push(&run->work->candidates, level, cell);
    }
}

// Back along the search, from the way out to the pit: one way for the water, to begin with.
static void hollow_trace_back(flood_run* run, int64_t exit, int64_t pit)
{
    for (int64_t cell = exit; cell != pit;)
    {
        const int32_t d = run->work->from[cell];
        const int32_t height = run->out[cell] + run->rise[d & 1];
        cell = flood_neighbour(run, cell, d ^ 4);
        hollow_wet(run, cell, height, d & 1);
    }
}

// All cells over which that water would stand, and what of their shores drains. Their levels are
// too high where another way out is better.
static void hollow_collect(flood_run* run)
{
    parcel_flood_work* work = run->work;
    int32_t height;
    int64_t cell;
    while (flood_pop(&work->candidates, &height, &cell))
    {
        for (int32_t d = 0; d < 8; ++d)
        {
            const int64_t n = flood_neighbour(run, cell, d);
            const uint8_t state = work->state[n];
            height = run->out[cell] + run->rise[d & 1];
            if (state == FLOOD_WET && height < run->out[n])
            {
                run->out[n] = height > run->surface[n] ? height : run->surface[n];
            }
            else if (state != FLOOD_WET && state != FLOOD_DONE && state != FLOOD_WALL &&
                     run->surface[n] < height)
            {
                hollow_wet(run, n, height, d & 1);
            }
        }
    }
}

// ---- fill --------------------------------------------------------------------------------

// The lowest level that the shore allows a wet cell; PARCEL_WALL away from it.
static int32_t hollow_shore(const flood_run* run, int64_t cell)
{
    int32_t best = PARCEL_WALL;
    for (int32_t d = 0; d < 8; ++d)
    {
        const int64_t n = flood_neighbour(run, cell, d);
        if (run->work->state[n] == FLOOD_DONE && run->out[n] < best - run->rise[d & 1])
        {
            best = run->out[n] + run->rise[d & 1];
        }
    }
    return best;
}

static void hollow_start_at_shores(flood_run* run)
{
    parcel_flood_work* work = run->work;
    for (int64_t i = 0; i < work->touched_count; ++i)
    {
        const int64_t cell = work->touched[i];
        if (work->state[cell] == FLOOD_WET)
        {
            const int32_t shore = hollow_shore(run, cell);
            const int32_t h = run->surface[cell];
            run->out[cell] = shore > h ? shore : h;
            if (shore != PARCEL_WALL)
            {
                flood_push(&work->candidates, run->out[cell], cell);
            }
        }
    }
}

// Priority flood of the wet cells from their shores.
static void hollow_fill(flood_run* run)
{
    parcel_flood_work* work = run->work;
    int32_t height;
    int64_t cell;
    hollow_start_at_shores(run);
    while (flood_pop(&work->candidates, &height, &cell))
    {
        if (work->state[cell] == FLOOD_DONE)
        {
            continue;
        }
        work->state[cell] = FLOOD_DONE;
        for (int32_t d = 0; d < 8; ++d)
        {
            const int64_t n = flood_neighbour(run, cell, d);
            const int32_t level = height + run->rise[d & 1];
            if (work->state[n] != FLOOD_WET || level >= run->out[n])
            {
                continue;
            }
            const bool risen = level >= run->surface[n];
            run->out[n] = risen ? level : run->surface[n];
            if (risen)
            {
                flood_push_risen(&work->candidates, d & 1, level, n);
            }
            else
            {
                flood_push(&work->candidates, run->surface[n], n);
            }
        }
    }
}

// ---- both --------------------------------------------------------------------------------

static void hollow_close(flood_run* run)
{
    parcel_flood_work* work = run->work;
    for (int64_t i = 0; i < work->touched_count; ++i)
    {
        uint8_t* state = &work->state[work->touched[i]];
        *state = *state == FLOOD_WET || *state == FLOOD_DONE ? FLOOD_DONE : FLOOD_OPEN;
    }
    work->touched_count = 0;
}

wadi_result flood_hollow(flood_run* run, int64_t pit)
{
    parcel_flood_work* work = run->work;
    const int64_t exit = hollow_search(run, pit);
    flood_candidates_clear(&work->candidates);
    if (exit >= 0)
    {
        hollow_trace_back(run, exit, pit);
        hollow_collect(run);
        flood_candidates_clear(&work->candidates);
        hollow_fill(run);
        flood_candidates_clear(&work->candidates);
    }
    hollow_close(run);
    return work->candidates.result;
}
