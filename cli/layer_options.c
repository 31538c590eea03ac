// SPDX-License-Identifier: MIT
#include "cli/layer_options.h"

#include "cli/csv.h"
#include "cli/fields.h"
#include "cli/output.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A parsed setting such as "sediment=above:12m".
typedef struct layers_setting
{
    char name[WADI_NAME_LENGTH];
    const char* value;
    const wadi_map_info* map;     // map of the process with that name, or NULL
    const wadi_table_info* table; // table of the process with that name, or NULL
    wadi_layer layer;             // otherwise a layer
} layers_setting;

static int64_t layers_cells(cli_land* land)
{
    const wadi_terrain* terrain = cli_land_terrain(land);
    return (int64_t)wadi_terrain_width(terrain) * wadi_terrain_height(terrain);
}

static const wadi_map_info* layers_find_map(const wadi_process* process, const char* name)
{
    for (int32_t i = 0; i < process->map_count; ++i)
    {
        if (process->maps[i].input && strcmp(process->maps[i].name, name) == 0)
        {
            return &process->maps[i];
        }
    }
    return NULL;
}

static const wadi_table_info* layers_find_table(const wadi_process* process, const char* name)
{
    for (int32_t i = 0; i < process->table_count; ++i)
    {
        if (strcmp(process->tables[i].name, name) == 0)
        {
            return &process->tables[i];
        }
    }
    return NULL;
}

static cli_status layers_unknown(const wadi_process* process, const char* name)
{
    enum
    {
        MOST = 32
    };
    const char* words[MOST + 1] = {"sediment", "water", "hardness", "vegetation", "moisture"};
    int32_t count = 5;
    for (int32_t i = 0; i < process->map_count && count < MOST; ++i)
    {
        if (process->maps[i].input)
        {
            words[count++] = process->maps[i].name;
        }
    }
    for (int32_t i = 0; i < process->table_count && count < MOST; ++i)
    {
        words[count++] = process->tables[i].name;
    }
    const char* nearest = cli_nearest(words, name);
    return nearest != NULL
               ? cli_fail(CLI_USAGE, "there is no layer '%s'; did you mean '%s'?", name, nearest)
               : cli_fail(CLI_USAGE,
                          "there is no layer '%s': give sediment, water, hardness, vegetation, "
                          "moisture or a map or table that %s takes",
                          name, process->name);
}

static cli_status layers_parse(const wadi_terrain* terrain, const wadi_process* process,
                               const char* text, layers_setting* out)
{
    const size_t length = strcspn(text, "=");
    if (text[length] == '\0' || text[length + 1] == '\0' || length == 0 ||
        length >= sizeof out->name)
    {
        return cli_fail(CLI_USAGE, "--layer '%s' is not NAME=VALUE, such as sediment=2m", text);
    }
    memcpy(out->name, text, length);
    out->name[length] = '\0';
    out->value = text + length + 1;
    out->map = layers_find_map(process, out->name);
    out->table = layers_find_table(process, out->name);
    out->layer = wadi_terrain_layer(terrain, out->name);
    const bool settable =
        out->layer != -1 && out->layer != WADI_LAYER_SURFACE && out->layer != WADI_LAYER_BEDROCK;
    return out->map != NULL || out->table != NULL || settable ? CLI_DONE
                                                              : layers_unknown(process, out->name);
}

static bool layers_is_share(wadi_layer layer)
{
    return layer == WADI_LAYER_HARDNESS || layer == WADI_LAYER_VEGETATION ||
           layer == WADI_LAYER_MOISTURE;
}

static cli_status layers_fill_above(cli_land* land, const layers_setting* setting, float* values)
{
    double level = 0.0;
    wadi_context* context = wadi_terrain_context(cli_land_terrain(land));
    if (setting->map != NULL || setting->layer < WADI_LAYER_LOOSE)
    {
        return cli_fail(CLI_USAGE, "--layer %s=%s: 'above' is for loose matter only", setting->name,
                        setting->value);
    }
    CLI_TRY(cli_quantity(context, setting->name, setting->value + strlen("above:"), "m",
                         -WADI_HEIGHT_LIMIT, WADI_HEIGHT_LIMIT, &level));
    const float* surface = cli_land_surface(land);
    const int64_t cells = layers_cells(land);
    for (int64_t i = 0; i < cells; ++i)
    {
        values[i] = surface[i] > (float)level ? surface[i] - (float)level : 0.0f;
    }
    return CLI_DONE;
}

static cli_status layers_fill_constant(cli_land* land, const layers_setting* setting, float* values)
{
    wadi_context* context = wadi_terrain_context(cli_land_terrain(land));
    const char* unit = setting->map != NULL              ? setting->map->unit
                       : layers_is_share(setting->layer) ? "1"
                                                         : "m";
    double value = 0.0;
    CLI_TRY(cli_quantity(context, setting->name, setting->value, unit, 0.0, 1e9, &value));
    const int64_t cells = layers_cells(land);
    for (int64_t i = 0; i < cells; ++i)
    {
        values[i] = (float)value;
    }
    return CLI_DONE;
}

