// SPDX-License-Identifier: MIT
/// \file window.h
/// A grid in windows: several parts of one terrain in one process, with the same bits as the whole
/// grid. Each window has a context of its own, whose terrains hold the window's cells and a halo
/// (partition.h); all windows run the same function:
///
///     wadi_result live(wadi_context* window, int32_t index, void* user)
///     {
///         // create a terrain of the size of the whole grid, fill it, run solvers on it
///     }
///     wadi_windows_def def = wadi_windows_def_default();
///     def.width = 2048; def.height = 2048; def.columns = 4; def.rows = 4;
///     wadi_windows_run(context, &def, live, NULL);
///
/// In a window wadi_terrain_width() and _height(), views and layers are those of the window with
/// its halo; wadi_terrain_hash(), _ledger(), _volume(), _valid_count(), _save() and the same of
/// solvers are those of the whole grid, and all windows must call them. Models with the trait
/// WADI_MODEL_GATHERS, as those of water, wind and waves, run on the whole grid in the first
/// window, which needs the memory for it. Processes without windows fail in wadi_solver_create()
/// with a message that says why; see wadi_process_windows().
#pragma once

#include <wadi/process.h>
#include <wadi/terrain.h>

#ifdef __cplusplus
extern "C"
{
#endif

/// Cells of the halo. Slides exchange it once for every second cell: a wide halo has fewer
/// exchanges and computes more cells twice.
#define WADI_WINDOW_LEAST_HALO 4
#define WADI_WINDOW_MOST_HALO 60

/// How to cut a grid into windows. Start from wadi_windows_def_default().
typedef struct wadi_windows_def
{
    uint32_t cookie;    ///< Set by wadi_windows_def_default(). Do not touch.
    int32_t width;      ///< of the whole grid [cells], 1..65536
    int32_t height;     ///< [cells], 1..65536
    wadi_edge edges[4]; ///< of the whole grid, by wadi_side. Default: open.
    int32_t columns;    ///< windows from west to east, each at least WADI_PARTITION_TILE cells wide
    int32_t rows;       ///< windows from north to south, likewise
    int32_t halo;       ///< [cells], WADI_WINDOW_LEAST_HALO..WADI_WINDOW_MOST_HALO. Default 4.
    /// False: all windows run at once, each on a thread of its own and with the executor of
    /// `context` below. True: one window runs at a time, and uses all threads of the caller's
    /// context.
    bool in_turn;

    /// Of each window; its partition is filled in. Default: one thread. Hooks are called on the
    /// threads of the windows, at once if these run at once; a stop that one hook asks for stops
    /// all windows between two steps.
    wadi_context_def context;
    /// For windows in turn whose memory comes and goes with the turn, such as in files; NULL: none.
    /// The allocator of a window, in place of the one of `context`.
    wadi_allocator (*memory)(int32_t index, void* user);
    /// Called on the window's thread before it works with its memory, and after.
    void (*enter)(int32_t index, void* user);
    void (*leave)(int32_t index, void* user);
    void* user;
} wadi_windows_def;

WADI_API wadi_windows_def wadi_windows_def_default(void);

/// What a window does. \p user is the argument of wadi_windows_run().
typedef wadi_result wadi_window_fn(wadi_context* window, int32_t index, void* user);

/// Run \p fn in all windows and return when all have returned. When a window fails, the others fail
/// at their next exchange, and the first failure is returned with its message in \p context.
/// WADI_ERROR_RANGE for a cut that the grid does not allow, WADI_ERROR_STATE in a build without
/// threads.
WADI_API wadi_result wadi_windows_run(wadi_context* context, const wadi_windows_def* def,
                                      wadi_window_fn* fn, void* user);

/// The partition of window \p index, without callbacks: which cells it owns, and its halo.
WADI_API wadi_result wadi_windows_partition(wadi_context* context, const wadi_windows_def* def,
                                            int32_t index, wadi_partition* out);

/// Pass over the next \p size bytes of a saved state, as if they had been read. They may lie beyond
/// its end; then the next read must fail.
typedef wadi_result wadi_skip_fn(void* user, uint64_t size);
/// Let the windows of a context read the saved states that \p read reads once together, by the
/// blocks of archive.h: a window reads some rows of each layer for all, which send cells to each
/// other, and passes over other blocks by \p skip, whose `user` is that of \p read. Each block is
/// checked by the windows that read it, and by one at least. Without it, and on the whole grid, all
/// is read. In windows, all of them load a state at once. NULL, NULL: no longer.
WADI_API void wadi_context_set_skip(wadi_context* context, wadi_read_fn* read, wadi_skip_fn* skip);

/// What is done between two steps of a process. A failure ends the advance.
typedef wadi_result wadi_between_fn(void* user);
/// Call \p fn between two steps of a process with steps of its own, within wadi_solver_advance()
/// and all that calls it, and between two checks of wadi_solver_pursue(): all windows at the same
/// place. There a run can be saved by wadi_run_save(), as one that was stopped there; nothing may
/// change. NULL: nothing is called.
WADI_API void wadi_context_set_between(wadi_context* context, wadi_between_fn* fn, void* user);

/// A part of a grid that is computed alone: the cells of columns \p x to x + width and rows \p y to
/// y + height of the grid of \p def, of which nothing but size and edges is read. Give the result
/// to a context (wadi_context_def::partition): terrains in it are of the size of the whole grid,
/// and hold the part. Heights of noise, places and random numbers of talus, soil and uplift are
/// those of the whole grid; all other models run on the part as on a grid of its own. The part ends
/// at open edges, so what the rest of the grid would send is missing, and what leaves is gone: give
/// it a margin, and use what lies within. Over periodic edges \p x and \p y may be negative, and
/// the part may reach beyond the grid; elsewhere it is cut off at the edges. The part has at most
/// the size of the grid. Noise takes its range from at most 1024 x 1024 cells of the whole grid.
/// wadi_terrain hashes and saved states are of no use in a part. WADI_ERROR_RANGE for a part beyond
/// the grid.
WADI_API wadi_result wadi_windows_alone(wadi_context* context, const wadi_windows_def* def,
                                        int32_t x, int32_t y, int32_t width, int32_t height,
                                        wadi_partition* out);

/// Why a model of a process cannot run in windows; NULL if it can.
WADI_API const char* wadi_process_windows(const wadi_process* process, const wadi_model* model);

#ifdef __cplusplus
}
#endif
