// SPDX-License-Identifier: MIT
// Priority flood (Barnes, Lehman & Mulla 2014); within a depression, where all cells fill to one
// level, lowest ground first (Metz, Mitasova & Harmon 2011). So the route out of a depression
// follows its deepest ground, as flood water does, whatever the order in the queue.
#include "laws/channels/channel_order.h"

typedef struct order_entry
{
    float level;
    float ground;
    uint32_t cell;
} order_entry;

typedef struct order_run
{
    const flow_grid* grid;
    channel_order* order;
    order_entry* heap; // binary; each cell enters once
    int64_t count;
    bool* seen;
} order_run;

static bool order_is_before(const order_entry* a, const order_entry* b)
{
    return a->level != b->level     ? a->level < b->level
           : a->ground != b->ground ? a->ground < b->ground
                                    : a->cell < b->cell;
}

static void order_push(order_run* run, order_entry entry)
{
    int64_t at = run->count++;
    while (at > 0 && order_is_before(&entry, &run->heap[(at - 1) / 2]))
    {
        run->heap[at] = run->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    run->heap[at] = entry;
}

static order_entry order_pop(order_run* run)
{
    const order_entry first = run->heap[0];
    const order_entry last = run->heap[--run->count];
    int64_t at = 0;
    for (;;)
    {
        int64_t child = 2 * at + 1;
        if (child + 1 < run->count && order_is_before(&run->heap[child + 1], &run->heap[child]))
        {
            ++child;
        }
        if (child >= run->count || !order_is_before(&run->heap[child], &last))
        {
            break;
        }
        run->heap[at] = run->heap[child];
        at = child;
    }
    run->heap[at] = last;
    return first;
}

static void order_reach(order_run* run, int64_t cell, float level, int parent)
{
    const float ground = flow_height(run->grid, cell);
    run->seen[cell] = true;
    run->order->level[cell] = ground > level ? ground : level;
    run->order->parent[cell] = (int8_t)parent;
    order_push(run, (order_entry){run->order->level[cell], ground, (uint32_t)cell});
}

static void order_start(order_run* run, const uint8_t* outlets)
{
    for (int64_t i = 0; i < run->grid->cells; ++i)
    {
        const float ground = flow_height(run->grid, i);
        run->order->level[i] = NAN;
        run->order->parent[i] = WADI_FLOW_NOWHERE;
        run->seen[i] = isnan(ground);
    }
    for (int64_t i = 0; i < run->grid->cells; ++i)
    {
        if (outlets[i] != 0 && !run->seen[i])
        {
            order_reach(run, i, flow_height(run->grid, i), WADI_FLOW_NOWHERE);
        }
    }
}

static void order_flood(order_run* run)
{
    while (run->count > 0)
    {
        const order_entry from = order_pop(run);
        for (int k = 0; k < 8; ++k)
        {
            const int64_t n = flow_neighbour_of(run->grid, (int64_t)from.cell, k);
            if (n >= 0 && !run->seen[n])
            {
                order_reach(run, n, from.level, (k + 4) % 8);
            }
        }
    }
}

static wadi_result order_run_all(wadi_context* context, order_run* run, const uint8_t* outlets)
{
    const int64_t cells = run->grid->cells;
    WADI_ALLOC(context, run->order->level, cells, "flood levels");
    WADI_ALLOC(context, run->order->parent, cells, "ways out");
    WADI_ALLOC(context, run->heap, cells, "the flood");
    WADI_ALLOC(context, run->seen, cells, "the flood");
    order_start(run, outlets);
    order_flood(run);
    return WADI_OK;
}

wadi_result wadi_channel_order_create(wadi_context* context, const flow_grid* grid,
                                      const uint8_t* outlets, channel_order* out)
{
    *out = (channel_order){0};
    order_run run = {.grid = grid, .order = out};
    const wadi_result result = order_run_all(context, &run, outlets);
    wadi_free(context, run.heap);
    wadi_free(context, run.seen);
    if (result != WADI_OK)
    {
        wadi_channel_order_free(context, out);
    }
    return result;
}

void wadi_channel_order_free(wadi_context* context, channel_order* order)
{
    wadi_free(context, order->level);
    wadi_free(context, order->parent);
    *order = (channel_order){0};
}
