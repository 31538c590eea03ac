// SPDX-License-Identifier: MIT
// Checked deep copies: a scene owns its data, so callers may free theirs.
#include "scene/scene_internal.h"

#include <string.h>

wadi_result wadi_scene_keep_room(wadi_scene* scene, size_t size, void** out)
{
    *out = NULL;
    scene_block* block = wadi_alloc(scene->context, 1, sizeof *block + size);
    if (block == NULL)
    {
        return wadi_fail_memory(scene->context, sizeof *block + size, "a scene");
    }
    block->next = scene->blocks;
    scene->blocks = block;
    *out = block->data;
    return WADI_OK;
}

wadi_result wadi_scene_keep_bytes(wadi_scene* scene, const void* bytes, size_t size, void** out)
{
    WADI_TRY(wadi_scene_keep_room(scene, size, out));
    memcpy(*out, bytes, size);
    return WADI_OK;
}

wadi_result wadi_scene_keep_text(wadi_scene* scene, const char* text, const char** out)
{
    void* copy;
    WADI_TRY(wadi_scene_keep_bytes(scene, text, strlen(text) + 1, &copy));
    *out = copy;
    return WADI_OK;
}

wadi_result wadi_scene_keep_name(wadi_scene* scene, const char* name, const char** out)
{
    void* copy;
    WADI_TRY(wadi_scene_keep_bytes(scene, name, strlen(name) + 1, &copy));
    wadi_scene_clean_name(copy);
    *out = copy;
    return WADI_OK;
}

wadi_result wadi_scene_keep_params(wadi_scene* scene, const wadi_field_table* table,
                                   const void* params, const void** out)
{
    WADI_TRY(wadi_fields_check(scene->context, table, params));
    void* copy;
    WADI_TRY(wadi_scene_keep_bytes(scene, params, table->params_size, &copy));
    *out = copy;
    return WADI_OK;
}

wadi_result wadi_scene_keep_source(wadi_scene* scene, const wadi_source* source, int32_t fills,
                                   wadi_source* out)
{
    const wadi_source_kind* kind = source->kind;
    WADI_CHECK(scene->context, (kind->fills & fills) != 0, WADI_ERROR_ARGUMENT,
               "'%s' cannot be used here: %s", kind->name, kind->doc);
    WADI_CHECK(scene->context, !kind->needs_file || source->file != NULL, WADI_ERROR_ARGUMENT,
               "'%s' needs a file; give its name", kind->name);
    WADI_CHECK(scene->context, source->class_count >= 0 && source->class_count <= 4096,
               WADI_ERROR_RANGE, "%d classes; expected at most 4096", source->class_count);
    *out = (wadi_source){.kind = kind, .class_count = source->class_count};
    if (source->class_count > 0)
    {
        void* classes;
        WADI_TRY(wadi_scene_keep_bytes(scene, source->classes,
                                       (size_t)source->class_count * sizeof *source->classes,
                                       &classes));
        out->classes = classes;
    }
    WADI_TRY(wadi_scene_keep_params(scene, kind->fields, source->params, &out->params));
    WADI_TRY(wadi_scene_keep_strokes(scene, source, out));
    if (source->origin != NULL)
    {
        WADI_TRY(wadi_scene_keep_text(scene, source->origin, &out->origin));
    }
    return kind->needs_file ? wadi_scene_keep_text(scene, source->file, &out->file) : WADI_OK;
}

static wadi_result keep_points(wadi_scene* scene, const wadi_region* region, wadi_region* out)
{
    WADI_CHECK(scene->context, region->point_count >= 3 && region->points != NULL,
               WADI_ERROR_ARGUMENT, "a polygon has %d points; it needs 3 or more",
               region->point_count);
    for (int32_t i = 0; i < region->point_count; ++i)
    {
        // written so that NaN fails too
        const wadi_point p = region->points[i];
        const bool near = p.x >= -1e9 && p.x <= 1e9 && p.y >= -1e9 && p.y <= 1e9;
        WADI_CHECK(scene->context, near, WADI_ERROR_RANGE,
                   "point %d of a polygon must lie within 1e9 m", i + 1);
    }
    void* copy;
    WADI_TRY(wadi_scene_keep_bytes(scene, region->points,
                                   (size_t)region->point_count * sizeof(wadi_point), &copy));
    out->points = copy;
    return WADI_OK;
}

wadi_result wadi_scene_keep_region(wadi_scene* scene, const wadi_region* region, wadi_region* out)
{
    WADI_CHECK(scene->context, region->soft >= 0.0 && region->soft <= 1e9, WADI_ERROR_RANGE,
               "soft rim is %g m but must lie in [0, 1e9] m", region->soft);
    *out = *region;
    if (region->shape == NULL)
    {
        return WADI_OK;
    }
    return region->shape->fields == NULL
               ? keep_points(scene, region, out)
               : wadi_scene_keep_params(scene, region->shape->fields, region->params, &out->params);
}

