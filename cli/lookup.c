// SPDX-License-Identifier: MIT
#include "cli/lookup.h"

#include "cli/options.h"

#include <wadi/wadi.h>

#include <string.h>

static const wadi_field_table* lookup_kind(const char* name)
{
    const wadi_source_kind* source = wadi_source_kind_find(name);
    const wadi_shape_kind* shape = wadi_shape_kind_find(name);
    const wadi_edit_kind* edit = wadi_edit_kind_find(name);
    return source != NULL  ? source->fields
           : shape != NULL ? shape->fields
           : edit != NULL  ? edit->fields
                           : NULL;
}

const wadi_field_table* cli_find_settings(const char* name)
{
    static const wadi_field_table* const tables[] = {
        &wadi_airflow_fields, &wadi_amplify_fields,        &wadi_body_fields,
        &wadi_water_fields,   &wadi_grain_material_fields, &wadi_grain_picture_fields,
        &wadi_filling_fields, &wadi_scene_material_fields, &wadi_soil_fields,
        &wadi_render_fields,  &wadi_stability_fields,      &wadi_sph_fields,
        &wadi_noise_fields,   &wadi_cohesion_fields,
    };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; ++i)
    {
        if (strcmp(tables[i]->name, name) == 0)
        {
            return tables[i];
        }
    }
    return lookup_kind(name);
}

cli_status cli_find_process(const char* name, const wadi_process** out)
{
    *out = wadi_process_find(NULL, name);
    if (*out != NULL)
    {
        return CLI_DONE;
    }
    enum
    {
        MOST = 16
    };
    const char* words[MOST + 1] = {0};
    for (int32_t i = 0; i < wadi_process_count(NULL) && i < MOST; ++i)
    {
        words[i] = wadi_process_at(NULL, i)->name;
    }
    const char* nearest = cli_nearest(words, name);
    return nearest != NULL
               ? cli_fail(CLI_USAGE, "there is no process '%s'; did you mean '%s'?", name, nearest)
               : cli_fail(CLI_USAGE, "there is no process '%s'; 'wadi describe' lists them", name);
}
