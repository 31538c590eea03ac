// SPDX-License-Identifier: MIT
#include "studio/server/server_options.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A whole number of at most `max`, or -1.
static int options_number(const char* text, int max)
{
    char* end = NULL;
    errno = 0;
    const long value = strtol(text, &end, 10);
    const bool is_number = text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
    return is_number && value <= max ? (int)value : -1;
}

// The flags, which have no value.
static bool options_flag(const char* word, server_options* options)
{
    if (strcmp(word, "--no-browser") == 0)
    {
        options->browser = false;
        return true;
    }
    if (strcmp(word, "--no-save") == 0)
    {
        options->saves = false;
        return true;
    }
    return false;
}

static bool options_value(const char* word, const char* value, server_options* options)
{
    if (strcmp(word, "--port") == 0)
    {
        options->port = options_number(value, 65535);
        return options->port >= 0;
    }
    if (strcmp(word, "--threads") == 0)
    {
        options->threads = options_number(value, 1024);
        return options->threads >= 1;
    }
    if (strcmp(word, "--site") == 0)
    {
        options->site = value;
        return true;
    }
    return false;
}

bool server_options_read(int argc, const char* const* argv, server_options* options,
                         char problem[256])
{
    *options = (server_options){.browser = true, .saves = true};
    for (int i = 1; i < argc; ++i)
    {
        if (options_flag(argv[i], options))
        {
            continue;
        }
        const bool is_option = argv[i][0] == '-';
        const bool is_known =
            is_option && i + 1 < argc && options_value(argv[i], argv[i + 1], options);
        if (is_option ? !is_known : options->scene != NULL)
        {
            (void)snprintf(problem, 256, "wrong argument '%.100s'", argv[i]);
            return false;
        }
        options->scene = is_option ? options->scene : argv[i];
        i += is_option ? 1 : 0;
    }
    return true;
}
