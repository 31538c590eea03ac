// SPDX-License-Identifier: MIT
// Frames of grains that a scene leaves behind while a process is at work.
#pragma once

#include "session.h"

#include "io/series.h"

#include <wadi/run.h>

enum
{
    CLI_SERIES_MOST = 64, // of a scene
    CLI_SERIES_PATH = 4096
};

// One series of the scene; begun when its first frame comes.
typedef struct cli_series
{
    const wadi_scene_series* of;
    char path[CLI_SERIES_PATH];
    wadi_io_series frames;
} cli_series;

typedef struct cli_run_series
{
    const cli_session* session;
    const char* folder;
    cli_series* items; // of all steps
    int32_t count;
} cli_run_series;

// Find the series of a scene, and make sure that they can be written and that no two of them write
// the same files.
cli_status cli_run_series_open(cli_run_series* series, const wadi_scene* scene, const char* path);
void cli_run_series_close(cli_run_series* series);

// Hook `frame_of` of wadi_host, with `user` a cli_run_series.
wadi_result cli_run_series_frame(void* user, wadi_run* run, const wadi_scene_process* step,
                                 int32_t index);

// Print a line for each series that has frames.
void cli_run_series_print(const cli_run_series* series);
