// SPDX-License-Identifier: MIT
// wadi convert: convert rasters between formats, and prepare them for game engines.
#include "cli/command.h"
#include "cli/fields.h"
#include "cli/land.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/trace.h"

#include "io/raster/geo.h"
#include "io/raster/warp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct convert_options
{
    cli_heights heights;
    int32_t preset; // convert_preset
} convert_options;

typedef enum convert_preset
{
    CONVERT_PLAIN,
    CONVERT_UNREAL,
    CONVERT_UNITY,
    CONVERT_GODOT,
    CONVERT_BLENDER
} convert_preset;

static const cli_option convert_option_list[] = {
    CLI_OPTION("preset", CLI_CHOICE, convert_options, preset, "plain|unreal|unity|godot|blender",
               "plain (default): the same cells in another format. The others: square cells in "
               "metres. unreal and unity also resample to the next size that the engine accepts "
               "(127, 253, 505, 1009, 2017, 4033, 8129; 2^n + 1)."),
    CLI_HEIGHTS_OPTIONS(convert_options),
};

// Sizes that the engines accept, ascending. Unreal's are whole components of a landscape.
static const int32_t convert_unreal[] = {127, 253, 505, 1009, 2017, 4033, 8129, 0};
static const int32_t convert_unity[] = {33, 65, 129, 257, 513, 1025, 2049, 4097, 0};

// The smallest size that keeps all detail, or the largest of the engine; 0: any size is accepted.
static int32_t convert_size(int32_t preset, int32_t size)
{
    const int32_t* sizes = preset == CONVERT_UNREAL  ? convert_unreal
                           : preset == CONVERT_UNITY ? convert_unity
                                                     : NULL;
    if (sizes == NULL)
    {
        return size;
    }
    while (*sizes < size && sizes[1] != 0)
    {
        sizes += 1;
    }
    return *sizes;
}

// Resample a square raster to size x size cells. Engines place the values at mesh vertices, so the
// first and last cells stay in place.
static wadi_result convert_resize(wadi_context* context, const wadi_io_raster* raster, int32_t size,
                                  wadi_io_raster* out)
{
    const double step = (raster->width - 1.0) / (size - 1.0);
    const wadi_georef from = {.valid = true, .affine = {0, 1, 0, 0, 0, -1}, .wkt = ""};
    const wadi_georef to = {.valid = true,
                            .affine = {0.5 - 0.5 * step, step, 0, 0.5 * step - 0.5, 0, -step},
                            .wkt = ""};
    const wadi_io_frame source = {raster->width, raster->height, &from};
    const wadi_io_frame target = {size, size, &to};
    out->width = size;
    out->height = size;
    out->dx = raster->dx * step;
    out->dy = raster->dy * step;
    out->georef.valid = false;
    return wadi_io_warp(context, &source, raster->values, &target, out->values);
}

static cli_status convert_to_size(wadi_context* context, const wadi_io_raster* raster,
                                  int32_t preset, const char* output)
{
    const int32_t size = convert_size(preset, raster->width);
    const bool fits = size == raster->width;
    const bool any = preset == CONVERT_GODOT || preset == CONVERT_BLENDER;
    if (any || (fits && raster->width == raster->height))
    {
        return cli_check(context, wadi_io_raster_write(context, raster, output));
    }
    if (raster->width != raster->height || raster->width < 2)
    {
        return cli_fail(CLI_FAILED,
                        "%d x %d cells are not square, as the engine requires; crop the file with "
                        "gdal_translate -srcwin first",
                        raster->width, raster->height);
    }
    wadi_io_raster resized = *raster;
    resized.values = malloc((size_t)size * (size_t)size * sizeof *resized.values);
    if (resized.values == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for %d x %d cells", size, size);
    }
    wadi_result result = convert_resize(context, raster, size, &resized);
    result = result == WADI_OK ? wadi_io_raster_write(context, &resized, output) : result;
    free(resized.values);
    return cli_check(context, result);
}

// Resample to square cells in metres.
static cli_status convert_for_engine(wadi_context* context, const wadi_io_raster* raster,
                                     int32_t preset, const char* output)
{
    wadi_io_grid grid;
    CLI_TRY(cli_check(context, wadi_io_grid_of(context, raster, &grid)));
    wadi_io_raster metric = *raster;
    metric.width = grid.width;
    metric.height = grid.height;
    metric.dx = grid.cell;
    metric.dy = grid.cell;
    metric.geographic = false;
    metric.georef = grid.georef;
    metric.values = malloc((size_t)grid.width * (size_t)grid.height * sizeof *metric.values);
    cli_status status = CLI_FAILED;
    if (metric.values == NULL)
    {
        status = cli_fail(CLI_FAILED, "out of memory for %d x %d cells", grid.width, grid.height);
    }
    else
    {
        status = cli_check(context, wadi_io_grid_read(context, raster, &grid, metric.values));
    }
    if (status == CLI_DONE)
    {
        status = convert_to_size(context, &metric, preset, output);
    }
    free(metric.values);
    wadi_io_grid_free(&grid);
    return status;
}

static cli_status convert_file(wadi_context* context, const convert_options* options,
                               const char* input, const char* output)
{
    wadi_io_reading reading;
    const bool plain = options->preset == CONVERT_PLAIN;
    CLI_TRY(cli_heights_read(context, &options->heights, &reading));
    CLI_TRY(cli_check_usage(context, wadi_io_raster_check_writable(context, output)));
    CLI_TRY(cli_output_check_distinct(output, input));
    wadi_io_raster raster;
    CLI_TRY(cli_check(context, wadi_io_raster_read_as(context, input, &reading, !plain, &raster)));
    cli_status status = cli_output_check(output);
    wadi_io_tags tags = {.count = 0};
    cli_trace_command(&tags);
    cli_trace_input(&tags, context, input);
    raster.tags = &tags;
    if (status == CLI_DONE)
    {
        status = plain ? cli_check(context, wadi_io_raster_write(context, &raster, output))
                       : convert_for_engine(context, &raster, options->preset, output);
    }
    wadi_io_tags_free(&tags);
    wadi_io_raster_free(&raster);
    return status;
}

static cli_status convert_run(const cli_command* command, int argc, char** argv)
{
    convert_options options = {0};
    cli_list operands = {0};
    CLI_TRY(cli_parse(command, argc, argv, &operands, &options));
    cli_session session;
    CLI_TRY(cli_session_open(NULL, &session));
    const cli_status status =
        convert_file(session.context, &options, operands.items[0], operands.items[1]);
    cli_session_close(&session);
    return status;
}

const cli_command cli_convert_command = {
    .name = "convert",
    .summary = "change the format of a raster, also for game engines",
    .usage = "IN OUT [--preset unreal|unity|godot|blender] [--cell LENGTH]",
    .details = "The extension selects the format. Formats without a scale (PNG, R16, R32) get a "
               "sidecar OUT.json with the cell size, the offset and scale of the heights, and "
               "the import settings of game engines.",
    .examples = "wadi convert alps.tif alps.asc\n"
                "wadi convert alps.tif alps.png --preset unreal\n"
                "wadi convert height.png height.tif --cell 10m",
    .options = convert_option_list,
    .option_count = sizeof convert_option_list / sizeof convert_option_list[0],
    .min_operands = 2,
    .max_operands = 2,
    .run = convert_run,
};
