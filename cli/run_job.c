// SPDX-License-Identifier: MIT
#include "cli/run_job.h"

#include "cli/output.h"
#include "cli/report_goals.h"
#include "cli/run_arena.h"
#include "cli/run_check.h"
#include "cli/run_state.h"
#include "cli/summary.h"
#include "cli/trace.h"

#include "io/replace.h"
#include "io/scene/scene_yaml.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

cli_status cli_run_job_open(const cli_run_options* options, cli_run_job* job)
{
    *job = (cli_run_job){.options = options, .lock = -1};
    return cli_session_open(options, &job->session);
}

void cli_run_job_close(cli_run_job* job)
{
    wadi_run_destroy(job->run);
    cli_run_series_close(&job->series);
    wadi_io_scene_files_close(&job->files);
    wadi_scene_destroy(job->scene);
    cli_report_close(&job->outputs.report);
    cli_output_unlock(&job->lock);
    wadi_io_tags_free(&job->outputs.tags);
    cli_session_close(&job->session);
}

// ---- before the run -----------------------------------------------------------------------------

// An invalid scene is a usage error (CLI_USAGE); an unreadable file is a failure.
static cli_status job_check(const cli_run_job* job, wadi_result result)
{
    const bool failed = result == WADI_ERROR_IO || result == WADI_ERROR_MEMORY;
    return failed ? cli_check(job->session.context, result)
                  : cli_check_usage(job->session.context, result);
}

static cli_status job_read_scene(cli_run_job* job, const cli_run_source* source)
{
    wadi_context* context = job->session.context;
    CLI_TRY(job_check(job,
                      wadi_io_scene_parse(context, source->path, source->text, source->length,
                                          source->overrides, source->override_count, &job->scene)));
    CLI_TRY(job_check(job, wadi_io_scene_files_open(context, source->inputs, &job->files)));
    if (job->state != NULL && job->state->notes.grid_file[0] != '\0')
    {
        job->files.grid_file = job->state->notes.grid_file;
    }
    job->checkpoint = (cli_run_checkpoint){.session = &job->session,
                                           .folder = job->folder,
                                           .notes = {.scene = source->text,
                                                     .path = source->path,
                                                     .overrides = source->overrides,
                                                     .override_count = source->override_count}};
    return cli_run_checkpoint_inputs(&job->checkpoint, source->inputs);
}

// Lock the output folder and remove what dead runs left there. Without outputs there may be none.
static cli_status job_lock(cli_run_job* job)
{
    struct stat status;
    if (stat(job->folder, &status) != 0)
    {
        return CLI_DONE;
    }
    CLI_TRY(cli_output_lock(job->folder, &job->lock));
    wadi_io_replace_clean(job->folder);
    cli_arena_sweep(job->folder);
    return CLI_DONE;
}

static cli_status job_check_outputs(cli_run_job* job, const char* path)
{
    job->outputs = (cli_run_outputs){.session = &job->session,
                                     .folder = job->folder,
                                     .scene = path,
                                     .report_file = job->options->report,
                                     .checkpoint = &job->checkpoint};
    if (job->options->report != NULL)
    {
        CLI_TRY(cli_output_check_distinct(job->options->report, path));
        CLI_TRY(cli_output_check(job->options->report));
    }
    CLI_TRY(job_lock(job));
    CLI_TRY(cli_run_outputs_check(&job->outputs, job->scene));
    job->series = (cli_run_series){
        .session = &job->session, .folder = job->folder, .tags = &job->outputs.tags};
    CLI_TRY(cli_run_series_open(&job->series, job->scene, path));
    return job->lock < 0 ? job_lock(job) : CLI_DONE;
}

// ---- hooks of the run ---------------------------------------------------------------------------

static wadi_result job_frame(void* user, const wadi_source* source, wadi_frame* out)
{
    return wadi_io_scene_frame(&((cli_run_job*)user)->files, source, out);
}

