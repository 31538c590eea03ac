// SPDX-License-Identifier: MIT
// wadi wind: wind over relief, as maps and as a picture.
#include "cli/command.h"
#include "cli/csv.h"
#include "cli/fields.h"
#include "cli/help.h"
#include "cli/land.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/trace.h"
#include "cli/wind_file.h"

#include <wadi/airflow.h>
#include <wadi/render.h>

#include "io/raster/raster.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    WIND_TABLES = 4,
    WIND_PICTURE = 1024, // pixels of the longer side
    WIND_SAMPLES = 2
};

typedef struct wind_options
{
    const char* folder;
    const char* from;
    const char* picture;
    cli_heights heights;
    const char* tables[WIND_TABLES]; // files, in the order of the library's list of tables
    const char* year;
    cli_list settings;
    cli_run_options run;
} wind_options;

static const cli_option wind_option_list[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_OUTPUT,
     .offset = offsetof(wind_options, folder),
     .value = "DIR",
     .doc = "Folder for the maps: speed.tif [m/s], direction.tif [degree, where the wind comes "
            "from], shelter.tif [fraction by which the wind is reduced].",
     .required = true},
    CLI_OPTION(
        "wind", CLI_TEXT, wind_options, from, "DIRECTION[,SPEED]",
        "Where the wind comes from, in degrees clockwise from north, and its speed in m/s at "
        "10 m above flat ground. Default: 270,10."),
    CLI_OPTION("picture", CLI_OUTPUT, wind_options, picture, "PNG",
               "Also draw the wind as arrows over the shaded ground."),
    CLI_CSV_OPTION(wind_options, tables[0], "gusts",
                   "Local gusts. Columns: x, y, radius, from, until, direction, speed."),
    CLI_CSV_OPTION(wind_options, tables[1], "vortices",
                   "Vortices. Columns: x, y, radius, from, until, speed."),
    CLI_CSV_OPTION(wind_options, tables[2], "eddies",
                   "Local curl noise. Columns: x, y, radius, from, until, speed, size."),
    CLI_CSV_OPTION(
        wind_options, tables[3], "local-winds",
        "Local winds that blow in turn. Columns: x, y, radius, soft, direction, speed, years."),
    CLI_OPTION("year", CLI_TEXT, wind_options, year, "TIME",
               "Time at which gusts, vortices, eddies and local winds are evaluated. Default: 0."),
    CLI_HEIGHTS_OPTIONS(wind_options),
    CLI_OPTION("set", CLI_LIST, wind_options, settings, "NAME=VALUE",
               "Set a parameter of the wind; see the list below."),
    CLI_THREADS_OPTION(wind_options),
};

static void wind_help(void)
{
    (void)printf("\nPARAMETERS (--set NAME=VALUE)\n");
    cli_help_fields(&wadi_airflow_fields);
}

typedef struct wind_job
{
    const wind_options* options;
    cli_session session;
    cli_land* land;
    wadi_airflow_params params;
    wadi_wind_field* field;
    double year;
    float* east;
    float* north;
    float* shelter;
} wind_job;

static void wind_close(wind_job* job)
{
    free(job->east);
    free(job->north);
    free(job->shelter);
    wadi_wind_field_destroy(job->field);
    cli_land_close(job->land);
    cli_session_close(&job->session);
}

// ---- reading ------------------------------------------------------------------------------------

// Parse "270" or "270,10".
static cli_status wind_read_wind(wind_job* job, const char* text)
{
    wadi_context* context = job->session.context;
    char direction[64] = "";
    const size_t length = strcspn(text, ",");
    (void)strncat(direction, text, length < sizeof direction ? length : sizeof direction - 1);
    CLI_TRY(
        cli_quantity(context, "--wind", direction, "degree", 0.0, 360.0, &job->params.direction));
    return text[length] == ',' ? cli_quantity(context, "--wind", text + length + 1, "m/s", 0.0,
                                              60.0, &job->params.speed)
                               : CLI_DONE;
}

static cli_status wind_read_params(wind_job* job)
{
    const wind_options* options = job->options;
    wadi_context* context = job->session.context;
    job->params = wadi_airflow_params_default();
    CLI_TRY(cli_fields_set(context, &wadi_airflow_fields, &options->settings, &job->params));
    if (options->from != NULL)
    {
        CLI_TRY(wind_read_wind(job, options->from));
    }
    CLI_TRY(cli_wind_year(context, options->year, &job->year));
    CLI_TRY(cli_output_check_folder(options->folder));
    return options->picture != NULL ? cli_output_check(options->picture) : CLI_DONE;
}

static cli_status wind_give_table(const wind_job* job, int32_t index)
{
    const char* path = job->options->tables[index];
    const wadi_table_info* table = wadi_wind_field_table(index);
    wadi_context* context = job->session.context;
    if (path == NULL)
    {
        return CLI_DONE;
    }
    int32_t rows;
    double* values;
    CLI_TRY(cli_csv_read(context, path, table, &values, &rows));
    cli_trace_input(cli_land_tags(job->land), context, path);
    const wadi_result result = wadi_wind_field_set_table(job->field, table->name, values, rows);
    free(values);
    return cli_check(context, result);
}

static cli_status wind_open(wind_job* job, const char* input)
{
    wadi_context* context = job->session.context;
    CLI_TRY(cli_land_open(context, input, &job->options->heights, 0, &job->land));
    wadi_terrain* terrain = cli_land_terrain(job->land);
    CLI_TRY(cli_check(context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE,
                                                      cli_land_surface(job->land),
                                                      wadi_terrain_width(terrain))));
    CLI_TRY(cli_check(context, wadi_wind_field_create(terrain, &job->params, &job->field)));
    for (int32_t i = 0; i < WIND_TABLES; ++i)
    {
        CLI_TRY(wind_give_table(job, i));
    }
    CLI_TRY(cli_land_allocate(job->land, &job->east));
    CLI_TRY(cli_land_allocate(job->land, &job->north));
    return cli_land_allocate(job->land, &job->shelter);
}

