// SPDX-License-Identifier: MIT
// Executes the steps of a scene, one after the other, on its terrain.
#include "scene/scene_internal.h"

#include <string.h>

static wadi_result run_allocate(wadi_run* run)
{
    const int32_t processes = wadi_process_count(run->context);
    WADI_ALLOC(run->context, run->solvers, processes, "a run");
    WADI_ALLOC(run->context, run->instances, processes, "a run");
    return WADI_OK;
}

wadi_result wadi_run_open(const wadi_scene* scene, const wadi_host* host, wadi_run** out)
{
    *out = NULL;
    wadi_run* run;
    WADI_ALLOC(scene->context, run, 1, "a run");
    run->scene = scene;
    run->host = *host;
    run->context = scene->context;
    const wadi_result result = run_allocate(run);
    if (result != WADI_OK)
    {
        wadi_run_destroy(run);
        return result;
    }
    *out = run;
    return WADI_OK;
}

wadi_result wadi_run_create(const wadi_scene* scene, const wadi_host* host, wadi_run** out)
{
    *out = NULL;
    wadi_run* run;
    WADI_TRY(wadi_run_open(scene, host, &run));
    const wadi_result result = wadi_scene_build(run);
    if (result != WADI_OK)
    {
        wadi_run_destroy(run);
        return result;
    }
    *out = run;
    return WADI_OK;
}

void wadi_run_destroy(wadi_run* run)
{
    if (run == NULL)
    {
        return;
    }
    for (int32_t i = 0; run->solvers != NULL && i < wadi_process_count(run->context); ++i)
    {
        wadi_solver_destroy(run->solvers[i]);
    }
    wadi_terrain_destroy(run->terrain);
    wadi_free(run->context, run->solvers);
    wadi_free(run->context, run->instances);
    wadi_free(run->context, run);
}

uint32_t wadi_scene_place(const wadi_run* run)
{
    uint32_t steps = 0;
    for (int32_t i = 0; i < run->position; ++i)
    {
        const wadi_step* step = &run->scene->steps[i];
        const bool is_timed =
            step->kind == WADI_STEP_OUTPUT &&
            (step->output.kind == WADI_OUTPUT_CHECKPOINT || step->output.frame > 0);
        const bool is_part =
            step->kind == WADI_STEP_PROCESS && step->process.goes_on && step->process.whole > 0.0;
        steps += is_timed || is_part ? 0 : 1;
    }
    return SCENE_PLACE_STEP + 16 * steps;
}

static int32_t run_process_index(const wadi_run* run, const wadi_process* process)
{
    int32_t index = 0;
    while (index < wadi_process_count(run->context) &&
           wadi_process_at(run->context, index) != process)
    {
        ++index;
    }
    return index;
}

wadi_result wadi_run_source(wadi_run* run, const wadi_source* source, float* out)
{
    return wadi_scene_values(run, source, wadi_scene_place(run), out);
}

static wadi_result run_give_inputs(wadi_run* run, const wadi_scene_process* step,
                                   wadi_solver* solver)
{
    const int64_t cells =
        (int64_t)wadi_terrain_width(run->terrain) * wadi_terrain_height(run->terrain);
    float* values;
    WADI_ALLOC(run->context, values, cells, "an input map");
    wadi_result result = WADI_OK;
    for (int32_t i = 0; i < step->input_count && result == WADI_OK; ++i)
    {
        const uint32_t place = wadi_scene_place(run) + (uint32_t)i;
        result = wadi_scene_values(run, &step->inputs[i].source, place, values);
        if (result == WADI_OK)
        {
            result = wadi_solver_set_map(solver, step->inputs[i].map, values);
        }
    }
    wadi_free(run->context, values);
    return result;
}

const wadi_table_info* wadi_scene_table_info(const wadi_process* process, const char* name)
{
    int32_t i = 0;
    while (strcmp(process->tables[i].name, name) != 0)
    {
        ++i; // exists: checked by wadi_scene_add_step()
    }
    return &process->tables[i];
}

wadi_result wadi_scene_read_table(wadi_run* run, const wadi_scene_table* table,
                                  const wadi_table_info* info, double** out, int32_t* rows)
{
    WADI_CHECK(run->context, run->host.table != NULL, WADI_ERROR_STATE,
               "'%s' cannot be read: this program does not read tables", table->file);
    WADI_TRY(run->host.table(run->host.user, table->file, info, NULL, 0, rows));
    WADI_ALLOC(run->context, *out, (int64_t)(*rows > 0 ? *rows : 1) * info->column_count,
               "a table");
    const wadi_result result =
        run->host.table(run->host.user, table->file, info, *out, *rows, rows);
    if (result != WADI_OK)
    {
        wadi_free(run->context, *out);
    }
    return result;
}

