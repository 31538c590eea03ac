// SPDX-License-Identifier: MIT
// A solver applies one process to one terrain. The code here is common to all processes.
#include "process/solver.h"

#include "core/internal.h"
#include "terrain/ground.h"

#include <math.h>
#include <string.h>

// A stream of random numbers for each process and instance: FNV-1a of the name.
uint32_t wadi_solver_stream(const char* name, uint32_t instance)
{
    uint32_t hash = 2166136261u;
    for (const char* c = name; *c != '\0'; ++c)
    {
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    }
    return hash + instance * 0x9E3779B9u;
}

// Refuse a parameter that differs from its default although the model does not read it.
static wadi_result solver_check_unread(wadi_context* context, const wadi_process* process,
                                       const void* params)
{
    for (int32_t i = 0; i < process->fields->count; ++i)
    {
        const wadi_field* field = &process->fields->fields[i];
        if (wadi_field_get(field, params) != field->initial)
        {
            WADI_TRY(wadi_process_check_field(context, process, params, field->name));
        }
    }
    return WADI_OK;
}

wadi_result wadi_solver_make_state(wadi_solver* solver, const void* params, void** state)
{
    const uint32_t stream = wadi_solver_stream(solver->process->name, solver->instance);
    WADI_TRY(solver_check_unread(wadi_terrain_context(solver->terrain), solver->process, params));
    WADI_TRY(wadi_solver_check_windows(solver));
    solver->gathers = wadi_solver_must_gather(solver, params);
    return solver->gathers ? wadi_solver_gather(solver, params, stream, state)
                           : solver->model->api->create(solver->terrain, params, stream, state);
}

static wadi_result solver_fill(wadi_solver* solver, const void* params)
{
    const wadi_process* process = solver->process;
    wadi_context* context = wadi_terrain_context(solver->terrain);
    const size_t size = process->fields->params_size;
    WADI_ALLOC(context, solver->maps, process->map_count + 1, "a solver");
    WADI_ALLOC(context, solver->tables, process->table_count + 1, "a solver");
    solver->params = wadi_alloc(context, 1, size);
    if (solver->params == NULL)
    {
        return wadi_fail_memory(context, size, "parameters");
    }
    if (params != NULL)
    {
        memcpy(solver->params, params, size);
    }
    else
    {
        wadi_fields_init(process->fields, solver->params);
    }
    WADI_TRY(wadi_fields_check(context, process->fields, solver->params));
    solver->model = wadi_process_model(process, solver->params);
    WADI_TRY(wadi_solver_make_state(solver, solver->params, &solver->state));
    wadi_solver_begin(solver);
    return WADI_OK;
}

wadi_result wadi_solver_create(wadi_terrain* terrain, const wadi_process* process,
                               const void* params, uint32_t instance, wadi_solver** out)
{
    *out = NULL;
    wadi_context* context = wadi_terrain_context(terrain);
    WADI_CHECK(context, process != NULL, WADI_ERROR_ARGUMENT, "no process was given");
    wadi_solver* solver;
    WADI_ALLOC(context, solver, 1, "a solver");
    solver->terrain = terrain;
    solver->process = process;
    solver->instance = instance;
    const wadi_result result = solver_fill(solver, params);
    if (result != WADI_OK)
    {
        wadi_solver_destroy(solver);
        return result;
    }
    *out = solver;
    return WADI_OK;
}

void wadi_solver_all_held(const wadi_solver* solver, int64_t held[WADI_MAX_MATERIALS])
{
    memset(held, 0, WADI_MAX_MATERIALS * sizeof *held);
    if (wadi_solver_api(solver)->held != NULL)
    {
        wadi_solver_api(solver)->held(solver->state, held);
    }
}

int64_t wadi_solver_held(const wadi_solver* solver, int32_t material)
{
    int64_t held[WADI_MAX_MATERIALS];
    wadi_solver_all_held(solver, held);
    return material >= 0 && material < WADI_MAX_MATERIALS ? held[material] : 0;
}