// ---- writing ------------------------------------------------------------------------------------

static cli_status wind_write_map(const wind_job* job, const char* name, const float* values)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/%s.tif", job->options->folder, name);
    const char* unit = strcmp(name, "direction") == 0 ? "degree"
                       : strcmp(name, "shelter") == 0 ? "1"
                                                      : "m/s";
    return cli_land_write(job->land, values, CLI_GRID_INPUT, name, unit, path);
}

static cli_status wind_draw(const wind_job* job)
{
    const wadi_terrain* terrain = cli_land_terrain(job->land);
    wadi_context* context = job->session.context;
    wadi_render_scene scene = {.width = wadi_terrain_width(terrain),
                               .height = wadi_terrain_height(terrain),
                               .stride = wadi_terrain_width(terrain),
                               .cell_size = wadi_terrain_cell_size(terrain),
                               .surface = cli_land_surface(job->land),
                               .wind_east = job->east,
                               .wind_north = job->north};
    wadi_render_params params = wadi_render_params_default();
    params.view = WADI_RENDER_MAP;
    params.palette = WADI_RENDER_CLAY;
    params.samples = WIND_SAMPLES;
    wadi_render_fit_map(&scene, WIND_PICTURE, &params);
    uint8_t* rgb = malloc((size_t)params.width * (size_t)params.height * 3);
    if (rgb == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for the picture");
    }
    wadi_result result = wadi_render(context, &scene, &params, rgb);
    result = result == WADI_OK
                 ? wadi_io_picture_write_tagged(context, rgb, params.width, params.height,
                                                cli_land_tags(job->land), job->options->picture)
                 : result;
    free(rgb);
    return cli_check(context, result);
}

// Reduce the wind by its shelter in place; compute its speed and direction.
static void wind_shelter(const wind_job* job, float* speed, float* direction)
{
    const wadi_terrain* terrain = cli_land_terrain(job->land);
    const int64_t cells = (int64_t)wadi_terrain_width(terrain) * wadi_terrain_height(terrain);
    for (int64_t i = 0; i < cells; ++i)
    {
        const double from = atan2(-(double)job->east[i], -(double)job->north[i]);
        job->east[i] *= 1.0f - job->shelter[i];
        job->north[i] *= 1.0f - job->shelter[i];
        speed[i] = hypotf(job->east[i], job->north[i]);
        direction[i] = (float)(from < 0.0 ? from / 3.14159265358979323846 * 180.0 + 360.0
                                          : from / 3.14159265358979323846 * 180.0);
    }
}

static cli_status wind_write(wind_job* job, float* speed, float* direction)
{
    wind_shelter(job, speed, direction);
    CLI_TRY(wind_write_map(job, "speed", speed));
    CLI_TRY(wind_write_map(job, "direction", direction));
    CLI_TRY(wind_write_map(job, "shelter", job->shelter));
    return job->options->picture != NULL ? wind_draw(job) : CLI_DONE;
}

// The maps must not replace the input.
static cli_status wind_check_input(const wind_options* options, const char* input)
{
    static const char* const names[] = {"speed", "direction", "shelter"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    {
        char path[PATH_MAX];
        (void)snprintf(path, sizeof path, "%s/%s.tif", options->folder, names[i]);
        CLI_TRY(cli_output_check_apart(path, input, "is the input"));
    }
    return CLI_DONE;
}

static cli_status wind_work(wind_job* job, const char* input)
{
    CLI_TRY(wind_read_params(job));
    CLI_TRY(wind_check_input(job->options, input));
    CLI_TRY(wind_open(job, input));
    CLI_TRY(
        cli_check(job->session.context, wadi_wind_field_compute(job->field, job->year, job->east,
                                                                job->north, job->shelter)));
    float* speed = NULL;
    float* direction = NULL;
    cli_status status = cli_land_allocate(job->land, &speed);
    status = status == CLI_DONE ? cli_land_allocate(job->land, &direction) : status;
    status = status == CLI_DONE ? wind_write(job, speed, direction) : status;
    free(speed);
    free(direction);
    return status;
}

static cli_status wind_run(const cli_command* command, int argc, char** argv)
{
    wind_options options = {0};
    cli_list operands = {0};
    CLI_TRY(cli_parse(command, argc, argv, &operands, &options));
    wind_job job = {.options = &options};
    CLI_TRY(cli_session_open(&options.run, &job.session));
    const cli_status status = wind_work(&job, operands.items[0]);
    wind_close(&job);
    return status;
}

const cli_command cli_wind_command = {
    .name = "wind",
    .summary = "compute the wind over relief",
    .usage = "IN -o DIR [--wind DIRECTION[,SPEED]] [options]",
    .details = "Relief speeds a wind up, turns it and shelters the ground in its lee. The result "
               "is the wind field of process dunes, as maps and as arrows.",
    .examples = "wadi wind dunes.tif -o maps --wind 307,12\n"
                "wadi wind dunes.tif -o maps --picture wind.png --set warp=3\n"
                "wadi wind dunes.tif -o maps --vortices swirls.csv --picture wind.png",
    .options = wind_option_list,
    .option_count = sizeof wind_option_list / sizeof wind_option_list[0],
    .min_operands = 1,
    .max_operands = 1,
    .help_more = wind_help,
    .run = wind_run,
};
