// SPDX-License-Identifier: MIT
// Outputs of a scene: rasters, pictures and reports in the output folder.
#pragma once

#include "cli/report.h"
#include "cli/session.h"

#include <wadi/run.h>

typedef struct cli_run_outputs
{
    const cli_session* session;
    const char* folder;
    const char* scene;       // scene file, for the report
    const char* report_file; // of the option --report, or NULL
    cli_report report;       // of the completed steps
    bool in_tiles;           // outputs may be named tiles, as of a run in windows
    bool interrupted;
    double partial; // years of the step that was interrupted
    struct cli_run_checkpoint* checkpoint;
    wadi_io_tags tags;      // origin of the files
    bool has_printed_error; // an error message has been printed already
} cli_run_outputs;

// Check before the first step that every output of the scene can be written.
cli_status cli_run_outputs_check(const cli_run_outputs* outputs, const wadi_scene* scene);

// Fail if an output of the scene, or the report, would replace an input file.
cli_status cli_run_outputs_check_input(const cli_run_outputs* outputs, const wadi_scene* scene,
                                       const char* input);

// Hook `output` of wadi_host, with `user` a cli_run_outputs.
wadi_result cli_run_output(void* user, wadi_run* run, const wadi_output* output);

// Write a report of the run up to now.
cli_status cli_run_write_report(const cli_run_outputs* outputs, wadi_run* run, const char* path);

// Print a line for each written file. Outputs that an interrupted run skipped are left out.
void cli_run_print_outputs(const cli_run_outputs* outputs, wadi_run* run);
