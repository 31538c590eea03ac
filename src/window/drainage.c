// SPDX-License-Identifier: MIT
// Drainage area and implicit stream power in two passes over the tiles. The first pass finds the
// trunks (trunks.h); the second computes each tile from the values at its borders.
#include "window/drainage.h"

#include "core/dmath.h"

#include <math.h>
#include <string.h>

double wadi_drainage_factor(const drainage_run* run, double area, int32_t row, int direction)
{
    const wadi_tiles_drain_job* job = run->job;
    const wadi_tiles_power* power = &job->power;
    const double dx = job->dx_of_row != NULL ? job->dx_of_row[row] : job->dx;
    const double length = (direction & 1) != 0 ? sqrt(dx * dx + job->dy * job->dy)
                          : direction % 4 == 0 ? dx
                                               : job->dy;
    const double flow =
        power->area_exponent == 0.5 ? sqrt(area) : wadi_pow(area, power->area_exponent);
    return power->erodibility * power->years * flow / length;
}

// ---- a tile in memory --------------------------------------------------------------------

static int8_t drainage_most(const int8_t* directions, ptrdiff_t count)
{
    int8_t most = WADI_FLOW_VOID;
    for (ptrdiff_t i = 0; i < count; ++i)
    {
        most = directions[i] > most ? directions[i] : most;
    }
    return most;
}

// The layer is the caller's: each direction must lead to a neighbour.
static wadi_result drainage_check_cells(const drainage_run* run, const wadi_tile* tile)
{
    const int8_t most = drainage_most(run->tiles->raw, (ptrdiff_t)tile->width * tile->height);
    WADI_CHECK(run->tiles->context, most < 8, WADI_ERROR_FORMAT,
               "direction %d in the tile at column %d, row %d; expected -2 to 7, as "
               "wadi_tiles_route() writes them",
               most, tile->x, tile->y);
    return WADI_OK;
}

static wadi_result drainage_load(drainage_run* run, const tiling_frame* frame)
{
    const int8_t open = WADI_FLOW_VOID;
    const int8_t closed = WADI_FLOW_NOWHERE;
    const int8_t* raw = run->tiles->raw;
    WADI_TRY(wadi_tiling_read(run->tiles, &run->job->directions, frame));
    WADI_TRY(drainage_check_cells(run, &frame->tile));
    for (int32_t y = 0; y < frame->tile.height; ++y)
    {
        memcpy(run->direction + tiling_at(frame, 0, y), raw + (ptrdiff_t)y * frame->tile.width,
               (size_t)frame->tile.width);
    }
    wadi_rings_load(run->grid, &run->tiles->direction, frame, &open, &closed, run->direction);
    return WADI_OK;
}

static void drainage_count_donors(drainage_run* run, const tiling_frame* frame)
{
    memset(run->donors, 0, (size_t)tiling_padded(frame));
    for (int32_t y = 0; y < frame->tile.height; ++y)
    {
        const ptrdiff_t row = tiling_at(frame, 0, y);
        for (int32_t x = 0; x < frame->tile.width; ++x)
        {
            const int8_t k = run->direction[row + x];
            if (k >= 0)
            {
                run->donors[row + x + frame->step[k]] += 1;
            }
        }
    }
}

static double drainage_gather(const drainage_run* run, const tiling_frame* frame, ptrdiff_t cell,
                              double own)
{
    double sum = own;
    for (int k = 0; k < 8; ++k)
    {
        const ptrdiff_t n = cell + frame->step[k];
        if (drainage_gives(run->direction[n], k))
        {
            sum += run->sum[n];
        }
    }
    return sum;
}

// Sum a cell without open donors, and then each receiver that has none left.
static void drainage_follow(drainage_run* run, const tiling_frame* frame, ptrdiff_t cell)
{
    for (;;)
    {
        const int32_t y = (int32_t)(cell / frame->stride) - 1;
        const int32_t x = (int32_t)(cell % frame->stride) - 1;
        if (!tiling_is_inside(frame, x, y))
        {
            return; // the path leaves the tile
        }
        run->sum[cell] =
            drainage_gather(run, frame, cell, drainage_own(run, frame, cell, frame->tile.y + y));
        run->order[run->ordered++] = (uint32_t)cell;
        const int8_t k = run->direction[cell];
        if (k < 0)
        {
            return;
        }
        cell += frame->step[k];
        run->donors[cell] -= 1;
        if (run->donors[cell] != 0)
        {
            return; // another donor comes later, or the cell is on a trunk
        }
    }
}

// A cell without donors of its own begins a path.
static void drainage_sum(drainage_run* run, const tiling_frame* frame)
{
    run->ordered = 0;
    for (int32_t y = 0; y < frame->tile.height; ++y)
    {
        const ptrdiff_t row = tiling_at(frame, 0, y);
        for (int32_t x = 0; x < frame->tile.width; ++x)
        {
            // a cell that is summed already has 0 donors too: mark the sources first
            run->number[row + x] =
                run->donors[row + x] == 0 && run->direction[row + x] > WADI_FLOW_VOID;
        }
    }
    for (int32_t y = 0; y < frame->tile.height; ++y)
    {
        const ptrdiff_t row = tiling_at(frame, 0, y);
        for (int32_t x = 0; x < frame->tile.width; ++x)
        {
            if (run->number[row + x] != 0)
            {
                drainage_follow(run, frame, row + x);
            }
        }
    }
}

