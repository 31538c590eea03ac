// SPDX-License-Identifier: MIT
// wadi diff: compare two rasters of one size.
#include "cli/command.h"
#include "cli/json_number.h"
#include "cli/session.h"
#include "cli/statistics.h"

#include "io/raster/geo.h"
#include "io/raster/heights.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// Exit statuses of diff(1), which scripts expect.
enum
{
    DIFF_SAME = 0,
    DIFF_UNLIKE = 1,
    DIFF_TROUBLE = 2
};

typedef struct diff_options
{
    bool json;
} diff_options;

static const cli_option diff_option_list[] = {
    CLI_OPTION("json", CLI_FLAG, diff_options, json, NULL, "Print JSON."),
};

// Raised and lowered volumes [m3]; 0 if the cell size is unknown.
typedef struct diff_volumes
{
    double raised;
    double lowered;
} diff_volumes;

// Sum row by row: in degrees, cell sizes differ between rows.
static cli_status diff_measure(const wadi_io_raster* a, const wadi_io_raster* b, diff_volumes* out)
{
    double dy = 0.0;
    double* dx = malloc((size_t)a->height * sizeof *dx);
    if (dx == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory");
    }
    wadi_io_raster_metric(a, dx, &dy);
    *out = (diff_volumes){0};
    for (int32_t y = 0; y < a->height; ++y)
    {
        const ptrdiff_t row = (ptrdiff_t)y * a->width;
        const cli_difference d = cli_difference_of(a->values + row, b->values + row, a->width);
        out->raised += d.raised * dx[y] * dy;
        out->lowered += d.lowered * dx[y] * dy;
    }
    free(dx);
    return CLI_DONE;
}

static void diff_print_json(const cli_difference* d, const diff_volumes* v)
{
    json_t* root = json_pack("{s:b, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", //
                             "equal", d->differing == 0, "cells", (json_int_t)d->cells, "differing",
                             (json_int_t)d->differing, "voids_a", (json_int_t)d->voids_a, "voids_b",
                             (json_int_t)d->voids_b, "voids_unlike", (json_int_t)d->voids_unlike,
                             "max", cli_json_number(d->max_abs), "mean", cli_json_number(d->mean),
                             "rms", cli_json_number(d->rms), "raised_m3",
                             cli_json_number(v->raised), "lowered_m3", cli_json_number(v->lowered));
    (void)json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    (void)putchar('\n');
    json_decref(root);
}

// A line with the unit that the files give. Other numbers are taken as metres, as everywhere.
static void diff_line(const char* name, double value, const char* unit)
{
    const bool bare = strcmp(unit, "1") == 0;
    const char* known = unit[0] != '\0' ? unit : "m";
    (void)printf("%-10s %.9g%s%s\n", name, value, bare ? "" : " ", bare ? "" : known);
}

static bool diff_is_metres(const char* unit)
{
    static const char* const names[] = {"", "m", "metre", "metres", "meter", "meters"};
    bool is = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    {
        is = is || strcasecmp(unit, names[i]) == 0;
    }
    return is;
}

static void diff_print(const cli_difference* d, const diff_volumes* v, const char* unit)
{
    if (d->differing == 0)
    {
        (void)printf("equal: %" PRId64 " cells, %" PRId64 " voids\n", d->cells, d->voids_a);
        return;
    }
    (void)printf("differing  %" PRId64 " of %" PRId64 " cells\n", d->differing, d->cells);
    (void)printf("voids      %" PRId64 " and %" PRId64 ", %" PRId64 " in one only\n", d->voids_a,
                 d->voids_b, d->voids_unlike);
    diff_line("largest", d->max_abs, unit);
    diff_line("mean", d->mean, unit);
    diff_line("rms", d->rms, unit);
    if (diff_is_metres(unit)) // other maps have no volumes
    {
        diff_line("raised", v->raised, "m3");
        diff_line("lowered", v->lowered, "m3");
    }
}

static cli_status diff_compare(const wadi_io_raster* a, const wadi_io_raster* b,
                               const diff_options* options, bool* equal)
{
    if (a->width != b->width || a->height != b->height)
    {
        return cli_fail(CLI_USAGE, "%d x %d and %d x %d cells cannot be compared; resample one",
                        a->width, a->height, b->width, b->height);
    }
    diff_volumes volumes = {0};
    CLI_TRY(diff_measure(a, b, &volumes));
    const cli_difference d = cli_difference_of(a->values, b->values, (int64_t)a->width * a->height);
    if (options->json)
    {
        diff_print_json(&d, &volumes);
    }
    else
    {
        diff_print(&d, &volumes, a->read_unit);
    }
    *equal = d.differing == 0;
    return CLI_DONE;
}

// Heights in two units of length, such as those of a run on a file in feet, are compared in metres.
static cli_status diff_match_units(wadi_context* context, const cli_list* files, wadi_io_raster* a,
                                   wadi_io_raster* b)
{
    if (wadi_io_heights_unit(a->read_unit) == wadi_io_heights_unit(b->read_unit))
    {
        return CLI_DONE;
    }
    CLI_TRY(cli_check(context, wadi_io_heights_to_metres(context, files->items[0], false, a)));
    return cli_check(context, wadi_io_heights_to_metres(context, files->items[1], false, b));
}

static cli_status diff_files(wadi_context* context, const cli_list* files,
                             const diff_options* options, bool* equal)
{
    wadi_io_raster a;
    wadi_io_raster b;
    CLI_TRY(cli_check(context, wadi_io_raster_read(context, files->items[0], 0.0, false, &a)));
    cli_status status =
        cli_check(context, wadi_io_raster_read(context, files->items[1], 0.0, false, &b));
    if (status == CLI_DONE)
    {
        status = diff_match_units(context, files, &a, &b);
        status = status == CLI_DONE ? diff_compare(&a, &b, options, equal) : status;
        wadi_io_raster_free(&b);
    }
    wadi_io_raster_free(&a);
    return status;
}

static cli_status diff_run(const cli_command* command, int argc, char** argv)
{
    diff_options options = {0};
    cli_list operands = {0};
    bool equal = false;
    CLI_TRY(cli_parse(command, argc, argv, &operands, &options));
    cli_session session;
    CLI_TRY(cli_session_open(NULL, &session));
    const cli_status status = diff_files(session.context, &operands, &options, &equal);
    cli_session_close(&session);
    return status != CLI_DONE ? (cli_status)DIFF_TROUBLE
                              : (cli_status)(equal ? DIFF_SAME : DIFF_UNLIKE);
}

const cli_command cli_diff_command = {
    .name = "diff",
    .summary = "compare two rasters of one size",
    .usage = "A B [--json]",
    .details = "Compares cell by cell, B minus A. Prints the number of different cells, the "
               "largest, mean and root mean square difference, the cells without data, and the "
               "volumes raised and lowered, where the values are metres. Format and position are "
               "not compared. Heights in two units, such as feet and metres, are compared in "
               "metres.",
    .examples = "wadi diff before.tif after.tif\nwadi diff one-thread.tif two-threads.tif && echo "
                "the same bits",
    .options = diff_option_list,
    .option_count = sizeof diff_option_list / sizeof diff_option_list[0],
    .min_operands = 2,
    .max_operands = 2,
    .exits = "0 equal, 1 different, 2 error, as diff(1).",
    .run = diff_run,
};
