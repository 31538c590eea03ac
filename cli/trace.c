// SPDX-License-Identifier: MIT
#include "cli/trace.h"

#include "cli/output.h"

#include "io/checksum.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
    TRACE_TEXT = 8192 // bytes of a tag
};

// The arguments of the program and what its inputs must be. They are set once, before anything
// else.
static struct
{
    int count;
    char** items;
    const char* scene;
    const char* inputs;
} trace_arguments;

void cli_trace_arguments(int argc, char** argv)
{
    trace_arguments.count = argc;
    trace_arguments.items = argv;
}

void cli_trace_expect(const char* scene, const char* inputs)
{
    trace_arguments.scene = scene;
    trace_arguments.inputs = inputs;
}

static cli_status trace_compare(const char* was, const char* is)
{
    return was == NULL || (is != NULL && strcmp(was, is) == 0)
               ? CLI_DONE
               : cli_fail(CLI_FAILED,
                          "the inputs have changed since the report: they were %s and are %s; run "
                          "them without the report",
                          was, is != NULL ? is : "none");
}

cli_status cli_trace_check(const wadi_io_tags* tags)
{
    CLI_TRY(trace_compare(trace_arguments.scene, wadi_io_tags_get(tags, "wadi_scene")));
    return trace_compare(trace_arguments.inputs, wadi_io_tags_get(tags, "wadi_inputs"));
}

// Append a word, or what fits of it.
static void trace_append(char* text, const char* word)
{
    if (text[0] != '\0')
    {
        (void)strncat(text, " ", TRACE_TEXT - strlen(text) - 1);
    }
    (void)strncat(text, word, TRACE_TEXT - strlen(text) - 1);
}

// Number of arguments, 0 to 2, of an option that has no part in the result, such as "-o x.tif".
static int trace_skip(const char* argument)
{
    static const char* const names[] = {"--output", "--threads", "--progress", "--report",
                                        "--maps",   "--route",   "--picture",  "--draw-rose"};
    if (strncmp(argument, "-o", 2) == 0)
    {
        return argument[2] == '\0' ? 2 : 1;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    {
        const size_t length = strlen(names[i]);
        if (strncmp(argument, names[i], length) == 0)
        {
            return argument[length] == '=' ? 1 : argument[length] == '\0' ? 2 : 0;
        }
    }
    return 0;
}

void cli_trace_command(wadi_io_tags* tags, const char* output)
{
    char text[TRACE_TEXT] = "wadi";
    for (int i = 1; i < trace_arguments.count;)
    {
        const bool is_output = output != NULL && trace_arguments.items[i] == output;
        const int skip = is_output ? 1 : trace_skip(trace_arguments.items[i]);
        if (skip == 0)
        {
            trace_append(text, trace_arguments.items[i]);
        }
        i += skip > 0 ? skip : 1;
    }
    wadi_io_tags_set(tags, "wadi_version", wadi_version());
    wadi_io_tags_set(tags, "wadi_command", text);
}

static const char* trace_base(const char* path)
{
    const char* slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static void trace_name(wadi_context* context, const char* path, char out[TRACE_TEXT])
{
    char sum[WADI_IO_CHECKSUM_LENGTH];
    char file[PATH_MAX];
    // "a.nc:height" is a part of a file
    const char* colon = access(path, F_OK) != 0 ? strrchr(path, ':') : NULL;
    (void)snprintf(file, sizeof file, "%.*s", colon != NULL ? (int)(colon - path) : PATH_MAX - 1,
                   path);
    const bool known = wadi_io_checksum(context, file, sum) == WADI_OK;
    (void)snprintf(out, TRACE_TEXT, "%.4096s%s%s", trace_base(path), known ? " sha256:" : "",
                   known ? sum : "");
}

void cli_trace_scene(wadi_io_tags* tags, const char* path, const char* scene,
                     const char* const* overrides, int32_t count)
{
    char text[TRACE_TEXT];
    char sum[WADI_IO_CHECKSUM_LENGTH];
    wadi_io_checksum_text(scene, sum);
    (void)snprintf(text, sizeof text, "%.4096s sha256:%s", trace_base(path), sum);
    wadi_io_tags_set(tags, "wadi_version", wadi_version());
    wadi_io_tags_set(tags, "wadi_scene", text);
    text[0] = '\0';
    for (int32_t i = 0; i < count; ++i)
    {
        trace_append(text, overrides[i]);
    }
    if (count > 0)
    {
        wadi_io_tags_set(tags, "wadi_settings", text);
    }
}

void cli_trace_input(wadi_io_tags* tags, wadi_context* context, const char* path)
{
    char name[TRACE_TEXT];
    char text[TRACE_TEXT] = "";
    trace_name(context, path, name);
    const char* before = wadi_io_tags_get(tags, "wadi_inputs");
    if (before != NULL)
    {
        trace_append(text, before);
        (void)strncat(text, ",", TRACE_TEXT - strlen(text) - 1);
    }
    trace_append(text, name);
    wadi_io_tags_set(tags, "wadi_inputs", text);
}

void cli_trace_state(wadi_io_tags* tags, const wadi_terrain* terrain, uint64_t hash)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%" PRIu64, wadi_terrain_seed(terrain));
    wadi_io_tags_set(tags, "wadi_seed", text);
    (void)snprintf(text, sizeof text, "%.17g", wadi_terrain_clock(terrain));
    wadi_io_tags_set(tags, "wadi_clock_yr", text);
    (void)snprintf(text, sizeof text, "%016" PRIx64, hash);
    wadi_io_tags_set(tags, "wadi_state_hash", text);
}

cli_status cli_trace_write(const wadi_io_tags* tags, const char* path)
{
    char name[PATH_MAX + 8];
    (void)snprintf(name, sizeof name, "%.*s.json", PATH_MAX, path);
    json_t* root = json_object();
    for (int32_t i = 0; i < tags->count; ++i)
    {
        (void)json_object_set_new(root, tags->rows[i].key, json_string(tags->rows[i].value));
    }
    char* text = json_dumps(root, JSON_INDENT(2));
    json_decref(root);
    const cli_status status =
        text != NULL ? cli_output_write(name, text) : cli_fail(CLI_FAILED, "out of memory");
    free(text);
    return status;
}

json_t* cli_trace_json(const wadi_io_tags* tags)
{
    char folder[PATH_MAX];
    json_t* arguments = json_array();
    for (int i = 1; i < trace_arguments.count; ++i)
    {
        (void)json_array_append_new(arguments, json_string(trace_arguments.items[i]));
    }
    json_t* out = json_pack("{s:o, s:s}", "arguments", arguments, "folder",
                            getcwd(folder, sizeof folder) != NULL ? folder : ".");
    for (int32_t i = 0; tags != NULL && i < tags->count; ++i)
    {
        if (tags->rows[i].value != NULL)
        {
            (void)json_object_set_new(out, tags->rows[i].key + strlen("wadi_"),
                                      json_string(tags->rows[i].value));
        }
    }
    return out;
}
