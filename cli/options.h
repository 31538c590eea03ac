// SPDX-License-Identifier: MIT
// Options of a verb: one table drives the parser, its messages and the help.
#pragma once

#include "cli/message.h"

#include <stddef.h>

typedef enum cli_kind
{
    CLI_FLAG,   // bool: given or not
    CLI_TEXT,   // const char*
    CLI_OUTPUT, // const char*: a file or folder that is written
    CLI_LIST,   // cli_list: may be repeated
    CLI_COUNT,  // int32_t in [min, max]
    CLI_SEED,   // uint64_t
    CLI_CHOICE, // int32_t: index of a word in `value`, "bar|json|none"
} cli_kind;

enum
{
    CLI_LIST_CAPACITY = 64
};

typedef struct cli_list
{
    const char* items[CLI_LIST_CAPACITY];
    int32_t count;
} cli_list;

typedef struct cli_option
{
    const char* name; // "threads" for --threads
    char letter;      // 'o' for -o, or 0
    cli_kind kind;
    size_t offset;     // of the member in the struct of options
    const char* value; // placeholder of the value in the help; NULL for a flag
    const char* doc;
    int32_t min; // CLI_COUNT only
    int32_t max;
    bool required;
} cli_option;

// A row of an option table for a member of the struct `options`. `placeholder`: of the value, NULL
// for a flag.
#define CLI_OPTION(word, type, options, member, placeholder, text)                                 \
    {                                                                                              \
        .name = (word), .kind = (type), .offset = offsetof(options, member),                       \
        .value = (placeholder), .doc = (text)                                                      \
    }

typedef struct cli_command cli_command;

// A verb. `run` gets the arguments after the verb.
struct cli_command
{
    const char* program; // that has the verb; NULL: wadi
    const char* name;
    const char* summary; // one line for the list of verbs
    const char* usage;   // arguments after the verb: "PROCESS IN -o OUT [options]"
    const char* details; // paragraphs, one per line; may be NULL
    const char* examples;
    const cli_option* options;
    int32_t option_count;
    int32_t min_operands;
    int32_t max_operands;
    const char* exits; // exit statuses that differ from the usual ones; may be NULL
    // prints help after the options, such as the values of --set; may be NULL
    void (*help_more)(void);
    cli_status (*run)(const cli_command* command, int argc, char** argv);
};

static inline const char* cli_program_of(const cli_command* command)
{
    return command->program != NULL ? command->program : "wadi";
}

// Parse options into `options`, which holds the defaults, and other arguments into `operands`. On
// error prints a message and returns CLI_USAGE.
cli_status cli_parse(const cli_command* command, int argc, char** argv, cli_list* operands,
                     void* options);

// Nearest word of a NULL-terminated list, or NULL if none is similar.
const char* cli_nearest(const char* const* words, const char* text);

// Bytes of an amount of memory such as "2GiB" or "500MB"; 0: the text is none.
double cli_bytes_of(const char* text);
