// SPDX-License-Identifier: MIT
// A solver as an archive: saved, restored, hashed, and carried over to other parameters.
#include "process/solver.h"

#include "core/archive.h"
#include "terrain/ground.h"

#include <string.h>

// ---- inputs ------------------------------------------------------------------------------------

wadi_result wadi_solver_keep_map(wadi_solver* solver, int32_t index, const float* values)
{
    const int64_t cells = wadi_terrain_ground_const(solver->terrain)->cells;
    if (solver->maps[index] == NULL)
    {
        WADI_ALLOC(wadi_terrain_context(solver->terrain), solver->maps[index], cells,
                   "an input map");
    }
    memcpy(solver->maps[index], values, (size_t)cells * sizeof *values);
    return WADI_OK;
}

wadi_result wadi_solver_keep_table(wadi_solver* solver, int32_t index, const double* values,
                                   int32_t rows)
{
    wadi_context* context = wadi_terrain_context(solver->terrain);
    const int64_t count = (int64_t)rows * solver->process->tables[index].column_count;
    double* copy;
    WADI_ALLOC(context, copy, count + 1, "a table");
    memcpy(copy, values, (size_t)count * sizeof *copy);
    wadi_free(context, solver->tables[index].values);
    solver->tables[index] = (solver_table){copy, rows};
    return WADI_OK;
}

// Set up a new state with the input maps and tables of this solver.
static wadi_result inputs_give(const wadi_solver* solver, void* state)
{
    const wadi_model_api* api = wadi_solver_api(solver);
    for (int32_t i = 0; i < solver->process->map_count; ++i)
    {
        if (solver->maps[i] != NULL)
        {
            const wadi_map_info* map = &solver->process->maps[i];
            const bool takes = map->input && api->set_map != NULL &&
                               wadi_model_is_in(solver->process, solver->model, map->models);
            WADI_CHECK(wadi_terrain_context(solver->terrain), takes, WADI_ERROR_FORMAT,
                       "the saved state has a map '%s', which model '%s' does not take", map->name,
                       solver->model->name);
            WADI_TRY(api->set_map(state, i, solver->maps[i]));
        }
    }
    for (int32_t i = 0; i < solver->process->table_count; ++i)
    {
        if (solver->tables[i].values != NULL)
        {
            const wadi_table_info* table = &solver->process->tables[i];
            wadi_context* context = wadi_terrain_context(solver->terrain);
            WADI_CHECK(context, api->set_table != NULL, WADI_ERROR_FORMAT,
                       "the saved state has a table '%s', which model '%s' does not take",
                       table->name, solver->model->name);
            WADI_TRY(
                wadi_table_check(context, table, solver->tables[i].values, solver->tables[i].rows));
            WADI_TRY(api->set_table(state, i, solver->tables[i].values, solver->tables[i].rows));
        }
    }
    return WADI_OK;
}

static wadi_result inputs_archive_maps(wadi_archive* archive, wadi_solver* solver)
{
    const wadi_ground* ground = wadi_terrain_ground_const(solver->terrain);
    for (int32_t i = 0; i < solver->process->map_count; ++i)
    {
        bool is_set = solver->maps[i] != NULL;
        wadi_archive_bool(archive, &is_set);
        if (!is_set)
        {
            continue;
        }
        if (wadi_archive_is_reading(archive))
        {
            WADI_ALLOC(wadi_archive_context(archive), solver->maps[i], ground->cells,
                       "an input map");
        }
        wadi_archive_grid(archive, solver->maps[i], 4, ground->width, ground->height);
    }
    return wadi_archive_result(archive);
}

static wadi_result inputs_archive_tables(wadi_archive* archive, wadi_solver* solver)
{
    for (int32_t i = 0; i < solver->process->table_count; ++i)
    {
        solver_table* table = &solver->tables[i];
        const int32_t columns = solver->process->tables[i].column_count;
        int64_t rows = table->values != NULL ? table->rows + 1 : 0;
        WADI_TRY(wadi_archive_count(archive, &rows, 1 << 24, "rows of a table"));
        if (rows == 0)
        {
            continue;
        }
        if (wadi_archive_is_reading(archive))
        {
            WADI_ALLOC(wadi_archive_context(archive), table->values, rows * columns, "a table");
            table->rows = (int32_t)rows - 1;
        }
        wadi_archive_f64(archive, table->values, (rows - 1) * columns);
    }
    return wadi_archive_result(archive);
}

// ---- the whole solver --------------------------------------------------------------------------

// Process, model and grid must be the same; parameters follow as numbers in the order of the table.
static wadi_result archive_params(wadi_archive* archive, wadi_solver* solver)
{
    const wadi_field_table* fields = solver->process->fields;
    const wadi_ground* ground = wadi_terrain_ground_const(solver->terrain);
    WADI_TRY(wadi_archive_part(archive, solver->process->name, 1));
    WADI_TRY(wadi_archive_same(archive, wadi_ground_whole_width(ground), "the width of the grid"));
    WADI_TRY(
        wadi_archive_same(archive, wadi_ground_whole_height(ground), "the height of the grid"));
    return wadi_archive_fields(archive, fields, solver->params);
}

