// SPDX-License-Identifier: MIT
// wadi describe: processes, their parameters and maps, from their own tables.
#include "cli/command.h"
#include "cli/help.h"
#include "cli/lookup.h"
#include "cli/session.h"
#include "cli/summary.h"

#include <wadi/process.h>

#include <jansson.h>
#include <stdio.h>
#include <string.h>

typedef struct describe_options
{
    bool json;
} describe_options;

static const cli_option describe_option_list[] = {
    CLI_OPTION("json", CLI_FLAG, describe_options, json, NULL,
               "Print JSON: processes, their parameters, presets, maps, figures and layers."),
};

static const char* describe_type_name(wadi_field_type type)
{
    static const char* const names[WADI_FIELD_TYPE_COUNT] = {"double", "int", "bool", "enum"};
    return names[type];
}

// A value in JSON by the field's type: a number, a boolean or a word.
static json_t* describe_value(const wadi_field* field, double value)
{
    switch (field->type)
    {
    case WADI_FIELD_BOOL:
        return json_boolean(value != 0.0);
    case WADI_FIELD_ENUM:
        return json_string(field->names[(int)value]);
    case WADI_FIELD_INT32:
        return json_integer((json_int_t)value);
    default:
        return json_real(value);
    }
}

static json_t* describe_words(const wadi_field* field)
{
    json_t* words = json_array();
    for (int i = 0; field->names[i] != NULL; ++i)
    {
        (void)json_array_append_new(words, json_string(field->names[i]));
    }
    return words;
}

// Names of the models in a set that fields and maps carry.
static json_t* describe_set(const wadi_process* process, uint32_t models)
{
    json_t* out = json_array();
    for (int32_t m = 0; m < process->model_count; ++m)
    {
        if (wadi_model_is_in(process, &process->models[m], models))
        {
            (void)json_array_append_new(out, json_string(process->models[m].name));
        }
    }
    return out;
}

// `process` is NULL for settings that belong to none.
static json_t* describe_field(const wadi_field_table* table, const wadi_field* field,
                              const wadi_process* process)
{
    const char* group = wadi_field_group_of(table, field);
    const bool number = field->type == WADI_FIELD_DOUBLE || field->type == WADI_FIELD_INT32;
    json_t* out = json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:s, s:s}", "name", field->name, "type",
                            describe_type_name(field->type), "unit", field->unit, "default",
                            describe_value(field, field->initial), "min",
                            number ? describe_value(field, field->min) : json_null(), "max",
                            number ? describe_value(field, field->max) : json_null(), "doc",
                            field->doc, "source", field->source);
    (void)json_object_set_new(out, "group", group != NULL ? json_string(group) : json_null());
    if (field->type == WADI_FIELD_ENUM)
    {
        (void)json_object_set_new(out, "values", describe_words(field));
    }
    if (process != NULL)
    {
        (void)json_object_set_new(out, "models", describe_set(process, field->models));
    }
    return out;
}

static json_t* describe_fields(const wadi_field_table* table, const wadi_process* process)
{
    json_t* out = json_array();
    for (int32_t i = 0; i < table->count; ++i)
    {
        (void)json_array_append_new(out, describe_field(table, &table->fields[i], process));
    }
    return out;
}

static json_t* describe_preset(const wadi_process* process, const wadi_preset* preset)
{
    json_t* values = json_object();
    for (int32_t i = 0; i < preset->count; ++i)
    {
        const wadi_field* field = wadi_field_find(process->fields, preset->values[i].field);
        (void)json_object_set_new(values, field->name,
                                  describe_value(field, preset->values[i].value));
    }
    return json_pack("{s:s, s:s, s:o}", "name", preset->name, "doc", preset->doc, "values", values);
}

static json_t* describe_presets(const wadi_process* process)
{
    json_t* out = json_array();
    for (int32_t i = 0; i < process->preset_count; ++i)
    {
        (void)json_array_append_new(out, describe_preset(process, &process->presets[i]));
    }
    return out;
}

static json_t* describe_maps(const wadi_process* process)
{
    json_t* out = json_array();
    for (int32_t i = 0; i < process->map_count; ++i)
    {
        const wadi_map_info* map = &process->maps[i];
        (void)json_array_append_new(out, json_pack("{s:s, s:s, s:s, s:b, s:o}", "name", map->name,
                                                   "unit", map->unit, "doc", map->doc, "input",
                                                   map->input, "models",
                                                   describe_set(process, map->models)));
    }
    return out;
}

