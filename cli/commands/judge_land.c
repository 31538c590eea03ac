// SPDX-License-Identifier: MIT
// wadi judge land: measures of land, each beside its gate.
#include "cli/commands/judge_kinds.h"
#include "cli/fields.h"
#include "cli/json_number.h"

#include <wadi/land_forms.h>

#include <math.h>
#include <stdio.h>

enum
{
    LAND_NO_GATES = WADI_LAND_GATES_COUNT, // --gates none
    LAND_PLAINS_MASK = 1,                  // --plains mask; 0: as the gates have it
    LAND_PLAINS_KEEP = 2
};

typedef struct land_job
{
    const cli_judge_job* input;
    const cli_judge_options* options;
    bool masks_plains;
    wadi_land_forms forms;
} land_job;

static bool land_is_gated(const land_job* job, const wadi_land_measure* measure)
{
    return job->options->gates != LAND_NO_GATES &&
           wadi_land_measure_is_gated(measure, (wadi_land_gates)job->options->gates);
}

static bool land_passes(const land_job* job, const wadi_land_measure* measure, double value)
{
    return wadi_land_measure_passes(measure, (wadi_land_gates)job->options->gates, value);
}

static int32_t land_failed(const land_job* job)
{
    return job->options->gates == LAND_NO_GATES
               ? 0
               : wadi_land_forms_failed(&job->forms, (wadi_land_gates)job->options->gates);
}

// Whether the measure is part of the result: those of a change need the land before.
static bool land_is_shown(const land_job* job, const wadi_land_measure* measure)
{
    const bool is_change = measure->offset >= offsetof(wadi_land_forms, relief_kept);
    return !is_change || job->options->before.count > 0;
}

// ---- printing -----------------------------------------------------------------------------------

static void land_print_bounds(const wadi_land_gate* gate)
{
    char text[64];
    if (isinf(gate->low))
    {
        (void)snprintf(text, sizeof text, "<= %g", gate->high);
    }
    else if (isinf(gate->high))
    {
        (void)snprintf(text, sizeof text, ">= %g", gate->low);
    }
    else
    {
        (void)snprintf(text, sizeof text, "%g to %g", gate->low, gate->high);
    }
    (void)printf("%-12s", text);
}

static void land_print_measure(const land_job* job, const wadi_land_measure* measure)
{
    const double value = wadi_land_measure_value(measure, &job->forms);
    char text[64];
    const bool bare = measure->unit[0] == '1' && measure->unit[1] == '\0';
    (void)snprintf(text, sizeof text, isnan(value) ? "none" : "%.4g%s%s", value, bare ? "" : " ",
                   bare ? "" : measure->unit);
    (void)printf("%-18s%-16s", measure->name, text);
    if (land_is_gated(job, measure))
    {
        (void)printf("%-8s", land_passes(job, measure, value) ? "ok" : "FAILED");
        land_print_bounds(&measure->gates[job->options->gates]);
    }
    else
    {
        (void)printf("%-20s", "");
    }
    (void)printf("%s%s%s\n", measure->doc, measure->source[0] != '\0' ? "; " : "", measure->source);
}

// Surveys and ranges miss gates that are meant for other land, which is no fault of theirs.
static void land_print_meaning(const land_job* job)
{
    if (job->options->gates == (int32_t)WADI_LAND_GATES_NOISE && land_failed(job) > 0)
    {
        (void)printf("these gates are meant for land worn from noise; compare a range under uplift "
                     "with --gates range, and measure a survey with --gates none\n");
    }
}

static void land_print(const land_job* job)
{
    int32_t count;
    const wadi_land_measure* measures = wadi_land_measures(&count);
    int32_t gates = 0;
    for (int32_t i = 0; i < count; ++i)
    {
        if (land_is_shown(job, &measures[i]))
        {
            land_print_measure(job, &measures[i]);
            gates += land_is_gated(job, &measures[i]) ? 1 : 0;
        }
    }
    if (job->options->gates != LAND_NO_GATES)
    {
        (void)printf("%d of %d gates of '%s' are met\n", (int)(gates - land_failed(job)),
                     (int)gates, wadi_land_gates_name((wadi_land_gates)job->options->gates));
        land_print_meaning(job);
    }
}

