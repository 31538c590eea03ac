// SPDX-License-Identifier: MIT
// Derived maps of a terrain. In windows of a grid those of a cell and its neighbours are made of
// parts, whose halos show the neighbours; maps of drainage are made of the whole grid in the first
// window.
#include "scene/scene_whole.h"

#include "terrain/terrain.h"

static wadi_field2d derive_field(const wadi_terrain* terrain, const float* heights, int32_t width,
                                 int32_t height)
{
    const double cell = wadi_terrain_cell_size(terrain);
    wadi_field2d field = {.heights = heights,
                          .width = width,
                          .height = height,
                          .stride = width,
                          .dx = cell,
                          .dy = cell};
    for (int side = 0; side < 4; ++side)
    {
        field.edges[side] = wadi_terrain_edge(terrain, (wadi_side)side);
    }
    return field;
}

// The map of a window: an edge where the grid is cut is none of the grid's.
static wadi_result derive_part(const wadi_terrain* terrain, wadi_derived map, float* heights,
                               float* out)
{
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    wadi_context* context = wadi_terrain_context(terrain);
    void* const layers[] = {heights};
    const int32_t bytes[] = {(int32_t)sizeof *heights};
    if (!wadi_partition_get(ground->part, layers, bytes, 1))
    {
        return wadi_partition_lost(context);
    }
    wadi_field2d field = derive_field(terrain, heights, ground->width, ground->height);
    memcpy(field.edges, ground->edges, sizeof field.edges);
    return wadi_derive(context, &field, map, NULL, out);
}

// A map of the whole grid, which the windows get their parts of.
static wadi_result derive_give(const wadi_terrain* terrain, wadi_derived map,
                               const scene_whole* whole, float* out)
{
    float* room = NULL;
    wadi_result result = WADI_OK;
    if (whole->values != NULL)
    {
        const wadi_field2d field =
            derive_field(terrain, whole->values, whole->width, whole->height);
        WADI_ALLOC(whole->window, room, (int64_t)whole->width * whole->height, "a derived map");
        result = wadi_scene_whole_pass(whole, wadi_derive(whole->context, &field, map, NULL, room));
    }
    result = result == WADI_OK ? wadi_scene_whole_give(whole, room, out) : result;
    wadi_free(whole->window, room);
    return result;
}

static wadi_result derive_whole(wadi_terrain* terrain, wadi_derived map, const float* heights,
                                float* out)
{
    scene_whole whole;
    wadi_result result = wadi_scene_whole_open(terrain, heights, &whole);
    result = result == WADI_OK ? derive_give(terrain, map, &whole, out) : result;
    wadi_scene_whole_close(&whole);
    return result;
}

static wadi_result derive_grid(wadi_terrain* terrain, wadi_derived map, float* out)
{
    wadi_view view;
    WADI_TRY(wadi_terrain_borrow(terrain, WADI_LAYER_SURFACE, &view));
    const wadi_field2d field = derive_field(terrain, view.data, view.width, view.height);
    const wadi_result result = wadi_derive(wadi_terrain_context(terrain), &field, map, NULL, out);
    WADI_TRY(wadi_terrain_release(terrain, WADI_LAYER_SURFACE));
    return result;
}

wadi_result wadi_scene_derive(wadi_terrain* terrain, wadi_derived map, float* out)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    if (ground->part == NULL)
    {
        return derive_grid(terrain, map, out);
    }
    float* heights;
    WADI_ALLOC(context, heights, ground->cells, "a derived map");
    for (int32_t y = 0; y < ground->height; ++y)
    {
        const int64_t first = (int64_t)y * ground->width;
        wadi_terrain_view_cells(terrain, WADI_LAYER_SURFACE, first, ground->width, heights + first);
    }
    const bool parts = wadi_derived_is_local(map) || wadi_partition_is_alone(ground->part);
    const wadi_result result =
        parts ? derive_part(terrain, map, heights, out) : derive_whole(terrain, map, heights, out);
    wadi_free(context, heights);
    return result;
}
