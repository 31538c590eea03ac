// SPDX-License-Identifier: MIT
// wadi synth: generate terrain as an elevation file.
#include "cli/command.h"
#include "cli/fields.h"
#include "cli/help.h"
#include "cli/land.h"
#include "cli/output.h"
#include "cli/session.h"
#include "cli/trace.h"

#include "io/raster/raster.h"

#include <wadi/synthesis.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct synth_options
{
    const char* output;
    const char* kind;
    const char* size;
    const char* cell;
    cli_list settings;
    uint64_t seed;
    cli_run_options run;
} synth_options;

static const cli_option synth_option_list[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CLI_OUTPUT,
     .offset = offsetof(synth_options, output),
     .value = "FILE",
     .doc = "The elevation file; the extension selects the format.",
     .required = true},
    CLI_OPTION(
        "kind", CLI_TEXT, synth_options, kind, "KIND",
        "Kind of the method, such as ridged; see the list below. The same as --set kind=KIND."),
    CLI_OPTION("size", CLI_TEXT, synth_options, size, "WxH",
               "Cells across and down. Default: 512x512."),
    CLI_OPTION("cell", CLI_TEXT, synth_options, cell, "LENGTH", "Size of a cell. Default: 30m."),
    CLI_OPTION("seed", CLI_SEED, synth_options, seed, "N",
               "Seed of the random numbers. Default: 0."),
    CLI_OPTION("set", CLI_LIST, synth_options, settings, "NAME=VALUE",
               "Set a parameter of the method, with its unit: relief=1.8km."),
    CLI_THREADS_OPTION(synth_options),
};

static void synth_help(void)
{
    for (int32_t i = 0; i < wadi_generator_count(); ++i)
    {
        const wadi_generator* method = wadi_generator_at(i);
        (void)printf("\nPARAMETERS OF %s (--set NAME=VALUE)\n", method->name);
        cli_help_paragraph(method->doc, 4);
        cli_help_fields(method->fields);
    }
}

// Parse "512x256".
static cli_status synth_read_size(const char* text, int32_t* width, int32_t* height)
{
    char* end = NULL;
    const long w = strtol(text, &end, 10);
    const char* across = end;
    const long h = *end == 'x' ? strtol(end + 1, &end, 10) : 0;
    if (*across != 'x' || *end != '\0' || w < 1 || w > 65536 || h < 1 || h > 65536)
    {
        return cli_fail(CLI_USAGE,
                        "--size '%s' is not a size; expected WxH such as 512x512, up to 65536",
                        text);
    }
    *width = (int32_t)w;
    *height = (int32_t)h;
    return CLI_DONE;
}

typedef struct synth_job
{
    const wadi_generator* method;
    void* params; // of the method
    int32_t width;
    int32_t height;
    double cell; // [m]
} synth_job;

static cli_status synth_find(const char* name, const wadi_generator** out)
{
    const char* words[16] = {NULL};
    for (int32_t i = 0; i < wadi_generator_count() && i < 15; ++i)
    {
        words[i] = wadi_generator_at(i)->name;
    }
    *out = wadi_generator_find(name);
    const char* nearest = cli_nearest(words, name);
    return *out != NULL ? CLI_DONE
           : nearest != NULL
               ? cli_fail(CLI_USAGE, "there is no method '%s'; did you mean '%s'?", name, nearest)
               : cli_fail(CLI_USAGE, "there is no method '%s'; 'wadi help synth' lists them", name);
}

static cli_status synth_read(wadi_context* context, const synth_options* options, synth_job* job)
{
    const wadi_field_table* fields = job->method->fields;
    if (options->size != NULL)
    {
        CLI_TRY(synth_read_size(options->size, &job->width, &job->height));
    }
    if (options->cell != NULL)
    {
        CLI_TRY(cli_quantity(context, "--cell", options->cell, "m", 1e-3, 1e6, &job->cell));
    }
    if (options->kind != NULL)
    {
        CLI_TRY(cli_check_usage(
            context, wadi_field_set_text(context, fields, "kind", options->kind, job->params)));
    }
    return cli_fields_set(context, fields, &options->settings, job->params);
}

static cli_status synth_write(wadi_context* context, const synth_options* options,
                              const synth_job* job, float* values)
{
    CLI_TRY(cli_check(context, wadi_generator_fill(context, job->method, job->params, options->seed,
                                                   job->width, job->height, job->cell, values)));
    wadi_io_tags tags = {.count = 0};
    cli_trace_command(&tags, NULL);
    const wadi_io_raster raster = {.width = job->width,
                                   .height = job->height,
                                   .values = values,
                                   .dx = job->cell,
                                   .dy = job->cell,
                                   .georef = {.wkt = ""},
                                   .name = "height",
                                   .unit = "m",
                                   .tags = &tags};
    const wadi_result result = wadi_io_raster_write(context, &raster, options->output);
    wadi_io_tags_free(&tags);
    return cli_check(context, result);
}

static cli_status synth_make(wadi_context* context, const synth_options* options, synth_job* job)
{
    CLI_TRY(synth_read(context, options, job));
    CLI_TRY(cli_check_usage(context, wadi_io_raster_check_writable(context, options->output)));
    CLI_TRY(cli_output_check(options->output));
    float* values = malloc((size_t)job->width * (size_t)job->height * sizeof *values);
    if (values == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for %d x %d cells; try a smaller --size",
                        job->width, job->height);
    }
    const cli_status status = synth_write(context, options, job, values);
    free(values);
    return status;
}

static cli_status synth_work(wadi_context* context, const synth_options* options,
                             const cli_list* operands)
{
    synth_job job = {.width = 512, .height = 512, .cell = 30.0};
    CLI_TRY(synth_find(operands->count > 0 ? operands->items[0] : "noise", &job.method));
    job.params = malloc(job.method->fields->params_size);
    if (job.params == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory");
    }
    wadi_fields_init(job.method->fields, job.params);
    const cli_status status = synth_make(context, options, &job);
    free(job.params);
    return status;
}

static cli_status synth_run(const cli_command* command, int argc, char** argv)
{
    synth_options options = {0};
    cli_list operands = {0};
    CLI_TRY(cli_parse(command, argc, argv, &operands, &options));
    cli_session session;
    CLI_TRY(cli_session_open(&options.run, &session));
    const cli_status status = synth_work(session.context, &options, &operands);
    cli_session_close(&session);
    return status;
}

const cli_command cli_synth_command = {
    .name = "synth",
    .summary = "make procedural ground: noise, subdivision, faults, deposition",
    .usage = "[METHOD] -o OUT [--kind KIND] [--size WxH] [--cell LENGTH] [--seed N]",
    .details = "Writes an elevation file. METHOD is noise by default. The same seed gives the "
               "same bits on every machine. Scenes can combine several methods.",
    .examples = "wadi synth -o hills.tif\n"
                "wadi synth subdivision --kind hexagon --set hurst=0.9 -o land.tif\n"
                "wadi synth --kind ridged --size 512x512 --cell 30m --seed 3 --set relief=1800m -o "
                "x.tif",
    .options = synth_option_list,
    .option_count = sizeof synth_option_list / sizeof synth_option_list[0],
    .max_operands = 1,
    .help_more = synth_help,
    .run = synth_run,
};
