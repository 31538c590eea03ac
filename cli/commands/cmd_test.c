// SPDX-License-Identifier: MIT
// wadi test: laboratory tests on packings of grains.
#include "cli/command.h"
#include "cli/commands/test_outputs.h"
#include "cli/fields.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/trace.h"

#include "io/points/grain_tables.h"
#include "io/points/points.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum
{
    TEST_LEVELS = 3,
    TEST_STRETCH = 1000 // steps between looks at an interrupt
};

typedef struct test_options
{
    cli_list settings;
    uint64_t seed;
    int32_t levels;
    const char* curves;
    const char* report;
    const char* grains;
    const char* contacts;
    const char* fields;
    cli_run_options run;
} test_options;

static const cli_option test_option_list[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_OUTPUT,
     .offset = offsetof(test_options, curves),
     .value = "CSV",
     .doc = "Write the curves: strains, stresses, porosity, coordination and bonds."},
    CLI_OPTION("set", CLI_LIST, test_options, settings, "NAME=VALUE",
               "Set a parameter of the test or of the grains, with its unit: stress=20kPa."),
    {.name = "levels",
     .kind = CLI_COUNT,
     .offset = offsetof(test_options, levels),
     .value = "N",
     .doc =
         "Specimens, each at twice the stress of the one before; cohesion needs two. Default: 3, "
         "for an oedometer 1.",
     .min = 1,
     .max = CLI_TEST_SPECIMENS},
    CLI_OPTION("seed", CLI_SEED, test_options, seed, "N",
               "Seed of the random numbers. Default: 0."),
    CLI_OPTION("report", CLI_OUTPUT, test_options, report, "FILE", "Write a JSON report."),
    CLI_OPTION("grains", CLI_OUTPUT, test_options, grains, "FILE",
               "Write the grains of the last specimen at the end: .vtp or .ply."),
    CLI_OPTION("contacts", CLI_OUTPUT, test_options, contacts, "FILE",
               "Write its contacts with their forces: .vtp or .ply."),
    CLI_OPTION("fields", CLI_OUTPUT, test_options, fields, "FILE.vti",
               "Write its fields, smoothed over the diameter: density, velocity, stresses, "
               "temperature, coordination."),
    CLI_THREADS_OPTION(test_options),
};

static void test_help(void)
{
    (void)printf("\nPARAMETERS OF THE TEST (--set NAME=VALUE)\n");
    cli_help_fields(&wadi_grain_test_fields);
    (void)printf("\nPARAMETERS OF THE GRAINS (--set NAME=VALUE)\n");
    cli_help_fields(&wadi_grain_material_fields);
}

typedef struct test_job
{
    const test_options* options;
    wadi_context* context;
    wadi_grain_test_params params;
    wadi_grain_material material;
    cli_test_run run;
    wadi_io_tags tags;
} test_job;

// --- parameters ---

static cli_status test_read_kind(const char* word, wadi_grain_test_kind* out)
{
    for (int32_t k = 0; k < WADI_GRAIN_TEST_COUNT; ++k)
    {
        if (strcmp(cli_test_kinds[k], word) == 0)
        {
            *out = (wadi_grain_test_kind)k;
            return CLI_DONE;
        }
    }
    const char* nearest = cli_nearest(cli_test_kinds, word);
    return nearest != NULL
               ? cli_fail(CLI_USAGE, "there is no test '%s'; did you mean '%s'?", word, nearest)
               : cli_fail(CLI_USAGE, "there is no test '%s'; give triaxial, shear or oedometer",
                          word);
}

// Whether a setting is for the grains: a name of their table, or one nearer to it.
static bool test_is_of_grains(const char* setting)
{
    char name[64] = "";
    const size_t length = strcspn(setting, "=");
    (void)strncat(name, setting, length < sizeof name ? length : sizeof name - 1);
    if (wadi_field_find(&wadi_grain_test_fields, name) != NULL)
    {
        return false;
    }
    return wadi_field_find(&wadi_grain_material_fields, name) != NULL ||
           wadi_field_nearest(&wadi_grain_test_fields, name) == NULL;
}

static cli_status test_read_params(test_job* job)
{
    cli_list lists[2] = {{.count = 0}, {.count = 0}};
    const cli_list* settings = &job->options->settings;
    for (int32_t i = 0; i < settings->count; ++i)
    {
        cli_list* list = &lists[test_is_of_grains(settings->items[i])];
        list->items[list->count++] = settings->items[i];
    }
    job->params = wadi_grain_test_params_default();
    job->material = wadi_grain_material_default();
    CLI_TRY(cli_fields_set(job->context, &wadi_grain_test_fields, &lists[0], &job->params));
    return cli_fields_set(job->context, &wadi_grain_material_fields, &lists[1], &job->material);
}

static cli_status test_check_points(const test_job* job, const char* path)
{
    return path != NULL
               ? cli_check_usage(job->context, wadi_io_points_check_writable(job->context, path))
               : CLI_DONE;
}

static cli_status test_check_outputs(const test_job* job)
{
    const test_options* options = job->options;
    const char* const outputs[] = {options->grains, options->contacts, options->fields,
                                   options->curves, options->report};
    CLI_TRY(test_check_points(job, options->grains));
    CLI_TRY(test_check_points(job, options->contacts));
    CLI_TRY(options->fields != NULL
                ? cli_check_usage(job->context,
                                  wadi_io_fields_check_writable(job->context, options->fields))
                : CLI_DONE);
    return cli_output_check_all(outputs, sizeof outputs / sizeof *outputs, NULL);
}

