// SPDX-License-Identifier: MIT
// wadi convert: convert rasters between formats, and prepare them for game engines.
#include "cli/command.h"
#include "cli/commands/convert_splat.h"
#include "cli/convert_cut.h"
#include "cli/convert_join.h"
#include "cli/csv.h"
#include "cli/fields.h"
#include "cli/gradient.h"
#include "cli/land.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/trace.h"

#include "io/raster/geo.h"
#include "io/raster/heights.h"
#include "io/raster/warp.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct convert_options
{
    cli_heights heights;
    cli_cut_options cut;
    int32_t preset; // convert_preset
    int32_t bits;   // 0: 16, 1: 8
    const char* gradient;
    cli_list splat; // 1 to 3 files
    int32_t levels; // of detail of a .glb; 0: 1
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
    CLI_CUT_OPTIONS(convert_options),
    CLI_OPTION("bits", CLI_CHOICE, convert_options, bits, "16|8",
               "Bits of a PNG. The values fill 0 to 65535 (default) or 0 to 255, as a mask does; "
               "the sidecar has their range. 0 marks cells without data, where there are any."),
    CLI_CSV_OPTION(
        convert_options, gradient, "gradient",
        "Write a picture with the colours of this table, which has the columns value, r, "
        "g and b (0 to 255). Colours between two values are mixed. Cells without data "
        "are white."),
    CLI_OPTION("splat", CLI_LIST, convert_options, splat, "FILE",
               "Write the weights of IN and of one to three files, each given by --splat, as the "
               "channels red, green, blue and alpha of a PNG, in this order. They sum to 255."),
    {.name = "lod",
     .kind = CLI_COUNT,
     .offset = offsetof(convert_options, levels),
     .value = "N",
     .min = 1,
     .max = WADI_IO_LEVELS_MOST,
     .doc = "Levels of detail of a .glb, each with every second vertex of the one before. "
            "Default: 1."},
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

static int32_t convert_side(const wadi_io_raster* raster)
{
    return raster->width < raster->height ? raster->width : raster->height;
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
                        "--crop 0,0,%dx%d",
                        raster->width, raster->height, convert_side(raster), convert_side(raster));
    }
    wadi_io_raster resized = *raster;
    resized.values = malloc((size_t)size * (size_t)size * sizeof *resized.values);
    if (resized.values == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for %d x %d cells", size, size);
    }
    // engines place the values at the vertices of a mesh
    wadi_result result = cli_cut_resize(context, raster, size, size, &resized);
    resized.georef.valid = false;
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

static bool convert_ends(const char* path, const char* ending)
{
    const char* dot = strrchr(path, '.');
    return dot != NULL && strcasecmp(dot, ending) == 0;
}

// Fail if options are given for another format than theirs, or together with some that they do not
// go with.
static cli_status convert_check_format(const convert_options* options, const cli_cut* cut,
                                       const char* output)
{
    const bool paints = options->gradient != NULL || options->splat.count > 0;
    if ((options->bits == 1 || paints) && !convert_ends(output, ".png"))
    {
        return cli_fail(CLI_USAGE, "%s: --bits, --gradient and --splat are for PNG; name it .png",
                        output);
    }
    if (options->levels > 0 && !convert_ends(output, ".glb"))
    {
        return cli_fail(CLI_USAGE, "%s: --lod is for glTF; name it .glb", output);
    }
    if (options->splat.count > 3)
    {
        return cli_fail(CLI_USAGE,
                        "--splat is given %d times; a picture has four channels, of "
                        "which IN is the first",
                        options->splat.count);
    }
    const bool alone = options->preset == CONVERT_PLAIN && options->bits == 0 &&
                       cut->size[0] == 0 && cut->tiles[0] == 0 &&
                       (options->gradient == NULL || options->splat.count == 0);
    return !paints || alone
               ? CLI_DONE
               : cli_fail(CLI_USAGE,
                          "%s goes without --preset, --bits, --size and --tiles%s; "
                          "convert twice",
                          options->gradient != NULL ? "--gradient" : "--splat",
                          options->gradient != NULL && options->splat.count > 0 ? " and --splat"
                                                                                : "");
}

// Fail if an output is an input.
static cli_status convert_check_apart(const convert_options* options, const cli_cut* cut,
                                      const char* input, const char* output)
{
    for (int32_t i = 0; i < options->splat.count; ++i)
    {
        CLI_TRY(cli_output_check_distinct(output, options->splat.items[i]));
    }
    for (int32_t i = 0; i < cut->stitch[0] * cut->stitch[1]; ++i)
    {
        char name[4096];
        cli_cut_tile_name(input, i % cut->stitch[0], i / cut->stitch[0], name, sizeof name);
        CLI_TRY(cli_output_check_distinct(output, name));
    }
    return cut->stitch[0] > 0 ? CLI_DONE : cli_output_check_distinct(output, input);
}