static wadi_result job_void_sides(void* user, const wadi_source* source, const wadi_frame* frame,
                                  uint8_t* out)
{
    return wadi_io_scene_void_sides(&((cli_run_job*)user)->files, source, frame, out);
}

static wadi_result job_values(void* user, const wadi_source* source, const wadi_frame* frame,
                              float* out)
{
    return wadi_io_scene_values(&((cli_run_job*)user)->files, source, frame, out);
}

static wadi_result job_table(void* user, const char* file, const wadi_table_info* table,
                             double* out, int32_t capacity, int32_t* rows)
{
    return wadi_io_scene_table(&((cli_run_job*)user)->files, file, table, out, capacity, rows);
}

static wadi_result job_mesh(void* user, const char* file, bool z_is_up, wadi_mesh* out)
{
    return wadi_io_scene_mesh(&((cli_run_job*)user)->files, file, z_is_up, out);
}

static wadi_result job_grains(void* user, const char* file, int32_t bodies, wadi_bodies* out)
{
    return wadi_io_scene_grains(&((cli_run_job*)user)->files, file, bodies, out);
}

static wadi_result job_frame_of(void* user, wadi_run* run, const wadi_scene_process* step,
                                int32_t index)
{
    return cli_run_series_frame(&((cli_run_job*)user)->series, run, step, index);
}

static wadi_result job_output(void* user, wadi_run* run, const wadi_output* output)
{
    cli_run_job* job = user;
    const wadi_result result = cli_run_output(&job->outputs, run, output);
    const bool saved = output->kind == WADI_OUTPUT_CHECKPOINT && result == WADI_OK;
    job->moved = job->moved && !saved;
    return result;
}

// ---- the run ------------------------------------------------------------------------------------

// Its file does not say which input defines the grid, so the scene is asked.
static cli_status job_start_from_windows(cli_run_job* job, const cli_run_source* source,
                                         const wadi_host* host)
{
    wadi_context* context = job->session.context;
    wadi_frame frame;
    CLI_TRY(job_check(job, wadi_scene_frame(job->scene, host, &frame)));
    return cli_check(context,
                     cli_run_state_read(context, source, job->scene, host, job->windows_state,
                                        &job->outputs.report, &job->run));
}

static cli_status job_start_anew(cli_run_job* job, const wadi_host* host)
{
    const wadi_result result = wadi_run_create(job->scene, host, &job->run);
    if (result == WADI_OK)
    {
        cli_report_begin(wadi_run_terrain(job->run), &job->outputs.report);
    }
    // the scene itself has been parsed, so a format error comes from a file it names
    return result == WADI_ERROR_FORMAT ? cli_check(job->session.context, result)
                                       : job_check(job, result);
}

static cli_status job_start(cli_run_job* job, const cli_run_source* source)
{
    const wadi_host host = {.frame = job_frame,
                            .void_sides = job_void_sides,
                            .read = job_values,
                            .table = job_table,
                            .mesh = job_mesh,
                            .grains = job_grains,
                            .frame_of = job_frame_of,
                            .output = job_output,
                            .user = job};
    if (job->state != NULL)
    {
        CLI_TRY(cli_check(job->session.context,
                          wadi_io_checkpoint_run(job->state, job->scene, &host, &job->run)));
        job->checkpoint.notes.grid_file = job->state->notes.grid_file;
        cli_report_begin(wadi_run_terrain(job->run), &job->outputs.report);
        return cli_report_restore(job->session.context, job->state->notes.report,
                                  &job->outputs.report)
                   ? CLI_DONE
                   : cli_fail(CLI_FAILED, "the report in the checkpoint is damaged; use an earlier "
                                          "checkpoint");
    }
    CLI_TRY(job->windows_state != NULL ? job_start_from_windows(job, source, &host)
                                       : job_start_anew(job, &host));
    const char* grid_file = job->files.grid_file;
    job->checkpoint.notes.grid_file = grid_file != NULL ? grid_file : "";
    return CLI_DONE;
}

