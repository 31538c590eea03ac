// SPDX-License-Identifier: MIT
// A scene is a list of checked parts.
#include "process/solver.h"
#include "scene/scene_internal.h"

#include <string.h>

wadi_result wadi_scene_create(wadi_context* context, wadi_scene** out)
{
    *out = NULL;
    wadi_scene* scene;
    WADI_ALLOC(context, scene, 1, "a scene");
    scene->context = context;
    scene->name = "";
    scene->doc = "";
    *out = scene;
    return WADI_OK;
}

void wadi_scene_destroy(wadi_scene* scene)
{
    if (scene == NULL)
    {
        return;
    }
    wadi_context* context = scene->context;
    for (scene_block* block = scene->blocks; block != NULL;)
    {
        scene_block* next = block->next;
        wadi_free(context, block);
        block = next;
    }
    wadi_free(context, scene->grounds);
    wadi_free(context, scene->layers);
    wadi_free(context, scene->materials);
    wadi_free(context, scene->steps);
    wadi_free(context, scene);
}

wadi_result wadi_scene_set_name(wadi_scene* scene, const char* name, const char* doc)
{
    const char* kept;
    WADI_TRY(wadi_scene_keep_text(scene, name, &kept));
    WADI_TRY(wadi_scene_keep_text(scene, doc, &scene->doc));
    scene->name = kept;
    return WADI_OK;
}

void wadi_scene_set_seed(wadi_scene* scene, uint64_t seed)
{
    scene->seed = seed;
}

static bool scene_is_pair_periodic(const wadi_edge* edges, wadi_side a, wadi_side b)
{
    return (edges[a] == WADI_EDGE_PERIODIC) == (edges[b] == WADI_EDGE_PERIODIC);
}

wadi_result wadi_scene_set_grid(wadi_scene* scene, const wadi_scene_grid* grid)
{
    wadi_context* context = scene->context;
    WADI_CHECK(context,
               grid->width >= 0 && grid->width <= 65536 && grid->height >= 0 &&
                   grid->height <= 65536 && (grid->width == 0) == (grid->height == 0),
               WADI_ERROR_RANGE, "grid of %d x %d cells: each side must lie in [1, 65536]",
               grid->width, grid->height);
    WADI_CHECK(
        context, grid->cell_size == 0.0 || (grid->cell_size >= 1e-3 && grid->cell_size <= 1e6),
        WADI_ERROR_RANGE, "cell size is %g m but must lie in [0.001, 1e6] m", grid->cell_size);
    WADI_CHECK(context, grid->extent >= 0.0 && grid->extent <= 1e9, WADI_ERROR_RANGE,
               "extent is %g m but must lie in (0, 1e9] m", grid->extent);
    WADI_CHECK(context, grid->extent == 0.0 || grid->cell_size == 0.0, WADI_ERROR_ARGUMENT,
               "extent and cell size are both given; leave one of them out");
    WADI_CHECK(context,
               scene_is_pair_periodic(grid->edges, WADI_SIDE_NORTH, WADI_SIDE_SOUTH) &&
                   scene_is_pair_periodic(grid->edges, WADI_SIDE_EAST, WADI_SIDE_WEST),
               WADI_ERROR_ARGUMENT, "a periodic edge needs its opposite edge to be periodic too");
    scene->grid = *grid;
    return WADI_OK;
}

// Make room for one more item. Capacities are powers of two: the count tells if it is full.
static wadi_result scene_grow(wadi_context* context, void** items, int32_t count, size_t size)
{
    const bool full = (count & (count - 1)) == 0;
    if (!full)
    {
        return WADI_OK;
    }
    const size_t room = count == 0 ? 1 : 2 * (size_t)count;
    void* larger = wadi_alloc(context, room, size);
    if (larger == NULL)
    {
        return wadi_fail_memory(context, room * size, "a scene");
    }
    if (count > 0)
    {
        memcpy(larger, *items, (size_t)count * size);
    }
    wadi_free(context, *items);
    *items = larger;
    return WADI_OK;
}

