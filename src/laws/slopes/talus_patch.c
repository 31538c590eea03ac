// SPDX-License-Identifier: MIT
#include "laws/slopes/talus_patch.h"

#include <string.h>

static int32_t patch_wrap(int32_t i, int32_t size)
{
    return (i % size + size) % size;
}

static int32_t patch_loose(const wadi_ground* ground, int64_t cell)
{
    int32_t sum = 0;
    for (int32_t i = 0; i < ground->loose_count; ++i)
    {
        sum += ground->loose[i][cell];
    }
    return sum;
}

// Arguments of loading one tile.
typedef struct patch_job
{
    talus_patch* patch;
    const talus_setting* setting;
    const wadi_ground* ground;
    const talus_tile* tile;
    int32_t base; // surface of the tile's first cell
    bool whole;   // load all columns
} patch_job;

// Several loose layers: all of them slide, the top one first.
static void patch_read_layers(const patch_job* job, int64_t cell, int32_t at, int32_t count)
{
    for (int32_t x = 0; x < count; ++x)
    {
        const int32_t sum = patch_loose(job->ground, cell + x);
        const talus_read_row row = {
            job->ground->bedrock + cell + x, &sum, 1, job->base, job->patch->surface + at + x,
            job->patch->loose + at + x};
        job->setting->kernels->read(&row);
    }
}

static void patch_read_voids(const patch_job* job, int64_t cell, int32_t at, int32_t count)
{
    for (int32_t x = 0; x < count; ++x)
    {
        if (job->ground->valid[cell + x] == 0)
        {
            job->patch->surface[at + x] = TALUS_WALL;
            job->patch->loose[at + x] = 0.0f;
        }
    }
}

// Read `count` cells of row y from column x of the grid into the patch at `at`.
static void patch_read(const patch_job* job, int32_t x, int32_t y, int32_t at, int32_t count)
{
    const wadi_ground* ground = job->ground;
    const int64_t cell = (int64_t)y * ground->width + x;
    if (ground->loose_count > 1)
    {
        patch_read_layers(job, cell, at, count);
    }
    else
    {
        const talus_read_row row = {
            ground->bedrock + cell,   ground->loose[0] + cell, count, job->base,
            job->patch->surface + at, job->patch->loose + at};
        job->setting->kernels->read(&row);
    }
    if (!ground->all_valid)
    {
        patch_read_voids(job, cell, at, count);
    }
    if (job->setting->law->tangents != NULL)
    {
        memcpy(job->patch->tangents + at, job->setting->law->tangents + cell,
               (size_t)count * sizeof *job->patch->tangents);
    }
}

// Height beyond an open edge, extrapolated with the same slope but less than the rock limit, even
// in a corner (0.7 < 1 / sqrt(2)). Otherwise rock at the edge would fail forever, since the slope
// stays the same.
static int32_t patch_beyond(const patch_job* job, int32_t last, int32_t before)
{
    if (last == TALUS_WALL || before == TALUS_WALL)
    {
        return last;
    }
    const int64_t most = TALUS_WALL - 1;
    const int64_t drop = (int64_t)(0.7f * job->setting->scale.rock_hold);
    const int64_t rise = (int64_t)last - before;
    const int64_t height = last + (rise > -drop ? rise : -drop);
    return (int32_t)(height > most ? most : height < -most ? -most : height);
}

// First cell beyond the edge, from the two cells before it in the direction of `inward`.
static void patch_edge(const patch_job* job, int32_t at, int32_t inward, wadi_edge edge, bool alone)
{
    const int32_t* surface = job->patch->surface + at;
    int32_t height = TALUS_WALL;
    if (edge == WADI_EDGE_OPEN)
    {
        const int32_t last = surface[inward];
        height = patch_beyond(job, last, alone ? last : surface[2 * inward]);
    }
    job->patch->surface[at] = height;
    job->patch->loose[at] = 0.0f;
}

// Fill the cell of a row at `column`, beyond the grid.
static void patch_outside(const patch_job* job, int32_t y, int32_t row, int32_t column)
{
    const wadi_ground* ground = job->ground;
    const bool west = column < 0;
    const int32_t x = job->tile->x + column;
    const wadi_edge edge = ground->edges[west ? WADI_SIDE_WEST : WADI_SIDE_EAST];
    const int32_t at = talus_patch_index(column, row);
    if (edge == WADI_EDGE_PERIODIC)
    {
        patch_read(job, patch_wrap(x, ground->width), y, at, 1);
    }
    else if (x == -1 || x == ground->width)
    {
        patch_edge(job, at, west ? 1 : -1, edge, ground->width == 1);
    }
    else
    {
        patch_edge(job, at, 0, WADI_EDGE_CLOSED, true);
    }
}

// Load the columns from `begin` to `end` of a row; both may lie outside the tile and its halo.
static void patch_load_columns(const patch_job* job, int32_t y, int32_t row, int32_t begin,
                               int32_t end)
{
    const talus_tile* tile = job->tile;
    const int32_t reach = tile->width + TALUS_HALO;
    const int32_t from = begin > -TALUS_HALO ? begin : -TALUS_HALO;
    const int32_t to = end < reach ? end : reach;
    const int32_t room = job->ground->width - tile->x;
    const int32_t first = from > -tile->x ? from : -tile->x;
    const int32_t last = to < room ? to : room;
    if (first < last)
    {
        patch_read(job, tile->x + first, y, talus_patch_index(first, row), last - first);
    }
    for (int32_t column = first - 1; column >= from; --column)
    {
        patch_outside(job, y, row, column);
    }
    for (int32_t column = last > from ? last : from; column < to; ++column)
    {
        patch_outside(job, y, row, column);
    }
}

