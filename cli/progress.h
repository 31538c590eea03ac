// SPDX-License-Identifier: MIT
// Progress on standard error: a bar with rate and remaining time, or lines of JSON.
#pragma once

#include <stdbool.h>

typedef enum cli_progress_mode
{
    CLI_PROGRESS_BAR, // on a terminal only
    CLI_PROGRESS_JSON,
    CLI_PROGRESS_NONE
} cli_progress_mode;

typedef struct cli_progress
{
    cli_progress_mode mode;
    double total;     // amount of work at share 1 ...
    const char* unit; // ... in this unit; NULL: show the rate as a share
    double started;   // [s]
    double shown;     // time of the last output [s]
    double share;     // done of the current stretch, in [0, 1]
    double before;    // share of the whole before the current stretch
    double span;      // share of the whole in the current stretch
    bool drawn;       // the bar is visible
} cli_progress;

// Start without output. A bar is disabled if standard error is not a terminal.
cli_progress cli_progress_start(cli_progress_mode mode);

// Start work of `total` units.
void cli_progress_begin(cli_progress* progress, double total, const char* unit, double now);

// Start a part of the work: `span` of the whole, after `before` of it is done.
void cli_progress_stretch(cli_progress* progress, double before, double span);

// Show `share` of the current part, at most ten times a second.
void cli_progress_update(cli_progress* progress, double share, const char* what, double now);

// Erase the bar.
void cli_progress_end(cli_progress* progress);