// Book the matter that the solver still holds as lost.
static void solver_lose_held(wadi_solver* solver)
{
    wadi_tally tally = {0};
    wadi_solver_all_held(solver, tally.lost);
    bool any = false;
    for (int32_t m = 0; m < WADI_MAX_MATERIALS; ++m)
    {
        tally.transit[m] = -tally.lost[m];
        any = any || tally.lost[m] != 0;
    }
    if (any)
    {
        wadi_terrain_book(solver->terrain, solver->process->name, &tally);
    }
}

void wadi_solver_discard(wadi_solver* solver)
{
    if (solver == NULL)
    {
        return;
    }
    wadi_context* context = wadi_terrain_context(solver->terrain);
    if (solver->state != NULL)
    {
        wadi_solver_api(solver)->destroy(solver->state);
    }
    for (int32_t i = 0; solver->maps != NULL && i < solver->process->map_count; ++i)
    {
        wadi_free(context, solver->maps[i]);
    }
    for (int32_t i = 0; solver->tables != NULL && i < solver->process->table_count; ++i)
    {
        wadi_free(context, solver->tables[i].values);
    }
    wadi_solver_free_mask(solver);
    wadi_solver_free_level(solver);
    wadi_free(context, solver->maps);
    wadi_free(context, solver->tables);
    wadi_free(context, solver->params);
    wadi_free(context, solver);
}

void wadi_solver_destroy(wadi_solver* solver)
{
    if (solver != NULL && solver->state != NULL)
    {
        solver_lose_held(solver);
    }
    wadi_solver_discard(solver);
}

wadi_result wadi_solver_settle(wadi_solver* solver)
{
    WADI_TRY(wadi_terrain_check_writable(solver->terrain));
    if (wadi_solver_api(solver)->settle != NULL)
    {
        wadi_solver_mask_begin(solver);
        wadi_solver_api(solver)->settle(solver->state);
        wadi_solver_mask_end(solver);
        wadi_solver_note_change(solver);
    }
    return WADI_OK;
}

// Index of an input or output map of the solver's model.
static wadi_result solver_find_map(const wadi_solver* solver, const char* name, bool input,
                                   int32_t* out)
{
    const wadi_process* process = solver->process;
    wadi_context* context = wadi_terrain_context(solver->terrain);
    const char* verb = input ? "takes" : "makes";
    for (int32_t i = 0; i < process->map_count; ++i)
    {
        const wadi_map_info* map = &process->maps[i];
        if (map->input == input && strcmp(map->name, name) == 0)
        {
            *out = i;
            return wadi_model_is_in(process, solver->model, map->models)
                       ? WADI_OK
                       : wadi_process_refuse(context, process, solver->model, verb, name,
                                             map->models);
        }
    }
    return wadi_fail(context, WADI_ERROR_UNKNOWN,
                     "%s %s no map '%s'; 'wadi describe %s' lists its maps", process->name, verb,
                     name, process->name);
}

static bool solver_has_map(const wadi_solver* solver, const char* name, bool input)
{
    bool has = false;
    for (int32_t i = 0; i < solver->process->map_count; ++i)
    {
        const wadi_map_info* map = &solver->process->maps[i];
        has = has || (map->input == input && strcmp(map->name, name) == 0);
    }
    return has;
}

// An input map as it was set.
static wadi_result solver_input_map(const wadi_solver* solver, const char* name, float* out)
{
    int32_t index;
    WADI_TRY(solver_find_map(solver, name, true, &index));
    const wadi_ground* ground = wadi_terrain_ground_const(solver->terrain);
    const float* values = solver->maps[index];
    WADI_CHECK(wadi_terrain_context(solver->terrain), values != NULL, WADI_ERROR_STATE,
               "%s runs without a map of '%s'; give one, such as '%s_map' in a scene",
               solver->process->name, name, name);
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        out[c] = ground->valid[c] != 0 ? values[c] : NAN;
    }
    return WADI_OK;
}

