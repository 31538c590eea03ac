// SPDX-License-Identifier: MIT
// wadi judge: measure landforms, simulated or surveyed.
#include "cli/command.h"
#include "cli/fields.h"
#include "cli/json_number.h"
#include "cli/session.h"

#include "io/raster/geo.h"

#include <wadi/dune_forms.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Below this number of dunes, order and skew are chance: six random heaps have an order of 0.2.
#define JUDGE_FEW 6.5

typedef struct judge_options
{
    const char* sand;
    const char* before;
    const char* reach;
    const char* drift;
    const char* cell;
    int32_t edges;
    bool json;
    cli_run_options run;
} judge_options;

static const cli_option judge_option_list[] = {
    {.name = "sand",
     .kind = CLI_TEXT,
     .offset = offsetof(judge_options, sand),
     .value = "FILE",
     .doc = "Thickness of the sand on the same grid; gives the bare fraction and the number of "
            "heaps."},
    {.name = "drift",
     .kind = CLI_TEXT,
     .offset = offsetof(judge_options, drift),
     .value = "AZIMUTH|none",
     .doc = "Azimuth of the resultant sand drift, in degrees clockwise from north, or none if the "
            "winds cancel; gives the kind of dunes."},
    {.name = "before",
     .kind = CLI_TEXT,
     .offset = offsetof(judge_options, before),
     .value = "FILE",
     .doc = "An earlier surface on the same grid; gives the distance that the dunes have moved."},
    {.name = "reach",
     .kind = CLI_TEXT,
     .offset = offsetof(judge_options, reach),
     .value = "LENGTH",
     .doc = "Largest distance searched. Default: 24 cells; at most 64 cells."},
    {.name = "edges",
     .kind = CLI_CHOICE,
     .offset = offsetof(judge_options, edges),
     .value = "open|closed|periodic",
     .doc = "Edges of the grid; periodic for scenes with periodic edges."},
    {.name = "cell",
     .kind = CLI_TEXT,
     .offset = offsetof(judge_options, cell),
     .value = "LENGTH",
     .doc = "Cell size, such as 10m, for files that do not hold it (PNG, R16)."},
    {.name = "json",
     .kind = CLI_FLAG,
     .offset = offsetof(judge_options, json),
     .doc = "Print JSON."},
    CLI_THREADS_OPTION(judge_options),
};

typedef struct judge_job
{
    const judge_options* options;
    wadi_context* context;
    double cell;
    double drift; // resultant drift direction; NaN: none
    wadi_io_raster surface;
    wadi_io_raster sand;
    wadi_io_raster before;
    double* dx; // cell width of each row
    wadi_field2d field;
    wadi_dune_forms forms;
    wadi_dune_shift shift;
} judge_job;

// ---- reading -----------------------------------------------------------------------------------

static cli_status judge_read_options(judge_job* job)
{
    const judge_options* options = job->options;
    const bool cancels = options->drift != NULL && strcmp(options->drift, "none") == 0;
    job->drift = (double)NAN;
    if (options->cell != NULL)
    {
        CLI_TRY(cli_quantity(job->context, "--cell", options->cell, "m", 1e-3, 1e6, &job->cell));
    }
    if (options->reach != NULL && options->before == NULL)
    {
        return cli_fail(CLI_USAGE,
                        "--reach is for the migration since --before; give --before too");
    }
    return options->drift == NULL || cancels ? CLI_DONE
                                             : cli_quantity(job->context, "--drift", options->drift,
                                                            "degree", 0.0, 360.0, &job->drift);
}

// Read another raster on the grid of the surface; does nothing if `path` is NULL.
static cli_status judge_read_beside(judge_job* job, const char* path, bool is_ground,
                                    wadi_io_raster* out)
{
    if (path == NULL)
    {
        return CLI_DONE;
    }
    CLI_TRY(cli_check(job->context,
                      wadi_io_raster_read(job->context, path, job->cell, is_ground, out)));
    return out->width == job->surface.width && out->height == job->surface.height
               ? CLI_DONE
               : cli_fail(CLI_USAGE,
                          "%s has %d x %d cells, but the surface has %d x %d; resample one", path,
                          out->width, out->height, job->surface.width, job->surface.height);
}

