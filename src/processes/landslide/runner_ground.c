// SPDX-License-Identifier: MIT
// Memory of the runner, and its copy of the ground with edges and voids.
#include "processes/landslide/runner.h"

#include <math.h>
#include <string.h>

enum
{
    GROUND_PLANES = 21
};

// ---- memory ------------------------------------------------------------------------------

static void* ground_plane(const runner* r, int32_t index)
{
    return r->memory + index * r->size;
}

// Divide the memory into planes; all have 4 bytes for a cell.
static void ground_place_planes(runner* r)
{
    runner_planes* p = &r->planes;
    p->bed = ground_plane(r, 0);
    p->mass = ground_plane(r, 1);
    p->soil = ground_plane(r, 2);
    p->worn = ground_plane(r, 3);
    p->least = ground_plane(r, 4);
    p->qx = ground_plane(r, 5);
    p->qy = ground_plane(r, 6);
    p->takes = ground_plane(r, 7);
    p->u = ground_plane(r, 8);
    p->v = ground_plane(r, 9);
    p->us = ground_plane(r, 10);
    p->vs = ground_plane(r, 11);
    p->bend = ground_plane(r, 12);
    p->rub = ground_plane(r, 13);
    p->mixed = ground_plane(r, 14);
    p->added = ground_plane(r, 15);
    p->gate = ground_plane(r, 16);
    p->fast = ground_plane(r, 17);
    p->depth = ground_plane(r, 18);
    p->push = ground_plane(r, 19);
    p->dawn = ground_plane(r, GROUND_PLANES - 1);
}

static wadi_result ground_allocate(runner* r)
{
    wadi_context* context = r->context;
    const int64_t tiles = (int64_t)r->columns * r->rows;
    WADI_ALLOC(context, r->memory, GROUND_PLANES * r->size, "planes of a flow");
    ground_place_planes(r);
    WADI_ALLOC(context, r->sinks, r->size, "planes of a flow");
    WADI_ALLOC(context, r->has_sinks, tiles, "tiles of a flow");
    WADI_ALLOC(context, r->fresh, tiles, "tiles of a flow");
    WADI_ALLOC(context, r->active, tiles, "tiles of a flow");
    WADI_ALLOC(context, r->touched, tiles, "tiles of a flow");
    WADI_ALLOC(context, r->moving, tiles, "tiles of a flow");
    WADI_ALLOC(context, r->fastest, tiles, "tiles of a flow");
    WADI_ALLOC(context, r->left, tiles, "tiles of a flow");
    WADI_ALLOC(context, r->list, tiles, "tiles of a flow");
    WADI_ALLOC(context, r->lengths, tiles, "tiles of a flow");
    for (ptrdiff_t i = 0; i < r->size; ++i)
    {
        r->planes.dawn[i] = INFINITY;
        r->planes.least[i] = INT32_MAX;
    }
    return WADI_OK;
}

void wadi_runner_destroy(runner* r)
{
    if (r == NULL)
    {
        return;
    }
    wadi_context* context = r->context;
    wadi_free(context, r->memory);
    wadi_free(context, r->sinks);
    wadi_free(context, r->has_sinks);
    wadi_free(context, r->fresh);
    wadi_free(context, r->active);
    wadi_free(context, r->touched);
    wadi_free(context, r->moving);
    wadi_free(context, r->fastest);
    wadi_free(context, r->left);
    wadi_free(context, r->list);
    wadi_free(context, r->lengths);
    wadi_free(context, r);
}

static void ground_measure(runner* r, const wadi_ground* ground)
{
    r->width = ground->width;
    r->height = ground->height;
    r->cell = ground->cell_size;
    r->wraps_x = ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    r->wraps_y = ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    r->columns = (r->width + 2 + RUNNER_TILE_WIDTH - 1) / RUNNER_TILE_WIDTH;
    r->rows = (r->height + 2 + RUNNER_TILE_HEIGHT - 1) / RUNNER_TILE_HEIGHT;
    r->planes.stride = (ptrdiff_t)r->columns * RUNNER_TILE_WIDTH + 2 * RUNNER_MARGIN;
    r->size = r->planes.stride * ((ptrdiff_t)r->rows * RUNNER_TILE_HEIGHT + 2);
    r->origin = 2 * r->planes.stride + RUNNER_MARGIN + 1;
    r->rests = true;
    r->top = r->rows;
    r->bottom = -1;
}

