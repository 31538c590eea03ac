// SPDX-License-Identifier: MIT
// Courses: lists of tracks and events, copied on change.
#include "session/session_internal.h"

void wadi_session_free_course(wadi_session* session, session_course* course)
{
    wadi_free(session->context, course->tracks);
    wadi_free(session->context, course->events);
    *course = (session_course){0};
}

wadi_result wadi_session_copy_course(wadi_session* session, const session_course* from,
                                     int32_t events, session_course* out)
{
    const size_t tracks = (size_t)from->track_count + 1;
    const size_t room = (size_t)from->event_count + (size_t)events;
    *out = (session_course){
        wadi_alloc(session->context, tracks, sizeof *out->tracks), from->track_count,
        wadi_alloc(session->context, room + 1, sizeof *out->events), from->event_count};
    if (out->tracks == NULL || out->events == NULL)
    {
        wadi_session_free_course(session, out);
        return wadi_fail_memory(session->context, (tracks + room) * sizeof *out->tracks,
                                "a session");
    }
    for (int32_t i = 0; i < from->track_count; ++i)
    {
        out->tracks[i] = from->tracks[i];
    }
    for (int32_t i = 0; i < from->event_count; ++i)
    {
        out->events[i] = from->events[i];
    }
    return WADI_OK;
}

int32_t wadi_session_find_track(const wadi_session* session, const session_course* course,
                                const wadi_process* process, double year)
{
    int32_t index = -1;
    for (int32_t i = 0; i < course->track_count; ++i)
    {
        const wadi_track* track = course->tracks[i];
        if (track->process.process == process && !session_is_past(session, track->until, year) &&
            (index < 0 || track->from < course->tracks[index]->from))
        {
            index = i;
        }
    }
    return index;
}

wadi_result wadi_session_add_event(wadi_session* session, session_course* course,
                                   const wadi_event* event)
{
    void* kept;
    WADI_TRY(wadi_scene_keep_bytes(session->keeper, event, sizeof *event, &kept));
    int32_t at = course->event_count++;
    for (; at > 0 && course->events[at - 1]->at > event->at + SESSION_SLACK * session->tick; --at)
    {
        course->events[at] = course->events[at - 1];
    }
    course->events[at] = kept;
    return WADI_OK;
}

wadi_result wadi_session_add_track(wadi_session* session, session_course* course,
                                   const wadi_track* track)
{
    void* kept;
    WADI_TRY(wadi_scene_keep_bytes(session->keeper, track, sizeof *track, &kept));
    course->tracks[course->track_count++] = kept;
    return WADI_OK;
}
