// SPDX-License-Identifier: MIT
// Labels of connected cells over tiles: sets of cells within each tile, and a graph of the sets
// that touch borders of tiles (union-find, Tarjan 1975). The label of a set is its smallest cell
// index in the whole grid, so it does not depend on the tiling.
#include "core/union_find.h"
#include "window/tiling.h"

#define LABELS_NONE UINT32_MAX
#define LABELS_OUTSIDE (-1)

// A set of cells that touches the border of its tile.
typedef struct labels_set
{
    int64_t parent; // another set of the same cells, or itself
    int64_t least;  // smallest index of a cell
} labels_set;

typedef struct labels_run
{
    wadi_tiles* tiles;
    wadi_context* context;
    const tiling_grid* grid;
    const wadi_tiles_label_job* job;
    tiling_rings number; // of the set of a border cell within its tile; LABELS_NONE
    int64_t* first;      // by tile: its first set
    labels_set* sets;
    int64_t count;
    int64_t room;
    // padded, at most 16386 x 16386 cells: one of the same set with a smaller index, or itself
    int32_t* parent;
    uint32_t* of; // padded: number of the set whose smallest cell this is; LABELS_NONE
} labels_run;

// ---- within a tile -----------------------------------------------------------------------

static void labels_join(int32_t* parent, int32_t a, int32_t b)
{
    const int32_t one = wadi_root_of(parent, a);
    const int32_t other = wadi_root_of(parent, b);
    parent[one > other ? one : other] = one < other ? one : other;
}

// Sets of a tile; cells outside have LABELS_OUTSIDE. Padded indices rise with those of the whole
// grid.
static wadi_result labels_tile(labels_run* run, const tiling_frame* frame)
{
    const int8_t* mask = run->tiles->raw;
    WADI_TRY(wadi_tiling_read(run->tiles, &run->job->mask, frame));
    for (ptrdiff_t i = 0; i < tiling_padded(frame); ++i)
    {
        run->parent[i] = LABELS_OUTSIDE;
        run->of[i] = LABELS_NONE;
    }
    for (int32_t y = 0; y < frame->tile.height; ++y)
    {
        for (int32_t x = 0; x < frame->tile.width; ++x)
        {
            const ptrdiff_t cell = tiling_at(frame, x, y);
            if (mask[(ptrdiff_t)y * frame->tile.width + x] <= 0)
            {
                continue;
            }
            run->parent[cell] = (int32_t)cell;
            for (int k = 1; k <= 4; ++k) // north-east, north, north-west, west
            {
                const ptrdiff_t n = cell + frame->step[k];
                if (run->parent[n] != LABELS_OUTSIDE)
                {
                    labels_join(run->parent, (int32_t)cell, (int32_t)n);
                }
            }
        }
    }
    return WADI_OK;
}

static int64_t labels_index(const labels_run* run, const tiling_frame* frame, int32_t cell)
{
    const int64_t y = frame->tile.y + cell / frame->stride - 1;
    return y * run->grid->of.width + frame->tile.x + cell % frame->stride - 1;
}

// Number the sets that touch the border, in the order of the border. Returns how many there are.
static uint32_t labels_number(labels_run* run, const tiling_frame* frame)
{
    uint32_t count = 0;
    for (rings_walk at = {0}; wadi_rings_next(frame, &at);)
    {
        const ptrdiff_t cell = tiling_at(frame, at.x, at.y);
        if (run->parent[cell] != LABELS_OUTSIDE)
        {
            uint32_t* of = &run->of[wadi_root_of(run->parent, (int32_t)cell)];
            *of = *of == LABELS_NONE ? count++ : *of;
        }
    }
    return count;
}

static wadi_result labels_keep(labels_run* run, const tiling_frame* frame)
{
    const uint32_t count = labels_number(run, frame);
    run->first[frame->index] = run->count;
    for (uint32_t i = 0; i < count; ++i)
    {
        WADI_GROW(run->context, run->sets, run->count, run->room, 1024, "labels");
        run->sets[run->count] = (labels_set){.parent = run->count};
        run->count += 1;
    }
    for (rings_walk at = {0}; wadi_rings_next(frame, &at);)
    {
        const ptrdiff_t cell = tiling_at(frame, at.x, at.y);
        uint32_t* to = rings_value(run->grid, &run->number, frame->index,
                                   wadi_rings_slot(run->grid, &frame->tile, at.x, at.y));
        *to = LABELS_NONE;
        if (run->parent[cell] != LABELS_OUTSIDE)
        {
            const int32_t root = wadi_root_of(run->parent, (int32_t)cell);
            *to = run->of[root];
            run->sets[run->first[frame->index] + *to].least = labels_index(run, frame, root);
        }
    }
    return WADI_OK;
}

// ---- across tiles ------------------------------------------------------------------------

static int64_t labels_set_of(labels_set* sets, int64_t set)
{
    while (sets[set].parent != set)
    {
        sets[set].parent = sets[sets[set].parent].parent;
        set = sets[set].parent;
    }
    return set;
}

