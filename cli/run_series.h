// SPDX-License-Identifier: MIT
// Frames of grains written while a process of a scene runs.
#pragma once

#include "cli/session.h"

#include "io/series.h"

#include <wadi/run.h>

enum
{
    CLI_SERIES_MOST = 64, // per scene
    CLI_SERIES_PATH = 4096
};

// One series of a scene; opened at its first frame.
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
    wadi_io_tags* tags; // borrowed: origin of the run
    cli_series* items;  // one per series of the scene
    int32_t count;
} cli_run_series;

// Collect the series of a scene; check that their files can be written and are distinct.
cli_status cli_run_series_open(cli_run_series* series, const wadi_scene* scene, const char* path);
void cli_run_series_close(cli_run_series* series);

// Hook `frame_of` of wadi_host, with `user` a cli_run_series.
wadi_result cli_run_series_frame(void* user, wadi_run* run, const wadi_scene_process* step,
                                 int32_t index);

// Print a line for each series with frames.
void cli_run_series_print(const cli_run_series* series);
