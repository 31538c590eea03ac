// SPDX-License-Identifier: MIT
// Hash, save and restore.
#include "bodies/engine/saved.h"
#include "bodies/engine/stream.h"
#include "bodies/wet_grains/wet.h"
#include "core/seal.h"

#define SAVE_MAGIC UINT64_C(0x57414457474E31)

typedef struct save_header
{
    uint64_t magic;
    uint64_t count;
    uint64_t water; // bytes of each part
    uint64_t solid;
    double time;
    double slept;
    double moved;
    double woke;
    double failed;
    double farthest;
    int64_t wakes;
} save_header;

typedef struct save_place
{
    double linked[3];
    double last[3];
    double way[3];
} save_place;

static uint64_t hash_numbers(uint64_t hash, const double* numbers, size_t count)
{
    for (size_t i = 0; i < count; ++i)
    {
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        hash = (hash ^ (hash >> 29) ^ bits) * 0x94D049BB133111EBu;
    }
    return hash;
}

uint64_t wadi_wet_grains_hash(const wadi_wet_grains* world)
{
    uint64_t hash = wadi_grains_hash(world->grains);
    hash = (hash ^ wadi_seepage_hash(world->seepage)) * 0xBF58476D1CE4E5B9u;
    const double clocks[] = {world->time,   world->slept,    world->moved,        world->woke,
                             world->failed, world->farthest, (double)world->wakes};
    hash = hash_numbers(hash, clocks, sizeof clocks / sizeof clocks[0]);
    // positions at the last relink determine the time of the next
    const size_t places = 3 * (size_t)world->count;
    hash = hash_numbers(hash, &world->linked[0][0], places);
    hash = hash_numbers(hash, &world->way[0][0], places);
    return hash ^ (hash >> 32);
}

size_t wadi_wet_grains_save_size(const wadi_wet_grains* world)
{
    return sizeof(save_header) + (size_t)world->count * sizeof(save_place) +
           wadi_seepage_save_size(world->seepage) + wadi_grains_save_size(world->grains) +
           WADI_SEAL;
}

void wadi_wet_grains_save(const wadi_wet_grains* world, void* bytes)
{
    const save_header header = {
        .magic = SAVE_MAGIC,
        .count = (uint64_t)world->count,
        .water = wadi_seepage_save_size(world->seepage),
        .solid = wadi_grains_save_size(world->grains),
        .time = world->time,
        .slept = world->slept,
        .moved = world->moved,
        .woke = world->woke,
        .failed = world->failed,
        .farthest = world->farthest,
        .wakes = world->wakes,
    };
    wadi_stream to = {bytes, 0};
    wadi_stream_put(&to, &header, sizeof header);
    for (int32_t id = 0; id < world->count; ++id)
    {
        save_place place;
        memcpy(place.linked, world->linked[id], sizeof place.linked);
        memcpy(place.last, world->last[id], sizeof place.last);
        memcpy(place.way, world->way[id], sizeof place.way);
        wadi_stream_put(&to, &place, sizeof place);
    }
    wadi_seepage_save(world->seepage, to.bytes + to.used);
    wadi_grains_save(world->grains, to.bytes + to.used + header.water);
    wadi_seal(bytes, wadi_wet_grains_save_size(world));
}

// ---- restoring ---------------------------------------------------------------------------

static wadi_result restore_check(const wadi_wet_grains* world, const save_header* header,
                                 size_t size)
{
    WADI_CHECK(world->context, header->count == (uint64_t)world->count, WADI_ERROR_ARGUMENT,
               "%llu grains were saved, but this world has %d: make it of the same ones",
               (unsigned long long)header->count, world->count);
    const size_t places = sizeof *header + (size_t)world->count * sizeof(save_place);
    const size_t water = wadi_seepage_save_size(world->seepage);
    WADI_CHECK(world->context,
               header->water == water && size > places + water + WADI_SEAL &&
                   header->solid == size - places - water - WADI_SEAL,
               WADI_ERROR_FORMAT, "saved wet grains of %d grains do not take %zu bytes",
               world->count, size);
    return WADI_OK;
}

