// SPDX-License-Identifier: MIT
// wadi studio: start the server of the studio, a program of its own beside this one, so that the
// command does without its libraries.
#include "cli/command.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct studio_options
{
    int32_t port;
    int32_t threads;
    const char* site;
    bool no_browser;
    bool no_save;
} studio_options;

static const cli_option studio_option_list[] = {
    {.name = "port",
     .kind = CLI_COUNT,
     .offset = offsetof(studio_options, port),
     .value = "N",
     .min = 0,
     .max = 65535,
     .doc = "Port to serve at. Default: 0, any that is free."},
    CLI_OPTION("no-browser", CLI_FLAG, studio_options, no_browser, NULL,
               "Open no browser; the address is printed."),
    CLI_OPTION("no-save", CLI_FLAG, studio_options, no_save, NULL, "Do not save the record."),
    CLI_OPTION("site", CLI_TEXT, studio_options, site, "DIR",
               "Folder of the page. Default: the installed one, or out/studio."),
    {.name = "threads",
     .kind = CLI_COUNT,
     .offset = offsetof(studio_options, threads),
     .value = "N",
     .min = 1,
     .max = 1024,
     .doc = "Threads to work with. Default: one per core. The result is the same bits with any "
            "number."},
};

enum
{
    STUDIO_ARGUMENTS = 12
};

typedef struct studio_call
{
    char words[STUDIO_ARGUMENTS][PATH_MAX];
    char* arguments[STUDIO_ARGUMENTS + 1]; // pointers to the words
    int count;
} studio_call;

static void studio_add(studio_call* call, const char* word)
{
    char* copy = call->words[call->count];
    (void)snprintf(copy, PATH_MAX, "%s", word);
    call->arguments[call->count++] = copy;
}

static void studio_add_number(studio_call* call, const char* option, int32_t number)
{
    char text[16];
    (void)snprintf(text, sizeof text, "%d", (int)number);
    studio_add(call, option);
    studio_add(call, text);
}

// The server lies in the same folder as this program; otherwise the system looks for it.
static void studio_find(char program[PATH_MAX])
{
    static const char name[] = "wadi-studio";
    const ssize_t length = readlink("/proc/self/exe", program, PATH_MAX - sizeof name);
    program[length > 0 ? length : 0] = '\0';
    char* slash = strrchr(program, '/');
    memcpy(slash != NULL ? slash + 1 : program, name, sizeof name);
    if (access(program, X_OK) != 0)
    {
        memcpy(program, name, sizeof name);
    }
}

static void studio_arguments(const studio_options* options, const char* scene, studio_call* call)
{
    studio_add_number(call, "--port", options->port);
    if (options->threads > 0)
    {
        studio_add_number(call, "--threads", options->threads);
    }
    if (options->site != NULL)
    {
        studio_add(call, "--site");
        studio_add(call, options->site);
    }
    if (options->no_browser)
    {
        studio_add(call, "--no-browser");
    }
    if (options->no_save)
    {
        studio_add(call, "--no-save");
    }
    if (scene != NULL)
    {
        studio_add(call, scene);
    }
}

static cli_status studio_start(const studio_options* options, const char* scene)
{
    char program[PATH_MAX];
    studio_call call = {.count = 0};
    studio_find(program);
    studio_add(&call, program);
    studio_arguments(options, scene, &call);
    (void)execvp(program, call.arguments);
    return cli_fail(CLI_FAILED, "cannot start %s: %s; 'make studio' builds it", program,
                    strerror(errno));
}

static cli_status studio_run(const cli_command* command, int argc, char** argv)
{
    cli_list operands = {0};
    studio_options options = {0};
    CLI_TRY(cli_parse(command, argc, argv, &operands, &options));
    return studio_start(&options, operands.count > 0 ? operands.items[0] : NULL);
}

const cli_command cli_studio_command = {
    .name = "studio",
    .summary = "see and paint a terrain in the browser",
    .usage = "[SCENE] [options]",
    .details =
        "Starts the studio on a scene and opens its page in the browser. The address has a key "
        "that is new with each start; other pages, other users and other machines cannot connect.\n"
        "What is done by hand is saved as a scene while it is done, to NAME.studio.yaml beside "
        "the scene; 'wadi run' on that file gives the same bits. No file is written over: the "
        "next record is NAME.studio-2.yaml.\n"
        "When the page closes, the run pauses and waits for the next page. Ctrl-C or SIGTERM "
        "saves the record and ends. docs/studio.md describes the page.",
    .examples = "wadi studio\n"
                "wadi studio scene.yaml\n"
                "wadi studio scene.studio.yaml --no-browser --port 8080",
    .options = studio_option_list,
    .option_count = sizeof studio_option_list / sizeof studio_option_list[0],
    .max_operands = 1,
    .run = studio_run,
};
