// SPDX-License-Identifier: MIT
// Goals of a run: what was wanted, what was reached, and when.
#pragma once

#include "cli/report.h"

#include <jansson.h>

// Add a goal that was met, or whose time is over. `clock` is the world's clock then [yr].
void cli_report_add_goal(cli_report* report, const char* process, const wadi_goal* goal,
                         const wadi_goal_course* course, double clock);

// For the report, and to keep in a checkpoint.
json_t* cli_report_goals(const cli_report* report);
void cli_report_restore_goals(json_t* from, cli_report* report); // names point into `from`

// Print a line for each goal of a process.
void cli_report_print_goals(const cli_report* report, const char* process);

// Fail, with a message, if a goal was not met.
cli_status cli_report_check_goals(const cli_report* report);
