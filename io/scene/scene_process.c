// SPDX-License-Identifier: MIT
// A process in a scene file and its inputs: preset, fields, maps and tables.
#include "io/scene/scene_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum
{
    WORK_MAX_INPUTS = 16
};

// Inputs of a process beside its fields: maps first, then tables. Inputs that are not given have a
// NULL kind and file.
typedef struct work_part
{
    const wadi_process* process;
    scene_work* work;
    double years;
    wadi_scene_input inputs[WORK_MAX_INPUTS];
    int32_t map_count;
    wadi_scene_table tables[WORK_MAX_INPUTS];
    int32_t table_count;
    char keys[WORK_MAX_INPUTS][WADI_NAME_LENGTH + 8];
    const char* names[2 * WORK_MAX_INPUTS + SCENE_SOIL_KEYS + 1]; // of all inputs; ends with NULL
    scene_soil soil;
    wadi_goal goal;
    double mature; // [yr]
    const wadi_mask* mask;
} work_part;

// The key of an input map is its name with the suffix "_map", because a field may have the same
// name.
static void work_name_inputs(const wadi_process* process, work_part* part)
{
    for (int32_t i = 0; i < process->map_count && part->map_count < WORK_MAX_INPUTS; ++i)
    {
        if (process->maps[i].input)
        {
            const char* name = process->maps[i].name;
            const int32_t at = part->map_count++;
            const size_t length = strlen(name);
            const bool has_suffix = length > 4 && strcmp(name + length - 4, "_map") == 0;
            (void)snprintf(part->keys[at], sizeof part->keys[at], "%s%s", name,
                           has_suffix ? "" : "_map");
            part->names[at] = part->keys[at];
            part->inputs[at].map = name;
        }
    }
    for (int32_t i = 0; i < process->table_count && part->table_count < WORK_MAX_INPUTS; ++i)
    {
        part->names[part->map_count + i] = process->tables[i].name;
        part->tables[part->table_count++].table = process->tables[i].name;
    }
    const char* const* keys = wadi_scene_soil_keys +
                              (wadi_process_has(process, WADI_MODEL_BODIES) ? 0 : SCENE_SERIES_KEY);
    const int32_t key_count = wadi_process_has(process, WADI_MODEL_BODIES)   ? SCENE_SOIL_KEYS
                              : wadi_process_has(process, WADI_MODEL_GRAINS) ? 1
                                                                             : 0;
    for (int32_t i = 0; i < key_count; ++i)
    {
        part->names[part->map_count + part->table_count + i] = keys[i];
    }
}

int32_t wadi_scene_track_at(const wadi_track* tracks, int32_t count, const wadi_process* process,
                            double at)
{
    int32_t best = -1;
    for (int32_t i = 0; i < count; ++i)
    {
        const bool fits = best < 0 ||
                          (tracks[i].from <= at && tracks[i].from > tracks[best].from) ||
                          (tracks[best].from > at && tracks[i].from < tracks[best].from);
        best = tracks[i].process.process == process && fits ? i : best;
    }
    return best;
}

// Inputs of a process in its track before an event, or NULL.
static const wadi_scene_process* work_before(const scene_work* work, const wadi_process* process)
{
    const int32_t index = wadi_scene_track_at(work->tracks, work->track_count, process, work->at);
    return index >= 0 ? &work->tracks[index].process : NULL;
}

// Copy the inputs that an event does not name.
static void work_keep_inputs(const wadi_scene_process* before, work_part* part)
{
    for (int32_t i = 0; i < before->input_count; ++i)
    {
        for (int32_t k = 0; k < part->map_count; ++k)
        {
            if (strcmp(part->inputs[k].map, before->inputs[i].map) == 0)
            {
                part->inputs[k] = before->inputs[i];
            }
        }
    }
    for (int32_t i = 0; i < before->table_count; ++i)
    {
        for (int32_t k = 0; k < part->table_count; ++k)
        {
            if (strcmp(part->tables[k].table, before->tables[i].table) == 0)
            {
                part->tables[k] = before->tables[i];
            }
        }
    }
}

