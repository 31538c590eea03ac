// SPDX-License-Identifier: MIT
#include "cli/run_check.h"

#include "cli/output.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

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

// A glTF mesh needs triangles.
static cli_status check_mesh(const cli_run_job* job, const wadi_step* step)
{
    const wadi_terrain* terrain = wadi_run_terrain(job->run);
    const bool writes = step->kind == WADI_STEP_OUTPUT && step->output.kind == WADI_OUTPUT_WRITE;
    const char* dot = writes ? strrchr(step->output.file, '.') : NULL;
    const bool has_mesh = wadi_terrain_width(terrain) > 1 && wadi_terrain_height(terrain) > 1;
    return dot == NULL || strcasecmp(dot, ".glb") != 0 || has_mesh
               ? CLI_DONE
               : cli_fail(CLI_USAGE, "%s: %s: a glTF mesh needs 2 x 2 cells or more, not %d x %d",
                          step->origin, wadi_step_name(step), wadi_terrain_width(terrain),
                          wadi_terrain_height(terrain));
}

// No output replaces a file that the scene names, nor one that a resumed run has read before.
static cli_status check_named(const cli_run_job* job)
{
    enum
    {
        MOST = 64
    };
    const char* names[MOST];
    const int32_t count = wadi_scene_files(job->scene, names, MOST);
    for (int32_t i = 0; i < count && i < MOST; ++i)
    {
        char path[2 * PATH_MAX];
        (void)snprintf(path, sizeof path, "%s%s", names[i][0] == '/' ? "" : job->files.folder,
                       names[i]);
        CLI_TRY(cli_run_outputs_check_input(&job->outputs, job->scene, path));
    }
    return CLI_DONE;
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
        CLI_TRY(check_mesh(job, step));
    }
    for (int32_t i = 0; i < job->files.used_count; ++i)
    {
        CLI_TRY(cli_run_outputs_check_input(&job->outputs, job->scene, job->files.used[i]));
    }
    return check_named(job);
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

// Advance once; *share is the part of the interval that was done before the time was over.
static wadi_result check_advance(cli_run_job* job, wadi_solver* solver, double interval,
                                 double* share)
{
    cli_session* session = &job->session;
    session->progress.share = 0.0;
    const wadi_result result = wadi_solver_advance(solver, interval);
    *share = result == WADI_OK ? 1.0 : session->progress.share;
    return result;
}

// Run a solver until CHECK_TRIAL_S have passed; *seconds is the processor time of all of the years.
// The first interval, which also fills caches and finds the first routes, counts once. The clock is
// read between intervals too: one of a single step ends before its progress shows that it is late.
static wadi_result check_time(cli_run_job* job, wadi_solver* solver, double interval, double years,
                              double* seconds)
{
    wadi_result result = WADI_OK;
    const double count = fmax(1.0, years / interval);
    double share = 0.0;
    const double start = cli_cpu_seconds();
    job->session.until = start + CHECK_TRIAL_S;
    result = result == WADI_OK ? check_advance(job, solver, interval, &share) : result;
    const double first = cli_cpu_seconds() - start;
    double done = 0.0;
    while (result == WADI_OK && 1.0 + done < count && cli_cpu_seconds() < job->session.until)
    {
        result = check_advance(job, solver, interval, &share);
        done += share;
    }
    job->session.until = 0.0;
    const double later = cli_cpu_seconds() - start - first;
    *seconds = done > 0.0    ? first + later / done * (count - 1.0)
               : share > 0.0 ? first / share * count
                             : 0.0;
    return result == WADI_ERROR_CANCELLED ? WADI_OK : result;
}

// Time of a step and those that go on with it [s]; 0: unknown.
static wadi_result check_try(cli_run_job* job, int32_t index, double* seconds)
{
    const wadi_scene_process* step = &wadi_scene_step(job->scene, index)->process;
    wadi_solver* solver;
    *seconds = 0.0;
    const wadi_result made = wadi_run_trial(job->run, &solver);
    if (made != WADI_OK)
    {
        return made;
    }
    wadi_result result = WADI_OK;
    if (step->body_count == 0 && step->water == NULL)
    {
        const double whole = step->whole > 0.0 ? step->whole : step->years;
        const double interval = step->interval > 0.0 ? step->interval : whole;
        result = step->interval > 0.0 ? wadi_solver_couple(solver, interval)
                                      : wadi_solver_fit(solver, interval);
        result = result == WADI_OK
                     ? check_time(job, solver, interval, check_years(job, index), seconds)
                     : result;
    }
    wadi_solver_destroy(solver);
    return result;
}

// Processor time of the pictures of an output [s]: measured at 640 to 1280 pixels of width and 128
// to 512 cells a side, 0.25 to 0.6 s.
static double check_pictures(const wadi_terrain* terrain, const wadi_output* output)
{
    if (output->kind != WADI_OUTPUT_RENDER)
    {
        return 0.0;
    }
    const double cells = (double)wadi_terrain_width(terrain) * wadi_terrain_height(terrain);
    const double pixels = (double)output->render->width * output->render->height;
    return fmax(1.0, output->views) * (0.15 + 2e-7 * pixels + 3e-7 * cells);
}

static void check_print_time(double seconds, bool complete)
{
    const char* at_least = complete ? "about" : "more than";
    if (seconds < 120.0)
    {
        (void)printf("processor time   %s %.2g s\n", at_least, seconds);
    }
    else
    {
        (void)printf("processor time   %s %.2g min\n", at_least, seconds / 60.0);
    }
}

cli_status cli_run_check_print(cli_run_job* job)
{
    wadi_context* context = job->session.context;
    const wadi_terrain* terrain = wadi_run_terrain(job->run);
    double seconds = 0.0;
    bool complete = true;
    int32_t tried = 0;
    while (!wadi_run_is_done(job->run))
    {
        const int32_t i = wadi_run_position(job->run);
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
        seconds += step->kind == WADI_STEP_OUTPUT ? check_pictures(terrain, &step->output) : 0.0;
        // a mask of an edit may want a process that has not run
        complete = wadi_run_skip(job->run) == WADI_OK && complete;
    }
    (void)printf("grid             %d x %d cells of %.6g m\n", wadi_terrain_width(terrain),
                 wadi_terrain_height(terrain), wadi_terrain_cell_size(terrain));
    (void)printf("steps            %d\n", wadi_scene_step_count(job->scene));
    (void)printf("files            %d\n", job->files.used_count);
    (void)printf("memory           about %.3g MB\n", (double)wadi_memory_peak(context) / 1048576.0);
    check_print_time(seconds, complete);
    (void)printf("the scene is sound\n");
    return CLI_DONE;
}
