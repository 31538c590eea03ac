// SPDX-License-Identifier: MIT
// All depressions at once, for ground on which they cover much. Most passes run on all threads.
//
// Each cell belongs to the basin of the pit to which it descends, or to basin 0, which drains. The
// lowest passes between basins give the level of each basin's water without tilt (Kruskal: lowest
// pass first, until a basin is joined to one that drains). Cells below that level and a margin for
// the tilt are flooded from their shores, lowest first; all others are dry. If the tilt has used up
// the margin somewhere, a wider one is tried. The result fulfils the equation of flow_flood.c, so
// it is the same as that of depression by depression (flow_flood_hollow.c).
#include "core/paging.h"
#include "laws/flow/flow_flood_internal.h"
#include "laws/flow/flow_kernels.h"

#include <string.h>

enum
{
    BASINS_WIDER = 16, // margin of the next try
    BASINS_CACHE = 256 // passes that a block keeps at hand
};

#define BASINS_NONE UINT32_MAX // label of cells without ground, or not yet found
#define BASINS_FAR 0x80000000u // label: the cell in another block to which this one descends

// Between two basins.
typedef struct basins_pass
{
    uint32_t a;
    uint32_t b;
    int32_t level;
} basins_pass;

typedef struct basins_run
{
    flood_run* flood;
    wadi_flow_flood* work;
    uint32_t* label;
    int64_t margin;
} basins_run;

static int64_t basins_row(const wadi_flow_flood* work, int32_t y)
{
    return (int64_t)(y + 1) * work->stride + 1;
}

static int32_t basins_begin(int64_t block)
{
    return (int32_t)block * FLOOD_BLOCK;
}

static int32_t basins_end(const wadi_flow_flood* work, int64_t block)
{
    const int32_t end = basins_begin(block) + FLOOD_BLOCK;
    return end < work->height ? end : work->height;
}

// A block of rows is read next, of arrays that may lie in a file.
static void basins_expect(const basins_run* run, int64_t block)
{
    const wadi_flow_flood* work = run->work;
    const int64_t first = basins_row(work, basins_begin(block));
    const size_t cells = (size_t)(basins_row(work, basins_end(work, block)) - first);
    wadi_expect(work->context, run->label + first, cells * sizeof *run->label);
    wadi_expect(work->context, run->flood->surface + first, cells * sizeof(int32_t));
    wadi_expect(work->context, run->flood->out + first, cells * sizeof(int32_t));
    wadi_expect(work->context, work->state + first, cells);
    wadi_expect(work->context, work->from + first, cells);
    wadi_expect(work->context, work->down + first, cells);
}

// ---- basins ------------------------------------------------------------------------------

static void basins_clear_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const basins_run* run = user;
    const size_t stride = (size_t)run->work->stride;
    wadi_expect(run->work->context, run->label + (size_t)begin * stride,
                (size_t)(end - begin) * stride * sizeof *run->label);
    memset(run->label + (size_t)begin * stride, 0xFF,
           (size_t)(end - begin) * stride * sizeof *run->label);
}

// Number the pits; outlets are of basin 0.
static wadi_result basins_start(basins_run* run)
{
    wadi_flow_flood* work = run->work;
    wadi_parallel_rows(work->context, work->height + 2, FLOOD_BLOCK, basins_clear_rows, run);
    for (int64_t i = 0; i < run->flood->job->outlet_count; ++i)
    {
        run->label[run->flood->job->outlets[i]] = 0;
    }
    work->basin_count = 0;
    int64_t cell = -1;
    int32_t height = 0;
    do
    {
        WADI_GROW(work->context, work->basins, work->basin_count, work->basin_room, 256,
                  "the flood");
        const uint32_t own = (uint32_t)work->basin_count;
        work->basins[work->basin_count++] = (flood_basin){own, cell < 0 ? 0 : -1};
        if (cell >= 0)
        {
            run->label[cell] = own;
        }
    } while (wadi_flow_pop(&work->pits, &height, &cell));
    return work->pits.result;
}

// What following ways down reads and writes, in one place: no write can change these pointers.
typedef struct basins_ways
{
    const flood_run* flood;
    uint32_t* label;
    const uint8_t* down;
    const uint8_t* state;
    ptrdiff_t step[8];
    bool wraps;
    int64_t first; // of the block
    int64_t last;
} basins_ways;

static inline int64_t basins_below(const basins_ways* w, int64_t cell)
{
    const int64_t n = cell + w->step[w->down[cell]];
    return w->wraps && w->state[n] == FLOOD_WRAPPED ? flood_neighbour(w->flood, cell, w->down[cell])
                                                    : n;
}