static const char* work_unit_of_map(const wadi_process* process, const char* name)
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

// Read a table's rows or the name of its file; in an event 'none' removes the table.
static wadi_result work_take_table(scene_reader* reader, wadi_yaml_node* value, work_part* part,
                                   int32_t index)
{
    wadi_scene_table* table = &part->tables[index];
    if (wadi_yaml_kind_of(value) != WADI_YAML_SCALAR)
    {
        return wadi_scene_read_rows(reader, value, &part->process->tables[index], table);
    }
    table->values = NULL;
    SCENE_TRY(wadi_scene_read_text(reader, value, table->table, &table->file));
    if (part->work->kind == SCENE_WORK_CHANGE && strcmp(table->file, "none") == 0)
    {
        table->file = NULL;
    }
    return WADI_OK;
}

static wadi_result work_take_map(scene_reader* reader, wadi_yaml_node* value, const work_part* part,
                                 wadi_scene_input* input)
{
    const char* unit = work_unit_of_map(part->process, input->map);
    return wadi_scene_is_painted(value)
               ? wadi_scene_read_painted(reader, value, unit, &input->source)
               : wadi_scene_read_source(reader, value, WADI_FILLS_LAYER, unit, &input->source);
}

static wadi_result work_take_input(scene_reader* reader, const wadi_yaml_entry* entry, void* into,
                                   bool* taken)
{
    work_part* part = into;
    for (int32_t i = 0; part->names[i] != NULL; ++i)
    {
        if (strcmp(part->names[i], wadi_yaml_text(entry->key)) == 0)
        {
            *taken = true;
            if (i >= part->map_count + part->table_count)
            {
                return wadi_scene_read_soil(reader, entry, &part->soil);
            }
            if (i >= part->map_count)
            {
                return work_take_table(reader, entry->value, part, i - part->map_count);
            }
            return work_take_map(reader, entry->value, part, &part->inputs[i]);
        }
    }
    return WADI_OK;
}

// ---- keys of its own
// -----------------------------------------------------------------------------

static wadi_result work_read_duration(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return wadi_scene_read_number(reader, value, "for", "yr", &((work_part*)into)->years);
}

static wadi_result work_read_from(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return wadi_scene_read_number(reader, value, "from", "yr", &((work_part*)into)->work->from);
}

static wadi_result work_read_until(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return wadi_scene_read_number(reader, value, "until", "yr", &((work_part*)into)->work->until);
}

static wadi_result work_read_mature(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return wadi_scene_read_number(reader, value, "mature", "yr", &((work_part*)into)->mature);
}

static wadi_result work_read_mask(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return wadi_scene_read_mask(reader, value, &((work_part*)into)->mask);
}

static wadi_result work_read_goal(scene_reader* reader, wadi_yaml_node* value, const char* name,
                                  void* into)
{
    return wadi_scene_read_field(reader, &wadi_goal_fields,
                                 wadi_field_find(&wadi_goal_fields, name), NULL, value,
                                 &((work_part*)into)->goal);
}

static wadi_result work_read_denude(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return work_read_goal(reader, value, "denude", into);
}

static wadi_result work_read_index(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    return work_read_goal(reader, value, "until", into);
}

static wadi_result work_skip_preset(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    (void)reader;
    (void)value;
    (void)into;
    return WADI_OK; // read earlier by work_apply_preset()
}

