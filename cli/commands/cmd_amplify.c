// SPDX-License-Identifier: MIT
// wadi amplify: a window of a sandy terrain with ripples, sharp crests and tongues of sand.
#include "cli/command.h"
#include "cli/csv.h"
#include "cli/fields.h"
#include "cli/help.h"
#include "cli/land.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/wind_file.h"
#include "cli/window.h"

#include <wadi/amplify.h>

#include "io/raster/raster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct amplify_options
{
    const char* output;
    const char* sediment;
    const char* vegetation;
    cli_heights heights;
    const char* tiles;
    bool whole;
    const char* winds[CLI_WIND_TABLES]; // files, in the order of the library's list of tables
    const char* year;
    cli_list settings;
    cli_run_options run;
} amplify_options;

static const cli_option amplify_option_list[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_OUTPUT,
     .offset = offsetof(amplify_options, output),
     .value = "FILE",
     .doc = "Heights of the window; the extension selects the format.",
     .required = true},
    CLI_OPTION("sediment", CLI_TEXT, amplify_options, sediment, "FILE|DEPTH",
               "Thickness of the sand [m], as a map or one value. Ripples form on sand only."),
    CLI_OPTION("vegetation", CLI_TEXT, amplify_options, vegetation, "FILE|COVER",
               "Plant cover, 0 to 1, as a map or one value."),
    CLI_HEIGHTS_OPTIONS(amplify_options),
    CLI_OPTION("whole", CLI_FLAG, amplify_options, whole, NULL,
               "Write the whole field: x, y, width and height are 0."),
    CLI_OPTION("tiles", CLI_TEXT, amplify_options, tiles, "CELLS",
               "Write tiles of at most so many cells a side that join without a seam: NAME-1-1.tif "
               "in the north-west, then by row and column."),
    CLI_CSV_OPTION(amplify_options, winds[0], "rose",
                   "Past winds as a rose, in place of direction, speed and steadiness. Columns: "
                   "direction, speed, share."),
    CLI_CSV_OPTION(amplify_options, winds[1], "series",
                   "Past winds as a series. Columns: hours, direction, speed."),
    CLI_CSV_OPTION(amplify_options, winds[2], "schedule",
                   "Past winds as roses of several years. Columns: year, direction, speed, share."),
    CLI_OPTION("year", CLI_TEXT, amplify_options, year, "TIME",
               "Year of the schedule. Default: 0."),
    CLI_OPTION("set", CLI_LIST, amplify_options, settings, "NAME=VALUE",
               "Set a parameter of the window, the wind or the forms; see the list below."),
    CLI_THREADS_OPTION(amplify_options),
};

static void amplify_help(void)
{
    (void)printf("\nPARAMETERS (--set NAME=VALUE)\n");
    cli_help_fields(&wadi_amplify_fields);
}

typedef struct amplify_job
{
    const amplify_options* options;
    cli_session session;
    cli_land* land;
    wadi_amplify_params params;
    double year;
    int32_t tile; // [cells] size of tiles; 0: one file
} amplify_job;

// Read one value given instead of a file.
static cli_status amplify_read_value(const amplify_job* job, const char* option, const char* text,
                                     const char* unit, double most, double* value)
{
    const char* end;
    (void)wadi_number_parse(text, &end);
    if (end == text)
    {
        return cli_fail(CLI_USAGE, "%s is '%s', which is neither a file nor a number [%s]", option,
                        text, unit);
    }
    return cli_quantity(job->session.context, option, text, unit, 0.0, most, value);
}

// Fill a layer from a file or with one value.
static cli_status amplify_fill(amplify_job* job, wadi_layer layer, const char* option,
                               const char* text, const char* unit, double most)
{
    if (text == NULL)
    {
        return CLI_DONE;
    }
    wadi_context* context = job->session.context;
    wadi_terrain* terrain = cli_land_terrain(job->land);
    if (access(text, F_OK) != 0)
    {
        double value;
        CLI_TRY(amplify_read_value(job, option, text, unit, most, &value));
        return cli_check(context, wadi_terrain_fill_layer(terrain, layer, value));
    }
    float* values;
    CLI_TRY(cli_land_allocate(job->land, &values));
    cli_status status = cli_land_read(job->land, text, values);
    if (status == CLI_DONE)
    {
        cli_land_note_lacks(job->land, text, values);
    }
    const int64_t cells = (int64_t)wadi_terrain_width(terrain) * wadi_terrain_height(terrain);
    for (int64_t i = 0; status == CLI_DONE && i < cells; ++i)
    {
        values[i] = values[i] > 0.0f ? values[i] : 0.0f;
    }
    status = status == CLI_DONE
                 ? cli_check(context, wadi_terrain_set_layer(terrain, layer, values,
                                                             wadi_terrain_width(terrain)))
                 : status;
    free(values);
    return status;
}

