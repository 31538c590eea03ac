// SPDX-License-Identifier: MIT
// The registry: one line per process.
#include <wadi/coast.h>
#include <wadi/dunes.h>
#include <wadi/earth.h>
#include <wadi/flood_route.h>
#include <wadi/hydraulic.h>
#include <wadi/landslide.h>
#include <wadi/regulate.h>
#include <wadi/riverbed.h>
#include <wadi/soil_cover.h>
#include <wadi/talus.h>
#include <wadi/uplift.h>
#include <wadi/wind.h>

#include "core/internal.h"
#include "process/solver.h"

#include <stdio.h>
#include <string.h>

// Sessions run no bodies of soil, so a module that runs sessions alone is built without them.
#ifdef WADI_WITHOUT_BODIES
#define REGISTRY_BODIES
#else
#define REGISTRY_BODIES &wadi_earth_process,
#endif

// clang-format off
static const wadi_process* const registry[] = {
    &wadi_hydraulic_process, &wadi_wind_process,   &wadi_dunes_process,    &wadi_talus_process,
    &wadi_riverbed_process,  &wadi_flood_process,  &wadi_regulate_process, &wadi_landslide_process,
    REGISTRY_BODIES          &wadi_uplift_process, &wadi_coast_process,    &wadi_soil_cover_process,
};
// clang-format on

enum
{
    REGISTRY_COUNT = sizeof registry / sizeof registry[0]
};

int32_t wadi_process_count(const wadi_context* context)
{
    return REGISTRY_COUNT + wadi_context_registered_count(context);
}

const wadi_process* wadi_process_at(const wadi_context* context, int32_t index)
{
    if (index < 0 || index >= wadi_process_count(context))
    {
        return NULL;
    }
    return index < REGISTRY_COUNT ? registry[index]
                                  : wadi_context_registered(context, index - REGISTRY_COUNT);
}

const wadi_process* wadi_process_find(const wadi_context* context, const char* name)
{
    for (int32_t i = 0; i < wadi_process_count(context); ++i)
    {
        const wadi_process* process = wadi_process_at(context, i);
        if (strcmp(process->name, name) == 0)
        {
            return process;
        }
    }
    return NULL;
}

// A model has the functions that its traits and its process's maps and tables need.
static bool registry_has_functions(const wadi_process* process, const wadi_model* model)
{
    const wadi_model_api* api = model->api;
    if (model->name == NULL || model->doc == NULL || api == NULL || api->create == NULL ||
        api->advance == NULL || api->destroy == NULL ||
        ((model->traits & WADI_MODEL_HOLDS) != 0 && (api->settle == NULL || api->held == NULL)) ||
        ((model->traits & WADI_MODEL_BODIES) != 0 && api->set_bodies == NULL) ||
        ((model->traits & WADI_MODEL_GRAINS) != 0 && (api->grains == NULL || api->watch == NULL)))
    {
        return false;
    }
    for (int32_t i = 0; i < process->map_count; ++i)
    {
        const wadi_map_info* map = &process->maps[i];
        if (wadi_model_is_in(process, model, map->models) &&
            (map->input ? api->set_map == NULL : api->map == NULL))
        {
            return false;
        }
    }
    return true;
}

// Switches of maps are fields of the process.
static bool registry_has_switches(const wadi_process* process)
{
    bool has = process->switches != NULL || process->switch_count == 0;
    for (int32_t i = 0; has && i < process->switch_count; ++i)
    {
        const wadi_map_switch* of = &process->switches[i];
        has = of->map != NULL && of->field != NULL &&
              wadi_field_find(process->fields, of->field) != NULL;
    }
    return has;
}

static bool registry_has_figures(const wadi_process* process)
{
    bool has = process->figures != NULL || process->figure_count == 0;
    for (int32_t i = 0; has && i < process->figure_count; ++i)
    {
        const wadi_figure_info* figure = &process->figures[i];
        has = figure->name != NULL && figure->unit != NULL && figure->doc != NULL;
    }
    return has;
}

static bool registry_is_complete(const wadi_process* process)
{
    bool complete =
        process != NULL && process->name != NULL && process->doc != NULL &&
        process->fields != NULL && process->presets != NULL && process->preset_count > 0 &&
        process->models != NULL && process->model_count > 0 && process->default_years > 0.0 &&
        (process->maps != NULL || process->map_count == 0) &&
        (process->tables != NULL || process->table_count == 0) &&
        (process->model_count == 1 || wadi_field_find(process->fields, "model") != NULL) &&
        registry_has_switches(process) && registry_has_figures(process);
    for (int32_t m = 0; complete && m < process->model_count; ++m)
    {
        complete = registry_has_functions(process, &process->models[m]);
    }
    return complete;
}

