// SPDX-License-Identifier: MIT
// The ground under the grains: memory, and reading it as it stands.
#include "processes/articles/wind_grains/grain_land.h"

static wadi_result land_allocate(grain_land* land)
{
    wadi_context* context = land->context;
    const int64_t total = land->total;
    WADI_ALLOC(context, land->frozen, total, "the frozen ground");
    WADI_ALLOC(context, land->levels, total, "levels of the ground");
    WADI_ALLOC(context, land->sand, total, "sand");
    WADI_ALLOC(context, land->rates, total, "cascades");
    WADI_ALLOC(context, land->changes, total, "changes of the ground");
    WADI_ALLOC(context, land->flows, total, "cascades");
    WADI_ALLOC(context, land->rubs, total, "rock rubbed off");
    WADI_ALLOC(context, land->visited, land->chunks, "flags of chunks");
    WADI_ALLOC(context, land->near, land->chunks, "flags of chunks");
    WADI_ALLOC(context, land->far, land->chunks, "flags of chunks");
    WADI_ALLOC(context, land->wear, land->ground->cells, "the wear map");
    WADI_ALLOC(context, land->deposit, land->ground->cells, "the deposit map");
    return WADI_OK;
}

wadi_result wadi_grain_land_create(grain_land* land, wadi_terrain* terrain)
{
    land->context = wadi_terrain_context(terrain);
    land->ground = wadi_terrain_ground(terrain);
    land->stride = land->ground->width + 2;
    land->total = land->stride * (land->ground->height + 2);
    land->chunks = (land->total - 1) / GRAIN_CHUNK + 1;
    WADI_TRY(land_allocate(land));
    land->slope.levels = land->levels;
    land->slope.sand = land->sand;
    land->slope.rates = land->rates;
    land->slope.stride = land->stride;
    return WADI_OK;
}

void wadi_grain_land_destroy(grain_land* land)
{
    void* const owned[] = {land->frozen,  land->levels, land->sand, land->rates,
                           land->changes, land->flows,  land->rubs, land->visited,
                           land->near,    land->far,    land->wear, land->deposit};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i)
    {
        wadi_free(land->context, owned[i]);
    }
}

static int32_t land_sand(const wadi_ground* ground, int64_t cell)
{
    int32_t sand = 0;
    for (int32_t i = 0; i < ground->loose_count; ++i)
    {
        sand += ground->loose[i][cell];
    }
    return sand;
}

static void land_read_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const grain_land* land = user;
    const wadi_ground* ground = land->ground;
    for (int32_t y = begin; y < end; ++y)
    {
        for (int32_t x = 0; x < ground->width; ++x)
        {
            const int64_t cell = (int64_t)y * ground->width + x;
            const int32_t at = grain_padded(land, x, y);
            const bool valid = ground->valid[cell] != 0;
            land->levels[at] = valid ? wadi_ground_surface(ground, cell) : PARTICLE_MISSING;
            land->sand[at] = valid ? land_sand(ground, cell) : 0;
            land->rates[at] = valid ? 0.0f : LAND_NOWHERE;
        }
    }
}

// Show cell `shown` in the rim at `at`: beyond a periodic edge lies the opposite one, beyond others
// nothing.
static void land_show(grain_land* land, int32_t at, int32_t shown, bool periodic, uint8_t* flags)
{
    land->levels[at] = periodic ? land->levels[shown] : PARTICLE_MISSING;
    land->sand[at] = periodic ? land->sand[shown] : 0;
    land->rates[at] = periodic ? land->rates[shown] : LAND_NOWHERE;
    flags[at >> GRAIN_CHUNK_BITS] |= periodic ? flags[shown >> GRAIN_CHUNK_BITS] : 0;
}

void wadi_grain_land_fill_rim(grain_land* land, uint8_t* flags)
{
    const int32_t w = land->ground->width;
    const int32_t h = land->ground->height;
    const bool around = land->ground->edges[WADI_SIDE_WEST] == WADI_EDGE_PERIODIC;
    const bool along = land->ground->edges[WADI_SIDE_NORTH] == WADI_EDGE_PERIODIC;
    for (int32_t y = 0; y < h; ++y)
    {
        land_show(land, grain_padded(land, -1, y), grain_padded(land, w - 1, y), around, flags);
        land_show(land, grain_padded(land, w, y), grain_padded(land, 0, y), around, flags);
    }
    for (int32_t x = -1; x <= w; ++x)
    {
        land_show(land, grain_padded(land, x, -1), grain_padded(land, x, h - 1), along, flags);
        land_show(land, grain_padded(land, x, h), grain_padded(land, x, 0), along, flags);
    }
}

// Middle of all levels: float levels then have the most digits where they are needed.
static int32_t land_datum(const grain_land* land)
{
    int64_t low = INT32_MAX;
    int64_t high = INT32_MIN;
    for (int32_t i = 0; i < land->total; ++i)
    {
        if (land->levels[i] != PARTICLE_MISSING)
        {
            low = land->levels[i] < low ? land->levels[i] : low;
            high = land->levels[i] > high ? land->levels[i] : high;
        }
    }
    return low > high ? 0 : (int32_t)((low + high) / 2);
}

void wadi_grain_land_read(grain_land* land)
{
    wadi_parallel_rows(land->context, land->ground->height, 16, land_read_rows, land);
    wadi_grain_land_fill_rim(land, land->visited);
    land->slope.datum = land_datum(land);
    wadi_grain_land_freeze_all(land);
}
