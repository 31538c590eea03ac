// SPDX-License-Identifier: MIT
// Seconds that a process spends in each stage of its steps, for `wadi bench`.
#pragma once

#include <stdint.h>

enum
{
    CLI_MAX_STAGES = 16
};

typedef struct cli_stage
{
    const char* name;
    double seconds;
} cli_stage;

typedef struct cli_stages
{
    cli_stage rows[CLI_MAX_STAGES]; // in order of first entry
    int32_t count;
    cli_stage* current; // NULL: between two steps
    double since;       // [s] time of entry
} cli_stages;

// Enter the stage `name` at time `now` [s] and leave the previous one. NULL: leave only.
void cli_stages_enter(cli_stages* stages, const char* name, double now);