wadi_result wadi_scene_give_table(wadi_run* run, const wadi_scene_process* step,
                                  const wadi_scene_table* table, wadi_solver* solver)
{
    int32_t rows = 0;
    double* values;
    if (table->file == NULL)
    {
        return wadi_solver_set_table(solver, table->table, table->values, table->rows);
    }
    WADI_TRY(wadi_scene_read_table(run, table, wadi_scene_table_info(step->process, table->table),
                                   &values, &rows));
    const wadi_result result = wadi_solver_set_table(solver, table->table, values, rows);
    wadi_free(run->context, values);
    return result;
}

// Start a new solver. The matter held by an earlier solver of the process is deposited first.
static wadi_result run_start_process(wadi_run* run, const wadi_scene_process* step, int32_t index)
{
    if (run->solvers[index] != NULL)
    {
        WADI_TRY(wadi_solver_finish(run->solvers[index]));
        WADI_TRY(wadi_solver_settle(run->solvers[index]));
    }
    wadi_solver_destroy(run->solvers[index]);
    run->solvers[index] = NULL;
    WADI_TRY(wadi_solver_create(run->terrain, step->process, step->params, run->instances[index],
                                &run->solvers[index]));
    const wadi_result result = wadi_scene_give_bodies(run, step, run->solvers[index]);
    if (result != WADI_OK)
    {
        // the step may be tried again, with the same random numbers
        wadi_solver_destroy(run->solvers[index]);
        run->solvers[index] = NULL;
        return result;
    }
    run->instances[index] += 1;
    return WADI_OK;
}

// Change the parameters of the living solver. False if a new one is needed: the model is another,
// the step has bodies of its own, or the state does not fit the new parameters.
static wadi_result run_change_process(wadi_run* run, const wadi_scene_process* step, int32_t index,
                                      bool* changed)
{
    wadi_solver* solver = run->solvers[index];
    *changed = solver != NULL && step->body_count == 0 && step->water == NULL &&
               wadi_process_model(step->process, step->params) == wadi_solver_model(solver);
    if (!*changed)
    {
        return WADI_OK;
    }
    const wadi_result result = wadi_solver_change(solver, step->params);
    *changed = result == WADI_OK;
    return result == WADI_ERROR_FORMAT ? WADI_OK : result;
}

// Set up the solver of a process for a step that does not just go on. A change of parameters is an
// event: the time that waits is run before it.
static wadi_result run_set_process(wadi_run* run, const wadi_scene_process* step, int32_t index)
{
    bool changed;
    if (run->solvers[index] != NULL)
    {
        WADI_TRY(wadi_solver_finish(run->solvers[index]));
    }
    WADI_TRY(run_change_process(run, step, index, &changed));
    if (!changed)
    {
        WADI_TRY(run_start_process(run, step, index));
    }
    if (step->input_count > 0)
    {
        WADI_TRY(run_give_inputs(run, step, run->solvers[index]));
    }
    for (int32_t i = 0; i < step->table_count; ++i)
    {
        WADI_TRY(wadi_scene_give_table(run, step, &step->tables[i], run->solvers[index]));
    }
    WADI_TRY(wadi_scene_give_mask(run, step, run->solvers[index]));
    if (step->interval > 0.0)
    {
        return wadi_solver_couple(run->solvers[index], step->interval);
    }
    return wadi_solver_fit(run->solvers[index], step->whole > 0.0 ? step->whole : step->years);
}

// The next step of a process, NULL if there is none.
static const wadi_scene_process* run_next_of(const wadi_run* run, const wadi_process* process)
{
    for (int32_t i = run->position + 1; i < run->scene->step_count; ++i)
    {
        const wadi_step* step = &run->scene->steps[i];
        if (step->kind == WADI_STEP_PROCESS && step->process.process == process)
        {
            return &step->process;
        }
    }
    return NULL;
}

// True if a process is over before its next step. In a timeline it lives on: what an event changes
// later has no part in what comes before, so that a run can go on with events unknown to it yet.
static bool run_is_over(const wadi_scene_process* next)
{
    return next == NULL || (!next->goes_on && next->interval == 0.0);
}

