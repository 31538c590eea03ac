// SPDX-License-Identifier: MIT
// wadi run: run a scene.
#include "cli/command.h"
#include "cli/output.h"
#include "cli/run_outputs.h"
#include "cli/run_series.h"
#include "cli/summary.h"

#include "io/scene/scene_files.h"
#include "io/scene/scene_yaml.h"

#include <stdio.h>
#include <string.h>

typedef struct run_options
{
    const char* folder;
    const char* seed;
    cli_list settings;
    cli_run_options run;
} run_options;

static const cli_option run_option_list[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_TEXT,
     .offset = offsetof(run_options, folder),
     .value = "DIR",
     .doc = "Folder for the outputs of the scene; created if missing. Default: out."},
    {.name = "set",
     .kind = CLI_LIST,
     .offset = offsetof(run_options, settings),
     .value = "PATH=VALUE",
     .doc = "Change a value of the scene. hydraulic.rain=1m/yr changes every step of that name, "
            "steps.0.hydraulic.rain=1m/yr one step, terrain.size=[256,256] any other key."},
    {.name = "seed",
     .kind = CLI_TEXT,
     .offset = offsetof(run_options, seed),
     .value = "N",
     .doc = "Seed of all random numbers, instead of that of the scene."},
    CLI_RUN_OPTIONS(run_options),
};

// State of the verb.
typedef struct run_job
{
    const run_options* options;
    const char* path; // of the scene file
    cli_session session;
    wadi_scene* scene;
    wadi_io_scene_files files;
    cli_run_outputs outputs;
    cli_run_series series;
    wadi_run* run;
    double timeline; // sum of years of all processes of a timeline; 0: no timeline
    double passed;   // years of finished processes
} run_job;

static void run_close(run_job* job)
{
    wadi_run_destroy(job->run);
    cli_run_series_close(&job->series);
    wadi_io_scene_files_close(&job->files);
    wadi_scene_destroy(job->scene);
    cli_session_close(&job->session);
}

// An invalid scene is a usage error (CLI_USAGE); an unreadable file is a failure.
static cli_status run_check(const run_job* job, wadi_result result)
{
    const bool failed = result == WADI_ERROR_IO || result == WADI_ERROR_MEMORY;
    return failed ? cli_check(job->session.context, result)
                  : cli_check_usage(job->session.context, result);
}

static cli_status run_read_scene(run_job* job)
{
    char seed[64];
    const char* overrides[CLI_LIST_CAPACITY + 1];
    int32_t count = job->options->settings.count;
    memcpy(overrides, job->options->settings.items, sizeof job->options->settings.items);
    if (job->options->seed != NULL)
    {
        (void)snprintf(seed, sizeof seed, "seed=%s", job->options->seed);
        overrides[count++] = seed;
    }
    wadi_context* context = job->session.context;
    CLI_TRY(run_check(job, wadi_io_scene_read(context, job->path, overrides, count, &job->scene)));
    return run_check(job, wadi_io_scene_files_open(context, job->path, &job->files));
}

static cli_status run_check_outputs(run_job* job)
{
    const char* folder = job->options->folder != NULL ? job->options->folder : "out";
    job->outputs =
        (cli_run_outputs){.session = &job->session, .folder = folder, .scene = job->path};
    if (job->options->run.report != NULL)
    {
        CLI_TRY(cli_output_check_distinct(job->options->run.report, job->path));
        CLI_TRY(cli_output_check(job->options->run.report));
    }
    CLI_TRY(cli_run_outputs_check(&job->outputs, job->scene));
    job->series = (cli_run_series){.session = &job->session, .folder = folder};
    return cli_run_series_open(&job->series, job->scene, job->path);
}

// ---- hooks of the run ---------------------------------------------------------------------------

static wadi_result run_frame(void* user, const wadi_source* source, wadi_frame* out)
{
    return wadi_io_scene_frame(&((run_job*)user)->files, source, out);
}

static wadi_result run_values(void* user, const wadi_source* source, const wadi_frame* frame,
                              float* out)
{
    return wadi_io_scene_values(&((run_job*)user)->files, source, frame, out);
}

static wadi_result run_table(void* user, const char* file, const wadi_table_info* table,
                             double* out, int32_t capacity, int32_t* rows)
{
    return wadi_io_scene_table(&((run_job*)user)->files, file, table, out, capacity, rows);
}

static wadi_result run_mesh(void* user, const char* file, bool z_is_up, wadi_mesh* out)
{
    return wadi_io_scene_mesh(&((run_job*)user)->files, file, z_is_up, out);
}

static wadi_result run_grains(void* user, const char* file, int32_t bodies, wadi_bodies* out)
{
    return wadi_io_scene_grains(&((run_job*)user)->files, file, bodies, out);
}

static wadi_result run_frame_of(void* user, wadi_run* run, const wadi_scene_process* step,
                                int32_t index)
{
    return cli_run_series_frame(&((run_job*)user)->series, run, step, index);
}

static wadi_result run_output(void* user, wadi_run* run, const wadi_output* output)
{
    return cli_run_output(&((run_job*)user)->outputs, run, output);
}

// ---- the run ------------------------------------------------------------------------------------

