// SPDX-License-Identifier: MIT
// Reptation. Each slab that comes down sets grains rolling to the two steepest of the eight
// neighbours, each in proportion to its steepness. Of the article's event of probability 1 - V its
// expectation is taken, which needs no random number and commutes.
//
// The article's epsilon_R = 0.1 m is taken as what a slab of 0.1 m moves over one metre of way down
// a slope of 1, shared out by steepness; read as 0.1 m at any slope, grains would roll against
// slopes of a grain's height and swap neighbours from step to step.
#include "processes/articles/slabs/slab_creep.h"

#include "core/internal.h"
#include "processes/articles/slabs/slab_creep_kernels.h"

enum
{
    CREEP_BLOCK = 32,    // rows
    CREEP_MARGIN = 1,    // cells beside a row
    CREEP_LANES = 16,    // cells of the longest vector; rows have room for whole ones
    CREEP_REACH = 2,     // cells: what rolls into one depends on those around its neighbours
    CREEP_WALL = 1 << 30 // [units] level of missing cells: no grains roll there
};

// Rows around the one at work; row r is in slot r mod 3. They point at the first cell.
typedef struct creep_rows
{
    int32_t* level[3];
    creep_gifts gifts[3];
    int32_t* sand;
    int32_t* struck;
} creep_rows;

struct slab_creep
{
    int32_t* change;  // [units] by cell
    int32_t* memory;  // of all workers' rows
    creep_rows* rows; // by worker
    int32_t first;    // column of the first cell of the rows
    int32_t width;    // cells of the rows: the owned ones, and ghosts that they depend on
    int32_t planned;  // the same in whole vectors
    int32_t stride;   // the same with its margins
    const slab_creep_kernels* kernels;
};

// ---- making ------------------------------------------------------------------------------

enum
{
    CREEP_ARRAYS = 3 * 5 + 2 // of a worker
};

// Cut the memory of one worker into rows.
static creep_rows creep_cut(int32_t* memory, ptrdiff_t stride)
{
    creep_rows rows;
    int32_t* next = memory + CREEP_MARGIN;
    for (int32_t slot = 0; slot < 3; ++slot, next += 5 * stride)
    {
        rows.level[slot] = next;
        rows.gifts[slot] = (creep_gifts){{next + stride, next + 2 * stride},
                                         {next + 3 * stride, next + 4 * stride}};
    }
    rows.sand = next;
    rows.struck = next + stride;
    return rows;
}

// Set the columns of the rows.
static void creep_cut_columns(slab_creep* creep, const wadi_ground* ground)
{
    const wadi_owned owned = wadi_ground_owned(ground);
    const int32_t end = owned.end_x + CREEP_REACH;
    creep->first = owned.x > CREEP_REACH ? owned.x - CREEP_REACH : 0;
    creep->width = (end < ground->width ? end : ground->width) - creep->first;
    creep->planned = (creep->width + CREEP_LANES - 1) / CREEP_LANES * CREEP_LANES;
}

wadi_result wadi_slab_creep_create(slab_bed* bed)
{
    WADI_ALLOC(bed->context, bed->creep, 1, "reptation");
    slab_creep* creep = bed->creep;
    const int32_t workers = wadi_context_workers(bed->context);
    creep_cut_columns(creep, bed->ground);
    creep->stride = creep->planned + 2 * CREEP_MARGIN;
    creep->kernels = slab_creep_kernels_of(wadi_isa_best());
    const int64_t cells = (int64_t)creep->stride * CREEP_ARRAYS;
    WADI_ALLOC(bed->context, creep->change, bed->ground->cells, "reptation");
    WADI_ALLOC(bed->context, creep->rows, workers, "reptation");
    WADI_ALLOC(bed->context, creep->memory, cells * workers, "reptation");
    for (int32_t w = 0; w < workers; ++w)
    {
        creep->rows[w] = creep_cut(creep->memory + cells * w, creep->stride);
    }
    return WADI_OK;
}

void wadi_slab_creep_destroy(slab_bed* bed)
{
    if (bed->creep != NULL)
    {
        wadi_free(bed->context, bed->creep->change);
        wadi_free(bed->context, bed->creep->rows);
        wadi_free(bed->context, bed->creep->memory);
        wadi_free(bed->context, bed->creep);
    }
}

// ---- reading -----------------------------------------------------------------------------

// The row of the grid that row y is, one beyond the edges being the other side's where they are
// periodic; -1 for none.
static int32_t creep_row(const wadi_ground* ground, int32_t y)
{
    const bool wraps = ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    const int32_t height = ground->height;
    return y >= 0 && y < height ? y : wraps ? (y % height + height) % height : -1;
}

