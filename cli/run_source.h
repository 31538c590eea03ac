// SPDX-License-Identifier: MIT
// A scene file with what the command line changes of it.
#pragma once

#include "cli/run_job.h"

typedef struct cli_run_scene
{
    cli_run_source source; // points to what follows
    char* text;
    char seed[64];
    const char* overrides[CLI_LIST_CAPACITY + 1];
} cli_run_scene;

// Read the file. `settings` are those of --set, and `seed` may be NULL. cli_run_scene_free() is
// needed afterwards in any case.
cli_status cli_run_scene_read(wadi_context* context, const char* path, const cli_list* settings,
                              const char* seed, cli_run_scene* out);
void cli_run_scene_free(cli_run_scene* scene);
