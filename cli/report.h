// SPDX-License-Identifier: MIT
// JSON report of a run: ledger, work, rates and state hash. docs/cli.md lists its keys.
#pragma once

#include "cli/message.h"

#include "io/tags.h"

#include <wadi/goal.h>
#include <wadi/ledger.h>
#include <wadi/process.h>

enum
{
    CLI_REPORT_PROCESSES = 16,
    CLI_REPORT_GOALS = 16,
    CLI_REPORT_WORK = 32, // maximum of counters and figures per process
};

// Sums over solvers of a process.
typedef struct cli_report_sum
{
    double years;
    wadi_work work[CLI_REPORT_WORK];
    int32_t work_count;
    wadi_figure figures[CLI_REPORT_WORK];
    int32_t figure_count;
} cli_report_sum;

// Work of one process. Solvers count from their creation, and a running solver may be added several
// times; only its latest counts are added to `before`.
typedef struct cli_report_process
{
    const char* name;
    double wall_s;
    int64_t instance;      // of the current solver; -1: none yet
    double solver_years;   // of the current solver
    cli_report_sum before; // of all earlier solvers
    cli_report_sum sum;    // of all solvers
} cli_report_process;

// A goal of a step (report_goals.h).
typedef struct cli_report_goal
{
    const char* process;
    const char* name;
    const char* unit;
    double wanted;
    double reached;
    bool met;
    double years; // of the step
    double clock; // when it ended [yr]
} cli_report_goal;

typedef struct cli_report
{
    wadi_ledger_row start[WADI_MAX_MATERIALS]; // ledger when the report was started
    cli_report_process processes[CLI_REPORT_PROCESSES];
    int32_t process_count;
    cli_report_goal goals[CLI_REPORT_GOALS];
    int32_t goal_count;
    void* kept; // names of a report that was read, or NULL
} cli_report;

// Properties of the whole run.
typedef struct cli_report_run
{
    const char* scene; // scene file, or NULL
    int32_t threads;
    double wall_s;
    bool interrupted;
    double years;             // of the world's clock
    uint64_t hash;            // of terrain and solvers
    const wadi_io_tags* tags; // origin of the run
} cli_report_run;

// Store the current ledger as the "before" of the report.
void cli_report_begin(const wadi_terrain* terrain, cli_report* report);

// Keep a report in a saved state: JSON of all its numbers, which the caller frees; NULL: out of
// memory.
char* cli_report_keep(const cli_report* report);
// Go on with a kept report. Processes that are not known here are left out. An empty text changes
// nothing. False: the text is damaged.
bool cli_report_restore(const wadi_context* context, const char* text, cli_report* report);
void cli_report_close(cli_report* report);

// Add the work of a solver: `wall_s` seconds for `years`. The new counts of the solver added last
// replace its old ones; another instance is another solver.
void cli_report_add(cli_report* report, const wadi_solver* solver, double years, double wall_s);

// The text of the report, which the caller frees; NULL: out of memory. In windows all of them call
// it, with reports of the same processes: sums are those of the whole grid.
char* cli_report_text(const cli_report* report, const wadi_terrain* terrain,
                      const cli_report_run* run);
// Write the report.
cli_status cli_report_write(const cli_report* report, const wadi_terrain* terrain,
                            const cli_report_run* run, const char* path);

// Total outflow over all sides.
double cli_ledger_out(const wadi_ledger_row* row);
