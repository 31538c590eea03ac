// SPDX-License-Identifier: MIT
#include "cli/option_files.h"

#include <string.h>
#include <sys/stat.h>

// True if a name is that of the file; a value NAME=FILE counts too.
static bool option_files_is(const char* text, const struct stat* file)
{
    const char* equals = text != NULL ? strchr(text, '=') : NULL;
    struct stat other;
    return (text != NULL && stat(text, &other) == 0 && other.st_dev == file->st_dev &&
            other.st_ino == file->st_ino) ||
           (equals != NULL && option_files_is(equals + 1, file));
}

// True if an option has the file as its value, or as one of them.
static bool option_files_reads(const cli_option* option, const void* options,
                               const struct stat* file)
{
    const char* member = (const char*)options + option->offset;
    if (option->kind == CLI_TEXT)
    {
        return option_files_is(*(const char* const*)(const void*)member, file);
    }
    const cli_list* list = option->kind == CLI_LIST ? (const void*)member : NULL;
    bool reads = false;
    for (int32_t i = 0; list != NULL && i < list->count; ++i)
    {
        reads = reads || option_files_is(list->items[i], file);
    }
    return reads;
}

static cli_status option_files_check(const cli_command* command, const cli_list* operands,
                                     const void* options, const cli_option* writer)
{
    const char* path = *(const char* const*)(const void*)((const char*)options + writer->offset);
    struct stat file;
    if (path == NULL || stat(path, &file) != 0 || !S_ISREG(file.st_mode))
    {
        return CLI_DONE; // a new file
    }
    for (int32_t i = 0; i < operands->count; ++i)
    {
        if (option_files_is(operands->items[i], &file))
        {
            return cli_fail(CLI_USAGE, "the output %s is the input; give another name with %s%s",
                            path, writer->letter != 0 ? "-" : "--",
                            writer->letter != 0 ? (const char[2]){writer->letter} : writer->name);
        }
    }
    for (int32_t i = 0; i < command->option_count; ++i)
    {
        const cli_option* reader = &command->options[i];
        if (reader->kind != CLI_OUTPUT && option_files_reads(reader, options, &file))
        {
            return cli_fail(CLI_USAGE, "the output %s is an input, of --%s; give it another name",
                            path, reader->name);
        }
    }
    return CLI_DONE;
}

cli_status cli_option_files_check(const cli_command* command, const cli_list* operands,
                                  const void* options)
{
    for (int32_t i = 0; i < command->option_count; ++i)
    {
        if (command->options[i].kind == CLI_OUTPUT)
        {
            CLI_TRY(option_files_check(command, operands, options, &command->options[i]));
        }
    }
    return CLI_DONE;
}
