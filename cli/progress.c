// SPDX-License-Identifier: MIT
#include "cli/progress.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    PROGRESS_CELLS = 28 // width of the bar
};

// Shortest time between two updates [s].
static const double progress_interval = 0.1;

cli_progress cli_progress_start(cli_progress_mode mode)
{
    const char* kind = getenv("TERM");
    const bool dumb = kind == NULL || strcmp(kind, "dumb") == 0;
    const bool hidden = mode == CLI_PROGRESS_BAR && (isatty(STDERR_FILENO) == 0 || dumb);
    return (cli_progress){.mode = hidden ? CLI_PROGRESS_NONE : mode};
}

void cli_progress_begin(cli_progress* progress, double total, const char* unit, double now)
{
    progress->total = total;
    progress->unit = unit;
    progress->started = now;
    progress->shown = now;
    cli_progress_stretch(progress, 0.0, 1.0);
}

void cli_progress_stretch(cli_progress* progress, double before, double span)
{
    progress->share = 0.0;
    progress->before = before;
    progress->span = span;
}

static double progress_of_whole(const cli_progress* progress)
{
    return progress->before + progress->span * progress->share;
}

// Format a rate with a metric prefix and three digits: "1.25 k".
static void progress_format_rate(double rate, char* text, size_t size)
{
    static const char prefixes[][3] = {"", "k", "M", "G"};
    int step = 0;
    while (step < 3 && rate >= 1000.0)
    {
        rate /= 1000.0;
        step += 1;
    }
    (void)snprintf(text, size, "%.3g %s", rate, prefixes[step]);
}

// Format seconds as minutes:seconds or hours:minutes:seconds.
static void progress_format_left(double left, char* text, size_t size)
{
    const long seconds = lround(fmin(left, 3.6e9)); // the first estimate may be huge
    const long minutes = seconds / 60;
    if (minutes < 60)
    {
        (void)snprintf(text, size, "%ld:%02ld", minutes, seconds % 60);
    }
    else
    {
        (void)snprintf(text, size, "%ld:%02ld:%02ld", minutes / 60, minutes % 60, seconds % 60);
    }
}

// Line wrap is off (?7l) while drawing, so that narrow terminals show one line.
static void progress_draw(cli_progress* progress, const char* what, double elapsed, double left)
{
    const double share = progress_of_whole(progress);
    const int filled = (int)lround(share * PROGRESS_CELLS);
    char rate[32];
    char clock[32];
    const double amount = progress->unit != NULL ? progress->total : 100.0;
    progress_format_rate(share * amount / elapsed, rate, sizeof rate);
    progress_format_left(left, clock, sizeof clock);
    (void)fprintf(stderr, "\r\033[?7l\033[K%-12s [%.*s%.*s] %3.0f %%  %s%s/s  %s left\033[?7h",
                  what, filled, "############################", PROGRESS_CELLS - filled,
                  "............................", 100.0 * share, rate,
                  progress->unit != NULL ? progress->unit : "%", clock);
    (void)fflush(stderr);
    progress->drawn = true;
}

static void progress_print_json(const cli_progress* progress, const char* what, double elapsed,
                                double left)
{
    const double share = progress_of_whole(progress);
    json_t* line =
        json_pack("{s:s, s:f, s:f, s:f, s:f}", "what", what, "share", share, "elapsed_s", elapsed,
                  "left_s", left, "rate_per_s", share * progress->total / elapsed);
    (void)json_dumpf(line, stderr, JSON_COMPACT | JSON_REAL_PRECISION(6));
    (void)fputc('\n', stderr);
    json_decref(line);
}

void cli_progress_update(cli_progress* progress, double share, const char* what, double now)
{
    progress->share = share;
    const double elapsed = now - progress->started;
    // the first JSON line is printed at once to tell readers that work has started
    const bool first = progress->mode == CLI_PROGRESS_JSON && progress->shown == progress->started;
    const double whole = progress_of_whole(progress);
    const bool due = first || now - progress->shown >= progress_interval || whole >= 1.0;
    if (progress->mode == CLI_PROGRESS_NONE || !due || elapsed <= 0.0 || whole <= 0.0)
    {
        return;
    }
    progress->shown = now;
    const double left = elapsed * (1.0 - whole) / whole;
    if (progress->mode == CLI_PROGRESS_BAR)
    {
        progress_draw(progress, what, elapsed, left);
    }
    else
    {
        progress_print_json(progress, what, elapsed, left);
    }
}

void cli_progress_end(cli_progress* progress)
{
    if (progress->drawn)
    {
        (void)fputs("\r\033[K", stderr);
        (void)fflush(stderr);
        progress->drawn = false;
    }
}
