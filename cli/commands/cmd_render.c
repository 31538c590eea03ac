// SPDX-License-Identifier: MIT
// wadi render: draw an elevation file.
#include "cli/command.h"
#include "cli/fields.h"
#include "cli/help.h"
#include "cli/land.h"
#include "cli/output.h"
#include "cli/session.h"

#include <wadi/render.h>

#include "io/raster/raster.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct render_options
{
    const char* output;
    int32_t view; // wadi_render_view
    int32_t views;
    int32_t sheet;
    int32_t turntable;
    const char* sun;
    cli_heights heights;
    const char* sea;
    const char* water;
    const char* sediment;
    const char* vegetation;
    const char* drape;
    const char* inset;
    int32_t width;
    int32_t height;
    cli_list settings;
    cli_run_options run;
} render_options;

static const cli_option render_option_list[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_OUTPUT,
     .offset = offsetof(render_options, output),
     .value = "PNG",
     .doc = "The picture.",
     .required = true},
    CLI_OPTION("view", CLI_CHOICE, render_options, view, "perspective|map",
               "The terrain as a block (default), or a map with north up."),
    {.name = "views",
     .kind = CLI_COUNT,
     .offset = offsetof(render_options, views),
     .value = "N",
     .min = 1,
     .max = 64,
     .doc = "Number of views around the terrain: NAME-1.png, NAME-2.png ... Default: 1, which is "
            "NAME.png."},
    {.name = "sheet",
     .kind = CLI_COUNT,
     .offset = offsetof(render_options, sheet),
     .value = "N",
     .min = 2,
     .max = 64,
     .doc = "A contact sheet: N views around the terrain, side by side in one picture."},
    {.name = "turntable",
     .kind = CLI_COUNT,
     .offset = offsetof(render_options, turntable),
     .value = "N",
     .min = 2,
     .max = 720,
     .doc = "An animated PNG that turns the terrain once in N frames, 25 in a second."},
    CLI_OPTION(
        "sun", CLI_TEXT, render_options, sun, "AZIMUTH[,ALTITUDE]",
        "Direction of the sun: degrees clockwise from north, and degrees above the horizon."),
    CLI_OPTION("water", CLI_TEXT, render_options, water, "FILE", "Depth of water [m]."),
    CLI_SEA_OPTION(render_options),
    CLI_OPTION("sediment", CLI_TEXT, render_options, sediment, "FILE",
               "Thickness of sediment, which is part of the surface [m]."),
    CLI_OPTION("vegetation", CLI_TEXT, render_options, vegetation, "FILE", "Plant cover, 0 to 1."),
    CLI_OPTION("drape", CLI_TEXT, render_options, drape, "FILE", "Paint a map on the ground."),
    CLI_OPTION("inset", CLI_TEXT, render_options, inset, "FILE", "Show a map in a corner."),
    {.name = "width",
     .kind = CLI_COUNT,
     .offset = offsetof(render_options, width),
     .value = "N",
     .min = 16,
     .max = 16384,
     .doc = "Pixels across."},
    {.name = "height",
     .kind = CLI_COUNT,
     .offset = offsetof(render_options, height),
     .value = "N",
     .min = 16,
     .max = 16384,
     .doc = "Pixels down."},
    CLI_HEIGHTS_OPTIONS(render_options),
    CLI_OPTION("set", CLI_LIST, render_options, settings, "NAME=VALUE",
               "Set a parameter of the picture; see the list below."),
    CLI_THREADS_OPTION(render_options),
};

static void render_help(void)
{
    (void)printf("\nPARAMETERS (--set NAME=VALUE)\n");
    cli_help_fields(&wadi_render_fields);
}

// State of the verb; values are on the working grid.
typedef struct render_job
{
    const render_options* options;
    cli_session session;
    cli_land* land;
    float* overlay; // NULL: none
    wadi_render_params params;
    uint8_t* rgb;
} render_job;

static void render_close(render_job* job)
{
    free(job->rgb);
    free(job->overlay);
    cli_land_close(job->land);
    cli_session_close(&job->session);
}