wadi_result wadi_process_register(wadi_context* context, const wadi_process* process)
{
    WADI_CHECK(
        context, registry_is_complete(process), WADI_ERROR_ARGUMENT,
        "a process needs a name, a text, fields, a preset, years, models with the functions "
        "that their traits and maps need, switches of maps that are fields of it, and figures "
        "with a name, a unit and a text");
    WADI_CHECK(context, wadi_process_find(context, process->name) == NULL, WADI_ERROR_ARGUMENT,
               "a process '%s' is registered already; choose another name", process->name);
    return wadi_context_register(context, process);
}

// ---- models ------------------------------------------------------------------------------

const wadi_model* wadi_process_model(const wadi_process* process, const void* params)
{
    const wadi_field* field = wadi_field_find(process->fields, "model");
    return &process->models[field != NULL ? (int32_t)wadi_field_get(field, params) : 0];
}

double wadi_process_years(const wadi_process* process, const void* params)
{
    return process->model_years != NULL
               ? process->model_years[wadi_process_model(process, params) - process->models]
               : process->default_years;
}

bool wadi_process_has(const wadi_process* process, wadi_model_trait trait)
{
    bool has = false;
    for (int32_t m = 0; m < process->model_count; ++m)
    {
        has = has || (process->models[m].traits & (uint32_t)trait) != 0;
    }
    return has;
}

bool wadi_model_is_in(const wadi_process* process, const wadi_model* model, uint32_t models)
{
    return models == 0 || (models >> (model - process->models) & 1u) != 0;
}

wadi_result wadi_process_refuse(wadi_context* context, const wadi_process* process,
                                const wadi_model* model, const char* verb, const char* name,
                                uint32_t models)
{
    char list[128] = "";
    size_t used = 0;
    int32_t count = 0;
    for (int32_t m = 0; m < process->model_count && used < sizeof list; ++m)
    {
        if ((models >> m & 1u) != 0)
        {
            used += (size_t)snprintf(list + used, sizeof list - used, "%s'%s'",
                                     count == 0 ? "" : " and ", process->models[m].name);
            count += 1;
        }
    }
    return wadi_fail(context, WADI_ERROR_ARGUMENT, "%s: model '%s' %s no %s; model%s %s do%s",
                     process->name, model->name, verb, name, count == 1 ? "" : "s", list,
                     count == 1 ? "es" : "");
}

wadi_result wadi_process_check_made(wadi_context* context, const wadi_process* process,
                                    const void* params, const char* map)
{
    const wadi_model* model = wadi_process_model(process, params);
    const wadi_map_info* made = NULL;
    for (int32_t i = 0; i < process->map_count; ++i)
    {
        const wadi_map_info* info = &process->maps[i];
        made = !info->input && strcmp(info->name, map) == 0 ? info : made;
    }
    return made == NULL || wadi_model_is_in(process, model, made->models)
               ? WADI_OK
               : wadi_process_refuse(context, process, model, "makes", map, made->models);
}

// Is the switch of a map on, or none of this model?
static bool registry_is_on(const wadi_process* process, const void* params, const char* map)
{
    const wadi_model* model = wadi_process_model(process, params);
    bool on = true;
    for (int32_t i = 0; i < process->switch_count; ++i)
    {
        const wadi_field* field = wadi_field_find(process->fields, process->switches[i].field);
        if (strcmp(process->switches[i].map, map) == 0 &&
            wadi_model_is_in(process, model, field->models))
        {
            on = wadi_field_get(field, params) != 0.0;
        }
    }
    return on;
}

bool wadi_process_makes(const wadi_process* process, const void* params, const char* map)
{
    const wadi_model* model = wadi_process_model(process, params);
    bool makes = false;
    for (int32_t i = 0; i < process->map_count; ++i)
    {
        const wadi_map_info* info = &process->maps[i];
        makes = makes || (!info->input && strcmp(info->name, map) == 0 &&
                          wadi_model_is_in(process, model, info->models));
    }
    return makes && registry_is_on(process, params, map);
}

wadi_result wadi_process_check_field(wadi_context* context, const wadi_process* process,
                                     const void* params, const char* name)
{
    const wadi_field* field = wadi_field_find(process->fields, name);
    const wadi_model* model = wadi_process_model(process, params);
    return field == NULL || wadi_model_is_in(process, model, field->models)
               ? WADI_OK
               : wadi_process_refuse(context, process, model, "reads", field->name, field->models);
}

// ---- presets -----------------------------------------------------------------------------

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
