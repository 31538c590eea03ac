// SPDX-License-Identifier: MIT
// Which models run in windows of a grid, and why others do not.
#include "process/solver.h"

#include "core/partition.h"
#include "terrain/ground.h"

#include <wadi/window.h>

const char* wadi_process_windows(const wadi_process* process, const wadi_model* model)
{
    (void)process; // its models answer for it
    return (model->traits & (uint32_t)(WADI_MODEL_WINDOWS | WADI_MODEL_GATHERS)) != 0
               ? NULL
               : "it does not say that it can (WADI_MODEL_WINDOWS)";
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