// Read the preset before all other keys, which override its values.
static wadi_result work_apply_preset(scene_reader* reader, wadi_yaml_node* value,
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

// ---- all of it
// -----------------------------------------------------------------------------------

// Copy the inputs that are given.
static void work_pack(work_part* part, void* params, wadi_scene_process* out)
{
    *out = (wadi_scene_process){
        .process = part->process,
        .params = params,
        .years = isnan(part->years) ? wadi_process_years(part->process, params) : part->years,
        .inputs = part->inputs,
        .tables = part->tables,
        .bodies = part->soil.bodies,
        .body_count = part->soil.body_count,
        .grains = part->soil.grains,
        .water = part->soil.water,
        .series = part->soil.series,
        .series_count = part->soil.series_count,
        .goal = wadi_goal_is_set(&part->goal) ? &part->goal : NULL,
        .mature = part->mature,
        .mask = part->mask};
    for (int32_t i = 0; i < part->map_count; ++i)
    {
        if (part->inputs[i].source.kind != NULL)
        {
            part->inputs[out->input_count++] = part->inputs[i];
        }
    }
    for (int32_t i = 0; i < part->table_count; ++i)
    {
        if (part->tables[i].file != NULL || part->tables[i].values != NULL)
        {
            part->tables[out->table_count++] = part->tables[i];
        }
    }
}

static bool work_is_empty(wadi_yaml_node* value)
{
    return wadi_yaml_kind_of(value) == WADI_YAML_SCALAR && wadi_yaml_text(value)[0] == '\0';
}

// Keys that the chosen model does not read are refused where they stand.
static wadi_result work_check_model(scene_reader* reader, wadi_yaml_node* value,
                                    const wadi_process* process, const void* params)
{
    void* place = NULL;
    wadi_yaml_entry entry;
    while (wadi_yaml_next(value, &place, &entry))
    {
        SCENE_TRY(wadi_scene_at(
            reader, entry.key,
            wadi_process_check_field(reader->context, process, params, wadi_yaml_text(entry.key))));
    }
    return WADI_OK;
}

static wadi_result work_read_map(scene_reader* reader, wadi_yaml_node* value, work_part* part,
                                 void* params)
{
    static const scene_key step[] = {{"for", work_read_duration},  {"preset", work_skip_preset},
                                     {"mask", work_read_mask},     {"mature", work_read_mature},
                                     {"denude", work_read_denude}, {"until", work_read_index}};
    static const scene_key track[] = {{"from", work_read_from},
                                      {"until", work_read_until},
                                      {"preset", work_skip_preset},
                                      {"mask", work_read_mask}};
    static const scene_key change[] = {{"preset", work_skip_preset}, {"mask", work_read_mask}};
    static const struct
    {
        const scene_key* keys;
        int32_t count;
    } own[] = {[SCENE_WORK_STEP] = {step, 6},
               [SCENE_WORK_TRACK] = {track, 4},
               [SCENE_WORK_CHANGE] = {change, 2}};
    const scene_form form = {.name = part->process->name,
                             .keys = own[part->work->kind].keys,
                             .key_count = own[part->work->kind].count,
                             .table = part->process->fields,
                             .params = params,
                             .other = work_take_input,
                             .other_names = part->names};
    if (work_is_empty(value))
    {
        return WADI_OK;
    }
    SCENE_TRY(wadi_scene_read_map(reader, value, &form, part));
    return work_check_model(reader, value, part->process, params);
}

wadi_result wadi_scene_read_process(scene_reader* reader, const wadi_yaml_entry* entry,
                                    const wadi_process* process, scene_work* work,
                                    wadi_scene_process* out)
{
    const wadi_scene_process* before = work_before(work, process);
    if (work->kind == SCENE_WORK_CHANGE && before == NULL)
    {
        return wadi_yaml_fail(reader->yaml, entry->key, WADI_ERROR_FORMAT,
                              "an event changes %s, which is not in the list under 'run'",
                              process->name);
    }
    work_part* part = wadi_scene_reader_alloc(reader, sizeof *part);
    if (part == NULL)
    {
        return wadi_yaml_fail(reader->yaml, entry->key, WADI_ERROR_MEMORY, "out of memory");
    }
    part->process = process;
    part->work = work;
    part->years = (double)NAN; // unless it is given
    part->goal = wadi_goal_default();
    work_name_inputs(process, part);
    void* params;
    SCENE_TRY(wadi_scene_new_params(reader, entry->key, process->fields, &params));
    if (before != NULL)
    {
        memcpy(params, before->params, process->fields->params_size);
        work_keep_inputs(before, part);
        part->mask = before->mask;
    }
    SCENE_TRY(work_apply_preset(reader, entry->value, process, params));
    SCENE_TRY(work_read_map(reader, entry->value, part, params));
    work_pack(part, params, out);
    return WADI_OK;
}
