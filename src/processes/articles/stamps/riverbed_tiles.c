// SPDX-License-Identifier: MIT
#include "processes/articles/stamps/riverbed_tiles.h"

#include "core/internal.h"
#include "core/isa.h"

#include <math.h>
#include <string.h>

enum
{
    TILES_QUEUE = 256,                          // queued stamps at which the kernel is called
    TILES_ROOM = TILES_QUEUE + RIVERBED_STRETCH // capacity of the queue
};

// ---- making ------------------------------------------------------------------------------

static int32_t tiles_margin(const riverbed_tiles* tiles)
{
    return 2 * tiles->reach + RIVERBED_LANES;
}

wadi_result wadi_riverbed_tiles_create(wadi_context* context, const wadi_ground* ground,
                                       double size, riverbed_tiles* out)
{
    *out = (riverbed_tiles){
        .width = ground->width,
        .height = ground->height,
        .columns = (ground->width + RIVERBED_TILE - 1) / RIVERBED_TILE,
        .rows = (ground->height + RIVERBED_TILE - 1) / RIVERBED_TILE,
        .size = size,
        .reach = (int32_t)ceil(size),
    };
    out->stride = RIVERBED_TILE + 2 * tiles_margin(out);
    WADI_ALLOC(context, out->sums, ground->cells, "sums of stamps");
    WADI_ALLOC(context, out->touched, (int64_t)out->columns * out->rows, "marks of tiles");
    WADI_ALLOC(context, out->buffer, wadi_context_workers(context), "buffers of tiles");
    out->workers = wadi_context_workers(context);
    for (int32_t i = 0; i < out->workers; ++i)
    {
        WADI_ALLOC(context, out->buffer[i], (int64_t)out->stride * out->stride, "a tile's buffer");
    }
    return WADI_OK;
}

void wadi_riverbed_tiles_destroy(wadi_context* context, riverbed_tiles* tiles)
{
    for (int32_t i = 0; i < tiles->workers; ++i)
    {
        wadi_free(context, tiles->buffer[i]);
    }
    wadi_free(context, tiles->buffer);
    wadi_free(context, tiles->touched);
    wadi_free(context, tiles->sums);
}

riverbed_box wadi_riverbed_tiles_box(const riverbed_tiles* tiles, int64_t tile)
{
    const int32_t x = (int32_t)(tile % tiles->columns) * RIVERBED_TILE;
    const int32_t y = (int32_t)(tile / tiles->columns) * RIVERBED_TILE;
    const int32_t right = x + RIVERBED_TILE;
    const int32_t bottom = y + RIVERBED_TILE;
    return (riverbed_box){x, y, right < tiles->width ? right : tiles->width,
                          bottom < tiles->height ? bottom : tiles->height};
}

// ---- one tile ----------------------------------------------------------------------------

typedef struct tiles_job
{
    riverbed_tiles* tiles;
    const riverbed_orbit* orbit;
    const riverbed_path* paths;
    int32_t count;
} tiles_job;

// State of a worker on one tile.
typedef struct tiles_work
{
    const riverbed_tiles* tiles;
    riverbed_box box;
    int32_t* buffer;
    uint8_t* touched;
    int64_t pending; // stamps in the buffer
    int32_t queued;
    int32_t corner[TILES_ROOM];
    float x[TILES_ROOM];
    float y[TILES_ROOM];
} tiles_work;

// Add the buffer's sums to the grid and clear the buffer.
static void tiles_flush(tiles_work* work)
{
    const riverbed_tiles* tiles = work->tiles;
    const int32_t margin = tiles_margin(tiles);
    for (int32_t y = work->box.y0; y < work->box.y1; ++y)
    {
        int64_t* to = tiles->sums + (int64_t)y * tiles->width;
        const int32_t* from = work->buffer +
                              (ptrdiff_t)(y - work->box.y0 + margin) * tiles->stride + margin -
                              work->box.x0;
        for (int32_t x = work->box.x0; x < work->box.x1; ++x)
        {
            to[x] += from[x];
        }
    }
    *work->touched = 1;
    memset(work->buffer, 0, (size_t)tiles->stride * (size_t)tiles->stride * sizeof *work->buffer);
    work->pending = 0;
}

