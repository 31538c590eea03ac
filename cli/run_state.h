// SPDX-License-Identifier: MIT
// The state of a run in windows: one file, which does not depend on the windows.
#pragma once

#include "cli/run_job.h"

// Is a file such a state?
bool cli_run_state_is(const char* path);

// Write the state and the report of the run over `path` when it is whole. All windows call it: with
// `path` NULL a window gives its part to window 0, and writes nothing. Failures are reported in
// `context`.
wadi_result cli_run_state_write(wadi_context* context, const cli_run_source* source,
                                const wadi_run* run, const cli_report* report, const char* path);

// Is a file a checkpoint of a run without windows, FILE.nc?
bool cli_run_state_is_packed(const char* path);
// Write such a state from the checkpoint of a scene with the same steps, over `path` when it is
// whole.
wadi_result cli_run_state_unpack(wadi_context* context, const cli_run_source* source,
                                 const char* checkpoint, const char* path);

// Make the run and its report from a state of the same scene and the same changes to it. A window
// reads its part of it. Failures are reported in `context`, which is that of the scene. Close the
// report in any case.
wadi_result cli_run_state_read(wadi_context* context, const cli_run_source* source,
                               const wadi_scene* scene, const wadi_host* host, const char* path,
                               cli_report* report, wadi_run** out);
