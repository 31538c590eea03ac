// SPDX-License-Identifier: MIT
#include "terrain/strata.h"

#include "terrain/terrain.h"

#include <math.h>
#include <string.h>

static int32_t strata_bed_at(const wadi_strata* strata, int64_t depth)
{
    int32_t bed = 0;
    while (bed + 1 < strata->count && depth >= strata->bottom[bed])
    {
        ++bed;
    }
    return bed;
}

// Depth of the rock surface below the top of the first bed. Negative where rock stands above that
// top; such rock belongs to the first bed.
static int64_t strata_depth(const wadi_ground* ground, int64_t cell)
{
    return (int64_t)ground->strata->top[cell] - ground->bedrock[cell];
}

// Rock of a bed that remains below `depth`.
static int64_t strata_remaining(const wadi_strata* strata, int32_t bed, int64_t depth)
{
    return bed + 1 < strata->count ? strata->bottom[bed] - depth : INT64_MAX;
}

// Erosion at hardness 0 that corresponds to the erosion of `rock` from a bed.
static int64_t strata_soft_equivalent(const wadi_ground* ground, int64_t soft, int64_t rock)
{
    return (int64_t)ceil((double)rock * 65535.0 / ((double)soft * ground->rock_softness));
}

int32_t wadi_strata_yield(const wadi_ground* ground, int64_t cell, int32_t amount)
{
    const wadi_strata* strata = ground->strata;
    int64_t depth = strata_depth(ground, cell);
    int64_t given = 0;
    int64_t wanted = amount;
    for (int32_t bed = strata_bed_at(strata, depth); wanted > 0; ++bed)
    {
        // the same arithmetic as without beds, for the same bits
        const int64_t soft = 65535 - (int64_t)strata->hardness[bed];
        const int64_t plain = wanted * soft / 65535;
        const int64_t part =
            ground->rock_softness == 1.0 ? plain : (int64_t)((double)plain * ground->rock_softness);
        const int64_t left = strata_remaining(strata, bed, depth);
        if (part < left)
        {
            return (int32_t)(given + part);
        }

        // the bed is used up; the amount spent on it is subtracted before the next bed. A bed
        // thinner than half a unit is skipped
        given += left;
        depth += left;
        wanted -= left > 0 ? strata_soft_equivalent(ground, soft, left) : 0;
    }
    return (int32_t)given;
}

int32_t wadi_strata_erodible(const wadi_ground* ground, int64_t cell)
{
    const wadi_strata* strata = ground->strata;
    const int64_t depth = strata_depth(ground, cell);
    int64_t room = 0;
    for (int32_t bed = strata_bed_at(strata, depth); bed < strata->count; ++bed)
    {
        const bool is_there = strata_remaining(strata, bed, depth) > room;
        if (strata->hardness[bed] == 65535 && is_there)
        {
            return (int32_t)(room < INT32_MAX ? room : INT32_MAX);
        }
        room = bed + 1 < strata->count ? strata->bottom[bed] - depth : room;
    }
    return INT32_MAX;
}

void wadi_strata_update_hardness(const wadi_ground* ground, int64_t first, int64_t count)
{
    const wadi_strata* strata = ground->strata;
    for (int64_t i = first; i < first + count; ++i)
    {
        ground->hardness[i] = strata->hardness[strata_bed_at(strata, strata_depth(ground, i))];
    }
}

// ---- life --------------------------------------------------------------------------------

static wadi_result strata_check(wadi_terrain* terrain, const wadi_stratum* beds, int32_t count)
{
    wadi_context* context = terrain->context;
    WADI_CHECK(context, count >= 1 && count <= WADI_MAX_STRATA && beds != NULL, WADI_ERROR_RANGE,
               "%d beds of rock; expected 1 to %d", (int)count, WADI_MAX_STRATA);
    double depth = 0.0;
    for (int32_t i = 0; i < count; ++i)
    {
        WADI_CHECK(context, beds[i].hardness >= 0.0 && beds[i].hardness <= 1.0, WADI_ERROR_RANGE,
                   "bed %d has hardness %g; it must lie in [0, 1]", (int)i + 1, beds[i].hardness);
        WADI_CHECK(context, beds[i].thickness > 0.0 && beds[i].thickness <= 2.0 * WADI_HEIGHT_LIMIT,
                   WADI_ERROR_RANGE, "bed %d is %g m thick; it must be above 0 and at most %g m",
                   (int)i + 1, beds[i].thickness, 2.0 * WADI_HEIGHT_LIMIT);
        depth += i + 1 < count ? beds[i].thickness : 0.0;
    }
    WADI_CHECK(context, depth <= WADI_HEIGHT_LIMIT, WADI_ERROR_RANGE,
               "the beds above the last are %g m thick together; the maximum is %g m", depth,
               WADI_HEIGHT_LIMIT);
    return WADI_OK;
}

