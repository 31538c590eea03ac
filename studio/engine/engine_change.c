// SPDX-License-Identifier: MIT
// Commands that change the record: processes, edits and strokes.
#include "studio/engine/engine_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static scene_reader change_reader(wadi_studio* studio, const studio_message* message)
{
    return (scene_reader){
        .yaml = message->yaml, .context = studio->context, .scene = studio->scene};
}

// ---- processes ----------------------------------------------------------------------------------

static wadi_result change_process_of(const wadi_studio* studio, const studio_message* message,
                                     const wadi_process** out)
{
    const char* name;
    *out = NULL;
    SCENE_TRY(wadi_studio_text(message, "process", &name));
    *out = wadi_process_find(studio->context, name);
    return *out != NULL ? WADI_OK
                        : wadi_context_fail(studio->context, WADI_ERROR_UNKNOWN,
                                            "unknown process '%.40s'", name);
}

const wadi_scene_process* wadi_studio_running(wadi_studio* studio, const wadi_process* process)
{
    wadi_timeline plan;
    const wadi_scene_process* latest = NULL;
    double from = 0.0;
    if (studio->session == NULL || wadi_session_plan_of(studio->session, &plan) != WADI_OK)
    {
        return NULL;
    }
    const double now = wadi_session_year(studio->session) + 1e-6 * plan.tick;
    for (int32_t i = 0; i < plan.track_count; ++i)
    {
        const wadi_track* track = &plan.tracks[i];
        const bool runs = track->from <= now && track->until > now;
        const bool is_it = track->process.process == process && runs;
        latest = is_it ? &track->process : latest;
        from = is_it ? track->from : from;
    }
    for (int32_t i = 0; latest != NULL && i < plan.event_count; ++i)
    {
        const wadi_event* event = &plan.events[i];
        const bool counts = event->step.kind == WADI_STEP_PROCESS && event->at <= now &&
                            event->at >= from - 1e-6 * plan.tick &&
                            event->step.process.process == process;
        latest = counts ? &event->step.process : latest;
    }
    return latest;
}

// `with` in the syntax of scenes; `before` is what it changes, or NULL.
static wadi_result change_read(scene_reader* reader, const studio_message* message,
                               const wadi_process* process, const wadi_scene_process* before,
                               wadi_scene_process* out)
{
    const wadi_yaml_entry entry = {wadi_yaml_find(message->root, "process"),
                                   wadi_studio_find(message, "with")};
    const wadi_track track = {.process = before != NULL ? *before : (wadi_scene_process){0}};
    scene_work work = {.kind = before != NULL ? SCENE_WORK_CHANGE : SCENE_WORK_TRACK,
                       .from = -1.0,
                       .until = -1.0,
                       .tracks = &track,
                       .track_count = before != NULL ? 1 : 0};
    if (entry.value == NULL)
    {
        // defaults: an empty value is read from the key's own name, so the params are made here
        void* params;
        SCENE_TRY(wadi_scene_new_params(reader, entry.key, process->fields, &params));
        *out = (wadi_scene_process){.process = process, .params = params};
        return WADI_OK;
    }
    SCENE_TRY(wadi_scene_read_process(reader, &entry, process, &work, out));
    return work.from == -1.0 && work.until == -1.0
               ? WADI_OK
               : wadi_context_fail(reader->context, WADI_ERROR_FORMAT,
                                   "'from' and 'until' have no place in '%s'; it begins now",
                                   message->type);
}

static wadi_result change_run(wadi_studio* studio, const studio_message* message, bool runs)
{
    const wadi_process* process;
    SCENE_TRY(change_process_of(studio, message, &process));
    const wadi_scene_process* before = wadi_studio_running(studio, process);
    if ((before != NULL) != runs)
    {
        return wadi_context_fail(studio->context, WADI_ERROR_STATE,
                                 runs ? "%s does not run; start it" : "%s runs already; change it",
                                 process->name);
    }
    if (runs && wadi_studio_find(message, "with") == NULL)
    {
        return wadi_context_fail(studio->context, WADI_ERROR_FORMAT,
                                 "'with' of 'change' is missing");
    }
    scene_reader reader = change_reader(studio, message);
    wadi_scene_process step;
    wadi_result result = change_read(&reader, message, process, before, &step);
    if (result == WADI_OK)
    {
        result = wadi_session_start(studio->session, &step);
    }
    wadi_scene_reader_free_all(&reader);
    return result;
}

wadi_result wadi_studio_start_process(wadi_studio* studio, const studio_message* message)
{
    return change_run(studio, message, false);
}

wadi_result wadi_studio_change_process(wadi_studio* studio, const studio_message* message)
{
    return change_run(studio, message, true);
}

