// SPDX-License-Identifier: MIT
/// \file run.h
/// A run: a scene at work, from the making of its terrain to its last step.
#pragma once

#include <wadi/scene.h>

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct wadi_run wadi_run;

/// A grid in the world: square cells of `cell_size` metres.
typedef struct wadi_frame
{
    int32_t width;    ///< [cells]
    int32_t height;   ///< [cells]
    double cell_size; ///< [m]
    wadi_georef georef;
} wadi_frame;

/// What a run asks of its surroundings. Each hook may fail with any result and should then say
/// why through wadi_context_fail(). A NULL hook makes scenes that need it fail.
typedef struct wadi_host
{
    /// The grid that a file brings along. What it points to must live until the run is made.
    wadi_result (*frame)(void* user, const wadi_source* source, wadi_frame* out);
    /// Values of a file on that grid, `width x height` floats, NaN where there is no data.
    wadi_result (*read)(void* user, const wadi_source* source, const wadi_frame* frame, float* out);
    /// Numbers of a table in a file, a row after the other. Writes at most \p capacity rows to \p
    /// out and sets *rows to how many there are.
    wadi_result (*table)(void* user, const char* file, const wadi_table_info* table, double* out,
                         int32_t capacity, int32_t* rows);
    /// A closed mesh. What it points to must live until the run is done with the step.
    wadi_result (*mesh)(void* user, const char* file, bool z_is_up, wadi_mesh* out);
    /// Grains in `bodies` bodies, as bodies->grains, strengths and grain_count. What they point to
    /// must live until the run is done with the step.
    wadi_result (*grains)(void* user, const char* file, int32_t bodies, wadi_bodies* out);
    /// Leave a frame of a process at work: the `index`-th series of its step.
    wadi_result (*frame_of)(void* user, wadi_run* run, const wadi_scene_process* step,
                            int32_t index);
    /// Leave something behind.
    wadi_result (*output)(void* user, wadi_run* run, const wadi_output* output);
    void* user;
} wadi_host;

/// Make the scene's terrain. The scene and the host's user must outlive the run. On failure
/// *out is NULL.
WADI_API wadi_result wadi_run_create(const wadi_scene* scene, const wadi_host* host,
                                     wadi_run** out);
WADI_API void wadi_run_destroy(wadi_run* run); ///< NULL is allowed.

/// Do the next step. When the context's progress hook stops a process, this fails with
/// WADI_ERROR_CANCELLED; from then on processes and edits are passed over, and outputs show
/// what was done until then.
WADI_API wadi_result wadi_run_next(wadi_run* run);
WADI_API bool wadi_run_is_done(const wadi_run* run);
WADI_API int32_t wadi_run_position(const wadi_run* run); ///< index of the next step

WADI_API const wadi_scene* wadi_run_scene(const wadi_run* run);
WADI_API wadi_terrain* wadi_run_terrain(wadi_run* run);
/// The solver of the latest step of a process, or NULL when none has run yet. It lives until
/// the process runs again.
WADI_API wadi_solver* wadi_run_solver(wadi_run* run, const wadi_process* process);

/// The window of an output of kind WADI_OUTPUT_AMPLIFY, for the ground as it is now: with the winds
/// that its table has.
WADI_API wadi_result wadi_run_window(wadi_run* run, const wadi_output* output,
                                     wadi_amplify_params* out);

/// Values of a quantity now, `width x height` floats; NaN where there is no data.
WADI_API wadi_result wadi_run_quantity(wadi_run* run, const wadi_quantity* quantity, float* out);

#ifdef __cplusplus
}
#endif
