// SPDX-License-Identifier: MIT
// Which scenes run in windows of a grid.
#include "scene/scene_internal.h"

#include <wadi/derive.h>
#include <wadi/model.h>
#include <wadi/window.h>

// Sources that are made cell by cell, from the cell's place in the whole grid.
static bool windows_fills(const wadi_source* source)
{
    static const char* const names[] = {"noise", "flat", "ramp", "constant", "bands", "import"};
    bool found = source->kind == NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !found; ++i)
    {
        found = strcmp(names[i], source->kind->name) == 0;
    }
    return found;
}

static wadi_result windows_check_source(const wadi_scene* scene, const wadi_source* source)
{
    const char* origin = source->origin != NULL ? source->origin : "the scene";
    WADI_CHECK(scene->context, windows_fills(source), WADI_ERROR_ARGUMENT,
               "%s: '%s' is made on the whole grid, not in windows; use noise, ramp, bands, a "
               "constant or a file",
               origin, source->kind->name);
    return WADI_OK;
}

static wadi_result windows_check_ground(const wadi_scene* scene)
{
    for (int32_t i = 0; i < scene->ground_count; ++i)
    {
        const char* origin = scene->grounds[i].source.origin;
        WADI_TRY(windows_check_source(scene, &scene->grounds[i].source));
        WADI_CHECK(scene->context, scene->grounds[i].mask == NULL, WADI_ERROR_ARGUMENT,
                   "%s: the mask '%s' of a ground is read on the whole grid, not in windows; write "
                   "the ground without windows, and import that file",
                   origin != NULL ? origin : scene->name, scene->grounds[i].mask);
    }
    for (int32_t i = 0; i < scene->layer_count; ++i)
    {
        WADI_TRY(windows_check_source(scene, &scene->layers[i].source));
    }
    return windows_check_source(scene, &scene->strata.top);
}

static const char* windows_model_reason(const wadi_scene_process* step)
{
    if (step->params == NULL)
    {
        return NULL; // it goes on with those of an earlier step
    }
    const wadi_model* model = wadi_process_model(step->process, step->params);
    const char* reason = wadi_process_windows(step->process, model);
    const bool gathers = (model->traits & (uint32_t)WADI_MODEL_GATHERS) != 0;
    const bool asks = reason == NULL && !gathers && model->api->windows != NULL;
    return asks ? model->api->windows(step->params) : reason;
}

// Why a process of a step does not run in windows; NULL if it does.
static const char* windows_reason(const wadi_scene_process* step)
{
    return step->mature > 0.0 ? "it matures on coarser cells of the whole grid"
                              : windows_model_reason(step);
}

// Ranges of layers and maps are weighed cell by cell, wherever the maps are made.
static wadi_result windows_check_mask(const wadi_scene* scene, const wadi_mask* mask)
{
    return mask == NULL ? WADI_OK : windows_check_source(scene, &mask->source);
}

static wadi_result windows_check_edit(const wadi_scene* scene, const wadi_edit* edit)
{
    WADI_TRY(windows_check_mask(scene, edit->mask));
    return edit->kind->verb == WADI_EDIT_SET ? windows_check_source(scene, &edit->assigned.source)
                                             : WADI_OK;
}

static wadi_result windows_check_step(const wadi_scene* scene, const wadi_step* step, int32_t index)
{
    const char* origin = step->origin != NULL ? step->origin : scene->name;
    if (step->kind == WADI_STEP_OUTPUT)
    {
        return WADI_OK; // the program says what it can write
    }
    if (step->kind == WADI_STEP_EDIT)
    {
        return windows_check_edit(scene, &step->edit);
    }
    WADI_TRY(windows_check_mask(scene, step->process.mask));
    if (step->process.goes_on)
    {
        return WADI_OK; // an earlier step has begun it, and was checked
    }
    const char* reason = windows_reason(&step->process);
    WADI_CHECK(scene->context, reason == NULL, WADI_ERROR_ARGUMENT,
               "%s: step %d, %s, does not run in windows: %s; run the scene on the whole grid",
               origin, index + 1, step->process.process->name, reason);
    for (int32_t i = 0; i < step->process.input_count; ++i)
    {
        WADI_TRY(windows_check_source(scene, &step->process.inputs[i].source));
    }
    return WADI_OK;
}

wadi_result wadi_scene_check_windows(const wadi_scene* scene)
{
    WADI_TRY(windows_check_ground(scene));
    for (int32_t i = 0; i < scene->step_count; ++i)
    {
        WADI_TRY(windows_check_step(scene, &scene->steps[i], i));
    }
    return WADI_OK;
}

// ---- a part of the grid alone ------------------------------------------------------------------

// Processes that are one event of the whole grid, in places that a part does not know.
static bool windows_is_whole(const wadi_process* process)
{
    static const char* const names[] = {"riverbed", "regulate", "landslide", "earth", "flood"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
    {
        found = found || strcmp(names[i], process->name) == 0;
    }
    return found;
}

// Rivers of the whole grid reach a part from beyond it.
static wadi_result windows_check_alone_mask(const wadi_scene* scene, const wadi_step* step,
                                            int32_t index)
{
    const wadi_mask* mask = step->kind == WADI_STEP_PROCESS ? step->process.mask
                            : step->kind == WADI_STEP_EDIT  ? step->edit.mask
                                                            : NULL;
    for (int32_t i = 0; mask != NULL && i < mask->band_count; ++i)
    {
        const wadi_quantity* quantity = &mask->bands[i].quantity;
        WADI_CHECK(scene->context,
                   !quantity->is_derived || wadi_derived_is_local(quantity->derived),
                   WADI_ERROR_ARGUMENT,
                   "%s: step %d, %s, does not run on a part of the grid: its mask of %s follows "
                   "from the drainage of the whole grid; run it in windows or on the whole grid",
                   step->origin != NULL ? step->origin : scene->name, index + 1,
                   wadi_step_name(step), wadi_derived_name(quantity->derived));
    }
    return WADI_OK;
}

static wadi_result windows_check_alone(const wadi_scene* scene, const wadi_step* step,
                                       int32_t index)
{
    const char* origin = step->origin != NULL ? step->origin : scene->name;
    WADI_TRY(windows_check_alone_mask(scene, step, index));
    if (step->kind != WADI_STEP_PROCESS)
    {
        return WADI_OK;
    }
    const wadi_scene_process* process = &step->process;
    const char* reason = process->goal != NULL ? "its goal is measured on the whole grid"
                         : windows_is_whole(process->process) ? "it is one event of the whole grid"
                                                              : NULL;
    WADI_CHECK(scene->context, reason == NULL, WADI_ERROR_ARGUMENT,
               "%s: step %d, %s, does not run on a part of the grid: %s; run it in windows or on "
               "the whole grid",
               origin, index + 1, process->process->name, reason);
    return WADI_OK;
}

wadi_result wadi_scene_check_alone(const wadi_scene* scene)
{
    WADI_TRY(wadi_scene_check_windows(scene));
    for (int32_t i = 0; i < scene->step_count; ++i)
    {
        WADI_TRY(windows_check_alone(scene, &scene->steps[i], i));
    }
    return WADI_OK;
}