static cli_status render_read_params(render_job* job)
{
    const render_options* options = job->options;
    wadi_context* context = job->session.context;
    wadi_render_params* params = &job->params;
    *params = wadi_render_params_default();
    params->view = options->view;
    params->overlay_place = options->inset != NULL ? WADI_RENDER_INSET : WADI_RENDER_DRAPE;
    params->width = options->width > 0 ? options->width : params->width;
    params->height = options->height > 0 ? options->height : params->height;
    if (options->sun != NULL)
    {
        const wadi_field* altitude = wadi_field_find(&wadi_render_fields, "sun_altitude");
        CLI_TRY(cli_sun(context, options->sun, altitude->min, altitude->max, &params->sun_azimuth,
                        &params->sun_altitude));
    }
    if (options->inset != NULL && options->drape != NULL)
    {
        return cli_fail(CLI_USAGE, "give one of --drape and --inset");
    }
    return cli_fields_set(context, &wadi_render_fields, &options->settings, params);
}

// Fill a layer from a file; cells without data become 0.
static cli_status render_read_layer(render_job* job, wadi_layer layer, const char* path)
{
    if (path == NULL)
    {
        return CLI_DONE;
    }
    float* values;
    wadi_terrain* terrain = cli_land_terrain(job->land);
    CLI_TRY(cli_land_allocate(job->land, &values));
    cli_status status = cli_land_read(job->land, path, values);
    const int64_t cells = (int64_t)wadi_terrain_width(terrain) * wadi_terrain_height(terrain);
    for (int64_t i = 0; status == CLI_DONE && i < cells; ++i)
    {
        values[i] = values[i] > 0.0f ? values[i] : 0.0f;
    }
    if (status == CLI_DONE)
    {
        status =
            cli_check(job->session.context,
                      wadi_terrain_set_layer(terrain, layer, values, wadi_terrain_width(terrain)));
    }
    free(values);
    return status;
}

static cli_status render_read_ground(render_job* job, const char* path)
{
    const render_options* options = job->options;
    wadi_context* context = job->session.context;
    CLI_TRY(cli_land_open(context, path, &options->heights, 0, &job->land));
    wadi_terrain* terrain = cli_land_terrain(job->land);
    CLI_TRY(cli_land_set_sea(job->land, options->sea));
    CLI_TRY(render_read_layer(job, WADI_LAYER_WATER, options->water));
    CLI_TRY(render_read_layer(job, WADI_LAYER_SEDIMENT, options->sediment));
    CLI_TRY(render_read_layer(job, WADI_LAYER_VEGETATION, options->vegetation));
    return cli_check(context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE,
                                                     cli_land_surface(job->land),
                                                     wadi_terrain_width(terrain)));
}

static cli_status render_read_overlay(render_job* job)
{
    const render_options* options = job->options;
    const char* path = options->inset != NULL ? options->inset : options->drape;
    if (path == NULL)
    {
        return CLI_DONE;
    }
    CLI_TRY(cli_land_allocate(job->land, &job->overlay));
    return cli_land_read(job->land, path, job->overlay);
}

// Give a map picture the terrain's aspect ratio unless both sides are set.
static void render_fit_map(render_job* job)
{
    const render_options* options = job->options;
    if (job->params.view == WADI_RENDER_MAP && (options->width == 0 || options->height == 0))
    {
        const wadi_terrain* terrain = cli_land_terrain(job->land);
        const wadi_render_scene scene = {.width = wadi_terrain_width(terrain),
                                         .height = wadi_terrain_height(terrain)};
        const int32_t longest = options->width > 0    ? options->width
                                : options->height > 0 ? options->height
                                                      : 1024;
        wadi_render_fit_map(&scene, longest, &job->params);
    }
}