// Follow the way down from a cell to one with a label, or out of the block.
static inline void basins_descend(const basins_ways* w, int64_t cell)
{
    int64_t at = cell;
    uint32_t found = BASINS_NONE;
    while (found == BASINS_NONE)
    {
        at = basins_below(w, at);
        const bool far = at < w->first || at >= w->last;
        found = far ? BASINS_FAR | (uint32_t)at : w->label[at];
    }
    for (int64_t c = cell; c != at; c = basins_below(w, c))
    {
        w->label[c] = found;
    }
}

static void basins_label_block(int64_t block, int32_t worker, void* user)
{
    (void)worker;
    const basins_run* run = user;
    const wadi_flow_flood* work = run->work;
    basins_expect(run, block);
    basins_ways ways = {
        .flood = run->flood,
        .label = run->label,
        .down = work->down,
        .state = work->state,
        .wraps = work->wraps,
        .first = basins_row(work, basins_begin(block)),
        .last = basins_row(work, basins_end(work, block)),
    };
    memcpy(ways.step, run->flood->step, sizeof ways.step);
    for (int64_t row = ways.first; row < ways.last; row += work->stride)
    {
        for (int64_t c = row; c < row + work->width; ++c)
        {
            if (ways.label[c] == BASINS_NONE && ways.state[c] != FLOOD_WALL)
            {
                basins_descend(&ways, c);
            }
        }
    }
}

static bool basins_is_far(uint32_t label)
{
    return label >= BASINS_FAR && label != BASINS_NONE;
}

// Labels of a row that is the first or last of its block: ways between blocks lead over such rows.
static void basins_join_row(const basins_run* run, int32_t y)
{
    uint32_t* label = run->label;
    const int64_t row = basins_row(run->work, y);
    for (int64_t c = row; c < row + run->work->width; ++c)
    {
        uint32_t found = label[c];
        while (basins_is_far(found))
        {
            found = label[found & ~BASINS_FAR];
        }
        for (int64_t at = c; basins_is_far(label[at]);)
        {
            const int64_t next = label[at] & ~BASINS_FAR;
            label[at] = found;
            at = next;
        }
    }
}

static void basins_resolve_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const basins_run* run = user;
    basins_expect(run, begin / FLOOD_BLOCK);
    for (int32_t y = begin + 1; y < end - 1; ++y)
    {
        uint32_t* label = run->label + basins_row(run->work, y);
        for (int32_t x = 0; x < run->work->width; ++x)
        {
            label[x] = basins_is_far(label[x]) ? run->label[label[x] & ~BASINS_FAR] : label[x];
        }
    }
}

static void basins_label(basins_run* run)
{
    wadi_flow_flood* work = run->work;
    wadi_parallel_blocks(work->context, work->block_count, basins_label_block, run);
    for (int64_t block = 0; block < work->block_count; ++block)
    {
        basins_join_row(run, basins_begin(block));
        basins_join_row(run, basins_end(work, block) - 1);
    }
    wadi_parallel_rows(work->context, work->height, FLOOD_BLOCK, basins_resolve_rows, run);
}

// ---- passes ------------------------------------------------------------------------------

// Passes of a block lie in its part of `touched`.
static void basins_keep_pass(wadi_flow_flood* work, int64_t block, const basins_pass* pass)
{
    flood_block* own = &work->blocks[block];
    const int64_t first = (int64_t)basins_begin(block) * work->width;
    const int64_t last = (int64_t)basins_end(work, block) * work->width;
    const int64_t at = first + 3 * own->count;
    own->full |= at + 3 > last;
    if (!own->full)
    {
        const uint32_t words[3] = {pass->a, pass->b, (uint32_t)pass->level};
        memcpy(work->touched + at, words, sizeof words);
        own->count += 1;
    }
}

// The lowest of the passes between two basins that come one after the other.
static void basins_add_pass(wadi_flow_flood* work, int64_t block, basins_pass* cache,
                            basins_pass pass)
{
    basins_pass* known = &cache[(pass.a * 0x9E3779B1u ^ pass.b * 0x85EBCA6Bu) >> 24];
    if (known->a == pass.a && known->b == pass.b)
    {
        known->level = pass.level < known->level ? pass.level : known->level;
        return;
    }
    if (known->a != known->b)
    {
        basins_keep_pass(work, block, known);
    }
    *known = pass;
}

