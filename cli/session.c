// SPDX-License-Identifier: MIT
#include "cli/session.h"

#include "cli/run_arena.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define SESSION_LONGEST_TRIAL_S 2.0

// The only global variable: signal handlers have no argument for state.
static volatile sig_atomic_t session_interrupted;

static void session_set_signals(void (*handler)(int signal_number))
{
    struct sigaction action = {.sa_handler = handler};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

static void session_on_signal(int signal_number)
{
    (void)signal_number;
    session_interrupted = 1;
    session_set_signals(SIG_DFL); // a second signal ends the program
}

void cli_session_catch_interrupt(void)
{
    session_set_signals(session_on_signal);
}

static bool session_on_progress(double share, const char* what, void* user)
{
    cli_session* session = user;
    cli_progress_update(&session->progress, share, what, cli_seconds());
    // at the end of a trial some of the work is known to be done, unless it takes very long
    const bool tried =
        session->until > 0.0 && cli_cpu_seconds() > session->until &&
        (share > 0.0 || cli_cpu_seconds() > session->until + SESSION_LONGEST_TRIAL_S);
    return session_interrupted == 0 && !tried;
}

static void session_on_log(const char* line, void* user)
{
    cli_session* session = user;
    cli_progress_end(&session->progress);
    (void)fprintf(stderr, "wadi: note: %s\n", line);
}

static void session_on_stage(const char* stage, void* user)
{
    cli_session* session = user;
    cli_stages_enter(&session->stages, stage, cli_seconds());
}

// Stages of water that go along streams, and from cell to cell by height, and those whose passes
// over rows say which pages they read.
static void session_on_window_stage(const char* stage, void* user)
{
    static const char* const scattered[] = {
        "flood", "order",  "solve", "apply", "read",   "lines", "routes",
        "banks", "bands",  "rates", "codes", "change", "books", "ways",
        "pace",  "gather", "climb", "take",  "carry",  "lay",   "lakes",
    };
    const cli_session* session = user;
    bool any = false;
    for (size_t i = 0; i < sizeof scattered / sizeof scattered[0] && stage != NULL; ++i)
    {
        any = any || strcmp(stage, scattered[i]) == 0;
    }
    cli_arena_expect(session->arena, any);
}

double cli_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double cli_cpu_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

cli_status cli_session_open(const cli_run_options* run, cli_session* session)
{
    *session = (cli_session){.started = cli_seconds()};
    wadi_context_def def = wadi_context_def_default();
    def.user = session;
    def.log = session_on_log;
    def.stage = session_on_stage;
    if (run != NULL)
    {
        def.threads = run->threads;
        def.progress = session_on_progress;
        session->progress = cli_progress_start((cli_progress_mode)run->progress);
    }
    const wadi_result result = wadi_context_create(&def, &session->context);
    return result == WADI_OK ? CLI_DONE
                             : cli_fail(CLI_FAILED, "cannot start: %s", wadi_result_name(result));
}

wadi_context_def cli_session_hooks(cli_session* session)
{
    wadi_context_def def = wadi_context_def_default();
    def.user = session;
    def.log = session_on_log;
    def.progress = session_on_progress;
    def.stage = session_on_window_stage;
    return def;
}

void cli_session_close(cli_session* session)
{
    wadi_context_destroy(session->context);
    session->context = NULL;
}
