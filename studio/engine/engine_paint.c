// SPDX-License-Identifier: MIT
// The commands `paint` and `repaint`: strokes over an input map of a running process, such as its
// rain. The map stays what it was, with one stroke more, or with another one in its place; a
// process without the map gets an even one first.
#include "studio/engine/engine_internal.h"

#include <math.h>
#include <string.h>

typedef struct paint_work
{
    const wadi_process* process;
    const wadi_map_info* map;
    const wadi_scene_process* before; // what the process runs with
    double base;                      // of an even map
    double least;                     // values that the map takes
    double most;
    bool joins;    // the stroke goes on from the last one
    bool removes;  // `repaint` takes a stroke away
    int32_t index; // of the stroke that `repaint` changes; -1: a stroke more
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

// The process and the map that a command names.
static wadi_result paint_open(wadi_studio* studio, const studio_message* message, paint_work* work)
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
    work->base = field != NULL ? wadi_field_get(field, work->before->params) : 0.0;
    // out of the range of that number a step would fail later
    work->least = field != NULL ? field->min : -1e9;
    work->most = field != NULL ? field->max : 1e9;
    work->index = -1;
    return WADI_OK;
}

static wadi_result paint_read_rim(const studio_message* message, const wadi_paint* initial,
                                  paint_work* work)
{
    wadi_paint* stroke = &work->stroke;
    if (stroke->is_area)
    {
        return wadi_studio_number(message, "soft", initial->soft, 0.0, 1e9, &stroke->soft);
    }
    SCENE_TRY(wadi_studio_number(message, "radius", initial->radius, 1e-3, 1e9, &stroke->radius));
    const double soft = fmin(initial->soft, stroke->radius);
    return wadi_studio_number(message, "soft", soft, 0.0, stroke->radius, &stroke->soft);
}

static wadi_result paint_read(wadi_studio* studio, const studio_message* message, paint_work* work)
{
    static const wadi_paint none = {.radius = (double)NAN};
    wadi_paint* stroke = &work->stroke;
    SCENE_TRY(paint_open(studio, message, work));
    SCENE_TRY(
        wadi_studio_number(message, "base", work->base, work->least, work->most, &work->base));
    SCENE_TRY(
        wadi_studio_number(message, "value", (double)NAN, work->least, work->most, &stroke->value));
    SCENE_TRY(wadi_studio_flag(message, "joins", false, &work->joins));
    SCENE_TRY(wadi_studio_flag(message, "area", false, &stroke->is_area));
    SCENE_TRY(paint_read_rim(message, &none, work));
    stroke->points = work->points;
    SCENE_TRY(wadi_studio_points(message, work->points, &stroke->point_count));
    return !stroke->is_area || stroke->point_count > 2 || work->joins
               ? WADI_OK
               : wadi_context_fail(studio->context, WADI_ERROR_FORMAT,
                                   "an area of 'paint' takes 3 corners or more");
}

// What the process has of the map; kind NULL: nothing.
static wadi_scene_input paint_known(const paint_work* work)
{
    wadi_scene_input input = {.map = work->map->name};
    for (int32_t i = 0; i < work->before->input_count; ++i)
    {
        const wadi_scene_input* known = &work->before->inputs[i];
        input = strcmp(known->map, input.map) == 0 ? *known : input;
    }
    return input;
}

// `repaint`: values that are not named stay as they are.
static wadi_result paint_read_again(wadi_studio* studio, const studio_message* message,
                                    paint_work* work)
{
    double index;
    SCENE_TRY(paint_open(studio, message, work));
    const wadi_source source = paint_known(work).source;
    SCENE_TRY(wadi_studio_number(message, "stroke", (double)NAN, 0.0, 1e6, &index));
    if (index >= source.stroke_count || index != floor(index))
    {
        return wadi_context_fail(studio->context, WADI_ERROR_ARGUMENT,
                                 "there is no stroke %g; the map has %d", index,
                                 (int)source.stroke_count);
    }
    work->index = (int32_t)index;
    SCENE_TRY(wadi_studio_flag(message, "remove", false, &work->removes));
    const wadi_paint* old = &source.strokes[work->index];
    work->stroke = *old;
    SCENE_TRY(wadi_studio_number(message, "value", old->value, work->least, work->most,
                                 &work->stroke.value));
    SCENE_TRY(paint_read_rim(message, old, work));
    if (wadi_studio_find(message, "points") == NULL)
    {
        return WADI_OK;
    }
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

// The last stroke goes on: a line of more points than one message holds has no rims within.
static wadi_result paint_join(scene_reader* reader, const paint_work* work, int32_t count,
                              wadi_paint* last)
{
    const wadi_paint* stroke = &work->stroke;
    const bool fits = count > 0 && last->value == stroke->value && last->radius == stroke->radius &&
                      last->soft == stroke->soft && last->is_area == stroke->is_area;
    const int32_t points = fits ? last->point_count + stroke->point_count : 0;
    if (!fits || points > WADI_MAX_PAINT_POINTS)
    {
        return wadi_context_fail(reader->context, WADI_ERROR_STATE,
                                 "a stroke joins the last one of its map, with the same value, "
                                 "radius and rim, and up to %d points",
                                 WADI_MAX_PAINT_POINTS);
    }
    wadi_point* list = wadi_scene_reader_alloc(reader, (size_t)points * sizeof *list);
    if (list == NULL)
    {
        return wadi_context_fail(reader->context, WADI_ERROR_MEMORY, "out of memory");
    }
    memcpy(list, last->points, (size_t)last->point_count * sizeof *list);
    memcpy(list + last->point_count, stroke->points, (size_t)stroke->point_count * sizeof *list);
    last->points = list;
    last->point_count = points;
    return WADI_OK;
}

// The map with one stroke more, a longer one, another one, or one less.
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
    source->strokes = strokes;
    if (work->joins)
    {
        return paint_join(reader, work, count, &strokes[count - (count > 0 ? 1 : 0)]);
    }
    const int32_t at = work->index >= 0 ? work->index : count;
    strokes[at] = work->stroke;
    source->stroke_count = count + (work->index < 0 ? 1 : 0) - (work->removes ? 1 : 0);
    for (int32_t i = at; work->removes && i < source->stroke_count; ++i)
    {
        strokes[i] = strokes[i + 1];
    }
    return WADI_OK;
}

static wadi_result paint_give(wadi_studio* studio, const studio_message* message,
                              const paint_work* work, scene_reader* reader)
{
    wadi_scene_input input = paint_known(work);
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

typedef wadi_result paint_read_fn(wadi_studio* studio, const studio_message* message,
                                  paint_work* work);

static wadi_result paint_run(wadi_studio* studio, const studio_message* message,
                             paint_read_fn* read)
{
    scene_reader reader = {
        .yaml = message->yaml, .context = studio->context, .scene = studio->scene};
    paint_work* work = wadi_scene_reader_alloc(&reader, sizeof *work);
    wadi_result result =
        work != NULL ? read(studio, message, work)
                     : wadi_context_fail(studio->context, WADI_ERROR_MEMORY, "out of memory");
    result = result == WADI_OK ? paint_give(studio, message, work, &reader) : result;
    wadi_scene_reader_free_all(&reader);
    return result;
}

wadi_result wadi_studio_paint(wadi_studio* studio, const studio_message* message)
{
    return paint_run(studio, message, paint_read);
}

wadi_result wadi_studio_repaint(wadi_studio* studio, const studio_message* message)
{
    return paint_run(studio, message, paint_read_again);
}
