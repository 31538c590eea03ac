// SPDX-License-Identifier: MIT
// wadi run REPORT.json: the same run again, from the arguments that its report has kept.
#include "cli/options.h"
#include "cli/trace.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    REPEAT_MOST = 512 // arguments
};

// Open a report, or NULL: another file.
static json_t* repeat_load(const char* path)
{
    FILE* file = fopen(path, "rb");
    const int first = file != NULL ? getc(file) : EOF;
    if (file != NULL)
    {
        (void)fclose(file);
    }
    json_t* root = first == '{' ? json_load_file(path, 0, NULL) : NULL;
    if (root != NULL && json_object_get(root, "state_hash") == NULL)
    {
        json_decref(root);
        return NULL;
    }
    return root;
}

// Replace the value of -o, or add it.
static void repeat_set_output(const char* folder, const char** items, int* count)
{
    for (int i = 0; i < *count; ++i)
    {
        const bool is_output = strcmp(items[i], "-o") == 0 || strcmp(items[i], "--output") == 0;
        if (is_output && i + 1 < *count)
        {
            items[i + 1] = folder;
            return;
        }
    }
    items[(*count)++] = "-o";
    items[(*count)++] = folder;
}

static cli_status repeat_arguments(const char* path, const json_t* origin, const char* folder,
                                   cli_trace_repeat_fn* run)
{
    const json_t* arguments = json_object_get(origin, "arguments");
    const char* place = json_string_value(json_object_get(origin, "folder"));
    const char* items[REPEAT_MOST + 4] = {0};
    int count = 0;
    items[count++] = "wadi";
    for (size_t i = 0; i < json_array_size(arguments) && count < REPEAT_MOST; ++i)
    {
        const char* item = json_string_value(json_array_get(arguments, i));
        items[count++] = item != NULL ? item : "";
    }
    if (count < 3 || place == NULL)
    {
        return cli_fail(CLI_FAILED,
                        "%s does not hold the arguments of its run; it is of an older "
                        "version",
                        path);
    }
    if (folder != NULL)
    {
        repeat_set_output(folder, items, &count);
    }
    if (chdir(place) != 0)
    {
        return cli_fail(CLI_FAILED, "cannot go to %s, the folder of the run: %s", place,
                        strerror(errno));
    }
    cli_trace_expect(json_string_value(json_object_get(origin, "scene")),
                     json_string_value(json_object_get(origin, "inputs")));
    char* argv[REPEAT_MOST + 4];
    for (int i = 0; i < count; ++i)
    {
        // the parser only reads them
        argv[i] = (char*)(uintptr_t)items[i];
    }
    return run(count, argv);
}

cli_status cli_trace_repeat(const char* path, const char* folder, cli_trace_repeat_fn* run,
                            bool* is_report)
{
    json_t* root = repeat_load(path);
    *is_report = root != NULL;
    if (root == NULL)
    {
        return CLI_DONE;
    }
    const cli_status status = repeat_arguments(path, json_object_get(root, "origin"), folder, run);
    json_decref(root);
    return status;
}
