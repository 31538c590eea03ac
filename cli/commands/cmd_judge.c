// SPDX-License-Identifier: MIT
// wadi judge: measure landforms, simulated or surveyed.
#include "cli/command.h"
#include "cli/commands/judge_kinds.h"
#include "cli/fields.h"

#include <stdlib.h>
#include <string.h>

static const cli_option judge_option_list[] = {
    {.name = "sand",
     .kind = CLI_TEXT,
     .offset = offsetof(cli_judge_options, sand),
     .value = "FILE",
     .doc = "Dunes: thickness of the sand on the same grid; gives the bare fraction and the number "
            "of heaps."},
    {.name = "drift",
     .kind = CLI_TEXT,
     .offset = offsetof(cli_judge_options, drift),
     .value = "AZIMUTH|none",
     .doc = "Dunes: azimuth of the resultant sand drift, in degrees clockwise from north, or none "
            "if the "
            "winds cancel; gives the kind of dunes."},
    {.name = "before",
     .kind = CLI_TEXT,
     .offset = offsetof(cli_judge_options, before),
     .value = "FILE",
     .doc = "An earlier surface on the same grid; gives the distance that dunes have moved, or the "
            "wear of land."},
    {.name = "reach",
     .kind = CLI_TEXT,
     .offset = offsetof(cli_judge_options, reach),
     .value = "LENGTH",
     .doc = "Dunes: largest distance searched. Default: 24 cells; at most 64 cells."},
    {.name = "edges",
     .kind = CLI_CHOICE,
     .offset = offsetof(cli_judge_options, edges),
     .value = "open|closed|periodic",
     .doc = "Dunes: edges of the grid; periodic for scenes with periodic edges."},
    {.name = "years",
     .kind = CLI_TEXT,
     .offset = offsetof(cli_judge_options, years),
     .value = "TIME",
     .doc = "Land: time since --before, such as 400kyr; gives the denudation in mm/yr."},
    {.name = "sea",
     .kind = CLI_TEXT,
     .offset = offsetof(cli_judge_options, sea),
     .value = "LEVEL",
     .doc = "Land: ground at or below this level, such as 0m, is sea, not land."},
    {.name = "gates",
     .kind = CLI_CHOICE,
     .offset = offsetof(cli_judge_options, gates),
     .value = "noise|range|none",
     .doc = "Land: the gates to compare with. noise (default): land worn from noise. range: a "
            "range under uplift."},
    {.name = "plains",
     .kind = CLI_CHOICE,
     .offset = offsetof(cli_judge_options, plains),
     .value = "auto|mask|keep",
     .doc = "Land: leave out plains around mountains, or measure the whole map. Default: leave "
            "them out with the gates of a range only."},
    {.name = "strict",
     .kind = CLI_FLAG,
     .offset = offsetof(cli_judge_options, strict),
     .doc = "Land: end with status 1 if a gate is not met."},
    {.name = "cell",
     .kind = CLI_TEXT,
     .offset = offsetof(cli_judge_options, cell),
     .value = "LENGTH",
     .doc = "Cell size, such as 10m, for files that do not hold it (PNG, R16)."},
    {.name = "json",
     .kind = CLI_FLAG,
     .offset = offsetof(cli_judge_options, json),
     .doc = "Print JSON."},
    CLI_THREADS_OPTION(cli_judge_options),
};

typedef struct judge_kind
{
    const char* name;
    cli_status (*check)(const cli_judge_job* job);
    cli_status (*judge)(const cli_judge_job* job);
} judge_kind;

static const judge_kind judge_kinds[] = {
    {"dunes", cli_judge_dunes_check, cli_judge_dunes},
    {"land", cli_judge_land_check, cli_judge_land},
};

// ---- reading -----------------------------------------------------------------------------------

// Read another raster on the grid of the surface; does nothing if `path` is NULL.
static cli_status judge_read_beside(cli_judge_job* job, const char* path, bool is_ground,
                                    wadi_io_raster* out)
{
    if (path == NULL)
    {
        return CLI_DONE;
    }
    CLI_TRY(cli_check(job->context,
                      wadi_io_raster_read(job->context, path, job->cell, is_ground, out)));
    return out->width == job->surface.width && out->height == job->surface.height
               ? CLI_DONE
               : cli_fail(CLI_USAGE,
                          "%s has %d x %d cells, but the surface has %d x %d; resample one", path,
                          out->width, out->height, job->surface.width, job->surface.height);
}

