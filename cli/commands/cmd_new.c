// SPDX-License-Identifier: MIT
// wadi new: print a scene as a starting point.
#include "cli/command.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/templates.h"

#include <wadi/process.h>

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct new_options
{
    bool list;
    const char* folder; // NULL: print
} new_options;

static const cli_option new_option_list[] = {
    CLI_OPTION("list", CLI_FLAG, new_options, list, NULL,
               "List all scenes with about the processor time of a run and their pictures."),
    {.name = "output",
     .letter = 'o',
     .kind = CLI_OUTPUT,
     .offset = offsetof(new_options, folder),
     .value = "DIR",
     .doc = "Write the scene to DIR/NAME.yaml, with the files that it reads."},
};

static const char* new_text(const cli_template* template)
{
    return (const char*)template->text;
}

// About how long a scene takes: "20 s", "3 min"; "" when it is not known.
static void new_print_time(double seconds, char* text, size_t size)
{
    const double ten = seconds < 9.5 ? 1.0 : 10.0;
    const double whole = fmax(1.0, ten * floor(seconds / ten + 0.5));
    text[0] = '\0';
    if (seconds > 0.0 && seconds < 95.0)
    {
        (void)snprintf(text, size, "%g s", whole);
    }
    else if (seconds > 0.0)
    {
        (void)snprintf(text, size, "%g min", floor(seconds / 60.0 + 0.5));
    }
}

// Print a row of --list: the name, the time, the line `doc:` and the picture of a scene.
static void new_print_row(const cli_template* template)
{
    static const char key[] = "\ndoc: ";
    const char* found = strstr(new_text(template), key);
    const char* line = found != NULL ? found + strlen(key) : "";
    char time[32];
    new_print_time(template->seconds, time, sizeof time);
    (void)printf("%-23s %6s  %.*s", template->name, time, (int)strcspn(line, "\n"), line);
    const bool shown = template->picture[0] != '\0';
    (void)printf("%s%s%s\n", shown ? " [" : "", template->picture, shown ? "]" : "");
}

// Groups of --list: names of scenes between blanks, or their beginnings up to the first '-', as
// "dunes-". A full name wins over a beginning.
static const struct
{
    const char* title;
    const char* names;
} new_groups[] = {
    {"Mountains, valleys and canyons",
     " first alpine alps badlands basin-range canyons goal hardness masks mature mesa "
     "paper rain-shadow range series stream-power studio-mountain synthesis uplift wadi "},
    {"Rivers, lakes and floods",
     " braids delta delta-river fan flood flood- lake-bowl meander mountain-front regulate "
     "river-canyon riverbed- "},
    {"Coasts and islands", " coast dunes-coast dunes-embryo dunes-storms island islands "},
    {"Wind and dunes", " dunes- fig1 knolls slab- studio-desert wind- "},
    {"Slides, grains and water as particles",
     " debris- earth- hummocks landslide slump soil storm talus water- "},
    {"Others", ""},
};

enum
{
    NEW_GROUPS = sizeof new_groups / sizeof new_groups[0]
};

static bool new_is_listed(const char* names, const char* word, size_t length)
{
    const char* found = strstr(names, word);
    while (found != NULL && (found == names || found[-1] != ' ' || found[length] != ' '))
    {
        found = strstr(found + 1, word);
    }
    return found != NULL;
}

static int new_group(const char* name)
{
    char stem[64];
    (void)snprintf(stem, sizeof stem, "%.*s-", (int)strcspn(name, "-"), name);
    int found = NEW_GROUPS - 1;
    for (int i = NEW_GROUPS - 1; i >= 0; --i)
    {
        found = new_is_listed(new_groups[i].names, stem, strlen(stem)) ? i : found;
    }
    for (int i = 0; i < NEW_GROUPS - 1; ++i)
    {
        found = new_is_listed(new_groups[i].names, name, strlen(name)) ? i : found;
    }
    return found;
}

