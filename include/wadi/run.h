// SPDX-License-Identifier: MIT
/// \file run.h
/// A run executes a scene, from the construction of its terrain to its last step.
#pragma once

#include <wadi/scene.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct wadi_run wadi_run;

/// A georeferenced grid of square cells.
typedef struct wadi_frame
{
    int32_t width;    ///< [cells]
    int32_t height;   ///< [cells]
    double cell_size; ///< [m]
    wadi_georef georef;
    /// In a window of a grid (window.h): its place; width and height are then those of the window
    /// with its halo, and the georeference that of the whole grid. NULL: the whole grid.
    const wadi_partition* window;
} wadi_frame;

/// Hooks of the program that executes a run. A hook may fail with any result and should then report
/// the cause by wadi_context_fail(). Scenes that need a hook that is NULL fail.
typedef struct wadi_host
{
    /// The grid of a file. Its pointers must be valid until wadi_run_create() returns.
    wadi_result (*frame)(void* user, const wadi_source* source, wadi_frame* out);
    /// The side of the file's map beyond which each cell of `frame` lies, `width x height` values
    /// of wadi_side, WADI_SIDE_VOID for cells on the map; see wadi_terrain_set_void_sides(). Called
    /// after \p frame for a terrain with void cells. NULL: all voids are holes.
    wadi_result (*void_sides)(void* user, const wadi_source* source, const wadi_frame* frame,
                              uint8_t* out);
    /// Values of a file on the grid `frame`, `width x height` floats, NaN where there is no data.
    wadi_result (*read)(void* user, const wadi_source* source, const wadi_frame* frame, float* out);
    /// Rows of a table in a file, one after the other. Writes at most \p capacity rows to \p out
    /// and sets *rows to the number of rows.
    wadi_result (*table)(void* user, const char* file, const wadi_table_info* table, double* out,
                         int32_t capacity, int32_t* rows);
    /// A closed mesh. Its pointers must be valid until the step has ended.
    wadi_result (*mesh)(void* user, const char* file, bool z_is_up, wadi_mesh* out);
    /// Grains in `bodies` bodies, as bodies->grains, strengths and grain_count. The pointers must
    /// be valid until the step has ended.
    wadi_result (*grains)(void* user, const char* file, int32_t bodies, wadi_bodies* out);
    /// Write a frame of a running process, for the `index`-th series of its step.
    wadi_result (*frame_of)(void* user, wadi_run* run, const wadi_scene_process* step,
                            int32_t index);
    /// Called after each coupling step of a process with grains, in steps without series, so that a
    /// program can show them on their way: as wadi_watch, whose rules hold. NULL: nothing is shown.
    wadi_result (*watch)(void* user, wadi_solver* solver, double seconds);
    /// Write an output.
    wadi_result (*output)(void* user, wadi_run* run, const wadi_output* output);
    void* user;
} wadi_host;

/// The grid of a scene's terrain, without the terrain: its size, so that it can be cut into
/// windows. Of the hooks only \p frame is called.
WADI_API wadi_result wadi_scene_frame(const wadi_scene* scene, const wadi_host* host,
                                      wadi_frame* out);

/// Fail unless every step of a scene runs in windows of a grid; the message names the first step
/// that does not, and the reason.
WADI_API wadi_result wadi_scene_check_windows(const wadi_scene* scene);

/// Fail unless every step of a scene also runs on a part of its grid alone, by
/// wadi_windows_alone(): without goals, and without processes that are one event of the whole grid.
WADI_API wadi_result wadi_scene_check_alone(const wadi_scene* scene);

/// Create a run and build its terrain. The scene and the host's user data must outlive the run. On
/// failure *out is NULL.
WADI_API wadi_result wadi_run_create(const wadi_scene* scene, const wadi_host* host,
                                     wadi_run** out);
WADI_API void wadi_run_destroy(wadi_run* run); ///< NULL is allowed.

/// Read every map and table that the steps to come will need from files, and check their values and
/// the years of the clock, so that no run fails over them late. Changes nothing. Meshes and grains
/// are left to the host. In windows of a grid all of them call it: each checks the cells that it
/// holds, and the first one tables.
WADI_API wadi_result wadi_run_check(wadi_run* run);

