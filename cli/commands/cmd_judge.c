// SPDX-License-Identifier: MIT
// wadi judge: measure landforms, simulated or surveyed.
#include "cli/command.h"
#include "cli/commands/judge_kinds.h"
#include "cli/csv.h"
#include "cli/fields.h"
#include "cli/land.h"
#include "cli/trace.h"

#include <stdlib.h>
#include <string.h>

static const cli_option judge_option_list[] = {
    CLI_OPTION(
        "sand", CLI_TEXT, cli_judge_options, sand, "FILE",
        "Dunes: thickness of the sand on the same grid; gives the bare fraction and the number "
        "of heaps."),
    CLI_OPTION(
        "drift", CLI_TEXT, cli_judge_options, drift, "AZIMUTH|none",
        "Dunes: azimuth of the resultant sand drift, in degrees clockwise from north, or none "
        "if the winds cancel; gives the kind of dunes."),
    CLI_CSV_OPTION(
        cli_judge_options, winds[0], "rose",
        "Dunes: winds as a rose, in place of --drift; gives drift potential, resultant and the "
        "azimuth of the crests that follows from them. Columns: direction, speed, share."),
    CLI_CSV_OPTION(cli_judge_options, winds[1], "series",
                   "Dunes: the same from a series of winds. Columns: hours, direction, speed."),
    CLI_CSV_OPTION(
        cli_judge_options, winds[2], "schedule",
        "Dunes: the same from roses of several years. Columns: year, direction, speed, share."),
    CLI_OPTION("year", CLI_TEXT, cli_judge_options, year, "TIME",
               "Dunes: year of the schedule. Default: 0."),
    CLI_OPTION("threshold", CLI_TEXT, cli_judge_options, threshold, "SPEED",
               "Dunes: least wind at 10 m that moves sand. Default: 6.17m/s, which is 12 knots."),
    CLI_OPTION("draw-rose", CLI_OUTPUT, cli_judge_options, draw_rose, "PNG",
               "Dunes: draw the sand rose of the winds."),
    CLI_OPTION(
        "picture", CLI_OUTPUT, cli_judge_options, picture, "PNG",
        "Dunes: draw what is counted over the hillshade: crests red, junctions magenta, ends "
        "black, slip faces blue, crescents green, stars white, small dunes yellow."),
    CLI_OPTION(
        "before", CLI_LIST, cli_judge_options, before, "FILE",
        "An earlier surface on the same grid; gives the distance that dunes have moved and their "
        "collisions, or the wear of land. Dunes: more of them, the oldest first, give the "
        "collisions from each to the next."),
    CLI_OPTION("reach", CLI_TEXT, cli_judge_options, reach, "LENGTH",
               "Dunes: largest distance searched. Default: 24 cells; at most 64 cells."),
    CLI_OPTION("edges", CLI_CHOICE, cli_judge_options, edges, "open|closed|periodic",
               "Dunes: edges of the grid; periodic for scenes with periodic edges."),
    CLI_OPTION("years", CLI_TEXT, cli_judge_options, years, "TIME",
               "Land: time since --before, such as 400kyr; gives the denudation in mm/yr."),
    CLI_OPTION("sea", CLI_TEXT, cli_judge_options, sea, "LEVEL",
               "Land and rivers: ground at or below this level, such as 0m, is sea, not land."),
    CLI_OPTION("water", CLI_TEXT, cli_judge_options, water, "FILE",
               "Rivers: depth of water on the same grid. Default: the river is found in the "
               "heights."),
    CLI_OPTION("discharge", CLI_TEXT, cli_judge_options, discharge, "FILE",
               "Rivers: discharge or drainage area on the same grid, in place of --water."),
    CLI_OPTION(
        "least", CLI_TEXT, cli_judge_options, least, "VALUE",
        "Rivers: least depth or discharge of the river, in the unit of the map. Default: any "
        "water, or a twentieth of the largest discharge."),
    CLI_OPTION("gates", CLI_CHOICE, cli_judge_options, gates, "noise|range|none",
               "Land: the gates to compare with. noise (default): land worn from noise. range: a "
               "range under uplift. none: a survey, which misses some of both."),
    CLI_OPTION("plains", CLI_CHOICE, cli_judge_options, plains, "auto|mask|keep",
               "Land: leave out plains around mountains, or measure the whole map. Default: leave "
               "them out with the gates of a range only."),
    CLI_OPTION("strict", CLI_FLAG, cli_judge_options, strict, NULL,
               "Land: end with status 1 if a gate is not met."),
    CLI_HEIGHTS_OPTIONS(cli_judge_options),
    CLI_OPTION("json", CLI_FLAG, cli_judge_options, json, NULL, "Print JSON."),
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
    {"rivers", cli_judge_rivers_check, cli_judge_rivers},
};