static json_t* describe_figure(const wadi_process* process, const wadi_figure_info* figure)
{
    return json_pack("{s:s, s:s, s:s, s:o}", "name", figure->name, "unit", figure->unit, "doc",
                     figure->doc, "models", describe_set(process, figure->models));
}

static json_t* describe_figures(const wadi_process* process)
{
    json_t* out = json_array();
    for (int32_t i = 0; i < process->figure_count; ++i)
    {
        (void)json_array_append_new(out, describe_figure(process, &process->figures[i]));
    }
    const wadi_figure_info* line;
    for (int32_t i = 0; (line = cli_summary_line(process, i)) != NULL; ++i)
    {
        (void)json_array_append_new(out, describe_figure(process, line));
    }
    return out;
}

static json_t* describe_tables(const wadi_process* process)
{
    json_t* out = json_array();
    for (int32_t i = 0; i < process->table_count; ++i)
    {
        const wadi_table_info* table = &process->tables[i];
        json_t* columns = json_array();
        for (int32_t k = 0; k < table->column_count; ++k)
        {
            const wadi_column* column = &table->columns[k];
            json_t* row = json_pack("{s:s, s:s, s:f, s:f}", "name", column->name, "unit",
                                    column->unit, "min", column->min, "max", column->max);
            if ((table->optional >> k & 1) != 0)
            {
                (void)json_object_set_new(row, "optional", json_true());
            }
            (void)json_array_append_new(columns, row);
        }
        (void)json_array_append_new(out, json_pack("{s:s, s:s, s:o}", "name", table->name, "doc",
                                                   table->doc, "columns", columns));
    }
    return out;
}

static json_t* describe_layers(const wadi_terrain* terrain, uint32_t layers)
{
    json_t* out = json_array();
    for (wadi_layer layer = 0; layer < 32; ++layer)
    {
        if ((layers & WADI_LAYER_BIT(layer)) != 0)
        {
            const char* name = wadi_terrain_layer_name(terrain, layer);
            (void)json_array_append_new(out, json_string(name));
        }
    }
    return out;
}

static json_t* describe_models(const wadi_terrain* terrain, const wadi_process* process)
{
    json_t* out = json_array();
    for (int32_t m = 0; m < process->model_count; ++m)
    {
        const wadi_model* model = &process->models[m];
        const double years =
            process->model_years != NULL ? process->model_years[m] : process->default_years;
        (void)json_array_append_new(
            out, json_pack("{s:s, s:s, s:f, s:o, s:o}", "name", model->name, "doc", model->doc,
                           "default_years", years, "reads", describe_layers(terrain, model->reads),
                           "writes", describe_layers(terrain, model->writes)));
    }
    return out;
}

// Layers that any of the models reads, or writes.
static uint32_t describe_all_layers(const wadi_process* process, bool writes)
{
    uint32_t layers = 0;
    for (int32_t m = 0; m < process->model_count; ++m)
    {
        layers |= writes ? process->models[m].writes : process->models[m].reads;
    }
    return layers;
}

static json_t* describe_process(const wadi_terrain* terrain, const wadi_process* process)
{
    return json_pack("{s:s, s:s, s:f, s:o, s:o, s:o, s:o, s:o, s:o, s:{s:o, s:o}}", "name",
                     process->name, "doc", process->doc, "default_years", process->default_years,
                     "models", describe_models(terrain, process), "fields",
                     describe_fields(process->fields, process), "presets",
                     describe_presets(process), "maps", describe_maps(process), "tables",
                     describe_tables(process), "figures", describe_figures(process), "layers",
                     "reads", describe_layers(terrain, describe_all_layers(process, false)),
                     "writes", describe_layers(terrain, describe_all_layers(process, true)));
}

static void describe_print_json(const wadi_terrain* terrain, const wadi_process* only)
{
    json_t* processes = json_array();
    for (int32_t i = 0; i < wadi_process_count(NULL); ++i)
    {
        if (only == NULL || only == wadi_process_at(NULL, i))
        {
            (void)json_array_append_new(processes,
                                        describe_process(terrain, wadi_process_at(NULL, i)));
        }
    }
    json_t* root = json_pack("{s:o}", "processes", processes);
    (void)json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    (void)putchar('\n');
    json_decref(root);
}

static void describe_print_list(void)
{
    for (int32_t i = 0; i < wadi_process_count(NULL); ++i)
    {
        const wadi_process* process = wadi_process_at(NULL, i);
        (void)printf("%s\n", process->name);
        cli_help_paragraph(process->doc, 4);
    }
}

