// SPDX-License-Identifier: MIT
// What a run in windows takes of the disk.
#pragma once

#include "cli/message.h"

#include <wadi/wadi.h>

// Bytes, as far as a scene tells before it runs.
typedef struct cli_run_disk
{
    double windows; // of the files of all windows, but for:
    double whole;   // the whole grid, in the file of the first one
    double state;   // a saved state; another one is written before it replaces the last
} cli_run_disk;

// Does a step run on the whole grid, gathered in the first window?
bool cli_run_disk_gathers(const wadi_step* step);

// Bytes a cell of the whole grid that a step needs for a while, besides its process: for a map of
// drainage or the erosion index.
int32_t cli_run_disk_passing(const wadi_step* step);

// The needs of a scene that is cut as in `def`. `window`: the memory of one window (cli_run_cut()),
// which counts for dunes, since their wind is computed on a box around the window.
cli_run_disk cli_run_disk_of(const wadi_scene* scene, const wadi_windows_def* def, size_t window);

// Fail if the disk of `folder` has no room for all of it. The state of `path` is there already; it
// may be missing.
cli_status cli_run_disk_check(const cli_run_disk* disk, int32_t windows, const char* folder,
                              const char* path);