// Fail if a value of a file is none that its layer can have. Maps of processes have checks of their
// own, which name the range of the parameter.
static cli_status layers_check_file(cli_land* land, const layers_setting* setting,
                                    const float* values)
{
    const double most = layers_is_share(setting->layer) ? 1.0 : WADI_HEIGHT_LIMIT;
    const int32_t width = wadi_terrain_width(cli_land_terrain(land));
    const float* surface = cli_land_surface(land);
    const int64_t cells = setting->map == NULL ? layers_cells(land) : 0;
    for (int64_t i = 0; i < cells; ++i)
    {
        const double value = (double)values[i];
        if (!isnan(surface[i]) && !(value >= 0.0 && value <= most))
        {
            return cli_fail(CLI_FAILED,
                            "--layer %s=%s: the value at column %d, row %d is %g but must lie in "
                            "[0, %g]%s",
                            setting->name, setting->value, (int)(i % width), (int)(i / width),
                            value, most, layers_is_share(setting->layer) ? "" : " m");
        }
    }
    return CLI_DONE;
}

// Read a layer from a file; cells without data become 0.
static cli_status layers_fill_file(cli_land* land, const layers_setting* setting, float* values)
{
    CLI_TRY(cli_land_read(land, setting->value, values));
    cli_land_note_lacks(land, setting->value, values);
    const int64_t cells = layers_cells(land);
    for (int64_t i = 0; i < cells; ++i)
    {
        values[i] = isnan(values[i]) ? 0.0f : values[i];
    }
    return layers_check_file(land, setting, values);
}

// An existing file takes precedence over a number of the same text.
static cli_status layers_read(cli_land* land, const layers_setting* setting, float* values)
{
    if (strncmp(setting->value, "above:", strlen("above:")) == 0)
    {
        return layers_fill_above(land, setting, values);
    }
    const bool number = strchr("+-.0123456789", setting->value[0]) != NULL;
    return number && access(setting->value, F_OK) != 0 ? layers_fill_constant(land, setting, values)
                                                       : layers_fill_file(land, setting, values);
}

static cli_status layers_set(cli_land* land, const layers_setting* setting, float* values)
{
    wadi_terrain* terrain = cli_land_terrain(land);
    const int32_t width = wadi_terrain_width(terrain);
    CLI_TRY(layers_read(land, setting, values));
    return cli_check(wadi_terrain_context(terrain),
                     wadi_terrain_set_layer(terrain, setting->layer, values, width));
}

static cli_status layers_fill_all(cli_land* land, const wadi_process* process,
                                  const cli_list* settings, float* values)
{
    wadi_terrain* terrain = cli_land_terrain(land);
    for (int32_t i = 0; i < settings->count; ++i)
    {
        layers_setting setting;
        CLI_TRY(layers_parse(terrain, process, settings->items[i], &setting));
        if (setting.map == NULL && setting.table == NULL)
        {
            CLI_TRY(layers_set(land, &setting, values));
        }
    }
    // the surface is an input: lower the bedrock by the thickness of the loose layers
    return cli_check(wadi_terrain_context(terrain),
                     wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, cli_land_surface(land),
                                            wadi_terrain_width(terrain)));
}

cli_status cli_layers_fill(cli_land* land, const wadi_process* process, const cli_list* settings)
{
    if (settings->count == 0)
    {
        return CLI_DONE;
    }
    float* values;
    CLI_TRY(cli_land_allocate(land, &values));
    const cli_status status = layers_fill_all(land, process, settings, values);
    free(values);
    return status;
}

static cli_status layers_give_table(wadi_solver* solver, const layers_setting* setting)
{
    wadi_context* context = wadi_terrain_context(wadi_solver_terrain(solver));
    int32_t rows;
    double* values;
    CLI_TRY(cli_csv_read(context, setting->value, setting->table, &values, &rows));
    const wadi_result result = wadi_solver_set_table(solver, setting->name, values, rows);
    free(values);
    return cli_check(context, result);
}

static cli_status layers_give_all(cli_land* land, wadi_solver* solver, const cli_list* settings,
                                  float* values)
{
    wadi_terrain* terrain = cli_land_terrain(land);
    wadi_context* context = wadi_terrain_context(terrain);
    for (int32_t i = 0; i < settings->count; ++i)
    {
        layers_setting setting;
        CLI_TRY(layers_parse(terrain, wadi_solver_process(solver), settings->items[i], &setting));
        if (setting.map != NULL)
        {
            CLI_TRY(layers_read(land, &setting, values));
            CLI_TRY(cli_check(context, wadi_process_check_map(terrain, wadi_solver_process(solver),
                                                              wadi_solver_model(solver),
                                                              setting.name, values)));
            CLI_TRY(cli_check(context, wadi_solver_set_map(solver, setting.name, values)));
        }
        else if (setting.table != NULL)
        {
            CLI_TRY(layers_give_table(solver, &setting));
        }
    }
    return CLI_DONE;
}

