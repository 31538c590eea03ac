// SPDX-License-Identifier: MIT
// The part `timeline:` of a scene file: concurrent processes and dated events.
#include "io/scene/scene_reader.h"

#include <math.h>
#include <string.h>

enum
{
    TIMELINE_MAX_TRACKS = 64,
    TIMELINE_MAX_EVENTS = 4096
};

// A timeline being read. `tracks` are the processes as the latest event left them: values that an
// event does not name are kept.
typedef struct timeline_part
{
    wadi_timeline timeline;
    wadi_track tracks[TIMELINE_MAX_TRACKS];
    wadi_track now[TIMELINE_MAX_TRACKS];
    wadi_event* events;
    scene_timed_part timed;
    bool has_tick;
    bool has_end;
} timeline_part;

// ---- clock --------------------------------------------------------------------------------------

static wadi_result timeline_read_tick(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    timeline_part* part = into;
    part->has_tick = true;
    return wadi_scene_read_number(reader, value, "tick", "yr", &part->timeline.tick);
}

static wadi_result timeline_read_end(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    timeline_part* part = into;
    part->has_end = true;
    return wadi_scene_read_number(reader, value, "end", "yr", &part->timeline.end);
}

// ---- run ----------------------------------------------------------------------------------------

static wadi_result timeline_read_track(scene_reader* reader, wadi_yaml_node* node,
                                       timeline_part* part)
{
    void* place = NULL;
    wadi_yaml_entry entry;
    const wadi_process* process = NULL;
    if (wadi_yaml_kind_of(node) == WADI_YAML_MAP && wadi_yaml_count(node) == 1 &&
        wadi_yaml_next(node, &place, &entry))
    {
        process = wadi_process_find(reader->context, wadi_yaml_text(entry.key));
    }
    if (process == NULL || part->timeline.track_count == TIMELINE_MAX_TRACKS)
    {
        return wadi_yaml_fail(
            reader->yaml, node, WADI_ERROR_FORMAT,
            "'run' lists up to %d processes, such as 'dunes: {from: 50 yr}'; what "
            "happens once belongs under 'events'",
            TIMELINE_MAX_TRACKS);
    }
    wadi_track* track = &part->tracks[part->timeline.track_count++];
    scene_work work = {.kind = SCENE_WORK_TRACK, .until = (double)INFINITY};
    SCENE_TRY(wadi_scene_read_process(reader, &entry, process, &work, &track->process));
    track->from = work.from;
    track->until = work.until;
    track->origin = wadi_scene_place_text(reader, node);
    return WADI_OK;
}

static wadi_result timeline_read_run(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    timeline_part* part = into;
    void* place = NULL;
    wadi_yaml_entry item;
    while (wadi_yaml_kind_of(value) == WADI_YAML_LIST && wadi_yaml_next(value, &place, &item))
    {
        SCENE_TRY(timeline_read_track(reader, item.value, part));
    }
    return part->timeline.track_count > 0
               ? WADI_OK
               : wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                                "'run' takes a list with a dash before each process");
}

// ---- events -------------------------------------------------------------------------------------

bool wadi_scene_is_event_key(const scene_reader* reader, wadi_yaml_node* node, wadi_yaml_node* key)
{
    return node == reader->event && strcmp(wadi_yaml_text(key), "at") == 0;
}

static wadi_result timeline_read_moment(scene_reader* reader, wadi_yaml_node* node, double* at)
{
    wadi_yaml_node* value =
        wadi_yaml_kind_of(node) == WADI_YAML_MAP ? wadi_yaml_find(node, "at") : NULL;
    return value != NULL ? wadi_scene_read_number(reader, value, "at", "yr", at)
                         : wadi_yaml_fail(reader->yaml, node, WADI_ERROR_FORMAT,
                                          "an event says when it happens, such as {at: 60 yr, "
                                          "add_sand: 2 m}");
}

// Update a track; later events start from its new values.
static void timeline_change_track(timeline_part* part, const wadi_event* event)
{
    const int32_t index = wadi_scene_track_at(part->now, part->timeline.track_count,
                                              event->step.process.process, event->at);
    if (index >= 0)
    {
        part->now[index].process = event->step.process;
    }
}

