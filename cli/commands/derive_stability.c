// SPDX-License-Identifier: MIT
#include "cli/commands/derive_stability.h"

#include "cli/help.h"
#include "cli/trace.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum
{
    STABILITY_NAME = 32, // bytes; longer than any parameter's name
    STABILITY_MAPS = 5
};

// Files given instead of numbers.
typedef struct stability_files
{
    wadi_io_raster rasters[STABILITY_MAPS];
    int32_t count;
} stability_files;

void cli_stability_help_map(void)
{
    (void)printf("    stability [1]\n");
    cli_help_paragraph("factor of safety of soil on a slope, 100 at most; soil slides below 1", 12);
}

void cli_stability_help_fields(void)
{
    (void)printf("\nPARAMETERS OF STABILITY (--set NAME=VALUE, or NAME=FILE for a map)\n");
    cli_help_fields(&wadi_stability_fields);
}

static const float** stability_slot(wadi_stability_maps* maps, const char* name)
{
    const struct
    {
        const char* name;
        const float** slot;
    } rows[STABILITY_MAPS] = {
        {"cohesion", &maps->cohesion}, {"friction", &maps->friction}, {"weight", &maps->weight},
        {"depth", &maps->depth},       {"wetness", &maps->wetness},
    };
    for (int i = 0; i < STABILITY_MAPS; ++i)
    {
        if (strcmp(rows[i].name, name) == 0)
        {
            return rows[i].slot;
        }
    }
    return NULL;
}

// The file in "name=file", or NULL if it is a number or no parameter's; *slot is where its map
// goes.
static const char* stability_file(const char* setting, wadi_stability_maps* maps,
                                  const float*** slot)
{
    char name[STABILITY_NAME] = "";
    const size_t length = strcspn(setting, "=");
    (void)strncat(name, setting, length < sizeof name ? length : sizeof name - 1);
    *slot = stability_slot(maps, name);
    const char* value = setting[length] == '=' ? setting + length + 1 : "";
    return *slot != NULL && strchr(value, '.') != NULL && access(value, F_OK) == 0 ? value : NULL;
}

static cli_status stability_read(wadi_context* context, const char* path,
                                 const wadi_io_raster* ground, stability_files* files,
                                 const float** slot)
{
    if (files->count == STABILITY_MAPS)
    {
        return cli_fail(CLI_USAGE, "--set: too many maps at %s; give one map per parameter", path);
    }
    wadi_io_raster* raster = &files->rasters[files->count];
    const wadi_io_reading reading = {.quiet = true};
    CLI_TRY(cli_check(context, wadi_io_raster_read_as(context, path, &reading, false, raster)));
    files->count += 1;
    if (raster->width != ground->width || raster->height != ground->height)
    {
        return cli_fail(
            CLI_FAILED, "%s has %d x %d cells, but the ground has %d x %d; resample one", path,
            (int)raster->width, (int)raster->height, (int)ground->width, (int)ground->height);
    }
    *slot = raster->values;
    return CLI_DONE;
}

static cli_status stability_work(wadi_context* context, const cli_list* settings,
                                 const wadi_io_raster* ground, const wadi_field2d* field,
                                 stability_files* files, float* out)
{
    wadi_stability_params params = wadi_stability_params_default();
    wadi_stability_maps maps = {0};
    for (int32_t i = 0; i < settings->count; ++i)
    {
        const float** slot;
        const char* path = stability_file(settings->items[i], &maps, &slot);
        if (path != NULL)
        {
            CLI_TRY(stability_read(context, path, ground, files, slot));
            continue;
        }
        cli_list one = {0};
        one.items[0] = settings->items[i];
        one.count = 1;
        CLI_TRY(cli_fields_set(context, &wadi_stability_fields, &one, &params));
    }
    return cli_check(context, wadi_stability_fill(context, field, &params, &maps, out));
}

void cli_stability_trace(wadi_context* context, const cli_list* settings, wadi_io_tags* tags)
{
    wadi_stability_maps maps = {0};
    for (int32_t i = 0; i < settings->count; ++i)
    {
        const float** slot;
        const char* path = stability_file(settings->items[i], &maps, &slot);
        if (path != NULL)
        {
            cli_trace_input(tags, context, path);
        }
    }
}

cli_status cli_stability_derive(wadi_context* context, const cli_list* settings,
                                const wadi_io_raster* raster, const wadi_field2d* field, float* out)
{
    stability_files files = {0};
    const cli_status status = stability_work(context, settings, raster, field, &files, out);
    for (int32_t i = 0; i < files.count; ++i)
    {
        wadi_io_raster_free(&files.rasters[i]);
    }
    return status;
}
