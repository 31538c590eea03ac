// SPDX-License-Identifier: MIT
// Edits: changes of one layer inside a region, between the steps of processes.
#include "scene/scene_internal.h"
#include "terrain/change.h"
#include "terrain/ground.h"

#include <stddef.h>

typedef struct edit_amount
{
    uint32_t cookie;
    double amount;
} edit_amount;

#define EDIT_TABLE(kind, field, initial, max, unit, doc)                                           \
    static const wadi_field edit_##kind##_list[] = {                                               \
        {field, WADI_FIELD_DOUBLE, offsetof(edit_amount, amount), initial, 0.0, max, unit, doc,    \
         "", NULL, 0},                                                                             \
    };                                                                                             \
    static const wadi_field_table edit_##kind##_fields = {#kind, edit_##kind##_list, 1,            \
                                                          sizeof(edit_amount), NULL}

EDIT_TABLE(add_sand, "depth", 1.0, WADI_HEIGHT_LIMIT, "m", "Thickness that is put on top.");
EDIT_TABLE(remove_sand, "depth", 1.0, WADI_HEIGHT_LIMIT, "m", "Thickness that is taken at most.");
EDIT_TABLE(raise, "height", 10.0, WADI_HEIGHT_LIMIT, "m", "By how much the rock rises.");
EDIT_TABLE(lower, "depth", 10.0, WADI_HEIGHT_LIMIT, "m", "By how much the rock sinks.");
EDIT_TABLE(add_water, "depth", 1.0, WADI_HEIGHT_LIMIT, "m", "Depth of water that is poured.");
EDIT_TABLE(remove_water, "depth", 1.0, WADI_HEIGHT_LIMIT, "m",
           "Depth of water that is drained at most.");
EDIT_TABLE(plant, "cover", 1.0, 1.0, "1", "Share of the ground that plants cover.");
EDIT_TABLE(uproot, "cover", 1.0, 1.0, "1", "Cover that is taken at most.");
EDIT_TABLE(smooth, "share", 0.5, 1.0, "1", "Share of the way to the mean of the eight neighbours.");

static const wadi_edit_kind edit_kinds[] = {
    {"add_sand", "put loose sediment on top", &edit_add_sand_fields, WADI_LAYER_SEDIMENT,
     WADI_EDIT_ADD},
    {"remove_sand", "take loose sediment away, down to the rock at most", &edit_remove_sand_fields,
     WADI_LAYER_SEDIMENT, WADI_EDIT_TAKE},
    {"raise", "lift the rock and all that lies on it", &edit_raise_fields, WADI_LAYER_BEDROCK,
     WADI_EDIT_ADD},
    {"lower", "sink the rock and all that lies on it", &edit_lower_fields, WADI_LAYER_BEDROCK,
     WADI_EDIT_TAKE},
    {"add_water", "pour water on the surface", &edit_add_water_fields, WADI_LAYER_WATER,
     WADI_EDIT_ADD},
    {"remove_water", "drain water, down to the ground at most", &edit_remove_water_fields,
     WADI_LAYER_WATER, WADI_EDIT_TAKE},
    {"plant", "grow plants; where there are more already, they stay", &edit_plant_fields,
     WADI_LAYER_VEGETATION, WADI_EDIT_AT_LEAST},
    {"uproot", "take plants away; 1 leaves none", &edit_uproot_fields, WADI_LAYER_VEGETATION,
     WADI_EDIT_TAKE},
    {"smooth", "bring the surface closer to the mean of its neighbours", &edit_smooth_fields,
     WADI_LAYER_SURFACE, WADI_EDIT_SMOOTH},
    {"set_layer", "give a layer the values of a source", NULL, WADI_LAYER_SURFACE, WADI_EDIT_SET},
};
enum
{
    EDIT_COUNT = sizeof edit_kinds / sizeof edit_kinds[0]
};

int32_t wadi_edit_kind_count(void)
{
    return EDIT_COUNT;
}

const wadi_edit_kind* wadi_edit_kind_at(int32_t index)
{
    return index >= 0 && index < EDIT_COUNT ? &edit_kinds[index] : NULL;
}

const wadi_edit_kind* wadi_edit_kind_find(const char* name)
{
    return wadi_edit_kind_at(scene_find_name(edit_kinds, sizeof edit_kinds[0], EDIT_COUNT, name));
}

// Change of a cell at full weight. `values` is NULL if the edit has one amount for all cells.
static double edit_cell(const wadi_terrain* terrain, const wadi_edit* edit, wadi_layer layer,
                        int64_t cell, const float* values)
{
    const edit_amount* params = edit->params;
    if (edit->kind->verb == WADI_EDIT_SMOOTH)
    {
        return wadi_edit_smooth(terrain, layer, cell, params->amount);
    }
    const double amount = values != NULL ? (double)values[cell] : params->amount;
    return wadi_edit_change(edit->kind->verb, wadi_terrain_value(terrain, layer, cell), amount);
}

