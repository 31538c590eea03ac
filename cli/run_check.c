// SPDX-License-Identifier: MIT
#include "cli/run_check.h"

#include "cli/output.h"

#include <stdio.h>
#include <string.h>

enum
{
    CHECK_TRIALS = 16 // processes that are tried
};
#define CHECK_TRIAL_S 0.25

// ---- files --------------------------------------------------------------------------------------

static cli_status check_at(const cli_run_job* job, const wadi_step* step, wadi_result result)
{
    const char* detail = wadi_error_detail(job->session.context);
    return result == WADI_OK
               ? CLI_DONE
               : cli_fail(CLI_FAILED, "%s: %s: %s", step->origin, wadi_step_name(step), detail);
}

// Meshes and grains of a step; they are read again when it begins.
static cli_status check_bodies(cli_run_job* job, const wadi_step* step)
{
    const wadi_scene_process* process = &step->process;
    wadi_result result = WADI_OK;
    for (int32_t i = 0; i < process->body_count && result == WADI_OK; ++i)
    {
        wadi_mesh mesh;
        const wadi_scene_body* body = &process->bodies[i];
        if (body->mesh != NULL)
        {
            result = wadi_io_scene_mesh(&job->files, body->mesh, body->z_is_up, &mesh);
        }
    }
    if (process->grains != NULL && result == WADI_OK)
    {
        wadi_bodies bodies;
        result = wadi_io_scene_grains(&job->files, process->grains, process->body_count, &bodies);
    }
    wadi_io_scene_files_forget(&job->files);
    return check_at(job, step, result);
}

cli_status cli_run_check_files(cli_run_job* job)
{
    wadi_context* context = job->session.context;
    const wadi_result result = wadi_run_check(job->run);
    CLI_TRY(result == WADI_ERROR_ARGUMENT || result == WADI_ERROR_RANGE
                ? cli_check_usage(context, result)
                : cli_check(context, result));
    for (int32_t i = wadi_run_position(job->run); i < wadi_scene_step_count(job->scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(job->scene, i);
        if (step->kind == WADI_STEP_PROCESS)
        {
            CLI_TRY(check_bodies(job, step));
        }
    }
    for (int32_t i = 0; i < job->files.used_count; ++i)
    {
        CLI_TRY(cli_run_outputs_check_input(&job->outputs, job->scene, job->files.used[i]));
    }
    return CLI_DONE;
}

// ---- the estimate -------------------------------------------------------------------------------

// Years that the steps of a process run from step `first` on, until another solver begins.
static double check_years(const cli_run_job* job, int32_t first)
{
    const wadi_process* process = wadi_scene_step(job->scene, first)->process.process;
    double years = 0.0;
    for (int32_t i = first; i < wadi_scene_step_count(job->scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(job->scene, i);
        if (step->kind == WADI_STEP_PROCESS && step->process.process == process)
        {
            if (i > first && !step->process.goes_on)
            {
                break;
            }
            years += step->process.years;
        }
    }
    return years;
}

// Run a solver until CHECK_TRIAL_S have passed; *seconds is what all of the years would take.
static wadi_result check_time(cli_run_job* job, wadi_solver* solver, double interval, double years,
                              double* seconds)
{
    cli_session* session = &job->session;
    wadi_result result = wadi_solver_fit(solver, interval);
    const double start = cli_seconds();
    session->progress.share = 0.0;
    session->until = start + CHECK_TRIAL_S;
    if (result == WADI_OK)
    {
        result = wadi_solver_advance(solver, interval);
    }
    session->until = 0.0;
    const double share = result == WADI_OK ? 1.0 : session->progress.share;
    const bool stopped = result == WADI_ERROR_CANCELLED;
    *seconds = share > 0.0 ? (cli_seconds() - start) / share * years / interval : 0.0;
    return stopped ? WADI_OK : result;
}

// Time of a step and those that go on with it [s]; 0: unknown.
static wadi_result check_try(cli_run_job* job, int32_t index, double* seconds)
{
    const wadi_scene_process* step = &wadi_scene_step(job->scene, index)->process;
    wadi_solver* solver;
    *seconds = 0.0;
    const wadi_result made =
        wadi_solver_create(wadi_run_terrain(job->run), step->process, step->params, 0, &solver);
    if (made != WADI_OK)
    {
        return made;
    }
    wadi_result result = WADI_OK;
    if (step->body_count == 0 && step->water == NULL)
    {
        const double interval = step->interval > 0.0 ? step->interval
                                : step->whole > 0.0  ? step->whole
                                                     : step->years;
        result = check_time(job, solver, interval, check_years(job, index), seconds);
    }
    wadi_solver_destroy(solver);
    return result;
}

static void check_print_time(double seconds, bool complete, int32_t threads)
{
    const char* at_least = complete ? "about" : "more than";
    if (seconds < 120.0)
    {
        (void)printf("time             %s %.2g s on %d threads\n", at_least, seconds, threads);
    }
    else
    {
        (void)printf("time             %s %.2g min on %d threads\n", at_least, seconds / 60.0,
                     threads);
    }
}

cli_status cli_run_check_print(cli_run_job* job)
{
    wadi_context* context = job->session.context;
    const wadi_terrain* terrain = wadi_run_terrain(job->run);
    double seconds = 0.0;
    bool complete = true;
    int32_t tried = 0;
    for (int32_t i = wadi_run_position(job->run); i < wadi_scene_step_count(job->scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(job->scene, i);
        if (step->kind == WADI_STEP_PROCESS && !step->process.goes_on)
        {
            double more = 0.0;
            if (tried < CHECK_TRIALS)
            {
                CLI_TRY(check_at(job, step, check_try(job, i, &more)));
            }
            tried += 1;
            complete = complete && more > 0.0;
            seconds += more;
        }
    }
    (void)printf("grid             %d x %d cells of %.6g m\n", wadi_terrain_width(terrain),
                 wadi_terrain_height(terrain), wadi_terrain_cell_size(terrain));
    (void)printf("steps            %d\n", wadi_scene_step_count(job->scene));
    (void)printf("files            %d\n", job->files.used_count);
    (void)printf("memory           about %.3g MB\n", (double)wadi_memory_peak(context) / 1048576.0);
    check_print_time(seconds, complete, wadi_context_workers(context));
    (void)printf("the scene is sound\n");
    return CLI_DONE;
}
