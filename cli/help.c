// SPDX-License-Identifier: MIT
#include "cli/help.h"

#include <stdio.h>
#include <string.h>

enum
{
    HELP_COLUMNS = 80,
    HELP_INDENT = 4,
    HELP_DOC_INDENT = 12
};

// How a line that is longer than the page goes on.
typedef struct help_layout
{
    int indent;
    int hang;         // indent of the lines after the first
    const char* more; // at the end of each line but the last
} help_layout;

// Characters of a text that fit into one line. A word longer than a line stays whole.
static size_t help_fit(const char* text, size_t length, size_t room, size_t more)
{
    if (length <= room)
    {
        return length;
    }
    size_t take = room - more;
    // what is typed breaks in front of an option, which keeps its value beside it
    while (take > 0 && (text[take] != ' ' || (more > 0 && text[take + 1] != '-')))
    {
        take -= 1;
    }
    return take == 0 ? strcspn(text, " \n") : take;
}

static void help_wrap(const char* text, size_t length, const help_layout* layout)
{
    int indent = layout->indent;
    while (length > 0)
    {
        const size_t take =
            help_fit(text, length, (size_t)(HELP_COLUMNS - indent), strlen(layout->more));
        const bool goes_on = take < length;
        (void)printf("%*s%.*s%s\n", indent, "", (int)take, text, goes_on ? layout->more : "");
        text += take + (goes_on ? 1 : 0);
        length -= take + (goes_on ? 1 : 0);
        indent = layout->hang;
    }
}

static void help_lines(const char* text, const help_layout* layout)
{
    while (*text != '\0')
    {
        const size_t length = strcspn(text, "\n");
        if (length == 0)
        {
            (void)putchar('\n');
        }
        help_wrap(text, length, layout);
        text += length + (text[length] == '\n' ? 1 : 0);
    }
}

void cli_help_paragraph(const char* text, int indent)
{
    help_lines(text, &(help_layout){indent, indent, ""});
}

// What is typed can be pasted: a line that goes on ends in a backslash.
static void help_examples(const char* text)
{
    (void)printf("\nEXAMPLES\n");
    help_lines(text, &(help_layout){HELP_INDENT, 2 * HELP_INDENT, " \\"});
}

static void help_usage(const cli_command* command)
{
    char line[256];
    (void)snprintf(line, sizeof line, "%s %s %s", cli_program_of(command), command->name,
                   command->usage);
    (void)printf("USAGE\n");
    help_lines(line, &(help_layout){HELP_INDENT, 2 * HELP_INDENT, ""});
}

static void help_option(const cli_option* option)
{
    (void)printf("%*s", HELP_INDENT, "");
    if (option->letter != '\0')
    {
        (void)printf("-%c, ", option->letter);
    }
    (void)printf("--%s", option->name);
    if (option->value != NULL)
    {
        (void)printf(" %s", option->value);
    }
    (void)printf("%s\n", option->kind == CLI_LIST ? " ..." : "");
    cli_help_paragraph(option->doc, HELP_DOC_INDENT);
}

static void help_field_values(const wadi_field* field)
{
    if (field->type == WADI_FIELD_BOOL)
    {
        (void)printf("%s (true, false)", field->initial != 0.0 ? "true" : "false");
    }
    else if (field->type == WADI_FIELD_ENUM)
    {
        (void)printf("%s (", field->names[(int)field->initial]);
        for (int i = 0; field->names[i] != NULL; ++i)
        {
            (void)printf("%s%s", i == 0 ? "" : ", ", field->names[i]);
        }
        (void)printf(")");
    }
    else
    {
        const char* unit = strcmp(field->unit, "1") == 0 ? "" : field->unit;
        (void)printf("%g%s%s (%g to %g)", field->initial, unit[0] == '\0' ? "" : " ", unit,
                     field->min, field->max);
    }
}

void cli_help_fields(const wadi_field_table* table)
{
    cli_help_fields_of(table, 0);
}

// One parameter: its name, default and range, what it is, and its source.
static void help_field(const wadi_field* field)
{
    (void)printf("%*s%s = ", HELP_INDENT, "", field->name);
    help_field_values(field);
    (void)putchar('\n');
    cli_help_paragraph(field->doc, HELP_DOC_INDENT);
    if (field->source[0] != '\0')
    {
        char source[256];
        (void)snprintf(source, sizeof source, "[%s]", field->source);
        cli_help_paragraph(source, HELP_DOC_INDENT);
    }
}

void cli_help_fields_of(const wadi_field_table* table, uint32_t models)
{
    const char* before = NULL;
    for (int32_t i = 0; i < table->count; ++i)
    {
        const wadi_field* field = &table->fields[i];
        if (field->models != models)
        {
            continue;
        }
        const char* group = wadi_field_group_of(table, field);
        if (group != NULL && group != before)
        {
            (void)printf("  %s\n", group);
        }
        before = group;
        help_field(field);
    }
}

void cli_help_command(const cli_command* command)
{
    (void)printf("%s %s - %s\n\n", cli_program_of(command), command->name, command->summary);
    help_usage(command);
    if (command->details != NULL)
    {
        (void)printf("\nDESCRIPTION\n");
        cli_help_paragraph(command->details, HELP_INDENT);
    }
    if (command->option_count > 0)
    {
        (void)printf("\nOPTIONS\n");
    }
    for (int32_t i = 0; i < command->option_count; ++i)
    {
        help_option(&command->options[i]);
    }
    if (command->help_more != NULL)
    {
        command->help_more();
    }
    help_examples(command->examples);
    (void)printf("\nEXIT STATUS\n");
    cli_help_paragraph(command->exits != NULL
                           ? command->exits
                           : "0 done, 1 failed, 2 wrong usage, 130 interrupted with Ctrl-C.",
                       HELP_INDENT);
}

cli_span cli_span_of(double years)
{
    static const cli_span units[] = {
        {31557600.0, "yr"}, {86400.0, "d"}, {3600.0, "h"}, {60.0, "min"}};
    const double seconds = years * units[0].value;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; ++i)
    {
        // a little less than one is one: durations are stored in years
        if (seconds >= units[i].value * (1.0 - 1e-6))
        {
            return (cli_span){seconds / units[i].value, units[i].unit};
        }
    }
    return (cli_span){seconds, "s"};
}

void cli_help_overview(const cli_command* const* commands, int32_t count)
{
    (void)printf("wadi %s - terrain erosion: water and wind shape land, in metres and years\n\n",
                 wadi_version());
    (void)printf("USAGE\n    wadi VERB [arguments]\n\nVERBS\n");
    for (int32_t i = 0; i < count; ++i)
    {
        (void)printf("    %-10s%s\n", commands[i]->name, commands[i]->summary);
    }
    (void)printf("\n    wadi help VERB      the manual of one verb, with examples\n"
                 "    wadi --version      the version\n"
                 "\nEXIT STATUS\n"
                 "    0 done, 1 failed, 2 wrong usage, 130 interrupted with Ctrl-C.\n");
}