wadi_result wadi_studio_stop_process(wadi_studio* studio, const studio_message* message)
{
    const wadi_process* process;
    SCENE_TRY(change_process_of(studio, message, &process));
    return wadi_session_stop(studio->session, process);
}

// ---- edits --------------------------------------------------------------------------------------

wadi_result wadi_studio_edit(wadi_studio* studio, const studio_message* message)
{
    wadi_yaml_node* node = wadi_studio_find(message, "edit");
    scene_reader reader = change_reader(studio, message);
    scene_work work = {.kind = SCENE_WORK_STEP};
    wadi_yaml_entry entry;
    wadi_step step = {0};
    bool joins;
    SCENE_TRY(wadi_studio_flag(message, "joins", false, &joins));
    wadi_result result = WADI_OK;
    if (node == NULL || wadi_yaml_kind_of(node) != WADI_YAML_MAP)
    {
        result = wadi_context_fail(studio->context, WADI_ERROR_FORMAT,
                                   "'edit' takes one edit, such as {\"add_sand\": \"2 m\"}");
    }
    if (result == WADI_OK)
    {
        result = wadi_scene_read_step(&reader, node, &work, &entry, &step);
    }
    if (result == WADI_OK && step.kind != WADI_STEP_EDIT)
    {
        result = wadi_context_fail(studio->context, WADI_ERROR_ARGUMENT, "'%s' is not an edit",
                                   wadi_step_name(&step));
    }
    if (result == WADI_OK)
    {
        result = wadi_session_edit(studio->session, &step.edit, joins);
    }
    wadi_scene_reader_free_all(&reader);
    return result;
}

// ---- strokes ------------------------------------------------------------------------------------

// A stroke: touches that differ in their centre only.
typedef struct change_stroke
{
    wadi_edit edit;
    double radius;
    double soft;
    double ratio;   // of a rectangle: its width over its height, which is twice the radius
    double azimuth; // of a rectangle [degree]
    bool joins;
    wadi_point points[STUDIO_MAX_POINTS];
    int32_t count;
} change_stroke;

static wadi_result change_new(scene_reader* reader, const studio_message* message,
                              const wadi_field_table* table, const char* field, double value,
                              void** out)
{
    SCENE_TRY(wadi_scene_new_params(reader, message->root, table, out));
    return wadi_field_set(reader->context, table, field, value, *out);
}

// The value of `set_layer`: a constant.
static wadi_result change_read_value(wadi_studio* studio, scene_reader* reader,
                                     const studio_message* message, double amount,
                                     change_stroke* stroke)
{
    const char* name;
    SCENE_TRY(wadi_studio_text(message, "layer", &name));
    const wadi_terrain* terrain = wadi_run_terrain(wadi_session_run(studio->session));
    const wadi_layer layer = wadi_terrain_layer(terrain, name);
    const wadi_source_kind* kind = wadi_source_kind_find("constant");
    if (layer < 0 || kind == NULL)
    {
        return wadi_context_fail(studio->context, WADI_ERROR_UNKNOWN, "unknown layer '%.40s'",
                                 name);
    }
    void* params;
    SCENE_TRY(
        change_new(reader, message, kind->fields, kind->fields->fields[0].name, amount, &params));
    stroke->edit.assigned = (wadi_scene_layer){layer, {.kind = kind, .params = params}};
    return WADI_OK;
}

static wadi_result change_read_amount(wadi_studio* studio, scene_reader* reader,
                                      const studio_message* message, change_stroke* stroke)
{
    const char* name;
    double amount;
    SCENE_TRY(wadi_studio_text(message, "edit", &name));
    const wadi_edit_kind* kind = wadi_edit_kind_find(name);
    if (kind == NULL)
    {
        return wadi_context_fail(studio->context, WADI_ERROR_UNKNOWN, "unknown edit '%.40s'", name);
    }
    stroke->edit.kind = kind;
    SCENE_TRY(wadi_studio_number(message, "amount", (double)NAN, -1e6, 1e6, &amount));
    if (kind->verb == WADI_EDIT_SET)
    {
        return change_read_value(studio, reader, message, amount, stroke);
    }
    void* params;
    SCENE_TRY(
        change_new(reader, message, kind->fields, kind->fields->fields[0].name, amount, &params));
    stroke->edit.params = params;
    return WADI_OK;
}

static wadi_result change_read_shape(wadi_studio* studio, const studio_message* message,
                                     change_stroke* stroke)
{
    const char* name = "circle";
    if (wadi_studio_find(message, "shape") != NULL)
    {
        SCENE_TRY(wadi_studio_text(message, "shape", &name));
    }
    stroke->edit.region.shape = wadi_shape_kind_find(name);
    if (stroke->edit.region.shape == NULL || stroke->edit.region.shape->fields == NULL)
    {
        return wadi_context_fail(studio->context, WADI_ERROR_UNKNOWN,
                                 "unknown shape '%.40s' of a brush; expected circle or rectangle",
                                 name);
    }
    SCENE_TRY(wadi_studio_number(message, "ratio", 1.0, 1e-3, 1e3, &stroke->ratio));
    return wadi_studio_number(message, "azimuth", 0.0, -360.0, 360.0, &stroke->azimuth);
}

