// SPDX-License-Identifier: MIT
// The fleet: all parcels, as many as give `visits` parcel steps per cell and batch. They persist
// from batch to batch. Before each batch they are sorted by tile, which keeps the ground they read
// in the cache: unsorted, a step takes twice as long on 1024 x 1024 cells.
#include "processes/wind/saltation_state.h"

#include <string.h>

enum
{
    FLEET_TILE = 32 // [cells]
};

static int32_t fleet_tiles_across(const saltation* s)
{
    return (s->ground->width + FLEET_TILE - 1) / FLEET_TILE;
}

static int32_t fleet_tiles(const saltation* s)
{
    return fleet_tiles_across(s) * ((s->ground->height + FLEET_TILE - 1) / FLEET_TILE);
}

static int32_t fleet_tile(const saltation* s, const saltation_parcel* p)
{
    const float right = s->law.width - 1.0f;
    const float bottom = s->law.height - 1.0f;
    const float x = p->x < 0.0f ? 0.0f : p->x < right ? p->x : right;
    const float y = p->y < 0.0f ? 0.0f : p->y < bottom ? p->y : bottom;
    return (int32_t)y / FLEET_TILE * fleet_tiles_across(s) + (int32_t)x / FLEET_TILE;
}

wadi_result wadi_saltation_fleet_create(saltation* s)
{
    const double parcels = s->params.visits * (double)s->ground->cells / SALTATION_STEPS;
    s->fleet_size = parcels < 1.0 ? 1 : (int32_t)parcels;
    WADI_ALLOC(s->context, s->fleet, s->fleet_size, "parcels of wind");
    WADI_ALLOC(s->context, s->spare, s->fleet_size, "parcels of wind");
    WADI_ALLOC(s->context, s->tile_starts, fleet_tiles(s) + 1, "parcels of wind");
    return WADI_OK;
}

void wadi_saltation_fleet_destroy(saltation* s)
{
    wadi_free(s->context, s->fleet);
    wadi_free(s->context, s->spare);
    wadi_free(s->context, s->tile_starts);
}

// Stable counting sort by tile. Results do not depend on the order.
void wadi_saltation_fleet_sort(saltation* s)
{
    int32_t* starts = s->tile_starts;
    const int32_t tiles = fleet_tiles(s);
    memset(starts, 0, ((size_t)tiles + 1) * sizeof *starts);
    for (int32_t i = 0; i < s->fleet_size; ++i)
    {
        ++starts[fleet_tile(s, &s->fleet[i]) + 1];
    }
    for (int32_t t = 0; t < tiles; ++t)
    {
        starts[t + 1] += starts[t];
    }
    for (int32_t i = 0; i < s->fleet_size; ++i)
    {
        s->spare[starts[fleet_tile(s, &s->fleet[i])]++] = s->fleet[i];
    }
    saltation_parcel* fleet = s->fleet;
    s->fleet = s->spare;
    s->spare = fleet;
}

// Steps after which the slope memory of the first scale has settled.
static int32_t fleet_warmup(const saltation* s)
{
    return (int32_t)(3.0 / (double)s->law.remember[0]) + 1;
}

void wadi_saltation_fleet_reset(saltation* s)
{
    for (int32_t i = 0; i < s->fleet_size; ++i)
    {
        saltation_parcel* p = &s->fleet[i];
        p->u = s->law.ex;
        p->v = s->law.ey;
        p->w = 0.0f;
        memset(p->memory, 0, sizeof p->memory);
        p->warmup = fleet_warmup(s);
    }
}

int64_t wadi_saltation_fleet_load(const saltation* s)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < s->fleet_size; ++i)
    {
        sum += s->fleet[i].load;
    }
    return sum;
}

int64_t wadi_saltation_fleet_take_back(saltation* s, int64_t excess)
{
    const int64_t carried = wadi_saltation_fleet_load(s);
    const double share = carried > 0 ? (double)excess / (double)carried : 0.0;
    int64_t sum = 0;
    for (int32_t i = 0; i < s->fleet_size && sum < excess; ++i)
    {
        const int32_t part = saltation_share(s->fleet[i].load, share, excess - sum);
        s->fleet[i].load -= part;
        sum += part;
    }
    return sum;
}