// File of a view: "x.png", or "x-2.png" for the second of several.
static cli_status render_name(const render_job* job, int32_t view, char* path, size_t size)
{
    const char* output = job->options->output;
    const int stem = (int)(strrchr(output, '.') - output);
    char number[16] = "";
    if (job->options->views > 1)
    {
        (void)snprintf(number, sizeof number, "-%d", view + 1);
    }
    const int length = snprintf(path, size, "%.*s%s%s", stem, output, number, output + stem);
    return length > 0 && (size_t)length < size
               ? CLI_DONE
               : cli_fail(CLI_USAGE, "the path '%.60s...' is too long", output);
}

// Draw the terrain from one of several sides into job->rgb.
static cli_status render_view(render_job* job, double first, int32_t view, int32_t views)
{
    job->params.camera_azimuth = fmod(first + 360.0 * view / views, 360.0);
    return cli_check(
        job->session.context,
        wadi_render_terrain(cli_land_terrain(job->land), job->overlay, &job->params, job->rgb));
}

static cli_status render_views(render_job* job)
{
    const int32_t views = job->options->views > 0 ? job->options->views : 1;
    const double first = job->params.camera_azimuth;
    for (int32_t i = 0; i < views; ++i)
    {
        char path[PATH_MAX];
        wadi_context* context = job->session.context;
        CLI_TRY(render_name(job, i, path, sizeof path));
        CLI_TRY(render_view(job, first, i, views));
        CLI_TRY(cli_check(context, wadi_io_picture_write_tagged(
                                       context, job->rgb, job->params.width, job->params.height,
                                       cli_land_tags(job->land), path)));
    }
    return CLI_DONE;
}

// ---- sheets and turntables ----------------------------------------------------------------------

// Draw the views into a picture of `width` x `height` pixels, from the left in rows.
static cli_status render_sheet_views(render_job* job, int32_t columns, int32_t width, uint8_t* rgb)
{
    const double first = job->params.camera_azimuth;
    const size_t row = (size_t)job->params.width * 3;
    for (int32_t i = 0; i < job->options->sheet; ++i)
    {
        CLI_TRY(render_view(job, first, i, job->options->sheet));
        const int64_t left = (int64_t)(i % columns) * job->params.width;
        const int64_t top = (int64_t)(i / columns) * job->params.height;
        for (int32_t y = 0; y < job->params.height; ++y)
        {
            memcpy(rgb + ((top + y) * width + left) * 3, job->rgb + (size_t)y * row, row);
        }
    }
    return CLI_DONE;
}

static cli_status render_sheet(render_job* job)
{
    wadi_context* context = job->session.context;
    const int32_t columns = (int32_t)ceil(sqrt((double)job->options->sheet));
    const int32_t rows = (job->options->sheet + columns - 1) / columns;
    job->params.width /= columns;
    job->params.height /= rows;
    if (job->params.width < 16 || job->params.height < 16)
    {
        return cli_fail(CLI_USAGE,
                        "a sheet of %d views needs %d x %d pixels or more; give --width and "
                        "--height",
                        job->options->sheet, 16 * columns, 16 * rows);
    }
    const int32_t width = columns * job->params.width;
    const int32_t height = rows * job->params.height;
    uint8_t* rgb = malloc((size_t)width * (size_t)height * 3);
    if (rgb == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for the sheet; try a smaller --width");
    }
    memset(rgb, 255, (size_t)width * (size_t)height * 3);
    cli_status status = render_sheet_views(job, columns, width, rgb);
    if (status == CLI_DONE)
    {
        status = cli_check(context, wadi_io_picture_write_tagged(context, rgb, width, height,
                                                                 cli_land_tags(job->land),
                                                                 job->options->output));
    }
    free(rgb);
    return status;
}

