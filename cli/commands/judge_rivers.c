// SPDX-License-Identifier: MIT
// wadi judge rivers: the plan of a river.
#include "cli/commands/judge_kinds.h"
#include "cli/fields.h"
#include "cli/json_number.h"

#include <wadi/river_forms.h>

#include <math.h>
#include <stdio.h>

typedef struct rivers_row
{
    const char* name;
    const char* unit;
    const char* doc;
    double value; // NaN: none
} rivers_row;

enum
{
    RIVERS_ROWS = 12
};

static void rivers_rows(const wadi_river_forms* forms, rivers_row rows[RIVERS_ROWS])
{
    const rivers_row list[RIVERS_ROWS] = {
        {"length", "m", "of the main course", forms->length},
        {"width", "m", "area of the main course over its length", forms->width},
        {"sinuosity", "", "length over the straight distance of both ends", forms->sinuosity},
        {"bends", "", "between inflections, 20 degrees or more", forms->bends},
        {"wavelength", "widths", "twice the mean distance of inflections; 10 to 14 in nature",
         forms->wavelength},
        {"radius", "widths", "median of the least radii of bends; 2 to 3 in nature", forms->radius},
        {"skewness", "", "-1: bends turn at their upstream ends, 1: downstream", forms->skewness},
        {"braiding", "", "length of active channels over that of the main one", forms->braiding},
        {"sections", "", "channels across the way between both ends, mean", forms->sections},
        {"oxbows", "", "lakes beside the river, three widths long or more", forms->oxbows},
        {"mouths", "", "channels that reach the sea or the edge of the map", forms->mouths},
        {"lobes", "", "of the outline of what was laid down since --before", forms->lobes},
    };
    for (int i = 0; i < RIVERS_ROWS; ++i)
    {
        rows[i] = list[i];
    }
}

static const char* rivers_source(const wadi_river_forms* forms)
{
    static const char* const names[] = {"", "water", "discharge", "heights"};
    return names[forms->from_water];
}

static void rivers_print(const wadi_river_forms* forms)
{
    rivers_row rows[RIVERS_ROWS];
    rivers_rows(forms, rows);
    (void)printf("%-12s%-16s\n", "found in", rivers_source(forms));
    for (int i = 0; i < RIVERS_ROWS; ++i)
    {
        char text[64];
        (void)snprintf(text, sizeof text, isnan(rows[i].value) ? "none" : "%.4g %s", rows[i].value,
                       rows[i].unit);
        (void)printf("%-12s%-16s%s\n", rows[i].name, text, rows[i].doc);
    }
}

static void rivers_print_json(const wadi_river_forms* forms)
{
    rivers_row rows[RIVERS_ROWS];
    rivers_rows(forms, rows);
    json_t* values = json_object();
    for (int i = 0; i < RIVERS_ROWS; ++i)
    {
        (void)json_object_set_new(values, rows[i].name, cli_json_number(rows[i].value));
    }
    json_t* root = json_pack("{s:s, s:o}", "found_in", rivers_source(forms), "measures", values);
    (void)json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(8));
    (void)putchar('\n');
    json_decref(root);
}

// ---- the kind -----------------------------------------------------------------------------------

static cli_status rivers_numbers(const cli_judge_job* job, double* sea, double* least)
{
    *sea = -HUGE_VAL;
    *least = 0.0;
    if (job->options->sea != NULL)
    {
        CLI_TRY(cli_quantity(job->context, "--sea", job->options->sea, "m", -1e5, 1e5, sea));
    }
    return job->options->least == NULL
               ? CLI_DONE
               : cli_quantity(job->context, "--least", job->options->least, "1", 0.0, 1e15, least);
}

cli_status cli_judge_rivers_check(const cli_judge_job* job)
{
    const cli_judge_options* options = job->options;
    double sea;
    double least;
    CLI_TRY(rivers_numbers(job, &sea, &least));
    if (options->water != NULL && options->discharge != NULL)
    {
        return cli_fail(CLI_USAGE, "give --water or --discharge, not both");
    }
    if (options->least != NULL && options->water == NULL && options->discharge == NULL)
    {
        return cli_fail(CLI_USAGE, "--least is for --water or --discharge");
    }
    return options->sand != NULL || options->drift != NULL || options->reach != NULL ||
                   options->edges != 0 || cli_judge_has_wind(options) ||
                   options->draw_rose != NULL || options->picture != NULL ||
                   options->before.count > 1 || options->years != NULL || options->strict
               ? cli_fail(CLI_USAGE,
                          "'judge rivers' takes --water, --discharge, --least, --sea, one "
                          "--before and --json only")
               : CLI_DONE;
}

cli_status cli_judge_rivers(const cli_judge_job* input)
{
    const cli_judge_options* options = input->options;
    double sea;
    double least;
    CLI_TRY(rivers_numbers(input, &sea, &least));
    wadi_io_raster water = {0};
    const char* path = options->water != NULL ? options->water : options->discharge;
    CLI_TRY(cli_judge_read_beside(input, path, false, &water));
    const wadi_river_map map = {
        .surface = input->field,
        .water = options->water != NULL ? water.values : NULL,
        .least_water = least,
        .discharge = options->discharge != NULL ? water.values : NULL,
        .least_discharge = least,
        .sea = sea,
        .before = input->before.values,
    };
    wadi_river_forms forms;
    const cli_status status =
        cli_check(input->context, wadi_river_forms_measure(input->context, &map, &forms));
    wadi_io_raster_free(&water);
    CLI_TRY(status);
    (options->json ? rivers_print_json : rivers_print)(&forms);
    return CLI_DONE;
}
