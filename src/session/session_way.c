// SPDX-License-Identifier: MIT
// The way from one course or year to another: the nearest snapshot is restored and the rest is
// replayed. A replay that is stopped is put aside, and the next call for the same place goes on
// with it.
#include "session/session_internal.h"

void wadi_session_free_way(wadi_session* session, session_way* way)
{
    wadi_run_destroy(way->run);
    wadi_session_free_layout(session, &way->layout);
    way->run = NULL;
}

void wadi_session_leave_way(wadi_session* session)
{
    wadi_session_free_way(session, &session->way);
}

double wadi_session_way_year(const wadi_session* session)
{
    return session->way.run != NULL ? wadi_terrain_clock(session->way.run->terrain)
                                    : wadi_session_year(session);
}

// An edit is never left half done: a stop waits until the years before it have been run.
static wadi_result way_step(const wadi_session* session, wadi_run* run, const wadi_step* step)
{
    const bool is_edit = step->kind == WADI_STEP_EDIT;
    const bool held = wadi_progress_hold(session->context, is_edit);
    (void)wadi_progress_hold(session->context, held || is_edit);
    const bool whole = wadi_progress_whole(session->context, true);
    wadi_result result;
    do
    {
        result = wadi_run_next(run);
        if (result == WADI_ERROR_CANCELLED)
        {
            wadi_run_resume(run); // at the next call
        }
    } while (result == WADI_ERROR_CANCELLED && is_edit);
    (void)wadi_progress_whole(session->context, whole);
    (void)wadi_progress_hold(session->context, held);
    return result;
}

wadi_result wadi_session_replay(const wadi_session* session, wadi_run* run, double year)
{
    while (!wadi_run_is_done(run))
    {
        const wadi_step* step = wadi_scene_step(run->scene, run->position);
        const bool arrived = session_is_past(session, year, wadi_terrain_clock(run->terrain));
        if (step->kind == WADI_STEP_PROCESS && arrived && !wadi_run_is_within(run))
        {
            break;
        }
        WADI_TRY(way_step(session, run, step));
    }
    return WADI_OK;
}

// Does a run of one layout stand on the way to a year of another, with no snapshot further on? A
// step that it has begun counts as done.
static bool way_fits(const wadi_session* session, const session_way* from,
                     const session_layout* layout, double year)
{
    const int32_t position = wadi_run_position(from->run);
    const int32_t done = position + (from->run->given ? 1 : 0);
    return done <= layout->scene->step_count && done <= from->layout.scene->step_count &&
           layout->hashes[done] == from->layout.hashes[done] &&
           session_is_past(session, wadi_terrain_clock(from->run->terrain), year) &&
           wadi_session_nearest(session, layout, year) <= position;
}

wadi_result wadi_session_go(wadi_session* session, session_way* way, double near, double year)
{
    if (session->way.run != NULL && way_fits(session, &session->way, &way->layout, near))
    {
        way->run = session->way.run;
        session->way.run = NULL;
        wadi_run_follow(way->run, way->layout.scene);
    }
    wadi_session_leave_way(session);
    wadi_result result =
        way->run != NULL ? WADI_OK : wadi_session_restore(session, &way->layout, near, &way->run);
    result = result == WADI_OK ? wadi_session_replay(session, way->run, year) : result;
    if (result == WADI_ERROR_CANCELLED)
    {
        session->way = *way;
        *way = (session_way){0};
    }
    else if (result != WADI_OK)
    {
        wadi_session_free_way(session, way);
    }
    return result;
}

static void way_take(wadi_session* session, session_way* way)
{
    if (way->run != session->run)
    {
        wadi_run_destroy(session->run);
        session->run = way->run;
    }
    wadi_session_free_layout(session, &session->layout);
    session->layout = way->layout;
    wadi_run_follow(session->run, session->layout.scene);
}

// Go back to a year of the present course from the snapshot before it, without a stop.
static wadi_result way_back(wadi_session* session, double year)
{
    wadi_run* run;
    WADI_TRY(wadi_session_restore(session, &session->layout, year, &run));
    const bool held = wadi_progress_hold(session->context, true);
    const wadi_result result = wadi_session_replay(session, run, year);
    (void)wadi_progress_hold(session->context, held);
    wadi_run_destroy(result == WADI_OK ? session->run : run);
    session->run = result == WADI_OK ? run : session->run;
    return result;
}

// The living run goes on. In its own course it keeps the years that it has run when it is stopped;
// another course brings it events of the present year only, and when one fails they all go.
static wadi_result way_go_on(wadi_session* session, session_way* way, double year, bool is_own)
{
    const double now = wadi_session_year(session);
    const int32_t position = wadi_run_position(session->run);
    wadi_session_leave_way(session);
    wadi_run_follow(session->run, way->layout.scene);
    const wadi_result result = wadi_session_replay(session, session->run, year);
    if (result == WADI_OK || is_own)
    {
        way->run = session->run;
        way_take(session, way);
        return result;
    }
    const bool moved = wadi_run_position(session->run) != position;
    wadi_run_follow(session->run, session->layout.scene);
    wadi_session_free_layout(session, &way->layout);
    WADI_TRY(moved ? way_back(session, now) : WADI_OK);
    return result;
}

wadi_result wadi_session_follow(wadi_session* session, const session_course* course, double year)
{
    const bool is_own = course == &session_version_of(session)->course;
    session_way way = {0};
    WADI_TRY(wadi_session_lay_out(session, course, year, 0.0, &way.layout));
    const session_way living = {session->run, session->layout};
    const bool stays = is_own || session_is_past(session, year, wadi_session_year(session));
    if (stays && way_fits(session, &living, &way.layout, year))
    {
        return way_go_on(session, &way, year, is_own);
    }
    WADI_TRY(wadi_session_go(session, &way, year, year));
    way_take(session, &way);
    return WADI_OK;
}

// Does the running tick begin at a snapshot? Edits may lie between them.
static bool way_begins_at(const wadi_session* session, const session_snapshot* snapshot)
{
    bool begins = snapshot != NULL;
    for (int32_t i = begins ? snapshot->position : 0; begins && i < session->run->position; ++i)
    {
        const wadi_step* step = wadi_scene_step(session->run->scene, i);
        begins = step->kind == WADI_STEP_EDIT || step->process.overlaps;
    }
    return begins;
}

wadi_result wadi_session_leave_tick(wadi_session* session)
{
    if (!wadi_session_is_within(session))
    {
        return WADI_OK;
    }
    const session_snapshot* snapshot = wadi_session_latest(session);
    WADI_CHECK(session->context, way_begins_at(session, snapshot), WADI_ERROR_STATE,
               "no snapshot was kept at the beginning of this tick; end it by "
               "wadi_session_advance(session, 0)");
    return way_back(session, snapshot->year);
}
