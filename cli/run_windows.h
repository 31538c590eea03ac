// SPDX-License-Identifier: MIT
// `wadi run` in windows: the same scene and the same bits, for grids larger than memory.
#pragma once

#include "cli/run_job.h"

// What the command line says about windows. All zero: none.
typedef struct cli_windows_wish
{
    const char* windows; // "4x4": windows in memory
    const char* tiles;   // "4x4": windows in files
    const char* memory;  // "4GiB": as many windows in files as that memory needs
    int32_t save_every;  // [s] between saved states
    const char* resume;  // a saved state, or NULL
    bool only_check;
} cli_windows_wish;

bool cli_windows_wanted(const cli_windows_wish* wish);
// Do the options of a run go together?
cli_status cli_windows_check(const cli_windows_wish* wish, const cli_run_options* options);
// Is a file a state that a run in windows has saved?
bool cli_windows_is_state(const char* path);
cli_status cli_run_windows(const cli_run_options* options, const cli_windows_wish* wish,
                           const char* folder, const cli_run_source* source);
