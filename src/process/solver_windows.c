// SPDX-License-Identifier: MIT
// Which models run in windows of a grid, and why others do not.
#include "process/solver.h"

#include "core/partition.h"
#include "terrain/ground.h"

#include <wadi/window.h>

#include <string.h>

typedef struct windows_reason
{
    const char* process;
    const char* text;
} windows_reason;

static const windows_reason windows_reasons[] = {
    {"earth", "its grains and water particles are one world"},
};

const char* wadi_process_windows(const wadi_process* process, const wadi_model* model)
{
    if ((model->traits & (uint32_t)(WADI_MODEL_WINDOWS | WADI_MODEL_GATHERS)) != 0)
    {
        return NULL;
    }
    for (int32_t i = 0; i < WADI_COUNT(windows_reasons); ++i)
    {
        if (strcmp(windows_reasons[i].process, process->name) == 0)
        {
            return windows_reasons[i].text;
        }
    }
    return "it does not say that it can (WADI_MODEL_WINDOWS)";
}

wadi_result wadi_solver_check_windows(const wadi_solver* solver)
{
    wadi_context* context = wadi_terrain_context(solver->terrain);
    if (wadi_partition_of(context) == NULL)
    {
        return WADI_OK;
    }
    const char* reason = wadi_process_windows(solver->process, solver->model);
    WADI_CHECK(context, reason == NULL, WADI_ERROR_ARGUMENT,
               "%s, model %s, does not run in windows: %s; run it on the whole grid",
               solver->process->name, solver->model->name, reason);
    return WADI_OK;
}

// A part that is alone has no neighbours to hand matter on to. Some parameters are for the whole
// grid only.
bool wadi_solver_must_gather(const wadi_solver* solver, const void* params)
{
    const uint32_t traits = solver->model->traits;
    const wadi_model_api* api = solver->model->api;
    const wadi_partition* part = wadi_partition_of(wadi_terrain_context(solver->terrain));
    return part != NULL && (traits & (uint32_t)WADI_MODEL_GATHERS) != 0 &&
           ((traits & (uint32_t)WADI_MODEL_WINDOWS) == 0 || wadi_partition_is_alone(part) ||
            (api->windows != NULL && api->windows(params) != NULL));
}