// ---- first pass --------------------------------------------------------------------------

static wadi_result drainage_find_trunks(drainage_run* run)
{
    wadi_context* context = run->tiles->context;
    for (int64_t i = 0; i < run->grid->tiles; ++i)
    {
        const tiling_frame frame = wadi_tiling_frame(run->grid, i);
        WADI_TRY(drainage_load(run, &frame));
        drainage_count_donors(run, &frame);
        wadi_trunks_mark(run, &frame);
        drainage_sum(run, &frame);
        WADI_TRY(wadi_trunks_keep(run, &frame));
        WADI_CHECK(context,
                   wadi_progress(context, 0.5 * (double)(i + 1) / (double)run->grid->tiles,
                                 "adding up drainage area"),
                   WADI_ERROR_CANCELLED, "the drainage was stopped");
    }
    return WADI_OK;
}

// ---- second pass -------------------------------------------------------------------------

// Cells without data, and cells that drain in a cycle, which no routing makes: NaN.
static void drainage_void(const drainage_run* run, const tiling_frame* frame, double* values)
{
    for (int32_t y = 0; y < frame->tile.height; ++y)
    {
        for (int32_t x = 0; x < frame->tile.width; ++x)
        {
            const ptrdiff_t cell = tiling_at(frame, x, y);
            values[cell] = run->direction[cell] <= WADI_FLOW_VOID ? (double)NAN : values[cell];
        }
    }
}

static wadi_result drainage_store(drainage_run* run, const tiling_frame* frame,
                                  const wadi_tile_layer* layer, const double* values)
{
    double* wide = run->tiles->raw;
    float* narrow = run->tiles->raw;
    for (int32_t y = 0; y < frame->tile.height; ++y)
    {
        for (int32_t x = 0; x < frame->tile.width; ++x)
        {
            const ptrdiff_t to = (ptrdiff_t)y * frame->tile.width + x;
            const double value = values[tiling_at(frame, x, y)];
            if (layer->type == WADI_TILE_FLOAT64)
            {
                wide[to] = value;
            }
            else
            {
                narrow[to] = (float)value;
            }
        }
    }
    return wadi_tiling_write(run->tiles, layer, frame);
}

static wadi_result drainage_load_ground(drainage_run* run, const tiling_frame* frame)
{
    const wadi_tiles_power* power = &run->job->power;
    WADI_TRY(wadi_tiling_read(run->tiles, &power->ground, frame));
    const float* narrow = run->tiles->raw;
    const int32_t* units = run->tiles->raw;
    for (int32_t y = 0; y < frame->tile.height; ++y)
    {
        for (int32_t x = 0; x < frame->tile.width; ++x)
        {
            const ptrdiff_t from = (ptrdiff_t)y * frame->tile.width + x;
            run->height[tiling_at(frame, x, y)] = power->ground.type == WADI_TILE_FLOAT32
                                                      ? (double)narrow[from]
                                                      : power->unit * (double)units[from];
        }
    }
    return WADI_OK;
}

static void drainage_lower_cells(drainage_run* run, const tiling_frame* frame)
{
    for (int64_t i = run->ordered - 1; i >= 0; --i)
    {
        const ptrdiff_t cell = (ptrdiff_t)run->order[i];
        const int8_t k = run->direction[cell];
        if (k >= 0)
        {
            const int32_t row = frame->tile.y + (int32_t)(cell / frame->stride) - 1;
            run->height[cell] =
                drainage_lower(run->height[cell], wadi_drainage_factor(run, run->sum[cell], row, k),
                               run->height[cell + frame->step[k]]);
        }
    }
}

static wadi_result drainage_power(drainage_run* run, const tiling_frame* frame)
{
    const double beyond = 0.0; // no cell drains there
    WADI_TRY(drainage_load_ground(run, frame));
    wadi_rings_load(run->grid, &run->trunks.height, frame, &beyond, &beyond, run->height);
    drainage_lower_cells(run, frame);
    drainage_void(run, frame, run->height);
    return drainage_store(run, frame, &run->job->power.eroded, run->height);
}

static wadi_result drainage_finish_tile(drainage_run* run, const tiling_frame* frame)
{
    const double beyond = 0.0;
    WADI_TRY(drainage_load(run, frame));
    drainage_count_donors(run, frame);
    wadi_rings_load(run->grid, &run->trunks.sum, frame, &beyond, &beyond, run->sum);
    drainage_sum(run, frame);
    if (run->has_power)
    {
        WADI_TRY(drainage_power(run, frame));
    }
    drainage_void(run, frame, run->sum);
    return run->job->sum.write != NULL ? drainage_store(run, frame, &run->job->sum, run->sum)
                                       : WADI_OK;
}

