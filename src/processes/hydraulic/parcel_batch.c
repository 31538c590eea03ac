// SPDX-License-Identifier: MIT
// The batches of a level: fill the rivers, run the years, then drain all parcels.
#include "processes/hydraulic/parcel_momentum.h"

#include <math.h>

enum
{
    BATCH_FLOOD = 2,    // batches from flood to flood
    BATCH_CALM = 8,     // walks over the same routes while a level drains
    BATCH_RELABEL = 10, // batches between two searches for lakes
};

// Between floods the depth of water stays, and dry ground is its own route surface. A cell that has
// lost its lower neighbour holds its parcels until the next flood.
static void batch_keep_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    parcel_level* level = user;
    for (int32_t y = begin; y < end; ++y)
    {
        const int64_t padded = parcel_padded_index(level, 0, y);
        const uint8_t* wet = level->wet + (int64_t)y * level->width;
        const int32_t* h = level->surface + padded;
        int32_t* r = level->route_surface + padded;
        for (int32_t x = 0; x < level->width; ++x)
        {
            const int32_t standing = r[x] > h[x] ? r[x] : h[x];
            r[x] = wet[x] != 0 ? standing : h[x];
        }
    }
}

static wadi_result batch_flood(parcel_level* level, uint32_t every)
{
    if (level->params->lakes && level->batch % every != 0)
    {
        wadi_parallel_rows(level->context, level->height, PARCEL_ROWS, batch_keep_rows, level);
        wadi_parcel_level_refresh_ghosts(level, level->route_surface);
        return WADI_OK;
    }

    const double rise = level->params->alluvial_slope * level->cell * WADI_UNITS_PER_METRE;
    const int32_t axis = rise > 1.0 ? (int32_t)rise : 1; // one unit at least: strictly downhill
    const int32_t diagonal = rise > 1.0 ? (int32_t)(rise * 1.41421356237309505) : 1;
    if (!level->has_outlet)
    {
        // without an outlet the terrain drains to its lowest cell
        int32_t lowest = PARCEL_WALL;
        for (int32_t y = 0; y < level->height; ++y)
        {
            for (int32_t x = 0; x < level->width; ++x)
            {
                const int32_t h = level->surface[parcel_padded_index(level, x, y)];
                level->sink = h < lowest ? (int64_t)y * level->width + x : level->sink;
                lowest = h < lowest ? h : lowest;
            }
        }
    }
    if (!level->params->lakes)
    {
        for (int64_t i = 0; i < level->padded; ++i)
        {
            level->route_surface[i] = level->surface[i];
        }
        return WADI_OK;
    }
    return wadi_parcel_flood(level, axis, diagonal, level->route_surface);
}

// The walk is linear, so the sum of parcels that waited at a cell while one batch's rain ran off is
// the number that waits there in steady rain.
static void batch_keep_filling(parcel_level* level)
{
    level->water_in = 0;
    level->water_lost = 0;
    for (int side = 0; side < WADI_SIDE_COUNT; ++side)
    {
        level->water_out[side] = 0;
    }
    for (int64_t c = 0; c < level->cells; ++c)
    {
        level->discharge[c] = level->flow[c];
        if (level->filling[c] != 0)
        {
            wadi_parcel_walk_wait(level, c, level->filling[c], 0);
            level->water_in += level->filling[c];
        }
    }
}

// Fill the rivers before the years begin: let the rain of one batch run off, water only, and sum
// the parcels that pass. A parcel crosses one tile in a walk, but walks after the first visit only
// tiles with rivers. Raining until outflow equals rain took 102 whole walks at 4096 x 4096.
static wadi_result batch_fill_rivers(parcel_level* level)
{
    level->dt = 0.0;
    WADI_TRY(batch_flood(level, 1));
    wadi_parcel_routes(level, 0.0f, 1);
    WADI_ALLOC(level->context, level->filling, level->cells, "rivers");
    level->rains = true;
    wadi_parcel_walk(level, true);
    level->rains = false;
    while (!wadi_parcel_walk_is_idle(level))
    {
        wadi_parcel_walk(level, true);
    }
    batch_keep_filling(level);
    wadi_free(level->context, level->filling);
    level->filling = NULL;
    level->rains = true;
    return WADI_OK;
}

