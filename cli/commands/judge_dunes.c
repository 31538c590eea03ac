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
// RDP/DP below which the winds of a history cancel.
#define DUNES_CANCEL 0.1

typedef struct dunes_job
{
    const cli_judge_options* options;
    const cli_judge_job* input;
    wadi_context* context;
    double drift; // resultant drift direction; NaN: none
    wadi_dune_forms forms;
    wadi_dune_shift shift;
    wadi_dune_shapes shapes;
    wadi_dune_encounters met; // with --before
    wadi_sand_drift winds;    // with --rose, --series or --schedule
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
    CLI_TRY(cli_judge_shapes_measure(job->input, job->drift, &job->shapes));
    if (job->options->before.count == 0)
    {
        return CLI_DONE;
    }
    CLI_TRY(cli_judge_encounters(job->input, &job->met));
    return dunes_measure_shift(job);
}

static const char* dunes_type(const dunes_job* job)
{
    const bool drifts = job->options->drift != NULL || cli_judge_has_wind(job->options);
    return drifts || wadi_dune_forms_are_none(&job->forms)
               ? wadi_dune_type_name(wadi_dune_forms_classify(&job->forms, job->drift))
               : NULL;
}

// ---- printing ----------------------------------------------------------------------------------

static json_t* dunes_winds_json(const wadi_sand_drift* winds)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "drift_potential",
                     cli_json_number(winds->potential), "resultant",
                     cli_json_number(winds->resultant), "ratio", cli_json_number(winds->ratio),
                     "drift_deg", cli_json_number(winds->direction), "crests_across_deg",
                     cli_json_number(winds->crests), "moving", cli_json_number(winds->moving));
}

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
    (void)json_object_set_new(root, "shapes", cli_judge_shapes_json(&job->shapes));
    if (type != NULL)
    {
        (void)json_object_set_new(root, "type", json_string(type));
    }
    if (job->options->before.count > 0)
    {
        (void)json_object_set_new(root, "moved_m", cli_json_number(job->shift.distance));
        (void)json_object_set_new(root, "moved_deg", cli_json_number(job->shift.azimuth));
        (void)json_object_set_new(root, "likeness", cli_json_number(job->shift.likeness));
        (void)json_object_set_new(root, "collisions", json_integer(job->met.collisions));
        (void)json_object_set_new(root, "calvings", json_integer(job->met.calvings));
        (void)json_object_set_new(root, "kept", json_integer(job->met.kept));
        (void)json_object_set_new(root, "gone", json_integer(job->met.gone));
        (void)json_object_set_new(root, "born", json_integer(job->met.born));
    }
    if (cli_judge_has_wind(job->options))
    {
        (void)json_object_set_new(root, "winds", dunes_winds_json(&job->winds));
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

static void dunes_print_met(const wadi_dune_encounters* met)
{
    (void)printf("met      %d %s, %d %s; %d kept, %d gone, %d new\n", (int)met->collisions,
                 met->collisions == 1 ? "collision" : "collisions", (int)met->calvings,
                 met->calvings == 1 ? "calving" : "calvings", (int)met->kept, (int)met->gone,
                 (int)met->born);
}

// Names by Fryberger & Dean 1979.
static void dunes_print_winds(const wadi_sand_drift* winds)
{
    (void)printf("winds    drift potential %.4g (%s energy), sand moves %.1f %% of the time\n",
                 winds->potential,
                 winds->potential < 200.0   ? "low"
                 : winds->potential < 400.0 ? "intermediate"
                                            : "high",
                 100.0 * winds->moving);
    (void)printf("drift    RDP/DP %.2f (%s)", winds->ratio,
                 winds->ratio < 0.3   ? "complex or obtuse bimodal"
                 : winds->ratio < 0.8 ? "bimodal"
                                      : "unimodal");
    if (!isnan(winds->direction))
    {
        (void)printf(", resultant %.4g towards %d degree", winds->resultant,
                     (int)(winds->direction + 0.5) % 360); // 359.9 is 0
    }
    (void)printf("; crests across %.0f degree\n", winds->crests);
}

static void dunes_print_count(const wadi_dune_forms* f)
{
    const double dunes = f->dunes;
    if (wadi_dune_forms_are_none(f))
    {
        (void)printf("dunes    none: %s\n",
                     !isnan(f->bare) ? "no bodies of sand"
                     : f->face >= 20.0 && f->behind <= 0.0
                         ? "level or rising ground behind the steepest slopes"
                     : f->face > 30.0 ? "steeper than sand can rest"
                                      : "no slip faces and no regular "
                                        "spacing");
        return;
    }
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
    dunes_print_count(f);
    if (!job->shapes.none)
    {
        cli_judge_shapes_print(&job->shapes);
    }
    if (type != NULL)
    {
        (void)printf("kind     %s\n", type);
    }
    if (job->options->before.count > 0)
    {
        dunes_print_shift(&job->shift);
    }
    if (job->options->before.count > 0 && !job->shapes.none)
    {
        dunes_print_met(&job->met);
    }
    if (cli_judge_has_wind(job->options))
    {
        dunes_print_winds(&job->winds);
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

// The drift of a wind history takes the place of --drift.
static cli_status dunes_read_winds(dunes_job* job)
{
    if (cli_judge_has_wind(job->options))
    {
        CLI_TRY(cli_judge_wind_measure(job->input, &job->winds));
        job->drift = job->winds.ratio < DUNES_CANCEL ? (double)NAN : job->winds.direction;
    }
    return CLI_DONE;
}

cli_status cli_judge_dunes_check(const cli_judge_job* job)
{
    double drift;
    const cli_judge_options* options = job->options;
    CLI_TRY(dunes_read_drift(job, &drift));
    CLI_TRY(cli_judge_wind_check(job));
    CLI_TRY(cli_judge_check_picture(options->picture));
    if (options->reach != NULL && options->before.count == 0)
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
    CLI_TRY(dunes_read_winds(&job));
    CLI_TRY(dunes_measure(&job));
    (input->options->json ? dunes_print_json : dunes_print)(&job);
    return CLI_DONE;
}