// Append a copy of *item to an array of the scene.
#define SCENE_APPEND(scene, items, count, item)                                                    \
    do                                                                                             \
    {                                                                                              \
        void* grown = (items);                                                                     \
        WADI_TRY(scene_grow((scene)->context, &grown, (count), sizeof *(items)));                  \
        (items) = grown;                                                                           \
        (items)[(count)++] = *(item);                                                              \
    } while (0)

wadi_result wadi_scene_add_ground(wadi_scene* scene, const wadi_scene_ground* ground)
{
    WADI_CHECK(scene->context, ground->weight >= 0.0 && ground->weight <= 1.0, WADI_ERROR_RANGE,
               "weight of a source is %g but must lie in [0, 1]", ground->weight);
    wadi_scene_ground kept = *ground;
    WADI_TRY(wadi_scene_keep_source(scene, &ground->source, WADI_FILLS_GROUND, &kept.source));
    WADI_TRY(wadi_scene_keep_region(scene, &ground->region, &kept.region));
    if (ground->mask != NULL)
    {
        WADI_TRY(wadi_scene_keep_text(scene, ground->mask, &kept.mask));
    }
    SCENE_APPEND(scene, scene->grounds, scene->ground_count, &kept);
    return WADI_OK;
}

wadi_result wadi_scene_add_layer(wadi_scene* scene, const wadi_scene_layer* layer)
{
    wadi_scene_layer kept;
    WADI_TRY(wadi_scene_keep_layer(scene, layer, &kept));
    SCENE_APPEND(scene, scene->layers, scene->layer_count, &kept);
    return WADI_OK;
}

wadi_result wadi_scene_set_strata(wadi_scene* scene, const wadi_scene_strata* strata)
{
    WADI_CHECK(scene->context, strata->count >= 1 && strata->count <= WADI_MAX_STRATA,
               WADI_ERROR_RANGE, "%d beds of rock; expected 1 to %d", strata->count,
               WADI_MAX_STRATA);
    wadi_scene_strata kept = *strata;
    if (strata->top.kind != NULL)
    {
        WADI_TRY(wadi_scene_keep_source(scene, &strata->top, WADI_FILLS_GROUND | WADI_FILLS_LAYER,
                                        &kept.top));
    }
    scene->strata = kept;
    return WADI_OK;
}

wadi_result wadi_scene_add_material(wadi_scene* scene, const wadi_scene_material* material)
{
    wadi_context* context = scene->context;
    const size_t length = strlen(material->material);
    WADI_CHECK(context, length > 0 && length < WADI_NAME_LENGTH, WADI_ERROR_ARGUMENT,
               "the name of a material must have 1 to %d bytes", WADI_NAME_LENGTH - 1);

    // the value is set in a scratch row, so that the field table checks it
    scene_material_row row;
    WADI_TRY(wadi_field_set(context, &wadi_scene_material_fields, material->field, material->value,
                            &row));
    wadi_scene_material kept = *material;
    kept.field = wadi_field_find(&wadi_scene_material_fields, material->field)->name;
    WADI_TRY(wadi_scene_keep_text(scene, material->material, &kept.material));
    SCENE_APPEND(scene, scene->materials, scene->material_count, &kept);
    return WADI_OK;
}

bool wadi_scene_runs(const wadi_scene* scene, const wadi_process* process)
{
    for (int32_t i = 0; i < scene->step_count; ++i)
    {
        if (scene->steps[i].kind == WADI_STEP_PROCESS && scene->steps[i].process.process == process)
        {
            return true;
        }
    }
    return false;
}

// Parameters that a process has after the steps so far. NULL: none of them runs it.
static const void* scene_params_of(const wadi_scene* scene, const wadi_process* process)
{
    for (int32_t i = scene->step_count - 1; i >= 0; --i)
    {
        const wadi_step* step = &scene->steps[i];
        if (step->kind == WADI_STEP_PROCESS && step->process.process == process &&
            !step->process.goes_on)
        {
            return step->process.params;
        }
    }
    return NULL;
}

static wadi_result scene_check_quantity(const wadi_scene* scene, const wadi_quantity* quantity)
{
    const wadi_process* process = quantity->process;
    if (process == NULL)
    {
        return WADI_OK;
    }
    const void* params = scene_params_of(scene, process);
    WADI_CHECK(scene->context, params != NULL, WADI_ERROR_STATE,
               "the map %s.%s does not exist yet: no earlier step runs %s", process->name,
               quantity->map, process->name);
    return wadi_process_check_made(scene->context, process, params, quantity->map);
}

