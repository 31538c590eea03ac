// SPDX-License-Identifier: MIT
// Standing water keeps its level where a model moves the ground below it and knows nothing of
// water: the layer is a depth, so a lake would rise and sink with each part of its bed.
//
// The rule is by cells, so it is the same in windows. Water that ground displaces leaves, as over
// the sill of the lake; where the bed sinks, water comes. Within a lake both sum to the volume that
// it loses or gains.
#include "process/solver.h"

enum
{
    LEVEL_GRAIN = 32 // rows a block
};

struct solver_level
{
    int32_t* ground;     // before the step
    wadi_tally* tallies; // by worker
    bool is_on;          // water stands
};

typedef struct level_job
{
    const wadi_ground* ground;
    solver_level* level;
    bool saves; // copy the ground, or set the water
} level_job;

void wadi_solver_free_level(wadi_solver* solver)
{
    wadi_context* context = wadi_terrain_context(solver->terrain);
    if (solver->level != NULL)
    {
        wadi_free(context, solver->level->ground);
        wadi_free(context, solver->level->tallies);
        wadi_free(context, solver->level);
        solver->level = NULL;
    }
}

static bool level_stands(const wadi_ground* ground)
{
    bool stands = false;
    for (int64_t c = 0; c < ground->cells && !stands; ++c)
    {
        stands = ground->valid[c] != 0 && ground->water[c] > 0;
    }
    return stands;
}

static wadi_result level_allocate(wadi_solver* solver)
{
    wadi_context* context = wadi_terrain_context(solver->terrain);
    const wadi_ground* ground = wadi_terrain_ground_const(solver->terrain);
    WADI_ALLOC(context, solver->level, 1, "levels of water");
    WADI_ALLOC(context, solver->level->ground, ground->cells, "levels of water");
    WADI_ALLOC(context, solver->level->tallies, wadi_context_workers(context), "levels of water");
    return WADI_OK;
}

static void level_set(const level_job* job, int64_t cell, wadi_tally* tally)
{
    const wadi_ground* ground = job->ground;
    const int64_t rise = (int64_t)wadi_ground_surface(ground, cell) - job->level->ground[cell];
    if (ground->water[cell] > 0 && ground->valid[cell] != 0 && wadi_ground_owns(ground, cell))
    {
        wadi_ground_keep_level(ground, cell, rise, tally);
    }
}

static void level_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const level_job* job = user;
    const int64_t width = job->ground->width;
    for (int64_t c = begin * width; c < end * width; ++c)
    {
        if (job->saves)
        {
            job->level->ground[c] = wadi_ground_surface(job->ground, c);
        }
        else
        {
            level_set(job, c, &job->level->tallies[worker]);
        }
    }
}

static void level_run(const wadi_solver* solver, bool saves)
{
    level_job job = {wadi_terrain_ground_const(solver->terrain), solver->level, saves};
    wadi_parallel_rows(wadi_terrain_context(solver->terrain), job.ground->height, LEVEL_GRAIN,
                       level_rows, &job);
}

wadi_result wadi_solver_level_begin(wadi_solver* solver)
{
    const bool moves = (solver->model->traits & (uint32_t)WADI_MODEL_UNDER_WATER) != 0;
    const bool stands = moves && level_stands(wadi_terrain_ground_const(solver->terrain));
    if (stands && solver->level == NULL)
    {
        const wadi_result result = level_allocate(solver);
        if (result != WADI_OK)
        {
            wadi_solver_free_level(solver);
            return result;
        }
    }
    if (solver->level != NULL)
    {
        solver->level->is_on = stands;
    }
    if (stands)
    {
        level_run(solver, true);
    }
    return WADI_OK;
}

void wadi_solver_level_end(wadi_solver* solver)
{
    if (solver->level == NULL || !solver->level->is_on)
    {
        return;
    }
    level_run(solver, false);
    wadi_tally sum = {0};
    wadi_tally_collect(&sum, solver->level->tallies, wadi_terrain_context(solver->terrain));
    wadi_terrain_book(solver->terrain, solver->process->name, &sum);
}
