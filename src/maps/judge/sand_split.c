// SPDX-License-Identifier: MIT
// Separates bodies of sand that touch. Sand is flooded from the thickest cell down, and each cell
// joins the body beside it. Where two bodies meet in a saddle of less than half of the height of
// either, they stay apart: dunes that touch with their horns are two, a ridge with a wavy crest is
// one.
#include "core/union_find.h"
#include "maps/judge/dune_shapes_internal.h"
#include "maps/judge/land_forms_internal.h"

static const float split_saddle = 0.5f; // of the height of a body

typedef struct split_run
{
    const shape_grid* grid;
    const float* thick;
    float least;     // lowest dune [m]
    uint64_t* order; // cells, the thickest first
    int32_t* parent; // of a tree of cells; -1: not flooded or between bodies
    float* peak;     // of the body whose root the cell is
    uint8_t* mask;
} split_run;

static bool split_stands(const split_run* run, int32_t root, float saddle)
{
    return run->peak[root] >= run->least && saddle <= split_saddle * run->peak[root];
}

// The body beside a cell with the highest peak; -1: none.
static int32_t split_highest(const split_run* run, int32_t cell)
{
    int32_t best = -1;
    for (int32_t k = 0; k < 8; ++k)
    {
        const int32_t n = shape_neighbour(run->grid, cell, k);
        const int32_t root = n >= 0 && run->parent[n] >= 0 ? wadi_root_of(run->parent, n) : -1;
        best = root >= 0 && (best < 0 || run->peak[root] > run->peak[best]) ? root : best;
    }
    return best;
}

// Join the bodies beside a cell, or leave the cell between two that stay apart.
static void split_take(split_run* run, int32_t cell)
{
    const float saddle = run->thick[cell];
    const int32_t main = split_highest(run, cell);
    if (main < 0)
    {
        run->parent[cell] = cell;
        run->peak[cell] = saddle;
        run->mask[cell] = 1;
        return;
    }
    bool between = false;
    for (int32_t k = 0; k < 8; ++k)
    {
        const int32_t n = shape_neighbour(run->grid, cell, k);
        const int32_t root = n >= 0 && run->parent[n] >= 0 ? wadi_root_of(run->parent, n) : main;
        const bool apart =
            root != main && split_stands(run, root, saddle) && split_stands(run, main, saddle);
        between = between || apart;
        if (root != main && !apart)
        {
            run->parent[root] = main;
        }
    }
    if (!between)
    {
        run->parent[cell] = main;
        run->mask[cell] = 1;
    }
}

static void split_fill(split_run* run, float thin)
{
    const shape_grid* g = run->grid;
    int64_t count = 0;
    for (int32_t i = 0; i < g->cells; ++i)
    {
        run->parent[i] = -1;
        run->mask[i] = 0;
        if (run->thick[i] >= thin)
        {
            // positive floats are ordered as their bits are
            const uint32_t key = 0xFFFFFFFFu - wadi_bits_of_float(run->thick[i]);
            run->order[count++] = (uint64_t)key << 32 | (uint32_t)i;
        }
    }
    wadi_land_sort(run->order, run->order + g->cells, count);
    for (int64_t k = 0; k < count; ++k)
    {
        split_take(run, (int32_t)(run->order[k] & 0xFFFFFFFFu));
    }
}

wadi_result wadi_sand_split(const body_job* job, uint8_t* mask)
{
    const shape_grid* g = job->grid;
    split_run run = {.grid = g, .thick = job->thick, .least = (float)job->least, .mask = mask};
    WADI_ALLOC(g->context, run.order, 3 * (int64_t)g->cells, "bodies of sand by height");
    run.parent = (int32_t*)(run.order + 2 * (ptrdiff_t)g->cells);
    run.peak = (float*)(run.parent + g->cells);
    split_fill(&run, (float)job->thin);
    wadi_free(g->context, run.order);
    return WADI_OK;
}