static wadi_result change_read_stroke(wadi_studio* studio, scene_reader* reader,
                                      const studio_message* message, change_stroke* stroke)
{
    SCENE_TRY(change_read_amount(studio, reader, message, stroke));
    SCENE_TRY(change_read_shape(studio, message, stroke));
    SCENE_TRY(wadi_studio_number(message, "radius", (double)NAN, 1e-3, 1e9, &stroke->radius));
    SCENE_TRY(wadi_studio_number(message, "soft", 0.0, 0.0, stroke->radius, &stroke->soft));
    SCENE_TRY(wadi_studio_flag(message, "joins", false, &stroke->joins));
    SCENE_TRY(wadi_studio_points(message, stroke->points, &stroke->count));
    stroke->edit.region.soft = stroke->soft;
    return WADI_OK;
}

// Tiles that a touch changes.
static void change_mark(wadi_studio* studio, const change_stroke* stroke, wadi_point at)
{
    const wadi_terrain* terrain = wadi_run_terrain(wadi_session_run(studio->session));
    const double cell = wadi_terrain_cell_size(terrain);
    // a rectangle reaches to its corners
    const double far = stroke->radius * sqrt(1.0 + stroke->ratio * stroke->ratio);
    const double reach = ceil(far / cell) + 1.0;
    const double column = floor(at.x / cell);
    const double row = wadi_terrain_height(terrain) - 1.0 - floor(at.y / cell);
    const double most = 1e6;
    if (reach < most && fabs(column) < most && fabs(row) < most)
    {
        wadi_studio_mark(studio, (wadi_rectangle){(int32_t)(column - reach), (int32_t)(row - reach),
                                                  (int32_t)(2.0 * reach + 1.0),
                                                  (int32_t)(2.0 * reach + 1.0)});
    }
}

// The fields of an outline that both shapes have, and those of one of them.
static wadi_result change_set_outline(const scene_reader* reader, const change_stroke* stroke,
                                      wadi_point at, void* params)
{
    const wadi_field_table* table = stroke->edit.region.shape->fields;
    const struct
    {
        const char* name;
        double value;
    } values[] = {{"x", at.x},
                  {"y", at.y},
                  {"radius", stroke->radius},
                  {"width", 2.0 * stroke->radius * stroke->ratio},
                  {"height", 2.0 * stroke->radius},
                  {"azimuth", stroke->azimuth}};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i)
    {
        if (wadi_field_find(table, values[i].name) != NULL)
        {
            SCENE_TRY(
                wadi_field_set(reader->context, table, values[i].name, values[i].value, params));
        }
    }
    return WADI_OK;
}

static wadi_result change_touch(scene_reader* reader, const studio_message* message,
                                const change_stroke* stroke, int32_t index, wadi_edit* out)
{
    void* params;
    *out = stroke->edit;
    SCENE_TRY(
        wadi_scene_new_params(reader, message->root, stroke->edit.region.shape->fields, &params));
    SCENE_TRY(change_set_outline(reader, stroke, stroke->points[index], params));
    out->region.params = params;
    return WADI_OK;
}

static wadi_result change_touches(wadi_studio* studio, scene_reader* reader,
                                  const studio_message* message, const change_stroke* stroke)
{
    wadi_edit edits[STUDIO_MAX_POINTS];
    for (int32_t i = 0; i < stroke->count; ++i)
    {
        SCENE_TRY(change_touch(reader, message, stroke, i, &edits[i]));
    }
    SCENE_TRY(wadi_session_stroke(studio->session, edits, stroke->count, stroke->joins));
    for (int32_t i = 0; i < stroke->count; ++i)
    {
        change_mark(studio, stroke, stroke->points[i]);
    }
    return WADI_OK;
}

wadi_result wadi_studio_stroke(wadi_studio* studio, const studio_message* message)
{
    scene_reader reader = change_reader(studio, message);
    change_stroke* stroke = wadi_scene_reader_alloc(&reader, sizeof *stroke);
    wadi_result result =
        stroke != NULL ? change_read_stroke(studio, &reader, message, stroke)
                       : wadi_context_fail(studio->context, WADI_ERROR_MEMORY, "out of memory");
    result = result == WADI_OK ? change_touches(studio, &reader, message, stroke) : result;
    wadi_scene_reader_free_all(&reader);
    return result;
}
