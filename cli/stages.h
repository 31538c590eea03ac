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
    cli_stage rows[CLI_MAX_STAGES]; // in the order they were first entered
    int32_t count;
    cli_stage* current; // NULL: between two steps
    double since;       // [s] when it was entered
} cli_stages;

// At `now` [s] the stage of that name begins, and the one before ends. NULL: none begins.
void cli_stages_enter(cli_stages* stages, const char* name, double now);