wadi_result wadi_runner_create(wadi_context* context, const wadi_ground* ground,
                               const runner_law* law, runner** out)
{
    runner* r;
    WADI_ALLOC(context, r, 1, "a flow");
    r->context = context;
    r->kernels = runner_kernels_of(wadi_isa_best());
    r->law = *law;
    ground_measure(r, ground);
    const wadi_result result = ground_allocate(r);
    if (result != WADI_OK)
    {
        wadi_runner_destroy(r);
        return result;
    }
    wadi_runner_follow(r, ground);
    *out = r;
    return WADI_OK;
}

// ---- ground ------------------------------------------------------------------------------

static int32_t ground_units(double metres)
{
    return (int32_t)(metres * WADI_UNITS_PER_METRE + 0.5);
}

// Thinnest flow that leaves a cell: in deep standing water one that reaches above it.
static int32_t ground_least(const runner* r, int32_t water)
{
    const int32_t thinnest = ground_units(r->law.thinnest);
    return water > ground_units(r->law.lake) && water > thinnest ? water : thinnest;
}

static void ground_copy_cell(const runner* r, const wadi_ground* ground, int64_t cell)
{
    const ptrdiff_t i = wadi_runner_at(r, cell);
    const runner_planes* p = &r->planes;
    const bool valid = ground->valid[cell] != 0;
    p->gate[i] = 1.0f;
    r->sinks[i] = valid ? 0 : (uint8_t)(1 + wadi_ground_void_side(ground, cell));
    p->bed[i] = wadi_ground_surface(ground, cell);
    p->soil[i] = valid ? p->bed[i] - ground->bedrock[cell] : 0;
    p->least[i] = ground_least(r, valid ? ground->water[cell] : 0);
}

// A void beside the ground lies as low as its lowest neighbour, so that a flow leaves into it.
static void ground_fill_void(const runner* r, const wadi_ground* ground, int64_t cell)
{
    const ptrdiff_t i = wadi_runner_at(r, cell);
    int32_t low = INT32_MAX;
    for (int32_t k = 0; k < 9; ++k)
    {
        const int64_t x = cell % ground->width + k % 3 - 1;
        const int64_t y = cell / ground->width + k / 3 - 1;
        if (x >= 0 && x < ground->width && y >= 0 && y < ground->height &&
            ground->valid[y * ground->width + x] != 0)
        {
            const int32_t height = wadi_ground_surface(ground, y * ground->width + x);
            low = height < low ? height : low;
        }
    }
    r->planes.bed[i] = low < INT32_MAX ? low : 0;
}

// The margin beyond one side: a wall, or ground that goes on with the slope of the last two cells.
static void ground_edge_cell(const runner* r, ptrdiff_t at, ptrdiff_t inner, ptrdiff_t further,
                             bool open, wadi_side side)
{
    const runner_planes* p = &r->planes;
    const int64_t on = 2 * (int64_t)p->bed[inner] - p->bed[further];
    const int64_t low = on < p->bed[inner] ? on : p->bed[inner];
    p->bed[at] = open ? (int32_t)(low > INT32_MIN ? low : INT32_MIN) : p->bed[inner];
    p->gate[at] = open ? 1.0f : 0.0f;
    p->least[at] = ground_units(r->law.thinnest);
    r->sinks[at] = open ? (uint8_t)(1 + side) : 0;
}

static void ground_edges(const runner* r, const wadi_ground* ground)
{
    const ptrdiff_t n = r->planes.stride;
    const ptrdiff_t east = r->width > 1 ? 1 : 0;
    const ptrdiff_t south = r->height > 1 ? n : 0;
    for (int32_t row = 0; row < r->height && !r->wraps_x; ++row)
    {
        const ptrdiff_t i = r->origin + row * n;
        const ptrdiff_t e = i + r->width - 1;
        ground_edge_cell(r, i - 1, i, i + east, ground->edges[WADI_SIDE_WEST] == WADI_EDGE_OPEN,
                         WADI_SIDE_WEST);
        ground_edge_cell(r, e + 1, e, e - east, ground->edges[WADI_SIDE_EAST] == WADI_EDGE_OPEN,
                         WADI_SIDE_EAST);
    }
    for (int32_t column = -1; column <= r->width && !r->wraps_y; ++column)
    {
        const ptrdiff_t i = r->origin + column;
        const ptrdiff_t e = i + (r->height - 1) * n;
        const bool corner = column < 0 || column == r->width;
        ground_edge_cell(r, i - n, i, i + south,
                         !corner && ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_OPEN,
                         WADI_SIDE_NORTH);
        ground_edge_cell(r, e + n, e, e - south,
                         !corner && ground->edges[WADI_SIDE_SOUTH] == WADI_EDGE_OPEN,
                         WADI_SIDE_SOUTH);
    }
}

