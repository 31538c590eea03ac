// SPDX-License-Identifier: MIT
// Members of a session, for src/session only.
#pragma once

#include <wadi/session.h>

#include "scene/scene_internal.h"
#include "session/session_pack.h"

enum
{
    SESSION_AHEAD = 256 // ticks that are laid out beyond the present year
};

// The processes and events of a world so far, and those to come. It never changes: each command
// makes another one. What it points to belongs to the session's keeper.
typedef struct session_course
{
    const wadi_track** tracks; // `until` is infinite while the process runs
    int32_t track_count;
    const wadi_event** events; // in order of time
    int32_t event_count;
} session_course;

// A course and the command that made it.
typedef struct session_version
{
    session_course course;
    double year;  // in which the command was given
    bool is_edit; // further touches may join it
} session_version;

// A branch: versions of its course, of which those behind `present` can be redone.
typedef struct session_branch
{
    char name[WADI_NAME_LENGTH];
    session_version* versions;
    int64_t room;
    int32_t count;
    int32_t present;
    double year; // in which it was left
} session_branch;

// A course as steps, up to a horizon. Two layouts with equal hashes at a position have led to the
// same state there.
typedef struct session_layout
{
    wadi_scene* scene;
    uint64_t* hashes; // before each step, and behind the last
    double covered;   // year up to which processes run
    double horizon;   // year at which the layout ends
} session_layout;

// A run on its way to a year of a layout.
typedef struct session_way
{
    wadi_run* run; // NULL: none
    session_layout layout;
} session_way;

typedef struct session_snapshot
{
    int32_t position; // steps done
    uint64_t hash;    // of these steps
    double year;
    session_packed packed;
} session_snapshot;

struct wadi_session
{
    wadi_context* context;
    const wadi_scene* scene;
    const wadi_host* host;
    double tick;
    int64_t snapshot_limit;

    wadi_scene* keeper; // owns what commands point to
    uint32_t commands;  // so far; each part of a course is named by its command
    session_branch** branches;
    int64_t branch_room;
    int32_t branch_count;
    int32_t branch;

    wadi_run* run;
    session_layout layout;
    session_way way; // a replay that was stopped

    session_snapshot* snapshots; // in the order in which they were made
    int64_t snapshot_room;
    int32_t snapshot_count;
    int64_t snapshot_bytes;
    session_packer* packer; // made for the first of them

    int32_t tile_columns;
    int32_t tile_rows;
    uint64_t* tile_sums; // checksum of each tile at the last look
    uint32_t* tile_stamps;
    uint32_t looks;

    wadi_track* tracks; // of the latest record
    wadi_event* events;
};

// Times closer than this share of a tick are equal.
#define SESSION_SLACK 1e-6

static inline session_branch* session_present(const wadi_session* session)
{
    return session->branches[session->branch];
}

static inline const session_version* session_version_of(const wadi_session* session)
{
    const session_branch* branch = session_present(session);
    return &branch->versions[branch->present];
}

static inline bool session_is_past(const wadi_session* session, double year, double now)
{
    return year <= now + SESSION_SLACK * session->tick;
}

// ---- session_course.c ---------------------------------------------------------------------------

// Copy a course with room for one track and some events more.
wadi_result wadi_session_copy_course(wadi_session* session, const session_course* from,
                                     int32_t events, session_course* out);
void wadi_session_free_course(wadi_session* session, session_course* course);
// Put an event behind those of its year and before; copied.
wadi_result wadi_session_add_event(wadi_session* session, session_course* course,
                                   const wadi_event* event);
wadi_result wadi_session_add_track(wadi_session* session, session_course* course,
                                   const wadi_track* track);
// Index of the track of a process that runs at a year or, if there is none, of the next one to
// come; -1 if there is none either.
int32_t wadi_session_find_track(const wadi_session* session, const session_course* course,
                                const wadi_process* process, double year);

// ---- session_layout.c ---------------------------------------------------------------------------

// Lay out a course; `end` is its last year, or 0: as far ahead of `year` as SESSION_AHEAD says.
wadi_result wadi_session_lay_out(wadi_session* session, const session_course* course, double year,
                                 double end, session_layout* out);
void wadi_session_free_layout(wadi_session* session, session_layout* layout);
// Tracks and events up to a year as a timeline that ends there. The arrays are the caller's.
wadi_result wadi_session_timeline(wadi_session* session, const session_course* course, double end,
                                  wadi_track** tracks, wadi_event** events, wadi_timeline* out);

// ---- session_snapshot.c -------------------------------------------------------------------------

// A run from the latest snapshot that is valid in a layout and not behind a year.
wadi_result wadi_session_restore(wadi_session* session, const session_layout* layout, double year,
                                 wadi_run** out);
// Number of steps that it has done.
int32_t wadi_session_nearest(const wadi_session* session, const session_layout* layout,
                             double year);
void wadi_session_free_snapshots(wadi_session* session);

// The latest snapshot on the way of the living run; NULL: none.
const session_snapshot* wadi_session_latest(const wadi_session* session);

// ---- session_way.c ------------------------------------------------------------------------------

// Take another course, in the same year or in another one. On failure nothing changes. A replay
// that is stopped fails with WADI_ERROR_CANCELLED, and the same call goes on with it.
wadi_result wadi_session_follow(wadi_session* session, const session_course* course, double year);
// Run all steps up to a year, and the events of that year.
wadi_result wadi_session_replay(const wadi_session* session, wadi_run* run, double year);
// Make the run of a way: replay its layout from the snapshot nearest to one year up to another one.
// On failure the way is freed, or put aside if the replay was stopped.
wadi_result wadi_session_go(wadi_session* session, session_way* way, double near, double year);
void wadi_session_free_way(wadi_session* session, session_way* way);

// ---- session_life.c -----------------------------------------------------------------------------

wadi_result wadi_session_check_border(const wadi_session* session);
