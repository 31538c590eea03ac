// SPDX-License-Identifier: MIT
// Priority flood (Barnes, Lehman & Mulla 2014, algorithm 2): from the outlets, always the lowest
// cell reached. Cells of a depression are processed at the spill level and need no order, so they
// go on a plain stack and only slopes use the queue.
#include "core/radix_heap.h"
#include "laws/flow/flow_grid.h"

typedef struct fill_run
{
    wadi_context* context;
    flow_grid grid;
    wadi_radix_heap heap;
    uint32_t* flooded; // stack of flooded cells to process
    int64_t flooded_count;
    bool* seen;
    float* level;
} fill_run;

static wadi_result fill_start_at(fill_run* run, int64_t cell)
{
    run->seen[cell] = true;
    return wadi_radix_heap_push(run->context, &run->heap, wadi_radix_key(run->level[cell]),
                                (uint32_t)cell);
}

// A grid without outlets drains into its lowest cell.
static wadi_result fill_start_lowest(fill_run* run)
{
    int64_t lowest = -1;
    for (int64_t i = 0; i < run->grid.cells; ++i)
    {
        if (!run->seen[i] && (lowest < 0 || run->level[i] < run->level[lowest]))
        {
            lowest = i;
        }
    }
    return lowest >= 0 ? fill_start_at(run, lowest) : WADI_OK;
}

static wadi_result fill_start(fill_run* run)
{
    for (int64_t i = 0; i < run->grid.cells; ++i)
    {
        run->level[i] = flow_height(&run->grid, i);
        run->seen[i] = isnan(run->level[i]);
    }
    for (int64_t i = 0; i < run->grid.cells; ++i)
    {
        if (!isnan(run->level[i]) && flow_is_rim(&run->grid, i))
        {
            WADI_TRY(fill_start_at(run, i));
        }
    }
    return run->heap.count > 0 ? WADI_OK : fill_start_lowest(run);
}

static wadi_result fill_spread(fill_run* run, int64_t cell)
{
    for (int direction = 0; direction < 8; ++direction)
    {
        const int64_t n = flow_neighbour_of(&run->grid, cell, direction);
        if (n < 0 || run->seen[n])
        {
            continue;
        }
        if (run->level[n] > run->level[cell])
        {
            WADI_TRY(fill_start_at(run, n));
            continue;
        }
        run->seen[n] = true;
        run->level[n] = run->level[cell];
        run->flooded[run->flooded_count++] = (uint32_t)n;
    }
    return WADI_OK;
}

static wadi_result fill_flood(fill_run* run)
{
    WADI_TRY(fill_start(run));
    while (run->flooded_count > 0 || run->heap.count > 0)
    {
        uint32_t cell;
        if (run->flooded_count > 0)
        {
            cell = run->flooded[--run->flooded_count];
        }
        else
        {
            WADI_TRY(wadi_radix_heap_pop(run->context, &run->heap, &cell));
        }
        WADI_TRY(fill_spread(run, (int64_t)cell));
    }
    return WADI_OK;
}

static wadi_result fill_run_all(fill_run* run)
{
    WADI_ALLOC(run->context, run->seen, run->grid.cells, "the flood");
    WADI_ALLOC(run->context, run->flooded, run->grid.cells, "the flood");
    return fill_flood(run);
}

wadi_result wadi_flow_fill(wadi_context* context, const wadi_field2d* field, float* filled)
{
    WADI_TRY(wadi_field2d_check(context, field, filled));
    fill_run run = {.context = context, .grid = flow_grid_of(field), .level = filled};
    const wadi_result result = fill_run_all(&run);
    wadi_radix_heap_free(context, &run.heap);
    wadi_free(context, run.flooded);
    wadi_free(context, run.seen);
    return result;
}
