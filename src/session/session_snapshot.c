// SPDX-License-Identifier: MIT
// Snapshots: saved runs, packed, each with the hash of the steps that led to it.
#include "session/session_internal.h"

#include "core/archive.h"

#include <string.h>

static void snapshot_drop(wadi_session* session, int32_t index)
{
    session->snapshot_bytes -=
        wadi_session_free_packed(session->context, &session->snapshots[index].packed);
    session->snapshot_count -= 1;
    memmove(&session->snapshots[index], &session->snapshots[index + 1],
            (size_t)(session->snapshot_count - index) * sizeof *session->snapshots);
}

// Every second one goes, from the oldest on; the first, which is the beginning, and the latest
// stay.
static void snapshot_thin(wadi_session* session)
{
    while (session->snapshot_bytes > session->snapshot_limit && session->snapshot_count > 2)
    {
        for (int32_t i = 1;
             session->snapshot_bytes > session->snapshot_limit && i < session->snapshot_count - 1;
             ++i)
        {
            snapshot_drop(session, i);
        }
    }
}

static bool snapshot_exists(const wadi_session* session, int32_t position, uint64_t hash)
{
    bool exists = false;
    for (int32_t i = 0; i < session->snapshot_count; ++i)
    {
        exists = exists ||
                 (session->snapshots[i].position == position && session->snapshots[i].hash == hash);
    }
    return exists;
}

static wadi_result snapshot_make(wadi_session* session, session_snapshot* out)
{
    if (session->packer == NULL)
    {
        WADI_ALLOC(session->context, session->packer, 1, "a snapshot");
        session->packer->context = session->context;
        session->packer->row = wadi_terrain_width(wadi_run_terrain(session->run));
    }
    const int32_t last = session->snapshot_count - 1;
    wadi_session_pack(session->packer, last >= 0 ? &session->snapshots[last].packed : NULL,
                      &out->packed);
    const bool before = wadi_archive_bare(session->context, true);
    wadi_result result = wadi_run_save(session->run, wadi_session_pack_write, session->packer);
    (void)wadi_archive_bare(session->context, before);
    result = result == WADI_OK ? wadi_session_pack_end(session->packer) : result;
    if (result != WADI_OK)
    {
        (void)wadi_session_free_packed(session->context, &out->packed);
    }
    return result;
}

wadi_result wadi_session_keep(wadi_session* session)
{
    WADI_CHECK(session->context, !wadi_session_is_within(session), WADI_ERROR_STATE,
               "the world is in the midst of a tick; end it by wadi_session_advance(session, 0)");
    const int32_t position = wadi_run_position(session->run);
    const uint64_t hash = session->layout.hashes[position];
    if (snapshot_exists(session, position, hash))
    {
        return WADI_OK;
    }
    WADI_GROW(session->context, session->snapshots, session->snapshot_count, session->snapshot_room,
              16, "a snapshot");
    session_snapshot snapshot = {position, hash, wadi_session_year(session), {0}};
    WADI_TRY(snapshot_make(session, &snapshot));
    session->snapshots[session->snapshot_count++] = snapshot;
    session->snapshot_bytes += snapshot.packed.own;
    snapshot_thin(session);
    return WADI_OK;
}

static bool snapshot_fits(const session_layout* layout, const session_snapshot* snapshot)
{
    return snapshot->position <= layout->scene->step_count &&
           layout->hashes[snapshot->position] == snapshot->hash;
}

// The latest snapshot that fits, not behind a year; that of the beginning always does.
static const session_snapshot* snapshot_best(const wadi_session* session,
                                             const session_layout* layout, double year)
{
    const session_snapshot* best = &session->snapshots[0];
    for (int32_t i = 1; i < session->snapshot_count; ++i)
    {
        const session_snapshot* other = &session->snapshots[i];
        if (session_is_past(session, other->year, year) && other->position > best->position &&
            snapshot_fits(layout, other))
        {
            best = other;
        }
    }
    return best;
}

static wadi_result snapshot_open(wadi_session* session, const session_layout* layout,
                                 const session_snapshot* snapshot, wadi_run** out)
{
    session_opener* opener;
    WADI_ALLOC(session->context, opener, 1, "a snapshot");
    opener->context = session->context;
    opener->packed = &snapshot->packed;
    opener->row = session->packer->row;
    const bool before = wadi_archive_bare(session->context, true);
    const wadi_result result =
        wadi_run_load(layout->scene, session->host, wadi_session_open_read, opener, out);
    (void)wadi_archive_bare(session->context, before);
    wadi_free(session->context, opener);
    return result;
}

wadi_result wadi_session_restore(wadi_session* session, const session_layout* layout, double year,
                                 wadi_run** out)
{
    const session_snapshot* best = snapshot_best(session, layout, year);
    return snapshot_open(session, layout, best, out);
}

const session_snapshot* wadi_session_latest(const wadi_session* session)
{
    const session_snapshot* latest = NULL;
    for (int32_t i = 0; i < session->snapshot_count; ++i)
    {
        const session_snapshot* other = &session->snapshots[i];
        const bool behind = latest == NULL || other->position > latest->position;
        if (other->position <= session->run->position && behind &&
            snapshot_fits(&session->layout, other))
        {
            latest = other;
        }
    }
    return latest;
}

int32_t wadi_session_nearest(const wadi_session* session, const session_layout* layout, double year)
{
    return snapshot_best(session, layout, year)->position;
}

void wadi_session_free_snapshots(wadi_session* session)
{
    for (int32_t i = 0; i < session->snapshot_count; ++i)
    {
        (void)wadi_session_free_packed(session->context, &session->snapshots[i].packed);
    }
    wadi_free(session->context, session->snapshots);
    wadi_free(session->context, session->packer);
}

int32_t wadi_session_snapshot_count(const wadi_session* session)
{
    return session->snapshot_count;
}

int64_t wadi_session_snapshot_bytes(const wadi_session* session)
{
    return session->snapshot_bytes;
}

int32_t wadi_session_snapshot_years(const wadi_session* session, double* years, int32_t capacity)
{
    int32_t count = 0;
    for (int32_t i = 0; i < session->snapshot_count; ++i)
    {
        if (!snapshot_fits(&session->layout, &session->snapshots[i]))
        {
            continue;
        }
        int32_t at = count < capacity ? count : capacity;
        for (; at > 0 && years[at - 1] > session->snapshots[i].year; --at)
        {
            if (at < capacity)
            {
                years[at] = years[at - 1];
            }
        }
        if (at < capacity)
        {
            years[at] = session->snapshots[i].year;
        }
        count += 1;
    }
    return count;
}