/// Execute the next step. If the context's progress hook stops a process, this fails with
/// WADI_ERROR_CANCELLED; later processes, edits and checkpoints are skipped, and other outputs show
/// the state so far. wadi_run_resume() goes on where the process was stopped. After another failure
/// the next call tries the same step again.
WADI_API wadi_result wadi_run_next(wadi_run* run);
/// Go past the next step without its work, but for edits, which are applied: to try the steps of a
/// scene one by one, as for an estimate of time. An edit that fails, as one whose mask is a map of
/// a process that did not run, is passed too.
WADI_API wadi_result wadi_run_skip(wadi_run* run);
/// A new solver of the next step, a process without bodies, with the step's maps and tables, on the
/// run's terrain, which it may change: for such a trial. The caller destroys it. On failure *out is
/// NULL.
WADI_API wadi_result wadi_run_trial(wadi_run* run, wadi_solver** out);
WADI_API bool wadi_run_is_done(const wadi_run* run);
WADI_API int32_t wadi_run_position(const wadi_run* run); ///< index of the next step

/// Stop before the next step, as if a process had been stopped there.
WADI_API void wadi_run_cancel(wadi_run* run);
/// Go on with the step in which the run was stopped: the rest of its years, and all later steps.
/// The result has the same bits as that of a run that was never stopped, unless a model of
/// docs/checkpoints.md is stopped inside one of its steps. A run that was not stopped is as it was.
WADI_API void wadi_run_resume(wadi_run* run);

/// Write the state of the run: terrain, solvers, position, years that wait. Possible between steps,
/// also after a stop, and within the hook `output`, whose step then counts as done. The scene is
/// not in it: save its text beside it. The format is that of archive.h, several archives in a row.
WADI_API wadi_result wadi_run_save(const wadi_run* run, wadi_write_fn* write, void* user);
/// Create a run from what wadi_run_save() wrote; it goes on as wadi_run_resume() does. The scene
/// must have the same steps up to the saved position; the host is needed by later steps only. Fails
/// with WADI_ERROR_FORMAT when the bytes are damaged, of another version or of another scene, and
/// with WADI_ERROR_UNKNOWN when a process is not registered. On failure *out is NULL.
WADI_API wadi_result wadi_run_load(const wadi_scene* scene, const wadi_host* host,
                                   wadi_read_fn* read, void* user, wadi_run** out);

WADI_API const wadi_scene* wadi_run_scene(const wadi_run* run);
WADI_API wadi_terrain* wadi_run_terrain(wadi_run* run);
/// 64-bit hash of the terrain and of all living solvers.
WADI_API uint64_t wadi_run_hash(const wadi_run* run);
/// The solver of the latest step of a process, or NULL if it has not run. It is valid until the
/// process is started again.
WADI_API wadi_solver* wadi_run_solver(wadi_run* run, const wadi_process* process);

/// What the latest step with a goal has reached; all zero before one has begun.
WADI_API wadi_goal_course wadi_run_course(const wadi_run* run);

/// The window of an output of kind WADI_OUTPUT_AMPLIFY for the current year, with the winds of its
/// table.
WADI_API wadi_result wadi_run_window(wadi_run* run, const wadi_output* output,
                                     wadi_amplify_params* out);

/// The rows of an output's gradient, WADI_OUTPUT_WRITE; give them back with wadi_free(). Fails if
/// wadi_gradient_check() does.
WADI_API wadi_result wadi_run_gradient(wadi_run* run, const wadi_output* output, double** rows,
                                       int32_t* count);

/// True if all processes whose maps an output shows have run; a cancelled run skips the others.
WADI_API bool wadi_run_can_show(wadi_run* run, const wadi_output* output);

/// Weights of an output with `splat`, one map of `width x height` floats after the other, from 0
/// to 1. Noise in them is that of the scene's seed and the channel.
WADI_API wadi_result wadi_run_splat(wadi_run* run, const wadi_output* output, float* out);

/// Current values of a quantity, `width x height` floats; NaN where there is no data.
WADI_API wadi_result wadi_run_quantity(wadi_run* run, const wadi_quantity* quantity, float* out);

/// Values of a source on the run's terrain, `width x height` floats, its strokes included; NaN
/// where there is no data. Noise has the seed that an input map of the next step would have.
WADI_API wadi_result wadi_run_source(wadi_run* run, const wadi_source* source, float* out);

#ifdef __cplusplus
}
#endif
