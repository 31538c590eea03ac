// SPDX-License-Identifier: MIT
// A solver: one process at work on one terrain. All that is common to processes is here.
#include "process/solver.h"

#include "core/internal.h"
#include "terrain/ground.h"

#include <string.h>

struct wadi_solver
{
    wadi_terrain* terrain;
    const wadi_process* process;
    void* state;
};

// A stream of random numbers for each process and instance: FNV-1a of the name.
static uint32_t solver_stream(const char* name, uint32_t instance)
{
    uint32_t hash = 2166136261u;
    for (const char* c = name; *c != '\0'; ++c)
    {
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    }
    return hash + instance * 0x9E3779B9u;
}

static wadi_result solver_create_state(wadi_solver* solver, const void* params, uint32_t instance)
{
    const wadi_process* process = solver->process;
    wadi_context* context = wadi_terrain_context(solver->terrain);
    const uint32_t stream = solver_stream(process->name, instance);
    if (params != NULL)
    {
        WADI_TRY(wadi_fields_check(context, process->fields, params));
        return process->api->create(solver->terrain, params, stream, &solver->state);
    }
    void* defaults = wadi_alloc(context, 1, process->fields->params_size);
    if (defaults == NULL)
    {
        return wadi_fail_memory(context, process->fields->params_size, "parameters");
    }
    wadi_fields_init(process->fields, defaults);
    const wadi_result result =
        process->api->create(solver->terrain, defaults, stream, &solver->state);
    wadi_free(context, defaults);
    return result;
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
    const wadi_result result = solver_create_state(solver, params, instance);
    if (result != WADI_OK)
    {
        wadi_free(context, solver);
        return result;
    }
    *out = solver;
    return WADI_OK;
}

void wadi_solver_destroy(wadi_solver* solver)
{
    if (solver != NULL)
    {
        solver->process->api->destroy(solver->state);
        wadi_free(wadi_terrain_context(solver->terrain), solver);
    }
}

wadi_result wadi_solver_advance(wadi_solver* solver, double years)
{
    wadi_terrain* terrain = solver->terrain;
    WADI_CHECK(wadi_terrain_context(terrain), years > 0.0 && years <= 1e9, WADI_ERROR_RANGE,
               "%s cannot run for %g yr; it takes more than 0 and up to 1e9 yr",
               solver->process->name, years);
    WADI_TRY(wadi_terrain_check_writable(terrain));
    const wadi_result result = solver->process->api->advance(solver->state, years);
    wadi_terrain_changed(terrain);
    if (solver->process->api->hash != NULL)
    {
        wadi_terrain_stir(terrain, solver->process->api->hash(solver->state));
    }
    return result;
}

wadi_result wadi_solver_settle(wadi_solver* solver)
{
    WADI_TRY(wadi_terrain_check_writable(solver->terrain));
    if (solver->process->api->settle != NULL)
    {
        solver->process->api->settle(solver->state);
        wadi_terrain_changed(solver->terrain);
    }
    return WADI_OK;
}

static int32_t solver_find_map(const wadi_solver* solver, const char* name, bool input)
{
    const wadi_process* process = solver->process;
    for (int32_t i = 0; i < process->map_count; ++i)
    {
        if (process->maps[i].input == input && strcmp(process->maps[i].name, name) == 0)
        {
            return i;
        }
    }
    return -1;
}

wadi_result wadi_solver_map(wadi_solver* solver, const char* name, float* out)
{
    const int32_t index = solver_find_map(solver, name, false);
    WADI_CHECK(wadi_terrain_context(solver->terrain), index >= 0, WADI_ERROR_UNKNOWN,
               "%s makes no map '%s'; 'wadi describe %s' lists its maps", solver->process->name,
               name, solver->process->name);
    return solver->process->api->map(solver->state, index, out);
}

wadi_result wadi_solver_set_map(wadi_solver* solver, const char* name, const float* values)
{
    const int32_t index = solver_find_map(solver, name, true);
    WADI_CHECK(wadi_terrain_context(solver->terrain), index >= 0, WADI_ERROR_UNKNOWN,
               "%s takes no map '%s'; 'wadi describe %s' lists its maps", solver->process->name,
               name, solver->process->name);
    return solver->process->api->set_map(solver->state, index, values);
}

wadi_result wadi_table_check(wadi_context* context, const wadi_table_info* table,
                             const double* values, int32_t rows)
{
    WADI_CHECK(context, rows > 0, WADI_ERROR_ARGUMENT, "%s has no rows; give at least one",
               table->name);
    for (int32_t i = 0; i < rows * table->column_count; ++i)
    {
        const wadi_column* column = &table->columns[i % table->column_count];
        WADI_CHECK(context, values[i] >= column->min && values[i] <= column->max, WADI_ERROR_RANGE,
                   "%s, row %d: %s is %g, expected %g to %g%s%s", table->name,
                   i / table->column_count + 1, column->name, values[i], column->min, column->max,
                   WADI_UNIT_WORDS(column->unit));
    }
    return WADI_OK;
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
            return process->api->set_table(solver->state, i, values, rows);
        }
    }
    return wadi_fail(context, WADI_ERROR_UNKNOWN,
                     "%s takes no table '%s'; 'wadi describe %s' lists its tables", process->name,
                     name, process->name);
}

static wadi_result solver_check_bodies(wadi_context* context, const wadi_bodies* bodies)
{
    const int32_t least = bodies->water != NULL ? 0 : 1;
    WADI_CHECK(context, bodies->count >= least && bodies->count <= WADI_GRAIN_MAX_MATERIALS,
               WADI_ERROR_RANGE, "%d bodies of soil: there may be %d to %d", bodies->count, least,
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
    const wadi_process* process = solver->process;
    wadi_context* context = wadi_terrain_context(solver->terrain);
    WADI_CHECK(context, process->takes_bodies, WADI_ERROR_UNKNOWN, "%s takes no bodies of soil",
               process->name);
    WADI_TRY(solver_check_bodies(context, bodies));
    return process->api->set_bodies(solver->state, bodies);
}

int32_t wadi_solver_grains(const wadi_solver* solver, wadi_grain* out, int32_t capacity,
                           double* seconds)
{
    if (seconds != NULL)
    {
        *seconds = 0.0;
    }
    return solver->process->has_grains
               ? solver->process->api->grains(solver->state, out, capacity, seconds)
               : 0;
}

void wadi_solver_watch(wadi_solver* solver, wadi_watch watch, void* user)
{
    if (solver->process->has_grains)
    {
        solver->process->api->watch(solver->state, watch, user);
    }
}

int32_t wadi_solver_work(const wadi_solver* solver, wadi_work* out, int32_t capacity)
{
    return solver->process->api->work(solver->state, out, capacity);
}

int32_t wadi_solver_figures(const wadi_solver* solver, wadi_figure* out, int32_t capacity)
{
    return solver->process->api->figures(solver->state, out, capacity);
}

const wadi_process* wadi_solver_process(const wadi_solver* solver)
{
    return solver->process;
}

wadi_terrain* wadi_solver_terrain(const wadi_solver* solver)
{
    return solver->terrain;
}
