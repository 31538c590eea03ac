// SPDX-License-Identifier: MIT
// Snapshots: saved runs, packed, each with the hash of the steps that led to it.
#include "session/session_internal.h"

#include <string.h>

// A state being written, or read.
typedef struct snapshot_stream
{
    wadi_context* context;
    session_bytes bytes;
    size_t at;
} snapshot_stream;

static wadi_result snapshot_write(void* user, const void* bytes, size_t size)
{
    snapshot_stream* stream = user;
    if (!wadi_session_reserve(stream->context, &stream->bytes, size))
    {
        return wadi_fail_memory(stream->context, stream->bytes.size + size, "a snapshot");
    }
    memcpy(stream->bytes.data + stream->bytes.size, bytes, size);
    stream->bytes.size += size;
    return WADI_OK;
}

static wadi_result snapshot_read(void* user, void* bytes, size_t size)
{
    snapshot_stream* stream = user;
    WADI_CHECK(stream->context, size <= stream->bytes.size - stream->at, WADI_ERROR_FORMAT,
               "a snapshot ends too early");
    memcpy(bytes, stream->bytes.data + stream->at, size);
    stream->at += size;
    return WADI_OK;
}

static void snapshot_drop(wadi_session* session, int32_t index)
{
    session->snapshot_bytes -= (int64_t)session->snapshots[index].packed.size;
    wadi_free(session->context, session->snapshots[index].packed.data);
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
    snapshot_stream stream = {.context = session->context};
    const int32_t row = wadi_terrain_width(wadi_run_terrain(session->run));
    wadi_result result = wadi_run_save(session->run, snapshot_write, &stream);
    if (result == WADI_OK)
    {
        result = wadi_session_pack(session->context, stream.bytes.data, stream.bytes.size, row,
                                   &out->packed);
    }
    wadi_free(session->context, stream.bytes.data);
    if (result != WADI_OK)
    {
        wadi_free(session->context, out->packed.data);
        return result;
    }
    return wadi_session_trim(session->context, &out->packed);
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
    session->snapshot_bytes += (int64_t)snapshot.packed.size;
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
    snapshot_stream stream = {.context = session->context};
    const int32_t row = wadi_terrain_width(wadi_run_terrain(session->run));
    wadi_result result = wadi_session_unpack(session->context, snapshot->packed.data,
                                             snapshot->packed.size, row, &stream.bytes);
    if (result == WADI_OK)
    {
        result = wadi_run_load(layout->scene, session->host, snapshot_read, &stream, out);
    }
    wadi_free(session->context, stream.bytes.data);
    return result;
}

wadi_result wadi_session_restore(wadi_session* session, const session_layout* layout, double year,
                                 wadi_run** out)
{
    const session_snapshot* best = snapshot_best(session, layout, year);
    return snapshot_open(session, layout, best, out);
}

int32_t wadi_session_nearest(const wadi_session* session, const session_layout* layout, double year)
{
    return snapshot_best(session, layout, year)->position;
}

void wadi_session_free_snapshots(wadi_session* session)
{
    for (int32_t i = 0; i < session->snapshot_count; ++i)
    {
        wadi_free(session->context, session->snapshots[i].packed.data);
    }
    wadi_free(session->context, session->snapshots);
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
