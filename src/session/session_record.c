// SPDX-License-Identifier: MIT
// The record of a session as text: a part of a scene file that `wadi run` reads. Numbers are
// written with as many digits as they need to be read back exactly.
#include "session/session_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct record_writer
{
    wadi_write_fn* write;
    void* user;
    wadi_result result; // the first failure
} record_writer;

static void record_text(record_writer* writer, const char* text)
{
    if (writer->result == WADI_OK)
    {
        writer->result = writer->write(writer->user, text, strlen(text));
    }
}

static void record_format(record_writer* writer, const char* format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

static void record_format(record_writer* writer, const char* format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    record_text(writer, text);
}

// The shortest of 15 to 17 digits that is read back exactly, with a point in any locale.
static void record_number(record_writer* writer, double value, const char* unit)
{
    char text[64];
    const char* end;
    for (int32_t digits = 15; digits <= 17; ++digits)
    {
        (void)snprintf(text, sizeof text, "%.*g", (int)digits, value);
        char* comma = strchr(text, ',');
        if (comma != NULL)
        {
            *comma = '.';
        }
        if (wadi_number_parse(text, &end) == value)
        {
            break;
        }
    }
    const bool bare = strcmp(unit, "1") == 0 || unit[0] == '\0';
    record_format(writer, "%s%s%s", text, bare ? "" : " ", bare ? "" : unit);
}

// A file name in single quotes, which are doubled inside.
static void record_quoted(record_writer* writer, const char* text)
{
    record_text(writer, "'");
    for (const char* c = text; *c != '\0'; ++c)
    {
        const char one[] = {*c, *c == '\'' ? '\'' : '\0', '\0'};
        record_text(writer, one);
    }
    record_text(writer, "'");
}

// ---- fields -------------------------------------------------------------------------------------

static void record_field(record_writer* writer, const wadi_field* field, const char* unit,
                         const void* params)
{
    const double value = wadi_field_get(field, params);
    record_format(writer, "%s: ", field->name);
    if (field->type == WADI_FIELD_ENUM)
    {
        record_text(writer, field->names[(int32_t)value]);
    }
    else if (field->type == WADI_FIELD_BOOL)
    {
        record_text(writer, value != 0.0 ? "true" : "false");
    }
    else
    {
        record_number(writer, value, field->unit[0] == '\0' ? unit : field->unit);
    }
}

// Fields that differ from their default; all of them if `whole`. Returns their number.
static int32_t record_fields(record_writer* writer, const wadi_field_table* table, const char* unit,
                             const void* params, bool whole)
{
    int32_t count = 0;
    for (int32_t i = 0; i < table->count; ++i)
    {
        const wadi_field* field = &table->fields[i];
        if (whole || wadi_field_get(field, params) != field->initial)
        {
            record_text(writer, count++ > 0 ? ", " : "");
            record_field(writer, field, unit, params);
        }
    }
    return count;
}

// ---- sources and regions ------------------------------------------------------------------------

static void record_classes(record_writer* writer, const wadi_source* source, const char* unit)
{
    record_text(writer, ", values: {");
    for (int32_t i = 0; i < source->class_count; ++i)
    {
        record_text(writer, i > 0 ? ", " : "");
        record_number(writer, source->classes[i].number, "1");
        record_text(writer, ": ");
        record_number(writer, source->classes[i].value, unit);
    }
    record_text(writer, "}");
}

static void record_points(record_writer* writer, const wadi_point* points, int32_t count)
{
    record_text(writer, "[");
    for (int32_t i = 0; i < count; ++i)
    {
        record_text(writer, i > 0 ? ", [" : "[");
        record_number(writer, points[i].x, "m");
        record_text(writer, ", ");
        record_number(writer, points[i].y, "m");
        record_text(writer, "]");
    }
    record_text(writer, "]");
}

static void record_stroke(record_writer* writer, const wadi_paint* stroke, const char* unit)
{
    record_text(writer, "{value: ");
    record_number(writer, stroke->value, unit);
    if (!stroke->is_area)
    {
        record_text(writer, ", radius: ");
        record_number(writer, stroke->radius, "m");
    }
    record_text(writer, ", soft: ");
    record_number(writer, stroke->soft, "m");
    record_text(writer, stroke->is_area ? ", polygon: " : ", points: ");
    record_points(writer, stroke->points, stroke->point_count);
    record_text(writer, "}");
}

// The strokes of a source from one on.
static void record_strokes(record_writer* writer, const wadi_source* source, int32_t from,
                           const char* unit)
{
    record_text(writer, "strokes: [");
    for (int32_t i = from; i < source->stroke_count; ++i)
    {
        record_text(writer, i > from ? ", " : "");
        record_stroke(writer, &source->strokes[i], unit);
    }
    record_text(writer, "]");
}

static void record_source(record_writer* writer, const wadi_source* source, const char* unit)
{
    record_format(writer, "{%s: {", source->kind->name);
    if (source->file != NULL)
    {
        record_text(writer, "file: ");
        record_quoted(writer, source->file);
    }
    if (source->file != NULL && source->kind->fields->count > 0)
    {
        record_text(writer, ", ");
    }
    (void)record_fields(writer, source->kind->fields, unit, source->params, true);
    if (source->class_count > 0)
    {
        record_classes(writer, source, unit);
    }
    if (source->stroke_count > 0)
    {
        const bool is_first = source->file == NULL && source->kind->fields->count == 0;
        record_text(writer, is_first ? "" : ", ");
        record_strokes(writer, source, 0, unit);
    }
    record_text(writer, "}}");
}

// `everywhere` says that it applies to the whole map; otherwise nothing does.
static void record_region(record_writer* writer, const wadi_region* region, bool everywhere)
{
    if (region->shape == NULL)
    {
        record_text(writer, everywhere ? ", everywhere: true" : "");
        return;
    }
    record_format(writer, ", %s: ", region->shape->name);
    if (region->shape->fields == NULL)
    {
        record_points(writer, region->points, region->point_count);
    }
    else
    {
        record_text(writer, "{");
        (void)record_fields(writer, region->shape->fields, "m", region->params, true);
        record_text(writer, "}");
    }
    if (region->soft > 0.0)
    {
        record_text(writer, ", soft: ");
        record_number(writer, region->soft, "m");
    }
}

// ---- steps --------------------------------------------------------------------------------------

static bool record_is_share(wadi_layer layer)
{
    return layer == WADI_LAYER_HARDNESS || layer == WADI_LAYER_VEGETATION ||
           layer == WADI_LAYER_MOISTURE;
}

static const char* record_layer(wadi_layer layer)
{
    switch (layer)
    {
    case WADI_LAYER_SURFACE:
        return "surface";
    case WADI_LAYER_BEDROCK:
        return "bedrock";
    case WADI_LAYER_WATER:
        return "water";
    case WADI_LAYER_HARDNESS:
        return "hardness";
    case WADI_LAYER_VEGETATION:
        return "vegetation";
    case WADI_LAYER_MOISTURE:
        return "moisture";
    default:
        return "sediment"; // scenes have one loose layer
    }
}

static void record_limit(record_writer* writer, const char* name, double value, const char* unit,
                         int32_t* written)
{
    if (isfinite(value))
    {
        record_text(writer, (*written)++ > 0 ? ", " : "");
        record_format(writer, "%s: ", name);
        record_number(writer, value, unit);
    }
}

static void record_band(record_writer* writer, const wadi_mask_band* band)
{
    const wadi_quantity* quantity = &band->quantity;
    const char* unit = wadi_quantity_unit(quantity);
    int32_t written = 0;
    record_text(writer, ", ");
    if (quantity->process != NULL)
    {
        record_format(writer, "%s.%s", quantity->process->name, quantity->map);
    }
    else
    {
        record_text(writer, quantity->is_derived ? wadi_derived_name(quantity->derived)
                                                 : record_layer(quantity->layer));
    }
    record_text(writer, ": {");
    record_limit(writer, "from", band->from, unit, &written);
    record_limit(writer, "to", band->to, unit, &written);
    if (band->fade > 0.0)
    {
        record_limit(writer, "fade", band->fade, unit, &written);
    }
    record_text(writer, "}");
}

static void record_mask(record_writer* writer, const wadi_mask* mask)
{
    if (mask == NULL)
    {
        return;
    }
    record_text(writer, "mask: {strength: ");
    record_number(writer, mask->strength, "1");
    record_text(writer, mask->inverted ? ", invert: true" : "");
    if (mask->source.kind != NULL)
    {
        record_text(writer, ", source: ");
        record_source(writer, &mask->source, "1");
    }
    for (int32_t i = 0; i < mask->band_count; ++i)
    {
        record_band(writer, &mask->bands[i]);
    }
    record_region(writer, &mask->region, false);
    record_text(writer, "}");
}

static void record_edit(record_writer* writer, const wadi_edit* edit)
{
    record_format(writer, "%s: {", edit->kind->name);
    if (edit->kind->verb == WADI_EDIT_SET)
    {
        const wadi_layer layer = edit->assigned.layer;
        record_format(writer, "%s: ", record_layer(layer));
        record_source(writer, &edit->assigned.source, record_is_share(layer) ? "1" : "m");
    }
    else
    {
        (void)record_fields(writer, edit->kind->fields, "m", edit->params, true);
    }
    record_region(writer, &edit->region, true);
    record_text(writer, edit->mask != NULL ? ", " : "");
    record_mask(writer, edit->mask);
    record_text(writer, "}");
}

static const char* record_map_unit(const wadi_process* process, const char* name)
{
    const char* unit = "1";
    for (int32_t i = 0; i < process->map_count; ++i)
    {
        unit = process->maps[i].input && strcmp(process->maps[i].name, name) == 0
                   ? process->maps[i].unit
                   : unit;
    }
    return unit;
}

static void record_rows(record_writer* writer, const wadi_scene_table* table,
                        const wadi_table_info* info)
{
    record_text(writer, "[");
    for (int32_t r = 0; r < table->rows; ++r)
    {
        record_text(writer, r > 0 ? ", {" : "{");
        for (int32_t c = 0; c < info->column_count; ++c)
        {
            const double value = table->values[(int64_t)r * info->column_count + c];
            record_text(writer, c > 0 ? ", " : "");
            record_format(writer, "%s: ", info->columns[c].name);
            record_number(writer, value, info->columns[c].unit);
        }
        record_text(writer, "}");
    }
    record_text(writer, "]");
}

static void record_table(record_writer* writer, const wadi_process* process,
                         const wadi_scene_table* table)
{
    int32_t i = 0;
    while (strcmp(process->tables[i].name, table->table) != 0)
    {
        ++i; // exists: checked when the process was started
    }
    record_format(writer, "%s: ", table->table);
    if (table->file != NULL)
    {
        record_quoted(writer, table->file);
    }
    else
    {
        record_rows(writer, table, &process->tables[i]);
    }
}

// ---- maps that grow by strokes ------------------------------------------------------------------

static bool record_same_fields(const wadi_field_table* table, const void* a, const void* b)
{
    bool same = true;
    for (int32_t i = 0; i < table->count && same; ++i)
    {
        const wadi_field* field = &table->fields[i];
        same = wadi_field_get(field, a) == wadi_field_get(field, b);
    }
    return same;
}

// True if two sources are the same below their strokes.
static bool record_same_base(const wadi_source* a, const wadi_source* b)
{
    const bool same_files = (a->file == NULL) == (b->file == NULL) &&
                            (a->file == NULL || strcmp(a->file, b->file) == 0);
    bool same = a->kind == b->kind && same_files && a->class_count == b->class_count &&
                a->weighs == b->weighs && record_same_fields(a->kind->fields, a->params, b->params);
    for (int32_t i = 0; i < a->class_count && same; ++i)
    {
        same = a->classes[i].number == b->classes[i].number &&
               a->classes[i].value == b->classes[i].value;
    }
    return same;
}

static bool record_same_stroke(const wadi_paint* a, const wadi_paint* b)
{
    bool same = a->value == b->value && a->radius == b->radius && a->soft == b->soft &&
                a->is_area == b->is_area && a->point_count == b->point_count;
    for (int32_t i = 0; i < a->point_count && same && a->points != b->points; ++i)
    {
        same = a->points[i].x == b->points[i].x && a->points[i].y == b->points[i].y;
    }
    return same;
}

// How many strokes a map has in common with the one before, from the first on; -1: it is another.
static int32_t record_common_strokes(const wadi_source* before, const wadi_source* now)
{
    if (before == NULL || !record_same_base(before, now))
    {
        return -1;
    }
    int32_t common = 0;
    while (common < before->stroke_count && common < now->stroke_count &&
           record_same_stroke(&before->strokes[common], &now->strokes[common]))
    {
        common += 1;
    }
    return common;
}

static const wadi_source* record_find_source(const wadi_scene_process* step, const char* map)
{
    for (int32_t i = 0; step != NULL && i < step->input_count; ++i)
    {
        if (strcmp(step->inputs[i].map, map) == 0)
        {
            return &step->inputs[i].source;
        }
    }
    return NULL;
}

// The strokes that a map has more than before, so that a record grows with what is painted.
static void record_painted(record_writer* writer, const wadi_source* before,
                           const wadi_source* source, int32_t common, const char* unit)
{
    record_text(writer, "{painted: {");
    if (common < before->stroke_count)
    {
        record_format(writer, "keep: %d%s", (int)common, common < source->stroke_count ? ", " : "");
    }
    if (common < source->stroke_count)
    {
        record_strokes(writer, source, common, unit);
    }
    record_text(writer, "}}");
}

// Input maps. One that the process has already is not written.
static int32_t record_inputs(record_writer* writer, const wadi_scene_process* step,
                             const wadi_scene_process* before, int32_t written)
{
    for (int32_t i = 0; i < step->input_count; ++i)
    {
        const char* name = step->inputs[i].map;
        const wadi_source* source = &step->inputs[i].source;
        const wadi_source* known = record_find_source(before, name);
        const int32_t common = record_common_strokes(known, source);
        if (common >= 0 && common == known->stroke_count && common == source->stroke_count)
        {
            continue;
        }
        const size_t length = strlen(name);
        const bool has_suffix = length > 4 && strcmp(name + length - 4, "_map") == 0;
        const char* unit = record_map_unit(step->process, name);
        record_text(writer, written++ > 0 ? ", " : "");
        record_format(writer, "%s%s: ", name, has_suffix ? "" : "_map");
        if (common >= 0)
        {
            record_painted(writer, known, source, common, unit);
        }
        else
        {
            record_source(writer, source, unit);
        }
    }
    return written;
}

// ---- processes ----------------------------------------------------------------------------------

// Parameters, maps and tables. An event writes all parameters, because those it leaves out keep
// their former values. `before` is what the process ran with, NULL for a track.
static void record_process(record_writer* writer, const wadi_scene_process* step,
                           const wadi_scene_process* before, int32_t written)
{
    const bool whole = before != NULL;
    const wadi_process* process = step->process;
    const wadi_model* model = wadi_process_model(process, step->params);
    for (int32_t i = 0; i < process->fields->count; ++i)
    {
        const wadi_field* field = &process->fields->fields[i];
        const bool differs = wadi_field_get(field, step->params) != field->initial;
        if (differs || (whole && wadi_model_is_in(process, model, field->models)))
        {
            record_text(writer, written++ > 0 ? ", " : "");
            record_field(writer, field, "1", step->params);
        }
    }
    written = record_inputs(writer, step, before, written);
    for (int32_t i = 0; i < step->table_count; ++i)
    {
        record_text(writer, written++ > 0 ? ", " : "");
        record_table(writer, process, &step->tables[i]);
    }
    record_text(writer, step->mask != NULL && written > 0 ? ", " : "");
    record_mask(writer, step->mask);
}

static void record_track(record_writer* writer, const wadi_track* track)
{
    record_format(writer, "    - %s: {from: ", track->process.process->name);
    record_number(writer, track->from, "yr");
    if (track->until < (double)INFINITY)
    {
        record_text(writer, ", until: ");
        record_number(writer, track->until, "yr");
    }
    record_process(writer, &track->process, NULL, 1);
    record_text(writer, "}\n");
}

static void record_event(record_writer* writer, const wadi_event* event,
                         const wadi_scene_process* before)
{
    record_text(writer, "    - {at: ");
    record_number(writer, event->at, "yr");
    record_text(writer, ", ");
    if (event->step.kind == WADI_STEP_EDIT)
    {
        record_edit(writer, &event->step.edit);
    }
    else
    {
        record_format(writer, "%s: {", event->step.process.process->name);
        record_process(writer, &event->step.process, before, 0);
        record_text(writer, "}");
    }
    record_text(writer, "}\n");
}

static bool record_changes_same(const wadi_step* one, const wadi_step* other)
{
    return one->kind == WADI_STEP_PROCESS && other->kind == WADI_STEP_PROCESS &&
           one->process.process == other->process.process;
}

// A change of a process that a later one of the same moment replaces has no effect. Without it the
// record of a map that is painted while the clock waits grows with its strokes, not with their
// square: each change holds the whole map.
static bool record_is_replaced(const wadi_timeline* timeline, const wadi_event* event)
{
    const bool changes = event->step.kind == WADI_STEP_PROCESS; // edits, of which there are many
    const wadi_event* end = changes ? timeline->events + timeline->event_count : event + 1;
    const wadi_event* other = event + 1;
    while (other < end && other->at <= event->at &&
           !record_changes_same(&event->step, &other->step))
    {
        ++other;
    }
    return other < end && other->at <= event->at;
}

// The track that an event changes, as a scene file is read: the latest that has begun, or else the
// first to come.
static int32_t record_track_of(const wadi_timeline* timeline, const wadi_event* event)
{
    int32_t best = -1;
    for (int32_t i = 0; i < timeline->track_count; ++i)
    {
        const wadi_track* track = &timeline->tracks[i];
        const wadi_track* found = best >= 0 ? &timeline->tracks[best] : NULL;
        const bool fits = found == NULL ||
                          (track->from <= event->at && track->from > found->from) ||
                          (found->from > event->at && track->from < found->from);
        best = track->process.process == event->step.process.process && fits ? i : best;
    }
    return best;
}

// What a process runs with before an event: the values of the event before, or of its track.
static const wadi_scene_process* record_before(const wadi_timeline* timeline,
                                               const wadi_event* event)
{
    const int32_t track =
        event->step.kind == WADI_STEP_PROCESS ? record_track_of(timeline, event) : -1;
    if (track < 0)
    {
        return NULL;
    }
    for (const wadi_event* other = event; other-- > timeline->events;)
    {
        if (record_changes_same(&event->step, &other->step) &&
            record_track_of(timeline, other) == track && !record_is_replaced(timeline, other))
        {
            return &other->step.process;
        }
    }
    return &timeline->tracks[track].process;
}

static void record_timeline(record_writer* writer, const wadi_timeline* timeline)
{
    record_text(writer, "timeline:\n  tick: ");
    record_number(writer, timeline->tick, "yr");
    record_text(writer, "\n  end: ");
    record_number(writer, timeline->end, "yr");
    record_text(writer, "\n  run:\n");
    for (int32_t i = 0; i < timeline->track_count; ++i)
    {
        record_track(writer, &timeline->tracks[i]);
    }
    record_text(writer, timeline->event_count > 0 ? "  events:\n" : "");
    for (int32_t i = 0; i < timeline->event_count; ++i)
    {
        if (!record_is_replaced(timeline, &timeline->events[i]))
        {
            const wadi_event* event = &timeline->events[i];
            record_event(writer, event, record_before(timeline, event));
        }
    }
}

static void record_steps(record_writer* writer, const wadi_timeline* timeline)
{
    record_text(writer, timeline->event_count > 0 ? "steps:\n" : "steps: []\n");
    for (int32_t i = 0; i < timeline->event_count; ++i)
    {
        record_text(writer, "  - ");
        record_edit(writer, &timeline->events[i].step.edit);
        record_text(writer, "\n");
    }
}

static wadi_result record_until(wadi_session* session, double end, wadi_timeline* out)
{
    wadi_free(session->context, session->tracks);
    wadi_free(session->context, session->events);
    session->tracks = NULL;
    session->events = NULL;
    return wadi_session_timeline(session, &session_version_of(session)->course, end,
                                 &session->tracks, &session->events, out);
}

wadi_result wadi_session_record(wadi_session* session, wadi_timeline* out)
{
    return record_until(session, wadi_session_year(session), out);
}

wadi_result wadi_session_plan_of(wadi_session* session, wadi_timeline* out)
{
    return record_until(session, 1e9, out);
}

wadi_result wadi_session_write_record(wadi_session* session, wadi_write_fn* write, void* user)
{
    wadi_timeline timeline;
    WADI_TRY(wadi_session_check_border(session));
    WADI_TRY(wadi_session_record(session, &timeline));
    record_writer writer = {write, user, WADI_OK};
    if (timeline.track_count > 0)
    {
        record_timeline(&writer, &timeline);
    }
    else
    {
        record_steps(&writer, &timeline);
    }
    return writer.result;
}
