// SPDX-License-Identifier: MIT
// wadi derive: compute maps from an elevation file.
#include "cli/command.h"
#include "cli/commands/derive_flood.h"
#include "cli/commands/derive_stability.h"
#include "cli/commands/derive_tiles.h"
#include "cli/help.h"
#include "cli/land.h"
#include "cli/normals.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/trace.h"

#include "io/raster/geo.h"

#include <wadi/derive.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct derive_options
{
    const char* output;
    const char* sun;
    cli_heights heights;
    int32_t normal_y;
    int32_t edges;
    cli_flood_options flood;
    cli_tiles_options tiles;
    cli_run_options run;
} derive_options;

static const cli_option derive_option_list[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_OUTPUT,
     .offset = offsetof(derive_options, output),
     .value = "FILE",
     .doc = "The map; the extension selects the format. Normals are a PNG.",
     .required = true},
    CLI_OPTION("sun", CLI_TEXT, derive_options, sun, "AZIMUTH[,ALTITUDE]",
               "Direction of the sun for the hillshade: degrees clockwise from north, and degrees "
               "above the horizon. Default: 315,45."),
    CLI_OPTION("normal-y", CLI_CHOICE, derive_options, normal_y, "plus|minus",
               "Sign of the green channel of a normal map: plus for Unity, Godot and Blender "
               "(default), minus for Unreal."),
    CLI_HEIGHTS_OPTIONS(derive_options),
    CLI_OPTION("edges", CLI_CHOICE, derive_options, edges, "open|closed|periodic",
               "At the borders water leaves (open, the default), stays (closed), or enters on the "
               "other side (periodic)."),
    CLI_FLOOD_OPTIONS(derive_options),
    CLI_TILES_OPTIONS(derive_options),
    CLI_THREADS_OPTION(derive_options),
};

static void derive_help(void)
{
    (void)printf("\nMAPS\n");
    for (int i = 0; i < WADI_DERIVED_COUNT; ++i)
    {
        (void)printf("    %s [%s]\n", wadi_derived_name((wadi_derived)i),
                     wadi_derived_unit((wadi_derived)i));
        cli_help_paragraph(wadi_derived_doc((wadi_derived)i), 12);
    }
    (void)printf("    normals\n");
    cli_help_paragraph("unit normals as the colours of a PNG", 12);
    cli_stability_help_map();
    cli_flood_help();
    cli_stability_help_fields();
}

// Requested map: one of the library's table, or one of the others here.
typedef enum derive_kind
{
    DERIVE_NORMALS,
    DERIVE_FLOOD,
    DERIVE_STABILITY,
    DERIVE_MAP
} derive_kind;
static const char* const derive_words[DERIVE_MAP] = {"normals", "flood", "stability"};

typedef struct derive_job
{
    const derive_options* options;
    wadi_context* context;
    cli_session* session;
    derive_kind kind;
    wadi_derived map;
    wadi_sun sun;
    wadi_flood_params flood;
    wadi_io_reading reading;
} derive_job;

static cli_status derive_find_map(derive_job* job, const char* name)
{
    const char* words[WADI_DERIVED_COUNT + DERIVE_MAP + 1] = {0};
    for (int i = 0; i < WADI_DERIVED_COUNT + DERIVE_MAP; ++i)
    {
        words[i] = i < WADI_DERIVED_COUNT ? wadi_derived_name((wadi_derived)i)
                                          : derive_words[i - WADI_DERIVED_COUNT];
        if (strcmp(words[i], name) == 0)
        {
            job->map = (wadi_derived)i;
            job->kind = i < WADI_DERIVED_COUNT ? DERIVE_MAP : (derive_kind)(i - WADI_DERIVED_COUNT);
            return CLI_DONE;
        }
    }
    const char* nearest = cli_nearest(words, name);
    return nearest != NULL
               ? cli_fail(CLI_USAGE, "there is no map '%s'; did you mean '%s'?", name, nearest)
               : cli_fail(CLI_USAGE, "there is no map '%s'; 'wadi help derive' lists them", name);
}

