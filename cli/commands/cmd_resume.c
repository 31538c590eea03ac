// SPDX-License-Identifier: MIT
// wadi resume: go on from a checkpoint.
#include "cli/command.h"
#include "cli/run_job.h"
#include "cli/run_state.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct resume_options
{
    const char* folder;
    cli_run_options run;
} resume_options;

static const cli_option resume_option_list[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_OUTPUT,
     .offset = offsetof(resume_options, folder),
     .value = "DIR",
     .doc = "Folder for the outputs of the scene. Default: the one in which the checkpoint lies."},
    CLI_RUN_OPTIONS(resume_options),
};

// The output folder of the run that wrote a checkpoint: its path without the name that the scene
// gives, "maps/state.nc" in "out/maps/state.nc"; or else its folder.
static cli_status resume_folder(const char* path, const char* name, char folder[PATH_MAX])
{
    const size_t all = strlen(path);
    const size_t tail = strlen(name);
    const char* slash = strrchr(path, '/');
    size_t length = slash != NULL ? (size_t)(slash - path) : 0;
    if (all > tail && path[all - tail - 1] == '/' && strcmp(path + all - tail, name) == 0)
    {
        length = all - tail - 1;
    }
    if (length + 2 > PATH_MAX)
    {
        return cli_fail(CLI_USAGE, "the path '%.60s...' is too long", path);
    }
    const bool is_root = slash != NULL && length == 0;
    (void)snprintf(folder, PATH_MAX, "%.*s%s", (int)length, path,
                   length > 0 ? ""
                   : is_root  ? "/"
                              : ".");
    return CLI_DONE;
}

static bool resume_is_folder(const char* path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool resume_has_scene(const char* folder, const char* scene)
{
    char path[2 * PATH_MAX];
    const char* slash = strrchr(scene, '/');
    (void)snprintf(path, sizeof path, "%s%s", folder, slash != NULL ? slash + 1 : scene);
    return access(path, R_OK) == 0;
}

// The folder of the scene: where it was, or, when it has been moved together with the checkpoint,
// the same way from there, or beside the checkpoint. The scene's file tells which; it is not read.
static void resume_inputs(const wadi_io_checkpoint_notes* notes, const char* own,
                          char inputs[2 * PATH_MAX])
{
    char places[3][2 * PATH_MAX];
    (void)snprintf(places[0], sizeof places[0], "%s", notes->folder);
    (void)snprintf(places[1], sizeof places[1], "%s/%s", own, notes->relative);
    (void)snprintf(places[2], sizeof places[2], "%s/", own);
    int best = resume_is_folder(places[0]) ? 0 : 2;
    for (int i = 2; i >= 0; --i)
    {
        best = resume_has_scene(places[i], notes->path) ? i : best;
    }
    if (!resume_is_folder(places[0]))
    {
        (void)fprintf(stderr,
                      "wadi: the folder of the scene, %s, is not there any more; input files are "
                      "looked for in %s\n",
                      notes->folder, places[best]);
    }
    memcpy(inputs, places[best], sizeof places[best]);
}

static cli_status resume_work(cli_run_job* job, wadi_io_checkpoint* state, const char* folder)
{
    char own[PATH_MAX];
    char inputs[2 * PATH_MAX];
    const wadi_io_checkpoint_notes* notes = &state->notes;
    CLI_TRY(resume_folder(state->path, notes->file, own));
    resume_inputs(notes, own, inputs);
    job->folder = folder != NULL ? folder : own;
    job->state = state;
    const cli_run_source source = {.path = notes->path,
                                   .text = notes->scene,
                                   .length = strlen(notes->scene),
                                   .overrides = notes->overrides,
                                   .override_count = notes->override_count,
                                   .inputs = inputs};
    return cli_run_job_work(job, &source);
}

static cli_status resume_run(const cli_command* command, int argc, char** argv)
{
    resume_options options = {0};
    cli_list operands = {0};
    CLI_TRY(cli_parse(command, argc, argv, &operands, &options));
    if (cli_run_state_is(operands.items[0]))
    {
        return cli_fail(CLI_USAGE,
                        "%s is the state of a run in windows and holds no scene: go on with wadi "
                        "run SCENE --resume %s",
                        operands.items[0], operands.items[0]);
    }
    cli_run_job job;
    CLI_TRY(cli_run_job_open(&options.run, &job));
    wadi_io_checkpoint state;
    cli_status status =
        cli_check(job.session.context,
                  wadi_io_checkpoint_open(job.session.context, operands.items[0], &state));
    if (status == CLI_DONE)
    {
        status = resume_work(&job, &state, options.folder);
    }
    cli_run_job_close(&job);
    wadi_io_checkpoint_close(&state);
    return status;
}

const cli_command cli_resume_command = {
    .name = "resume",
    .summary = "go on from a checkpoint of a run",
    .usage = "STATE [-o DIR] [options]",
    .details =
        "Reads a checkpoint that 'wadi run' wrote, because the scene has 'checkpoint: FILE.nc' or "
        "because the run was interrupted, and carries out the rest of the scene. The result has "
        "the "
        "same bits as that of a run in one go.\n\nThe checkpoint holds the scene with all --set "
        "and "
        "--seed, so nothing else is needed, except input files that later steps read; they are "
        "looked for where the scene was, or, when that folder has been moved, at the same place "
        "seen from "
        "the checkpoint or beside it. The format is described in docs/checkpoints.md.",
    .examples = "wadi run scene.yaml -o out && wadi resume out/state.nc\n"
                "wadi resume out/interrupted.nc --threads 2 --report run.json",
    .options = resume_option_list,
    .option_count = sizeof resume_option_list / sizeof resume_option_list[0],
    .min_operands = 1,
    .max_operands = 1,
    .run = resume_run,
};
