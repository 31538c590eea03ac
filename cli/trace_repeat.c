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
    REPEAT_MOST = 512, // arguments
    REPEAT_NAME = 32,  // bytes of an option
    REPEAT_TEXT = 1024 // bytes of a command in a message
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

// The arguments of a program.
typedef struct repeat_list
{
    const char* items[REPEAT_MOST];
    int count;
} repeat_list;

static bool repeat_add(repeat_list* list, const char* item)
{
    const bool fits = list->count < REPEAT_MOST;
    if (fits)
    {
        list->items[list->count++] = item;
    }
    return fits;
}

// Number of arguments, 0 to 2, that give an option: "-o DIR", "-oDIR", "--output DIR" or
// "--output=DIR".
static int repeat_length(const char* item, const cli_trace_change* change)
{
    if (change->letter != '\0' && item[0] == '-' && item[1] == change->letter)
    {
        return item[2] == '\0' ? 2 : 1;
    }
    const size_t length = strlen(change->name);
    if (strncmp(item, "--", 2) != 0 || strncmp(item + 2, change->name, length) != 0)
    {
        return 0;
    }
    const char* rest = item + 2 + length;
    return rest[0] == '=' ? 1 : rest[0] == '\0' ? 2 : 0;
}

// Take an option out of the arguments.
static void repeat_remove(repeat_list* list, const cli_trace_change* change)
{
    int kept = 0;
    bool ended = false; // by "--": operands follow
    for (int i = 0; i < list->count;)
    {
        ended = ended || strcmp(list->items[i], "--") == 0;
        const int length = ended ? 0 : repeat_length(list->items[i], change);
        if (length == 0)
        {
            list->items[kept++] = list->items[i];
        }
        i += length > 0 ? length : 1;
    }
    list->count = kept;
}

// Put the changed options behind the verb; `names` has room for them.
static bool repeat_change(const cli_trace_wish* wish, char names[][REPEAT_NAME],
                          const repeat_list* old, repeat_list* out)
{
    repeat_list rest = *old;
    bool fits = repeat_add(out, rest.items[0]) && repeat_add(out, rest.items[1]);
    for (int i = 0; i < wish->count; ++i)
    {
        if (wish->changes[i].value != NULL)
        {
            repeat_remove(&rest, &wish->changes[i]);
            (void)snprintf(names[i], REPEAT_NAME, "--%s", wish->changes[i].name);
            fits = repeat_add(out, names[i]) && repeat_add(out, wish->changes[i].value) && fits;
        }
    }
    fits = (!wish->check || repeat_add(out, "--check")) && fits;
    for (int i = 2; i < rest.count; ++i)
    {
        fits = repeat_add(out, rest.items[i]) && fits;
    }
    return fits;
}

// Fail if a wish is none that a repeated run can fulfil.
static cli_status repeat_refuse(const char* path, const cli_trace_wish* wish,
                                const repeat_list* list)
{
    if (wish->check && strcmp(list->items[1], "run") != 0)
    {
        return cli_fail(CLI_USAGE,
                        "--check is for scenes and reports of 'wadi run'; %s is a report of "
                        "'wadi %s'",
                        path, list->items[1]);
    }
    if (wish->refused == NULL)
    {
        return CLI_DONE;
    }
    char text[REPEAT_TEXT] = "";
    for (int i = 0; i < list->count; ++i)
    {
        (void)strncat(text, i > 0 ? " " : "", sizeof text - strlen(text) - 1);
        (void)strncat(text, list->items[i], sizeof text - strlen(text) - 1);
    }
    return cli_fail(CLI_USAGE,
                    "%s repeats its run as it was, so --%s cannot be given; change the command "
                    "of that run: %s",
                    path, wish->refused, text);
}

static cli_status repeat_read(const char* path, const json_t* origin, repeat_list* out)
{
    const json_t* arguments = json_object_get(origin, "arguments");
    const size_t count = json_array_size(arguments);
    (void)repeat_add(out, "wadi");
    for (size_t i = 0; i < count; ++i)
    {
        const char* item = json_string_value(json_array_get(arguments, i));
        (void)repeat_add(out, item != NULL ? item : "");
    }
    return out->count > 2 && json_string_value(json_object_get(origin, "folder")) != NULL
               ? CLI_DONE
               : cli_fail(CLI_FAILED,
                          "%s does not hold the arguments of its run; it is of an older version",
                          path);
}

static cli_status repeat_run(const repeat_list* list, const json_t* origin,
                             cli_trace_repeat_fn* run)
{
    const char* place = json_string_value(json_object_get(origin, "folder"));
    if (chdir(place) != 0)
    {
        return cli_fail(CLI_FAILED, "cannot go to %s, the folder of the run: %s", place,
                        strerror(errno));
    }
    cli_trace_expect(json_string_value(json_object_get(origin, "scene")),
                     json_string_value(json_object_get(origin, "inputs")));
    char* argv[REPEAT_MOST];
    for (int i = 0; i < list->count; ++i)
    {
        // the parser only reads them
        argv[i] = (char*)(uintptr_t)list->items[i];
    }
    return run(list->count, argv);
}

static cli_status repeat_report(const char* path, const json_t* origin, const cli_trace_wish* wish,
                                cli_trace_repeat_fn* run)
{
    repeat_list was = {0};
    repeat_list changed = {0};
    char names[CLI_TRACE_CHANGES][REPEAT_NAME];
    CLI_TRY(repeat_read(path, origin, &was));
    CLI_TRY(repeat_refuse(path, wish, &was));
    return repeat_change(wish, names, &was, &changed)
               ? repeat_run(&changed, origin, run)
               : cli_fail(CLI_FAILED, "the run of %s has more than %d arguments", path,
                          REPEAT_MOST);
}

cli_status cli_trace_repeat(const char* path, const cli_trace_wish* wish, cli_trace_repeat_fn* run,
                            bool* is_report)
{
    json_t* root = repeat_load(path);
    *is_report = root != NULL;
    if (root == NULL)
    {
        return CLI_DONE;
    }
    const cli_status status = repeat_report(path, json_object_get(root, "origin"), wish, run);
    json_decref(root);
    return status;
}
