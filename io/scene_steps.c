// SPDX-License-Identifier: MIT
// The part `steps:` of a scene file. No process and no edit is known by name here: their tables say
// all there is to read.
#include "scene_reader.h"

#include <stdio.h>
#include <string.h>

enum
{
    STEPS_MAX_INPUTS = 16
};

// ---- processes ----------------------------------------------------------------------------------

typedef struct steps_process
{
    wadi_scene_process step;
    wadi_scene_input inputs[STEPS_MAX_INPUTS];
    char input_keys[STEPS_MAX_INPUTS][WADI_NAME_LENGTH + 8];
    const char* input_names[STEPS_MAX_INPUTS + 1]; // ends with NULL; tables after the maps
    int32_t map_count;
    wadi_scene_table tables[STEPS_MAX_INPUTS];
} steps_process;

// In a file an input map is called "rain_map", so that it can stand beside a field "rain".
static void steps_name_inputs(const wadi_process* process, steps_process* part)
{
    int32_t count = 0;
    for (int32_t i = 0; i < process->map_count && count < STEPS_MAX_INPUTS; ++i)
    {
        if (process->maps[i].input)
        {
            const char* name = process->maps[i].name;
            const size_t length = strlen(name);
            const bool has_suffix = length > 4 && strcmp(name + length - 4, "_map") == 0;
            (void)snprintf(part->input_keys[count], sizeof part->input_keys[count], "%s%s", name,
                           has_suffix ? "" : "_map");
            part->input_names[count] = part->input_keys[count];
            part->inputs[count].map = name;
            ++count;
        }
    }
    part->map_count = count;
    for (int32_t i = 0; i < process->table_count && count < STEPS_MAX_INPUTS; ++i)
    {
        part->input_names[count++] = process->tables[i].name;
    }
}

static const char* steps_unit_of_map(const wadi_process* process, const char* name)
{
    const char* unit = "1";
    for (int32_t i = 0; i < process->map_count; ++i)
    {
        if (process->maps[i].input && strcmp(process->maps[i].name, name) == 0)
        {
            unit = process->maps[i].unit;
        }
    }
    return unit;
}

// A table is a file.
static wadi_result steps_take_table(scene_reader* reader, const wadi_yaml_entry* entry,
                                    steps_process* part, const char* name)
{
    wadi_scene_table* table = &part->tables[part->step.table_count++];
    table->table = name;
    return wadi_scene_read_text(reader, entry->value, name, &table->file);
}

static wadi_result steps_take_input(scene_reader* reader, const wadi_yaml_entry* entry, void* into,
                                    bool* taken)
{
    steps_process* part = into;
    for (int32_t i = 0; part->input_names[i] != NULL; ++i)
    {
        if (strcmp(part->input_names[i], wadi_yaml_text(entry->key)) == 0)
        {
            *taken = true;
            if (i >= part->map_count)
            {
                return steps_take_table(reader, entry, part, part->input_names[i]);
            }
            const char* unit = steps_unit_of_map(part->step.process, part->inputs[i].map);
            return wadi_scene_read_source(reader, entry->value, WADI_FILLS_LAYER, unit,
                                          &part->inputs[i].source);
        }
    }
    return WADI_OK;
}

static wadi_result steps_read_duration(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return wadi_scene_read_number(reader, value, "for", "yr", &((steps_process*)into)->step.years);
}

// Read before all other keys: the values of a preset lie under the ones that are written out.
static wadi_result steps_apply_preset(scene_reader* reader, wadi_yaml_node* value,
                                      const wadi_process* process, void* params)
{
    wadi_yaml_node* preset =
        wadi_yaml_kind_of(value) == WADI_YAML_MAP ? wadi_yaml_find(value, "preset") : NULL;
    if (preset == NULL)
    {
        return WADI_OK;
    }
    const char* name;
    SCENE_TRY(wadi_scene_read_text(reader, preset, "preset", &name));
    return wadi_scene_at(reader, preset,
                         wadi_process_apply_preset(reader->context, process, name, params));
}

static wadi_result steps_pass_preset(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    (void)reader;
    (void)value;
    (void)into;
    return WADI_OK; // steps_apply_preset() has read it
}

