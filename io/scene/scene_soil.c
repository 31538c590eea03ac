// SPDX-License-Identifier: MIT
// Bodies of soil in a step of a scene file, and the series of frames that show them.
#include "io/scene/scene_reader.h"

#include <string.h>

// ---- soil ---------------------------------------------------------------------------------------

// A body has four field tables: initial state, grain material, hydraulics of the soil, and cohesion
// by water.
static const wadi_field_table* const soil_tables[] = {
    &wadi_body_fields, &wadi_grain_material_fields, &wadi_soil_fields, &wadi_cohesion_fields};

enum
{
    SOIL_TABLES = sizeof soil_tables / sizeof soil_tables[0],
    SOIL_MAX_NAMES = 64
};

static wadi_result soil_read_mesh(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return wadi_scene_read_text(reader, value, "mesh", &((wadi_scene_body*)into)->mesh);
}

static wadi_result soil_read_up(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    static const char* const names[] = {"y", "z"};
    int32_t choice;
    SCENE_TRY(wadi_scene_read_choice(reader, value, "up", names, 2, &choice));
    ((wadi_scene_body*)into)->z_is_up = choice == 1;
    return WADI_OK;
}

static wadi_result soil_take_field(scene_reader* reader, const wadi_yaml_entry* entry, void* into,
                                   bool* taken)
{
    wadi_body* body = &((wadi_scene_body*)into)->body;
    void* const params[SOIL_TABLES] = {&body->params, &body->material.grain, &body->material.soil,
                                       &body->material.cohesion};
    for (int i = 0; i < SOIL_TABLES; ++i)
    {
        const wadi_field* field = wadi_field_find(soil_tables[i], wadi_yaml_text(entry->key));
        if (field != NULL)
        {
            *taken = true;
            return wadi_scene_read_field(reader, soil_tables[i], field, NULL, entry->value,
                                         params[i]);
        }
    }
    return WADI_OK;
}

static void soil_list_names(const char* names[SOIL_MAX_NAMES])
{
    int32_t count = 0;
    for (int i = 0; i < SOIL_TABLES; ++i)
    {
        for (int32_t k = 0; k < soil_tables[i]->count && count < SOIL_MAX_NAMES - 1; ++k)
        {
            names[count++] = soil_tables[i]->fields[k].name;
        }
    }
    names[count] = NULL;
}

static wadi_result soil_read_body(scene_reader* reader, wadi_yaml_node* node, wadi_scene_body* out)
{
    static const scene_key keys[] = {{"mesh", soil_read_mesh}, {"up", soil_read_up}};
    const char* names[SOIL_MAX_NAMES];
    soil_list_names(names);
    const scene_form form = {.name = "soil",
                             .keys = keys,
                             .key_count = sizeof keys / sizeof keys[0],
                             .other = soil_take_field,
                             .other_names = names};
    *out = (wadi_scene_body){
        .body = {.params = wadi_body_params_default(), .material = wadi_wet_material_default()}};
    return wadi_scene_read_map(reader, node, &form, out);
}

// Check that a value is a list of 1 to `most` items.
static wadi_result soil_check_list(scene_reader* reader, wadi_yaml_node* value, const char* what,
                                   int32_t most)
{
    const int32_t count = wadi_yaml_count(value);
    return wadi_yaml_kind_of(value) == WADI_YAML_LIST && count >= 1 && count <= most
               ? WADI_OK
               : wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                                "'%s' takes a list of 1 to %d items, with a dash before each", what,
                                most);
}

static wadi_result soil_read_bodies(scene_reader* reader, wadi_yaml_node* value,
                                    wadi_scene_body* bodies, int32_t* count)
{
    *count = 0;
    SCENE_TRY(soil_check_list(reader, value, "soil", WADI_GRAIN_MAX_MATERIALS));
    void* place = NULL;
    wadi_yaml_entry entry;
    while (wadi_yaml_next(value, &place, &entry))
    {
        SCENE_TRY(soil_read_body(reader, entry.value, &bodies[*count]));
        *count += 1;
    }
    return WADI_OK;
}

// ---- series -------------------------------------------------------------------------------------

static wadi_result series_read_file(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return wadi_scene_read_output_file(reader, value, &((wadi_scene_series*)into)->file);
}

static wadi_result series_read_every(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return wadi_scene_read_number(reader, value, "every", "s", &((wadi_scene_series*)into)->every);
}

static wadi_result series_read_item(scene_reader* reader, wadi_yaml_node* node,
                                    wadi_scene_series* out)
{
    static const scene_key write_keys[] = {{"write", series_read_file},
                                           {"every", series_read_every}};
    static const scene_key render_keys[] = {{"render", series_read_file},
                                            {"every", series_read_every}};
    void* picture = NULL;
    const bool is_picture =
        wadi_yaml_kind_of(node) == WADI_YAML_MAP && wadi_yaml_find(node, "render") != NULL;
    if (is_picture)
    {
        SCENE_TRY(wadi_scene_new_params(reader, node, &wadi_grain_picture_fields, &picture));
    }
    const scene_form form = {.name = "series",
                             .keys = is_picture ? render_keys : write_keys,
                             .key_count = 2,
                             .table = is_picture ? &wadi_grain_picture_fields : NULL,
                             .params = picture};
    *out = (wadi_scene_series){.every = 1.0};
    SCENE_TRY(wadi_scene_read_map(reader, node, &form, out));
    out->picture = picture;
    const char* dot = out->file != NULL ? strrchr(out->file, '.') : NULL;
    const bool is_png = dot != NULL && strcmp(dot, ".png") == 0;
    const bool is_points = dot != NULL && (strcmp(dot, ".pvd") == 0 || strcmp(dot, ".vtp") == 0 ||
                                           strcmp(dot, ".ply") == 0);
    return (is_picture && is_png) || (!is_picture && is_points)
               ? WADI_OK
               : wadi_yaml_fail(reader->yaml, node, WADI_ERROR_FORMAT,
                                "a series is 'write' with a .pvd, .vtp or .ply, or 'render' with a "
                                ".png, such as {write: slide.pvd, every: 0.5 s}");
}

static wadi_result series_read_items(scene_reader* reader, wadi_yaml_node* value,
                                     wadi_scene_series* series, int32_t* count)
{
    *count = 0;
    SCENE_TRY(soil_check_list(reader, value, "series", SCENE_MAX_SERIES));
    void* place = NULL;
    wadi_yaml_entry entry;
    while (wadi_yaml_next(value, &place, &entry))
    {
        SCENE_TRY(series_read_item(reader, entry.value, &series[*count]));
        *count += 1;
    }
    return WADI_OK;
}

// ---- both ---------------------------------------------------------------------------------------

const char* const wadi_scene_soil_keys[SCENE_SOIL_KEYS] = {"soil", "grains", "series", "water"};

wadi_result wadi_scene_read_soil(scene_reader* reader, const wadi_yaml_entry* entry,
                                 scene_soil* out)
{
    const char* key = wadi_yaml_text(entry->key);
    return strcmp(key, "soil") == 0
               ? soil_read_bodies(reader, entry->value, out->bodies, &out->body_count)
           : strcmp(key, "series") == 0
               ? series_read_items(reader, entry->value, out->series, &out->series_count)
           : strcmp(key, "water") == 0
               ? wadi_scene_read_water(reader, entry->value, &out->water)
               : wadi_scene_read_text(reader, entry->value, key, &out->grains);
}
