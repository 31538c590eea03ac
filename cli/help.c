// SPDX-License-Identifier: MIT
#include "help.h"

#include <stdio.h>
#include <string.h>

enum
{
    HELP_COLUMNS = 80,
    HELP_INDENT = 4,
    HELP_DOC_INDENT = 12
};

// Print one line of text that may be longer than the page.
static void help_wrap(const char* text, size_t length, int indent)
{
    const size_t room = (size_t)(HELP_COLUMNS - indent);
    while (length > 0)
    {
        size_t take = length;
        if (length > room)
        {
            take = room;
            while (take > 0 && text[take] != ' ')
            {
                take -= 1;
            }
            // a word longer than a line stays whole
            take = take == 0 ? strcspn(text, " \n") : take;
        }
        (void)printf("%*s%.*s\n", indent, "", (int)take, text);
        const size_t blanks = take < length ? 1 : 0;
        text += take + blanks;
        length -= take + blanks;
    }
}

void cli_help_paragraph(const char* text, int indent)
{
    while (*text != '\0')
    {
        const size_t length = strcspn(text, "\n");
        if (length == 0)
        {
            (void)putchar('\n');
        }
        help_wrap(text, length, indent);
        text += length + (text[length] == '\n' ? 1 : 0);
    }
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
    for (int32_t i = 0; i < table->count; ++i)
    {
        const wadi_field* field = &table->fields[i];
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
}

void cli_help_command(const cli_command* command)
{
    (void)printf("wadi %s - %s\n\n", command->name, command->summary);
    (void)printf("USAGE\n    wadi %s %s\n", command->name, command->usage);
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
    (void)printf("\nEXAMPLES\n");
    cli_help_paragraph(command->examples, HELP_INDENT);
    (void)printf("\nEXIT STATUS\n");
    cli_help_paragraph(command->exits != NULL
                           ? command->exits
                           : "0 done, 1 failed, 2 wrong usage, 130 interrupted with Ctrl-C.",
                       HELP_INDENT);
}

void cli_help_overview(const cli_command* const* commands, int32_t count)
{
    (void)printf("wadi %s - terrain erosion: water shapes land, in metres and years\n\n",
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