// Only the inputs that were given count.
static void steps_pack_inputs(steps_process* part)
{
    int32_t count = 0;
    for (int32_t i = 0; i < part->map_count; ++i)
    {
        if (part->inputs[i].source.kind != NULL)
        {
            part->inputs[count++] = part->inputs[i];
        }
    }
    part->step.inputs = part->inputs;
    part->step.input_count = count;
    part->step.tables = part->tables;
}

static bool steps_is_empty(wadi_yaml_node* value)
{
    return wadi_yaml_kind_of(value) == WADI_YAML_SCALAR && wadi_yaml_text(value)[0] == '\0';
}

static wadi_result steps_read_process(scene_reader* reader, const wadi_yaml_entry* entry,
                                      const wadi_process* process, wadi_step* step)
{
    static const scene_key keys[] = {
        {"for", steps_read_duration},
        {"preset", steps_pass_preset},
    };
    steps_process part = {.step = {.process = process, .years = process->default_years}};
    steps_name_inputs(process, &part);
    void* params;
    SCENE_TRY(wadi_scene_new_params(reader, entry->key, process->fields, &params));
    part.step.params = params;
    SCENE_TRY(steps_apply_preset(reader, entry->value, process, params));
    const scene_form form = {.name = process->name,
                             .keys = keys,
                             .key_count = sizeof keys / sizeof keys[0],
                             .table = process->fields,
                             .params = params,
                             .other = steps_take_input,
                             .other_names = part.input_names};
    if (!steps_is_empty(entry->value))
    {
        SCENE_TRY(wadi_scene_read_map(reader, entry->value, &form, &part));
    }
    steps_pack_inputs(&part);
    step->kind = WADI_STEP_PROCESS;
    step->process = part.step;
    return wadi_scene_at(reader, entry->key, wadi_scene_add_step(reader->scene, step));
}

// ---- edits --------------------------------------------------------------------------------------

static wadi_result steps_take_region(scene_reader* reader, const wadi_yaml_entry* entry, void* into,
                                     bool* taken)
{
    return wadi_scene_read_region_key(reader, entry, &((wadi_edit*)into)->region, taken);
}

// `set_layer: {hardness: 0.8, circle: {...}}`: the layer is named by its own key.
static wadi_result steps_take_assignment(scene_reader* reader, const wadi_yaml_entry* entry,
                                         void* into, bool* taken)
{
    wadi_edit* edit = into;
    wadi_quantity quantity;
    SCENE_TRY(wadi_scene_read_region_key(reader, entry, &edit->region, taken));
    const bool known =
        wadi_quantity_parse(reader->context, wadi_yaml_text(entry->key), &quantity) == WADI_OK &&
        quantity.process == NULL && !quantity.is_derived;
    if (*taken || !known)
    {
        return WADI_OK;
    }
    if (edit->assigned.source.kind != NULL)
    {
        return wadi_yaml_fail(reader->yaml, entry->key, WADI_ERROR_FORMAT,
                              "set_layer sets one layer; write another step for the %s",
                              wadi_yaml_text(entry->key));
    }
    *taken = true;
    return wadi_scene_read_layer(reader, entry->key, entry->value, &edit->assigned);
}

static wadi_result steps_read_assignment(scene_reader* reader, const wadi_yaml_entry* entry,
                                         wadi_edit* edit)
{
    static const char* const names[] = {
        "sediment", "hardness",  "moisture", "vegetation", "water", "bedrock", "surface",
        "circle",   "rectangle", "polygon",  "everywhere", "soft",  NULL};
    const scene_form form = {
        .name = edit->kind->name, .other = steps_take_assignment, .other_names = names};
    SCENE_TRY(wadi_scene_read_map(reader, entry->value, &form, edit));
    return edit->assigned.source.kind != NULL
               ? WADI_OK
               : wadi_yaml_fail(reader->yaml, entry->key, WADI_ERROR_FORMAT,
                                "set_layer names no layer, such as {hardness: 0.8}");
}