// Bits of the vectors of a row that an active vector reads: its own row and those beside it.
static uint32_t patch_vectors_needed(const talus_patch* patch, const talus_tile* tile, int32_t row)
{
    uint32_t vectors = 0;
    for (int32_t beside = row - 1; beside <= row + 1; ++beside)
    {
        vectors |= beside >= -1 && beside <= tile->height ? patch->awake[beside + 1] : 0;
    }
    return vectors;
}

// Load what active vectors need of a row: their cells and one on each side, and two more in the
// west, since cells beyond an open edge are extrapolated from the two before it. The first cell of
// vector g is in column TALUS_LANES g - 1.
static void patch_load_row(const patch_job* job, int32_t y, int32_t row)
{
    enum
    {
        VECTORS = WADI_TALUS_TILE_WIDTH / TALUS_LANES + 1
    };
    const uint32_t all = (1u << VECTORS) - 1u;
    const uint32_t vectors =
        job->whole ? all : all & patch_vectors_needed(job->patch, job->tile, row);
    for (int32_t begin = 0; begin < VECTORS; ++begin)
    {
        int32_t end = begin;
        while ((vectors >> end & 1u) != 0)
        {
            end += 1;
        }
        if (end > begin)
        {
            patch_load_columns(job, y, row, begin * TALUS_LANES - 4, end * TALUS_LANES);
            begin = end;
        }
    }
}

// Fill a row beyond the north or south edge from the two rows before it.
static void patch_edge_row(const patch_job* job, int32_t row, wadi_edge edge, bool next)
{
    const int32_t inward = row < 0 ? TALUS_PATCH_STRIDE : -TALUS_PATCH_STRIDE;
    for (int32_t column = -TALUS_HALO; column < job->tile->width + TALUS_HALO; ++column)
    {
        patch_edge(job, talus_patch_index(column, row), inward, next ? edge : WADI_EDGE_CLOSED,
                   job->ground->height == 1);
    }
}

static void patch_outside_row(const patch_job* job, int32_t row)
{
    const wadi_ground* ground = job->ground;
    const int32_t y = job->tile->y + row;
    const wadi_edge edge = ground->edges[row < 0 ? WADI_SIDE_NORTH : WADI_SIDE_SOUTH];
    if (edge == WADI_EDGE_PERIODIC)
    {
        patch_load_row(job, patch_wrap(y, ground->height), row);
        return;
    }
    patch_edge_row(job, row, edge, y == -1 || y == ground->height);
}

// Kernels process whole vectors: cells behind the last column must hold no loose matter.
static void patch_empty_margin(talus_patch* patch, const talus_tile* tile)
{
    for (int32_t row = -1; row <= tile->height; ++row)
    {
        if (patch->awake[row + 1] == 0)
        {
            continue;
        }
        float* loose = patch->loose + talus_patch_index(tile->width + 1, row);
        memset(loose, 0, TALUS_LANES * sizeof *loose);
    }
}

// Bit set of the rows to load, from row -TALUS_HALO on: active rows and their neighbours. On a
// field of dunes they are a third.
static uint64_t patch_rows_needed(const talus_patch* patch, const talus_tile* tile)
{
    uint64_t rows = 0;
    for (int32_t row = -1; row <= tile->height; ++row)
    {
        rows |= patch->awake[row + 1] != 0 ? (uint64_t)7 << (row - 1 + TALUS_HALO) : 0;
    }
    return rows;
}

// True if the rows beyond an edge of the tile are extrapolated from those before it.
static bool patch_is_at_edge(const talus_setting* setting, const talus_tile* tile)
{
    const wadi_ground* ground = setting->ground;
    const bool at_edge = tile->y == 0 || tile->y + tile->height == ground->height;
    return at_edge && ground->edges[WADI_SIDE_NORTH] != WADI_EDGE_PERIODIC;
}

void wadi_talus_patch_load(talus_patch* patch, const talus_setting* setting, const talus_tile* tile,
                           bool all)
{
    const bool whole = all || patch_is_at_edge(setting, tile);
    const uint64_t needs = whole ? UINT64_MAX : patch_rows_needed(patch, tile);
    const wadi_ground* ground = setting->ground;
    const int64_t cell = (int64_t)tile->y * ground->width + tile->x;
    const patch_job job = {patch, setting, ground, tile, wadi_ground_surface(ground, cell), whole};
    for (int32_t row = -TALUS_HALO; row < tile->height + TALUS_HALO; ++row)
    {
        const int32_t y = tile->y + row;
        if (y >= 0 && y < ground->height && (needs >> (row + TALUS_HALO) & 1u) != 0)
        {
            patch_load_row(&job, y, row);
        }
    }
    // beyond the edges, from the inside out
    for (int32_t step = 1; step <= TALUS_HALO; ++step)
    {
        if (tile->y - step < 0 && (needs >> (TALUS_HALO - step) & 1u) != 0)
        {
            patch_outside_row(&job, -step);
        }
        const int32_t beyond = tile->height - 1 + step;
        if (tile->y + beyond >= ground->height && (needs >> (beyond + TALUS_HALO) & 1u) != 0)
        {
            patch_outside_row(&job, beyond);
        }
    }
    patch_empty_margin(patch, tile);
}