static wadi_result scene_check_mask(const wadi_scene* scene, const wadi_mask* mask)
{
    for (int32_t i = 0; mask != NULL && i < mask->band_count; ++i)
    {
        WADI_TRY(scene_check_quantity(scene, &mask->bands[i].quantity));
    }
    return WADI_OK;
}

static wadi_result scene_check_output(const wadi_scene* scene, const wadi_output* output)
{
    if (output->kind == WADI_OUTPUT_WRITE)
    {
        WADI_TRY(scene_check_quantity(scene, &output->quantity));
    }
    if (output->has_overlay)
    {
        WADI_TRY(scene_check_quantity(scene, &output->overlay));
    }
    for (int32_t i = 0; i < output->splat_count; ++i)
    {
        WADI_TRY(scene_check_mask(scene, output->splat[i]));
    }
    return WADI_OK;
}

wadi_result wadi_scene_append(wadi_scene* scene, const wadi_step* step)
{
    wadi_step kept = {.kind = step->kind};
    if (step->origin != NULL)
    {
        WADI_TRY(wadi_scene_keep_text(scene, step->origin, &kept.origin));
    }
    if (step->kind == WADI_STEP_PROCESS)
    {
        WADI_CHECK(scene->context,
                   !step->process.goes_on || wadi_scene_runs(scene, step->process.process),
                   WADI_ERROR_STATE, "%s cannot continue: no earlier step runs it",
                   step->process.process->name);
        WADI_TRY(scene_check_mask(scene, step->process.goes_on ? NULL : step->process.mask));
        WADI_TRY(wadi_scene_keep_process(scene, &step->process, &kept.process));
    }
    else if (step->kind == WADI_STEP_EDIT)
    {
        WADI_TRY(scene_check_mask(scene, step->edit.mask));
        WADI_TRY(wadi_scene_keep_edit(scene, &step->edit, &kept.edit));
    }
    else
    {
        WADI_TRY(wadi_scene_keep_output(scene, &step->output, &kept.output));
        WADI_TRY(scene_check_output(scene, &kept.output));
    }
    WADI_TRY(wadi_scene_check_names(scene, &kept));
    SCENE_APPEND(scene, scene->steps, scene->step_count, &kept);
    return WADI_OK;
}

wadi_result wadi_scene_add_step(wadi_scene* scene, const wadi_step* step)
{
    return scene->timed != NULL && step->kind == WADI_STEP_PROCESS
               ? wadi_scene_add_parts(scene, step)
               : wadi_scene_append(scene, step);
}

wadi_context* wadi_scene_context(const wadi_scene* scene)
{
    return scene->context;
}

const char* wadi_scene_name(const wadi_scene* scene)
{
    return scene->name;
}

const char* wadi_scene_doc(const wadi_scene* scene)
{
    return scene->doc;
}

uint64_t wadi_scene_seed(const wadi_scene* scene)
{
    return scene->seed;
}

const wadi_scene_grid* wadi_scene_grid_of(const wadi_scene* scene)
{
    return &scene->grid;
}

int32_t wadi_scene_step_count(const wadi_scene* scene)
{
    return scene->step_count;
}

const wadi_step* wadi_scene_step(const wadi_scene* scene, int32_t index)
{
    return index >= 0 && index < scene->step_count ? &scene->steps[index] : NULL;
}

const char* wadi_step_name(const wadi_step* step)
{
    static const char* const outputs[WADI_OUTPUT_COUNT] = {
        [WADI_OUTPUT_WRITE] = "write",           [WADI_OUTPUT_RENDER] = "render",
        [WADI_OUTPUT_REPORT] = "report",         [WADI_OUTPUT_AMPLIFY] = "amplify",
        [WADI_OUTPUT_CHECKPOINT] = "checkpoint",
    };
    switch (step->kind)
    {
    case WADI_STEP_PROCESS:
        return step->process.process->name;
    case WADI_STEP_EDIT:
        return step->edit.kind->name;
    case WADI_STEP_OUTPUT:
        break;
    }
    return outputs[step->output.kind];
}
