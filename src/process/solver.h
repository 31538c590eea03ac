// SPDX-License-Identifier: MIT
// Declarations shared by the files of src/process.
#pragma once

#include "core/clock.h"
#include "terrain/ground.h"

#include <wadi/model.h>

// Rows of an input table.
typedef struct solver_table
{
    double* values; // NULL until it is set
    int32_t rows;
} solver_table;

typedef struct solver_mask solver_mask;
typedef struct solver_level solver_level;

struct wadi_solver
{
    wadi_terrain* terrain;
    const wadi_process* process;
    const wadi_model* model;
    uint32_t instance;
    void* state;
    void* params;         // those of the living model
    float** maps;         // input maps as they were set, by index; NULL until then
    solver_table* tables; // the same for tables
    solver_mask* mask;    // NULL: the process may change all cells
    solver_level* level;  // NULL: no water has stood on ground that the model moves
    bool gathers;         // in a window: the model runs on the whole grid (solver_gather.c)

    wadi_clock origin; // steps are counted from here: creation, or the last event
    wadi_clock given;  // time up to which the caller wants the process to run
    double step;       // [yr]; 0: none
    int64_t steps;     // since the origin
    int64_t index;     // all steps so far
};

// Key of the random numbers of a process and an instance.
uint32_t wadi_solver_stream(const char* name, uint32_t instance);
// Create a model's state from checked parameters.
wadi_result wadi_solver_make_state(wadi_solver* solver, const void* params, void** state);
// Matter that the solver holds, by material.
void wadi_solver_all_held(const wadi_solver* solver, int64_t held[WADI_MAX_MATERIALS]);
// Start the solver's time at the clock of its terrain.
void wadi_solver_begin(wadi_solver* solver);
// Count the steps of a new state from now on.
void wadi_solver_begin_steps(wadi_solver* solver);
// Step of the model itself [yr], which wadi_solver_fit() may have shortened; 0: none.
double wadi_solver_own_step(const wadi_solver* solver);
// A place where the run can be saved, as it is where one was stopped: wadi_context_set_between().
wadi_result wadi_solver_pause(const wadi_solver* solver);
// Free a solver and book nothing: it has not taken part in the world.
void wadi_solver_discard(wadi_solver* solver);
// Keep copies, from which a state that replaces this one is set up.
wadi_result wadi_solver_keep_map(wadi_solver* solver, int32_t index, const float* values);
wadi_result wadi_solver_keep_table(wadi_solver* solver, int32_t index, const double* values,
                                   int32_t rows);

// ---- solver_gather.c ----------------------------------------------------------------------------

// A state of a model that runs on the whole grid in the first of all windows. All windows make the
// same calls.
wadi_result wadi_solver_gather(const wadi_solver* solver, const void* params, uint32_t stream,
                               void** out);
extern const wadi_model_api wadi_gathered_api;

// After the model has worked. In windows a gathered step has told the terrain itself, so that the
// next one sees whether anybody has changed the ground since; a mask or a level has changed it.
static inline void wadi_solver_note_change(const wadi_solver* solver)
{
    if (!solver->gathers || solver->mask != NULL || solver->level != NULL)
    {
        wadi_terrain_changed(solver->terrain);
    }
}

// The functions for the states of a solver.
static inline const wadi_model_api* wadi_solver_api(const wadi_solver* solver)
{
    return solver->gathers ? &wadi_gathered_api : solver->model->api;
}

// ---- solver_mask.c ------------------------------------------------------------------------------

// Remember the layers before the model changes them, and blend them with what it made of them.
// Both do nothing without a mask.
void wadi_solver_mask_begin(wadi_solver* solver);
void wadi_solver_mask_end(wadi_solver* solver);
void wadi_solver_free_mask(wadi_solver* solver);
wadi_result wadi_solver_archive_mask(wadi_archive* archive, wadi_solver* solver);

// ---- solver_level.c -----------------------------------------------------------------------------

// Remember the ground before a model with the trait WADI_MODEL_UNDER_WATER moves it, and then keep
// the level of the water on it. Both do nothing on ground without water.
wadi_result wadi_solver_level_begin(wadi_solver* solver);
void wadi_solver_level_end(wadi_solver* solver);
void wadi_solver_free_level(wadi_solver* solver);

// Fail if the solver is in a window of a grid, and its model or mask cannot be.
wadi_result wadi_solver_check_windows(const wadi_solver* solver);
// Is it in a window, and does its model run on the whole grid only?
bool wadi_solver_must_gather(const wadi_solver* solver, const void* params);

// Fail with "model M reads no N; models A and B do". `verb` is "reads", "makes" or "takes".
wadi_result wadi_process_refuse(wadi_context* context, const wadi_process* process,
                                const wadi_model* model, const char* verb, const char* name,
                                uint32_t models);

// Fail if the model of these parameters does not make an output map of the process. Maps that the
// process takes, or has not, pass.
wadi_result wadi_process_check_made(wadi_context* context, const wadi_process* process,
                                    const void* params, const char* map);