static cli_status convert_read(wadi_context* context, const convert_options* options,
                               const cli_cut* cut, const char* input, wadi_io_tags* tags,
                               wadi_io_raster* out)
{
    const bool plain = options->preset == CONVERT_PLAIN;
    wadi_io_reading reading;
    CLI_TRY(cli_heights_read(context, &options->heights, &reading));
    if (options->splat.count > 0 && wadi_io_heights_are_told(&reading))
    {
        return cli_fail(CLI_USAGE,
                        "--splat takes maps as they are: leave --relief, --min, --max and "
                        "--scale out");
    }
    reading.weighs = options->splat.count > 0;
    if (cut->stitch[0] > 0)
    {
        const cli_join join = {.tiles = {cut->stitch[0], cut->stitch[1]},
                               .overlap = cut->overlap,
                               .has_overlap = options->cut.overlap != NULL};
        return cli_join_read(context, input, &join, &reading, !plain, tags, out);
    }
    reading.doubts = options->bits == 0 && options->gradient == NULL;
    CLI_TRY(cli_check(context, wadi_io_raster_read_as(context, input, &reading, !plain, out)));
    cli_trace_input(tags, context, input);
    for (int32_t i = 0; i < options->splat.count; ++i)
    {
        cli_trace_input(tags, context, options->splat.items[i]);
    }
    if (options->gradient != NULL)
    {
        cli_trace_input(tags, context, options->gradient);
    }
    return CLI_DONE;
}

// Heights in feet stay so where the file can say it. Others hold metres, as their sidecars do, and
// meshes have one unit for all three axes.
static cli_status convert_units(wadi_context* context, const convert_options* options,
                                const char* input, const char* output, wadi_io_raster* raster)
{
    static const char* const with_unit[] = {".tif", ".tiff", ".nc"};
    static const char* const meshes[] = {".obj", ".ply", ".glb"};
    bool turns = wadi_io_heights_is_foot(wadi_io_heights_unit(raster->read_unit)) &&
                 options->gradient == NULL;
    for (size_t i = 0; i < sizeof with_unit / sizeof with_unit[0]; ++i)
    {
        turns = turns && !convert_ends(output, with_unit[i]);
    }
    for (size_t i = 0; i < sizeof meshes / sizeof meshes[0]; ++i)
    {
        turns = turns || convert_ends(output, meshes[i]);
    }
    return turns && options->splat.count == 0
               ? cli_check(context, wadi_io_heights_to_metres(context, input, false, raster))
               : CLI_DONE;
}

static cli_status convert_write(wadi_context* context, const convert_options* options,
                                const cli_cut* cut, wadi_io_raster* raster, const char* output)
{
    CLI_TRY(cli_cut_check(cut, raster));
    CLI_TRY(cli_output_check(output));
    cli_cut_crop(cut, raster);
    return options->gradient != NULL
               ? cli_gradient_write(context, raster, options->gradient, output)
           : options->splat.count > 0 ? cli_splat_write(context, raster, &options->splat, output)
           : options->preset == CONVERT_PLAIN
               ? cli_cut_write(context, cut, raster, output)
               : convert_for_engine(context, raster, options->preset, output);
}

static cli_status convert_file(wadi_context* context, const convert_options* options,
                               const char* input, const char* output)
{
    const bool plain = options->preset == CONVERT_PLAIN;
    cli_cut cut;
    CLI_TRY(cli_cut_read(&options->cut, &cut));
    if (!plain && (cut.size[0] > 0 || cut.tiles[0] > 0))
    {
        return cli_fail(CLI_USAGE, "a preset chooses the size itself; leave --size and --tiles "
                                   "out, or the preset");
    }
    CLI_TRY(convert_check_format(options, &cut, output));
    CLI_TRY(cli_check_usage(context, wadi_io_raster_check_writable(context, output)));
    CLI_TRY(convert_check_apart(options, &cut, input, output));
    wadi_io_raster raster;
    wadi_io_tags tags = {.count = 0};
    cli_trace_command(&tags, output);
    cli_status status = convert_read(context, options, &cut, input, &tags, &raster);
    if (status == CLI_DONE)
    {
        raster.tags = &tags;
        status = convert_units(context, options, input, output, &raster);
        raster.name = raster.read_name[0] != '\0' ? raster.read_name : NULL;
        raster.unit = raster.read_unit[0] != '\0' ? raster.read_unit : NULL;
        raster.bits = options->bits == 1 ? 8 : 0;
        raster.levels = options->levels;
        status =
            status == CLI_DONE ? convert_write(context, options, &cut, &raster, output) : status;
        wadi_io_raster_free(&raster);
    }
    wadi_io_tags_free(&tags);
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
                "wadi convert height.png height.tif --cell 10m\n"
                "wadi convert alps.tif part.tif --crop 100,50,512x256\n"
                "wadi convert alps.tif tile.png --size 2049 --tiles 2 --overlap 1\n"
                "wadi convert tile.png whole.png --stitch 2 --overlap 1\n"
                "wadi convert alps.tif alps.glb --lod 4\n"
                "wadi convert flow.tif mask.png --bits 8\n"
                "wadi convert grass.tif splat.png --splat rock.tif --splat sand.tif\n"
                "wadi convert slope.tif slope.png --gradient colours.csv",
    .options = convert_option_list,
    .option_count = sizeof convert_option_list / sizeof convert_option_list[0],
    .min_operands = 2,
    .max_operands = 2,
    .run = convert_run,
};
