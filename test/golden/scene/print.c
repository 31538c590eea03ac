// SPDX-License-Identifier: MIT
// Print rows.c: a scene file, with changes as of `wadi run --set`, as the rows of a table.
//   golden_scene_print SCENE [PATH=VALUE]...
#include "golden/scene/rows.h"
#include "io/scene/scene_yaml.h"
#include "scene/scene_internal.h"

#include <stdio.h>
#include <stdlib.h>

static int32_t print_count;

static void print_refuse(const char* what)
{
    (void)fprintf(stderr, "golden_scene_print: %s\n", what);
    exit(EXIT_FAILURE);
}

static void print_row(const char* kind, const char* name, double value)
{
    print_count += 1;
    (void)printf("    {%s, \"%s\", %.17g},\n", kind, name, value);
}

// Fields that differ from their defaults.
static void print_fields(const wadi_field_table* table, const void* params)
{
    if (table == NULL || params == NULL) // a process that goes on has no parameters of its own
    {
        return;
    }
    void* plain = calloc(1, table->params_size);
    if (plain == NULL)
    {
        print_refuse("out of memory");
    }
    wadi_fields_init(table, plain);
    for (int32_t i = 0; i < table->count; ++i)
    {
        const double value = wadi_field_get(&table->fields[i], params);
        const double other = wadi_field_get(&table->fields[i], plain);
        if (value < other || value > other)
        {
            print_row("ROW_FIELD", table->fields[i].name, value);
        }
    }
    free(plain);
}

static void print_source(const wadi_source* source)
{
    if (source->kind->needs_file || source->class_count > 0)
    {
        print_refuse("the scene reads files");
    }
    print_row("ROW_SOURCE", source->kind->name, 0.0);
    print_fields(source->kind->fields, source->params);
}

static void print_region(const wadi_region* region)
{
    if (region->shape == NULL)
    {
        return;
    }
    print_row("ROW_REGION", region->shape->name, 0.0);
    print_fields(region->shape->fields, region->params);
    print_row("ROW_SOFT", "", region->soft);
    for (int32_t i = 0; i < region->point_count; ++i)
    {
        print_row("ROW_POINT", "", region->points[i].x);
        print_row("ROW_POINT", "", region->points[i].y);
    }
}

static void print_step(const wadi_step* step)
{
    if (step->kind == WADI_STEP_EDIT)
    {
        if (step->edit.params == NULL)
        {
            print_refuse("the scene sets a layer in its course");
        }
        print_row("ROW_EDIT", step->edit.kind->name, 0.0);
        print_fields(step->edit.kind->fields, step->edit.params);
        print_region(&step->edit.region);
        print_row("ROW_APPLY", "", 0.0);
    }
    if (step->kind == WADI_STEP_PROCESS)
    {
        const wadi_scene_process* p = &step->process;
        if (p->input_count + p->table_count + p->body_count > 0 || p->water != NULL)
        {
            print_refuse("a process has maps, tables or bodies");
        }
        print_row("ROW_PROCESS", p->process->name, 0.0);
        print_fields(p->process->fields, p->params);
        print_row("ROW_FLAGS", "", (p->goes_on ? 1.0 : 0.0) + (p->overlaps ? 2.0 : 0.0));
        print_row("ROW_COUPLED", "", p->interval);
        print_row("ROW_RUN", "", p->years);
    }
}

static void print_scene(const wadi_scene* scene)
{
    char edges[5] = {0};
    if (scene->material_count > 0 || scene->strata.count > 0 || scene->sea.count > 0 ||
        scene->sea.file != NULL)
    {
        print_refuse("the scene has materials, beds or a sea");
    }
    for (int side = 0; side < 4; ++side)
    {
        edges[side] = (char)('0' + (int)scene->grid.edges[side]);
    }
    print_row("ROW_SEED", "", (double)scene->seed);
    print_row("ROW_SIZE", "", scene->grid.width);
    print_row("ROW_SIZE", "", scene->grid.height);
    print_row("ROW_CELL", "", scene->grid.cell_size);
    print_row("ROW_EDGES", edges, 0.0);
    for (int32_t i = 0; i < scene->ground_count; ++i)
    {
        const wadi_scene_ground* ground = &scene->grounds[i];
        print_source(&ground->source);
        print_region(&ground->region);
        print_row("ROW_GROUND", wadi_combine_name(ground->combine), ground->weight);
    }
    for (int32_t i = 0; i < scene->layer_count; ++i)
    {
        print_source(&scene->layers[i].source);
        print_row("ROW_LAYER", "", scene->layers[i].layer);
    }
    for (int32_t i = 0; i < scene->step_count; ++i)
    {
        print_step(&scene->steps[i]);
    }
}

int main(int argc, char** argv)
{
    wadi_context_def def = wadi_context_def_default();
    wadi_context* context = NULL;
    wadi_scene* scene = NULL;
    if (argc < 2 || wadi_context_create(&def, &context) != WADI_OK)
    {
        print_refuse("usage: golden_scene_print SCENE [PATH=VALUE]...");
    }
    if (wadi_io_scene_read(context, argv[1], (const char* const*)argv + 2, argc - 2, &scene) !=
        WADI_OK)
    {
        print_refuse(wadi_error_detail(context));
    }
    (void)printf("// SPDX-License-Identifier: MIT\n"
                 "// Scene %s. Made by `make golden`: do not edit.\n"
                 "// clang-format off\n"
                 "#include \"rows.h\"\n\n"
                 "const scene_row golden_scene_rows[] = {\n",
                 wadi_scene_name(scene));
    print_scene(scene);
    (void)printf("};\n\nconst int32_t golden_scene_row_count = %d;\n", print_count);
    wadi_scene_destroy(scene);
    wadi_context_destroy(context);
    return EXIT_SUCCESS;
}
