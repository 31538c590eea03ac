// SPDX-License-Identifier: MIT
// Files of a run in windows: patterns of tiles may give two outputs the same name.
#include "cli/run_windows_job.h"

#include "cli/tile_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct windows_names
{
    char** items;
    size_t count;
} windows_names;

// The file that a step writes; NULL: none. Checkpoints and series are written again and again.
static const wadi_output* names_output(const windows_job* job, int32_t step)
{
    const wadi_step* of = wadi_scene_step(job->open.scene, step);
    const bool writes = of->kind == WADI_STEP_OUTPUT && of->output.kind != WADI_OUTPUT_CHECKPOINT;
    return writes && !of->output.appends ? &of->output : NULL;
}

static bool names_are_tiles(const wadi_output* output)
{
    return cli_tile_is_pattern(output->file);
}

static int32_t names_files(const windows_job* job, const wadi_output* output)
{
    return names_are_tiles(output) ? job->def.columns * job->def.rows : 1;
}

static bool names_keep(windows_names* names, const char* path)
{
    char* copy = strdup(path);
    names->items[names->count] = copy;
    names->count += copy != NULL ? 1 : 0;
    return copy != NULL;
}

static bool names_add(const windows_job* job, const wadi_output* output, windows_names* names)
{
    for (int32_t i = 0; i < names_files(job, output); ++i)
    {
        char path[2 * PATH_MAX];
        if (names_are_tiles(output))
        {
            cli_windows_tile_path(job, output->file, i, path);
        }
        else
        {
            cli_windows_path(job, output->file, path);
        }
        if (!names_keep(names, path))
        {
            return false;
        }
    }
    return true;
}

static bool names_gather(const windows_job* job, windows_names* names)
{
    const int32_t steps = wadi_scene_step_count(job->open.scene);
    size_t room = 2; // with the report of the run
    for (int32_t i = 0; i < steps; ++i)
    {
        const wadi_output* output = names_output(job, i);
        room += output != NULL ? (size_t)names_files(job, output) : 0;
    }
    names->items = malloc(room * sizeof *names->items);
    bool fits =
        names->items != NULL && (job->report_file == NULL || names_keep(names, job->report_file));
    for (int32_t i = 0; i < steps && fits; ++i)
    {
        const wadi_output* output = names_output(job, i);
        fits = output == NULL || names_add(job, output, names);
    }
    return fits;
}

static int names_compare(const void* a, const void* b)
{
    return strcmp(*(char* const*)a, *(char* const*)b);
}

static cli_status names_check(const windows_names* names)
{
    qsort(names->items, names->count, sizeof *names->items, names_compare);
    for (size_t i = 1; i < names->count; ++i)
    {
        if (strcmp(names->items[i - 1], names->items[i]) == 0)
        {
            return cli_fail(CLI_USAGE,
                            "the output %s is another output as well; give it another name",
                            names->items[i]);
        }
    }
    return CLI_DONE;
}

cli_status cli_windows_check_names(const windows_job* job)
{
    windows_names names = {NULL, 0};
    const cli_status status = names_gather(job, &names)
                                  ? names_check(&names)
                                  : cli_fail(CLI_FAILED, "out of memory for the names of outputs");
    for (size_t i = 0; i < names.count; ++i)
    {
        free(names.items[i]);
    }
    free(names.items);
    return status;
}