// ---- reading -----------------------------------------------------------------------------------

cli_status cli_judge_read_beside(const cli_judge_job* job, const char* path, bool is_ground,
                                 wadi_io_raster* out)
{
    if (path == NULL)
    {
        return CLI_DONE;
    }
    // maps have no heights
    const wadi_io_reading cell_only = {.cell = job->reading.cell, .quiet = true};
    const wadi_io_reading reading = is_ground ? job->reading : cell_only;
    CLI_TRY(cli_check(job->context,
                      wadi_io_raster_read_as(job->context, path, &reading, is_ground, out)));
    return out->width == job->surface.width && out->height == job->surface.height
               ? CLI_DONE
               : cli_fail(CLI_USAGE,
                          "%s has %d x %d cells, but the surface has %d x %d; resample one", path,
                          out->width, out->height, job->surface.width, job->surface.height);
}

// Name the origin of pictures: the command and all files that it reads.
static void judge_trace(cli_judge_job* job, const char* input)
{
    const cli_judge_options* options = job->options;
    if (options->picture == NULL && options->draw_rose == NULL)
    {
        return;
    }
    cli_trace_command(&job->tags, NULL);
    cli_trace_input(&job->tags, job->context, input);
    if (options->sand != NULL)
    {
        cli_trace_input(&job->tags, job->context, options->sand);
    }
    for (int32_t i = 0; i < options->before.count; ++i)
    {
        cli_trace_input(&job->tags, job->context, options->before.items[i]);
    }
    for (int32_t i = 0; i < CLI_WIND_TABLES; ++i)
    {
        if (options->winds[i] != NULL)
        {
            cli_trace_input(&job->tags, job->context, options->winds[i]);
        }
    }
}

static cli_status judge_read(cli_judge_job* job, const char* input)
{
    CLI_TRY(cli_check(job->context, wadi_io_raster_read_as(job->context, input, &job->reading, true,
                                                           &job->surface)));
    CLI_TRY(cli_judge_read_beside(job, job->options->sand, false, &job->sand));
    CLI_TRY(cli_judge_read_beside(job, cli_judge_before(job->options), true, &job->before));
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
        return cli_fail(CLI_USAGE, "cannot judge '%s'; expected 'dunes', 'land' or 'rivers'",
                        operands->items[0]);
    }
    CLI_TRY(cli_heights_read(job->context, &job->options->heights, &job->reading));
    CLI_TRY(kind->check(job));
    CLI_TRY(judge_read(job, operands->items[1]));
    judge_trace(job, operands->items[1]);
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
    wadi_io_tags_free(&job.tags);
    free(job.dx);
    cli_session_close(&session);
    return status;
}

const cli_command cli_judge_command = {
    .name = "judge",
    .summary = "measure land, rivers and dunes, simulated or surveyed",
    .usage = "land|rivers|dunes FILE [options]",
    .details =
        "land: measures of land that running water shaped, each beside its gate: drainage, grading "
        "of the rivers, slopes, ridges and valleys, and traces of the grid. With --before also "
        "wear "
        "and the relief that is kept. docs/judge.md defines them.\n\n"
        "rivers: sinuosity, length, radius and skewness of bends, width, braiding, oxbow lakes and "
        "mouths of the largest river on a map.\n\n"
        "dunes: height (the square root of 12 times the standard deviation), spacing, order and "
        "azimuth of the crests, and the direction of slip faces. With --sand and --drift the kind "
        "of dunes is determined: barchan, transverse, linear, star, sheet (no slip faces) or "
        "mixed. In place of --drift a wind history can be given.\n\nLengths are metres, also for "
        "files in degrees.",
    .examples = "wadi judge land dem.tif\n"
                "wadi judge land after.tif --before before.tif --years 400kyr --strict\n"
                "wadi judge land range.tif --gates range --json\n"
                "wadi judge rivers height.tif --water depth.tif\n"
                "wadi judge dunes height.tif --sand sand.tif --drift 90 --edges periodic\n"
                "wadi judge dunes dem.tif --series winds.csv --draw-rose rose.png\n"
                "wadi judge dunes april18.asc --before april15.asc\n"
                "wadi judge dunes y3.tif --sand sand3.tif --before y1.tif --before y2.tif",
    .options = judge_option_list,
    .option_count = sizeof judge_option_list / sizeof judge_option_list[0],
    .min_operands = 2,
    .max_operands = 2,
    .run = judge_run,
};