// --- specimens ---

static cli_status test_run_specimen(test_job* job, int32_t k)
{
    cli_test_run* run = &job->run;
    wadi_grain_test_params params = job->params;
    params.stress *= (double)(1 << k);
    run->stresses[k] = params.stress;
    CLI_TRY(cli_check_usage(job->context,
                            wadi_grain_test_create(job->context, run->kind, &params, &job->material,
                                                   job->options->seed, &run->tests[k])));
    while (!wadi_grain_test_is_done(run->tests[k]))
    {
        CLI_TRY(cli_check(job->context, wadi_grain_test_advance(run->tests[k], TEST_STRETCH)));
    }
    return cli_check(job->context, wadi_grain_test_result_of(run->tests[k], &run->results[k]));
}

static cli_status test_run_all(test_job* job)
{
    cli_test_run* run = &job->run;
    const int32_t usual = run->kind == WADI_GRAIN_TEST_OEDOMETER ? 1 : TEST_LEVELS;
    const int32_t levels = job->options->levels > 0 ? job->options->levels : usual;
    for (int32_t k = 0; k < levels; ++k)
    {
        run->count = k + 1;
        CLI_TRY(test_run_specimen(job, k));
    }
    run->has_strength = levels > 1 && run->kind != WADI_GRAIN_TEST_OEDOMETER;
    return run->has_strength
               ? cli_check(job->context,
                           wadi_grain_strength_fit(job->context, run->kind, run->results, levels,
                                                   &run->strength))
               : CLI_DONE;
}

// --- outputs ---

static void test_add_settings(json_t* object, const wadi_field_table* table, const void* params)
{
    for (int32_t i = 0; i < table->count; ++i)
    {
        const wadi_field* field = &table->fields[i];
        (void)json_object_set_new(object, field->name, json_real(wadi_field_get(field, params)));
    }
}

static cli_status test_write_report(const test_job* job)
{
    json_t* settings = json_object();
    test_add_settings(settings, &wadi_grain_test_fields, &job->params);
    test_add_settings(settings, &wadi_grain_material_fields, &job->material);
    return cli_test_write_report(&job->run, settings, &job->tags, job->options->report);
}

static cli_status test_write(test_job* job)
{
    const test_options* o = job->options;
    const cli_test_run* run = &job->run;
    wadi_context* context = job->context;
    CLI_TRY(o->curves != NULL ? cli_test_write_curves(run, o->curves) : CLI_DONE);
    CLI_TRY(o->report != NULL ? test_write_report(job) : CLI_DONE);
    CLI_TRY(o->grains != NULL ? cli_test_write_grains(context, run, &job->tags, o->grains)
                              : CLI_DONE);
    CLI_TRY(o->contacts != NULL ? cli_test_write_contacts(context, run, &job->tags, o->contacts)
                                : CLI_DONE);
    return o->fields != NULL ? cli_test_write_fields(context, run, job->params.diameter, o->fields)
                             : CLI_DONE;
}

static void test_trace(test_job* job)
{
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%" PRIu64, job->options->seed);
    cli_trace_command(&job->tags, NULL);
    wadi_io_tags_set(&job->tags, "wadi_seed", digits);
}

static cli_status test_work(test_job* job, const char* word)
{
    CLI_TRY(test_read_kind(word, &job->run.kind));
    CLI_TRY(test_read_params(job));
    CLI_TRY(test_check_outputs(job));
    CLI_TRY(test_run_all(job));
    test_trace(job);
    CLI_TRY(test_write(job));
    cli_test_print(&job->run);
    return CLI_DONE;
}

static cli_status test_run(const cli_command* command, int argc, char** argv)
{
    test_options options = {0};
    cli_list operands = {0};
    CLI_TRY(cli_parse(command, argc, argv, &operands, &options));
    cli_session session;
    CLI_TRY(cli_session_open(&options.run, &session));
    test_job job = {.options = &options, .context = session.context, .tags = {.count = 0}};
    const cli_status status = test_work(&job, operands.items[0]);
    for (int32_t k = 0; k < job.run.count; ++k)
    {
        wadi_grain_test_destroy(job.run.tests[k]);
    }
    wadi_io_tags_free(&job.tags);
    cli_session_close(&session);
    return status;
}

const cli_command cli_test_command = {
    .name = "test",
    .summary = "measure the strength and stiffness of a packing of grains",
    .usage = "triaxial|shear|oedometer [-o CURVES.csv] [--set friction=0.5]",
    .details =
        "Packs grains, consolidates them, bonds them if asked, and loads them as a laboratory "
        "does: triaxial compresses at constant lateral stress, shear moves a rough plate under a "
        "constant normal stress, oedometer compresses between rigid sides and unloads.\n"
        "Prints friction angle, dilation, Young's modulus and Poisson's ratio of each specimen, "
        "and cohesion and friction angle of all by Mohr and Coulomb. Results hold for hard grains "
        "(stiffness 1000 or more) and slow tests (inertia 1e-3 or less).",
    .examples = "wadi test triaxial --set friction=0.5 -o curves.csv\n"
                "wadi test shear --set bonded=true --set bond_cohesion=20kPa --report soil.json\n"
                "wadi test oedometer --set stress=10kPa --contacts contacts.vtp --fields soil.vti",
    .options = test_option_list,
    .option_count = sizeof test_option_list / sizeof test_option_list[0],
    .min_operands = 1,
    .max_operands = 1,
    .help_more = test_help,
    .run = test_run,
};