static wadi_result timeline_read_event(scene_reader* reader, wadi_yaml_node* node,
                                       timeline_part* part)
{
    wadi_event* event = &part->events[part->timeline.event_count++];
    event->step.origin = wadi_scene_place_text(reader, node);
    SCENE_TRY(timeline_read_moment(reader, node, &event->at));
    scene_work work = {.kind = SCENE_WORK_CHANGE,
                       .tracks = part->now,
                       .track_count = part->timeline.track_count,
                       .at = event->at};
    wadi_yaml_entry entry;
    reader->event = node;
    const wadi_result result = wadi_scene_read_step(reader, node, &work, &entry, &event->step);
    reader->event = NULL;
    if (result == WADI_OK && event->step.kind == WADI_STEP_PROCESS)
    {
        timeline_change_track(part, event);
    }
    return result;
}

// Called after all tracks are read, because `events` may come first in the file.
static wadi_result timeline_read_events(scene_reader* reader, wadi_yaml_node* value,
                                        timeline_part* part)
{
    const int32_t count = value != NULL ? wadi_yaml_count(value) : 0;
    if (value != NULL &&
        (wadi_yaml_kind_of(value) != WADI_YAML_LIST || count == 0 || count > TIMELINE_MAX_EVENTS))
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "'events' takes a list of up to %d events, with a dash before each",
                              TIMELINE_MAX_EVENTS);
    }
    memcpy(part->now, part->tracks, sizeof part->now);
    part->events = wadi_scene_reader_alloc(reader, (size_t)(count + 1) * sizeof *part->events);
    if (part->events == NULL)
    {
        return wadi_context_fail(reader->context, WADI_ERROR_MEMORY, "out of memory for events");
    }
    void* place = NULL;
    wadi_yaml_entry item;
    while (count > 0 && wadi_yaml_next(value, &place, &item))
    {
        SCENE_TRY(timeline_read_event(reader, item.value, part));
    }
    return WADI_OK;
}

static wadi_result timeline_skip_events(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    (void)reader;
    (void)value;
    (void)into;
    return WADI_OK; // read later by timeline_read_events()
}

// ---- all of it ----------------------------------------------------------------------------------

static wadi_result timeline_read_all(scene_reader* reader, wadi_yaml_node* value,
                                     timeline_part* part)
{
    static const scene_key keys[] = {{"tick", timeline_read_tick},
                                     {"end", timeline_read_end},
                                     {"run", timeline_read_run},
                                     {"events", timeline_skip_events}};
    const scene_form form = {
        .name = "timeline", .keys = keys, .key_count = sizeof keys / sizeof keys[0]};
    SCENE_TRY(wadi_scene_read_map(reader, value, &form, part));
    if (!part->has_tick || !part->has_end || part->timeline.track_count == 0)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "a timeline has a tick, an end and processes that run: {tick: 1 yr, "
                              "end: 100 yr, run: [dunes: {}]}");
    }
    SCENE_TRY(wadi_scene_read_timed(reader, &part->timed));
    return timeline_read_events(reader, wadi_yaml_find(value, "events"), part);
}

wadi_result wadi_scene_read_timeline(scene_reader* reader, wadi_yaml_node* value, void* into)
{
    (void)into;
    if (wadi_yaml_find(wadi_yaml_root(reader->yaml), "steps") != NULL)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_FORMAT,
                              "a scene has 'steps' or a 'timeline'; outputs at the end of a "
                              "timeline belong under 'output'");
    }
    timeline_part* part = wadi_scene_reader_alloc(reader, sizeof *part);
    if (part == NULL)
    {
        return wadi_yaml_fail(reader->yaml, value, WADI_ERROR_MEMORY, "out of memory");
    }
    SCENE_TRY(timeline_read_all(reader, value, part));
    part->timeline.origin = wadi_scene_place_text(reader, value);
    part->timeline.tracks = part->tracks;
    part->timeline.events = part->events;
    part->timeline.outputs = part->timed.outputs;
    part->timeline.output_count = part->timed.count;
    return wadi_scene_add_timeline(reader->scene, &part->timeline);
}
