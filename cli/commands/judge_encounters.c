// SPDX-License-Identifier: MIT
// Collisions and calvings of `wadi judge dunes`: each state of --before is compared with the next,
// and the last one with the surface.
#include "cli/commands/judge_kinds.h"

#include <stdlib.h>

// Two states of a field in turn.
typedef struct met_states
{
    const cli_judge_job* job;
    wadi_io_raster rasters[2];
    float* sands[2]; // NULL: unknown
} met_states;

static void met_close(met_states* states)
{
    for (int32_t i = 0; i < 2; ++i)
    {
        wadi_io_raster_free(&states->rasters[i]);
        free(states->sands[i]);
    }
}

// The sand of a state is what lies above the rock of the surface.
static cli_status met_find_sand(met_states* states, int32_t at)
{
    const cli_judge_job* job = states->job;
    if (job->sand.values == NULL)
    {
        return CLI_DONE;
    }
    const size_t cells = (size_t)job->surface.width * (size_t)job->surface.height;
    free(states->sands[at]);
    states->sands[at] = malloc(cells * sizeof *states->sands[at]);
    if (states->sands[at] == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for the sand of an earlier state");
    }
    for (size_t i = 0; i < cells; ++i)
    {
        const float rock = job->surface.values[i] - job->sand.values[i];
        const float thick = states->rasters[at].values[i] - rock;
        states->sands[at][i] = thick < 0.0f ? 0.0f : thick;
    }
    return CLI_DONE;
}

static cli_status met_read(met_states* states, int32_t at, const char* path)
{
    wadi_io_raster_free(&states->rasters[at]);
    states->rasters[at] = (wadi_io_raster){0};
    CLI_TRY(cli_judge_read_beside(states->job, path, true, &states->rasters[at]));
    return met_find_sand(states, at);
}

static cli_status met_compare(const met_states* states, int32_t from, const wadi_dune_field* after,
                              wadi_dune_encounters* sum)
{
    wadi_dune_field before = {states->job->field, states->sands[from]};
    before.surface.heights = states->rasters[from].values;
    wadi_dune_encounters met;
    CLI_TRY(cli_check(states->job->context,
                      wadi_dune_encounters_count(states->job->context, &before, after, &met)));
    sum->collisions += met.collisions;
    sum->calvings += met.calvings;
    sum->gone += met.gone;
    sum->born += met.born;
    sum->kept = met.kept; // in the last step
    return CLI_DONE;
}

static cli_status met_follow(met_states* states, wadi_dune_encounters* sum)
{
    const cli_judge_job* job = states->job;
    const cli_list* files = &job->options->before;
    CLI_TRY(met_read(states, 0, files->items[0]));
    for (int32_t i = 1; i < files->count; ++i)
    {
        const int32_t now = i % 2;
        CLI_TRY(met_read(states, now, files->items[i]));
        wadi_dune_field after = {job->field, states->sands[now]};
        after.surface.heights = states->rasters[now].values;
        CLI_TRY(met_compare(states, 1 - now, &after, sum));
    }
    const wadi_dune_field last = {job->field, job->sand.values};
    return met_compare(states, (files->count - 1) % 2, &last, sum);
}

cli_status cli_judge_encounters(const cli_judge_job* job, wadi_dune_encounters* out)
{
    *out = (wadi_dune_encounters){0};
    met_states states = {.job = job};
    const cli_status status = met_follow(&states, out);
    met_close(&states);
    return status;
}