// A map that does not fit into memory may be made by tiles.
static cli_status derive_check(const derive_job* job, wadi_result result)
{
    if (result == WADI_ERROR_MEMORY && job->kind == DERIVE_MAP)
    {
        result = wadi_context_fail(job->context, result,
                                   "%s; with --memory 2GiB the map is made "
                                   "in tiles",
                                   wadi_error_detail(job->context));
    }
    return cli_check(job->context, result);
}

static cli_status derive_compute(const derive_job* job, const wadi_io_raster* raster,
                                 const wadi_field2d* field, float* out)
{
    if (job->kind == DERIVE_FLOOD)
    {
        return cli_flood_derive(job->context, &job->options->flood, &job->flood, raster, field,
                                out);
    }
    if (job->kind == DERIVE_STABILITY)
    {
        return cli_stability_derive(job->context, &job->options->flood.settings, raster, field,
                                    out);
    }
    return derive_check(job, job->kind == DERIVE_NORMALS
                                 ? wadi_derive_normals(job->context, field, out)
                                 : wadi_derive(job->context, field, job->map, &job->sun, out));
}

static cli_status derive_write(const derive_job* job, const wadi_io_raster* raster,
                               double* dx_of_row, float* out)
{
    wadi_field2d field = {.heights = raster->values,
                          .width = raster->width,
                          .height = raster->height,
                          .stride = raster->width,
                          .dx_of_row = dx_of_row};
    wadi_io_raster_metric(raster, dx_of_row, &field.dy);
    field.dx = dx_of_row[0];
    for (int side = 0; side < 4; ++side)
    {
        field.edges[side] = (wadi_edge)job->options->edges;
    }
    CLI_TRY(derive_compute(job, raster, &field, out));
    if (job->kind == DERIVE_NORMALS)
    {
        return cli_check(job->context,
                         cli_normals_draw(job->context, out, job->options->normal_y != 0, raster,
                                          job->options->output));
    }
    wadi_io_raster map = *raster;
    map.values = out;
    map.is_map = true;
    map.name = job->kind == DERIVE_MAP ? wadi_derived_name(job->map) : derive_words[job->kind];
    map.unit = job->kind == DERIVE_MAP     ? wadi_derived_unit(job->map)
               : job->kind == DERIVE_FLOOD ? "m"
                                           : "1"; // a depth, or a factor of safety
    return cli_check(job->context, wadi_io_raster_write(job->context, &map, job->options->output));
}

static cli_status derive_file(const derive_job* job, const char* input)
{
    wadi_io_raster raster;
    CLI_TRY(derive_check(
        job, wadi_io_raster_read_as(job->context, input, &job->reading, true, &raster)));
    const size_t cells = (size_t)raster.width * (size_t)raster.height;
    double* dx = malloc((size_t)raster.height * sizeof *dx);
    float* out = malloc(cells * (job->kind == DERIVE_NORMALS ? 3 : 1) * sizeof *out);
    wadi_io_tags tags = {.count = 0};
    cli_trace_command(&tags, NULL);
    cli_trace_input(&tags, job->context, input);
    if (job->kind == DERIVE_STABILITY)
    {
        cli_stability_trace(job->context, &job->options->flood.settings, &tags);
    }
    raster.tags = &tags;
    const cli_status status = dx != NULL && out != NULL ? derive_write(job, &raster, dx, out)
                                                        : cli_fail(CLI_FAILED, "out of memory");
    wadi_io_tags_free(&tags);
    free(out);
    free(dx);
    wadi_io_raster_free(&raster);
    return status;
}

