// SPDX-License-Identifier: MIT
// Minimum cut by push-relabel (Goldberg & Tarjan 1988), first in, first out, with labels by
// breadth-first search from the sink now and then (Cherkassky & Goldberg 1997).
//
// A cell with drive > 0 gets that much excess; a cell with drive < 0 takes up to -drive. Excess
// moves between neighbours up to the resistance between them. Excess that reaches no taker stays:
// the cells that it can still reach are the smallest minimum cut (Picard 1976). Only cells that
// excess touches are stored. Before that a cell counts as one step from the sink, which is a lower
// bound.
#include "laws/slopes/slide_cut.h"

#include <stdlib.h>
#include <string.h>

enum
{
    CUT_ROOM = 4096,      // first room for cells
    CUT_NEVER = INT32_MAX // label of a cell from which excess cannot reach the sink
};

// A touched cell.
typedef struct cut_node
{
    int64_t excess;
    int64_t sink;                  // what it can still take up
    int64_t room[SLIDE_CUT_SIDES]; // what can still move to each neighbour
    int32_t cell;
    int32_t label; // lower bound of the steps to the sink
    bool waits;    // is in the queue
    bool reached;  // by the search for the cut
} cut_node;

struct slide_cut
{
    wadi_context* context;
    int32_t width;
    int32_t height;
    bool wraps[2];
    int32_t* index; // by cell: its node + 1; 0: not touched
    cut_node* nodes;
    int64_t count;
    int64_t room;
    int32_t* queue; // ring of nodes that have excess; each at most once
    int32_t* found; // nodes of a search, then cells of the cut
    int64_t side_room;
    int64_t head;
    int64_t waiting;
    int64_t relabels; // since the last search from the sink

    const int64_t* drive;
    slide_cut_rim_fn* rim;
    const void* user;
};

static const int32_t cut_dx[SLIDE_CUT_SIDES] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int32_t cut_dy[SLIDE_CUT_SIDES] = {0, 1, 1, 1, 0, -1, -1, -1};

wadi_result wadi_slide_cut_create(wadi_context* context, int32_t width, int32_t height,
                                  const bool wraps[2], slide_cut** out)
{
    slide_cut* cut;
    WADI_ALLOC(context, cut, 1, "failing ground");
    cut->context = context;
    cut->width = width;
    cut->height = height;
    cut->wraps[0] = wraps[0];
    cut->wraps[1] = wraps[1];
    cut->index = wadi_alloc(context, (size_t)width * (size_t)height, sizeof *cut->index);
    if (cut->index == NULL)
    {
        wadi_free(context, cut);
        return wadi_fail_memory(context, (size_t)width * (size_t)height * sizeof(int32_t),
                                "failing ground");
    }
    *out = cut;
    return WADI_OK;
}

void wadi_slide_cut_destroy(slide_cut* cut)
{
    if (cut == NULL)
    {
        return;
    }
    wadi_context* context = cut->context;
    wadi_free(context, cut->index);
    wadi_free(context, cut->nodes);
    wadi_free(context, cut->queue);
    wadi_free(context, cut->found);
    wadi_free(context, cut);
}

int64_t wadi_slide_cut_neighbour(const slide_cut* cut, int64_t cell, int side)
{
    int32_t x = (int32_t)(cell % cut->width) + cut_dx[side];
    int32_t y = (int32_t)(cell / cut->width) + cut_dy[side];
    x = cut->wraps[0] ? (x + cut->width) % cut->width : x;
    y = cut->wraps[1] ? (y + cut->height) % cut->height : y;
    const bool inside = x >= 0 && y >= 0 && x < cut->width && y < cut->height;
    return inside ? (int64_t)y * cut->width + x : -1;
}

// ---- nodes -------------------------------------------------------------------------------

static int cut_opposite(int side)
{
    return (side + SLIDE_CUT_SIDES / 2) % SLIDE_CUT_SIDES;
}

// Node of a neighbour, or -1 if it is not touched or does not exist.
static int32_t cut_beside(const slide_cut* cut, const cut_node* node, int side)
{
    const int64_t to = wadi_slide_cut_neighbour(cut, node->cell, side);
    return to < 0 ? -1 : cut->index[to] - 1;
}

// Room in the queues for every node; they keep their order.
static wadi_result cut_grow(slide_cut* cut)
{
    WADI_GROW(cut->context, cut->nodes, cut->count, cut->room, CUT_ROOM, "failing ground");
    if (cut->side_room == cut->room)
    {
        return WADI_OK;
    }
    int32_t* ring;
    WADI_ALLOC(cut->context, ring, cut->room, "failing ground");
    for (int64_t i = 0; i < cut->waiting; ++i)
    {
        ring[i] = cut->queue[(cut->head + i) % cut->side_room];
    }
    wadi_free(cut->context, cut->queue);
    cut->queue = ring;
    cut->head = 0;
    wadi_free(cut->context, cut->found);
    cut->side_room = 0; // until both have room
    WADI_ALLOC(cut->context, cut->found, cut->room, "failing ground");
    cut->side_room = cut->room;
    return WADI_OK;
}

