// SPDX-License-Identifier: MIT
// Does a cell drain? Follow the lowest neighbour from cell to cell. Visited cells are marked, so
// that all searches of one flood together visit few cells.
#include "laws/flow/flow_flood_internal.h"

// The lowest neighbour whose R is lower by the drop, or -1. An upper bound of R, as wet cells have,
// is sufficient here.
static int64_t flood_way_down(const flood_run* run, int64_t cell)
{
    const uint8_t* state = run->work->state;
    const int32_t down = run->work->down[cell];
    const int64_t usual = down < 8 ? cell + run->step[down] : cell;
    // water only rises: the neighbour with the lowest ground is still the lowest if it is dry
    if (down < 8 && state[usual] < FLOOD_WALL && run->out[usual] == run->surface[usual])
    {
        return usual;
    }
    int64_t best = -1;
    int32_t lowest = FLOW_WALL;
    for (int32_t d = 0; d < 8; ++d)
    {
        const int64_t n = flood_neighbour(run, cell, d);
        if (state[n] != FLOOD_WALL && run->out[n] < lowest &&
            run->out[cell] - run->out[n] >= run->drop[d & 1])
        {
            lowest = run->out[n];
            best = n;
        }
    }
    return best;
}

bool wadi_flow_drains(flood_run* run, int64_t cell)
{
    wadi_flow_flood* work = run->work;
    uint8_t* state = work->state;
    int64_t count = 0;
    int64_t at = cell;
    do
    {
        work->way[count++] = (uint32_t)at;
        at = state[at] == FLOOD_PIT ? -1 : flood_way_down(run, at);
    } while (at >= 0 && (flood_is_open(state[at]) || state[at] == FLOOD_WAITING));

    const bool drains = at >= 0 && (state[at] == FLOOD_DONE || state[at] == FLOOD_WET);
    for (int64_t i = 0; i < count; ++i)
    {
        const int64_t passed = work->way[i];
        if (drains)
        {
            state[passed] = FLOOD_DONE;
        }
        else if (flood_is_open(state[passed]))
        {
            flood_touch(run, passed, FLOOD_FAILED);
        }
    }
    return drains;
}
