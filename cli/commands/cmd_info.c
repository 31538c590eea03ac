// SPDX-License-Identifier: MIT
// wadi info: properties of a raster file.
#include "cli/command.h"
#include "cli/json_number.h"
#include "cli/session.h"
#include "cli/statistics.h"

#include "io/checkpoint/checkpoint.h"
#include "io/raster/geo.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct info_options
{
    bool json;
    bool hash;
} info_options;

static const cli_option info_option_list[] = {
    CLI_OPTION("json", CLI_FLAG, info_options, json, NULL, "Print JSON."),
    CLI_OPTION(
        "hash", CLI_FLAG, info_options, hash, NULL,
        "Also print a hash of size and cells. Files with the same values have the same hash, "
        "whatever their format and position."),
};

// Name of the coordinate system: the first quoted string in its WKT.
static void info_system_name(const char* wkt, char* out, size_t size)
{
    const char* quote = strchr(wkt, '"');
    const size_t length = quote != NULL ? strcspn(quote + 1, "\"") : 0;
    (void)snprintf(out, size, "%.*s", (int)length, quote != NULL ? quote + 1 : "");
}

// What is printed of a file.
typedef struct info_file
{
    const wadi_io_raster* raster;
    cli_statistics statistics;
    bool has_sea;  // a checkpoint's
    double sea;    // [m]
    double rivers; // of a checkpoint: their number
} info_file;

static json_t* info_text(const char* text)
{
    return text[0] != '\0' ? json_string(text) : json_null();
}

static void info_print_json(const info_file* file, bool hash)
{
    const wadi_io_raster* raster = file->raster;
    const cli_statistics* s = &file->statistics;
    char digits[20];
    (void)snprintf(digits, sizeof digits, "%016" PRIx64, s->hash);
    const char* unit = raster->geographic ? "degree" : "m";
    json_t* root = json_pack(
        "{s:s, s:s, s:i, s:i, s:o, s:o, s:s, s:s, s:b, s:I, s:I, s:o, s:o, s:o, s:o}", //
        "format", raster->format, "type", raster->type, "width", raster->width, "height",
        raster->height, "cell_width", raster->dx > 0.0 ? json_real(raster->dx) : json_null(),
        "cell_height", raster->dy > 0.0 ? json_real(raster->dy) : json_null(), "cell_unit", unit,
        "crs", raster->georef.wkt, "point", raster->point, "cells", (json_int_t)s->cells, "voids",
        (json_int_t)s->voids, "min", cli_json_number(s->min), "max", cli_json_number(s->max),
        "mean", cli_json_number(s->mean), "nodata",
        raster->has_nodata ? cli_json_number(raster->nodata) : json_null());
    (void)json_object_set_new(root, "name", info_text(raster->read_name));
    (void)json_object_set_new(root, "unit", info_text(raster->read_unit));
    if (hash)
    {
        (void)json_object_set_new(root, "hash", json_string(digits));
    }
    if (file->has_sea)
    {
        (void)json_object_set_new(root, "sea_level", json_real(file->sea));
    }
    if (file->rivers > 0.0)
    {
        (void)json_object_set_new(root, "rivers", json_integer((json_int_t)file->rivers));
    }
    (void)json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    (void)putchar('\n');
    json_decref(root);
}

// Whole numbers of a picture, of which nothing says what they mean.
static bool info_is_bare(const wadi_io_raster* raster)
{
    return raster->step == 0.0 && !raster->georef.valid && raster->read_unit[0] == '\0' &&
           (strcmp(raster->type, "Byte") == 0 || strncmp(raster->type, "UInt", 4) == 0);
}

// Other numbers without a unit are taken as metres, as everywhere.
static void info_print_range(const wadi_io_raster* raster, const cli_statistics* s)
{
    const bool bare = info_is_bare(raster);
    const char* unit = raster->read_unit[0] != '\0' ? raster->read_unit : "m";
    const bool none = bare || strcmp(unit, "1") == 0;
    (void)printf("range    %.9g to %.9g%s%s, mean %.9g%s\n", s->min, s->max, none ? "" : " ",
                 none ? "" : unit, s->mean,
                 bare ? "; unit unknown: give --relief or a sidecar" : "");
}

static void info_print(const info_file* file, bool hash)
{
    const wadi_io_raster* raster = file->raster;
    const cli_statistics* s = &file->statistics;
    char system[128];
    info_system_name(raster->georef.wkt, system, sizeof system);
    (void)printf("format   %s %s\n", raster->format, raster->type);
    (void)printf("size     %d x %d cells\n", raster->width, raster->height);
    if (raster->dx > 0.0)
    {
        (void)printf("cell     %.9g x %.9g %s%s\n", raster->dx, raster->dy,
                     raster->geographic ? "degree" : "m", raster->point ? ", points" : "");
    }
    else
    {
        (void)printf("cell     unknown: processes need --cell or a sidecar\n");
    }
    (void)printf("crs      %s\n", system[0] != '\0' ? system : "none");
    info_print_range(raster, s);
    (void)printf("voids    %" PRId64 " of %" PRId64 " cells\n", s->voids, s->cells);
    if (file->has_sea)
    {
        (void)printf("sea      %.9g m\n", file->sea);
    }
    if (file->rivers > 0.0)
    {
        (void)printf("rivers   %.0f\n", file->rivers);
    }
    if (hash)
    {
        (void)printf("hash     %016" PRIx64 "\n", s->hash);
    }
}

static cli_status info_run(const cli_command* command, int argc, char** argv)
{
    info_options options = {0};
    cli_list operands = {0};
    CLI_TRY(cli_parse(command, argc, argv, &operands, &options));
    cli_session session;
    CLI_TRY(cli_session_open(NULL, &session));
    wadi_io_raster raster;
    const cli_status status =
        cli_check(session.context,
                  wadi_io_raster_read(session.context, operands.items[0], 0.0, false, &raster));
    if (status == CLI_DONE)
    {
        info_file file = {.raster = &raster,
                          .statistics =
                              cli_statistics_of(raster.values, raster.width, raster.height)};
        if (strcmp(raster.format, "netCDF") == 0)
        {
            const char* path = operands.items[0];
            file.has_sea = wadi_io_checkpoint_number(path, "wadi_sea_level", &file.sea);
            (void)wadi_io_checkpoint_number(path, "wadi_rivers", &file.rivers);
        }
        (options.json ? info_print_json : info_print)(&file, options.hash);
        wadi_io_raster_free(&raster);
    }
    cli_session_close(&session);
    return status;
}

const cli_command cli_info_command = {
    .name = "info",
    .summary = "print size, range and coordinate system of a raster",
    .usage = "FILE [--json] [--hash]",
    .details = "Prints format, size, cell, coordinate system, range and cells without data; of a "
               "checkpoint also the level of the sea and the number of rivers that enter.",
    .examples = "wadi info alps.tif\nwadi info alps.tif --hash\nwadi info alps.tif --json",
    .options = info_option_list,
    .option_count = sizeof info_option_list / sizeof info_option_list[0],
    .min_operands = 1,
    .max_operands = 1,
    .run = info_run,
};