static cli_status judge_read(judge_job* job, const char* input)
{
    CLI_TRY(cli_check(job->context,
                      wadi_io_raster_read(job->context, input, job->cell, true, &job->surface)));
    CLI_TRY(judge_read_beside(job, job->options->sand, false, &job->sand));
    CLI_TRY(judge_read_beside(job, job->options->before, true, &job->before));
    job->dx = malloc((size_t)job->surface.height * sizeof *job->dx);
    if (job->dx == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory");
    }
    job->field = (wadi_field2d){.heights = job->surface.values,
                                .width = job->surface.width,
                                .height = job->surface.height,
                                .stride = job->surface.width,
                                .dx_of_row = job->dx};
    wadi_io_raster_metric(&job->surface, job->dx, &job->field.dy);
    for (int side = 0; side < 4; ++side)
    {
        job->field.edges[side] = (wadi_edge)job->options->edges;
    }
    return CLI_DONE;
}

// ---- measuring ---------------------------------------------------------------------------------

static cli_status judge_measure_shift(judge_job* job)
{
    const double cell = job->field.dy;
    double reach = 24.0 * cell;
    if (job->options->reach != NULL)
    {
        CLI_TRY(cli_quantity(job->context, "--reach", job->options->reach, "m", cell, 64.0 * cell,
                             &reach));
    }
    wadi_field2d before = job->field;
    before.heights = job->before.values;
    return cli_check(job->context, wadi_dune_shift_measure(job->context, &before, &job->field,
                                                           reach, &job->shift));
}

static cli_status judge_measure(judge_job* job)
{
    const wadi_dune_field field = {job->field, job->sand.values};
    CLI_TRY(cli_check(job->context, wadi_dune_forms_measure(job->context, &field, &job->forms)));
    if (job->forms.height == 0.0)
    {
        return cli_fail(CLI_FAILED, "the surface is flat: there are no dunes to measure");
    }
    return job->options->before != NULL ? judge_measure_shift(job) : CLI_DONE;
}

static const char* judge_type(const judge_job* job)
{
    return job->options->drift != NULL
               ? wadi_dune_type_name(wadi_dune_forms_classify(&job->forms, job->drift))
               : NULL;
}

// ---- printing ----------------------------------------------------------------------------------

static void judge_print_json(const judge_job* job)
{
    const wadi_dune_forms* f = &job->forms;
    const char* type = judge_type(job);
    json_t* root =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "height_m",
                  cli_json_number(f->height), "spacing_m", cli_json_number(f->spacing), "face_deg",
                  cli_json_number(f->face), "order", cli_json_number(f->order), "normal_deg",
                  cli_json_number(f->normal), "skew", cli_json_number(f->skew), "lee_deg",
                  cli_json_number(f->lee), "dunes", cli_json_number(f->dunes));
    if (job->options->sand != NULL)
    {
        (void)json_object_set_new(root, "bare", cli_json_number(f->bare));
        (void)json_object_set_new(root, "bodies", json_integer(f->bodies));
    }
    if (type != NULL)
    {
        (void)json_object_set_new(root, "type", json_string(type));
    }
    if (job->options->before != NULL)
    {
        (void)json_object_set_new(root, "moved_m", cli_json_number(job->shift.distance));
        (void)json_object_set_new(root, "moved_deg", cli_json_number(job->shift.azimuth));
        (void)json_object_set_new(root, "likeness", cli_json_number(job->shift.likeness));
    }
    (void)json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    (void)putchar('\n');
    json_decref(root);
}

