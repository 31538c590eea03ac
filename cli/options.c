// SPDX-License-Identifier: MIT
#include "cli/options.h"

#include "cli/option_files.h"

#include <wadi/field.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum
{
    OPTIONS_MAX = 64,        // options of a verb
    OPTIONS_NAMES = 128,     // names of a list, such as that of the scenes
    OPTIONS_NAME_LENGTH = 64 // bytes
};

// State of the option parser.
typedef struct options_reader
{
    const cli_command* command;
    char** arguments;
    int count;
    int next;
    bool seen[OPTIONS_MAX]; // by index in the command's table
    void* options;
} options_reader;

const char* cli_nearest(const char* const* words, const char* text)
{
    // wadi_field_nearest() compares names in a field table, so one is built
    wadi_field fields[OPTIONS_NAMES] = {0};
    wadi_field_table table = {.name = "words", .fields = fields};
    while (words[table.count] != NULL && table.count < OPTIONS_NAMES)
    {
        fields[table.count].name = words[table.count];
        table.count += 1;
    }
    return wadi_field_nearest(&table, text);
}

static const cli_option* options_find(const cli_command* command, const char* name, size_t length)
{
    for (int32_t i = 0; i < command->option_count; ++i)
    {
        const cli_option* option = &command->options[i];
        if (strncmp(option->name, name, length) == 0 && option->name[length] == '\0')
        {
            return option;
        }
    }
    return NULL;
}

static const cli_option* options_find_letter(const cli_command* command, char letter)
{
    for (int32_t i = 0; i < command->option_count; ++i)
    {
        if (letter != '\0' && command->options[i].letter == letter)
        {
            return &command->options[i];
        }
    }
    return NULL;
}

// The only option that begins with a name, or NULL.
static const char* options_complete(const char* const* words, const char* name)
{
    const char* found = NULL;
    int32_t count = 0;
    for (int32_t i = 0; words[i] != NULL; ++i)
    {
        const bool begins = name[0] != '\0' && strncmp(words[i], name, strlen(name)) == 0;
        found = begins ? words[i] : found;
        count += begins ? 1 : 0;
    }
    return count == 1 ? found : NULL;
}

static cli_status options_unknown(const cli_command* command, const char* argument)
{
    const char* words[OPTIONS_MAX + 1] = {0};
    for (int32_t i = 0; i < command->option_count && i < OPTIONS_MAX; ++i)
    {
        words[i] = command->options[i].name;
    }
    char name[OPTIONS_NAME_LENGTH] = "";
    const char* bare = argument + strspn(argument, "-");
    (void)strncat(name, bare, sizeof name - 1);
    name[strcspn(name, "=")] = '\0';
    const char* whole = options_complete(words, name);
    const char* nearest = whole != NULL ? whole : cli_nearest(words, name);
    if (nearest != NULL)
    {
        return cli_fail(CLI_USAGE, "%s has no option '%s'; did you mean '--%s'?", command->name,
                        argument, nearest);
    }
    return cli_fail(CLI_USAGE, "%s has no option '%s'; 'wadi help %s' lists them", command->name,
                    argument, command->name);
}

static cli_status options_read_count(const cli_option* option, const char* text, int32_t* out)
{
    char* end = NULL;
    errno = 0;
    const long value = strtol(text, &end, 10);
    if (end == text || *end != '\0')
    {
        return cli_fail(CLI_USAGE, "--%s '%s' is not a whole number", option->name, text);
    }
    if (errno != 0 || value < option->min || value > option->max)
    {
        return cli_fail(CLI_USAGE, "--%s %s is out of range: give %d to %d", option->name, text,
                        option->min, option->max);
    }
    *out = (int32_t)value;
    return CLI_DONE;
}

static cli_status options_read_seed(const cli_option* option, const char* text, uint64_t* out)
{
    // strtoull() accepts a minus sign and wraps; seeds are not negative
    char* end = NULL;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 0);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0)
    {
        return cli_fail(CLI_USAGE, "--%s '%s' is not a whole number from 0 to 18446744073709551615",
                        option->name, text);
    }
    *out = value;
    return CLI_DONE;
}

static cli_status options_read_choice(const cli_option* option, const char* text, int32_t* out)
{
    int32_t index = 0;
    for (const char* word = option->value; *word != '\0'; ++index)
    {
        const size_t length = strcspn(word, "|");
        if (strlen(text) == length && strncmp(word, text, length) == 0)
        {
            *out = index;
            return CLI_DONE;
        }
        word += length + (word[length] == '|' ? 1 : 0);
    }
    return cli_fail(CLI_USAGE, "--%s '%s' is unknown; expected %s", option->name, text,
                    option->value);
}

// True if a list has the name of "name=value" already, or the same text without a name.
static bool options_has(const cli_list* list, const char* text)
{
    const size_t length = strcspn(text, "=");
    for (int32_t i = 0; i < list->count; ++i)
    {
        const char* item = list->items[i];
        if (strncmp(item, text, length) == 0 && (item[length] == '=' || item[length] == '\0') &&
            (text[length] == '=') == (item[length] == '='))
        {
            return true;
        }
    }
    return false;
}

static cli_status options_add(const cli_option* option, const char* text, cli_list* list)
{
    if (options_has(list, text))
    {
        return cli_fail(CLI_USAGE, "--%s %.*s is given twice", option->name,
                        (int)strcspn(text, "="), text);
    }
    if (list->count == CLI_LIST_CAPACITY)
    {
        return cli_fail(CLI_USAGE, "--%s is given more than %d times", option->name,
                        CLI_LIST_CAPACITY);
    }
    list->items[list->count++] = text;
    return CLI_DONE;
}

