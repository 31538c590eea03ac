// SPDX-License-Identifier: MIT
// Processes and their parameters for panels, from their own tables.
#include "studio/engine/engine_internal.h"

#include <math.h>
#include <string.h>

static const char* const describe_types[WADI_FIELD_TYPE_COUNT] = {"double", "int32", "bool",
                                                                  "enum"};

// A value by the field's type: a number, true or false, or a word.
static void describe_value(studio_json* json, const char* key, const wadi_field* field,
                           double value)
{
    if (field->type == WADI_FIELD_BOOL)
    {
        wadi_json_bool(json, key, value != 0.0);
    }
    else if (field->type == WADI_FIELD_ENUM)
    {
        wadi_json_text(json, key, field->names[(int32_t)value]);
    }
    else
    {
        wadi_json_number(json, key, value);
    }
}

static void describe_names(studio_json* json, const wadi_process* process, uint32_t models)
{
    wadi_json_open(json, "models", '[');
    for (int32_t m = 0; m < process->model_count; ++m)
    {
        if (wadi_model_is_in(process, &process->models[m], models))
        {
            wadi_json_text(json, NULL, process->models[m].name);
        }
    }
    wadi_json_close(json, ']');
}

static void describe_field(studio_json* json, const wadi_process* process, const wadi_field* field,
                           const void* params)
{
    wadi_json_open(json, NULL, '{');
    wadi_json_text(json, "name", field->name);
    wadi_json_text(json, "type", describe_types[field->type]);
    wadi_json_text(json, "unit", field->unit);
    describe_value(json, "default", field, field->initial);
    wadi_json_number(json, "min", field->min);
    wadi_json_number(json, "max", field->max);
    wadi_json_text(json, "doc", field->doc);
    wadi_json_text(json, "source", field->source);
    const char* group = wadi_field_group_of(process->fields, field);
    if (group != NULL)
    {
        wadi_json_text(json, "group", group);
    }
    else
    {
        wadi_json_null(json, "group");
    }
    describe_names(json, process, field->models);
    wadi_json_open(json, "names", '[');
    for (int32_t i = 0; field->type == WADI_FIELD_ENUM && field->names[i] != NULL; ++i)
    {
        wadi_json_text(json, NULL, field->names[i]);
    }
    wadi_json_close(json, ']');
    if (params != NULL)
    {
        describe_value(json, "value", field, wadi_field_get(field, params));
    }
    else
    {
        wadi_json_null(json, "value");
    }
    wadi_json_close(json, '}');
}

static void describe_presets(studio_json* json, const wadi_process* process)
{
    wadi_json_open(json, "presets", '[');
    for (int32_t i = 0; i < process->preset_count; ++i)
    {
        const wadi_preset* preset = &process->presets[i];
        wadi_json_open(json, NULL, '{');
        wadi_json_text(json, "name", preset->name);
        wadi_json_text(json, "doc", preset->doc);
        wadi_json_open(json, "values", '{');
        for (int32_t k = 0; k < preset->count; ++k)
        {
            const wadi_field* field = wadi_field_find(process->fields, preset->values[k].field);
            describe_value(json, field->name, field, preset->values[k].value);
        }
        wadi_json_close(json, '}');
        wadi_json_close(json, '}');
    }
    wadi_json_close(json, ']');
}

static void describe_models(studio_json* json, const wadi_process* process)
{
    wadi_json_open(json, "models", '[');
    for (int32_t m = 0; m < process->model_count; ++m)
    {
        wadi_json_open(json, NULL, '{');
        wadi_json_text(json, "name", process->models[m].name);
        wadi_json_text(json, "doc", process->models[m].doc);
        wadi_json_close(json, '}');
    }
    wadi_json_close(json, ']');
}

static void describe_rows(studio_json* json, const wadi_table_info* info,
                          const wadi_scene_process* step)
{
    const wadi_scene_table* table = NULL;
    for (int32_t i = 0; step != NULL && i < step->table_count; ++i)
    {
        table = strcmp(step->tables[i].table, info->name) == 0 ? &step->tables[i] : table;
    }
    if (table == NULL || table->values == NULL)
    {
        wadi_json_null(json, "rows");
        return;
    }
    wadi_json_open(json, "rows", '[');
    for (int32_t r = 0; r < table->rows; ++r)
    {
        wadi_json_open(json, NULL, '[');
        for (int32_t c = 0; c < info->column_count; ++c)
        {
            wadi_json_number(json, NULL, table->values[(int64_t)r * info->column_count + c]);
        }
        wadi_json_close(json, ']');
    }
    wadi_json_close(json, ']');
}