static void judge_print_shift(const wadi_dune_shift* shift)
{
    if (isnan(shift->azimuth))
    {
        (void)printf("moved    0 m\n");
        return;
    }
    (void)printf("moved    %.3g m towards %.0f degree, likeness %.3f\n", shift->distance,
                 shift->azimuth, shift->likeness);
}

static void judge_print_count(double dunes)
{
    if (isnan(dunes))
    {
        (void)printf("dunes    too few for a spacing; order, skew and kind are not "
                     "significant\n");
        return;
    }
    (void)printf("dunes    about %.2g%s\n", dunes,
                 dunes < JUDGE_FEW ? ", too few: order, skew and kind are not significant" : "");
}

static void judge_print(const judge_job* job)
{
    const wadi_dune_forms* f = &job->forms;
    const char* type = judge_type(job);
    (void)printf("height   %.4g m\n", f->height);
    if (isnan(f->spacing))
    {
        (void)printf("spacing  none: no periodic dunes\n");
    }
    else
    {
        (void)printf("spacing  %.4g m, height 1/%.3g of it\n", f->spacing, f->spacing / f->height);
    }
    (void)printf("face     %.1f degree\n", f->face);
    (void)printf("order    %.3f, crests across %.0f degree\n", f->order, f->normal);
    (void)printf("skew     %.2f towards %.0f degree\n", f->skew, f->lee);
    if (job->options->sand != NULL)
    {
        (void)printf("bare     %.1f %%, sand in %d %s\n", 100.0 * f->bare, (int)f->bodies,
                     f->bodies == 1 ? "heap" : "heaps");
    }
    judge_print_count(f->dunes);
    if (type != NULL)
    {
        (void)printf("kind     %s\n", type);
    }
    if (job->options->before != NULL)
    {
        judge_print_shift(&job->shift);
    }
}

// ---- the verb ----------------------------------------------------------------------------------

static cli_status judge_work(judge_job* job, const cli_list* operands)
{
    if (strcmp(operands->items[0], "dunes") != 0)
    {
        return cli_fail(CLI_USAGE, "cannot judge '%s'; expected 'dunes'", operands->items[0]);
    }
    CLI_TRY(judge_read_options(job));
    CLI_TRY(judge_read(job, operands->items[1]));
    CLI_TRY(judge_measure(job));
    (job->options->json ? judge_print_json : judge_print)(job);
    return CLI_DONE;
}

static cli_status judge_run(const cli_command* command, int argc, char** argv)
{
    judge_options options = {0};
    cli_list operands = {0};
    CLI_TRY(cli_parse(command, argc, argv, &operands, &options));
    cli_session session;
    CLI_TRY(cli_session_open(&options.run, &session));
    judge_job job = {.options = &options, .context = session.context};
    const cli_status status = judge_work(&job, &operands);
    wadi_io_raster_free(&job.surface);
    wadi_io_raster_free(&job.sand);
    wadi_io_raster_free(&job.before);
    free(job.dx);
    cli_session_close(&session);
    return status;
}

const cli_command cli_judge_command = {
    .name = "judge",
    .summary = "measure dunes: crests, height, spacing, kind, migration",
    .usage = "dunes FILE [options]",
    .details =
        "Measures the surface of a dune field, simulated or surveyed: height (the square root of "
        "12 times the standard deviation), spacing, order and azimuth of the crests, and the "
        "direction of slip faces. Lengths are metres, also for files in degrees.\n\nWith --sand "
        "and --drift the kind of dunes is determined: barchan, transverse, linear, star, sheet "
        "(no slip faces) or mixed.",
    .examples = "wadi judge dunes dem.tif\n"
                "wadi judge dunes height.tif --sand sand.tif --drift 90 --edges periodic\n"
                "wadi judge dunes april18.asc --before april15.asc\n"
                "wadi judge dunes height.tif --json",
    .options = judge_option_list,
    .option_count = sizeof judge_option_list / sizeof judge_option_list[0],
    .min_operands = 2,
    .max_operands = 2,
    .run = judge_run,
};
