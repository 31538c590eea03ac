// SPDX-License-Identifier: MIT
/// \file session.h
/// A session: a world that somebody plays with. Processes start, change and stop while it runs,
/// edits come in at any moment, and whatever was done can be undone, sought or branched off.
///
/// A session keeps the record of all commands, and that record is a timeline (scene.h): what was
/// done by hand gives the same bits when `wadi run` runs its record. To go back, the nearest
/// snapshot is restored and the record is replayed from there.
///
/// Commands take effect at the present year, which is always a multiple of the tick. A session does
/// no input or output; files that its scene or its commands name are read by the host's hooks.
#pragma once

#include <wadi/run.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct wadi_session wadi_session;

/// What a session starts from.
typedef struct wadi_session_def
{
    const wadi_scene* scene; ///< its terrain; it must outlive the session. Steps are not used.
    const wadi_host* host;   ///< must outlive the session
    double tick;             ///< coupling interval of the processes [yr], above 0
    int64_t snapshot_bytes;  ///< memory for snapshots, 0: 200 MB
} wadi_session_def;

/// Build the terrain of the scene. On failure *out is NULL.
WADI_API wadi_result wadi_session_create(const wadi_session_def* def, wadi_session** out);
WADI_API void wadi_session_destroy(wadi_session* session); ///< NULL is allowed.

// ---- the world ----------------------------------------------------------------------------------

/// The run of the session, to read layers, maps, solvers and the hash of the living world. It is
/// another one after each command and each call of this header that moves the clock back.
WADI_API wadi_run* wadi_session_run(wadi_session* session);
WADI_API double wadi_session_year(const wadi_session* session); ///< since the begin [yr]
WADI_API double wadi_session_tick(const wadi_session* session); ///< [yr]

/// Run \p ticks ticks. When the context's progress hook stops a process this fails with
/// WADI_ERROR_CANCELLED in the midst of a tick; the next call goes on there with the same bits.
/// Fails with WADI_ERROR_STATE when no process runs.
///
/// The hook may also stop a replay, of seek, undo, redo, move, remove, switch and end_hash: they
/// fail with WADI_ERROR_CANCELLED, nothing changes, and the same call goes on with the replay. Any
/// other call of these drops it.
WADI_API wadi_result wadi_session_advance(wadi_session* session, int32_t ticks);
/// True in the midst of a tick, where commands are refused: call wadi_session_advance(session, 0)
/// to end it.
WADI_API bool wadi_session_is_within(const wadi_session* session);
/// Go back to the beginning of the running tick. Fails with WADI_ERROR_STATE when no snapshot was
/// kept there (wadi_session_keep()). Between ticks it does nothing.
WADI_API wadi_result wadi_session_leave_tick(wadi_session* session);
/// Go to a year of the record, back or forth. The whole tick at or before it is reached. When it is
/// stopped on the way ahead, the world stays in the year that it has reached.
WADI_API wadi_result wadi_session_seek(wadi_session* session, double year);
/// Year that a stopped replay has reached; the present one if there is none [yr].
WADI_API double wadi_session_way_year(const wadi_session* session);
/// Drop a stopped replay.
WADI_API void wadi_session_leave_way(wadi_session* session);

// ---- commands -----------------------------------------------------------------------------------
// Each can be undone. A command that fails changes nothing. Commands behind an undo end what could
// be redone.

/// Start a process from now on, or give the running one other parameters, maps and tables. Only
/// `process`, `params`, `inputs` and `tables` of the step are used. A process that was stopped
/// begins again with what the step gives. Fails with WADI_ERROR_ARGUMENT for bodies of soil. What a
/// model alone can refuse, such as a file that is not there, fails with the next advance: take the
/// command back then.
WADI_API wadi_result wadi_session_start(wadi_session* session, const wadi_scene_process* step);
/// Let a process end with the next tick; then it lays down what it carries.
WADI_API wadi_result wadi_session_stop(wadi_session* session, const wadi_process* process);
/// Apply an edit. \p joins: it belongs to the command before, as a touch of a brush belongs to its
/// stroke, and is undone with it; refused after any other command, or in another year.
WADI_API wadi_result wadi_session_edit(wadi_session* session, const wadi_edit* edit, bool joins);
/// The same with several edits at once. If one of them fails, none is applied.
WADI_API wadi_result wadi_session_stroke(wadi_session* session, const wadi_edit* edits,
                                         int32_t count, bool joins);
/// Move the event \p index to another year, which is rounded to a tick, or take it away. The world
/// stays at its year, and is replayed when the event lies before it.
WADI_API wadi_result wadi_session_move(wadi_session* session, int32_t index, double year);
WADI_API wadi_result wadi_session_remove(wadi_session* session, int32_t index);