static wadi_result strata_check_top(wadi_terrain* terrain, const float* top, ptrdiff_t stride)
{
    const wadi_ground* ground = &terrain->ground;
    for (int64_t i = 0; top != NULL && i < ground->cells; ++i)
    {
        const int32_t x = (int32_t)(i % ground->width);
        const int32_t y = (int32_t)(i / ground->width);
        const double height = (double)top[y * stride + x];
        WADI_CHECK(
            terrain->context, ground->valid[i] == 0 || fabs(height) <= WADI_HEIGHT_LIMIT,
            WADI_ERROR_RANGE,
            "the top of the first bed at column %d, row %d is %g m; it must stay within %g m of 0",
            (int)x, (int)y, height, WADI_HEIGHT_LIMIT);
    }
    return WADI_OK;
}

static void strata_set_beds(wadi_strata* strata, const wadi_stratum* beds, int32_t count)
{
    double depth = 0.0;
    strata->count = count;
    for (int32_t i = 0; i < count; ++i)
    {
        depth += beds[i].thickness;
        strata->bottom[i] =
            i + 1 < count ? (int32_t)floor(depth * WADI_UNITS_PER_METRE + 0.5) : INT32_MAX;
        strata->hardness[i] = (uint16_t)floor(beds[i].hardness * 65535.0 + 0.5);
    }
}

static void strata_set_top(const wadi_ground* ground, const float* top, ptrdiff_t stride,
                           int32_t* out)
{
    for (int64_t i = 0; i < ground->cells; ++i)
    {
        const float height =
            top != NULL ? top[i / ground->width * stride + i % ground->width] : 0.0f;
        out[i] = top == NULL || ground->valid[i] == 0
                     ? ground->bedrock[i]
                     : (int32_t)floor((double)height * WADI_UNITS_PER_METRE + 0.5);
    }
}

void wadi_strata_destroy(wadi_terrain* terrain)
{
    wadi_strata* strata = terrain->ground.strata;
    if (strata != NULL)
    {
        wadi_free(terrain->context, strata->top);
        wadi_free(terrain->context, strata);
        terrain->ground.strata = NULL;
    }
}

// Allocate beds, all zero, without replacing the terrain's current beds.
static wadi_result strata_create(wadi_terrain* terrain, wadi_strata** out)
{
    wadi_context* context = terrain->context;
    wadi_strata* strata = NULL;
    WADI_ALLOC(context, strata, 1, "beds of rock");
    strata->top = wadi_alloc(context, (size_t)terrain->ground.cells, sizeof *strata->top);
    if (strata->top == NULL)
    {
        wadi_free(context, strata);
        return wadi_fail_memory(context, (size_t)terrain->ground.cells * sizeof *strata->top,
                                "beds of rock");
    }
    *out = strata;
    return WADI_OK;
}

wadi_result wadi_strata_adopt(wadi_terrain* terrain, const wadi_strata* beds)
{
    wadi_strata* strata = NULL;
    WADI_TRY(strata_create(terrain, &strata));
    int32_t* top = strata->top;
    *strata = *beds;
    strata->top = top;
    wadi_strata_destroy(terrain);
    terrain->ground.strata = strata;
    return WADI_OK;
}

wadi_result wadi_strata_copy(const wadi_ground* from, wadi_terrain* to)
{
    if (from->strata == NULL)
    {
        return WADI_OK;
    }
    WADI_TRY(wadi_strata_adopt(to, from->strata));
    memcpy(to->ground.strata->top, from->strata->top,
           (size_t)from->cells * sizeof *from->strata->top);
    return WADI_OK;
}

wadi_result wadi_strata_check_layer(wadi_terrain* terrain, wadi_layer layer)
{
    WADI_CHECK(terrain->context, layer != WADI_LAYER_HARDNESS || terrain->ground.strata == NULL,
               WADI_ERROR_STATE,
               "hardness follows from the beds of this terrain; change or remove those (strata in "
               "a scene, wadi_terrain_set_strata() in C)");
    return WADI_OK;
}

wadi_result wadi_terrain_set_strata(wadi_terrain* terrain, const wadi_stratum* beds, int32_t count,
                                    const float* top, ptrdiff_t stride)
{
    WADI_TRY(wadi_terrain_check_writable(terrain));
    if (count == 0)
    {
        wadi_strata_destroy(terrain);
        wadi_terrain_changed(terrain);
        return WADI_OK;
    }
    WADI_TRY(strata_check(terrain, beds, count));
    WADI_TRY(strata_check_top(terrain, top, stride));
    wadi_strata* strata = NULL;
    WADI_TRY(strata_create(terrain, &strata));
    strata_set_beds(strata, beds, count);
    strata_set_top(&terrain->ground, top, stride, strata->top);
    wadi_strata_destroy(terrain);
    terrain->ground.strata = strata;
    wadi_terrain_changed(terrain);
    return WADI_OK;
}