static void describe_print_presets(const wadi_process* process)
{
    (void)printf("\nPRESETS (--preset)\n");
    for (int32_t i = 0; i < process->preset_count; ++i)
    {
        (void)printf("    %s\n", process->presets[i].name);
        cli_help_paragraph(process->presets[i].doc, 12);
    }
}

static void describe_print_models(const wadi_process* process)
{
    (void)printf("\nMODELS\n");
    for (int32_t m = 0; m < process->model_count; ++m)
    {
        (void)printf("    %s\n", process->models[m].name);
        cli_help_paragraph(process->models[m].doc, 12);
        if (process->model_years != NULL)
        {
            const cli_span span = cli_span_of(process->model_years[m]);
            (void)printf("            Default duration: %g %s.\n", span.value, span.unit);
        }
    }
}

// The models that a map belongs to, unless all have it.
static void describe_print_makers(const wadi_process* process, uint32_t models)
{
    const char* before = (models & (models - 1)) == 0 ? ", model " : ", models ";
    for (int32_t m = 0; m < process->model_count; ++m)
    {
        if ((models & UINT32_C(1) << m) != 0)
        {
            (void)printf("%s%s", before, process->models[m].name);
            before = ", ";
        }
    }
    (void)putchar('\n');
}

static void describe_print_maps(const wadi_process* process, bool input, const char* title)
{
    (void)printf("\n%s\n", title);
    for (int32_t i = 0; i < process->map_count; ++i)
    {
        if (process->maps[i].input == input)
        {
            (void)printf("    %s [%s]", process->maps[i].name, process->maps[i].unit);
            describe_print_makers(process, process->maps[i].models);
            cli_help_paragraph(process->maps[i].doc, 12);
        }
    }
}

static void describe_print_figure(const wadi_process* process, const wadi_figure_info* figure)
{
    (void)printf("    %s [%s]", figure->name, figure->unit);
    describe_print_makers(process, figure->models);
    cli_help_paragraph(figure->doc, 12);
}

static void describe_print_figures(const wadi_process* process)
{
    (void)printf("\nFIGURES (of the summary, and of reports)\n");
    for (int32_t i = 0; i < process->figure_count; ++i)
    {
        describe_print_figure(process, &process->figures[i]);
    }
    const wadi_figure_info* line;
    for (int32_t i = 0; (line = cli_summary_line(process, i)) != NULL; ++i)
    {
        describe_print_figure(process, line);
    }
}

static void describe_print_tables(const wadi_process* process)
{
    if (process->table_count > 0)
    {
        (void)printf("\nTABLES (--layer NAME=FILE.csv)\n");
    }
    for (int32_t i = 0; i < process->table_count; ++i)
    {
        const wadi_table_info* table = &process->tables[i];
        (void)printf("    %s\n", table->name);
        cli_help_paragraph(table->doc, 12);
        for (int32_t k = 0; k < table->column_count; ++k)
        {
            const bool optional = (table->optional >> k & 1) != 0;
            (void)printf("        %s [%s]%s\n", table->columns[k].name, table->columns[k].unit,
                         optional ? ", optional" : "");
        }
    }
}

static void describe_print_layers(const wadi_terrain* terrain, const char* verb, uint32_t layers)
{
    (void)printf("    %s", verb);
    const char* comma = "";
    for (wadi_layer layer = 0; layer < 32; ++layer)
    {
        if ((layers & WADI_LAYER_BIT(layer)) != 0)
        {
            (void)printf("%s %s", comma, wadi_terrain_layer_name(terrain, layer));
            comma = ",";
        }
    }
    (void)putchar('\n');
}

// "MODEL a" or "MODELS a, b".
static void describe_print_readers(const wadi_process* process, uint32_t models)
{
    const char* before = (models & (models - 1)) == 0 ? "MODEL " : "MODELS ";
    (void)printf("\nPARAMETERS OF ");
    for (int32_t m = 0; m < process->model_count; ++m)
    {
        if ((models & UINT32_C(1) << m) != 0)
        {
            (void)printf("%s%s", before, process->models[m].name);
            before = ", ";
        }
    }
    (void)putchar('\n');
}

static bool describe_is_first_of_set(const wadi_field_table* table, int32_t index)
{
    const uint32_t models = table->fields[index].models;
    for (int32_t i = 0; i < index; ++i)
    {
        if (table->fields[i].models == models)
        {
            return false;
        }
    }
    return models != 0;
}

