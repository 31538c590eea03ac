// SPDX-License-Identifier: MIT
#include "scene/scene_whole.h"

#include "core/archive.h"
#include "core/partition_rows.h"
#include "terrain/ground.h"

// A part that is alone stands for the whole grid.
static const wadi_partition* whole_part(wadi_context* context)
{
    const wadi_partition* part = wadi_partition_of(context);
    return wadi_partition_is_alone(part) ? NULL : part;
}

static wadi_result whole_gather(const float* values, scene_whole* whole)
{
    const wadi_partition* part = wadi_partition_of(whole->window);
    whole->width = part->width;
    whole->height = part->height;
    whole->values = NULL;
    if (part->index == 0)
    {
        const wadi_result made = wadi_partition_whole_context(whole->window, &whole->own);
        WADI_CHECK(whole->window, made == WADI_OK, made, "out of memory for the whole grid");
        whole->context = whole->own;
        WADI_ALLOC(whole->window, whole->gathered, (int64_t)part->width * part->height,
                   "a map of the whole grid");
        whole->values = whole->gathered;
    }
    const partition_layer layer = {wadi_archive_const(values), whole->gathered,
                                   (int32_t)sizeof *values};
    return wadi_partition_gather(whole->window, &layer, 1);
}

wadi_result wadi_scene_whole_open(wadi_terrain* terrain, const float* values, scene_whole* whole)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    *whole = (scene_whole){.context = context,
                           .values = values,
                           .width = ground->width,
                           .height = ground->height,
                           .window = context};
    return whole_part(context) == NULL ? WADI_OK : whole_gather(values, whole);
}

void wadi_scene_whole_close(scene_whole* whole)
{
    wadi_free(whole->window, whole->gathered);
    wadi_context_destroy(whole->own);
    *whole = (scene_whole){0};
}

wadi_result wadi_scene_whole_pass(const scene_whole* whole, wadi_result result)
{
    return result == WADI_OK || whole->own == NULL
               ? result
               : wadi_fail(whole->window, result, "%s", wadi_error_detail(whole->own));
}

wadi_result wadi_scene_whole_give(const scene_whole* whole, float* map, float* out)
{
    const partition_layer layer = {out, map, (int32_t)sizeof *map};
    return wadi_partition_scatter(whole->window, &layer, 1);
}

wadi_result wadi_scene_whole_tell(const scene_whole* whole, double* value)
{
    const bool told = wadi_partition_tell(whole_part(whole->window), whole->values != NULL, value);
    return told ? WADI_OK : wadi_partition_lost(whole->window);
}
