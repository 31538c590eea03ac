// SPDX-License-Identifier: MIT
// Receivers of a tile from its levels and one ghost cell on each side.
#include "window/receivers.h"

#include <math.h>
#include <string.h>

wadi_result wadi_receivers_store(receivers_run* run, const tiling_frame* frame)
{
    const size_t width = (size_t)frame->tile.width;
    int8_t* raw = run->tiles->raw;
    for (int32_t y = 0; y < frame->tile.height; ++y)
    {
        memcpy(raw + (size_t)y * width, run->direction + tiling_at(frame, 0, y), width);
    }
    return wadi_tiling_write(run->tiles, &run->job->directions, frame);
}

wadi_result wadi_receivers_fetch(receivers_run* run, const tiling_frame* frame)
{
    const size_t width = (size_t)frame->tile.width;
    WADI_TRY(wadi_tiling_read(run->tiles, &run->job->directions, frame));
    const int8_t* raw = run->tiles->raw;
    for (int32_t y = 0; y < frame->tile.height; ++y)
    {
        memcpy(run->direction + tiling_at(frame, 0, y), raw + (size_t)y * width, width);
    }
    return WADI_OK;
}

wadi_result wadi_receivers_load(receivers_run* run, const tiling_frame* frame)
{
    const uint32_t open = TILING_VOID;
    const uint32_t closed = TILING_FAR;
    WADI_TRY(wadi_tiling_read(run->tiles, &run->job->levels, frame));
    wadi_tiling_keys(run->tiles, run->job->levels.type, frame, run->level);
    wadi_rings_load(run->grid, &run->tiles->level, frame, &open, &closed, run->level);
    return WADI_OK;
}

static bool receivers_is_outlet(const receivers_run* run, const tiling_frame* frame, ptrdiff_t cell)
{
    bool outlet = false;
    for (int k = 0; k < 8; ++k)
    {
        outlet = outlet || run->level[cell + frame->step[k]] == TILING_VOID;
    }
    return outlet;
}

static int8_t receivers_lowest(const receivers_run* run, const tiling_frame* frame, ptrdiff_t cell)
{
    uint32_t least = run->level[cell];
    int8_t direction = WADI_FLOW_NOWHERE;
    for (int k = 0; k < 8; ++k)
    {
        const uint32_t level = run->level[cell + frame->step[k]];
        if (level == TILING_VOID)
        {
            return WADI_FLOW_NOWHERE;
        }
        if (level < least)
        {
            least = level;
            direction = (int8_t)k;
        }
    }
    return direction;
}

// Among equal slopes the first direction wins; the arithmetic is that of wadi_flow_route().
static int8_t receivers_steepest(const receivers_run* run, const tiling_frame* frame,
                                 ptrdiff_t cell, const double distance[8])
{
    double steepest = 0.0;
    int8_t direction = WADI_FLOW_NOWHERE;
    for (int k = 0; k < 8; ++k)
    {
        const double slope =
            ((double)run->height[cell] - (double)run->height[cell + frame->step[k]]) / distance[k];
        if (slope > steepest) // false for NaN
        {
            steepest = slope;
            direction = (int8_t)k;
        }
    }
    return direction >= 0                          ? direction
           : receivers_is_outlet(run, frame, cell) ? (int8_t)WADI_FLOW_NOWHERE
                                                   : (int8_t)RECEIVERS_LEVEL;
}

static void receivers_distances(const wadi_tiles_route_job* job, int32_t row, double distance[8])
{
    const double dx = job->dx_of_row != NULL ? job->dx_of_row[row] : job->dx;
    for (int k = 0; k < 8; ++k)
    {
        distance[k] = (k & 1) != 0 ? sqrt(dx * dx + job->dy * job->dy) : k % 4 == 0 ? dx : job->dy;
    }
}

static void receivers_heights(receivers_run* run, const tiling_frame* frame)
{
    const bool is_float = run->job->levels.type == WADI_TILE_FLOAT32;
    for (ptrdiff_t i = 0; i < tiling_padded(frame); ++i)
    {
        run->height[i] = is_float                      ? wadi_tiling_float_of(run->level[i])
                         : run->level[i] >= TILING_FAR ? NAN
                                                       : (float)tiling_int_of(run->level[i]);
    }
}

static void receivers_tile(receivers_run* run, const tiling_frame* frame)
{
    const bool steepest = run->job->law == WADI_TILES_STEEPEST;
    double distance[8];
    if (steepest)
    {
        receivers_heights(run, frame);
    }
    for (int32_t y = 0; y < frame->tile.height; ++y)
    {
        receivers_distances(run->job, frame->tile.y + y, distance);
        for (int32_t x = 0; x < frame->tile.width; ++x)
        {
            const ptrdiff_t cell = tiling_at(frame, x, y);
            int8_t* to = &run->direction[cell];
            *to = run->level[cell] == TILING_VOID ? (int8_t)WADI_FLOW_VOID
                  : steepest                      ? receivers_steepest(run, frame, cell, distance)
                                                  : receivers_lowest(run, frame, cell);
            run->has_level[frame->index] |= *to == RECEIVERS_LEVEL ? 1 : 0;
        }
    }
}

