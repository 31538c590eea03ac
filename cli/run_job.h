// SPDX-License-Identifier: MIT
// The common part of `wadi run` and `wadi resume`: carry out a scene from its start or from a
// state.
#pragma once

#include "cli/run_checkpoint.h"
#include "cli/run_outputs.h"
#include "cli/run_series.h"

#include "io/scene/scene_files.h"

// Where the scene comes from.
typedef struct cli_run_source
{
    const char* path; // of the scene file, for messages
    const char* text;
    size_t length;
    const char* const* overrides;
    int32_t override_count;
    const char* inputs; // path in the folder of the input files
} cli_run_source;

typedef struct cli_run_job
{
    const cli_run_options* options;
    const char* folder;        // for outputs
    wadi_io_checkpoint* state; // NULL: from the start
    const char* windows_state; // or the state of a run in windows; NULL: none
    cli_session session;
    wadi_scene* scene;
    wadi_io_scene_files files;
    cli_run_outputs outputs;
    cli_run_series series;
    cli_run_checkpoint checkpoint;
    wadi_run* run;
    bool only_check; // do not run the steps
    int lock;        // on the output folder; -1: none
    double timeline; // sum of years of all processes of a timeline; 0: no timeline
    double passed;   // years of finished processes
    bool moved;      // a process has run since the last checkpoint
} cli_run_job;

// Open the session, as the first thing. cli_run_job_close() is needed afterwards in any case.
cli_status cli_run_job_open(const cli_run_options* options, cli_run_job* job);
// Carry out the scene. `job->folder` and `job->state` have been set.
cli_status cli_run_job_work(cli_run_job* job, const cli_run_source* source);
void cli_run_job_close(cli_run_job* job);