static wadi_result drainage_finish(drainage_run* run)
{
    wadi_context* context = run->tiles->context;
    for (int64_t i = 0; i < run->grid->tiles; ++i)
    {
        const tiling_frame frame = wadi_tiling_frame(run->grid, i);
        WADI_TRY(drainage_finish_tile(run, &frame));
        WADI_CHECK(context,
                   wadi_progress(context, 0.5 + 0.5 * (double)(i + 1) / (double)run->grid->tiles,
                                 "adding up drainage area"),
                   WADI_ERROR_CANCELLED, "the drainage was stopped");
    }
    return WADI_OK;
}

// ---- all ---------------------------------------------------------------------------------

static wadi_result drainage_allocate(drainage_run* run)
{
    wadi_context* context = run->tiles->context;
    const int64_t most = tiling_most(run->grid);
    WADI_ALLOC(context, run->direction, most, "drainage");
    WADI_ALLOC(context, run->donors, most, "drainage");
    WADI_ALLOC(context, run->sum, most, "drainage");
    WADI_ALLOC(context, run->order, most, "drainage");
    WADI_ALLOC(context, run->number, most, "drainage");
    if (run->has_power)
    {
        WADI_ALLOC(context, run->height, most, "drainage");
    }
    return wadi_trunks_create(run);
}

static wadi_result drainage_all(drainage_run* run)
{
    WADI_TRY(drainage_allocate(run));
    WADI_TRY(drainage_find_trunks(run));
    wadi_trunks_add(run);
    if (run->has_power)
    {
        WADI_TRY(wadi_trunks_climb(run));
    }
    return drainage_finish(run);
}

static bool drainage_is_real(wadi_tile_type type)
{
    return type == WADI_TILE_FLOAT32 || type == WADI_TILE_FLOAT64;
}

static wadi_result drainage_check_power(wadi_context* context, const wadi_tiles_power* power)
{
    WADI_CHECK(context, power->erodibility >= 0.0 && power->erodibility < (double)INFINITY,
               WADI_ERROR_RANGE, "erodibility %g must be 0 or more and finite", power->erodibility);
    if (power->erodibility == 0.0)
    {
        return WADI_OK;
    }
    WADI_CHECK(context, power->area_exponent >= 0.0 && power->area_exponent <= 2.0,
               WADI_ERROR_RANGE, "the exponent %g of the drainage area must lie in [0, 2]",
               power->area_exponent);
    WADI_CHECK(context, power->years > 0.0 && power->years < (double)INFINITY, WADI_ERROR_RANGE,
               "a step of %g years must be above 0 and finite", power->years);
    const bool is_int = power->ground.type == WADI_TILE_INT32;
    WADI_CHECK(context,
               (is_int || power->ground.type == WADI_TILE_FLOAT32) && power->ground.read != NULL &&
                   drainage_is_real(power->eroded.type) && power->eroded.write != NULL,
               WADI_ERROR_ARGUMENT,
               "stream power reads ground of INT32 or FLOAT32 and writes FLOAT32 or FLOAT64");
    WADI_CHECK(context, !is_int || power->unit > 0.0, WADI_ERROR_RANGE,
               "INT32 heights need a unit above 0 m, got %g", power->unit);
    return WADI_OK;
}

static wadi_result drainage_check(const wadi_tiles* tiles, const wadi_tiles_drain_job* job)
{
    wadi_context* context = tiles->context;
    WADI_CHECK(context, tiles->direction.bytes > 0, WADI_ERROR_STATE,
               "drainage needs receivers of the same tiling; call wadi_tiles_route() first");
    WADI_CHECK(context, job->directions.type == WADI_TILE_INT8 && job->directions.read != NULL,
               WADI_ERROR_ARGUMENT, "drainage reads directions of INT8");
    WADI_CHECK(context, job->sum.write == NULL || drainage_is_real(job->sum.type),
               WADI_ERROR_ARGUMENT, "sums are written as FLOAT32 or FLOAT64");
    WADI_CHECK(context, job->dy > 0.0 && (job->dx_of_row != NULL || job->dx > 0.0),
               WADI_ERROR_RANGE, "cells of %g x %g m: both sides must be above 0", job->dx,
               job->dy);
    WADI_CHECK(context, !job->outlets || job->power.erodibility == 0.0, WADI_ERROR_ARGUMENT,
               "stream power needs areas; leave 'outlets' out");
    return drainage_check_power(context, &job->power);
}

wadi_result wadi_tiles_drain(wadi_tiles* tiles, const wadi_tiles_drain_job* job)
{
    WADI_TRY(drainage_check(tiles, job));
    wadi_context* context = tiles->context;
    drainage_run run = {.tiles = tiles,
                        .grid = &tiles->grid,
                        .job = job,
                        .has_power = job->power.erodibility > 0.0};
    const wadi_result result = drainage_all(&run);
    wadi_trunks_destroy(&run);
    wadi_free(context, run.height);
    wadi_free(context, run.number);
    wadi_free(context, run.order);
    wadi_free(context, run.sum);
    wadi_free(context, run.donors);
    wadi_free(context, run.direction);
    return result;
}
