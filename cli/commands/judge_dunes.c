// SPDX-License-Identifier: MIT
// wadi judge dunes: crests, height, spacing, kind and migration of dunes.
#include "cli/commands/judge_kinds.h"
#include "cli/fields.h"
#include "cli/json_number.h"

#include <wadi/dune_forms.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// Below this number of dunes, order and skew are chance: six random heaps have an order of 0.2.
#define DUNES_FEW 6.5

typedef struct dunes_job
{
    const cli_judge_options* options;
    const cli_judge_job* input;
    wadi_context* context;
    double drift; // resultant drift direction; NaN: none
    wadi_dune_forms forms;
    wadi_dune_shift shift;
} dunes_job;

// ---- measuring ---------------------------------------------------------------------------------

static cli_status dunes_measure_shift(dunes_job* job)
{
    const double cell = job->input->field.dy;
    double reach = 24.0 * cell;
    if (job->options->reach != NULL)
    {
        CLI_TRY(cli_quantity(job->context, "--reach", job->options->reach, "m", cell, 64.0 * cell,
                             &reach));
    }
    wadi_field2d before = job->input->field;
    before.heights = job->input->before.values;
    return cli_check(job->context, wadi_dune_shift_measure(job->context, &before,
                                                           &job->input->field, reach, &job->shift));
}

static cli_status dunes_measure(dunes_job* job)
{
    const wadi_dune_field field = {job->input->field, job->input->sand.values};
    CLI_TRY(cli_check(job->context, wadi_dune_forms_measure(job->context, &field, &job->forms)));
    if (job->forms.height == 0.0)
    {
        return cli_fail(CLI_FAILED, "the surface is flat: there are no dunes to measure");
    }
    return job->options->before != NULL ? dunes_measure_shift(job) : CLI_DONE;
}

static const char* dunes_type(const dunes_job* job)
{
    return job->options->drift != NULL
               ? wadi_dune_type_name(wadi_dune_forms_classify(&job->forms, job->drift))
               : NULL;
}

// ---- printing ----------------------------------------------------------------------------------

static void dunes_print_json(const dunes_job* job)
{
    const wadi_dune_forms* f = &job->forms;
    const char* type = dunes_type(job);
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

static void dunes_print_shift(const wadi_dune_shift* shift)
{
    if (isnan(shift->azimuth))
    {
        (void)printf("moved    0 m\n");
        return;
    }
    (void)printf("moved    %.3g m towards %.0f degree, likeness %.3f\n", shift->distance,
                 shift->azimuth, shift->likeness);
}

static void dunes_print_count(double dunes)
{
    if (isnan(dunes))
    {
        (void)printf("dunes    too few for a spacing; order, skew and kind are not "
                     "significant\n");
        return;
    }
    (void)printf("dunes    about %.2g%s\n", dunes,
                 dunes < DUNES_FEW ? ", too few: order, skew and kind are not significant" : "");
}

static void dunes_print(const dunes_job* job)
{
    const wadi_dune_forms* f = &job->forms;
    const char* type = dunes_type(job);
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
    dunes_print_count(f->dunes);
    if (type != NULL)
    {
        (void)printf("kind     %s\n", type);
    }
    if (job->options->before != NULL)
    {
        dunes_print_shift(&job->shift);
    }
}

// ---- the kind ----------------------------------------------------------------------------------

static cli_status dunes_read_drift(const cli_judge_job* job, double* out)
{
    const char* drift = job->options->drift;
    *out = (double)NAN;
    return drift == NULL || strcmp(drift, "none") == 0
               ? CLI_DONE
               : cli_quantity(job->context, "--drift", drift, "degree", 0.0, 360.0, out);
}

cli_status cli_judge_dunes_check(const cli_judge_job* job)
{
    double drift;
    const cli_judge_options* options = job->options;
    CLI_TRY(dunes_read_drift(job, &drift));
    if (options->reach != NULL && options->before == NULL)
    {
        return cli_fail(CLI_USAGE,
                        "--reach is for the migration since --before; give --before too");
    }
    return options->years != NULL || options->sea != NULL || options->gates != 0 ||
                   options->plains != 0 || options->strict
               ? cli_fail(CLI_USAGE,
                          "--years, --sea, --gates, --plains and --strict are for 'judge land'")
               : CLI_DONE;
}

cli_status cli_judge_dunes(const cli_judge_job* input)
{
    dunes_job job = {.options = input->options, .input = input, .context = input->context};
    CLI_TRY(dunes_read_drift(input, &job.drift));
    CLI_TRY(dunes_measure(&job));
    (input->options->json ? dunes_print_json : dunes_print)(&job);
    return CLI_DONE;
}
