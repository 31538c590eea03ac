// SPDX-License-Identifier: MIT
// Reports of a run in windows: all windows sum up, and the first one writes.
#include "cli/run_windows_job.h"

#include "cli/output.h"

#include <stdlib.h>

static int32_t windows_threads(const windows_job* job)
{
    const cli_windows_ranks* ranks = job->wish->ranks;
    return ranks != NULL ? ranks->count * ranks->threads
                         : wadi_context_workers(job->session.context);
}

static wadi_result windows_write_text(const windows_window* window, const char* text,
                                      const char* path)
{
    windows_job* job = window->job;
    if (text == NULL)
    {
        return wadi_context_fail(window->part.context, WADI_ERROR_MEMORY,
                                 "out of memory for the report %s", path);
    }
    if (window->index != 0 || cli_output_write(path, text) == CLI_DONE)
    {
        return WADI_OK;
    }
    job->has_printed_error = true;
    return wadi_context_fail(window->part.context, WADI_ERROR_IO, "the report %s is not written",
                             path);
}

wadi_result cli_windows_report(windows_window* window, const char* path)
{
    const windows_job* job = window->job;
    const wadi_terrain* terrain = wadi_run_terrain(window->run);
    const cli_report_run about = {.scene = job->open.source->path,
                                  .threads = windows_threads(job),
                                  .wall_s = cli_seconds() - job->session.started,
                                  .interrupted = job->stopped,
                                  .years = wadi_terrain_clock(terrain) + window->partial,
                                  .hash = wadi_run_hash(window->run),
                                  .tags = &job->open.tags};
    char* text = cli_report_text(window->report, terrain, &about);
    const wadi_result result = windows_write_text(window, text, path);
    free(text);
    return result;
}