static void labels_join_sets(labels_set* sets, int64_t a, int64_t b)
{
    const int64_t one = labels_set_of(sets, a);
    const int64_t other = labels_set_of(sets, b);
    const bool keeps = sets[one].least <= sets[other].least;
    sets[keeps ? other : one].parent = keeps ? one : other;
}

static void labels_join_cell(labels_run* run, const tiling_frame* frame, const rings_walk* at,
                             int64_t set)
{
    for (int k = 0; k < 8; ++k)
    {
        int32_t x = frame->tile.x + at->x + tiling_east[k];
        int32_t y = frame->tile.y + at->y + tiling_south[k];
        if (tiling_is_inside(frame, at->x + tiling_east[k], at->y + tiling_south[k]) ||
            !wadi_tiling_wrap(run->grid, &x, &y))
        {
            continue;
        }
        const uint32_t there = *(const uint32_t*)wadi_rings_at(run->grid, &run->number, x, y);
        if (there != LABELS_NONE)
        {
            const int64_t tile = wadi_tiling_tile_of(run->grid, x, y);
            labels_join_sets(run->sets, set, run->first[tile] + there);
        }
    }
}

static void labels_join_tiles(labels_run* run)
{
    for (int64_t i = 0; i < run->grid->tiles; ++i)
    {
        const tiling_frame frame = wadi_tiling_frame(run->grid, i);
        for (rings_walk at = {0}; wadi_rings_next(&frame, &at);)
        {
            const int32_t slot = wadi_rings_slot(run->grid, &frame.tile, at.x, at.y);
            const uint32_t here = *(const uint32_t*)rings_value(run->grid, &run->number, i, slot);
            if (here != LABELS_NONE)
            {
                labels_join_cell(run, &frame, &at, run->first[i] + here);
            }
        }
    }
}

// ---- all ---------------------------------------------------------------------------------

static wadi_result labels_store(labels_run* run, const tiling_frame* frame)
{
    (void)labels_number(run, frame);
    int64_t* raw = run->tiles->raw;
    for (int32_t y = 0; y < frame->tile.height; ++y)
    {
        for (int32_t x = 0; x < frame->tile.width; ++x)
        {
            const ptrdiff_t cell = tiling_at(frame, x, y);
            int64_t label = -1;
            if (run->parent[cell] != LABELS_OUTSIDE)
            {
                const int32_t root = wadi_root_of(run->parent, (int32_t)cell);
                const uint32_t of = run->of[root];
                label =
                    of == LABELS_NONE
                        ? labels_index(run, frame, root)
                        : run->sets[labels_set_of(run->sets, run->first[frame->index] + of)].least;
            }
            raw[(ptrdiff_t)y * frame->tile.width + x] = label;
        }
    }
    return wadi_tiling_write(run->tiles, &run->job->labels, frame);
}

static wadi_result labels_pass(labels_run* run, bool last)
{
    for (int64_t i = 0; i < run->grid->tiles; ++i)
    {
        const tiling_frame frame = wadi_tiling_frame(run->grid, i);
        const double share = 0.5 * (double)(i + 1) / (double)run->grid->tiles;
        WADI_TRY(labels_tile(run, &frame));
        WADI_TRY(last ? labels_store(run, &frame) : labels_keep(run, &frame));
        WADI_CHECK(run->context,
                   wadi_progress(run->context, share + (last ? 0.5 : 0.0), "labelling"),
                   WADI_ERROR_CANCELLED, "the labelling was stopped");
    }
    return WADI_OK;
}

static wadi_result labels_all(labels_run* run)
{
    WADI_TRY(wadi_rings_create(run->tiles, 4, &run->number));
    WADI_ALLOC(run->context, run->first, run->grid->tiles, "labels");
    WADI_ALLOC(run->context, run->parent, tiling_most(run->grid), "labels");
    WADI_ALLOC(run->context, run->of, tiling_most(run->grid), "labels");
    WADI_TRY(labels_pass(run, false));
    labels_join_tiles(run);
    return labels_pass(run, true);
}

wadi_result wadi_tiles_label(wadi_tiles* tiles, const wadi_tiles_label_job* job)
{
    WADI_CHECK(tiles->context,
               job->mask.type == WADI_TILE_INT8 && job->mask.read != NULL &&
                   job->labels.type == WADI_TILE_INT64 && job->labels.write != NULL,
               WADI_ERROR_ARGUMENT, "labels read a mask of INT8 and write INT64");
    labels_run run = {.tiles = tiles, .context = tiles->context, .grid = &tiles->grid, .job = job};
    const wadi_result result = labels_all(&run);
    wadi_free(run.context, run.of);
    wadi_free(run.context, run.parent);
    wadi_free(run.context, run.sets);
    wadi_free(run.context, run.first);
    wadi_rings_destroy(tiles, &run.number);
    return result;
}