// Clocks and places are such as wet grains have; times of what has not come are NaN.
static wadi_result restore_check_numbers(const wadi_wet_grains* world, const save_header* header,
                                         const unsigned char* places)
{
    const double clocks[] = {header->time, header->slept, header->moved, header->farthest};
    bool fit = wadi_stream_is_within(clocks, 4, 1e15) && header->wakes >= 0 &&
               !(fabs(header->woke) > 1e15) && !(fabs(header->failed) > 1e15);
    for (int32_t id = 0; id < world->count && fit; ++id)
    {
        save_place place;
        memcpy(&place, places + (size_t)id * sizeof place, sizeof place);
        fit = wadi_stream_is_within(place.linked, 3, 1e12) &&
              wadi_stream_is_within(place.last, 3, 1e12) &&
              wadi_stream_is_within(place.way, 3, 1e12);
    }
    WADI_CHECK(world->context, fit, WADI_ERROR_FORMAT,
               "the saved wet grains are damaged: they hold times or places that no grains have; "
               "save them anew");
    return WADI_OK;
}

// Restoring water cannot run out of memory, so it comes first; it is undone if grains fail.
static wadi_result restore_parts(wadi_wet_grains* world, const save_header* header,
                                 const unsigned char* at)
{
    unsigned char* before;
    WADI_ALLOC(world->context, before, header->water, "saved water");
    wadi_seepage_save(world->seepage, before);
    wadi_result result = wadi_seepage_restore(world->seepage, at, (size_t)header->water);
    if (result == WADI_OK)
    {
        result = wadi_grains_restore(world->grains, at + header->water, (size_t)header->solid);
        if (result != WADI_OK)
        {
            (void)wadi_seepage_restore(world->seepage, before, (size_t)header->water);
        }
    }
    wadi_free(world->context, before);
    return result;
}

static void restore_clocks(wadi_wet_grains* world, const save_header* header)
{
    world->time = header->time;
    world->slept = header->slept;
    world->moved = header->moved;
    world->woke = header->woke;
    world->failed = header->failed;
    world->farthest = header->farthest;
    world->wakes = header->wakes;
}

wadi_result wadi_wet_grains_restore(wadi_wet_grains* world, const void* bytes, size_t size)
{
    save_header header = {0};
    WADI_TRY(wadi_stream_header(world->context, bytes, size, SAVE_MAGIC, "saved wet grains",
                                &header, sizeof header));
    WADI_TRY(restore_check(world, &header, size));
    WADI_TRY(wadi_seal_check(world->context, bytes, size, "wet grains"));
    const unsigned char* places = (const unsigned char*)bytes + sizeof header;
    const unsigned char* parts = places + (size_t)world->count * sizeof(save_place);
    WADI_TRY(restore_check_numbers(world, &header, places));
    WADI_TRY(restore_parts(world, &header, parts));
    restore_clocks(world, &header);
    wadi_grains_read(world->grains, world->list);
    wadi_seepage_saturation(world->seepage, world->saturation);
    for (int32_t id = 0; id < world->count; ++id, places += sizeof(save_place))
    {
        save_place place;
        memcpy(&place, places, sizeof place);
        memcpy(world->linked[id], place.linked, sizeof place.linked);
        memcpy(world->last[id], place.last, sizeof place.last);
        memcpy(world->way[id], place.way, sizeof place.way);
        world->mass[id] = wadi_wet_mass(world, id);
    }
    return WADI_OK;
}

wadi_result wadi_wet_grains_archive(wadi_wet_grains* world, wadi_archive* archive)
{
    wadi_saved saved;
    WADI_TRY(wadi_saved_open(archive, wadi_wet_grains_hash(world), wadi_wet_grains_save_size(world),
                             &saved));
    const bool reads = wadi_archive_is_reading(archive);
    if (saved.bytes != NULL && !reads)
    {
        wadi_wet_grains_save(world, saved.bytes);
    }
    wadi_result result = wadi_saved_pass(archive, &saved);
    if (result == WADI_OK && reads)
    {
        result = wadi_wet_grains_restore(world, saved.bytes, (size_t)saved.size);
    }
    wadi_saved_close(&saved);
    return result;
}