static cli_status derive_check_output(const derive_job* job, const char* input)
{
    const char* output = job->options->output;
    const char* dot = strrchr(output, '.');
    if (job->kind == DERIVE_NORMALS && (dot == NULL || strcmp(dot, ".png") != 0))
    {
        return cli_fail(CLI_USAGE, "%s: normals are a PNG; name it .png", output);
    }
    CLI_TRY(cli_check_usage(job->context, wadi_io_raster_check_writable(job->context, output)));
    CLI_TRY(cli_output_check_distinct(output, input));
    CLI_TRY(cli_flood_check_maps(&job->options->flood, output));
    CLI_TRY(cli_flood_check_maps(&job->options->flood, input));
    if (job->options->flood.route != NULL)
    {
        CLI_TRY(cli_output_check_apart(job->options->flood.route, output, "is also the map"));
        CLI_TRY(cli_output_check_apart(job->options->flood.route, input, "is an input"));
    }
    return cli_output_check(output);
}

static cli_status derive_by_tiles(const derive_job* job, const char* input)
{
    if (job->kind != DERIVE_MAP)
    {
        return cli_fail(CLI_USAGE, "%s cannot be made by tiles; leave --tiles and --memory out",
                        derive_words[job->kind]);
    }
    const cli_tiles_job tiles = {.context = job->context,
                                 .session = job->session,
                                 .options = &job->options->tiles,
                                 .input = input,
                                 .output = job->options->output,
                                 .map = job->map,
                                 .sun = &job->sun,
                                 .edge = (wadi_edge)job->options->edges,
                                 .reading = job->reading};
    CLI_TRY(cli_tiles_check(&tiles));
    return cli_tiles_derive(&tiles);
}

static cli_status derive_work(derive_job* job, const cli_list* operands)
{
    const derive_options* options = job->options;
    job->sun = wadi_sun_default();
    CLI_TRY(derive_find_map(job, operands->items[0]));
    if (options->sun != NULL)
    {
        CLI_TRY(
            cli_sun(job->context, options->sun, 0.0, 90.0, &job->sun.azimuth, &job->sun.altitude));
    }
    CLI_TRY(cli_heights_read(job->context, &options->heights, &job->reading));
    CLI_TRY(job->kind == DERIVE_FLOOD
                ? cli_flood_params(job->context, &options->flood, &job->flood)
                : cli_flood_refuse(&options->flood, job->kind == DERIVE_STABILITY));
    CLI_TRY(derive_check_output(job, operands->items[1]));
    return cli_tiles_wanted(&options->tiles) ? derive_by_tiles(job, operands->items[1])
                                             : derive_file(job, operands->items[1]);
}

static cli_status derive_run(const cli_command* command, int argc, char** argv)
{
    derive_options options = {0};
    cli_list operands = {0};
    CLI_TRY(cli_parse(command, argc, argv, &operands, &options));
    cli_session session;
    CLI_TRY(cli_session_open(&options.run, &session));
    derive_job job = {.options = &options, .context = session.context, .session = &session};
    const cli_status status = derive_work(&job, &operands);
    cli_session_close(&session);
    return status;
}

const cli_command cli_derive_command = {
    .name = "derive",
    .summary = "compute slope, curvature, hillshade, flow, stability and more",
    .usage = "MAP IN -o OUT",
    .details = "Computes on the grid of the file. For files in degrees, lengths are metres on "
               "the ellipsoid, row by row.",
    .examples = "wadi derive slope alps.tif -o slope.tif\n"
                "wadi derive hillshade alps.tif -o shade.png --sun 315,45\n"
                "wadi derive d8_area alps.tif -o area.tif\n"
                "wadi derive flood alps.tif -o depth.tif --from 1200,800 --discharge 250m3/s "
                "--route route.csv\n"
                "wadi derive stability alps.tif -o safety.tif --set depth=soil.tif\n"
                "wadi derive d8_area country.tif -o area.tif --memory 2GiB\n"
                "wadi derive normals height.tif -o normals.png --normal-y minus",
    .options = derive_option_list,
    .option_count = sizeof derive_option_list / sizeof derive_option_list[0],
    .min_operands = 2,
    .max_operands = 2,
    .help_more = derive_help,
    .run = derive_run,
};