static void basins_cross_at(const basins_run* run, int64_t block, basins_pass* cache, int64_t cell)
{
    const flood_run* flood = run->flood;
    const uint32_t here = run->label[cell];
    for (int32_t d = 0; d < 4; ++d)
    {
        const int64_t n = flood_neighbour(flood, cell, d);
        const uint32_t there = run->label[n];
        if (there != here && run->work->state[n] != FLOOD_WALL)
        {
            const int32_t a = flood->surface[cell];
            const int32_t b = flood->surface[n];
            basins_add_pass(run->work, block, cache,
                            (basins_pass){here < there ? here : there, here < there ? there : here,
                                          a > b ? a : b});
        }
    }
}

static void basins_cross_block(int64_t block, int32_t worker, void* user)
{
    (void)worker;
    const basins_run* run = user;
    wadi_flow_flood* work = run->work;
    basins_expect(run, block);
    basins_pass cache[BASINS_CACHE] = {{0}};
    work->blocks[block] = (flood_block){0};
    for (int32_t y = basins_begin(block); y < basins_end(work, block); ++y)
    {
        const int64_t row = basins_row(work, y);
        uint8_t* differs = work->from + row;
        flow_kernels_of(wadi_isa_best())
            ->borders(work->width, work->stride, run->label + row, differs);
        const uint8_t* end = differs + work->width;
        const uint8_t* at = differs;
        while ((at = memchr(at, 1, (size_t)(end - at))) != NULL)
        {
            const int64_t cell = at - work->from;
            if (work->state[cell] != FLOOD_WALL)
            {
                basins_cross_at(run, block, cache, cell);
            }
            at += 1;
        }
    }
    for (int32_t i = 0; i < BASINS_CACHE; ++i)
    {
        if (cache[i].a != cache[i].b)
        {
            basins_keep_pass(work, block, &cache[i]);
        }
    }
}

// ---- levels ------------------------------------------------------------------------------

static uint32_t basins_root(flood_basin* basins, uint32_t basin)
{
    while (basins[basin].parent != basin)
    {
        basins[basin].parent = basins[basins[basin].parent].parent;
        basin = basins[basin].parent;
    }
    return basin;
}

static void basins_join(flood_basin* basins, uint32_t one, uint32_t other, int32_t level)
{
    flood_basin* a = &basins[basins_root(basins, one)];
    flood_basin* b = &basins[basins_root(basins, other)];
    if (a->level >= 0 || b->level >= 0)
    {
        a->level = a->level < 0 ? level : a->level;
        b->level = b->level < 0 ? level : b->level;
    }
    else
    {
        b->parent = a->parent;
    }
}

// Level of the water in each basin, without tilt; -1 where none can leave. False if there were too
// many passes.
static bool basins_find_levels(basins_run* run)
{
    wadi_flow_flood* work = run->work;
    for (int64_t block = 0; block < work->block_count; ++block)
    {
        const int64_t first = (int64_t)basins_begin(block) * work->width;
        for (int64_t i = 0; i < work->blocks[block].count; ++i)
        {
            const int64_t at = first + 3 * i;
            wadi_flow_push(&work->pits, (int32_t)work->touched[at + 2], at);
        }
        if (work->blocks[block].full)
        {
            return false;
        }
    }
    int32_t level;
    int64_t at;
    while (wadi_flow_pop(&work->pits, &level, &at))
    {
        basins_join(work->basins, work->touched[at], work->touched[at + 1], level);
    }
    for (uint32_t basin = 1; basin < (uint32_t)work->basin_count; ++basin)
    {
        work->basins[basin].level = work->basins[basins_root(work->basins, basin)].level;
    }
    return true;
}

// ---- water -------------------------------------------------------------------------------

// The level at which ground of a basin is dry for certain.
static int64_t basins_dry(const basins_run* run, uint32_t basin)
{
    const int32_t level = run->work->basins[basin].level;
    return level >= 0 ? level + run->margin : 0;
}

static bool basins_may_be_wet(uint32_t label)
{
    return label != 0 && label != BASINS_NONE;
}

static void basins_wet_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const basins_run* run = user;
    const flood_run* flood = run->flood;
    basins_expect(run, begin / FLOOD_BLOCK);
    for (int32_t y = begin; y < end; ++y)
    {
        const int64_t row = basins_row(run->work, y);
        for (int64_t c = row; c < row + run->work->width; ++c)
        {
            const uint32_t label = run->label[c];
            if (basins_may_be_wet(label) && flood->surface[c] < basins_dry(run, label))
            {
                run->work->state[c] = FLOOD_WET;
                flood->out[c] = FLOW_WALL;
            }
        }
    }
}

// The lowest level that dry neighbours allow a cell.
static int32_t basins_shore(const flood_run* run, int64_t cell)
{
    int32_t best = FLOW_WALL;
    for (int32_t d = 0; d < 8; ++d)
    {
        const int64_t n = flood_neighbour(run, cell, d);
        const uint8_t state = run->work->state[n];
        if (state != FLOOD_WET && state != FLOOD_WALL && run->out[n] < best - run->rise[d & 1])
        {
            best = run->out[n] + run->rise[d & 1];
        }
    }
    return best;
}