wadi_result wadi_solver_map(wadi_solver* solver, const char* name, float* out)
{
    if (!solver_has_map(solver, name, false) && solver_has_map(solver, name, true))
    {
        return solver_input_map(solver, name, out);
    }
    int32_t index;
    WADI_TRY(solver_find_map(solver, name, false, &index));
    return wadi_solver_api(solver)->map(solver->state, index, out);
}

wadi_result wadi_process_check_map(const wadi_terrain* terrain, const wadi_process* process,
                                   const wadi_model* model, const char* name, const float* values)
{
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    const wadi_field* field = wadi_field_find(process->fields, name);
    // a map in another unit, such as shares of droplets, has no range here
    if (field == NULL || !wadi_model_is_in(process, model, field->models))
    {
        return WADI_OK;
    }
    const char* unit = strcmp(field->unit, "1") != 0 ? field->unit : "";
    // a rate or a share cannot be below the least, but a depth may come as a change below 0
    const double least = strcmp(field->unit, "m") == 0 ? -field->max : field->min;
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        const double value = (double)values[c];
        WADI_CHECK(
            wadi_terrain_context(terrain),
            ground->valid[c] == 0 || !(value < least || value > field->max), WADI_ERROR_RANGE,
            "the map of %s.%s is %g at column %d, row %d but must lie in [%g, %g]%s%s; is "
            "it in another unit?",
            process->name, name, value, wadi_ground_column(ground, (int32_t)(c % ground->width)),
            wadi_ground_row(ground, (int32_t)(c / ground->width)), field->min, field->max,
            unit[0] != '\0' ? " " : "", unit);
    }
    return WADI_OK;
}

wadi_result wadi_solver_set_map(wadi_solver* solver, const char* name, const float* values)
{
    int32_t index;
    WADI_TRY(solver_find_map(solver, name, true, &index));
    WADI_TRY(wadi_solver_finish(solver));
    WADI_TRY(wadi_solver_api(solver)->set_map(solver->state, index, values));
    wadi_solver_begin_steps(solver);
    return wadi_solver_keep_map(solver, index, values);
}

// Set of models that take a table: its own set, or else all models with set_table.
static uint32_t solver_table_models(const wadi_process* process, const wadi_table_info* table)
{
    uint32_t models = table->models;
    for (int32_t m = 0; table->models == 0 && m < process->model_count; ++m)
    {
        models |= process->models[m].api->set_table != NULL ? UINT32_C(1) << m : 0;
    }
    return models;
}

wadi_result wadi_solver_set_table(wadi_solver* solver, const char* name, const double* values,
                                  int32_t rows)
{
    const wadi_process* process = solver->process;
    wadi_context* context = wadi_terrain_context(solver->terrain);
    for (int32_t i = 0; i < process->table_count; ++i)
    {
        if (strcmp(process->tables[i].name, name) == 0)
        {
            WADI_TRY(wadi_table_check(context, &process->tables[i], values, rows));
            const uint32_t models = solver_table_models(process, &process->tables[i]);
            if (!wadi_model_is_in(process, solver->model, models))
            {
                return wadi_process_refuse(context, process, solver->model, "takes", name, models);
            }
            WADI_TRY(wadi_solver_finish(solver));
            WADI_TRY(wadi_solver_api(solver)->set_table(solver->state, i, values, rows));
            wadi_solver_begin_steps(solver);
            return wadi_solver_keep_table(solver, i, values, rows);
        }
    }
    return wadi_fail(context, WADI_ERROR_UNKNOWN,
                     "%s takes no table '%s'; 'wadi describe %s' lists its tables", process->name,
                     name, process->name);
}

static bool solver_has(const wadi_solver* solver, wadi_model_trait trait)
{
    return (solver->model->traits & (uint32_t)trait) != 0;
}

