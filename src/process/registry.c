// SPDX-License-Identifier: MIT
// The registry: one line per process.
#include <wadi/dunes.h>
#include <wadi/earth.h>
#include <wadi/flood_route.h>
#include <wadi/hydraulic.h>
#include <wadi/landslide.h>
#include <wadi/regulate.h>
#include <wadi/riverbed.h>
#include <wadi/talus.h>
#include <wadi/wind.h>

#include "core/internal.h"

#include <stdio.h>
#include <string.h>

static const wadi_process* const registry[] = {
    &wadi_hydraulic_process, &wadi_wind_process,      &wadi_dunes_process,
    &wadi_talus_process,     &wadi_riverbed_process,  &wadi_flood_process,
    &wadi_regulate_process,  &wadi_landslide_process, &wadi_earth_process,
};

int32_t wadi_process_count(void)
{
    return (int32_t)(sizeof registry / sizeof registry[0]);
}

const wadi_process* wadi_process_at(int32_t index)
{
    return index >= 0 && index < wadi_process_count() ? registry[index] : NULL;
}

const wadi_process* wadi_process_find(const char* name)
{
    for (int32_t i = 0; i < wadi_process_count(); ++i)
    {
        if (strcmp(registry[i]->name, name) == 0)
        {
            return registry[i];
        }
    }
    return NULL;
}

static const wadi_preset* registry_find_preset(const wadi_process* process, const char* name)
{
    for (int32_t i = 0; i < process->preset_count; ++i)
    {
        if (strcmp(process->presets[i].name, name) == 0)
        {
            return &process->presets[i];
        }
    }
    return NULL;
}

static wadi_result registry_unknown_preset(wadi_context* context, const wadi_process* process,
                                           const char* name)
{
    char list[256] = "";
    size_t used = 0;
    for (int32_t i = 0; i < process->preset_count && used < sizeof list; ++i)
    {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i == 0 ? "" : ", ",
                                 process->presets[i].name);
    }
    return wadi_fail(context, WADI_ERROR_UNKNOWN, "%s has no preset '%s'; it has: %s",
                     process->name, name, list);
}

wadi_result wadi_process_apply_preset(wadi_context* context, const wadi_process* process,
                                      const char* name, void* params)
{
    if (name == NULL)
    {
        return WADI_OK;
    }
    const wadi_preset* preset = registry_find_preset(process, name);
    if (preset == NULL)
    {
        return registry_unknown_preset(context, process, name);
    }
    for (int32_t i = 0; i < preset->count; ++i)
    {
        WADI_TRY(wadi_field_set(context, process->fields, preset->values[i].field,
                                preset->values[i].value, params));
    }
    return WADI_OK;
}