static wadi_result steps_read_amount(scene_reader* reader, const wadi_yaml_entry* entry,
                                     wadi_edit* edit)
{
    const wadi_field_table* table = edit->kind->fields;
    void* params;
    SCENE_TRY(wadi_scene_new_params(reader, entry->key, table, &params));
    edit->params = params;
    const scene_form form = {.name = edit->kind->name,
                             .table = table,
                             .params = params,
                             .other = steps_take_region,
                             .other_names = wadi_scene_region_keys};
    if (wadi_yaml_kind_of(entry->value) == WADI_YAML_MAP)
    {
        return wadi_scene_read_map(reader, entry->value, &form, edit);
    }
    // `add_sand: 2 m` is meant for the whole terrain
    return wadi_scene_read_field(reader, table, &table->fields[0], NULL, entry->value, params);
}

static wadi_result steps_read_edit(scene_reader* reader, const wadi_yaml_entry* entry,
                                   const wadi_edit_kind* kind, wadi_step* step)
{
    step->kind = WADI_STEP_EDIT;
    step->edit.kind = kind;
    SCENE_TRY(kind->verb == WADI_EDIT_SET ? steps_read_assignment(reader, entry, &step->edit)
                                          : steps_read_amount(reader, entry, &step->edit));
    return wadi_scene_at(reader, entry->key, wadi_scene_add_step(reader->scene, step));
}

// ---- steps --------------------------------------------------------------------------------------

static wadi_result steps_unknown(scene_reader* reader, wadi_yaml_node* key)
{
    const char* names[64] = {"write", "render", "report"};
    int32_t count = 3;
    for (int32_t i = 0; i < wadi_process_count() && count < 48; ++i)
    {
        names[count++] = wadi_process_at(i)->name;
    }
    for (int32_t i = 0; i < wadi_edit_kind_count(); ++i)
    {
        names[count++] = wadi_edit_kind_at(i)->name;
    }
    return wadi_scene_unknown_key(reader, key, "steps", names, count);
}

static wadi_result steps_read_single(scene_reader* reader, wadi_yaml_node* node,
                                     const wadi_yaml_entry* entry, wadi_step* step)
{
    const wadi_process* process = wadi_process_find(wadi_yaml_text(entry->key));
    const wadi_edit_kind* edit = wadi_edit_kind_find(wadi_yaml_text(entry->key));
    if (process == NULL && edit == NULL)
    {
        return steps_unknown(reader, entry->key);
    }
    if (wadi_yaml_count(node) != 1)
    {
        return wadi_yaml_fail(reader->yaml, node, WADI_ERROR_FORMAT,
                              "the keys of '%s' belong inside it: indent them below it",
                              wadi_yaml_text(entry->key));
    }
    return process != NULL ? steps_read_process(reader, entry, process, step)
                           : steps_read_edit(reader, entry, edit, step);
}

static wadi_result steps_read_step(scene_reader* reader, wadi_yaml_node* node)
{
    if (wadi_yaml_kind_of(node) != WADI_YAML_MAP || wadi_yaml_count(node) == 0)
    {
        return wadi_yaml_fail(
            reader->yaml, node, WADI_ERROR_FORMAT,
            "a step is a key and its values, such as 'hydraulic: {for: 100 kyr}'");
    }
    char origin[512];
    wadi_yaml_place(reader->yaml, node, origin, sizeof origin);
    wadi_step step = {.origin = origin};
    void* place = NULL;
    wadi_yaml_entry entry;
    (void)wadi_yaml_next(node, &place, &entry);
    if (!wadi_scene_is_output(wadi_yaml_text(entry.key)))
    {
        return steps_read_single(reader, node, &entry, &step);
    }
    step.kind = WADI_STEP_OUTPUT;
    SCENE_TRY(wadi_scene_read_output(reader, node, &step.output));
    return wadi_scene_at(reader, entry.key, wadi_scene_add_step(reader->scene, &step));
}

wadi_result wadi_scene_read_steps(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    (void)into;
    if (wadi_yaml_kind_of(value) != WADI_YAML_LIST || wadi_yaml_count(value) == 0)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "'steps' takes a list with a dash before each step");
    }
    void* place = NULL;
    wadi_yaml_entry entry;
    while (wadi_yaml_next(value, &place, &entry))
    {
        SCENE_TRY(steps_read_step(reader, entry.value));
    }
    return WADI_OK;
}
