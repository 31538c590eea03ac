// SPDX-License-Identifier: MIT
// What the steps of a run in windows read from files, before the first of them runs: each window
// checks its part of maps, and window 0 tables, meshes and grains.
#include "cli/run_windows_job.h"

// Files that are read again when the step begins.
static wadi_result values_read_bodies(windows_job* job, const wadi_scene_process* process)
{
    wadi_result result = WADI_OK;
    for (int32_t i = 0; i < process->body_count && result == WADI_OK; ++i)
    {
        const wadi_scene_body* body = &process->bodies[i];
        wadi_mesh mesh;
        result = body->mesh != NULL
                     ? wadi_io_scene_mesh(&job->open.files, body->mesh, body->z_is_up, &mesh)
                     : WADI_OK;
    }
    if (process->grains != NULL && result == WADI_OK)
    {
        wadi_bodies bodies;
        result =
            wadi_io_scene_grains(&job->open.files, process->grains, process->body_count, &bodies);
    }
    wadi_io_scene_files_forget(&job->open.files);
    return result;
}

static wadi_result values_check_bodies(const windows_window* window, const wadi_step* step)
{
    windows_job* job = window->job;
    const wadi_result result = values_read_bodies(job, &step->process);
    return result == WADI_OK
               ? WADI_OK
               : wadi_context_fail(window->part.context, result, "%s: %s: %s", step->origin,
                                   wadi_step_name(step), wadi_error_detail(job->session.context));
}

// No window begins a step before all have checked.
static wadi_result values_wait(const windows_window* window)
{
    const wadi_partition* part = wadi_context_partition(window->part.context);
    int64_t none = 0;
    return part->sum(&none, 1, part->user)
               ? WADI_OK
               : wadi_context_fail(window->part.context, WADI_ERROR_CANCELLED,
                                   "another window failed");
}

wadi_result cli_windows_check_values(windows_window* window)
{
    const wadi_scene* scene = wadi_run_scene(window->run);
    wadi_result result = wadi_run_check(window->run);
    const int32_t first = window->index == 0 ? wadi_run_position(window->run) : INT32_MAX;
    for (int32_t i = first; i < wadi_scene_step_count(scene) && result == WADI_OK; ++i)
    {
        const wadi_step* step = wadi_scene_step(scene, i);
        result = step->kind == WADI_STEP_PROCESS ? values_check_bodies(window, step) : WADI_OK;
    }
    return result == WADI_OK ? values_wait(window) : result;
}
