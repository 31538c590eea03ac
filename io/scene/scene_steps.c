// SPDX-License-Identifier: MIT
// The part `steps:` of a scene file. Processes and edits come from their registries.
#include "io/scene/scene_reader.h"

#include <string.h>

// ---- edits --------------------------------------------------------------------------------------

static wadi_result steps_read_mask(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return wadi_scene_read_mask(reader, value, &((wadi_edit*)into)->mask);
}

// Keys of every edit.
static const scene_key steps_edit_keys[] = {{"mask", steps_read_mask}};

static wadi_result steps_take_region(scene_reader* reader, const wadi_yaml_entry* entry, void* into,
                                     bool* taken)
{
    return wadi_scene_read_region_key(reader, entry, &((wadi_edit*)into)->region, taken);
}

// `set_layer: {hardness: 0.8, circle: {...}}`: the key `hardness` is the layer.
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
                              "set_layer sets one layer; add another step for '%s'",
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
    const scene_form form = {.name = edit->kind->name,
                             .keys = steps_edit_keys,
                             .key_count = 1,
                             .other = steps_take_assignment,
                             .other_names = names};
    SCENE_TRY(wadi_scene_read_map(reader, entry->value, &form, edit));
    return edit->assigned.source.kind != NULL
               ? WADI_OK
               : wadi_yaml_fail(reader->yaml, entry->key, WADI_ERROR_FORMAT,
                                "set_layer needs a layer, such as {hardness: 0.8}");
}

static wadi_result steps_read_amount(scene_reader* reader, const wadi_yaml_entry* entry,
                                     wadi_edit* edit)
{
    const wadi_field_table* table = edit->kind->fields;
    void* params;
    SCENE_TRY(wadi_scene_new_params(reader, entry->key, table, &params));
    edit->params = params;
    const scene_form form = {.name = edit->kind->name,
                             .keys = steps_edit_keys,
                             .key_count = 1,
                             .table = table,
                             .params = params,
                             .other = steps_take_region,
                             .other_names = wadi_scene_region_keys};
    if (wadi_yaml_kind_of(entry->value) == WADI_YAML_MAP)
    {
        return wadi_scene_read_map(reader, entry->value, &form, edit);
    }
    // `add_sand: 2 m` applies to the whole terrain
    return wadi_scene_read_field(reader, table, &table->fields[0], NULL, entry->value, params);
}

static wadi_result steps_read_edit(scene_reader* reader, const wadi_yaml_entry* entry,
                                   const wadi_edit_kind* kind, wadi_step* step)
{
    step->kind = WADI_STEP_EDIT;
    step->edit.kind = kind;
    return kind->verb == WADI_EDIT_SET ? steps_read_assignment(reader, entry, &step->edit)
                                       : steps_read_amount(reader, entry, &step->edit);
}

// ---- steps --------------------------------------------------------------------------------------

static wadi_result steps_unknown(scene_reader* reader, wadi_yaml_node* key)
{
    const char* names[64] = {"write", "render", "report"};
    int32_t count = 3;
    for (int32_t i = 0; i < wadi_process_count(reader->context) && count < 48; ++i)
    {
        names[count++] = wadi_process_at(reader->context, i)->name;
    }
    for (int32_t i = 0; i < wadi_edit_kind_count(); ++i)
    {
        names[count++] = wadi_edit_kind_at(i)->name;
    }
    return wadi_scene_unknown_key(reader, key, "steps", names, count);
}

static wadi_result steps_read_single(scene_reader* reader, wadi_yaml_node* node,
                                     const wadi_yaml_entry* entry, scene_work* work,
                                     wadi_step* step)
{
    const wadi_process* process = wadi_process_find(reader->context, wadi_yaml_text(entry->key));
    const wadi_edit_kind* edit = wadi_edit_kind_find(wadi_yaml_text(entry->key));
    if (process == NULL && edit == NULL)
    {
        return steps_unknown(reader, entry->key);
    }
    if (wadi_yaml_count(node) != (node == reader->event ? 2 : 1))
    {
        return wadi_yaml_fail(reader->yaml, node, WADI_ERROR_FORMAT,
                              "the keys of '%s' belong inside it: indent them below it",
                              wadi_yaml_text(entry->key));
    }
    if (process == NULL)
    {
        return steps_read_edit(reader, entry, edit, step);
    }
    step->kind = WADI_STEP_PROCESS;
    return wadi_scene_read_process(reader, entry, process, work, &step->process);
}