static cli_status amplify_open(amplify_job* job, const char* input)
{
    const amplify_options* options = job->options;
    wadi_context* context = job->session.context;
    CLI_TRY(cli_land_open(context, input, &options->heights, 0, &job->land));
    wadi_terrain* terrain = cli_land_terrain(job->land);
    CLI_TRY(amplify_fill(job, WADI_LAYER_SEDIMENT, "--sediment", options->sediment, "m", 1e4));
    CLI_TRY(
        amplify_fill(job, WADI_LAYER_VEGETATION, "--vegetation", options->vegetation, "1", 1.0));
    return cli_check(context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE,
                                                     cli_land_surface(job->land),
                                                     wadi_terrain_width(terrain)));
}

static cli_status amplify_read_history(amplify_job* job)
{
    const amplify_options* options = job->options;
    wadi_context* context = job->session.context;
    CLI_TRY(cli_wind_year(context, options->year, &job->year));
    cli_status status = CLI_DONE;
    for (int32_t i = 0; i < CLI_WIND_TABLES && status == CLI_DONE; ++i)
    {
        cli_wind_file file = {0};
        if (options->winds[i] != NULL)
        {
            status = cli_wind_file_read(context, options->winds[i], i, &file);
        }
        if (status == CLI_DONE && file.values != NULL)
        {
            status = cli_check_usage(context,
                                     wadi_amplify_set_winds(context, file.table->name, file.values,
                                                            file.rows, job->year, &job->params));
        }
        cli_wind_file_free(&file);
    }
    return status;
}

// Window and tiles.
static cli_status amplify_read_extent(amplify_job* job)
{
    const amplify_options* options = job->options;
    if (options->whole)
    {
        job->params.x = job->params.y = 0.0;
        job->params.width = job->params.height = 0.0;
    }
    double tile = 0.0;
    if (options->tiles != NULL)
    {
        CLI_TRY(cli_quantity(job->session.context, "--tiles", options->tiles, "1", 16.0, 16384.0,
                             &tile));
    }
    job->tile = (int32_t)tile;
    return CLI_DONE;
}

static wadi_result amplify_write(const amplify_job* job)
{
    wadi_context* context = job->session.context;
    wadi_terrain* terrain = cli_land_terrain(job->land);
    const char* path = job->options->output;
    const wadi_io_tags* tags = cli_land_tags(job->land);
    return job->tile > 0
               ? cli_window_write_tiles(context, terrain, &job->params, tags, job->tile, path)
               : cli_window_write(context, terrain, &job->params, tags, path);
}

static cli_status amplify_work(amplify_job* job, const char* input)
{
    const amplify_options* options = job->options;
    wadi_context* context = job->session.context;
    job->params = wadi_amplify_params_default();
    CLI_TRY(cli_fields_set(context, &wadi_amplify_fields, &options->settings, &job->params));
    CLI_TRY(amplify_read_extent(job));
    CLI_TRY(amplify_read_history(job));
    CLI_TRY(cli_check_usage(context, wadi_io_raster_check_writable(context, options->output)));
    CLI_TRY(cli_output_check_distinct(options->output, input));
    CLI_TRY(cli_output_check(options->output));
    CLI_TRY(amplify_open(job, input));
    return cli_check(context, amplify_write(job));
}

static cli_status amplify_run(const cli_command* command, int argc, char** argv)
{
    amplify_options options = {0};
    cli_list operands = {0};
    CLI_TRY(cli_parse(command, argc, argv, &operands, &options));
    amplify_job job = {.options = &options};
    CLI_TRY(cli_session_open(&options.run, &job.session));
    const cli_status status = amplify_work(&job, operands.items[0]);
    cli_land_close(job.land);
    cli_session_close(&job.session);
    return status;
}

const cli_command cli_amplify_command = {
    .name = "amplify",
    .summary = "write a window of dunes on finer cells, with ripples",
    .usage = "IN -o OUT --sediment FILE|DEPTH [--set NAME=VALUE]...",
    .details =
        "Adds forms that are smaller than the cells of a simulation: sharp crests, ripples "
        "across the wind at their place, and tongues of sand behind plants and stones. The input "
        "stays as it is.",
    .examples = "wadi amplify dunes.tif -o window.tif --sediment sand.tif --set x=120 --set y=80\n"
                "wadi amplify dunes.tif -o window.tif --sediment 2m --set width=60m "
                "--set height=60m --set cell=5cm --set wavelength=0.5m\n"
                "wadi amplify dunes.tif -o window.tif --sediment 2m --vegetation plants.tif\n"
                "wadi amplify dunes.tif -o window.tif --sediment 2m --rose rose.csv\n"
                "wadi amplify dunes.tif -o fine.tif --sediment 2m --whole --tiles 2048 "
                "--set displacement=true",
    .options = amplify_option_list,
    .option_count = sizeof amplify_option_list / sizeof amplify_option_list[0],
    .min_operands = 1,
    .max_operands = 1,
    .help_more = amplify_help,
    .run = amplify_run,
};
