// SPDX-License-Identifier: MIT
// The command `paint`: a stroke over an input map of a running process, such as its rain. The map
// stays what it was, with one stroke more; a process without the map gets an even one first.
#include "studio/engine/engine_internal.h"

#include <math.h>
#include <string.h>

typedef struct paint_work
{
    const wadi_process* process;
    const wadi_map_info* map;
    const wadi_scene_process* before; // what the process runs with
    double base;                      // of an even map
    wadi_paint stroke;
    wadi_point points[STUDIO_MAX_POINTS];
} paint_work;

static wadi_result paint_find_map(const studio_message* message, paint_work* work)
{
    wadi_context* context = wadi_yaml_context(message->yaml);
    const char* name;
    SCENE_TRY(wadi_studio_text(message, "map", &name));
    for (int32_t i = 0; i < work->process->map_count; ++i)
    {
        const wadi_map_info* map = &work->process->maps[i];
        work->map = map->input && strcmp(map->name, name) == 0 ? map : work->map;
    }
    if (work->map == NULL)
    {
        return wadi_context_fail(context, WADI_ERROR_UNKNOWN, "%s takes no map '%.40s'",
                                 work->process->name, name);
    }
    const wadi_model* model = wadi_process_model(work->process, work->before->params);
    return wadi_model_is_in(work->process, model, work->map->models)
               ? WADI_OK
               : wadi_context_fail(context, WADI_ERROR_ARGUMENT,
                                   "%s takes no map '%s' with model '%s'", work->process->name,
                                   name, model->name);
}

static wadi_result paint_read(wadi_studio* studio, const studio_message* message, paint_work* work)
{
    const char* name;
    SCENE_TRY(wadi_studio_text(message, "process", &name));
    work->process = wadi_process_find(studio->context, name);
    if (work->process == NULL)
    {
        return wadi_context_fail(studio->context, WADI_ERROR_UNKNOWN, "unknown process '%.40s'",
                                 name);
    }
    work->before = wadi_studio_running(studio, work->process);
    if (work->before == NULL)
    {
        return wadi_context_fail(studio->context, WADI_ERROR_STATE,
                                 "%s does not run; start it, then paint its maps", name);
    }
    SCENE_TRY(paint_find_map(message, work));
    // an even map begins with the number that the map takes the place of
    const wadi_field* field = wadi_field_find(work->process->fields, work->map->name);
    const double even = field != NULL ? wadi_field_get(field, work->before->params) : 0.0;
    // out of the range of that number a step would fail later
    const double least = field != NULL ? field->min : -1e9;
    const double most = field != NULL ? field->max : 1e9;
    SCENE_TRY(wadi_studio_number(message, "base", even, least, most, &work->base));
    SCENE_TRY(wadi_studio_number(message, "value", (double)NAN, least, most, &work->stroke.value));
    SCENE_TRY(wadi_studio_number(message, "radius", (double)NAN, 1e-3, 1e9, &work->stroke.radius));
    SCENE_TRY(
        wadi_studio_number(message, "soft", 0.0, 0.0, work->stroke.radius, &work->stroke.soft));
    work->stroke.points = work->points;
    return wadi_studio_points(message, work->points, &work->stroke.point_count);
}

// An even map, in the reader's memory.
static wadi_result paint_even(scene_reader* reader, const studio_message* message, double base,
                              wadi_source* out)
{
    const wadi_source_kind* kind = wadi_source_kind_find("constant");
    void* params;
    SCENE_TRY(wadi_scene_new_params(reader, message->root, kind->fields, &params));
    SCENE_TRY(
        wadi_field_set(reader->context, kind->fields, kind->fields->fields[0].name, base, params));
    *out = (wadi_source){.kind = kind, .params = params};
    return WADI_OK;
}

// The map with one stroke more.
static wadi_result paint_add(scene_reader* reader, const paint_work* work, wadi_source* source)
{
    const int32_t count = source->stroke_count;
    wadi_paint* strokes = wadi_scene_reader_alloc(reader, ((size_t)count + 1) * sizeof *strokes);
    if (strokes == NULL)
    {
        return wadi_context_fail(reader->context, WADI_ERROR_MEMORY, "out of memory");
    }
    if (count > 0)
    {
        memcpy(strokes, source->strokes, (size_t)count * sizeof *strokes);
    }
    strokes[count] = work->stroke;
    source->strokes = strokes;
    source->stroke_count = count + 1;
    return WADI_OK;
}

static wadi_result paint_give(wadi_studio* studio, const studio_message* message,
                              const paint_work* work, scene_reader* reader)
{
    wadi_scene_input input = {.map = work->map->name};
    for (int32_t i = 0; i < work->before->input_count; ++i)
    {
        const wadi_scene_input* known = &work->before->inputs[i];
        input = strcmp(known->map, input.map) == 0 ? *known : input;
    }
    if (input.source.kind == NULL)
    {
        SCENE_TRY(paint_even(reader, message, work->base, &input.source));
    }
    SCENE_TRY(paint_add(reader, work, &input.source));
    wadi_scene_process step = *work->before;
    // the session keeps the other maps of the process
    step.inputs = &input;
    step.input_count = 1;
    return wadi_session_start(studio->session, &step);
}

wadi_result wadi_studio_paint(wadi_studio* studio, const studio_message* message)
{
    scene_reader reader = {
        .yaml = message->yaml, .context = studio->context, .scene = studio->scene};
    paint_work* work = wadi_scene_reader_alloc(&reader, sizeof *work);
    wadi_result result =
        work != NULL ? paint_read(studio, message, work)
                     : wadi_context_fail(studio->context, WADI_ERROR_MEMORY, "out of memory");
    result = result == WADI_OK ? paint_give(studio, message, work, &reader) : result;
    wadi_scene_reader_free_all(&reader);
    return result;
}