wadi_result wadi_scene_keep_layer(wadi_scene* scene, const wadi_scene_layer* layer,
                                  wadi_scene_layer* out)
{
    const bool loose = layer->layer >= WADI_LAYER_LOOSE;
    *out = *layer;
    return wadi_scene_keep_source(scene, &layer->source,
                                  WADI_FILLS_LAYER | (loose ? WADI_FILLS_LOOSE : 0), &out->source);
}

static bool keep_takes_map(const wadi_process* process, const char* name)
{
    for (int32_t i = 0; i < process->map_count; ++i)
    {
        if (process->maps[i].input && strcmp(process->maps[i].name, name) == 0)
        {
            return true;
        }
    }
    return false;
}

static wadi_result keep_inputs(wadi_scene* scene, const wadi_scene_process* process,
                               wadi_scene_process* out)
{
    if (process->input_count == 0)
    {
        return WADI_OK;
    }
    void* copy;
    WADI_TRY(wadi_scene_keep_bytes(scene, process->inputs,
                                   (size_t)process->input_count * sizeof *process->inputs, &copy));
    wadi_scene_input* inputs = copy;
    for (int32_t i = 0; i < process->input_count; ++i)
    {
        const wadi_scene_input* given = &process->inputs[i];
        WADI_CHECK(scene->context, keep_takes_map(process->process, given->map), WADI_ERROR_UNKNOWN,
                   "%s has no input map '%s'", process->process->name, given->map);
        WADI_TRY(wadi_scene_keep_text(scene, given->map, &inputs[i].map));
        WADI_TRY(
            wadi_scene_keep_source(scene, &given->source, WADI_FILLS_LAYER, &inputs[i].source));
    }
    out->inputs = inputs;
    return WADI_OK;
}

static bool keep_takes_table(const wadi_process* process, const char* name)
{
    for (int32_t i = 0; i < process->table_count; ++i)
    {
        if (strcmp(process->tables[i].name, name) == 0)
        {
            return true;
        }
    }
    return false;
}

// The name of the file, or a copy of the rows.
static wadi_result keep_table_rows(wadi_scene* scene, const wadi_process* process,
                                   const wadi_scene_table* given, wadi_scene_table* out)
{
    if (given->file != NULL)
    {
        return wadi_scene_keep_text(scene, given->file, &out->file);
    }
    WADI_CHECK(scene->context, given->values != NULL && given->rows > 0, WADI_ERROR_ARGUMENT,
               "the table '%s' of %s has neither a file nor rows", given->table, process->name);
    int32_t i = 0;
    while (strcmp(process->tables[i].name, given->table) != 0)
    {
        ++i;
    }
    const size_t count = (size_t)given->rows * (size_t)process->tables[i].column_count;
    void* copy;
    WADI_TRY(wadi_scene_keep_bytes(scene, given->values, count * sizeof(double), &copy));
    out->values = copy;
    return WADI_OK;
}

static wadi_result keep_tables(wadi_scene* scene, const wadi_scene_process* process,
                               wadi_scene_process* out)
{
    if (process->table_count == 0)
    {
        return WADI_OK;
    }
    void* copy;
    WADI_TRY(wadi_scene_keep_bytes(scene, process->tables,
                                   (size_t)process->table_count * sizeof *process->tables, &copy));
    wadi_scene_table* tables = copy;
    for (int32_t i = 0; i < process->table_count; ++i)
    {
        const wadi_scene_table* given = &process->tables[i];
        WADI_CHECK(scene->context, keep_takes_table(process->process, given->table),
                   WADI_ERROR_UNKNOWN, "%s has no input table '%s'", process->process->name,
                   given->table);
        WADI_TRY(wadi_scene_keep_text(scene, given->table, &tables[i].table));
        WADI_TRY(keep_table_rows(scene, process->process, given, &tables[i]));
    }
    out->tables = tables;
    return WADI_OK;
}

wadi_result wadi_scene_keep_process(wadi_scene* scene, const wadi_scene_process* process,
                                    wadi_scene_process* out)
{
    WADI_CHECK(scene->context, process->years > 0.0 && process->years <= 1e9, WADI_ERROR_RANGE,
               "%s cannot run for %g yr; expected more than 0 and at most 1e9 yr",
               process->process->name, process->years);
    *out = *process;
    if (process->goes_on)
    {
        out->params = NULL; // those of the first step are used
        out->input_count = 0;
        out->table_count = 0;
        out->body_count = 0;
        out->water = NULL;
        out->series_count = 0;
        out->goal = NULL; // refused with the first step
        out->mature = 0.0;
        out->mask = NULL;
        return WADI_OK;
    }
    WADI_TRY(
        wadi_scene_keep_params(scene, process->process->fields, process->params, &out->params));
    WADI_TRY(keep_inputs(scene, process, out));
    WADI_TRY(keep_tables(scene, process, out));
    WADI_TRY(wadi_scene_keep_goal(scene, process, out));
    WADI_TRY(wadi_scene_check_mature(scene->context, process));
    WADI_TRY(wadi_scene_keep_mask(scene, process->mask, &out->mask));
    return wadi_scene_keep_bodies(scene, process, out);
}

