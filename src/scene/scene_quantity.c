// SPDX-License-Identifier: MIT
// Quantities: layers, maps of processes and derived maps, by name.
#include "scene/scene_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct
{
    const char* name;
    wadi_layer layer;
} quantity_layers[] = {
    {"surface", WADI_LAYER_SURFACE},       {"height", WADI_LAYER_SURFACE},
    {"bedrock", WADI_LAYER_BEDROCK},       {"sediment", WADI_LAYER_SEDIMENT},
    {"water", WADI_LAYER_WATER},           {"hardness", WADI_LAYER_HARDNESS},
    {"vegetation", WADI_LAYER_VEGETATION}, {"moisture", WADI_LAYER_MOISTURE},
};

static bool quantity_find_layer(const char* text, wadi_quantity* out)
{
    for (size_t i = 0; i < sizeof quantity_layers / sizeof quantity_layers[0]; ++i)
    {
        if (strcmp(quantity_layers[i].name, text) == 0)
        {
            out->layer = quantity_layers[i].layer;
            return true;
        }
    }
    return false;
}

static bool quantity_find_derived(const char* text, wadi_quantity* out)
{
    for (int map = 0; map < WADI_DERIVED_COUNT; ++map)
    {
        if (strcmp(wadi_derived_name((wadi_derived)map), text) == 0)
        {
            out->is_derived = true;
            out->derived = (wadi_derived)map;
            return true;
        }
    }
    return false;
}

// A map that the process makes or, if none has the name, one that it takes.
static const wadi_map_info* quantity_find_map(const wadi_process* process, const char* name)
{
    const wadi_map_info* found = NULL;
    for (int32_t i = 0; i < process->map_count; ++i)
    {
        const wadi_map_info* map = &process->maps[i];
        if (strcmp(map->name, name) == 0 && (found == NULL || found->input))
        {
            found = map;
        }
    }
    return found;
}

static wadi_result quantity_parse_map(wadi_context* context, const char* text, const char* dot,
                                      wadi_quantity* out)
{
    char name[WADI_NAME_LENGTH];
    (void)snprintf(name, sizeof name, "%.*s", (int)(dot - text), text);
    out->process = wadi_process_find(context, name);
    WADI_CHECK(context, out->process != NULL, WADI_ERROR_UNKNOWN,
               "'%s': unknown process '%s'; 'wadi describe' lists all", text, name);
    const wadi_map_info* map = quantity_find_map(out->process, dot + 1);
    out->map = map != NULL ? map->name : NULL;
    WADI_CHECK(context, out->map != NULL, WADI_ERROR_UNKNOWN,
               "'%s': %s has no map '%s'; 'wadi describe %s' lists its maps", text, name, dot + 1,
               name);
    return WADI_OK;
}

wadi_result wadi_quantity_parse(wadi_context* context, const char* text, wadi_quantity* out)
{
    *out = (wadi_quantity){0};
    const char* dot = strchr(text, '.');
    if (dot != NULL)
    {
        return quantity_parse_map(context, text, dot, out);
    }
    WADI_CHECK(context, quantity_find_layer(text, out) || quantity_find_derived(text, out),
               WADI_ERROR_UNKNOWN,
               "'%s' is neither a layer, such as sediment, nor a derived map, such as slope, nor a "
               "process's map, such as hydraulic.flow",
               text);
    return WADI_OK;
}

static wadi_result quantity_copy_layer(wadi_terrain* terrain, wadi_layer layer, float* out)
{
    wadi_view view;
    WADI_TRY(wadi_terrain_borrow(terrain, layer, &view));
    for (int32_t y = 0; y < view.height; ++y)
    {
        memcpy(out + (int64_t)y * view.width, view.data + y * view.stride,
               (size_t)view.width * sizeof *out);
    }
    return wadi_terrain_release(terrain, layer);
}

// Thicknesses and shares are 0 in void cells; outputs mark these cells by NaN.
static void quantity_blank_void(const wadi_terrain* terrain, float* out)
{
    const int32_t width = wadi_terrain_width(terrain);
    for (int32_t y = 0; y < wadi_terrain_height(terrain); ++y)
    {
        for (int32_t x = 0; x < width; ++x)
        {
            float* cell = &out[(int64_t)y * width + x];
            *cell = wadi_terrain_is_valid(terrain, x, y) ? *cell : NAN;
        }
    }
}

const char* wadi_quantity_unit(const wadi_quantity* quantity)
{
    if (quantity->process != NULL)
    {
        // exists: the quantity has been parsed
        return quantity_find_map(quantity->process, quantity->map)->unit;
    }
    if (quantity->is_derived)
    {
        return wadi_derived_unit(quantity->derived);
    }
    const bool share = quantity->layer == WADI_LAYER_HARDNESS ||
                       quantity->layer == WADI_LAYER_VEGETATION ||
                       quantity->layer == WADI_LAYER_MOISTURE;
    return share ? "1" : "m";
}

wadi_result wadi_terrain_quantity(wadi_terrain* terrain, const wadi_quantity* quantity, float* out)
{
    WADI_CHECK(wadi_terrain_context(terrain), quantity->process == NULL, WADI_ERROR_STATE,
               "%s.%s is a map of a process, not of the terrain", quantity->process->name,
               quantity->map);
    if (quantity->is_derived)
    {
        return wadi_scene_derive(terrain, quantity->derived, out);
    }
    WADI_TRY(quantity_copy_layer(terrain, quantity->layer, out));
    quantity_blank_void(terrain, out);
    return WADI_OK;
}

wadi_result wadi_run_quantity(wadi_run* run, const wadi_quantity* quantity, float* out)
{
    if (quantity->process != NULL)
    {
        wadi_solver* solver = wadi_run_solver(run, quantity->process);
        WADI_CHECK(run->context, solver != NULL, WADI_ERROR_STATE,
                   "the map %s.%s does not exist: %s has not run", quantity->process->name,
                   quantity->map, quantity->process->name);
        return wadi_solver_map(solver, quantity->map, out);
    }
    return wadi_terrain_quantity(run->terrain, quantity, out);
}