static void tiles_run_queue(tiles_work* work)
{
    const riverbed_tiles* tiles = work->tiles;
    const riverbed_stamps stamps = {
        .sums = work->buffer,
        .stride = tiles->stride,
        .reach = tiles->reach,
        .span = (2 * tiles->reach + RIVERBED_LANES - 1) / RIVERBED_LANES * RIVERBED_LANES,
        .squared = (float)(tiles->size * tiles->size),
        .count = work->queued,
        .corner = work->corner,
        .x = work->x,
        .y = work->y,
    };
    riverbed_build_of(wadi_isa_best())->stamp(&stamps);
    work->pending += work->queued;
    work->queued = 0;
    // flush before 32 bits could overflow
    if ((work->pending + TILES_ROOM) * (RIVERBED_PARTS * (int64_t)tiles->reach + 1) > INT32_MAX)
    {
        tiles_flush(work);
    }
}

// Narrow [first, last] to the steps at which start + n stride can lie in [low, high].
static void tiles_narrow(double start, double stride, double low, double high, double* first,
                         double* last)
{
    if (fabs(stride) < 1e-12)
    {
        *last = start < low || start > high ? 0.0 : *last;
        return;
    }
    const double a = (low - start) / stride;
    const double b = (high - start) / stride;
    *first = fmax(*first, fmin(a, b));
    *last = fmin(*last, fmax(a, b));
}

// Queue the stamps of some steps that touch the tile.
static void tiles_queue(tiles_work* work, const riverbed_orbit* orbit, const riverbed_path* path,
                        int32_t first, int32_t steps)
{
    const riverbed_tiles* tiles = work->tiles;
    const riverbed_box* box = &work->box;
    const int32_t shift = tiles_margin(tiles) + 1 - tiles->reach;
    const riverbed_stretch stretch = {
        .path = path,
        .orbit = orbit,
        .first = first,
        .count = steps < RIVERBED_STRETCH ? steps : RIVERBED_STRETCH,
        .left = box->x0 - tiles->size,
        .top = box->y0 - tiles->size,
        .right = box->x1 - 1 + tiles->size,
        .bottom = box->y1 - 1 + tiles->size,
        .stride = tiles->stride,
        .origin = (shift - box->y0) * tiles->stride + shift - box->x0,
    };
    work->queued += riverbed_build_of(wadi_isa_best())
                        ->place(&stretch, work->corner + work->queued, work->x + work->queued,
                                work->y + work->queued);
    if (work->queued >= TILES_QUEUE)
    {
        tiles_run_queue(work);
    }
}

// Process the section of a path whose centre is near enough for the particle to touch the tile.
static void tiles_walk(tiles_work* work, const riverbed_orbit* orbit, const riverbed_path* path)
{
    const double reach = orbit->reach + 1.0; // one cell more for rounding
    double first = 1.0;
    double last = path->steps;
    tiles_narrow(path->start.x, path->stride.x, work->box.x0 - reach, work->box.x1 + reach, &first,
                 &last);
    tiles_narrow(path->start.y, path->stride.y, work->box.y0 - reach, work->box.y1 + reach, &first,
                 &last);
    const int32_t end = first <= last ? (int32_t)last : 0;
    for (int32_t n = (int32_t)first; n <= end; n += RIVERBED_STRETCH)
    {
        tiles_queue(work, orbit, path, n, end - n + 1);
    }
}

static void tiles_stamp_one(int64_t tile, int32_t worker, void* user)
{
    const tiles_job* job = user;
    riverbed_tiles* tiles = job->tiles;
    tiles_work work;
    work.tiles = tiles;
    work.box = wadi_riverbed_tiles_box(tiles, tile);
    work.buffer = tiles->buffer[worker];
    work.touched = &tiles->touched[tile];
    work.pending = 0;
    work.queued = 0;
    for (int32_t i = 0; i < job->count; ++i)
    {
        tiles_walk(&work, job->orbit, &job->paths[i]);
    }
    if (work.queued > 0)
    {
        tiles_run_queue(&work);
    }
    if (work.pending > 0)
    {
        tiles_flush(&work);
    }
}

void wadi_riverbed_tiles_stamp(wadi_context* context, riverbed_tiles* tiles,
                               const riverbed_orbit* orbit, const riverbed_path* paths,
                               int32_t count)
{
    tiles_job job = {tiles, orbit, paths, count};
    wadi_parallel_blocks(context, (int64_t)tiles->columns * tiles->rows, tiles_stamp_one, &job);
}
