// SPDX-License-Identifier: MIT
// `wadi run` in windows: the same scene and the same bits, for grids larger than memory.
#pragma once

#include "cli/run_job.h"

#include <wadi/window.h>

// Programs that share the windows of a run, one window each.
typedef struct cli_windows_ranks cli_windows_ranks;
struct cli_windows_ranks
{
    int32_t rank; // of this program, and its window; rank 0 writes and prints
    int32_t count;
    int32_t threads; // of each program
    // Do `work` on rank 0, and on the others when it is done there, so that what fails everywhere
    // is told once. Returns the worst status of all ranks.
    cli_status (*in_order)(const cli_windows_ranks* ranks, cli_status (*work)(void* user),
                           void* user);
    // wadi_windows_run() for the own window.
    wadi_result (*run)(const cli_windows_ranks* ranks, wadi_context* context,
                       const wadi_windows_def* def, wadi_window_fn* fn, void* user);
    // End all ranks, after a failure of this one.
    void (*abort)(const cli_windows_ranks* ranks, cli_status status);
};

// What the command line says about windows. All zero: none.
typedef struct cli_windows_wish
{
    const char* windows; // "4x4": windows in memory
    const char* tiles;   // "4x4": windows in files
    const char* memory;  // "4GiB": as many windows in files as that memory needs
    int32_t save_every;  // [s] between saved states
    const char* resume;  // a saved state, or NULL
    bool only_check;
    const cli_windows_ranks* ranks; // NULL: all windows are in this program
} cli_windows_wish;

bool cli_windows_wanted(const cli_windows_wish* wish);
// Do the options of a run go together?
cli_status cli_windows_check(const cli_windows_wish* wish);
cli_status cli_run_windows(const cli_run_options* options, const cli_windows_wish* wish,
                           const char* folder, const cli_run_source* source);