wadi_result wadi_scene_keep_edit(wadi_scene* scene, const wadi_edit* edit, wadi_edit* out)
{
    *out = (wadi_edit){.kind = edit->kind};
    WADI_TRY(wadi_scene_keep_region(scene, &edit->region, &out->region));
    WADI_TRY(wadi_scene_keep_mask(scene, edit->mask, &out->mask));
    return edit->kind->verb == WADI_EDIT_SET
               ? wadi_scene_keep_layer(scene, &edit->assigned, &out->assigned)
               : wadi_scene_keep_params(scene, edit->kind->fields, edit->params, &out->params);
}

static wadi_result keep_quantity(wadi_scene* scene, const wadi_quantity* quantity,
                                 wadi_quantity* out)
{
    *out = *quantity;
    return quantity->map != NULL ? wadi_scene_keep_text(scene, quantity->map, &out->map) : WADI_OK;
}

static bool keep_amplifies_table(const char* name)
{
    bool takes = false;
    for (int32_t i = 0; i < wadi_amplify_table_count(); ++i)
    {
        takes = takes || strcmp(wadi_amplify_table(i)->name, name) == 0;
    }
    return takes;
}

static wadi_result keep_window(wadi_scene* scene, const wadi_output* output, wadi_output* out)
{
    const void* window;
    WADI_TRY(wadi_scene_keep_params(scene, &wadi_amplify_fields, output->window, &window));
    out->window = window;
    if (output->winds.file == NULL)
    {
        return WADI_OK;
    }
    WADI_CHECK(scene->context, keep_amplifies_table(output->winds.table), WADI_ERROR_UNKNOWN,
               "a window has no input table '%s'", output->winds.table);
    WADI_TRY(wadi_scene_keep_text(scene, output->winds.table, &out->winds.table));
    return wadi_scene_keep_text(scene, output->winds.file, &out->winds.file);
}

static wadi_result keep_picture(wadi_scene* scene, const wadi_output* output, wadi_output* out)
{
    WADI_CHECK(scene->context, output->views >= 1 && output->views <= 16, WADI_ERROR_RANGE,
               "%d views; expected 1 to 16", output->views);
    const void* render;
    WADI_TRY(wadi_scene_keep_params(scene, &wadi_render_fields, output->render, &render));
    out->render = render;
    return WADI_OK;
}

static wadi_result keep_splat(wadi_scene* scene, const wadi_output* output, wadi_output* out)
{
    WADI_CHECK(scene->context,
               output->splat_count == 0 ||
                   (output->splat_count >= 2 && output->splat_count <= WADI_MAX_SPLAT),
               WADI_ERROR_RANGE, "%d channels of weights; expected 2 to %d", output->splat_count,
               WADI_MAX_SPLAT);
    for (int32_t i = 0; i < output->splat_count; ++i)
    {
        WADI_TRY(wadi_scene_keep_mask(scene, output->splat[i], &out->splat[i]));
        WADI_CHECK(scene->context, out->splat[i] != NULL, WADI_ERROR_ARGUMENT,
                   "channel %d of the weights has no mask", i + 1);
    }
    return WADI_OK;
}

wadi_result wadi_scene_keep_output(wadi_scene* scene, const wadi_output* output, wadi_output* out)
{
    WADI_CHECK(scene->context, output->file != NULL && output->file[0] != '\0', WADI_ERROR_ARGUMENT,
               "an output needs the name of a file");
    *out = *output;
    WADI_TRY(wadi_scene_keep_name(scene, output->file, &out->file));
    WADI_TRY(keep_quantity(scene, &output->quantity, &out->quantity));
    WADI_TRY(keep_quantity(scene, &output->overlay, &out->overlay));
    if (output->gradient != NULL)
    {
        WADI_TRY(wadi_scene_keep_text(scene, output->gradient, &out->gradient));
    }
    switch (output->kind)
    {
    case WADI_OUTPUT_RENDER:
        return keep_picture(scene, output, out);
    case WADI_OUTPUT_AMPLIFY:
        return keep_window(scene, output, out);
    case WADI_OUTPUT_WRITE:
        return keep_splat(scene, output, out);
    default:
        return WADI_OK;
    }
}
