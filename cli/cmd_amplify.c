// SPDX-License-Identifier: MIT
// wadi amplify: a window of a sandy terrain with ripples, sharp crests and tongues of sand.
#include "command.h"
#include "fields.h"
#include "help.h"
#include "land.h"
#include "output.h"
#include "session.h"

#include <wadi/amplify.h>

#include "io/raster.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct amplify_options
{
    const char* output;
    const char* sediment;
    const char* vegetation;
    const char* cell;
    cli_list settings;
    cli_run_options run;
} amplify_options;

static const cli_option amplify_option_list[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_TEXT,
     .offset = offsetof(amplify_options, output),
     .value = "FILE",
     .doc = "Heights of the window; the format follows the extension.",
     .required = true},
    {.name = "sediment",
     .kind = CLI_TEXT,
     .offset = offsetof(amplify_options, sediment),
     .value = "FILE|DEPTH",
     .doc = "Sand within the ground, as a map or everywhere as deep [m]: only sand has ripples."},
    {.name = "vegetation",
     .kind = CLI_TEXT,
     .offset = offsetof(amplify_options, vegetation),
     .value = "FILE|COVER",
     .doc = "Cover of plants, 0 to 1, as a map or everywhere as dense."},
    {.name = "cell",
     .kind = CLI_TEXT,
     .offset = offsetof(amplify_options, cell),
     .value = "LENGTH",
     .doc = "Size of the terrain's cells, such as 2m, for files that do not say (PNG, R16)."},
    {.name = "set",
     .kind = CLI_LIST,
     .offset = offsetof(amplify_options, settings),
     .value = "NAME=VALUE",
     .doc = "Set the window, its cells, the wind and the forms; they are listed below."},
    CLI_THREADS_OPTION(amplify_options),
};

static void amplify_help(void)
{
    (void)printf("\nVALUES FOR --set\n");
    cli_help_fields(&wadi_amplify_fields);
}

typedef struct amplify_job
{
    const amplify_options* options;
    cli_session session;
    cli_land* land;
    wadi_amplify_params params;
} amplify_job;

// One value in place of a file.
static cli_status amplify_read_value(const amplify_job* job, const char* option, const char* text,
                                     const char* unit, double most, double* value)
{
    const char* end;
    (void)wadi_number_parse(text, &end);
    if (end == text)
    {
        return cli_fail(CLI_USAGE,
                        "%s is '%s', but there is no such file: give a map, or a number [%s]",
                        option, text, unit);
    }
    return cli_quantity(job->session.context, option, text, unit, 0.0, most, value);
}

// Fill a layer from a file, or with one value.
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
    double cell = 0.0;
    if (options->cell != NULL)
    {
        CLI_TRY(cli_quantity(context, "--cell", options->cell, "m", 1e-3, 1e6, &cell));
    }
    CLI_TRY(cli_land_open(context, input, cell, 0, &job->land));
    wadi_terrain* terrain = cli_land_terrain(job->land);
    CLI_TRY(amplify_fill(job, WADI_LAYER_SEDIMENT, "--sediment", options->sediment, "m", 1e4));
    CLI_TRY(
        amplify_fill(job, WADI_LAYER_VEGETATION, "--vegetation", options->vegetation, "1", 1.0));
    return cli_check(context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE,
                                                     cli_land_surface(job->land),
                                                     wadi_terrain_width(terrain)));
}

// Where the window lies: the terrain's own place, moved and made finer.
static wadi_georef amplify_place(const amplify_job* job)
{
    const wadi_terrain* terrain = cli_land_terrain(job->land);
    const wadi_amplify_params* p = &job->params;
    const double cell = wadi_terrain_cell_size(terrain);
    const double column = p->x / cell;
    const double row = wadi_terrain_height(terrain) - (p->y + p->height) / cell;
    const double finer = p->cell / cell;
    const wadi_georef own = wadi_terrain_georef(terrain);
    const double* a = own.affine;
    wadi_georef place = own;
    place.affine[0] = a[0] + a[1] * column + a[2] * row;
    place.affine[3] = a[3] + a[4] * column + a[5] * row;
    place.affine[1] *= finer;
    place.affine[2] *= finer;
    place.affine[4] *= finer;
    place.affine[5] *= finer;
    // cells of centimetres without a system would be taken for degrees
    const bool has_system = place.wkt != NULL && place.wkt[0] != '\0';
    place.wkt = has_system ? place.wkt : "LOCAL_CS[\"metres\",UNIT[\"metre\",1]]";
    return place;
}

static cli_status amplify_write(amplify_job* job)
{
    wadi_context* context = job->session.context;
    wadi_io_raster raster = {.dx = job->params.cell,
                             .dy = job->params.cell,
                             .has_nodata = true,
                             .nodata = (double)NAN,
                             .georef = amplify_place(job)};
    wadi_terrain* terrain = cli_land_terrain(job->land);
    CLI_TRY(cli_check(context,
                      wadi_amplify_size(terrain, &job->params, &raster.width, &raster.height)));
    raster.values = malloc((size_t)raster.width * (size_t)raster.height * sizeof *raster.values);
    if (raster.values == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for a window of %d x %d cells", raster.width,
                        raster.height);
    }
    wadi_result result = wadi_amplify(terrain, &job->params, raster.values);
    result =
        result == WADI_OK ? wadi_io_raster_write(context, &raster, job->options->output) : result;
    free(raster.values);
    return cli_check(context, result);
}

static cli_status amplify_work(amplify_job* job, const char* input)
{
    const amplify_options* options = job->options;
    wadi_context* context = job->session.context;
    job->params = wadi_amplify_params_default();
    CLI_TRY(cli_fields_set(context, &wadi_amplify_fields, &options->settings, &job->params));
    CLI_TRY(cli_check_usage(context, wadi_io_raster_check_writable(context, options->output)));
    CLI_TRY(cli_output_check_distinct(options->output, input));
    CLI_TRY(cli_output_check(options->output));
    CLI_TRY(amplify_open(job, input));
    return amplify_write(job);
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
    .summary = "show a window of dunes with ripples on finer cells",
    .usage = "IN -o OUT --sediment FILE|DEPTH [--set NAME=VALUE]...",
    .details =
        "Adds what a simulation's cells cannot hold: crests as sharp as their slopes make "
        "them, ripples across the wind, tongues of sand behind plants and stones. The terrain "
        "that was read stays as it is.",
    .examples = "wadi amplify dunes.tif -o window.tif --sediment sand.tif --set x=120 --set y=80\n"
                "wadi amplify dunes.tif -o window.tif --sediment 2m --set width=60m "
                "--set height=60m --set cell=5cm --set wavelength=0.5m\n"
                "wadi amplify dunes.tif -o window.tif --sediment 2m --vegetation plants.tif",
    .options = amplify_option_list,
    .option_count = sizeof amplify_option_list / sizeof amplify_option_list[0],
    .min_operands = 1,
    .max_operands = 1,
    .help_more = amplify_help,
    .run = amplify_run,
};
