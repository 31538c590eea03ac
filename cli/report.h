// SPDX-License-Identifier: MIT
// The JSON report of a run: ledger, work, rates and state hash. docs/cli.md lists its keys.
#pragma once

#include "message.h"

#include <wadi/ledger.h>
#include <wadi/process.h>

enum
{
    CLI_REPORT_PROCESSES = 16,
    CLI_REPORT_WORK = 32, // counters and figures of one process
};

// What solvers of one process did.
typedef struct cli_report_sum
{
    double years;
    wadi_work work[CLI_REPORT_WORK];
    int32_t work_count;
    wadi_figure figures[CLI_REPORT_WORK];
    int32_t figure_count;
} cli_report_sum;

// A solver counts since its creation, and may be reported several times as it goes on.
typedef struct cli_report_process
{
    const char* name;
    double wall_s;
    double solver_years;   // of the latest solver
    cli_report_sum before; // of all solvers but that one
    cli_report_sum sum;    // of all
} cli_report_process;

typedef struct cli_report
{
    wadi_ledger_row start[WADI_MAX_MATERIALS]; // the ledger when the report was begun
    cli_report_process processes[CLI_REPORT_PROCESSES];
    int32_t process_count;
} cli_report;

// What is said of the run as a whole.
typedef struct cli_report_run
{
    const char* scene; // file, or NULL where there is none
    int32_t threads;
    double wall_s;
    bool interrupted;
} cli_report_run;

// Remember the ledger: what is there now is what the report calls "before".
void cli_report_begin(const wadi_terrain* terrain, cli_report* report);

// Add what a solver did in `wall_s` seconds for `years`; it `goes_on` where it is the one that was
// added last.
void cli_report_add(cli_report* report, const wadi_solver* solver, double years, double wall_s,
                    bool goes_on);

// Write the report.
cli_status cli_report_write(const cli_report* report, const wadi_terrain* terrain,
                            const cli_report_run* run, const char* path);

// Total that left over all sides.
double cli_ledger_out(const wadi_ledger_row* row);