// Changes of all cells; returns how many cells the edit reaches. `weights` is NULL if the edit has
// no mask.
static int64_t edit_weigh(const wadi_terrain* terrain, const wadi_edit* edit, wadi_layer layer,
                          const float* values, const float* weights, double* change)
{
    int64_t reached = 0;
    const wadi_frame frame = {.width = wadi_terrain_width(terrain),
                              .height = wadi_terrain_height(terrain),
                              .cell_size = wadi_terrain_cell_size(terrain),
                              .window = wadi_terrain_ground_const(terrain)->part};
    for (int32_t y = 0; y < frame.height; ++y)
    {
        for (int32_t x = 0; x < frame.width; ++x)
        {
            const int64_t i = (int64_t)y * frame.width + x;
            const double share = weights != NULL ? (double)weights[i] : 1.0;
            const double weight =
                share * wadi_region_weight(&edit->region, scene_cell_centre(&frame, x, y));
            // outside the region a source may have no data
            change[i] = weight > 0.0 ? weight * edit_cell(terrain, edit, layer, i, values) : 0.0;
            reached += weight > 0.0 ? 1 : 0;
        }
    }
    return reached;
}

// Room for the change of each cell, and for a source and a mask if the edit has them.
typedef struct edit_room
{
    double* change;
    float* values;
    float* weights;
} edit_room;

static wadi_result edit_fill(wadi_run* run, const wadi_edit* edit, uint32_t place, edit_room* room)
{
    const int64_t cells =
        (int64_t)wadi_terrain_width(run->terrain) * wadi_terrain_height(run->terrain);
    WADI_ALLOC(run->context, room->change, cells, "an edit");
    if (edit->kind->verb == WADI_EDIT_SET)
    {
        WADI_ALLOC(run->context, room->values, cells, "an edit");
        WADI_TRY(wadi_scene_values(run, &edit->assigned.source, place, room->values));
    }
    if (edit->mask != NULL)
    {
        WADI_ALLOC(run->context, room->weights, cells, "an edit");
        WADI_TRY(wadi_scene_mask_weights(run, edit->mask, place + SCENE_PLACE_MASK, room->weights));
    }
    return WADI_OK;
}

// Tell of an edit that reaches no cell, or takes what is not there. Rock is everywhere.
static void edit_note(const wadi_run* run, const wadi_edit* edit, int64_t reached,
                      const double* change)
{
    const wadi_layer layer = edit->kind->layer;
    bool changes = edit->kind->verb != WADI_EDIT_TAKE || layer == WADI_LAYER_BEDROCK;
    const int64_t cells =
        (int64_t)wadi_terrain_width(run->terrain) * wadi_terrain_height(run->terrain);
    for (int64_t i = 0; !changes && i < cells; ++i)
    {
        changes = change[i] != 0.0 && wadi_terrain_value(run->terrain, layer, i) > 0.0;
    }
    // windows tell of it once, and only if it is so in all of them
    const wadi_ground* ground = wadi_terrain_ground_const(run->terrain);
    const bool reaches = wadi_partition_any(ground->part, reached != 0);
    changes = wadi_partition_any(ground->part, changes);
    if ((!reaches || !changes) && wadi_ground_is_first(ground))
    {
        wadi_log_line(run->context, "%s changes nothing: %s", edit->kind->name,
                      !reaches ? "its region and mask reach no cell"
                               : "there is nothing to take where it acts");
    }
}

// Smoothing has read the cells beside the halo, of which there are none.
static wadi_result edit_refresh(const wadi_run* run)
{
    return wadi_ground_refresh_all(wadi_terrain_ground_const(run->terrain))
               ? WADI_OK
               : wadi_partition_lost(run->context);
}

wadi_result wadi_scene_apply_edit(wadi_run* run, const wadi_edit* edit, uint32_t place)
{
    const bool assigns = edit->kind->verb == WADI_EDIT_SET;
    const wadi_layer layer = assigns ? edit->assigned.layer : edit->kind->layer;
    edit_room room = {0};
    wadi_result result = edit_fill(run, edit, place, &room);
    if (result == WADI_OK)
    {
        const int64_t reached =
            edit_weigh(run->terrain, edit, layer, room.values, room.weights, room.change);
        edit_note(run, edit, reached, room.change);
        result = wadi_terrain_change_layer(run->terrain, layer, room.change);
        result = result == WADI_OK ? edit_refresh(run) : result;
    }
    wadi_free(run->context, room.weights);
    wadi_free(run->context, room.values);
    wadi_free(run->context, room.change);
    return result;
}
