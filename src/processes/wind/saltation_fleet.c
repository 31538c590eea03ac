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

static void fleet_archive_parcel(wadi_archive* archive, saltation_parcel* p)
{
    float places[6 + SALTATION_SCALES] = {p->x, p->y, p->z, p->u, p->v, p->w};
    int32_t counts[3] = {p->load, p->left, p->warmup};
    uint32_t keys[2] = {p->id, p->births};
    memcpy(places + 6, p->memory, sizeof p->memory);
    wadi_archive_f32(archive, places, 6 + SALTATION_SCALES);
    wadi_archive_i32(archive, counts, 3);
    wadi_archive_u32(archive, keys, 2);
    if (wadi_archive_is_reading(archive))
    {
        *p = (saltation_parcel){places[0], places[1], places[2], places[3], places[4], places[5],
                                {0},       counts[0], counts[1], counts[2], keys[0],   keys[1]};
        memcpy(p->memory, places + 6, sizeof p->memory);
    }
}

static bool fleet_is_sound(const saltation* s, const saltation_parcel* p)
{
    const float values[] = {p->z, p->u, p->v, p->w, p->memory[0], p->memory[1], p->memory[2]};
    bool sound = p->x >= 0.0f && p->x < s->law.width && p->y >= 0.0f && p->y < s->law.height;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i)
    {
        sound = sound && values[i] > -1e9f && values[i] < 1e9f;
    }
    return sound && p->load >= 0 && p->load < 1 << 30 && p->left >= -SALTATION_STEPS &&
           p->warmup > -(1 << 30);
}

// Take over a parcel that was read. A smaller fleet gives the loads of further parcels to others.
static wadi_result fleet_take_over(const saltation* s, int64_t index, const saltation_parcel* p)
{
    WADI_CHECK(s->context, fleet_is_sound(s, p), WADI_ERROR_FORMAT,
               "parcel %lld of the saved wind is not on the grid, or out of range",
               (long long)index);
    saltation_parcel* own = &s->fleet[index % s->fleet_size];
    if (index < s->fleet_size)
    {
        *own = *p;
        return WADI_OK;
    }
    WADI_CHECK(s->context, own->load < (1 << 30) - p->load, WADI_ERROR_FORMAT,
               "the loads of %lld saved parcels do not fit into %d parcels; raise visits",
               (long long)index + 1, s->fleet_size);
    own->load += p->load;
    return WADI_OK;
}

wadi_result wadi_saltation_fleet_archive(saltation* s, wadi_archive* archive)
{
    const bool reads = wadi_archive_is_reading(archive);
    int64_t count = s->fleet_size;
    WADI_TRY(wadi_archive_count(archive, &count, s->ground->cells / 8 + 1, "parcels of wind"));
    for (int64_t i = 0; i < count; ++i)
    {
        saltation_parcel p = i < s->fleet_size ? s->fleet[i] : (saltation_parcel){0};
        fleet_archive_parcel(archive, &p);
        if (reads)
        {
            WADI_TRY(wadi_archive_result(archive));
            WADI_TRY(fleet_take_over(s, i, &p));
        }
    }
    // further parcels of a larger fleet start in the next batch
    for (int64_t i = count; i < s->fleet_size; ++i)
    {
        s->fleet[i] = (saltation_parcel){.id = (uint32_t)i};
    }
    return wadi_archive_result(archive);
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

// The cell of a parcel in the grids with a rim.
static ptrdiff_t fleet_cell(const saltation* s, const saltation_parcel* p)
{
    return saltation_rim(s, (int32_t)p->y) + (int32_t)p->x;
}

void wadi_saltation_fleet_reset(saltation* s)
{
    for (int32_t i = 0; i < s->fleet_size; ++i)
    {
        saltation_parcel* p = &s->fleet[i];
        const saltation_aim aim = saltation_aim_at(s, fleet_cell(s, p));
        p->u = aim.ex;
        p->v = aim.ey;
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
