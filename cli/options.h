// SPDX-License-Identifier: MIT
// Options of a verb: one table feeds the parser, its messages and the help.
#pragma once

#include "message.h"

typedef enum cli_kind
{
    CLI_FLAG,   // bool: given or not
    CLI_TEXT,   // const char*
    CLI_LIST,   // cli_list: may be given again and again
    CLI_COUNT,  // int32_t in [min, max]
    CLI_SEED,   // uint64_t
    CLI_CHOICE, // int32_t: which of the words in `value`, "bar|json|none"
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
    size_t offset;     // of the member in the verb's struct of options
    const char* value; // what help calls the value; NULL for a flag
    const char* doc;
    int32_t min; // of a count
    int32_t max;
    bool required;
} cli_option;

typedef struct cli_command cli_command;

// A verb. `run` gets what follows the verb.
struct cli_command
{
    const char* name;
    const char* summary; // one line for the list of verbs
    const char* usage;   // what follows the verb: "PROCESS IN -o OUT [options]"
    const char* details; // paragraphs, one per line; may be NULL
    const char* examples;
    const cli_option* options;
    int32_t option_count;
    int32_t min_operands;
    int32_t max_operands;
    const char* exits; // exit statuses, where they differ from those of most verbs; may be NULL
    // what is printed after the options, such as the values that --set takes; may be NULL
    void (*help_more)(void);
    cli_status (*run)(const cli_command* command, int argc, char** argv);
};

// Read the arguments into `options`, the verb's own struct holding its defaults, and the rest into
// `operands`. Prints what is wrong and returns CLI_USAGE.
cli_status cli_parse(const cli_command* command, int argc, char** argv, cli_list* operands,
                     void* options);

// Word of a NULL-terminated list that is nearest to a misspelt one, or NULL when none is near.
const char* cli_nearest(const char* const* words, const char* text);