// Years of all processes if some are resumed every tick; they then share one progress bar. Those
// before the run's position have passed.
static void job_count_years(cli_run_job* job)
{
    double years = 0.0;
    bool goes_on = false;
    for (int32_t i = 0; i < wadi_scene_step_count(job->scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(job->scene, i);
        if (step->kind == WADI_STEP_PROCESS)
        {
            years += step->process.years;
            goes_on = goes_on || step->process.goes_on;
            job->passed += i < wadi_run_position(job->run) ? step->process.years : 0.0;
        }
    }
    job->timeline = goes_on ? years : 0.0;
}

static void job_begin_progress(cli_run_job* job, double years, double now)
{
    cli_progress* progress = &job->session.progress;
    if (job->timeline == 0.0)
    {
        cli_progress_begin(progress, years, "yr", now);
        return;
    }
    if (progress->total != job->timeline)
    {
        cli_progress_begin(progress, job->timeline, "yr", now);
    }
    cli_progress_stretch(progress, job->passed / job->timeline, years / job->timeline);
    job->passed += years;
}

// The state is kept first: a second signal, or a disk that is full, may end what follows.
static cli_status job_interrupt(cli_run_job* job, double years)
{
    job->outputs.interrupted = true;
    job->outputs.partial = years;
    if (job->lock < 0)
    {
        CLI_TRY(cli_output_check_folder(job->folder));
        CLI_TRY(job_lock(job));
    }
    const char* name = cli_run_checkpoint_name(job->scene);
    job->moved = false;
    return cli_check(
        job->session.context,
        cli_run_checkpoint_write(&job->checkpoint, &job->outputs.report, job->run, name));
}

// Years of a step that has ended or was stopped; one that is resumed runs the rest of them. A step
// with a goal counts them when it ends.
static double job_years(const cli_run_job* job, const wadi_scene_process* step, bool stopped)
{
    if (step->goal != NULL)
    {
        return stopped ? 0.0 : wadi_run_course(job->run).years;
    }
    return step->years * (stopped ? job->session.progress.share : 1.0);
}

static void job_note_goal(cli_run_job* job, const wadi_scene_process* step)
{
    if (step->goal != NULL)
    {
        const wadi_goal_course course = wadi_run_course(job->run);
        cli_report_add_goal(&job->outputs.report, step->process->name, step->goal, &course,
                            wadi_terrain_clock(wadi_run_terrain(job->run)));
    }
}

// Run a process. If interrupted, it counts the share of its years that its progress has reached.
static cli_status job_process(cli_run_job* job, const wadi_scene_process* step)
{
    cli_progress* progress = &job->session.progress;
    const double start = cli_seconds();
    job_begin_progress(job, step->years, start);
    const wadi_result result = wadi_run_next(job->run);
    cli_progress_end(progress);
    wadi_io_scene_files_forget(&job->files);
    const bool stopped = result == WADI_ERROR_CANCELLED;
    if (result != WADI_OK && !stopped)
    {
        return cli_check(job->session.context, result);
    }
    job->moved = true;
    const double years = job_years(job, step, stopped);
    const wadi_solver* solver = wadi_run_solver(job->run, step->process);
    if (stopped)
    {
        CLI_TRY(job_interrupt(job, years));
    }
    else
    {
        job_note_goal(job, step);
    }
    if (solver != NULL)
    {
        cli_report_add(&job->outputs.report, solver, years, cli_seconds() - start);
    }
    return CLI_DONE;
}

// Keep the state when an output cannot be written, so that the run is not lost.
static void job_save_late(cli_run_job* job, const wadi_step* step)
{
    const bool is_checkpoint = step->output.kind == WADI_OUTPUT_CHECKPOINT;
    if (!job->moved || step->kind != WADI_STEP_OUTPUT || is_checkpoint || job->outputs.interrupted)
    {
        return;
    }
    const char* name = cli_run_checkpoint_name(job->scene);
    const wadi_result result =
        cli_run_checkpoint_write(&job->checkpoint, &job->outputs.report, job->run, name);
    if (result != WADI_OK)
    {
        (void)cli_check(job->session.context, result);
    }
}

static cli_status job_step(cli_run_job* job, const wadi_step* step)
{
    if (step->kind == WADI_STEP_PROCESS && !job->outputs.interrupted)
    {
        return job_process(job, &step->process);
    }
    const wadi_result result = wadi_run_next(job->run);
    return result != WADI_OK && job->outputs.has_printed_error
               ? CLI_FAILED
               : cli_check(job->session.context, result);
}

static cli_status job_steps(cli_run_job* job)
{
    cli_session_catch_interrupt();
    job_count_years(job);
    while (!wadi_run_is_done(job->run))
    {
        const wadi_step* step = wadi_scene_step(job->scene, wadi_run_position(job->run));
        const cli_status status = job_step(job, step);
        if (status != CLI_DONE)
        {
            job_save_late(job, step);
            cli_run_checkpoint_advise(&job->checkpoint);
            return status;
        }
    }
    return CLI_DONE;
}

static cli_status job_write_report(cli_run_job* job)
{
    if (job->options->report != NULL)
    {
        CLI_TRY(cli_run_write_report(&job->outputs, job->run, job->options->report));
        (void)printf("wrote            %s\n", job->options->report);
    }
    return CLI_DONE;
}

static cli_status job_finish(cli_run_job* job)
{
    const wadi_terrain* terrain = wadi_run_terrain(job->run);
    cli_summary summary;
    cli_summary_take(&job->outputs.report, terrain, &summary);
    cli_summary_print(&job->outputs.report, &summary);
    cli_summary_print_state(wadi_run_hash(job->run));
    cli_run_print_outputs(&job->outputs, job->run);
    cli_run_series_print(&job->series);
    if (job->checkpoint.last[0] != '\0')
    {
        (void)printf("wrote            %s\n", job->checkpoint.last);
    }
    CLI_TRY(job_write_report(job));
    CLI_TRY(cli_summary_check(terrain));
    return job->outputs.interrupted
               ? cli_fail(CLI_INTERRUPTED,
                          "interrupted after %.4g yr; what was done is written. Go on with: wadi "
                          "resume %s",
                          wadi_terrain_clock(terrain) + job->outputs.partial, job->checkpoint.last)
               : cli_report_check_goals(&job->outputs.report);
}

// The origin of the outputs: the same for a run that goes on from a checkpoint.
static cli_status job_trace(cli_run_job* job, const cli_run_source* source)
{
    enum
    {
        MOST = 64 // inputs that are named
    };
    wadi_io_tags* tags = &job->outputs.tags;
    wadi_context* context = job->session.context;
    const char* names[MOST];
    const int32_t count = wadi_scene_files(job->scene, names, MOST);
    cli_trace_scene(tags, source->path, source->text, source->overrides, source->override_count);
    for (int32_t i = 0; i < count && i < MOST; ++i)
    {
        char path[2 * PATH_MAX];
        (void)snprintf(path, sizeof path, "%s%s", names[i][0] == '/' ? "" : job->files.folder,
                       names[i]);
        cli_trace_input(tags, context, path);
    }
    return cli_trace_check(tags);
}

cli_status cli_run_job_work(cli_run_job* job, const cli_run_source* source)
{
    CLI_TRY(job_read_scene(job, source));
    CLI_TRY(job_check_outputs(job, source->path));
    CLI_TRY(job_start(job, source));
    CLI_TRY(cli_run_check_files(job));
    CLI_TRY(job_trace(job, source));
    if (job->only_check)
    {
        return cli_run_check_print(job);
    }
    CLI_TRY(job_steps(job));
    return job_finish(job);
}
