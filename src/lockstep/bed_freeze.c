// SPDX-License-Identifier: MIT
// The frozen ground: integer levels with a halo, and from them the float levels and normals that
// particles read.
#include "lockstep/bed_internal.h"

static const int32_t freeze_dx[8] = {-1, 0, 1, -1, 1, -1, 0, 1};
static const int32_t freeze_dy[8] = {-1, -1, -1, 0, 0, 1, 1, 1};

int32_t wadi_bed_neighbour_level(const particle_bed* bed, int32_t x, int32_t y, int32_t k)
{
    return particle_bed_levels(bed, y + freeze_dy[k])[x + freeze_dx[k]];
}

int64_t wadi_bed_neighbour(const particle_bed* bed, int32_t x, int32_t y, int32_t k)
{
    const wadi_ground* ground = bed->ground;
    if (wadi_bed_neighbour_level(bed, x, y, k) == PARTICLE_MISSING)
    {
        return -1;
    }
    // the halo holds a cell of the opposite edge only where edges are periodic
    const int32_t column = (x + freeze_dx[k] + ground->width) % ground->width;
    const int32_t row = (y + freeze_dy[k] + ground->height) % ground->height;
    return (int64_t)row * ground->width + column;
}

static void freeze_read_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const particle_bed* bed = user;
    const wadi_ground* ground = bed->ground;
    for (int32_t y = begin; y < end; ++y)
    {
        int32_t* levels = particle_bed_levels(bed, y);
        for (int32_t x = 0; x < ground->width; ++x)
        {
            const int64_t cell = (int64_t)y * ground->width + x;
            levels[x] =
                ground->valid[cell] != 0 ? wadi_ground_surface(ground, cell) : PARTICLE_MISSING;
        }
    }
}

// The halo is a copy of the opposite edge where edges are periodic, and missing elsewhere.
static void freeze_fill_halo(const particle_bed* bed)
{
    const wadi_ground* ground = bed->ground;
    const int32_t w = ground->width;
    const int32_t h = ground->height;
    const bool around = ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool along = ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    for (int32_t y = 0; y < h; ++y)
    {
        int32_t* row = particle_bed_levels(bed, y);
        row[-1] = around ? row[w - 1] : PARTICLE_MISSING;
        row[w] = around ? row[0] : PARTICLE_MISSING;
    }
    int32_t* above = particle_bed_levels(bed, -1) - 1;
    int32_t* below = particle_bed_levels(bed, h) - 1;
    for (int32_t x = 0; x < w + 2; ++x)
    {
        above[x] = along ? (particle_bed_levels(bed, h - 1) - 1)[x] : PARTICLE_MISSING;
        below[x] = along ? (particle_bed_levels(bed, 0) - 1)[x] : PARTICLE_MISSING;
    }
}

// Middle of all levels, so that float levels are most precise.
static int32_t freeze_datum(const particle_bed* bed)
{
    int64_t low = INT32_MAX;
    int64_t high = INT32_MIN;
    for (int32_t y = 0; y < bed->ground->height; ++y)
    {
        const int32_t* row = particle_bed_levels(bed, y);
        for (int32_t x = 0; x < bed->ground->width; ++x)
        {
            if (row[x] != PARTICLE_MISSING)
            {
                low = row[x] < low ? row[x] : low;
                high = row[x] > high ? row[x] : high;
            }
        }
    }
    return low > high ? 0 : (int32_t)((low + high) / 2);
}

// Copy the cells of worker 0 to the others: each worker reads its own.
static void freeze_copy(const particle_bed* bed, int64_t begin, int64_t end)
{
    const particle_cell* from = bed->workers[0].cells;
    for (int32_t w = 1; w < bed->worker_count; ++w)
    {
        particle_cell* to = bed->workers[w].cells;
        for (int64_t i = begin; i < end; ++i)
        {
            to[i] = (particle_cell){from[i].level, from[i].normal, 0};
        }
    }
}

static void freeze_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const particle_bed* bed = user;
    const int32_t width = bed->ground->width;
    for (int32_t x = 0; x < width; x += BED_TILE)
    {
        const bed_freeze_tile tile = {
            .levels = particle_bed_levels(bed, begin) + x,
            .stride = width + 2,
            .rows = end - begin,
            .columns = width - x < BED_TILE ? width - x : BED_TILE,
            .datum = bed->datum,
            .cells_per_unit = (float)(1.0 / (WADI_UNITS_PER_METRE * bed->ground->cell_size)),
            .out = bed->workers[0].cells + (int64_t)begin * width + x,
            .out_stride = width,
        };
        bed->kernels->freeze(&tile);
    }
    freeze_copy(bed, (int64_t)begin * width, (int64_t)end * width);
}

void wadi_bed_freeze(particle_bed* bed)
{
    freeze_fill_halo(bed);
    wadi_parallel_rows(bed->context, bed->ground->height, BED_GRAIN, freeze_rows, bed);
}

void wadi_particle_bed_read(particle_bed* bed)
{
    wadi_parallel_rows(bed->context, bed->ground->height, BED_GRAIN, freeze_read_rows, bed);
    bed->datum = freeze_datum(bed);
    wadi_bed_freeze(bed);
}
