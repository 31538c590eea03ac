// SPDX-License-Identifier: MIT
#include "cli/run_source.h"

#include "io/scene/scene_yaml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cli_status cli_run_scene_read(wadi_context* context, const char* path, const cli_list* settings,
                              const char* seed, cli_run_scene* out)
{
    *out = (cli_run_scene){0};
    int32_t count = settings->count;
    memcpy(out->overrides, settings->items, sizeof settings->items);
    if (seed != NULL)
    {
        (void)snprintf(out->seed, sizeof out->seed, "seed=%s", seed);
        out->overrides[count++] = out->seed;
    }
    out->source = (cli_run_source){
        .path = path, .overrides = out->overrides, .override_count = count, .inputs = path};
    CLI_TRY(cli_check(context, wadi_io_scene_text(context, path, &out->text, &out->source.length)));
    out->source.text = out->text;
    return CLI_DONE;
}

void cli_run_scene_free(cli_run_scene* scene)
{
    free(scene->text);
    scene->text = NULL;
}
