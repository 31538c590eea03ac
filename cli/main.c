// SPDX-License-Identifier: MIT
// The command `wadi`: a table of verbs.
#include "cli/command.h"
#include "cli/help.h"
#include "cli/trace.h"

#include <wadi/process.h>

#include <stdio.h>
#include <string.h>

// In the order of the help.
// clang-format off
static const cli_command* const main_commands[] = {
    &cli_run_command,
    &cli_resume_command,
    &cli_tile_command,
    &cli_erode_command,
    &cli_new_command,
    &cli_studio_command,
    &cli_synth_command,
    &cli_render_command,
    &cli_derive_command,
    &cli_wind_command,
    &cli_amplify_command,
    &cli_convert_command,
    &cli_grains_command,
    &cli_pour_command,
    &cli_test_command,
    &cli_water_command,
    &cli_info_command,
    &cli_judge_command,
    &cli_diff_command,
    &cli_describe_command,
    &cli_bench_command,
};
// clang-format on
enum
{
    MAIN_COMMANDS = sizeof main_commands / sizeof main_commands[0]
};

static const cli_command* main_find(const char* name)
{
    for (int i = 0; i < MAIN_COMMANDS; ++i)
    {
        if (strcmp(main_commands[i]->name, name) == 0)
        {
            return main_commands[i];
        }
    }
    return NULL;
}

static cli_status main_unknown(const char* name)
{
    const char* words[MAIN_COMMANDS + 1] = {0};
    for (int i = 0; i < MAIN_COMMANDS; ++i)
    {
        words[i] = main_commands[i]->name;
    }
    const char* nearest = cli_nearest(words, name);
    if (wadi_process_find(NULL, name) != NULL)
    {
        return cli_fail(CLI_USAGE,
                        "'%s' is a process, not a verb; run it with wadi erode %s IN -o OUT, or in "
                        "a scene",
                        name, name);
    }
    return nearest != NULL
               ? cli_fail(CLI_USAGE, "there is no verb '%s'; did you mean '%s'?", name, nearest)
               : cli_fail(CLI_USAGE, "there is no verb '%s'; 'wadi help' lists them", name);
}

static cli_status main_help(const char* verb)
{
    if (verb == NULL)
    {
        cli_help_overview(main_commands, MAIN_COMMANDS);
        return CLI_DONE;
    }
    const cli_command* command = main_find(verb);
    if (command == NULL)
    {
        return main_unknown(verb);
    }
    cli_help_command(command);
    return CLI_DONE;
}

static bool main_is_help(int argc, char** argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; ++i)
    {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
        {
            return true;
        }
    }
    return false;
}

static cli_status main_verb(int argc, char** argv)
{
    const cli_command* command = main_find(argv[0]);
    if (command == NULL)
    {
        return main_unknown(argv[0]);
    }
    if (main_is_help(argc - 1, argv + 1))
    {
        cli_help_command(command);
        return CLI_DONE;
    }
    return command->run(command, argc - 1, argv + 1);
}

static cli_status main_dispatch(int argc, char** argv)
{
    if (argc < 2)
    {
        return cli_fail(CLI_USAGE, "no verb was given; 'wadi help' lists them");
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
    {
        (void)printf("wadi %s\n", wadi_version());
        return CLI_DONE;
    }
    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 ||
        strcmp(argv[1], "-h") == 0)
    {
        return main_help(argc > 2 ? argv[2] : NULL);
    }
    return main_verb(argc - 1, argv + 1);
}

int main(int argc, char** argv)
{
    cli_trace_arguments(argc, argv);
    const cli_status status = main_dispatch(argc, argv);

    // errors such as a full disk or a closed pipe show up when the last bytes are written
    if (fflush(stdout) != 0 && status == CLI_DONE)
    {
        return (int)cli_fail(CLI_FAILED, "cannot write to standard output");
    }
    return (int)status;
}