// Fields that all models read, then those of each set of models.
static void describe_print_fields(const wadi_process* process)
{
    (void)printf("\nPARAMETERS (--set NAME=VALUE)\n");
    cli_help_fields_of(process->fields, 0);
    for (int32_t i = 0; i < process->fields->count; ++i)
    {
        if (describe_is_first_of_set(process->fields, i))
        {
            describe_print_readers(process, process->fields->fields[i].models);
            cli_help_fields_of(process->fields, process->fields->fields[i].models);
        }
    }
}

static void describe_print_process(const wadi_terrain* terrain, const wadi_process* process)
{
    (void)printf("%s\n", process->name);
    cli_help_paragraph(process->doc, 4);
    if (process->model_years == NULL)
    {
        const cli_span span = cli_span_of(process->default_years);
        (void)printf("    Default duration: %g %s.\n", span.value, span.unit);
    }
    describe_print_models(process);
    describe_print_presets(process);
    describe_print_fields(process);
    describe_print_maps(process, true, "INPUT MAPS (--layer NAME=FILE)");
    describe_print_tables(process);
    describe_print_maps(process, false, "OUTPUT MAPS (--maps DIR)");
    describe_print_figures(process);
    (void)printf("\nLAYERS\n");
    describe_print_layers(terrain, "reads", describe_all_layers(process, false));
    describe_print_layers(terrain, "writes", describe_all_layers(process, true));
}

// The names of layers come from a terrain; make the smallest one.
static cli_status describe_make_terrain(wadi_context* context, wadi_terrain** out)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = 1;
    def.height = 1;
    def.cell_size = 1.0;
    return cli_check(context, wadi_terrain_create(context, &def, out));
}

// Some names consist of two words.
static const wadi_field_table* describe_find_settings(const cli_list* operands)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%s%s%s", operands->count > 0 ? operands->items[0] : "",
                   operands->count > 1 ? " " : "", operands->count > 1 ? operands->items[1] : "");
    return wadi_process_find(NULL, name) == NULL ? cli_find_settings(name) : NULL;
}

static void describe_print_settings(const wadi_field_table* table, bool json)
{
    if (!json)
    {
        (void)printf("%s\n\nPARAMETERS\n", table->name);
        cli_help_fields(table);
        return;
    }
    json_t* root =
        json_pack("{s:s, s:o}", "name", table->name, "fields", describe_fields(table, NULL));
    (void)json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    (void)putchar('\n');
    json_decref(root);
}

// Print one process, or the list of all (NULL).
static cli_status describe_processes(const wadi_process* process, bool json)
{
    cli_session session;
    CLI_TRY(cli_session_open(NULL, &session));
    wadi_terrain* terrain = NULL;
    const cli_status status = describe_make_terrain(session.context, &terrain);
    if (status == CLI_DONE && json)
    {
        describe_print_json(terrain, process);
    }
    else if (status == CLI_DONE && process != NULL)
    {
        describe_print_process(terrain, process);
    }
    else if (status == CLI_DONE)
    {
        describe_print_list();
    }
    wadi_terrain_destroy(terrain);
    cli_session_close(&session);
    return status;
}

static cli_status describe_run(const cli_command* command, int argc, char** argv)
{
    describe_options options = {0};
    cli_list operands = {0};
    CLI_TRY(cli_parse(command, argc, argv, &operands, &options));
    const wadi_field_table* settings = describe_find_settings(&operands);
    if (settings != NULL)
    {
        describe_print_settings(settings, options.json);
        return CLI_DONE;
    }
    const wadi_process* process = NULL;
    if (operands.count > 1)
    {
        return cli_fail(CLI_USAGE, "there is nothing called '%s %s' to describe", operands.items[0],
                        operands.items[1]);
    }
    if (operands.count == 1)
    {
        CLI_TRY(cli_find_process(operands.items[0], &process));
    }
    return describe_processes(process, options.json);
}

const cli_command cli_describe_command = {
    .name = "describe",
    .summary = "list processes, or the parameters of one",
    .usage = "[PROCESS|SETTINGS] [--json]",
    .details = "Without a name, lists the processes. With a name, prints the parameters of that "
               "process (default, range, unit, meaning and source), its presets, its input and "
               "output maps, its tables, the figures that summaries and reports have of it, and "
               "the layers that it reads and writes. Scenes, --set and the library use the same "
               "tables. Other names are those of pictures, derived "
               "maps, procedural ground and regions, such as render, stability, noise and circle.",
    .examples = "wadi describe\nwadi describe hydraulic\nwadi describe hydraulic --json",
    .options = describe_option_list,
    .option_count = sizeof describe_option_list / sizeof describe_option_list[0],
    .max_operands = 2,
    .run = describe_run,
};