// Water of one weight in the ledger: all the rain of these years, divided by all the weights that
// fall, including those that first fill the rivers.
static void batch_scale_water(parcel_level* level, double years, int32_t batches)
{
    double per_batch = (double)PARCEL_WEIGHT * (double)wadi_terrain_valid_count(level->terrain);
    if (level->rain != NULL)
    {
        per_batch = 0.0;
        for (int64_t c = 0; c < level->cells; ++c)
        {
            per_batch += level->rim[c] != PARCEL_VOID ? (double)level->rain[c] : 0.0;
        }
    }
    const double filled = (double)level->water_in;
    const double weights = filled + per_batch * batches;
    const double units = level->mean_rain * years * WADI_UNITS_PER_METRE * level->land;
    level->weight_units = weights > 0.0 ? (int64_t)floor(units / weights + 0.5) : 0;
}

static wadi_result batch_step(parcel_level* level)
{
    WADI_TRY(batch_flood(level, BATCH_FLOOD));
    if (level->label != NULL && level->params->lakes && level->batch % BATCH_RELABEL == 0)
    {
        WADI_TRY(wadi_parcel_lakes_label(level));
    }
    wadi_parcel_routes(level, 0.3f, 1);
    wadi_parcel_walk(level, false);
    wadi_parcel_lakes_spill(level);
    if (level->sink >= 0)
    {
        wadi_parcel_sink_pour(level);
    }
    wadi_parcel_banks(level);
    wadi_parcel_slopes(level);
    level->batch += 1;
    return WADI_OK;
}

// Start the next batch with a flood.
static void batch_round_up(parcel_level* level)
{
    level->batch = (level->batch + BATCH_CALM - 1) / BATCH_CALM * BATCH_CALM;
}

// Without rain and time, let parcels flow until none waits. Slopes and lakes stay frozen;
// otherwise the loop would not end.
static wadi_result batch_drain(parcel_level* level)
{
    level->dt = 0.0;
    level->rains = false;
    batch_round_up(level);
    while (!wadi_parcel_walk_is_idle(level))
    {
        if (level->batch % BATCH_CALM == 0)
        {
            WADI_TRY(batch_flood(level, 1));
            wadi_parcel_routes(level, 0.0f, BATCH_CALM);
        }
        wadi_parcel_walk(level, false);
        if (level->sink >= 0)
        {
            wadi_parcel_sink_pour(level);
        }
        level->batch += 1;
    }
    return WADI_OK;
}

// Last search for lakes: water of vanished lakes runs off, the rest is written to the layer.
static wadi_result batch_settle_lakes(parcel_level* level)
{
    WADI_TRY(wadi_parcel_lakes_label(level));
    batch_round_up(level);
    WADI_TRY(batch_flood(level, 1));
    wadi_parcel_routes(level, 0.0f, 1);
    while (!wadi_parcel_walk_is_idle(level))
    {
        wadi_parcel_walk(level, true);
    }
    return wadi_parcel_lakes_write(level);
}

wadi_result wadi_parcel_level_run(parcel_level* level, double years, int32_t batches,
                                  double share_from, double share_to)
{
    WADI_TRY(batch_fill_rivers(level));
    batch_scale_water(level, years, batches);
    level->dt = years / batches;
    wadi_result result = WADI_OK;
    for (int32_t i = 0; i < batches && result == WADI_OK; ++i)
    {
        const double done = share_from + (share_to - share_from) * i / batches;
        if (!wadi_progress(level->context, done, "hydraulic"))
        {
            result = wadi_fail(level->context, WADI_ERROR_CANCELLED, "stopped by the caller");
            break;
        }
        result = batch_step(level);
    }
    if (result != WADI_OK && result != WADI_ERROR_CANCELLED)
    {
        return result;
    }
    WADI_TRY(batch_drain(level));
    if (level->label != NULL)
    {
        WADI_TRY(batch_settle_lakes(level));
    }
    return result;
}
