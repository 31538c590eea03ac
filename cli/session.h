// SPDX-License-Identifier: MIT
// Setup of a working verb: a context with threads, progress and Ctrl-C.
#pragma once

#include "cli/options.h"
#include "cli/progress.h"
#include "cli/stages.h"

// Options of all long-running verbs; their structs have a member of this type.
typedef struct cli_run_options
{
    int32_t threads; // 0: one per core
    int32_t progress;
    const char* report; // file, or NULL
} cli_run_options;

// Rows of an option table for a struct with a member `run`.
#define CLI_THREADS_OPTION(type)                                                                   \
    {                                                                                              \
        .name = "threads", .kind = CLI_COUNT, .offset = offsetof(type, run.threads), .value = "N", \
        .min = 1, .max = 1024,                                                                     \
        .doc =                                                                                     \
            "Threads to work with. Default: one per core. The result is the same bits with any "   \
            "number."                                                                              \
    }
#define CLI_RUN_OPTIONS(type)                                                                      \
    CLI_THREADS_OPTION(type),                                                                      \
        {.name = "progress",                                                                       \
         .kind = CLI_CHOICE,                                                                       \
         .offset = offsetof(type, run.progress),                                                   \
         .value = "bar|json|none",                                                                 \
         .doc = "How progress is shown on standard error: a bar, on a terminal only (default); "   \
                "one JSON object a line; or not at all."},                                         \
    {                                                                                              \
        .name = "report", .kind = CLI_OUTPUT, .offset = offsetof(type, run.report),                \
        .value = "FILE", .doc = "Write a JSON report: ledger, work, rates, state hash."            \
    }

struct cli_arena;

typedef struct cli_session
{
    wadi_context* context;
    cli_progress progress;
    cli_stages stages;
    double started;          // [s] by cli_seconds()
    struct cli_arena* arena; // of windows in files; NULL: memory is that of the system
    double until; // [s] of processor time: progress stops the library from then on; 0: it does not
} cli_session;

// Make the context. `run` is NULL for verbs without these options.
cli_status cli_session_open(const cli_run_options* run, cli_session* session);
void cli_session_close(cli_session* session);
// The definition of a context with the hooks of a session: for windows, one of which runs at a
// time.
wadi_context_def cli_session_hooks(cli_session* session);

// Let Ctrl-C and SIGTERM stop the library between two steps; a second one ends the program.
void cli_session_catch_interrupt(void);

// Monotonic clock [s].
double cli_seconds(void);
// Processor time of all threads [s]: unlike the clock it does not count other programs.
double cli_cpu_seconds(void);