static void archive_time(wadi_archive* archive, wadi_solver* solver)
{
    wadi_archive_i64(archive, &solver->origin.ms, 1);
    wadi_archive_i64(archive, &solver->given.ms, 1);
    wadi_archive_f64(archive, &solver->step, 1);
    wadi_archive_i64(archive, &solver->steps, 1);
    wadi_archive_i64(archive, &solver->index, 1);
}

static wadi_result archive_state(wadi_archive* archive, const wadi_solver* solver, void* state)
{
    const wadi_model_api* api = wadi_solver_api(solver);
    WADI_TRY(wadi_archive_part(archive, solver->model->name, 1));
    return api->archive != NULL ? api->archive(state, archive) : wadi_archive_result(archive);
}

uint64_t wadi_solver_hash(const wadi_solver* solver)
{
    wadi_archive archive;
    wadi_solver* from = wadi_archive_const(solver);
    wadi_archive_open_hash(&archive, wadi_terrain_context(solver->terrain));
    wadi_archive_u32(&archive, &from->instance, 1);
    (void)archive_params(&archive, from);
    archive_time(&archive, from);
    (void)inputs_archive_maps(&archive, from);
    (void)inputs_archive_tables(&archive, from);
    (void)(solver->mask != NULL ? wadi_solver_archive_mask(&archive, from) : WADI_OK);
    (void)archive_state(&archive, solver, solver->state);
    return archive.hash;
}

static wadi_result save_all(wadi_archive* archive, wadi_solver* solver)
{
    int64_t length = (int64_t)strlen(solver->process->name);
    WADI_TRY(wadi_archive_count(archive, &length, WADI_NAME_LENGTH - 1, "letters of a process"));
    char name[WADI_NAME_LENGTH];
    memcpy(name, solver->process->name, (size_t)length);
    wadi_archive_bytes(archive, name, length);
    wadi_archive_u32(archive, &solver->instance, 1);
    WADI_TRY(archive_params(archive, solver));
    archive_time(archive, solver);
    wadi_archive_f64(archive, &solver->origin.rest, 1);
    wadi_archive_f64(archive, &solver->given.rest, 1);
    WADI_TRY(inputs_archive_maps(archive, solver));
    WADI_TRY(inputs_archive_tables(archive, solver));
    WADI_TRY(wadi_solver_archive_mask(archive, solver));
    return archive_state(archive, solver, solver->state);
}

wadi_result wadi_solver_save(const wadi_solver* solver, wadi_write_fn* write, void* user)
{
    wadi_archive* archive = wadi_archive_to(wadi_terrain_context(solver->terrain), write, user);
    if (archive == NULL)
    {
        return WADI_ERROR_MEMORY;
    }
    return wadi_archive_end(archive, save_all(archive, wadi_archive_const(solver)));
}

static wadi_result load_process(wadi_archive* archive, const wadi_process** process)
{
    wadi_context* context = wadi_archive_context(archive);
    char name[WADI_NAME_LENGTH] = {0};
    int64_t length = 0;
    WADI_TRY(wadi_archive_count(archive, &length, WADI_NAME_LENGTH - 1, "letters of a process"));
    wadi_archive_bytes(archive, name, length);
    WADI_TRY(wadi_archive_result(archive));
    *process = wadi_process_find(context, name);
    WADI_CHECK(context, *process != NULL, WADI_ERROR_UNKNOWN,
               "the saved state has a solver of '%s', which is no process; register it first",
               name);
    return WADI_OK;
}

// A solver with parameters and inputs, and no state yet.
static wadi_result load_shell(wadi_archive* archive, wadi_solver* solver)
{
    const wadi_process* process = solver->process;
    wadi_context* context = wadi_archive_context(archive);
    WADI_ALLOC(context, solver->maps, process->map_count + 1, "a solver");
    WADI_ALLOC(context, solver->tables, process->table_count + 1, "a solver");
    solver->params = wadi_alloc(context, 1, process->fields->params_size);
    if (solver->params == NULL)
    {
        return wadi_fail_memory(context, process->fields->params_size, "parameters");
    }
    wadi_fields_init(process->fields, solver->params);
    wadi_archive_u32(archive, &solver->instance, 1);
    WADI_TRY(archive_params(archive, solver));
    WADI_TRY(wadi_fields_check(context, process->fields, solver->params));
    solver->model = wadi_process_model(process, solver->params);
    archive_time(archive, solver);
    wadi_archive_f64(archive, &solver->origin.rest, 1);
    wadi_archive_f64(archive, &solver->given.rest, 1);
    WADI_CHECK(context, solver->step >= 0.0 && solver->steps >= 0 && solver->index >= 0,
               WADI_ERROR_FORMAT, "the saved time of %s is out of range", process->name);
    WADI_TRY(inputs_archive_maps(archive, solver));
    WADI_TRY(inputs_archive_tables(archive, solver));
    return wadi_solver_archive_mask(archive, solver);
}