// Copy the ends of a row to its margins where east and west are one; else write `beyond` there.
static void creep_close(const slab_bed* bed, int32_t* row, int32_t beyond)
{
    const bool wraps = bed->ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const int32_t width = bed->creep->width;
    row[-1] = wraps ? row[width - 1] : beyond;
    row[width] = wraps ? row[0] : beyond;
}

static int32_t creep_level(const wadi_ground* ground, int64_t cell, int64_t base)
{
    const int64_t level = (int64_t)wadi_ground_surface(ground, cell) - base;
    const int64_t high = level < CREEP_WALL ? level : CREEP_WALL - 1;
    return ground->valid[cell] == 0 ? CREEP_WALL : high > -CREEP_WALL ? (int32_t)high : -CREEP_WALL;
}

// Levels of row y above `base`; missing cells are walls.
static void creep_load(const slab_bed* bed, creep_rows* rows, int32_t y, int64_t base)
{
    const wadi_ground* ground = bed->ground;
    int32_t* level = rows->level[(y + 3) % 3];
    const int32_t row = creep_row(ground, y);
    const int64_t first = (int64_t)row * ground->width + bed->creep->first;
    for (int32_t x = 0; x < bed->creep->width; ++x)
    {
        level[x] = row < 0 ? CREEP_WALL : creep_level(ground, first + x, base);
    }
    creep_close(bed, level, CREEP_WALL);
}

// ---- rolling -----------------------------------------------------------------------------

static void creep_plan(const slab_bed* bed, creep_rows* rows, int32_t y)
{
    const wadi_ground* ground = bed->ground;
    const creep_gifts gifts = rows->gifts[(y + 3) % 3];
    const int32_t row = creep_row(ground, y);
    for (int32_t x = 0; x < bed->creep->width; ++x)
    {
        const int64_t cell = (int64_t)row * ground->width + bed->creep->first + x;
        rows->sand[x] = row < 0 ? 0 : slab_sand(ground, cell);
        rows->struck[x] = row < 0 ? 0 : bed->struck[cell];
    }
    bed->creep->kernels->plan(&(creep_plan_row){.north = rows->level[(y + 2) % 3],
                                                .here = rows->level[(y + 3) % 3],
                                                .south = rows->level[(y + 4) % 3],
                                                .sand = rows->sand,
                                                .struck = rows->struck,
                                                .rate = bed->law.creep,
                                                .count = bed->creep->planned,
                                                .gifts = gifts});
    for (int32_t i = 0; i < 2; ++i)
    {
        creep_close(bed, gifts.way[i], 0);
        creep_close(bed, gifts.amount[i], 0);
    }
}

static void creep_sum(const slab_bed* bed, const creep_rows* rows, int32_t y)
{
    const slab_creep* creep = bed->creep;
    const int64_t first = (int64_t)y * bed->ground->width + creep->first;
    creep->kernels->sum(&(creep_sum_row){.north = rows->gifts[(y + 2) % 3],
                                         .here = rows->gifts[y % 3],
                                         .south = rows->gifts[(y + 1) % 3],
                                         .count = creep->width,
                                         .change = creep->change + first});
}

// Rows from the first owned one on.
static void creep_plan_rows(int32_t first, int32_t last, int32_t worker, void* job)
{
    const slab_bed* bed = job;
    creep_rows* rows = &bed->creep->rows[worker];
    const wadi_owned owned = wadi_ground_owned(bed->ground);
    const int32_t begin = owned.y + first;
    const int32_t end = owned.y + last;
    const int64_t base = wadi_ground_surface(bed->ground, (int64_t)begin * bed->ground->width);
    creep_load(bed, rows, begin - 2, base);
    creep_load(bed, rows, begin - 1, base);
    for (int32_t y = begin - 1; y <= end; ++y)
    {
        creep_load(bed, rows, y + 1, base);
        creep_plan(bed, rows, y);
        if (y > begin)
        {
            creep_sum(bed, rows, y - 1);
        }
    }
}

static void creep_apply(const slab_bed* bed, int64_t first, int64_t count, wadi_tally* tally)
{
    const int32_t width = bed->ground->width;
    for (int64_t done = 0; done < count; done += width)
    {
        const int64_t left = count - done;
        wadi_ground_change_row(bed->ground, first + done, left < width ? (int32_t)left : width,
                               bed->creep->change + first + done, tally);
    }
}

static void creep_apply_rows(int32_t begin, int32_t end, int32_t worker, void* job)
{
    wadi_slab_runs(job, begin, end, worker, creep_apply);
}

void wadi_slab_creep_roll(slab_bed* bed)
{
    const int32_t height = bed->ground->height;
    const wadi_owned owned = wadi_ground_owned(bed->ground);
    wadi_parallel_rows(bed->context, owned.end_y - owned.y, CREEP_BLOCK, creep_plan_rows, bed);
    wadi_parallel_rows(bed->context, height, CREEP_BLOCK, creep_apply_rows, bed);
}