/// Make the last \p commands commands one, for a change that takes several: they are undone and
/// given again together, in the year of the first. Fails with WADI_ERROR_ARGUMENT if there are
/// fewer, and with WADI_ERROR_STATE behind an undo.
WADI_API wadi_result wadi_session_merge(wadi_session* session, int32_t commands);

/// Begin with a timeline: what it says happens as the clock goes on. A track that ends with the
/// timeline goes on instead. Its tick must be the session's, and its outputs are not used. It can
/// not be undone. Fails with WADI_ERROR_STATE after any other command.
WADI_API wadi_result wadi_session_plan(wadi_session* session, const wadi_timeline* timeline);

/// Take the last command back, and return to the year in which it was given. Fails with
/// WADI_ERROR_STATE when there is none.
WADI_API wadi_result wadi_session_undo(wadi_session* session);
/// Give it again.
WADI_API wadi_result wadi_session_redo(wadi_session* session);
WADI_API bool wadi_session_can_undo(const wadi_session* session);
WADI_API bool wadi_session_can_redo(const wadi_session* session);

// ---- the record ---------------------------------------------------------------------------------

/// The record of the present branch, with the present year as its end; every track without an end
/// of its own ends there. Its arrays are valid until the next call. No tracks: nothing has run.
WADI_API wadi_result wadi_session_record(wadi_session* session, wadi_timeline* out);
/// The same with all that is still to come: an end of 1e9 yr, tracks whose `until` is infinite
/// while they run, and events of years ahead.
WADI_API wadi_result wadi_session_plan_of(wadi_session* session, wadi_timeline* out);
/// Write the record as the part `timeline:` of a scene file, or `steps:` when nothing has run.
/// Behind the terrain of the session's scene it is a scene for `wadi run`.
WADI_API wadi_result wadi_session_write_record(wadi_session* session, wadi_write_fn* write,
                                               void* user);
/// Hash of the world at the end of the record: what `wadi run` prints. There the processes lay down
/// what they carry, so it differs from the hash of the living world, which goes on unchanged.
WADI_API wadi_result wadi_session_end_hash(wadi_session* session, uint64_t* hash);

// ---- branches -----------------------------------------------------------------------------------

/// Give what follows from here a name of its own. The present branch stays as it is, with its
/// year; commands now go to the new one. Fails with WADI_ERROR_ARGUMENT for a name that is taken,
/// empty or of WADI_NAME_LENGTH bytes or more. The first branch is named "main".
WADI_API wadi_result wadi_session_branch(wadi_session* session, const char* name);
/// Go on with a branch in the year in which it was left.
WADI_API wadi_result wadi_session_switch(wadi_session* session, const char* name);
WADI_API int32_t wadi_session_branch_count(const wadi_session* session);
WADI_API const char* wadi_session_branch_name(const wadi_session* session, int32_t index);
WADI_API const char* wadi_session_present_branch(const wadi_session* session);

// ---- snapshots ----------------------------------------------------------------------------------

/// Keep the present state. A snapshot is kept before each command anyway; call this in between, say
/// after each half second of work, so that no way back takes longer. When memory is short, every
/// second snapshot goes, the oldest first, so that gaps double backwards.
WADI_API wadi_result wadi_session_keep(wadi_session* session);
WADI_API int32_t wadi_session_snapshot_count(const wadi_session* session);
/// Years of the snapshots that are valid in the present branch, rising. Writes at most \p capacity
/// and returns their number.
WADI_API int32_t wadi_session_snapshot_years(const wadi_session* session, double* years,
                                             int32_t capacity);
WADI_API int64_t wadi_session_snapshot_bytes(const wadi_session* session);

// ---- tiles --------------------------------------------------------------------------------------

enum
{
    WADI_SESSION_TILE = 64 ///< cells of a side; tiles at the eastern and southern edge are smaller
};

/// A tile and the look in which its last change was seen; the first look is 1.
typedef struct wadi_session_tile
{
    int32_t x; ///< column of tiles
    int32_t y; ///< row of tiles, from the north
    uint32_t stamp;
} wadi_session_tile;

/// Look at the ground and stamp the tiles in which surface, loose matter, water, plants or hardness
/// changed since the last look. Returns the number of this look in *look.
WADI_API wadi_result wadi_session_look(wadi_session* session, uint32_t* look);
/// Tiles with a stamp above \p since, in rows from the north. Writes at most \p capacity and
/// returns their number.
WADI_API int32_t wadi_session_tiles(const wadi_session* session, uint32_t since,
                                    wadi_session_tile* out, int32_t capacity);

#ifdef __cplusplus
}
#endif