static void ground_mark_sinks(const runner* r)
{
    for (int32_t tile = 0; tile < r->columns * r->rows; ++tile)
    {
        const ptrdiff_t first =
            (1 + (ptrdiff_t)(tile / r->columns) * RUNNER_TILE_HEIGHT) * r->planes.stride +
            RUNNER_MARGIN + (ptrdiff_t)(tile % r->columns) * RUNNER_TILE_WIDTH;
        r->has_sinks[tile] = 0;
        for (int32_t k = 0; k < RUNNER_TILE_WIDTH * RUNNER_TILE_HEIGHT; ++k)
        {
            const ptrdiff_t i =
                first + k / RUNNER_TILE_WIDTH * r->planes.stride + k % RUNNER_TILE_WIDTH;
            r->has_sinks[tile] |= r->sinks[i] != 0 ? 1 : 0;
        }
    }
}

static void ground_meet_edges(runner* r, const wadi_ground* ground)
{
    ground_edges(r, ground);
    wadi_runner_wrap(r, r->planes.bed);
    wadi_runner_wrap(r, r->planes.gate);
    wadi_runner_wrap(r, r->planes.least);
    r->since = 0;
}

void wadi_runner_follow(runner* r, const wadi_ground* ground)
{
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        ground_copy_cell(r, ground, cell);
    }
    for (int64_t cell = 0; cell < ground->cells; ++cell)
    {
        if (ground->valid[cell] == 0)
        {
            ground_fill_void(r, ground, cell);
        }
    }
    ground_meet_edges(r, ground);
    ground_mark_sinks(r);
}

// ---- the next flow -----------------------------------------------------------------------

// A tile without flow, and the ground of its cells.
static void ground_clear_tile(runner* r, int32_t tile)
{
    const runner_planes* p = &r->planes;
    void* const planes[] = {p->mass,  p->worn, p->qx,    p->qy,   p->takes, p->u,
                            p->v,     p->us,   p->vs,    p->bend, p->rub,   p->mixed,
                            p->added, p->fast, p->depth, p->push};
    const ptrdiff_t first = (1 + (ptrdiff_t)(tile / r->columns) * RUNNER_TILE_HEIGHT) * p->stride +
                            RUNNER_MARGIN + (ptrdiff_t)(tile % r->columns) * RUNNER_TILE_WIDTH;
    for (int32_t row = 0; row < RUNNER_TILE_HEIGHT; ++row)
    {
        const ptrdiff_t start = first + row * p->stride;
        for (int32_t k = 0; k < WADI_COUNT(planes); ++k)
        {
            memset((float*)planes[k] + start, 0, RUNNER_TILE_WIDTH * sizeof(float));
        }
        for (ptrdiff_t i = start; i < start + RUNNER_TILE_WIDTH; ++i)
        {
            p->dawn[i] = INFINITY;
        }
    }
    r->touched[tile] = r->fresh[tile] = r->active[tile] = 0;
    r->moving[tile] = r->fastest[tile] = 0.0f;
}

// Voids in and beside the tiles that the flow touched.
static void ground_fill_voids(const runner* r, const wadi_ground* ground)
{
    const int32_t top = r->top * RUNNER_TILE_HEIGHT - 2;
    const int32_t end = (r->bottom + 1) * RUNNER_TILE_HEIGHT;
    for (int32_t y = top > 0 ? top : 0; y < end && y < r->height; ++y)
    {
        for (int32_t x = 0; x < r->width; ++x)
        {
            const int64_t cell = (int64_t)y * r->width + x;
            if (ground->valid[cell] == 0)
            {
                ground_fill_void(r, ground, cell);
            }
        }
    }
}

void wadi_runner_reset(runner* r, const wadi_ground* ground)
{
    for (int64_t cell = wadi_runner_next(r, -1); cell >= 0; cell = wadi_runner_next(r, cell))
    {
        ground_copy_cell(r, ground, cell);
    }
    ground_fill_voids(r, ground);
    for (int32_t tile = r->top * r->columns; tile < (r->bottom + 1) * r->columns; ++tile)
    {
        if (r->touched[tile] != 0)
        {
            ground_clear_tile(r, tile);
        }
    }
    ground_meet_edges(r, ground);
    r->top = r->rows;
    r->bottom = -1;
    r->count = r->tiles = 0;
    r->time = r->last = r->quick = r->vigour = 0.0;
    r->steps = r->cell_steps = 0;
    r->rests = true;
}
