// SPDX-License-Identifier: MIT
// Summary of a run on standard output.
#pragma once

#include "cli/report.h"

// What a process has moved, by its account in the ledger [m3].
typedef struct cli_summary_account
{
    const wadi_process* about; // NULL: unknown
    double rain;
    double in;
    double out;
    double eroded;
} cli_summary_account;

// The numbers of the terrain that a summary needs.
typedef struct cli_summary
{
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    wadi_ledger_row masked[WADI_MAX_MATERIALS]; // what masks have undone
    int32_t count;                              // of rows
    double area;                                // of cells with data [m2]
    cli_summary_account accounts[CLI_REPORT_PROCESSES];
} cli_summary;

// Take them. In windows all of them call it, with reports of the same processes: sums are those of
// the whole grid.
void cli_summary_take(const cli_report* report, const wadi_terrain* terrain, cli_summary* out);

// Print years and figures of each process, its goals, and the balance of solids and water with the
// residual of both.
void cli_summary_print(const cli_report* report, const cli_summary* summary);
// A line that a summary may add to the figures of a process, from the ledger; NULL from the last
// one on.
const wadi_figure_info* cli_summary_line(const wadi_process* process, int32_t index);
// Print the hash of terrain and solvers.
void cli_summary_print_state(uint64_t hash);

// Fail if the ledger has a residual, which is a bug in wadi.
cli_status cli_summary_check(const wadi_terrain* terrain);
