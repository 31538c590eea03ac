// SPDX-License-Identifier: MIT
#include "terrain/terrain.h"

#include "core/archive.h"

#include <math.h>
#include <string.h>

static bool rivers_is_sound(const wadi_river* r)
{
    // written so that NaN fails too
    return fabs(r->x) <= 1e9 && fabs(r->y) <= 1e9 && r->discharge >= 0.0 && r->discharge <= 1e6 &&
           r->reach >= 0.0 && r->reach <= 1e9;
}

static wadi_result rivers_check(wadi_context* context, const wadi_river* rivers, int32_t count)
{
    WADI_CHECK(context, count >= 0 && count <= WADI_MAX_RIVERS, WADI_ERROR_RANGE,
               "the list has %d rivers; expected 0 to %d", (int)count, WADI_MAX_RIVERS);
    WADI_CHECK(context, count == 0 || rivers != NULL, WADI_ERROR_ARGUMENT,
               "the list of %d rivers is NULL", (int)count);
    for (int32_t i = 0; i < count; ++i)
    {
        WADI_CHECK(context, rivers_is_sound(&rivers[i]), WADI_ERROR_RANGE,
                   "river %d at (%g, %g) m with %g m3/s and a reach of %g m is out of range; "
                   "terrain.h lists the ranges",
                   (int)i + 1, rivers[i].x, rivers[i].y, rivers[i].discharge, rivers[i].reach);
    }
    return WADI_OK;
}

// ---- life --------------------------------------------------------------------------------------

void wadi_rivers_free(wadi_context* context, terrain_rivers* rivers)
{
    wadi_free(context, rivers->list);
    *rivers = (terrain_rivers){0};
}

// Does a river enter where one of these does?
static bool rivers_is_near(const wadi_river* river, const wadi_river* others, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
    {
        const double dx = river->x - others[i].x;
        const double dy = river->y - others[i].y;
        if (dx * dx + dy * dy <= others[i].reach * others[i].reach)
        {
            return true;
        }
    }
    return false;
}

// The list goes by owner, so that it does not depend on who published last.
wadi_result wadi_rivers_publish(wadi_terrain* terrain, uint32_t owner, const wadi_river* rivers,
                                int32_t count)
{
    WADI_TRY(rivers_check(terrain->context, rivers, count));
    const terrain_rivers* before = &terrain->rivers;
    terrain_rivers after = {0};
    WADI_ALLOC(terrain->context, after.list, (int64_t)before->count + count + 1, "rivers");
    int32_t i = 0;
    for (int pass = 0; pass < 2; ++pass)
    {
        for (; i < before->count && (pass == 1 || before->list[i].owner <= owner); ++i)
        {
            const terrain_river* other = &before->list[i];
            if (other->owner != owner && !rivers_is_near(&other->river, rivers, count))
            {
                after.list[after.count++] = *other;
            }
        }
        for (int32_t k = 0; k < count && pass == 0; ++k)
        {
            after.list[after.count++] = (terrain_river){owner, rivers[k]};
        }
    }
    wadi_rivers_free(terrain->context, &terrain->rivers);
    terrain->rivers = after;
    return WADI_OK;
}

wadi_result wadi_terrain_set_rivers(wadi_terrain* terrain, const wadi_river* rivers, int32_t count)
{
    WADI_TRY(wadi_terrain_check_writable(terrain));
    WADI_TRY(rivers_check(terrain->context, rivers, count));
    terrain_rivers before = terrain->rivers;
    terrain->rivers = (terrain_rivers){0};
    const wadi_result result = wadi_rivers_publish(terrain, 0, rivers, count);
    terrain->rivers = result == WADI_OK ? terrain->rivers : before;
    if (result == WADI_OK)
    {
        wadi_rivers_free(terrain->context, &before);
    }
    return result;
}

int32_t wadi_terrain_rivers(const wadi_terrain* terrain, wadi_river* out, int32_t capacity)
{
    const terrain_rivers* rivers = &terrain->rivers;
    for (int32_t i = 0; i < rivers->count && i < capacity; ++i)
    {
        out[i] = rivers->list[i].river;
    }
    return rivers->count;
}

wadi_result wadi_rivers_copy(const wadi_terrain* from, wadi_terrain* to)
{
    terrain_rivers copy = {.count = from->rivers.count};
    if (copy.count > 0)
    {
        WADI_ALLOC(to->context, copy.list, copy.count, "rivers");
        memcpy(copy.list, from->rivers.list, (size_t)copy.count * sizeof *copy.list);
    }
    wadi_rivers_free(to->context, &to->rivers);
    to->rivers = copy;
    return WADI_OK;
}

// ---- archive -----------------------------------------------------------------------------------

static wadi_result rivers_archive_one(wadi_archive* archive, wadi_context* context,
                                      terrain_river* one)
{
    double* const values[] = {&one->river.x, &one->river.y, &one->river.discharge,
                              &one->river.reach};
    wadi_archive_u32(archive, &one->owner, 1);
    for (int32_t k = 0; k < WADI_COUNT(values); ++k)
    {
        wadi_archive_f64(archive, values[k], 1);
    }
    WADI_TRY(wadi_archive_result(archive));
    WADI_CHECK(context, rivers_is_sound(&one->river), WADI_ERROR_FORMAT,
               "a saved river is out of range");
    return WADI_OK;
}

wadi_result wadi_rivers_archive(wadi_archive* archive, wadi_terrain* terrain)
{
    terrain_rivers* rivers = &terrain->rivers;
    // a terrain without rivers keeps the hash that it had before there were any
    if (archive->mode == ARCHIVE_HASHES && rivers->count == 0)
    {
        return WADI_OK;
    }
    WADI_TRY(wadi_archive_part(archive, "rivers", 1));
    int64_t count = rivers->count;
    WADI_TRY(wadi_archive_count(archive, &count, WADI_MAX_RIVERS, "rivers"));
    if (wadi_archive_is_reading(archive) && count > 0)
    {
        WADI_ALLOC(terrain->context, rivers->list, count, "rivers");
        rivers->count = (int32_t)count;
    }
    for (int64_t i = 0; i < count; ++i)
    {
        WADI_TRY(rivers_archive_one(archive, terrain->context, &rivers->list[i]));
    }
    return wadi_archive_result(archive);
}