static void describe_table(studio_json* json, const wadi_table_info* info,
                           const wadi_scene_process* step)
{
    wadi_json_open(json, NULL, '{');
    wadi_json_text(json, "name", info->name);
    wadi_json_text(json, "doc", info->doc);
    wadi_json_open(json, "columns", '[');
    for (int32_t c = 0; c < info->column_count; ++c)
    {
        wadi_json_open(json, NULL, '{');
        wadi_json_text(json, "name", info->columns[c].name);
        wadi_json_text(json, "unit", info->columns[c].unit);
        wadi_json_number(json, "min", info->columns[c].min);
        wadi_json_number(json, "max", info->columns[c].max);
        wadi_json_bool(json, "optional", (info->optional >> c & 1) != 0);
        wadi_json_close(json, '}');
    }
    wadi_json_close(json, ']');
    describe_rows(json, info, step);
    wadi_json_close(json, '}');
}

// Round spots of a painted map: emitters, such as clouds of rain. Other strokes are not listed.
static void describe_spots(studio_json* json, const char* map, const wadi_scene_process* step)
{
    const wadi_source* source = NULL;
    for (int32_t i = 0; step != NULL && i < step->input_count; ++i)
    {
        source = strcmp(step->inputs[i].map, map) == 0 ? &step->inputs[i].source : source;
    }
    wadi_json_open(json, "spots", '[');
    for (int32_t i = 0; source != NULL && i < source->stroke_count; ++i)
    {
        const wadi_paint* stroke = &source->strokes[i];
        if (stroke->point_count == 1)
        {
            wadi_json_open(json, NULL, '{');
            wadi_json_number(json, "stroke", i);
            wadi_json_number(json, "x", stroke->points[0].x);
            wadi_json_number(json, "y", stroke->points[0].y);
            wadi_json_number(json, "radius", stroke->radius);
            wadi_json_number(json, "soft", stroke->soft);
            wadi_json_number(json, "value", stroke->value);
            wadi_json_close(json, '}');
        }
    }
    wadi_json_close(json, ']');
}

static void describe_maps(studio_json* json, const wadi_process* process,
                          const wadi_scene_process* step)
{
    wadi_json_open(json, "maps", '[');
    for (int32_t i = 0; i < process->map_count; ++i)
    {
        wadi_json_open(json, NULL, '{');
        wadi_json_text(json, "name", process->maps[i].name);
        wadi_json_text(json, "unit", process->maps[i].unit);
        wadi_json_text(json, "doc", process->maps[i].doc);
        wadi_json_bool(json, "input", process->maps[i].input);
        describe_names(json, process, process->maps[i].models);
        if (process->maps[i].input)
        {
            describe_spots(json, process->maps[i].name, step);
        }
        wadi_json_close(json, '}');
    }
    wadi_json_close(json, ']');
}

static void describe_process(wadi_studio* studio, const wadi_process* process)
{
    studio_json* json = &studio->text;
    const wadi_scene_process* step = wadi_studio_running(studio, process);
    wadi_json_open(json, NULL, '{');
    wadi_json_text(json, "name", process->name);
    wadi_json_text(json, "doc", process->doc);
    wadi_json_number(json, "default_years", process->default_years);
    describe_presets(json, process);
    describe_models(json, process);
    wadi_json_open(json, "fields", '[');
    for (int32_t i = 0; i < process->fields->count; ++i)
    {
        describe_field(json, process, &process->fields->fields[i],
                       step != NULL ? step->params : NULL);
    }
    wadi_json_close(json, ']');
    wadi_json_open(json, "tables", '[');
    for (int32_t i = 0; i < process->table_count; ++i)
    {
        describe_table(json, &process->tables[i], step);
    }
    wadi_json_close(json, ']');
    describe_maps(json, process, step);
    wadi_json_close(json, '}');
}

wadi_result wadi_studio_send_describe(wadi_studio* studio, const studio_message* message)
{
    const char* name = "";
    SCENE_TRY(wadi_studio_find(message, "process") != NULL
                  ? wadi_studio_text(message, "process", &name)
                  : WADI_OK);
    if (name[0] != '\0' && wadi_process_find(studio->context, name) == NULL)
    {
        return wadi_context_fail(studio->context, WADI_ERROR_UNKNOWN, "unknown process '%.40s'",
                                 name);
    }
    wadi_json_reset(&studio->text);
    wadi_json_open(&studio->text, NULL, '{');
    wadi_json_text(&studio->text, "type", "describe");
    wadi_json_open(&studio->text, "processes", '[');
    for (int32_t i = 0; i < wadi_process_count(studio->context); ++i)
    {
        const wadi_process* process = wadi_process_at(studio->context, i);
        if (name[0] == '\0' || strcmp(process->name, name) == 0)
        {
            describe_process(studio, process);
        }
    }
    wadi_json_close(&studio->text, ']');
    wadi_json_close(&studio->text, '}');
    wadi_studio_send_text(studio);
    return WADI_OK;
}