static wadi_result cut_touch(slide_cut* cut, int64_t cell, int32_t* out)
{
    *out = cut->index[cell] - 1;
    if (*out >= 0)
    {
        return WADI_OK;
    }
    WADI_TRY(cut_grow(cut));
    const int64_t drive = cut->drive[cell];
    cut_node* node = &cut->nodes[cut->count];
    *node = (cut_node){
        .excess = drive > 0 ? drive : 0,
        .sink = drive < 0 ? -drive : 0,
        .cell = (int32_t)cell,
        .label = 1,
    };
    cut->rim(cut->user, cell, node->room);
    *out = (int32_t)cut->count;
    cut->index[cell] = (int32_t)++cut->count;
    return WADI_OK;
}

static void cut_enqueue(slide_cut* cut, int32_t n)
{
    cut_node* node = &cut->nodes[n];
    if (!node->waits && node->excess > 0 && node->label < CUT_NEVER)
    {
        node->waits = true;
        cut->queue[(cut->head + cut->waiting) % cut->side_room] = n;
        ++cut->waiting;
    }
}

static int32_t cut_dequeue(slide_cut* cut)
{
    const int32_t n = cut->queue[cut->head];
    cut->head = (cut->head + 1) % cut->side_room;
    --cut->waiting;
    cut->nodes[n].waits = false;
    return n;
}

// ---- push and relabel --------------------------------------------------------------------

// Label of a neighbour: untouched cells are one step from the sink.
static int32_t cut_label_beside(const slide_cut* cut, const cut_node* node, int side)
{
    const int32_t to = cut_beside(cut, node, side);
    return to < 0 ? 1 : cut->nodes[to].label;
}

static wadi_result cut_push(slide_cut* cut, int32_t from, int side)
{
    const int64_t cell = wadi_slide_cut_neighbour(cut, cut->nodes[from].cell, side);
    int32_t to;
    WADI_TRY(cut_touch(cut, cell, &to)); // may move the nodes
    cut_node* node = &cut->nodes[from];
    const int64_t amount = node->excess < node->room[side] ? node->excess : node->room[side];
    node->excess -= amount;
    node->room[side] -= amount;
    cut->nodes[to].excess += amount;
    cut->nodes[to].room[cut_opposite(side)] += amount;
    cut_enqueue(cut, to);
    return WADI_OK;
}

static void cut_drain(cut_node* node)
{
    const int64_t amount = node->excess < node->sink ? node->excess : node->sink;
    node->excess -= amount;
    node->sink -= amount;
}

static void cut_relabel(slide_cut* cut, cut_node* node)
{
    int32_t least = CUT_NEVER - 1;
    for (int side = 0; side < SLIDE_CUT_SIDES; ++side)
    {
        const int32_t label = node->room[side] > 0 ? cut_label_beside(cut, node, side) : CUT_NEVER;
        least = label < least ? label : least;
    }
    node->label = least + 1;
    ++cut->relabels;
}

// Move the excess of a node to lower neighbours, and raise the node once if some is left.
static wadi_result cut_discharge(slide_cut* cut, int32_t n)
{
    cut_drain(&cut->nodes[n]);
    for (int side = 0; side < SLIDE_CUT_SIDES && cut->nodes[n].excess > 0; ++side)
    {
        const cut_node* node = &cut->nodes[n];
        if (node->room[side] > 0 && cut_label_beside(cut, node, side) == node->label - 1)
        {
            WADI_TRY(cut_push(cut, n, side));
        }
    }
    if (cut->nodes[n].excess > 0)
    {
        cut_relabel(cut, &cut->nodes[n]);
        cut_enqueue(cut, n);
    }
    return WADI_OK;
}

// ---- labels from the sink ----------------------------------------------------------------

// Can a cell that is not touched take excess of this node?
static bool cut_meets_untouched(const slide_cut* cut, const cut_node* node)
{
    bool meets = false;
    for (int side = 0; side < SLIDE_CUT_SIDES; ++side)
    {
        meets = meets || (node->room[side] > 0 && cut_beside(cut, node, side) < 0);
    }
    return meets;
}

// Add nodes without a label that the condition names to the search.
static int64_t cut_search_from(slide_cut* cut, int64_t end, int32_t label)
{
    for (int32_t n = 0; n < cut->count; ++n)
    {
        cut_node* node = &cut->nodes[n];
        const bool starts = label == 1 ? node->sink > 0 : cut_meets_untouched(cut, node);
        if (node->label == CUT_NEVER && starts)
        {
            node->label = label;
            cut->found[end++] = n;
        }
    }
    return end;
}

