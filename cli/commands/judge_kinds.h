// SPDX-License-Identifier: MIT
// Options and input of `wadi judge`, and the two kinds of landforms that it measures.
#pragma once

#include "cli/session.h"

#include "io/raster/geo.h"

#include <wadi/derive.h>

typedef struct cli_judge_options
{
    const char* sand;
    const char* before;
    const char* reach;
    const char* drift;
    const char* cell;
    const char* years;
    const char* sea;
    int32_t edges;
    int32_t gates;
    int32_t plains;
    bool strict;
    bool json;
    cli_run_options run;
} cli_judge_options;

typedef struct cli_judge_job
{
    const cli_judge_options* options;
    wadi_context* context;
    double cell;
    wadi_io_raster surface;
    wadi_io_raster sand;
    wadi_io_raster before;
    double* dx; // cell width of each row
    wadi_field2d field;
} cli_judge_job;

// Measure and print dunes, or land. `check` looks at the options before files are read.
cli_status cli_judge_dunes_check(const cli_judge_job* job);
cli_status cli_judge_dunes(const cli_judge_job* input);
cli_status cli_judge_land_check(const cli_judge_job* job);
cli_status cli_judge_land(const cli_judge_job* input);