// Print all scenes by group. Lines of titles begin with '#'.
static void new_print_list(void)
{
    for (int i = 0; i < NEW_GROUPS; ++i)
    {
        bool begun = false;
        for (const cli_template* row = cli_templates; row->name != NULL; ++row)
        {
            if (new_group(row->name) == i)
            {
                if (!begun)
                {
                    (void)printf("%s# %s\n", i > 0 ? "\n" : "", new_groups[i].title);
                }
                new_print_row(row);
                begun = true;
            }
        }
    }
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

// Print a value as in a scene file: with its unit, unless it is a plain number.
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

// Example ground for a process: its own, else mountains.
static const char* new_ground(const wadi_process* process)
{
    return process->example != NULL
               ? process->example
               : "  size: [256, 256]\n  cell: 30 m\n  noise: {kind: fbm, relief: 900 m}\n";
}

// Print a scene for one process with the fields of its default model at their defaults, commented
// out.
static void new_print_process(const wadi_process* process)
{
    const cli_span span = cli_span_of(process->default_years);
    (void)printf("# %s\nwadi: 1\nseed: 1\nterrain:\n%s"
                 "steps:\n  - write: before.tif\n  - %s:\n      for: %.12g %s\n",
                 process->doc, new_ground(process), process->name, span.value, span.unit);
    if (wadi_process_has(process, WADI_MODEL_BODIES))
    {
        (void)printf("      # soil: [{mesh: soil.obj}]  # closed meshes from a modeller, beside "
                     "this file\n");
    }
    for (int32_t i = 0; i < process->fields->count; ++i)
    {
        const wadi_field* field = &process->fields->fields[i];
        if (wadi_model_is_in(process, &process->models[0], field->models))
        {
            (void)printf("      # %s: ", field->name);
            new_print_value(field);
            (void)printf("  # %s\n", field->doc);
        }
    }
    (void)printf("  - write: after.tif\n  - render: after.png\n  - report: report.json\n");
}

// ---- files --------------------------------------------------------------------------------------

// Does the scene read a file? Its name ends where the text goes on with a delimiter.
static bool new_reads(const cli_template* template, const cli_template_file* file)
{
    const size_t length = strlen(file->name);
    const char* found = strstr(new_text(template), file->name);
    while (found != NULL)
    {
        const bool begins = found == new_text(template) || strchr(" '\":{[", found[-1]) != NULL;
        if (begins && strchr(" '\",}]\n", found[length]) != NULL)
        {
            return true;
        }
        found = strstr(found + 1, file->name);
    }
    return false;
}

static void new_note_files(const cli_template* template)
{
    const cli_template_file* file = cli_template_files;
    while (file->name != NULL && !new_reads(template, file))
    {
        file += 1;
    }
    if (file->name != NULL)
    {
        (void)fprintf(stderr,
                      "note: this scene reads %s; 'wadi new %s -o DIR' writes the scene and all "
                      "that it reads\n",
                      file->name, template->name);
    }
}

// Is there a file of that name with other bytes?
static bool new_differs(const char* path, const void* bytes, size_t size)
{
    FILE* file = fopen(path, "rb");
    if (file == NULL)
    {
        return false;
    }
    bool same = true;
    const unsigned char* expected = bytes;
    for (size_t i = 0; i < size && same; ++i)
    {
        same = getc(file) == expected[i];
    }
    same = same && getc(file) == EOF;
    (void)fclose(file);
    return !same;
}

static cli_status new_check_file(const char* path, const void* bytes, size_t size)
{
    CLI_TRY(cli_output_check(path));
    return new_differs(path, bytes, size)
               ? cli_fail(CLI_FAILED,
                          "%s is there already, and differs; choose another folder with -o", path)
               : CLI_DONE;
}

typedef cli_status new_file_fn(const char* path, const void* bytes, size_t size);

// Check or write the scene and all that it reads.
static cli_status new_each_file(const cli_template* template, const char* folder, new_file_fn* act)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/%s.yaml", folder, template->name);
    CLI_TRY(act(path, template->text, strlen(new_text(template))));
    for (const cli_template_file* file = cli_template_files; file->name != NULL; ++file)
    {
        if (new_reads(template, file))
        {
            (void)snprintf(path, sizeof path, "%s/%s", folder, file->name);
            CLI_TRY(act(path, file->bytes, file->size));
        }
    }
    return CLI_DONE;
}

// Nothing is written unless everything can be.
static cli_status new_write(const cli_template* template, const char* folder)
{
    CLI_TRY(new_each_file(template, folder, new_check_file));
    CLI_TRY(new_each_file(template, folder, cli_output_write_bytes));
    (void)printf("wrote %s/%s.yaml\n", folder, template->name);
    return CLI_DONE;
}

static cli_status new_unknown(const char* name)
{
    enum
    {
        MOST = 128
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

static cli_status new_show_process(const wadi_process* process, const char* folder)
{
    if (folder != NULL)
    {
        return cli_fail(CLI_USAGE,
                        "the scene of a process reads no files: 'wadi new %s > %s.yaml' keeps it",
                        process->name, process->name);
    }
    new_print_process(process);
    return CLI_DONE;
}

static cli_status new_run(const cli_command* command, int argc, char** argv)
{
    new_options options = {0};
    cli_list operands = {0};
    CLI_TRY(cli_parse(command, argc, argv, &operands, &options));
    if (options.list)
    {
        new_print_list();
        return CLI_DONE;
    }
    const char* name = operands.count == 1 ? operands.items[0] : "first";
    const wadi_process* process = wadi_process_find(NULL, name);
    const cli_template* template = new_find(name);
    // some scenes have the name of a process; what is written is a scene
    if (process != NULL && (options.folder == NULL || template == NULL))
    {
        if (template != NULL)
        {
            (void)fprintf(stderr,
                          "note: this is process '%s' with its parameters; 'wadi new %s -o DIR' "
                          "writes the scene of that name\n",
                          name, name);
        }
        return new_show_process(process, options.folder);
    }
    if (template == NULL)
    {
        return new_unknown(name);
    }
    if (options.folder != NULL)
    {
        return new_write(template, options.folder);
    }
    (void)fputs(new_text(template), stdout);
    new_note_files(template);
    return CLI_DONE;
}

const cli_command cli_new_command = {
    .name = "new",
    .summary = "print a scene to start from",
    .usage = "[NAME|PROCESS] [-o DIR] [--list]",
    .details = "Prints a scene with comments that runs unchanged. Without a name it is the first "
               "scene of the tour; the name of a process gives a scene with all parameters of its "
               "default model. Save it, edit it, and run it with 'wadi run'. With -o a scene is "
               "written into a "
               "folder, with the maps, tables and meshes that it reads; files that are there and "
               "differ are left as they are.",
    .examples = "wadi new > scene.yaml\nwadi new --list\nwadi run scene.yaml -o out\n"
                "wadi new basin-range -o mine",
    .options = new_option_list,
    .option_count = sizeof new_option_list / sizeof new_option_list[0],
    .max_operands = 1,
    .run = new_run,
};