// Find the key that names a step: the first one that is not the event's `at`.
static bool steps_find_key(const scene_reader* reader, wadi_yaml_node* node, wadi_yaml_entry* entry)
{
    void* place = NULL;
    while (wadi_yaml_kind_of(node) == WADI_YAML_MAP && wadi_yaml_next(node, &place, entry))
    {
        if (!wadi_scene_is_event_key(reader, node, entry->key))
        {
            return true;
        }
    }
    return false;
}

wadi_result wadi_scene_read_step(scene_reader* reader, wadi_yaml_node* node, scene_work* work,
                                 wadi_yaml_entry* entry, wadi_step* step)
{
    if (!steps_find_key(reader, node, entry))
    {
        return wadi_yaml_fail(
            reader->yaml, node, WADI_ERROR_FORMAT,
            "a step is a key and its values, such as 'hydraulic: {for: 100 kyr}'");
    }
    if (!wadi_scene_is_output(wadi_yaml_text(entry->key)))
    {
        return steps_read_single(reader, node, entry, work, step);
    }
    step->kind = WADI_STEP_OUTPUT;
    return wadi_scene_read_output(reader, node, entry, &step->output);
}

static wadi_result steps_add(scene_reader* reader, wadi_yaml_node* node)
{
    char origin[512];
    wadi_yaml_place(reader->yaml, node, origin, sizeof origin);
    wadi_step step = {.origin = origin};
    scene_work work = {.kind = SCENE_WORK_STEP};
    wadi_yaml_entry entry;
    SCENE_TRY(wadi_scene_read_step(reader, node, &work, &entry, &step));
    return wadi_scene_at(reader, entry.key, wadi_scene_add_step(reader->scene, &step));
}

// Outputs with `every` are steps already, but a checkpoint is written last too.
static bool steps_is_series(const scene_reader* reader, wadi_yaml_node* node)
{
    return !reader->in_steps && wadi_yaml_kind_of(node) == WADI_YAML_MAP &&
           wadi_yaml_find(node, "every") != NULL && wadi_yaml_find(node, "checkpoint") == NULL;
}

static wadi_result steps_add_all(scene_reader* reader, wadi_yaml_node* value, const char* name)
{
    if (wadi_yaml_kind_of(value) != WADI_YAML_LIST || wadi_yaml_count(value) == 0)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "'%s' takes a list with a dash before each step", name);
    }
    void* place = NULL;
    wadi_yaml_entry entry;
    while (wadi_yaml_next(value, &place, &entry))
    {
        SCENE_TRY(steps_is_series(reader, entry.value) ? WADI_OK : steps_add(reader, entry.value));
    }
    return WADI_OK;
}

wadi_result wadi_scene_read_steps(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    (void)into;
    scene_timed_part* part = wadi_scene_reader_alloc(reader, sizeof *part);
    if (part == NULL)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_MEMORY, "out of memory");
    }
    SCENE_TRY(wadi_scene_read_timed(reader, part));
    if (part->count > 0)
    {
        SCENE_TRY(wadi_scene_begin_timed(reader->scene, part->outputs, part->count));
    }
    reader->in_steps = true;
    const wadi_result result = steps_add_all(reader, value, "steps");
    reader->in_steps = false;
    return result == WADI_OK ? wadi_scene_end_timed(reader->scene) : result;
}

wadi_result wadi_scene_read_final_outputs(scene_reader* reader, wadi_yaml_node* value)
{
    const int32_t before = wadi_scene_step_count(reader->scene);
    SCENE_TRY(steps_add_all(reader, value, "output"));
    for (int32_t i = before; i < wadi_scene_step_count(reader->scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(reader->scene, i);
        if (step->kind != WADI_STEP_OUTPUT)
        {
            return wadi_context_fail(reader->context, WADI_ERROR_FORMAT,
                                     "%s: '%s' is not an output; 'output' lists files to write, "
                                     "such as 'write: height.tif'",
                                     step->origin, wadi_step_name(step));
        }
    }
    return WADI_OK;
}
