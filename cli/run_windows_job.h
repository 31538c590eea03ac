// SPDX-License-Identifier: MIT
// What the files of a run in windows share: the run, a window at work, and its outputs.
#pragma once

#include "cli/open_scene.h"
#include "cli/report_goals.h"
#include "cli/run_arena.h"
#include "cli/run_series.h"
#include "cli/run_windows.h"

#include <limits.h>

typedef struct windows_job
{
    const cli_windows_wish* wish;
    const char* folder;
    char state[PATH_MAX]; // file of the saved state
    const char* resume;   // state to go on from; NULL: from the start
    cli_session session;
    cli_open_scene open;
    wadi_windows_def def;
    cli_run_series series; // of the program with window 0
    cli_arena* arena;
    size_t bytes;            // of a window
    size_t addresses;        // of a window in a file
    double passed;           // years of the processes that are done
    double saved;            // [s] when the state was saved
    cli_report report;       // of window 0, at the end
    const char* report_file; // NULL: none is asked for
    bool began;              // the first step
    bool stopped;
    bool has_printed_error;
    int lock;
} windows_job;

// One window at work.
typedef struct windows_window
{
    cli_scene_part part;
    windows_job* job;
    int32_t index;
    wadi_run* run;
    cli_report* report; // of the steps so far: the same in all windows
    double partial;     // years of a step that was stopped
} windows_window;

void cli_windows_path(const windows_job* job, const char* file, char path[2 * PATH_MAX]);
bool cli_windows_is_tiff(const char* file);
void cli_windows_tile_path(const windows_job* job, const char* file, int32_t index,
                           char path[2 * PATH_MAX]);
// Check the values of all files that the steps to come read. All windows call it.
wadi_result cli_windows_check_values(windows_window* window);
// Write the report so far, by window 0. All windows call it.
wadi_result cli_windows_report(windows_window* window, const char* path);
// Write an output, of which each window has a part.
wadi_result cli_windows_write(windows_window* window, const wadi_output* output);
// Fail if two outputs have a file of the same name.
cli_status cli_windows_check_names(const windows_job* job);
