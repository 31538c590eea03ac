// SPDX-License-Identifier: MIT
// One depression, in three steps. Search upwards from its pit for a spill point: a draining cell.
// Collect all cells below the water level of that spill point, and their shores that drain. The
// search ignores the tilt, and another spill point may be better for the far end of a lake, so
// these cells are only candidates for water. Then fill them from the shores, lowest first.
#include "laws/flow/flow_flood_internal.h"

// ---- search ------------------------------------------------------------------------------

static void hollow_search_around(flood_run* run, int64_t cell, int32_t height)
{
    wadi_flow_flood* work = run->work;
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
            wadi_flow_push(&work->candidates, run->out[n] > height ? run->out[n] : height, n);
        }
    }
}

// The first cell that drains, in the order in which rising water would reach it; -1 if none does.
static int64_t hollow_search(flood_run* run, int64_t pit)
{
    wadi_flow_flood* work = run->work;
    int32_t height;
    int64_t cell;
    flood_touch(run, pit, FLOOD_SEEN);
    hollow_search_around(run, pit, run->out[pit]);
    while (wadi_flow_pop(&work->candidates, &height, &cell))
    {
        if (work->state[cell] == FLOOD_DONE || wadi_flow_drains(run, cell))
        {
            return cell;
        }
        flood_touch(run, cell, FLOOD_SEEN);
        hollow_search_around(run, cell, height);
    }
    return -1;
}

// ---- collect -----------------------------------------------------------------------------

// The lowest level that the neighbours known so far allow a cell, at most `height`.
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
        if (state[n] == FLOOD_DONE || state[n] == FLOOD_WET ||
            (may_drain && wadi_flow_drains(run, n)))
        {
            best = run->out[n] + run->rise[d & 1];
        }
    }
    return best;
}

// Water at `height` reaches a cell over one of the rises: mark it wet, unless its ground is higher.
static void hollow_wet(flood_run* run, int64_t cell, int32_t height, int rise)
{
    const int32_t level = hollow_pull(run, cell, height);
    if (run->work->state[cell] == FLOOD_DONE)
    {
        return; // it is on the flow path of a neighbour that drains
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
        wadi_flow_push_risen(&run->work->candidates, rise, level, cell);
    }
    else
    {
        wadi_flow_push(&run->work->candidates, level, cell);
    }
}

// Mark the search path from the spill point back to the pit as wet.
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

// Collect all cells under that water, and the shores that drain. Levels are too high where another
// spill point is better.
static void hollow_collect(flood_run* run)
{
    wadi_flow_flood* work = run->work;
    int32_t height;
    int64_t cell;
    while (wadi_flow_pop(&work->candidates, &height, &cell))
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

// The lowest level that the shore allows a wet cell; FLOW_WALL if it has no shore.
static int32_t hollow_shore(const flood_run* run, int64_t cell)
{
    int32_t best = FLOW_WALL;
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
    wadi_flow_flood* work = run->work;
    for (int64_t i = 0; i < work->touched_count; ++i)
    {
        const int64_t cell = work->touched[i];
        if (work->state[cell] == FLOOD_WET)
        {
            const int32_t shore = hollow_shore(run, cell);
            const int32_t h = run->surface[cell];
            run->out[cell] = shore > h ? shore : h;
            if (shore != FLOW_WALL)
            {
                wadi_flow_push(&work->candidates, run->out[cell], cell);
            }
        }
    }
}

void wadi_flow_fill_wet(flood_run* run)
{
    wadi_flow_flood* work = run->work;
    int32_t height;
    int64_t cell;
    while (wadi_flow_pop(&work->candidates, &height, &cell))
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
                wadi_flow_push_risen(&work->candidates, d & 1, level, n);
            }
            else
            {
                wadi_flow_push(&work->candidates, run->surface[n], n);
            }
        }
    }
}

// ---- both --------------------------------------------------------------------------------

static void hollow_close(flood_run* run)
{
    wadi_flow_flood* work = run->work;
    for (int64_t i = 0; i < work->touched_count; ++i)
    {
        uint8_t* state = &work->state[work->touched[i]];
        *state = *state == FLOOD_WET || *state == FLOOD_DONE ? FLOOD_DONE : FLOOD_OPEN;
    }
    work->wet_count += work->touched_count;
    work->touched_count = 0;
}

wadi_result wadi_flow_hollow(flood_run* run, int64_t pit)
{
    wadi_flow_flood* work = run->work;
    const int64_t exit = hollow_search(run, pit);
    wadi_flow_candidates_clear(&work->candidates);
    if (exit >= 0)
    {
        hollow_trace_back(run, exit, pit);
        hollow_collect(run);
        wadi_flow_candidates_clear(&work->candidates);
        hollow_start_at_shores(run);
        wadi_flow_fill_wet(run);
        wadi_flow_candidates_clear(&work->candidates);
    }
    hollow_close(run);
    return work->candidates.result;
}