// Cells over whose shores water may leave; they lie in the block's part of `touched`.
static void basins_shore_block(int64_t block, int32_t worker, void* user)
{
    (void)worker;
    const basins_run* run = user;
    wadi_flow_flood* work = run->work;
    flood_block* own = &work->blocks[block];
    const int64_t first = (int64_t)basins_begin(block) * work->width;
    *own = (flood_block){0};
    basins_expect(run, block);
    for (int32_t y = basins_begin(block); y < basins_end(work, block); ++y)
    {
        const int64_t row = basins_row(work, y);
        uint8_t* shore = work->from + row;
        own->wet += flow_kernels_of(wadi_isa_best())
                        ->shores(work->width, work->stride, FLOOD_WET, work->state + row, shore);
        const uint8_t* end = shore + work->width;
        const uint8_t* at = shore;
        while ((at = memchr(at, 1, (size_t)(end - at))) != NULL)
        {
            const int64_t cell = at - work->from;
            const int32_t level = basins_shore(run->flood, cell);
            if (level < basins_dry(run, run->label[cell]))
            {
                work->touched[first + own->count++] = (uint32_t)cell;
            }
            at += 1;
        }
    }
}

static wadi_result basins_fill(basins_run* run)
{
    wadi_flow_flood* work = run->work;
    const flood_run* flood = run->flood;
    work->wet_count = 0;
    for (int64_t block = 0; block < work->block_count; ++block)
    {
        const uint32_t* cells = work->touched + (int64_t)basins_begin(block) * work->width;
        for (int64_t i = 0; i < work->blocks[block].count; ++i)
        {
            const int64_t cell = cells[i];
            const int32_t level = basins_shore(flood, cell);
            const int32_t h = flood->surface[cell];
            flood->out[cell] = level > h ? level : h;
            wadi_flow_push(&work->candidates, flood->out[cell], cell);
        }
        work->wet_count += work->blocks[block].wet;
    }
    wadi_flow_fill_wet(run->flood);
    wadi_flow_candidates_clear(&work->candidates);
    return work->candidates.result;
}

static void basins_check_block(int64_t block, int32_t worker, void* user)
{
    (void)worker;
    const basins_run* run = user;
    const wadi_flow_flood* work = run->work;
    const int32_t* rise = run->flood->rise;
    const int64_t most = rise[0] > rise[1] ? rise[0] : rise[1];
    bool full = false;
    basins_expect(run, block);
    for (int32_t y = basins_begin(block); y < basins_end(work, block); ++y)
    {
        const int64_t row = basins_row(work, y);
        for (int64_t c = row; c < row + work->width; ++c)
        {
            const uint32_t label = run->label[c];
            if (basins_may_be_wet(label) && work->basins[label].level >= 0)
            {
                full |= run->flood->out[c] != run->flood->surface[c] &&
                        run->flood->out[c] + most >= basins_dry(run, label);
            }
        }
    }
    work->blocks[block].full = full;
}

// Has the tilt raised water to the end of the margin?
static bool basins_exceeded(basins_run* run)
{
    wadi_flow_flood* work = run->work;
    wadi_parallel_blocks(work->context, work->block_count, basins_check_block, run);
    bool any = false;
    for (int64_t block = 0; block < work->block_count; ++block)
    {
        any |= work->blocks[block].full;
    }
    return any;
}

// ---- all ---------------------------------------------------------------------------------

wadi_result wadi_flow_basins(flood_run* flood, bool* done)
{
    wadi_flow_flood* work = flood->work;
    basins_run run = {
        .flood = flood,
        .work = work,
        .label = work->way,
        .margin = 2 * (int64_t)(work->width + work->height) * flood->drop[1],
    };
    WADI_TRY(basins_start(&run));
    wadi_flow_candidates_clear(&work->pits);
    basins_label(&run);
    wadi_parallel_blocks(work->context, work->block_count, basins_cross_block, &run);
    *done = basins_find_levels(&run);
    wadi_flow_candidates_clear(&work->pits);
    for (bool wider = *done; wider; run.margin *= BASINS_WIDER)
    {
        wadi_parallel_rows(work->context, work->height, FLOOD_BLOCK, basins_wet_rows, &run);
        wadi_parallel_blocks(work->context, work->block_count, basins_shore_block, &run);
        WADI_TRY(basins_fill(&run));
        wider = basins_exceeded(&run);
    }
    return work->pits.result;
}