// Give the years of the step to its solver, or run those that wait since the run was stopped.
static wadi_result run_advance(wadi_run* run, const wadi_scene_process* step, wadi_solver* solver)
{
    const bool waits = run->given;
    run->given = true;
    if (step->goal != NULL)
    {
        run->course = waits ? run->course : (wadi_goal_course){0};
        return wadi_solver_pursue(solver, step->goal, step->years, &run->course);
    }
    return waits ? wadi_solver_catch_up(solver) : wadi_scene_advance(run, step, solver);
}

static wadi_result run_show(void* user, double seconds)
{
    wadi_run* run = user;
    return run->host.watch(run->host.user, run->watched, seconds);
}

// Advance the solver of a step and, if the step is the last, let it finish and settle.
static wadi_result run_work(wadi_run* run, const wadi_scene_process* step, wadi_solver* solver)
{
    WADI_TRY(run_advance(run, step, solver));
    // the last step, also of a track, lays down what is still on its way
    const wadi_scene_process* next = run_next_of(run, step->process);
    if (step->ends || run_is_over(next))
    {
        WADI_TRY(wadi_solver_finish(solver));
    }
    if (step->ends || next == NULL)
    {
        WADI_TRY(wadi_solver_settle(solver));
    }
    return WADI_OK;
}

static wadi_result run_process(wadi_run* run, const wadi_scene_process* step)
{
    const int32_t index = run_process_index(run, step->process);
    if (!step->goes_on && !run->given)
    {
        WADI_TRY(step->mature > 0.0 ? wadi_scene_mature(run, step) : WADI_OK);
        WADI_TRY(run_set_process(run, step, index));
    }
    run->watched = run->solvers[index];
    if (run->host.watch != NULL && step->series_count == 0)
    {
        wadi_solver_watch(run->watched, run_show, run);
    }
    WADI_TRY(run_work(run, step, run->watched));
    run->given = false;
    const double years = step->goal != NULL ? run->course.years : step->years;
    return step->overlaps || years == 0.0 ? WADI_OK
                                          : wadi_terrain_advance_clock(run->terrain, years);
}

static bool run_has(wadi_run* run, const wadi_quantity* quantity)
{
    return quantity->process == NULL || wadi_run_solver(run, quantity->process) != NULL;
}

bool wadi_run_can_show(wadi_run* run, const wadi_output* output)
{
    bool can = run_has(run, &output->quantity) && run_has(run, &output->overlay);
    for (int32_t i = 0; i < output->splat_count; ++i)
    {
        for (int32_t k = 0; k < output->splat[i]->band_count; ++k)
        {
            can = can && run_has(run, &output->splat[i]->bands[k].quantity);
        }
    }
    return can;
}

static bool run_is_skipped(wadi_run* run, const wadi_step* step)
{
    if (!run->cancelled)
    {
        return false;
    }
    const wadi_output* output = &step->output;
    return step->kind != WADI_STEP_OUTPUT || output->kind == WADI_OUTPUT_CHECKPOINT ||
           output->frame > 0 || !wadi_run_can_show(run, output);
}

// An edit is an event: the time that waits is run before it. A process whose step is over, in a
// list of steps, deposits what it carries, so that the edit finds all matter on the ground.
static wadi_result run_edit(wadi_run* run, const wadi_edit* edit)
{
    for (int32_t i = 0; i < wadi_process_count(run->context); ++i)
    {
        if (run->solvers[i] == NULL)
        {
            continue;
        }
        const wadi_scene_process* next = run_next_of(run, wadi_process_at(run->context, i));
        WADI_TRY(wadi_solver_finish(run->solvers[i]));
        if (run_is_over(next))
        {
            WADI_TRY(wadi_solver_settle(run->solvers[i]));
        }
    }
    return wadi_scene_apply_edit(run, edit, wadi_scene_place(run));
}

static wadi_result run_step(wadi_run* run, const wadi_step* step)
{
    if (step->kind == WADI_STEP_PROCESS)
    {
        return run_process(run, &step->process);
    }
    if (step->kind == WADI_STEP_EDIT)
    {
        return run_edit(run, &step->edit);
    }
    WADI_CHECK(run->context, run->host.output != NULL, WADI_ERROR_STATE,
               "'%s' cannot be written: this program writes no files", step->output.file);
    run->shows = true;
    const wadi_result result = run->host.output(run->host.user, run, &step->output);
    run->shows = false;
    return result;
}

