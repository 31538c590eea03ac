// SPDX-License-Identifier: MIT
// Checkpoints of `wadi run` and `wadi resume`.
#pragma once

#include "cli/report.h"
#include "cli/session.h"

#include "io/checkpoint/checkpoint.h"

enum
{
    CLI_CHECKPOINT_PATH = 4096
};

typedef struct cli_run_checkpoint
{
    const cli_session* session;
    const char* folder;                 // for outputs
    wadi_io_checkpoint_notes notes;     // but for `file` and `report`
    char inputs[CLI_CHECKPOINT_PATH];   // folder of the scene's input files
    char relative[CLI_CHECKPOINT_PATH]; // the same seen from `folder`
    char last[CLI_CHECKPOINT_PATH];     // the last one that is on the disk; "": none
    double years;                       // of the last one
} cli_run_checkpoint;

// Take the folder of a scene file as the folder of input files.
cli_status cli_run_checkpoint_inputs(cli_run_checkpoint* checkpoint, const char* scene);

// Write a checkpoint into the output folder.
wadi_result cli_run_checkpoint_write(cli_run_checkpoint* checkpoint, const cli_report* report,
                                     wadi_run* run, const char* file);

// Name of the checkpoint of an interrupted run: that of the scene, or interrupted.nc.
const char* cli_run_checkpoint_name(const wadi_scene* scene);

// After a failure: print where the last checkpoint is and how to go on from it.
void cli_run_checkpoint_advise(const cli_run_checkpoint* checkpoint);
