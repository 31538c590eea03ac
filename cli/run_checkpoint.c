// SPDX-License-Identifier: MIT
#include "cli/run_checkpoint.h"

#include "cli/output.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cli_status cli_run_checkpoint_inputs(cli_run_checkpoint* checkpoint, const char* scene)
{
    char folder[CLI_CHECKPOINT_PATH];
    const char* slash = strrchr(scene, '/');
    const int length = slash != NULL ? (int)(slash - scene) + 1 : 0;
    (void)snprintf(folder, sizeof folder, "%.*s.", length, scene);
    char* real = realpath(folder, NULL);
    if (real == NULL || strlen(real) + 2 > sizeof checkpoint->inputs)
    {
        free(real);
        return cli_fail(CLI_FAILED, "cannot find the folder of %s: %s", scene, strerror(errno));
    }
    (void)snprintf(checkpoint->inputs, sizeof checkpoint->inputs, "%s%s", real,
                   strcmp(real, "/") == 0 ? "" : "/");
    free(real);
    checkpoint->notes.folder = checkpoint->inputs;
    checkpoint->notes.relative = checkpoint->relative;
    return CLI_DONE;
}

// Length of the common part of two paths, which ends in '/'.
static size_t checkpoint_common(const char* from, const char* to)
{
    size_t same = 0;
    for (size_t i = 0; from[i] != '\0' && from[i] == to[i]; ++i)
    {
        same = from[i] == '/' ? i + 1 : same;
    }
    // all of `from` is common: "/a/b" and "/a/b/c/"
    const size_t length = strlen(from);
    return strncmp(from, to, length) == 0 && to[length] == '/' ? length + 1 : same;
}

// The way from the output folder to that of the scene, so that both can be moved together.
static void checkpoint_set_way(cli_run_checkpoint* checkpoint)
{
    char* real = realpath(checkpoint->folder, NULL);
    checkpoint->relative[0] = '\0';
    if (real == NULL)
    {
        return;
    }
    const char* to = checkpoint->inputs;
    const size_t length = strlen(real);
    const size_t same = checkpoint_common(real, to);
    size_t used = 0;
    for (size_t i = same; i < length && used + 4 < sizeof checkpoint->relative; ++i)
    {
        if (i == same || real[i] == '/')
        {
            memcpy(checkpoint->relative + used, "../", 4);
            used += 3;
        }
    }
    if (used + strlen(to + same) + 3 < sizeof checkpoint->relative)
    {
        (void)snprintf(checkpoint->relative + used, sizeof checkpoint->relative - used, "%s%s",
                       used == 0 ? "./" : "", to + same);
    }
    free(real);
}

wadi_result cli_run_checkpoint_write(cli_run_checkpoint* checkpoint, const cli_report* report,
                                     wadi_run* run, const char* file)
{
    wadi_context* context = checkpoint->session->context;
    char path[CLI_CHECKPOINT_PATH];
    const int length = snprintf(path, sizeof path, "%s/%s", checkpoint->folder, file);
    char* kept = cli_report_keep(report);
    if (kept == NULL || length < 0 || (size_t)length >= sizeof path)
    {
        free(kept);
        return wadi_context_fail(context, WADI_ERROR_MEMORY, "no room for the checkpoint %s", file);
    }
    checkpoint_set_way(checkpoint);
    wadi_io_checkpoint_notes notes = checkpoint->notes;
    notes.file = file;
    notes.report = kept;
    const wadi_result result = wadi_io_checkpoint_write(run, &notes, path);
    free(kept);
    if (result == WADI_OK)
    {
        memcpy(checkpoint->last, path, sizeof path);
        checkpoint->years = wadi_terrain_clock(wadi_run_terrain(run));
    }
    return result;
}

const char* cli_run_checkpoint_name(const wadi_scene* scene)
{
    for (int32_t i = 0; i < wadi_scene_step_count(scene); ++i)
    {
        const wadi_step* step = wadi_scene_step(scene, i);
        if (step->kind == WADI_STEP_OUTPUT && step->output.kind == WADI_OUTPUT_CHECKPOINT)
        {
            return step->output.file;
        }
    }
    return "interrupted.nc";
}

void cli_run_checkpoint_advise(const cli_run_checkpoint* checkpoint)
{
    if (checkpoint->last[0] != '\0')
    {
        (void)fprintf(stderr,
                      "wadi: the state at %.6g yr is in %s; go on from it with: wadi resume %s\n",
                      checkpoint->years, checkpoint->last, checkpoint->last);
    }
}