wadi_result wadi_run_trial(wadi_run* run, wadi_solver** out)
{
    *out = NULL;
    WADI_CHECK(run->context,
               !wadi_run_is_done(run) && run->scene->steps[run->position].kind == WADI_STEP_PROCESS,
               WADI_ERROR_STATE, "the next step of the scene is no process");
    const wadi_scene_process* step = &run->scene->steps[run->position].process;
    WADI_TRY(wadi_solver_create(run->terrain, step->process, step->params, 0, out));
    wadi_result result = run_give_inputs(run, step, *out);
    for (int32_t i = 0; i < step->table_count && result == WADI_OK; ++i)
    {
        result = wadi_scene_give_table(run, step, &step->tables[i], *out);
    }
    if (result != WADI_OK)
    {
        wadi_solver_destroy(*out);
        *out = NULL;
    }
    return result;
}

wadi_result wadi_run_skip(wadi_run* run)
{
    WADI_CHECK(run->context, !wadi_run_is_done(run), WADI_ERROR_STATE,
               "all steps of the scene have been executed");
    const wadi_step* step = &run->scene->steps[run->position];
    const wadi_result result = step->kind == WADI_STEP_EDIT
                                   ? wadi_scene_apply_edit(run, &step->edit, wadi_scene_place(run))
                                   : WADI_OK;
    run->position += 1;
    return result;
}

void wadi_run_cancel(wadi_run* run)
{
    run->stopped = run->cancelled ? run->stopped : run->position;
    run->cancelled = true;
}

void wadi_run_resume(wadi_run* run)
{
    run->position = run->cancelled ? run->stopped : run->position;
    run->cancelled = false;
}

wadi_result wadi_run_next(wadi_run* run)
{
    const wadi_step* step = wadi_scene_step(run->scene, run->position);
    WADI_CHECK(run->context, step != NULL, WADI_ERROR_STATE, "the run has no step left");
    const wadi_result result = run_is_skipped(run, step) ? WADI_OK : run_step(run, step);
    if (result == WADI_ERROR_CANCELLED)
    {
        wadi_run_cancel(run);
    }
    if (result == WADI_OK || result == WADI_ERROR_CANCELLED)
    {
        run->position += 1;
        return result;
    }
    if (step->origin == NULL)
    {
        return result;
    }
    return wadi_fail(run->context, result, "%s: %s: %s", step->origin, wadi_step_name(step),
                     wadi_error_detail(run->context));
}

void wadi_run_follow(wadi_run* run, const wadi_scene* scene)
{
    run->scene = scene;
}

bool wadi_run_is_within(const wadi_run* run)
{
    const wadi_step* before = wadi_scene_step(run->scene, run->position - 1);
    return run->given || run->cancelled ||
           (before != NULL && before->kind == WADI_STEP_PROCESS && before->process.overlaps);
}

bool wadi_run_is_done(const wadi_run* run)
{
    return run->position >= run->scene->step_count;
}

int32_t wadi_run_position(const wadi_run* run)
{
    return run->position;
}

const wadi_scene* wadi_run_scene(const wadi_run* run)
{
    return run->scene;
}

wadi_terrain* wadi_run_terrain(wadi_run* run)
{
    return run->terrain;
}

uint64_t wadi_run_hash(const wadi_run* run)
{
    uint64_t hash = wadi_terrain_hash(run->terrain);
    for (int32_t i = 0; i < wadi_process_count(run->context); ++i)
    {
        hash += run->solvers[i] != NULL ? wadi_solver_hash(run->solvers[i]) : 0;
    }
    return hash;
}

wadi_solver* wadi_run_solver(wadi_run* run, const wadi_process* process)
{
    const int32_t index = run_process_index(run, process);
    return index < wadi_process_count(run->context) ? run->solvers[index] : NULL;
}

wadi_goal_course wadi_run_course(const wadi_run* run)
{
    return run->course;
}

// ---- windows on finer cells --------------------------------------------------------------------

const wadi_table_info* wadi_scene_winds_info(const char* name)
{
    int32_t i = 0;
    while (strcmp(wadi_amplify_table(i)->name, name) != 0)
    {
        ++i; // exists: checked by wadi_scene_add_step()
    }
    return wadi_amplify_table(i);
}

wadi_result wadi_run_window(wadi_run* run, const wadi_output* output, wadi_amplify_params* out)
{
    *out = *output->window;
    if (output->winds.file == NULL)
    {
        return WADI_OK;
    }
    int32_t rows = 0;
    double* values;
    WADI_TRY(wadi_scene_read_table(run, &output->winds, wadi_scene_winds_info(output->winds.table),
                                   &values, &rows));
    const wadi_result result = wadi_amplify_set_winds(run->context, output->winds.table, values,
                                                      rows, wadi_terrain_clock(run->terrain), out);
    wadi_free(run->context, values);
    return result;
}
