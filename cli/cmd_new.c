// SPDX-License-Identifier: MIT
// wadi new: print a scene to start from.
#include "command.h"
#include "help.h"
#include "templates.h"

#include <wadi/process.h>

#include <stdio.h>
#include <string.h>

typedef struct new_options
{
    bool list;
} new_options;

static const cli_option new_option_list[] = {
    {.name = "list",
     .kind = CLI_FLAG,
     .offset = offsetof(new_options, list),
     .doc = "List the scenes there are."},
};

static const char* new_text(const cli_template* template)
{
    return (const char*)template->text;
}

// The line `doc:` of a scene says what it shows.
static void new_print_row(const cli_template* template)
{
    static const char key[] = "\ndoc: ";
    const char* found = strstr(new_text(template), key);
    const char* line = found != NULL ? found + strlen(key) : "";
    (void)printf("%-23s %.*s\n", template->name, (int)strcspn(line, "\n"), line);
}

static const cli_template* new_find(const char* name)
{
    const cli_template* template = cli_templates;
    while (template->name != NULL && strcmp(template->name, name) != 0)
    {
        template += 1;
    }
    return template->name != NULL ? template : NULL;
}

// A value as a scene has it: with its unit, unless it is a plain number.
static void new_print_value(const wadi_field* field)
{
    if (field->type == WADI_FIELD_ENUM)
    {
        (void)printf("%s", field->names[(int)field->initial]);
    }
    else if (field->type == WADI_FIELD_BOOL)
    {
        (void)printf("%s", field->initial != 0.0 ? "true" : "false");
    }
    else
    {
        const bool bare = strcmp(field->unit, "1") == 0;
        (void)printf("%.15g%s%s", field->initial, bare ? "" : " ", bare ? "" : field->unit);
    }
}

// Ground on which a process has something to do: mountains, for the wind and its dunes a sheet of
// sand, for landslides a wet hillside.
static const char* new_ground(const wadi_process* process)
{
    if (process->takes_bodies)
    {
        return "  size: [50, 30]\n  cell: 10 cm\n  flat: 0 m\n";
    }
    if (strcmp(process->name, "landslide") == 0)
    {
        return "  size: [256, 256]\n  cell: 10 m\n"
               "  noise: {kind: fbm, relief: 400 m, wavelength: 1.2 km, octaves: 3}\n"
               "layers:\n  sediment: 2 m\n  moisture: 0.75\n";
    }
    return strcmp(process->name, "wind") == 0 || strcmp(process->name, "dunes") == 0
               ? "  size: [256, 256]\n  cell: 2 m\n  edges: periodic\n"
                 "  noise: {kind: fbm, relief: 0.4 m, wavelength: 16 m, octaves: 2}\n"
                 "layers:\n  sediment: 6 m\n"
               : "  size: [256, 256]\n  cell: 30 m\n  noise: {kind: fbm, relief: 900 m}\n";
}

// A scene for one process, with all its fields at their defaults behind comment signs.
static void new_print_process(const wadi_process* process)
{
    const cli_span span = cli_span_of(process->default_years);
    (void)printf("# %s\nwadi: 1\nseed: 1\nterrain:\n%s"
                 "steps:\n  - write: before.tif\n  - %s:\n      for: %.12g %s\n",
                 process->doc, new_ground(process), process->name, span.value, span.unit);
    if (process->takes_bodies)
    {
        (void)printf("      # soil: [{mesh: soil.obj}]  # closed meshes from a modeller, beside "
                     "this file\n");
    }
    for (int32_t i = 0; i < process->fields->count; ++i)
    {
        (void)printf("      # %s: ", process->fields->fields[i].name);
        new_print_value(&process->fields->fields[i]);
        (void)printf("  # %s\n", process->fields->fields[i].doc);
    }
    (void)printf("  - write: after.tif\n  - render: after.png\n  - report: report.json\n");
}

static cli_status new_unknown(const char* name)
{
    enum
    {
        MOST = 48
    };
    const char* words[MOST + 1] = {0};
    for (int i = 0; i < MOST && cli_templates[i].name != NULL; ++i)
    {
        words[i] = cli_templates[i].name;
    }
    const char* nearest = cli_nearest(words, name);
    return nearest != NULL
               ? cli_fail(CLI_USAGE, "there is no scene '%s'; did you mean '%s'?", name, nearest)
               : cli_fail(CLI_USAGE, "there is no scene '%s'; 'wadi new --list' lists them", name);
}

static cli_status new_run(const cli_command* command, int argc, char** argv)
{
    new_options options = {0};
    cli_list operands = {0};
    CLI_TRY(cli_parse(command, argc, argv, &operands, &options));
    if (options.list)
    {
        for (const cli_template* template = cli_templates; template->name != NULL; ++template)
        {
            new_print_row(template);
        }
        return CLI_DONE;
    }
    const char* name = operands.count == 1 ? operands.items[0] : "first";
    const wadi_process* process = wadi_process_find(name);
    if (process != NULL)
    {
        new_print_process(process);
        return CLI_DONE;
    }
    const cli_template* template = new_find(name);
    if (template == NULL)
    {
        return new_unknown(name);
    }
    (void)fputs(new_text(template), stdout);
    return CLI_DONE;
}

const cli_command cli_new_command = {
    .name = "new",
    .summary = "print a scene to start from",
    .usage = "[NAME|PROCESS] [--list]",
    .details = "Prints a commented scene that runs as it stands; without a name the first one of "
               "the tour, with the name of a process one that shows all its fields. Save it, "
               "change it, run it with 'wadi run'.",
    .examples = "wadi new > scene.yaml\nwadi new --list\nwadi run scene.yaml -o out",
    .options = new_option_list,
    .option_count = sizeof new_option_list / sizeof new_option_list[0],
    .max_operands = 1,
    .run = new_run,
};
