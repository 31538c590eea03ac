// SPDX-License-Identifier: MIT
// The files that a scene reads.
#include "scene/scene_internal.h"

#include <string.h>

// Names so far. Beyond the capacity they are counted only.
typedef struct list_names
{
    const char** out;
    int32_t capacity;
    int32_t count;
} list_names;

static void list_add(list_names* names, const char* file)
{
    for (int32_t i = 0; file != NULL && i < names->count && i < names->capacity; ++i)
    {
        if (strcmp(names->out[i], file) == 0)
        {
            return;
        }
    }
    if (file != NULL && names->count < names->capacity)
    {
        names->out[names->count] = file;
    }
    names->count += file != NULL ? 1 : 0;
}

static void list_mask(list_names* names, const wadi_mask* mask)
{
    list_add(names, mask != NULL ? mask->source.file : NULL);
}

static void list_process(list_names* names, const wadi_scene_process* step)
{
    for (int32_t i = 0; i < step->input_count; ++i)
    {
        list_add(names, step->inputs[i].source.file);
    }
    for (int32_t i = 0; i < step->table_count; ++i)
    {
        list_add(names, step->tables[i].file);
    }
    for (int32_t i = 0; i < step->body_count; ++i)
    {
        list_add(names, step->bodies[i].mesh);
    }
    list_add(names, step->grains);
    list_mask(names, step->mask);
}

static void list_step(list_names* names, const wadi_step* step)
{
    switch (step->kind)
    {
    case WADI_STEP_PROCESS:
        list_process(names, &step->process);
        break;
    case WADI_STEP_EDIT:
        list_mask(names, step->edit.mask);
        list_add(names,
                 step->edit.kind->verb == WADI_EDIT_SET ? step->edit.assigned.source.file : NULL);
        break;
    default:
        list_add(names, step->output.winds.file);
        list_add(names, step->output.gradient);
        for (int32_t i = 0; i < step->output.splat_count; ++i)
        {
            list_mask(names, step->output.splat[i]);
        }
    }
}

int32_t wadi_scene_files(const wadi_scene* scene, const char** out, int32_t capacity)
{
    list_names names = {.out = out, .capacity = capacity};
    for (int32_t i = 0; i < scene->ground_count; ++i)
    {
        list_add(&names, scene->grounds[i].source.file);
        list_add(&names, scene->grounds[i].mask);
    }
    for (int32_t i = 0; i < scene->layer_count; ++i)
    {
        list_add(&names, scene->layers[i].source.file);
    }
    list_add(&names, scene->strata.top.file);
    list_add(&names, scene->sea.file);
    for (int32_t i = 0; i < scene->step_count; ++i)
    {
        list_step(&names, &scene->steps[i]);
    }
    return names.count;
}
