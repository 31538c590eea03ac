// SPDX-License-Identifier: MIT
// The frozen ground: levels of the surface with a rim around the grid, and from them the float
// levels and normals that droplets read.
#include "hydraulic/droplet_settle.h"

static const int32_t freeze_dx[8] = {-1, 0, 1, -1, 1, -1, 0, 1};
static const int32_t freeze_dy[8] = {-1, -1, -1, 0, 0, 1, 1, 1};

int32_t droplet_neighbour_level(const wadi_droplets* droplets, int32_t x, int32_t y, int32_t k)
{
    return droplet_levels_row(droplets, y + freeze_dy[k])[x + freeze_dx[k]];
}

int64_t droplet_neighbour(const wadi_droplets* droplets, int32_t x, int32_t y, int32_t k)
{
    const wadi_ground* ground = droplets->ground;
    if (droplet_neighbour_level(droplets, x, y, k) == DROPLET_MISSING)
    {
        return -1;
    }
    // the rim shows a cell of the opposite edge, and only where edges are periodic
    const int32_t column = (x + freeze_dx[k] + ground->width) % ground->width;
    const int32_t row = (y + freeze_dy[k] + ground->height) % ground->height;
    return (int64_t)row * ground->width + column;
}

static void freeze_read_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const wadi_droplets* droplets = user;
    const wadi_ground* ground = droplets->ground;
    for (int32_t y = begin; y < end; ++y)
    {
        int32_t* levels = droplet_levels_row(droplets, y);
        for (int32_t x = 0; x < ground->width; ++x)
        {
            const int64_t cell = (int64_t)y * ground->width + x;
            levels[x] =
                ground->valid[cell] != 0 ? wadi_ground_surface(ground, cell) : DROPLET_MISSING;
        }
    }
}

// The rim beyond periodic edges shows the opposite edge; elsewhere there is nothing.
static void freeze_fill_rim(const wadi_droplets* droplets)
{
    const wadi_ground* ground = droplets->ground;
    const int32_t w = ground->width;
    const int32_t h = ground->height;
    const bool around = ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool along = ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    for (int32_t y = 0; y < h; ++y)
    {
        int32_t* row = droplet_levels_row(droplets, y);
        row[-1] = around ? row[w - 1] : DROPLET_MISSING;
        row[w] = around ? row[0] : DROPLET_MISSING;
    }
    int32_t* above = droplet_levels_row(droplets, -1) - 1;
    int32_t* below = droplet_levels_row(droplets, h) - 1;
    for (int32_t x = 0; x < w + 2; ++x)
    {
        above[x] = along ? (droplet_levels_row(droplets, h - 1) - 1)[x] : DROPLET_MISSING;
        below[x] = along ? (droplet_levels_row(droplets, 0) - 1)[x] : DROPLET_MISSING;
    }
}

// Middle of all levels: float levels then have the most digits where they are needed.
static int32_t freeze_datum(const wadi_droplets* droplets)
{
    int64_t low = INT32_MAX;
    int64_t high = INT32_MIN;
    for (int32_t y = 0; y < droplets->ground->height; ++y)
    {
        const int32_t* row = droplet_levels_row(droplets, y);
        for (int32_t x = 0; x < droplets->ground->width; ++x)
        {
            if (row[x] != DROPLET_MISSING)
            {
                low = row[x] < low ? row[x] : low;
                high = row[x] > high ? row[x] : high;
            }
        }
    }
    return low > high ? 0 : (int32_t)((low + high) / 2);
}

static void freeze_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const wadi_droplets* droplets = user;
    const int32_t width = droplets->ground->width;
    for (int32_t x = 0; x < width; x += DROPLET_TILE)
    {
        const droplet_freeze_tile tile = {
            .levels = droplet_levels_row(droplets, begin) + x,
            .stride = width + 2,
            .rows = end - begin,
            .columns = width - x < DROPLET_TILE ? width - x : DROPLET_TILE,
            .datum = droplets->datum,
            .cells_per_unit = (float)(1.0 / (WADI_UNITS_PER_METRE * droplets->ground->cell_size)),
            .out = droplets->frozen + (int64_t)begin * width + x,
            .out_stride = width,
        };
        droplets->isa->freeze(&tile);
    }
}

void droplet_freeze(wadi_droplets* droplets)
{
    freeze_fill_rim(droplets);
    wadi_parallel_rows(droplets->context, droplets->ground->height, DROPLET_GRAIN, freeze_rows,
                       droplets);
}

void droplet_settle_start(wadi_droplets* droplets)
{
    wadi_parallel_rows(droplets->context, droplets->ground->height, DROPLET_GRAIN, freeze_read_rows,
                       droplets);
    droplets->datum = freeze_datum(droplets);
    droplet_freeze(droplets);
}