static json_t* land_json_gate(const land_job* job, const wadi_land_measure* measure, double value)
{
    const wadi_land_gate* gate = &measure->gates[job->options->gates];
    return json_pack("{s:o, s:o, s:b, s:s}", "low", cli_json_number(gate->low), "high",
                     cli_json_number(gate->high), "met", land_passes(job, measure, value) ? 1 : 0,
                     "source", measure->source);
}

static void land_print_json(const land_job* job)
{
    int32_t count;
    const wadi_land_measure* measures = wadi_land_measures(&count);
    json_t* values = json_object();
    json_t* gates = json_object();
    for (int32_t i = 0; i < count; ++i)
    {
        const double value = wadi_land_measure_value(&measures[i], &job->forms);
        if (!land_is_shown(job, &measures[i]))
        {
            continue;
        }
        (void)json_object_set_new(values, measures[i].name, cli_json_number(value));
        if (land_is_gated(job, &measures[i]))
        {
            (void)json_object_set_new(gates, measures[i].name,
                                      land_json_gate(job, &measures[i], value));
        }
    }
    json_t* root =
        json_pack("{s:o, s:b, s:o, s:i}", "measures", values, "plains_masked",
                  job->masks_plains ? 1 : 0, "gates", gates, "failed", (int)land_failed(job));
    (void)json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(8));
    (void)putchar('\n');
    json_decref(root);
}

// ---- the kind -----------------------------------------------------------------------------------

static cli_status land_read_years(const cli_judge_job* job, double* out)
{
    *out = 0.0;
    return job->options->years == NULL
               ? CLI_DONE
               : cli_quantity(job->context, "--years", job->options->years, "yr", 1e-6, 1e12, out);
}

static cli_status land_read_sea(const cli_judge_job* job, double* out)
{
    *out = -HUGE_VAL;
    return job->options->sea == NULL
               ? CLI_DONE
               : cli_quantity(job->context, "--sea", job->options->sea, "m", -1e5, 1e5, out);
}

// The sea is no land: its cells lose their data, so that rivers end there.
static void land_drown(const cli_judge_job* job, double sea)
{
    const int64_t cells = (int64_t)job->surface.width * job->surface.height;
    for (int64_t i = 0; i < cells; ++i)
    {
        const double z = (double)job->surface.values[i];
        job->surface.values[i] = z <= sea ? NAN : (float)z;
    }
}

cli_status cli_judge_land_check(const cli_judge_job* job)
{
    const cli_judge_options* options = job->options;
    double years;
    double sea;
    CLI_TRY(land_read_years(job, &years));
    CLI_TRY(land_read_sea(job, &sea));
    if (options->years != NULL && options->before.count == 0)
    {
        return cli_fail(CLI_USAGE,
                        "--years is for the denudation since --before; give --before too");
    }
    if (options->before.count > 1)
    {
        return cli_fail(CLI_USAGE, "give one --before; 'judge dunes' takes several");
    }
    return options->sand != NULL || options->drift != NULL || options->reach != NULL ||
                   options->edges != 0 || cli_judge_has_wind(options) ||
                   options->draw_rose != NULL || options->picture != NULL
               ? cli_fail(
                     CLI_USAGE,
                     "--sand, --drift, --reach, --edges, --picture and winds are for 'judge dunes'")
               : CLI_DONE;
}

cli_status cli_judge_land(const cli_judge_job* input)
{
    const cli_judge_options* options = input->options;
    land_job job = {.input = input, .options = options};
    job.masks_plains =
        options->plains == LAND_PLAINS_MASK ||
        (options->plains != LAND_PLAINS_KEEP && options->gates == (int32_t)WADI_LAND_GATES_RANGE);
    wadi_land land = {
        .surface = input->field, .before = input->before.values, .mask_plains = job.masks_plains};
    double sea;
    CLI_TRY(land_read_years(input, &land.years));
    CLI_TRY(land_read_sea(input, &sea));
    land_drown(input, sea);
    CLI_TRY(cli_check(input->context, wadi_land_forms_measure(input->context, &land, &job.forms)));
    (options->json ? land_print_json : land_print)(&job);
    return options->strict && land_failed(&job) > 0 ? CLI_FAILED : CLI_DONE;
}
