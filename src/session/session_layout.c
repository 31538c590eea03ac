// SPDX-License-Identifier: MIT
// A course as a scene with steps, and hashes by which snapshots of another course are known to fit.
#include "session/session_internal.h"

#include "core/archive.h"

#include <math.h>
#include <string.h>

// Year up to which some process runs without a gap.
static double layout_cover(const wadi_session* session, const session_course* course)
{
    double covered = 0.0;
    for (bool grew = true; grew;)
    {
        grew = false;
        for (int32_t i = 0; i < course->track_count; ++i)
        {
            const wadi_track* track = course->tracks[i];
            if (session_is_past(session, track->from, covered) &&
                !session_is_past(session, track->until, covered))
            {
                covered = track->until;
                grew = true;
            }
        }
    }
    return covered;
}

wadi_result wadi_session_timeline(wadi_session* session, const session_course* course, double end,
                                  wadi_track** tracks, wadi_event** events, wadi_timeline* out)
{
    WADI_ALLOC(session->context, *tracks, course->track_count + 1, "a record");
    *events = wadi_alloc(session->context, (size_t)course->event_count + 1, sizeof **events);
    if (*events == NULL)
    {
        wadi_free(session->context, *tracks);
        *tracks = NULL;
        return wadi_fail_memory(session->context, sizeof **events, "a record");
    }
    *out = (wadi_timeline){.tick = session->tick, .end = end, .tracks = *tracks, .events = *events};
    for (int32_t i = 0; i < course->track_count; ++i)
    {
        if (!session_is_past(session, end, course->tracks[i]->from))
        {
            (*tracks)[out->track_count++] = *course->tracks[i];
        }
    }
    for (int32_t i = 0; i < course->event_count; ++i)
    {
        const wadi_event* event = course->events[i];
        // at the end a process has no years left to change in
        const bool late =
            event->step.kind == WADI_STEP_PROCESS && session_is_past(session, end, event->at);
        if (session_is_past(session, event->at, end) && !late)
        {
            wadi_event* copy = &(*events)[out->event_count++];
            *copy = *event;
            copy->at = event->at < end ? event->at : end;
        }
    }
    return WADI_OK;
}

// Without tracks no time passes, and there are edits only.
static wadi_result layout_edits(const wadi_session* session, const session_course* course,
                                wadi_scene* scene)
{
    for (int32_t i = 0; i < course->event_count; ++i)
    {
        const wadi_event* event = course->events[i];
        WADI_TRY(session_is_past(session, event->at, 0.0) && event->step.kind == WADI_STEP_EDIT
                     ? wadi_scene_add_step(scene, &event->step)
                     : WADI_OK);
    }
    return WADI_OK;
}

static wadi_result layout_steps(wadi_session* session, const session_course* course,
                                session_layout* out)
{
    if (out->covered == 0.0)
    {
        return layout_edits(session, course, out->scene);
    }
    wadi_track* tracks = NULL;
    wadi_event* events = NULL;
    wadi_timeline timeline;
    wadi_result result =
        wadi_session_timeline(session, course, out->horizon, &tracks, &events, &timeline);
    if (result == WADI_OK)
    {
        result = wadi_scene_add_timeline(out->scene, &timeline);
    }
    wadi_free(session->context, tracks);
    wadi_free(session->context, events);
    return result;
}

static bool layout_is_last(const wadi_scene* scene, int32_t index)
{
    const wadi_process* process = scene->steps[index].process.process;
    for (int32_t i = index + 1; i < scene->step_count; ++i)
    {
        if (scene->steps[i].kind == WADI_STEP_PROCESS && scene->steps[i].process.process == process)
        {
            return false;
        }
    }
    return true;
}

// The last step of a process differs from others, because it lays down what the process carries.
static void layout_hash_step(wadi_archive* archive, const wadi_scene* scene, int32_t index)
{
    const wadi_step* step = &scene->steps[index];
    const bool runs = step->kind == WADI_STEP_PROCESS;
    int32_t flags[] = {(int32_t)step->kind, step->process.goes_on, step->process.overlaps,
                       runs && (step->process.ends || layout_is_last(scene, index))};
    double years = step->process.years;
    wadi_archive_i32(archive, flags, sizeof flags / sizeof flags[0]);
    wadi_archive_f64(archive, &years, 1);
    char name[WADI_NAME_LENGTH] = {0};
    (void)strncpy(name, step->origin != NULL ? step->origin : "", sizeof name - 1);
    wadi_archive_bytes(archive, name, sizeof name);
}

static wadi_result layout_hash(wadi_session* session, session_layout* layout)
{
    WADI_ALLOC(session->context, layout->hashes, layout->scene->step_count + 1, "a session");
    wadi_archive archive;
    wadi_archive_open_hash(&archive, session->context);
    for (int32_t i = 0; i < layout->scene->step_count; ++i)
    {
        layout->hashes[i] = archive.hash;
        layout_hash_step(&archive, layout->scene, i);
    }
    layout->hashes[layout->scene->step_count] = archive.hash;
    return WADI_OK;
}

static double layout_horizon(const wadi_session* session, const session_course* course,
                             const session_layout* layout, double year)
{
    double horizon = (floor(year / session->tick + SESSION_SLACK) + SESSION_AHEAD) * session->tick;
    for (int32_t i = 0; i < course->event_count; ++i)
    {
        const double behind = course->events[i]->at + session->tick;
        horizon = horizon > behind ? horizon : behind;
    }
    return horizon < layout->covered ? horizon : layout->covered;
}

wadi_result wadi_session_lay_out(wadi_session* session, const session_course* course, double year,
                                 double end, session_layout* out)
{
    *out = (session_layout){.covered = layout_cover(session, course)};
    out->horizon = end > 0.0 ? end : layout_horizon(session, course, out, year);
    WADI_TRY(wadi_scene_create(session->context, &out->scene));
    wadi_scene_set_seed(out->scene, wadi_scene_seed(session->scene));
    wadi_result result = layout_steps(session, course, out);
    if (result == WADI_OK)
    {
        result = layout_hash(session, out);
    }
    if (result != WADI_OK)
    {
        wadi_session_free_layout(session, out);
    }
    return result;
}

void wadi_session_free_layout(wadi_session* session, session_layout* layout)
{
    wadi_scene_destroy(layout->scene);
    wadi_free(session->context, layout->hashes);
    *layout = (session_layout){0};
}