// Create a state and fill it from the archive; NULL on failure.
static wadi_result load_state(wadi_archive* archive, wadi_solver* solver, const void* params,
                              void** out)
{
    *out = NULL;
    void* state = NULL;
    WADI_TRY(wadi_solver_make_state(solver, params, &state));
    wadi_result result = inputs_give(solver, state);
    result = result == WADI_OK ? archive_state(archive, solver, state) : result;
    result = result == WADI_OK ? wadi_archive_result(archive) : result;
    if (result != WADI_OK)
    {
        wadi_solver_api(solver)->destroy(state);
        return result;
    }
    *out = state;
    return WADI_OK;
}

static wadi_result load_all(wadi_archive* archive, wadi_terrain* terrain, wadi_solver** out)
{
    const wadi_process* process;
    WADI_TRY(load_process(archive, &process));
    wadi_solver* solver;
    WADI_ALLOC(wadi_archive_context(archive), solver, 1, "a solver");
    solver->terrain = terrain;
    solver->process = process;
    *out = solver;
    WADI_TRY(load_shell(archive, solver));
    return load_state(archive, solver, solver->params, &solver->state);
}

wadi_result wadi_solver_load(wadi_terrain* terrain, wadi_read_fn* read, void* user,
                             wadi_solver** out)
{
    *out = NULL;
    wadi_archive* archive = wadi_archive_from(wadi_terrain_context(terrain), read, user);
    if (archive == NULL)
    {
        return WADI_ERROR_MEMORY;
    }
    const wadi_result result = wadi_archive_end(archive, load_all(archive, terrain, out));
    if (result != WADI_OK)
    {
        wadi_solver_discard(*out);
        *out = NULL;
    }
    return result;
}

// ---- other parameters --------------------------------------------------------------------------

static bool change_keeps_held(const wadi_solver* solver, const void* state)
{
    int64_t before[WADI_MAX_MATERIALS];
    int64_t after[WADI_MAX_MATERIALS] = {0};
    wadi_solver_all_held(solver, before);
    if (wadi_solver_api(solver)->held != NULL)
    {
        wadi_solver_api(solver)->held(state, after);
    }
    return memcmp(before, after, sizeof before) == 0;
}

// A new state under new parameters, filled from the bytes of the old one.
static wadi_result change_state(wadi_solver* solver, wadi_bytes* bytes, const void* params,
                                void** out)
{
    wadi_context* context = wadi_terrain_context(solver->terrain);
    wadi_archive* archive = wadi_archive_to(context, wadi_bytes_write, bytes);
    if (archive == NULL)
    {
        return WADI_ERROR_MEMORY;
    }
    archive->local = true;
    (void)archive_state(archive, solver, solver->state);
    WADI_TRY(wadi_archive_close(archive));
    archive = wadi_archive_from(context, wadi_bytes_read, bytes);
    if (archive == NULL)
    {
        return WADI_ERROR_MEMORY;
    }
    archive->local = true;
    const wadi_result result = load_state(archive, solver, params, out);
    const wadi_result closed = wadi_archive_end(archive, result); // keeps the message of a failure
    WADI_TRY(result);
    const bool fits = closed == WADI_OK && change_keeps_held(solver, *out);
    if (!fits)
    {
        wadi_solver_api(solver)->destroy(*out);
        return wadi_fail(context, WADI_ERROR_FORMAT,
                         "the state of %s does not fit the new parameters; settle and destroy this "
                         "solver, and create another",
                         solver->process->name);
    }
    return WADI_OK;
}

wadi_result wadi_solver_change(wadi_solver* solver, const void* params)
{
    wadi_context* context = wadi_terrain_context(solver->terrain);
    const wadi_process* process = solver->process;
    WADI_TRY(wadi_fields_check(context, process->fields, params));
    WADI_CHECK(
        context, wadi_process_model(process, params) == solver->model, WADI_ERROR_ARGUMENT,
        "%s runs model '%s' and cannot change to '%s'; destroy this solver and create another",
        process->name, solver->model->name, wadi_process_model(process, params)->name);
    WADI_CHECK(context, wadi_solver_api(solver)->archive != NULL, WADI_ERROR_FORMAT,
               "%s, model %s, cannot change its parameters", process->name, solver->model->name);
    WADI_CHECK(context, wadi_solver_must_gather(solver, params) == solver->gathers,
               WADI_ERROR_ARGUMENT,
               "%s cannot change in windows between parameters for parts of the grid and those for "
               "the whole grid; settle and destroy this solver, and create another",
               process->name);
    WADI_TRY(wadi_solver_finish(solver));
    wadi_bytes bytes = {.context = context};
    void* state = NULL;
    const wadi_result result = change_state(solver, &bytes, params, &state);
    wadi_bytes_free(&bytes);
    WADI_TRY(result);
    wadi_solver_api(solver)->destroy(solver->state);
    solver->state = state;
    memcpy(solver->params, params, process->fields->params_size);
    wadi_solver_begin_steps(solver);
    return WADI_OK;
}