static wadi_result solver_check_bodies(wadi_context* context, const wadi_bodies* bodies)
{
    const int32_t least = bodies->water != NULL ? 0 : 1;
    WADI_CHECK(context, bodies->count >= least && bodies->count <= WADI_GRAIN_MAX_MATERIALS,
               WADI_ERROR_RANGE, "%d bodies of soil; expected %d to %d", bodies->count, least,
               WADI_GRAIN_MAX_MATERIALS);
    if (bodies->water != NULL)
    {
        WADI_TRY(wadi_fields_check(context, &wadi_water_fields, &bodies->water->params));
        WADI_TRY(wadi_fields_check(context, &wadi_sph_fields, &bodies->water->sph));
    }
    for (int32_t i = 0; i < bodies->count; ++i)
    {
        const wadi_body* body = &bodies->bodies[i];
        WADI_TRY(wadi_fields_check(context, &wadi_body_fields, &body->params));
        WADI_TRY(wadi_fields_check(context, &wadi_grain_material_fields, &body->material.grain));
        WADI_TRY(wadi_fields_check(context, &wadi_soil_fields, &body->material.soil));
        WADI_TRY(wadi_fields_check(context, &wadi_cohesion_fields, &body->material.cohesion));
    }
    return WADI_OK;
}

wadi_result wadi_solver_set_bodies(wadi_solver* solver, const wadi_bodies* bodies)
{
    wadi_context* context = wadi_terrain_context(solver->terrain);
    WADI_CHECK(context, solver_has(solver, WADI_MODEL_BODIES), WADI_ERROR_UNKNOWN,
               "%s takes no bodies of soil", solver->process->name);
    WADI_TRY(solver_check_bodies(context, bodies));
    return wadi_solver_api(solver)->set_bodies(solver->state, bodies);
}

int32_t wadi_solver_grains(const wadi_solver* solver, wadi_grain* out, int32_t capacity,
                           double* seconds)
{
    if (seconds != NULL)
    {
        *seconds = 0.0;
    }
    return solver_has(solver, WADI_MODEL_GRAINS)
               ? wadi_solver_api(solver)->grains(solver->state, out, capacity, seconds)
               : 0;
}

void wadi_solver_watch(wadi_solver* solver, wadi_watch watch, void* user)
{
    if (solver_has(solver, WADI_MODEL_GRAINS))
    {
        wadi_solver_api(solver)->watch(solver->state, watch, user);
    }
}

int32_t wadi_solver_work(const wadi_solver* solver, wadi_work* out, int32_t capacity)
{
    wadi_work rows[WADI_MODEL_MAX_ROWS];
    const int32_t count = wadi_solver_api(solver)->work != NULL
                              ? wadi_solver_api(solver)->work(solver->state, rows)
                              : 0;
    for (int32_t i = 0; i < count && i < capacity; ++i)
    {
        out[i] = rows[i];
    }
    return count;
}

// A figure has the words of its process.
static wadi_figure solver_figure(const wadi_process* process, wadi_figure row)
{
    for (int32_t i = 0; i < process->figure_count; ++i)
    {
        const wadi_figure_info* info = &process->figures[i];
        if (strcmp(info->name, row.name) == 0)
        {
            return (wadi_figure){info->name, info->unit, row.value, info->kind};
        }
    }
    row.unit = row.unit != NULL ? row.unit : "1";
    return row;
}

int32_t wadi_solver_figures(const wadi_solver* solver, wadi_figure* out, int32_t capacity)
{
    wadi_figure rows[WADI_MODEL_MAX_ROWS];
    const int32_t count = wadi_solver_api(solver)->figures != NULL
                              ? wadi_solver_api(solver)->figures(solver->state, rows)
                              : 0;
    for (int32_t i = 0; i < count && i < capacity; ++i)
    {
        out[i] = solver_figure(solver->process, rows[i]);
    }
    return count;
}

const wadi_process* wadi_solver_process(const wadi_solver* solver)
{
    return solver->process;
}

const wadi_model* wadi_solver_model(const wadi_solver* solver)
{
    return solver->model;
}

const void* wadi_solver_params(const wadi_solver* solver)
{
    return solver->params;
}

wadi_terrain* wadi_solver_terrain(const wadi_solver* solver)
{
    return solver->terrain;
}

uint32_t wadi_solver_instance(const wadi_solver* solver)
{
    return solver->instance;
}
