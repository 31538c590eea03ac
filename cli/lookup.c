// SPDX-License-Identifier: MIT
#include "lookup.h"

#include "options.h"

cli_status cli_find_process(const char* name, const wadi_process** out)
{
    *out = wadi_process_find(name);
    if (*out != NULL)
    {
        return CLI_DONE;
    }
    enum
    {
        MOST = 16
    };
    const char* words[MOST + 1] = {0};
    for (int32_t i = 0; i < wadi_process_count() && i < MOST; ++i)
    {
        words[i] = wadi_process_at(i)->name;
    }
    const char* nearest = cli_nearest(words, name);
    return nearest != NULL
               ? cli_fail(CLI_USAGE, "there is no process '%s'; did you mean '%s'?", name, nearest)
               : cli_fail(CLI_USAGE, "there is no process '%s'; 'wadi describe' lists them", name);
}
