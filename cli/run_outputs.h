// SPDX-License-Identifier: MIT
// What a scene leaves behind: rasters, pictures and reports in the output folder.
#pragma once

#include "report.h"
#include "session.h"

#include <wadi/run.h>

typedef struct cli_run_outputs
{
    const cli_session* session;
    const char* folder;
    const char* scene; // file of the scene, for the report
    cli_report report; // of the steps done so far
    bool interrupted;
    bool has_said_why; // a failure has been printed already
} cli_run_outputs;

// Make sure that every output of the scene can be written, before the first step.
cli_status cli_run_outputs_check(const cli_run_outputs* outputs, const wadi_scene* scene);

// Hook `output` of wadi_host, with `user` a cli_run_outputs.
wadi_result cli_run_output(void* user, wadi_run* run, const wadi_output* output);

// Write the report of the run so far.
cli_status cli_run_write_report(const cli_run_outputs* outputs, const wadi_terrain* terrain,
                                const char* path);

// Print a line for each file that was written. Outputs that an interrupted run passed over are
// left out.
void cli_run_print_outputs(const cli_run_outputs* outputs, wadi_run* run);