static cli_status options_store(const cli_option* option, const char* text, void* options)
{
    void* member = (char*)options + option->offset;
    switch (option->kind)
    {
    case CLI_FLAG:
        *(bool*)member = true;
        return CLI_DONE;
    case CLI_TEXT:
    case CLI_OUTPUT:
        *(const char**)member = text;
        return CLI_DONE;
    case CLI_LIST:
        return options_add(option, text, member);
    case CLI_COUNT:
        return options_read_count(option, text, member);
    case CLI_SEED:
        return options_read_seed(option, text, member);
    case CLI_CHOICE:
        return options_read_choice(option, text, member);
    }
    return CLI_USAGE;
}

// Read one option. Its value is `given` (--name=value, -ovalue) or the next argument.
static cli_status options_read_option(options_reader* reader, const cli_option* option,
                                      const char* given)
{
    const ptrdiff_t index = option - reader->command->options;
    if (reader->seen[index] && option->kind != CLI_LIST)
    {
        return cli_fail(CLI_USAGE, "--%s is given twice", option->name);
    }
    reader->seen[index] = true;
    if (option->kind == CLI_FLAG && given != NULL)
    {
        return cli_fail(CLI_USAGE, "--%s takes no value", option->name);
    }
    if (option->kind != CLI_FLAG && given == NULL)
    {
        if (reader->next == reader->count)
        {
            return cli_fail(CLI_USAGE, "--%s needs a value: %s", option->name, option->value);
        }
        given = reader->arguments[reader->next++];
    }
    if (given != NULL && given[0] == '\0')
    {
        return cli_fail(CLI_USAGE, "--%s is empty: give %s", option->name, option->value);
    }
    return options_store(option, given, reader->options);
}

static cli_status options_read_argument(options_reader* reader, const char* argument)
{
    if (argument[1] == '-')
    {
        const char* name = argument + 2;
        const size_t length = strcspn(name, "=");
        const cli_option* option = options_find(reader->command, name, length);
        return option == NULL ? options_unknown(reader->command, argument)
                              : options_read_option(reader, option,
                                                    name[length] == '=' ? name + length + 1 : NULL);
    }
    const cli_option* option = options_find_letter(reader->command, argument[1]);
    if (option != NULL && argument[2] == '=')
    {
        return cli_fail(CLI_USAGE, "'%s': write -%c %s, or --%s%s", argument, argument[1],
                        argument + 3, option->name, argument + 2);
    }
    return option == NULL
               ? options_unknown(reader->command, argument)
               : options_read_option(reader, option, argument[2] != '\0' ? argument + 2 : NULL);
}

static cli_status options_check_complete(const options_reader* reader, const cli_list* operands)
{
    const cli_command* command = reader->command;
    if (operands->count < command->min_operands)
    {
        return cli_fail(CLI_USAGE, "%s: an argument is missing: %s %s %s", command->name,
                        cli_program_of(command), command->name, command->usage);
    }
    for (int32_t i = 0; i < command->option_count; ++i)
    {
        const cli_option* option = &command->options[i];
        if (option->required && !reader->seen[i])
        {
            return cli_fail(CLI_USAGE, "%s needs --%s %s: %s %s %s", command->name, option->name,
                            option->value, cli_program_of(command), command->name, command->usage);
        }
    }
    return CLI_DONE;
}

// A number below 0 is no option, so that the command can say what it expects in its place.
static bool options_is_option(const char* argument)
{
    const char* digits = argument + 1 + (argument[0] == '-' && argument[1] == '.' ? 1 : 0);
    return argument[0] == '-' && argument[1] != '\0' && (*digits < '0' || *digits > '9');
}

cli_status cli_parse(const cli_command* command, int argc, char** argv, cli_list* operands,
                     void* options)
{
    options_reader reader = {
        .command = command, .arguments = argv, .count = argc, .options = options};
    bool only_operands = false;
    while (reader.next < argc)
    {
        const char* argument = argv[reader.next++];
        if (!only_operands && strcmp(argument, "--") == 0)
        {
            only_operands = true;
        }
        else if (!only_operands && options_is_option(argument))
        {
            CLI_TRY(options_read_argument(&reader, argument));
        }
        else if (operands->count == command->max_operands)
        {
            return cli_fail(CLI_USAGE, "%s: unexpected argument '%s': %s %s %s", command->name,
                            argument, cli_program_of(command), command->name, command->usage);
        }
        else
        {
            operands->items[operands->count++] = argument;
        }
    }
    CLI_TRY(options_check_complete(&reader, operands));
    return cli_option_files_check(command, operands, options);
}

double cli_bytes_of(const char* text)
{
    static const struct
    {
        const char* name;
        double bytes;
    } units[] = {{"TiB", 1099511627776.0},
                 {"GiB", 1073741824.0},
                 {"MiB", 1048576.0},
                 {"GB", 1e9},
                 {"MB", 1e6},
                 {"G", 1073741824.0},
                 {"M", 1048576.0}};
    char* end = NULL;
    const double number = strtod(text, &end);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; ++i)
    {
        if (number > 0.0 && number < 1e9 && strcasecmp(end, units[i].name) == 0)
        {
            return number * units[i].bytes;
        }
    }
    return 0.0;
}
