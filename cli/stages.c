// SPDX-License-Identifier: MIT
#include "cli/stages.h"

#include <stddef.h>
#include <string.h>

// Find or add a stage. When the table is full, its last row is used.
static cli_stage* stages_find(cli_stages* stages, const char* name)
{
    for (int32_t i = 0; i < stages->count; ++i)
    {
        if (strcmp(stages->rows[i].name, name) == 0)
        {
            return &stages->rows[i];
        }
    }
    if (stages->count < CLI_MAX_STAGES)
    {
        stages->rows[stages->count++] = (cli_stage){name, 0.0};
    }
    return &stages->rows[stages->count - 1];
}

void cli_stages_enter(cli_stages* stages, const char* name, double now)
{
    if (stages->current != NULL)
    {
        stages->current->seconds += now - stages->since;
    }
    stages->current = name != NULL ? stages_find(stages, name) : NULL;
    stages->since = now;
}