static cli_status render_turntable(render_job* job)
{
    wadi_context* context = job->session.context;
    const int32_t frames = job->options->turntable;
    const double first = job->params.camera_azimuth;
    const wadi_io_pixels pixels = {.values = job->rgb,
                                   .width = job->params.width,
                                   .height = job->params.height,
                                   .channels = 3,
                                   .level = 1,
                                   .tags = cli_land_tags(job->land)};
    wadi_io_animation film;
    CLI_TRY(cli_check(context,
                      wadi_io_animation_begin(context, job->options->output, frames, 40, &film)));
    wadi_result result = WADI_OK;
    for (int32_t i = 0; i < frames && result == WADI_OK; ++i)
    {
        job->params.camera_azimuth = fmod(first + 360.0 * i / frames, 360.0);
        result =
            wadi_render_terrain(cli_land_terrain(job->land), job->overlay, &job->params, job->rgb);
        result = result == WADI_OK ? wadi_io_animation_add(&film, &pixels) : result;
    }
    return cli_check(context, wadi_io_animation_end(&film, result));
}

static cli_status render_pictures(render_job* job)
{
    job->rgb = malloc((size_t)job->params.width * (size_t)job->params.height * 3);
    return job->rgb == NULL
               ? cli_fail(CLI_FAILED, "out of memory for the picture; try a smaller --width")
           : job->options->sheet > 0     ? render_sheet(job)
           : job->options->turntable > 0 ? render_turntable(job)
                                         : render_views(job);
}

// Fail if views are to be arranged in two ways, or from above, where all are equal.
static cli_status render_check_views(const render_job* job)
{
    const render_options* options = job->options;
    const int ways =
        (options->views > 0 ? 1 : 0) + (options->sheet > 0 ? 1 : 0) + (options->turntable > 0);
    if (ways > 1)
    {
        return cli_fail(CLI_USAGE, "give one of --views, --sheet and --turntable");
    }
    return (options->sheet > 0 || options->turntable > 0) && job->params.view == WADI_RENDER_MAP
               ? cli_fail(CLI_USAGE, "--sheet and --turntable go around the terrain, of which a "
                                     "map has one view; leave out --view map")
               : CLI_DONE;
}

static cli_status render_check_output(const char* path)
{
    const char* dot = strrchr(path, '.');
    return dot != NULL && strcmp(dot, ".png") == 0
               ? cli_output_check(path)
               : cli_fail(CLI_USAGE, "%s: pictures are PNG; name it .png", path);
}

static cli_status render_work(render_job* job, const char* input)
{
    CLI_TRY(render_read_params(job));
    CLI_TRY(render_check_views(job));
    CLI_TRY(render_check_output(job->options->output));
    CLI_TRY(cli_output_check_distinct(job->options->output, input));
    CLI_TRY(render_read_ground(job, input));
    CLI_TRY(render_read_overlay(job));
    render_fit_map(job);
    return render_pictures(job);
}

static cli_status render_run(const cli_command* command, int argc, char** argv)
{
    render_options options = {0};
    cli_list operands = {0};
    CLI_TRY(cli_parse(command, argc, argv, &operands, &options));
    render_job job = {.options = &options};
    CLI_TRY(cli_session_open(&options.run, &job.session));
    const cli_status status = render_work(&job, operands.items[0]);
    render_close(&job);
    return status;
}

const cli_command cli_render_command = {
    .name = "render",
    .summary = "draw a picture of an elevation file",
    .usage = "IN -o PNG [--view perspective|map] [options]",
    .details = "Draws the terrain in perspective, with cast shadows, sky light and fog, or as a "
               "shaded relief map. Files may give water, sediment and plants. Any map of the "
               "same extent can be draped over the terrain or shown in a corner.",
    .examples = "wadi render alps.tif -o alps.png\n"
                "wadi render alps.tif -o map.png --view map --sun 315,35\n"
                "wadi render alps.tif -o around.png --views 4 --set palette=desert\n"
                "wadi render alps.tif -o sheet.png --sheet 9\n"
                "wadi render alps.tif -o spin.png --turntable 72 --width 640 --height 360\n"
                "wadi render out.tif -o flow.png --drape maps/flow.tif --set overlay_log=true",
    .options = render_option_list,
    .option_count = sizeof render_option_list / sizeof render_option_list[0],
    .min_operands = 1,
    .max_operands = 1,
    .help_more = render_help,
    .run = render_run,
};
