// SPDX-License-Identifier: MIT
// wadi run: run a scene.
#include "cli/command.h"
#include "cli/run_job.h"
#include "cli/run_source.h"
#include "cli/run_state.h"
#include "cli/run_windows.h"
#include "cli/trace.h"

#include <stdio.h>
#include <string.h>

typedef struct run_options
{
    const char* folder;
    const char* seed;
    const char* resume;
    cli_list settings;
    bool check;
    cli_windows_wish windows;
    cli_run_options run;
} run_options;

static const cli_option run_option_list[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_OUTPUT,
     .offset = offsetof(run_options, folder),
     .value = "DIR",
     .doc = "Folder for the outputs of the scene; created if missing. Default: out."},
    CLI_OPTION("set", CLI_LIST, run_options, settings, "PATH=VALUE",
               "Change a value of the scene. hydraulic.rain=1m/yr changes every step of that name, "
               "steps.0.hydraulic.rain=1m/yr one step, terrain.size=[256,256] any other key."),
    CLI_OPTION("seed", CLI_TEXT, run_options, seed, "N",
               "Seed of all random numbers, instead of that of the scene."),
    CLI_OPTION("check", CLI_FLAG, run_options, check, NULL,
               "Check the scene and all that it reads and writes, estimate its time and memory, "
               "and run no step. Every run checks the same first."),
    {.name = "resume",
     .kind = CLI_TEXT,
     .offset = offsetof(run_options, resume),
     .value = "STATE",
     .doc = "Go on from a checkpoint of this scene, or from the state of its run in windows. Only "
            "steps "
            "that come after a checkpoint may have changed. 'wadi resume STATE' needs no scene."},
    CLI_OPTION("windows", CLI_TEXT, run_options, windows.windows, "CxR",
               "Compute the grid in C times R windows, with the same bits; an output named as "
               "'height_{x}_{y}.tif' is a file for each. See docs/windows.md."),
    CLI_OPTION("tiles", CLI_TEXT, run_options, windows.tiles, "CxR",
               "The same with the windows in files of the output folder, one in memory at a time: "
               "for grids larger than memory. The state is saved in DIR/windows.state."),
    CLI_OPTION(
        "memory", CLI_TEXT, run_options, windows.memory, "SIZE",
        "The same with as many windows as fit one at a time into that memory, such as 4GiB."),
    {.name = "save-every",
     .kind = CLI_COUNT,
     .offset = offsetof(run_options, windows.save_every),
     .value = "SECONDS",
     .min = 0,
     .max = 1000000,
     .doc = "With windows: save the state after the first step that ends so long after the last "
            "saved one; within a long step too, between steps of its process. Default: 0, after "
            "every step of the scene."},
    CLI_RUN_OPTIONS(run_options),
};

static cli_status run_source(cli_run_job* job, const run_options* options,
                             const cli_run_source* source)
{
    if (!cli_windows_wanted(&options->windows))
    {
        return cli_run_job_work(job, source);
    }
    cli_windows_wish wish = options->windows;
    wish.resume = options->resume;
    wish.only_check = options->check;
    return cli_run_windows(&options->run, &wish, job->folder, source);
}

static cli_status run_scene(cli_run_job* job, const run_options* options, const char* path)
{
    cli_run_scene scene;
    cli_status status =
        cli_run_scene_read(job->session.context, path, &options->settings, options->seed, &scene);
    if (status == CLI_DONE)
    {
        status = run_source(job, options, &scene.source);
    }
    cli_run_scene_free(&scene);
    return status;
}

// The texts of the state live as long as the job.
static cli_status run_from(cli_run_job* job, const run_options* options, const char* path)
{
    if (cli_run_state_is(options->resume))
    {
        job->windows_state = options->resume;
        return run_scene(job, options, path);
    }
    wadi_io_checkpoint state;
    cli_status status =
        cli_check(job->session.context,
                  wadi_io_checkpoint_open(job->session.context, options->resume, &state));
    job->state = &state;
    if (status == CLI_DONE)
    {
        status = run_scene(job, options, path);
    }
    wadi_io_checkpoint_close(&state);
    return status;
}

