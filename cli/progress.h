// SPDX-License-Identifier: MIT
// Progress of long work on standard error: a bar with rate and time left, or lines of JSON.
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
    double total;     // what share 1 stands for ...
    const char* unit; // ... in this unit; NULL: the rate is a share
    double started;   // [s]
    double shown;     // when something was shown last [s]
    double share;     // done of the stretch at work, in [0, 1]
    double before;    // share of the whole that is done by earlier stretches
    double span;      // share of the whole that the stretch at work is
    bool drawn;       // the bar is on the screen
} cli_progress;

// Progress that shows nothing yet. A bar becomes none where standard error is no terminal.
cli_progress cli_progress_start(cli_progress_mode mode);

// A stretch of work of `total` units begins.
void cli_progress_begin(cli_progress* progress, double total, const char* unit, double now);

// A stretch of that work begins: `span` of it, when `before` is done.
void cli_progress_stretch(cli_progress* progress, double before, double span);

// Show `share` of the stretch done, at most ten times a second.
void cli_progress_update(cli_progress* progress, double share, const char* what, double now);

// Take the bar off the screen.
void cli_progress_end(cli_progress* progress);
