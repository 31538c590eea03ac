// SPDX-License-Identifier: MIT
// The life of a session: its world, its clock, and the way from one course to another.
#include "session/session_internal.h"

#include <math.h>

#define SESSION_SNAPSHOTS 200000000 // bytes, by default

static void session_free_branches(wadi_session* session)
{
    for (int32_t b = 0; b < session->branch_count; ++b)
    {
        session_branch* branch = session->branches[b];
        for (int32_t i = 0; i < branch->count; ++i)
        {
            wadi_session_free_course(session, &branch->versions[i].course);
        }
        wadi_free(session->context, branch->versions);
        wadi_free(session->context, branch);
    }
    wadi_free(session->context, session->branches);
}

void wadi_session_destroy(wadi_session* session)
{
    if (session == NULL)
    {
        return;
    }
    wadi_context* context = session->context;
    wadi_run_destroy(session->run);
    wadi_session_leave_way(session);
    wadi_session_free_snapshots(session);
    session_free_branches(session);
    wadi_session_free_layout(session, &session->layout);
    wadi_scene_destroy(session->keeper);
    wadi_free(context, session->tile_sums);
    wadi_free(context, session->tile_stamps);
    wadi_free(context, session->tracks);
    wadi_free(context, session->events);
    wadi_free(context, session);
}

// The world before the first command, and the snapshot to which every way back leads.
static wadi_result session_begin(wadi_session* session)
{
    WADI_TRY(wadi_scene_create(session->context, &session->keeper));
    WADI_TRY(wadi_session_branch(session, "main"));
    WADI_TRY(wadi_run_create(session->scene, session->host, &session->run));
    WADI_TRY(wadi_session_lay_out(session, &session_version_of(session)->course, 0.0, 0.0,
                                  &session->layout));
    wadi_run_follow(session->run, session->layout.scene);
    return wadi_session_keep(session);
}

wadi_result wadi_session_create(const wadi_session_def* def, wadi_session** out)
{
    *out = NULL;
    wadi_context* context = wadi_scene_context(def->scene);
    WADI_CHECK(context, def->tick > 0.0 && def->tick <= 1e6, WADI_ERROR_RANGE,
               "tick is %g yr but must lie in (0, 1e6] yr", def->tick);
    WADI_CHECK(context, def->snapshot_bytes >= 0, WADI_ERROR_RANGE,
               "snapshots may take %lld bytes; expected 0 or more", (long long)def->snapshot_bytes);
    wadi_session* session;
    WADI_ALLOC(context, session, 1, "a session");
    session->context = context;
    session->scene = def->scene;
    session->host = def->host;
    session->tick = def->tick;
    session->snapshot_limit = def->snapshot_bytes > 0 ? def->snapshot_bytes : SESSION_SNAPSHOTS;
    const wadi_result result = session_begin(session);
    if (result != WADI_OK)
    {
        wadi_session_destroy(session);
        return result;
    }
    *out = session;
    return WADI_OK;
}

wadi_run* wadi_session_run(wadi_session* session)
{
    return session->run;
}

// The clock sums up years; the year of a tick is its number times the tick, as in timelines.
static double session_round(const wadi_session* session, double year)
{
    return floor(year / session->tick + 0.5) * session->tick;
}

double wadi_session_year(const wadi_session* session)
{
    return session_round(session, wadi_terrain_clock(session->run->terrain));
}

double wadi_session_tick(const wadi_session* session)
{
    return session->tick;
}

bool wadi_session_is_within(const wadi_session* session)
{
    return wadi_run_is_within(session->run);
}

wadi_result wadi_session_check_border(const wadi_session* session)
{
    WADI_CHECK(session->context, !wadi_session_is_within(session), WADI_ERROR_STATE,
               "the world is in the midst of a tick; end it by wadi_session_advance(session, 0)");
    return WADI_OK;
}

// ---- the clock ----------------------------------------------------------------------------------

// Lay out more years when the end of the layout is near: its last interval would end processes.
static wadi_result session_look_ahead(wadi_session* session, double year)
{
    const session_layout* layout = &session->layout;
    WADI_CHECK(session->context, !session_is_past(session, layout->covered, year), WADI_ERROR_STATE,
               "no process runs from %g yr on; start one", year);
    const bool near = layout->horizon - year < 2.5 * session->tick;
    return near && !session_is_past(session, layout->covered, layout->horizon)
               ? wadi_session_follow(session, &session_version_of(session)->course, year)
               : WADI_OK;
}

wadi_result wadi_session_advance(wadi_session* session, int32_t ticks)
{
    WADI_CHECK(session->context, ticks >= 0, WADI_ERROR_RANGE, "%d ticks; expected 0 or more",
               ticks);
    if (wadi_session_is_within(session))
    {
        WADI_TRY(wadi_session_replay(session, session->run, wadi_session_year(session)));
        ticks -= ticks > 0 ? 1 : 0;
    }
    for (int32_t i = 0; i < ticks; ++i)
    {
        const double year = wadi_session_year(session);
        WADI_TRY(session_look_ahead(session, year));
        WADI_TRY(wadi_session_replay(session, session->run, year + session->tick));
    }
    return WADI_OK;
}

// A tick that runs on the way ahead goes on; otherwise it is left.
wadi_result wadi_session_seek(wadi_session* session, double year)
{
    WADI_CHECK(session->context, year >= 0.0 && year <= 1e9, WADI_ERROR_RANGE,
               "year %g must lie in [0, 1e9]", year);
    WADI_TRY(wadi_session_is_within(session) ? WADI_OK : wadi_session_keep(session));
    const double goal = floor(year / session->tick + SESSION_SLACK) * session->tick;
    WADI_TRY(wadi_session_follow(session, &session_version_of(session)->course,
                                 goal < session->layout.covered ? goal : session->layout.covered));
    WADI_CHECK(session->context, session_is_past(session, goal, wadi_session_year(session)),
               WADI_ERROR_STATE, "no process runs from %g yr on; start one",
               wadi_session_year(session));
    return WADI_OK;
}

// The world in which each process lays down what it carries lives beside the present one.
wadi_result wadi_session_end_hash(wadi_session* session, uint64_t* hash)
{
    WADI_TRY(wadi_session_check_border(session));
    const double year = wadi_session_year(session);
    *hash = wadi_run_hash(session->run);
    if (year == 0.0)
    {
        return WADI_OK;
    }
    session_way end = {0};
    *hash = 0;
    WADI_TRY(wadi_session_lay_out(session, &session_version_of(session)->course, year, year,
                                  &end.layout));
    WADI_TRY(wadi_session_go(session, &end, year, 2.0 * year));
    *hash = wadi_run_hash(end.run);
    wadi_session_free_way(session, &end);
    return WADI_OK;
}