cli_status cli_layers_give_maps(cli_land* land, wadi_solver* solver, const cli_list* settings)
{
    if (settings->count == 0)
    {
        return CLI_DONE;
    }
    float* values;
    CLI_TRY(cli_land_allocate(land, &values));
    const cli_status status = layers_give_all(land, solver, settings, values);
    free(values);
    return status;
}

static cli_status layers_map_path(const char* folder, const char* name, char path[PATH_MAX])
{
    const int length = snprintf(path, PATH_MAX, "%s/%s.tif", folder, name);
    return length < 0 || length >= PATH_MAX
               ? cli_fail(CLI_USAGE, "the path '%.60s...' is too long", folder)
               : CLI_DONE;
}

static cli_status layers_check_map(const cli_layers_maps* maps, const char* name, const char* other,
                                   const char* what)
{
    char path[PATH_MAX];
    CLI_TRY(layers_map_path(maps->folder, name, path));
    return cli_output_check_apart(other, path, what);
}

cli_status cli_layers_check_maps(const cli_layers_maps* maps, const char* other, const char* what)
{
    const wadi_process* process = maps->process;
    const wadi_model* model = wadi_process_model(process, maps->params);
    for (int32_t i = 0; i < process->map_count; ++i)
    {
        if (wadi_process_makes(process, maps->params, process->maps[i].name))
        {
            CLI_TRY(layers_check_map(maps, process->maps[i].name, other, what));
        }
    }
    for (wadi_layer layer = 0; layer < 32; ++layer)
    {
        if ((model->writes & WADI_LAYER_BIT(layer)) != 0)
        {
            const char* name = wadi_terrain_layer_name(maps->terrain, layer);
            CLI_TRY(layers_check_map(maps, name, other, what));
        }
    }
    return CLI_DONE;
}

static cli_status layers_write(cli_land* land, const float* values, cli_grid grid,
                               const char* folder, const char* name, const char* unit)
{
    char path[PATH_MAX];
    CLI_TRY(layers_map_path(folder, name, path));
    return cli_land_write(land, values, grid, name, unit, path);
}

static cli_status layers_write_layer(cli_land* land, wadi_layer layer, cli_grid grid,
                                     const char* folder, float* values)
{
    wadi_terrain* terrain = cli_land_terrain(land);
    wadi_context* context = wadi_terrain_context(terrain);
    wadi_view view;
    CLI_TRY(cli_check(context, wadi_terrain_borrow(terrain, layer, &view)));
    for (int32_t y = 0; y < view.height; ++y)
    {
        memcpy(values + (ptrdiff_t)y * view.width, view.data + y * view.stride,
               (size_t)view.width * sizeof *values);
    }
    CLI_TRY(cli_check(context, wadi_terrain_release(terrain, layer)));
    const bool is_share = layer == WADI_LAYER_HARDNESS || layer == WADI_LAYER_VEGETATION ||
                          layer == WADI_LAYER_MOISTURE;
    return layers_write(land, values, grid, folder, wadi_terrain_layer_name(terrain, layer),
                        is_share ? "1" : "m");
}

static cli_status layers_write_all(cli_land* land, wadi_solver* solver, cli_grid grid,
                                   const char* folder, float* values)
{
    const wadi_process* process = wadi_solver_process(solver);
    const wadi_model* model = wadi_solver_model(solver);
    wadi_context* context = wadi_terrain_context(cli_land_terrain(land));
    for (int32_t i = 0; i < process->map_count; ++i)
    {
        if (wadi_process_makes(process, wadi_solver_params(solver), process->maps[i].name))
        {
            const char* name = process->maps[i].name;
            CLI_TRY(cli_check(context, wadi_solver_map(solver, name, values)));
            CLI_TRY(layers_write(land, values, grid, folder, name, process->maps[i].unit));
        }
    }
    for (wadi_layer layer = 0; layer < 32; ++layer)
    {
        if ((model->writes & WADI_LAYER_BIT(layer)) != 0)
        {
            CLI_TRY(layers_write_layer(land, layer, grid, folder, values));
        }
    }
    return CLI_DONE;
}

cli_status cli_layers_write_maps(cli_land* land, wadi_solver* solver, cli_grid grid,
                                 const char* folder)
{
    float* values;
    CLI_TRY(cli_land_allocate(land, &values));
    const cli_status status = layers_write_all(land, solver, grid, folder, values);
    free(values);
    return status;
}