// Border levels, where no flood has left them.
static wadi_result receivers_scan(receivers_run* run)
{
    if (run->tiles->level.bytes > 0)
    {
        return WADI_OK;
    }
    run->scanned = true;
    WADI_TRY(wadi_rings_create(run->tiles, 4, &run->tiles->level));
    for (int64_t i = 0; i < run->grid->tiles; ++i)
    {
        const tiling_frame frame = wadi_tiling_frame(run->grid, i);
        WADI_TRY(wadi_tiling_read(run->tiles, &run->job->levels, &frame));
        wadi_tiling_keys(run->tiles, run->job->levels.type, &frame, run->level);
        wadi_rings_save(run->grid, &run->tiles->level, &frame, run->level);
    }
    return WADI_OK;
}

static wadi_result receivers_all(receivers_run* run)
{
    wadi_context* context = run->tiles->context;
    WADI_TRY(receivers_scan(run));
    bool has_level = false;
    for (int64_t i = 0; i < run->grid->tiles; ++i)
    {
        const tiling_frame frame = wadi_tiling_frame(run->grid, i);
        WADI_TRY(wadi_receivers_load(run, &frame));
        receivers_tile(run, &frame);
        wadi_rings_save(run->grid, &run->tiles->direction, &frame, run->direction);
        WADI_TRY(wadi_receivers_store(run, &frame));
        has_level = has_level || run->has_level[i] != 0;
        WADI_CHECK(
            context,
            wadi_progress(context, (double)(i + 1) / (double)run->grid->tiles, "finding receivers"),
            WADI_ERROR_CANCELLED, "the search for receivers was stopped");
    }
    return has_level ? wadi_receivers_cross_flats(run) : WADI_OK;
}

static wadi_result receivers_allocate(receivers_run* run)
{
    wadi_context* context = run->tiles->context;
    const int64_t most = tiling_most(run->grid);
    WADI_TRY(wadi_rings_create(run->tiles, 1, &run->tiles->direction));
    WADI_ALLOC(context, run->has_level, run->grid->tiles, "receivers");
    WADI_ALLOC(context, run->level, most, "receivers");
    WADI_ALLOC(context, run->direction, most, "receivers");
    if (run->job->law == WADI_TILES_STEEPEST)
    {
        WADI_ALLOC(context, run->height, most, "receivers");
        WADI_ALLOC(context, run->queue, most, "receivers");
    }
    return WADI_OK;
}

static wadi_result receivers_check(wadi_context* context, const wadi_tiles_route_job* job)
{
    const bool steepest = job->law == WADI_TILES_STEEPEST;
    WADI_CHECK(context, steepest || job->law == WADI_TILES_LOWEST, WADI_ERROR_ARGUMENT,
               "unknown law of receivers %d; expected steepest (0) or lowest (1)", (int)job->law);
    WADI_CHECK(context,
               (job->levels.type == WADI_TILE_FLOAT32 ||
                (job->levels.type == WADI_TILE_INT32 && !steepest)) &&
                   job->directions.type == WADI_TILE_INT8,
               WADI_ERROR_ARGUMENT,
               "receivers need levels of FLOAT32, or INT32 by the lowest neighbour, and directions "
               "of INT8");
    WADI_CHECK(context,
               job->levels.read != NULL && job->directions.write != NULL &&
                   (!steepest || job->directions.read != NULL),
               WADI_ERROR_ARGUMENT,
               "receivers read levels, and write (steepest: also read) directions; a function is "
               "NULL");
    WADI_CHECK(context, !steepest || (job->dy > 0.0 && (job->dx_of_row != NULL || job->dx > 0.0)),
               WADI_ERROR_RANGE, "cells of %g x %g m: both sides must be above 0", job->dx,
               job->dy);
    return WADI_OK;
}

wadi_result wadi_tiles_route(wadi_tiles* tiles, const wadi_tiles_route_job* job)
{
    wadi_context* context = tiles->context;
    WADI_TRY(receivers_check(context, job));
    receivers_run run = {.tiles = tiles, .grid = &tiles->grid, .job = job};
    wadi_result result = receivers_allocate(&run);
    result = result == WADI_OK ? receivers_all(&run) : result;
    if (result != WADI_OK)
    {
        wadi_rings_destroy(tiles, &tiles->direction);
    }
    if (run.scanned)
    {
        wadi_rings_destroy(tiles, &tiles->level); // the next levels may be others
    }
    wadi_free(context, run.queue);
    wadi_free(context, run.height);
    wadi_free(context, run.direction);
    wadi_free(context, run.level);
    wadi_free(context, run.has_level);
    return result;
}