static cli_status run_start(run_job* job)
{
    const wadi_host host = {.frame = run_frame,
                            .read = run_values,
                            .table = run_table,
                            .mesh = run_mesh,
                            .grains = run_grains,
                            .frame_of = run_frame_of,
                            .output = run_output,
                            .user = job};
    const wadi_result result = wadi_run_create(job->scene, &host, &job->run);
    // the scene itself has been parsed, so a format error comes from a file it names
    CLI_TRY(result == WADI_ERROR_FORMAT ? cli_check(job->session.context, result)
                                        : run_check(job, result));
    cli_report_begin(wadi_run_terrain(job->run), &job->outputs.report);
    return CLI_DONE;
}

// Years of all processes if some are resumed every tick; they then share one progress bar.
static double run_timeline_years(const wadi_scene* scene)
{
    double years = 0.0;
    bool goes_on = false;
    for (int32_t i = 0; i < wadi_scene_step_count(scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(scene, i);
        if (step->kind == WADI_STEP_PROCESS)
        {
            years += step->process.years;
            goes_on = goes_on || step->process.goes_on;
        }
    }
    return goes_on ? years : 0.0;
}

static void run_begin_progress(run_job* job, double years, double now)
{
    cli_progress* progress = &job->session.progress;
    if (job->timeline == 0.0)
    {
        cli_progress_begin(progress, years, "yr", now);
        return;
    }
    if (job->passed == 0.0)
    {
        cli_progress_begin(progress, job->timeline, "yr", now);
    }
    cli_progress_stretch(progress, job->passed / job->timeline, years / job->timeline);
    job->passed += years;
}

// Run a process. If interrupted, it counts the share of its years that its progress has reached.
static cli_status run_process(run_job* job, const wadi_scene_process* step)
{
    wadi_terrain* terrain = wadi_run_terrain(job->run);
    cli_progress* progress = &job->session.progress;
    const double start = cli_seconds();
    run_begin_progress(job, step->years, start);
    const wadi_result result = wadi_run_next(job->run);
    cli_progress_end(progress);
    wadi_io_scene_files_forget(&job->files);
    double years = step->years;
    if (result == WADI_ERROR_CANCELLED)
    {
        years *= progress->share;
        job->outputs.interrupted = true;
        CLI_TRY(cli_check(job->session.context, wadi_terrain_advance_clock(terrain, years)));
    }
    else if (result != WADI_OK)
    {
        return cli_check(job->session.context, result);
    }
    cli_report_add(&job->outputs.report, wadi_run_solver(job->run, step->process), years,
                   cli_seconds() - start, step->goes_on);
    return CLI_DONE;
}

static cli_status run_steps(run_job* job)
{
    cli_session_catch_interrupt();
    job->timeline = run_timeline_years(job->scene);
    while (!wadi_run_is_done(job->run))
    {
        const wadi_step* step = wadi_scene_step(job->scene, wadi_run_position(job->run));
        if (step->kind == WADI_STEP_PROCESS && !job->outputs.interrupted)
        {
            CLI_TRY(run_process(job, &step->process));
            continue;
        }
        const wadi_result result = wadi_run_next(job->run);
        if (result != WADI_OK)
        {
            return job->outputs.has_printed_error ? CLI_FAILED
                                                  : cli_check(job->session.context, result);
        }
    }
    return CLI_DONE;
}

static cli_status run_finish(run_job* job)
{
    const wadi_terrain* terrain = wadi_run_terrain(job->run);
    cli_summary_print(&job->outputs.report, terrain);
    cli_run_print_outputs(&job->outputs, job->run);
    cli_run_series_print(&job->series);
    if (job->options->run.report != NULL)
    {
        CLI_TRY(cli_run_write_report(&job->outputs, terrain, job->options->run.report));
        (void)printf("wrote            %s\n", job->options->run.report);
    }
    CLI_TRY(cli_summary_check(terrain));
    return job->outputs.interrupted
               ? cli_fail(CLI_INTERRUPTED, "interrupted after %.4g yr; what was done is written",
                          wadi_terrain_clock(terrain))
               : CLI_DONE;
}

static cli_status run_work(run_job* job)
{
    CLI_TRY(run_read_scene(job));
    CLI_TRY(run_check_outputs(job));
    CLI_TRY(run_start(job));
    CLI_TRY(run_steps(job));
    return run_finish(job);
}

static cli_status run_run(const cli_command* command, int argc, char** argv)
{
    run_options options = {0};
    cli_list operands = {0};
    CLI_TRY(cli_parse(command, argc, argv, &operands, &options));
    run_job job = {.options = &options, .path = operands.items[0]};
    CLI_TRY(cli_session_open(&options.run, &job.session));
    const cli_status status = run_work(&job);
    run_close(&job);
    return status;
}

const cli_command cli_run_command = {
    .name = "run",
    .summary = "run a scene: terrain, processes, edits and outputs",
    .usage = "SCENE [-o DIR] [options]",
    .details =
        "Reads a scene file (YAML, described in docs/scenes.md), checks all of it and the places "
        "of its outputs, and then carries out its steps in order.\n\nInput files are relative to "
        "the scene file. Outputs are written to the folder given by -o and nowhere "
        "else.\n\nCtrl-C stops the running process between two batches, writes the outputs of "
        "the state reached so far, and ends with status 130.",
    .examples = "wadi new > scene.yaml && wadi run scene.yaml -o out\n"
                "wadi run scene.yaml --set hydraulic.rain=800mm/yr --seed 7\n"
                "wadi run scene.yaml --set terrain.size=[256,256] --report run.json",
    .options = run_option_list,
    .option_count = sizeof run_option_list / sizeof run_option_list[0],
    .min_operands = 1,
    .max_operands = 1,
    .run = run_run,
};