static cli_status judge_read(cli_judge_job* job, const char* input)
{
    CLI_TRY(cli_check(job->context,
                      wadi_io_raster_read(job->context, input, job->cell, true, &job->surface)));
    CLI_TRY(judge_read_beside(job, job->options->sand, false, &job->sand));
    CLI_TRY(judge_read_beside(job, job->options->before, true, &job->before));
    job->dx = malloc((size_t)job->surface.height * sizeof *job->dx);
    if (job->dx == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory");
    }
    job->field = (wadi_field2d){.heights = job->surface.values,
                                .width = job->surface.width,
                                .height = job->surface.height,
                                .stride = job->surface.width,
                                .dx_of_row = job->dx};
    wadi_io_raster_metric(&job->surface, job->dx, &job->field.dy);
    for (int side = 0; side < 4; ++side)
    {
        job->field.edges[side] = (wadi_edge)job->options->edges;
    }
    return CLI_DONE;
}

// ---- the verb ----------------------------------------------------------------------------------

static cli_status judge_work(cli_judge_job* job, const cli_list* operands)
{
    const judge_kind* kind = NULL;
    for (size_t i = 0; i < sizeof judge_kinds / sizeof judge_kinds[0]; ++i)
    {
        kind = strcmp(operands->items[0], judge_kinds[i].name) == 0 ? &judge_kinds[i] : kind;
    }
    if (kind == NULL)
    {
        return cli_fail(CLI_USAGE, "cannot judge '%s'; expected 'dunes' or 'land'",
                        operands->items[0]);
    }
    if (job->options->cell != NULL)
    {
        CLI_TRY(
            cli_quantity(job->context, "--cell", job->options->cell, "m", 1e-3, 1e6, &job->cell));
    }
    CLI_TRY(kind->check(job));
    CLI_TRY(judge_read(job, operands->items[1]));
    return kind->judge(job);
}

static cli_status judge_run(const cli_command* command, int argc, char** argv)
{
    cli_judge_options options = {0};
    cli_list operands = {0};
    CLI_TRY(cli_parse(command, argc, argv, &operands, &options));
    cli_session session;
    CLI_TRY(cli_session_open(&options.run, &session));
    cli_judge_job job = {.options = &options, .context = session.context};
    const cli_status status = judge_work(&job, &operands);
    wadi_io_raster_free(&job.surface);
    wadi_io_raster_free(&job.sand);
    wadi_io_raster_free(&job.before);
    free(job.dx);
    cli_session_close(&session);
    return status;
}

const cli_command cli_judge_command = {
    .name = "judge",
    .summary = "measure land and dunes, simulated or surveyed",
    .usage = "land|dunes FILE [options]",
    .details =
        "land: measures of land that running water shaped, each beside its gate: drainage, grading "
        "of the rivers, slopes, ridges and valleys, and traces of the grid. With --before also "
        "wear "
        "and the relief that is kept. docs/judge.md defines them.\n\n"
        "dunes: height (the square root of 12 times the standard deviation), spacing, order and "
        "azimuth of the crests, and the direction of slip faces. With --sand and --drift the kind "
        "of dunes is determined: barchan, transverse, linear, star, sheet (no slip faces) or "
        "mixed.\n\nLengths are metres, also for files in degrees.",
    .examples = "wadi judge land dem.tif\n"
                "wadi judge land after.tif --before before.tif --years 400kyr --strict\n"
                "wadi judge land range.tif --gates range --json\n"
                "wadi judge dunes height.tif --sand sand.tif --drift 90 --edges periodic\n"
                "wadi judge dunes april18.asc --before april15.asc",
    .options = judge_option_list,
    .option_count = sizeof judge_option_list / sizeof judge_option_list[0],
    .min_operands = 2,
    .max_operands = 2,
    .run = judge_run,
};