// The verbs that write reports.
static cli_status run_repeat(int argc, char** argv)
{
    static const cli_command* const verbs[] = {&cli_erode_command, &cli_resume_command,
                                               &cli_run_command};
    cli_trace_arguments(argc, argv);
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; ++i)
    {
        if (strcmp(argv[1], verbs[i]->name) == 0)
        {
            return verbs[i]->run(verbs[i], argc - 2, argv + 2);
        }
    }
    return cli_fail(CLI_FAILED, "a report of the verb '%s' cannot be repeated", argv[1]);
}

// What of the options a report's run can be repeated with. `threads` is room for their number.
static cli_trace_wish run_wish(const run_options* options, char threads[16])
{
    static const char* const ways[] = {"bar", "json", "none"};
    (void)snprintf(threads, 16, "%d", options->run.threads);
    return (cli_trace_wish){
        .changes = {{.name = "output", .letter = 'o', .value = options->folder},
                    {.name = "threads", .value = options->run.threads > 0 ? threads : NULL},
                    {.name = "progress",
                     .value = options->run.progress >= 0 ? ways[options->run.progress] : NULL},
                    {.name = "report", .value = options->run.report}},
        .count = CLI_TRACE_CHANGES,
        .check = options->check,
        .refused = options->settings.count > 0 ? "set"
                   : options->seed != NULL     ? "seed"
                   : options->resume != NULL   ? "resume"
                                               : NULL};
}

static cli_status run_run(const cli_command* command, int argc, char** argv)
{
    run_options options = {.run.progress = -1}; // not given
    cli_list operands = {0};
    bool is_report = false;
    char threads[16];
    CLI_TRY(cli_parse(command, argc, argv, &operands, &options));
    CLI_TRY(cli_windows_check(&options.windows));
    const cli_trace_wish wish = run_wish(&options, threads);
    const cli_status repeated = cli_trace_repeat(operands.items[0], &wish, run_repeat, &is_report);
    if (is_report)
    {
        return repeated;
    }
    options.run.progress = options.run.progress >= 0 ? options.run.progress : 0;
    cli_run_job job;
    CLI_TRY(cli_run_job_open(&options.run, &job));
    job.only_check = options.check;
    job.folder = options.folder != NULL ? options.folder : "out";
    const bool plain = !cli_windows_wanted(&options.windows);
    const cli_status status = options.resume != NULL && plain
                                  ? run_from(&job, &options, operands.items[0])
                                  : run_scene(&job, &options, operands.items[0]);
    cli_run_job_close(&job);
    return status;
}

const cli_command cli_run_command = {
    .name = "run",
    .summary = "run a scene: terrain, processes, edits and outputs",
    .usage = "SCENE [-o DIR] [options]",
    .details =
        "Reads a scene file (YAML, described in docs/scenes.md), checks all of it, every file that "
        "it reads and the places of its outputs, and then carries out its steps in "
        "order.\n\nInput files are relative to the scene file. Outputs are written to the folder "
        "given by -o and nowhere else.\n\nThe report of an earlier run, also of 'wadi erode', in "
        "place of a scene repeats that run, in the folder in which it was started, if its files "
        "have not changed. Of the options, --threads, --progress, -o, --report and, for a scene, "
        "--check replace those of the run; the others are refused.\n\nCtrl-C or SIGTERM stops the "
        "running process between two steps, writes the state as a checkpoint (the scene's, or "
        "DIR/interrupted.nc) and the outputs of what was done, and ends with status 130; 'wadi "
        "resume' goes on from there. A second signal ends at once.",
    .examples = "wadi new > scene.yaml && wadi run scene.yaml -o out\n"
                "wadi run scene.yaml --set hydraulic.rain=800mm/yr --seed 7\n"
                "wadi run scene.yaml --set terrain.size=[256,256] --report run.json",
    .options = run_option_list,
    .option_count = sizeof run_option_list / sizeof run_option_list[0],
    .min_operands = 1,
    .max_operands = 1,
    .run = run_run,
};