static int64_t cut_search_beside(slide_cut* cut, int32_t n, int64_t end)
{
    for (int side = 0; side < SLIDE_CUT_SIDES; ++side)
    {
        const int32_t from = cut_beside(cut, &cut->nodes[n], side);
        if (from >= 0 && cut->nodes[from].label == CUT_NEVER &&
            cut->nodes[from].room[cut_opposite(side)] > 0)
        {
            cut->nodes[from].label = cut->nodes[n].label + 1;
            cut->found[end++] = from;
        }
    }
    return end;
}

// Labels are the true steps to the sink; cells that are not touched count as one step from it.
static void cut_search(slide_cut* cut)
{
    for (int64_t n = 0; n < cut->count; ++n)
    {
        cut->nodes[n].label = CUT_NEVER;
    }
    int64_t end = cut_search_from(cut, 0, 1);
    const int64_t first = end;
    for (int64_t next = 0; next < first; ++next)
    {
        end = cut_search_beside(cut, cut->found[next], end);
    }
    end = cut_search_from(cut, end, 2);
    for (int64_t next = first; next < end; ++next)
    {
        end = cut_search_beside(cut, cut->found[next], end);
    }
    cut->relabels = 0;
}

static void cut_restart(slide_cut* cut)
{
    cut_search(cut);
    for (int32_t n = 0; n < cut->count; ++n)
    {
        cut->nodes[n].waits = false;
    }
    cut->head = 0;
    cut->waiting = 0;
    for (int32_t n = 0; n < cut->count; ++n)
    {
        cut_enqueue(cut, n);
    }
}

// ---- the cut -----------------------------------------------------------------------------

static wadi_result cut_run(slide_cut* cut)
{
    cut_restart(cut);
    while (cut->waiting > 0)
    {
        WADI_TRY(cut_discharge(cut, cut_dequeue(cut)));
        if (cut->relabels > cut->count || cut->waiting == 0)
        {
            cut_restart(cut);
        }
    }
    return WADI_OK;
}

static int cut_compare(const void* a, const void* b)
{
    const int32_t* x = a;
    const int32_t* y = b;
    return (*x > *y) - (*x < *y);
}

static int64_t cut_reach(slide_cut* cut, int32_t n, int64_t end)
{
    cut_node* node = &cut->nodes[n];
    if (!node->reached)
    {
        node->reached = true;
        cut->found[end++] = n;
    }
    return end;
}

// Nodes that the excess left over can reach.
static int64_t cut_collect(slide_cut* cut)
{
    int64_t end = 0;
    for (int32_t n = 0; n < cut->count; ++n)
    {
        end = cut->nodes[n].excess > 0 ? cut_reach(cut, n, end) : end;
    }
    for (int64_t next = 0; next < end; ++next)
    {
        const cut_node* node = &cut->nodes[cut->found[next]];
        for (int side = 0; side < SLIDE_CUT_SIDES; ++side)
        {
            const int32_t to = node->room[side] > 0 ? cut_beside(cut, node, side) : -1;
            end = to >= 0 ? cut_reach(cut, to, end) : end;
        }
    }
    for (int64_t i = 0; i < end; ++i)
    {
        cut->found[i] = cut->nodes[cut->found[i]].cell;
    }
    if (end > 0)
    {
        qsort(cut->found, (size_t)end, sizeof *cut->found, cut_compare);
    }
    return end;
}

static void cut_clear(slide_cut* cut)
{
    for (int64_t n = 0; n < cut->count; ++n)
    {
        cut->index[cut->nodes[n].cell] = 0;
    }
    cut->count = 0;
    cut->head = 0;
    cut->waiting = 0;
}

static wadi_result cut_solve(slide_cut* cut)
{
    const int64_t cells = (int64_t)cut->width * cut->height;
    for (int64_t c = 0; c < cells; ++c)
    {
        int32_t n;
        if (cut->drive[c] > 0)
        {
            WADI_TRY(cut_touch(cut, c, &n));
        }
    }
    return cut->count > 0 ? cut_run(cut) : WADI_OK;
}

wadi_result wadi_slide_cut_find(slide_cut* cut, const int64_t* drive, slide_cut_rim_fn* rim,
                                const void* user, const int32_t** cells, int64_t* count)
{
    cut->drive = drive;
    cut->rim = rim;
    cut->user = user;
    const wadi_result result = cut_solve(cut);
    *count = result == WADI_OK ? cut_collect(cut) : 0;
    *cells = cut->found;
    cut_clear(cut);
    return result;
}
