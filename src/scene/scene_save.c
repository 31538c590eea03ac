// SPDX-License-Identifier: MIT
// The state of a run as a row of archives: its head, the terrain, and every living solver.
#include "scene/scene_internal.h"

#include "core/archive.h"

#include <wadi/model.h>

// What the head says of one process.
typedef struct save_process
{
    char name[WADI_NAME_LENGTH];
    uint32_t instances;
    bool lives;    // has a solver
    uint64_t hash; // of the solver
} save_process;

// Where a resumed run goes on. Within the hook `output` that is after the step.
static int32_t save_position(const wadi_run* run)
{
    return run->cancelled ? run->stopped : run->position + (run->shows ? 1 : 0);
}

// Hash over the steps that a resumed run has behind it.
static uint64_t save_steps(const wadi_run* run, int32_t count)
{
    wadi_archive archive;
    wadi_archive_open_hash(&archive, run->context);
    for (int32_t i = 0; i < count && i < run->scene->step_count; ++i)
    {
        const wadi_step* step = &run->scene->steps[i];
        char name[WADI_NAME_LENGTH] = {0};
        double years = step->process.years;
        (void)strncpy(name, wadi_step_name(step), sizeof name - 1);
        wadi_archive_bytes(&archive, name, sizeof name);
        wadi_archive_f64(&archive, &years, 1);
        wadi_goal goal = step->process.goal != NULL ? *step->process.goal : wadi_goal_default();
        wadi_archive_f64(&archive, &goal.denude, 1);
        wadi_archive_f64(&archive, &goal.until, 1);
        double mature = step->process.mature;
        wadi_archive_f64(&archive, &mature, 1);
    }
    return archive.hash;
}

// Hash that a restored terrain must have; bare archives do without.
static uint64_t save_ground(const wadi_run* run)
{
    return wadi_archive_is_bare(run->context) ? 0 : wadi_terrain_hash(run->terrain);
}

// Hash of a solver that a restored one must have. Models without `archive` may have a hash of
// state that is not saved.
static uint64_t save_hash(const wadi_run* run, const wadi_solver* solver)
{
    const bool whole = wadi_solver_model(solver)->api->archive != NULL;
    return whole && !wadi_archive_is_bare(run->context) ? wadi_solver_hash(solver) : 0;
}

static wadi_result archive_place(wadi_archive* archive, const wadi_run* run, int32_t* position,
                                 bool* given)
{
    int64_t steps = *position;
    WADI_TRY(wadi_archive_part(archive, "run", 2));
    WADI_TRY(wadi_archive_count(archive, &steps, run->scene->step_count, "steps done"));
    wadi_archive_bool(archive, given);
    *position = (int32_t)steps;
    const uint64_t own = save_steps(run, *position + (*given ? 1 : 0));
    uint64_t saved = own;
    wadi_archive_u64(archive, &saved, 1);
    WADI_TRY(wadi_archive_result(archive));
    WADI_CHECK(run->context, saved == own, WADI_ERROR_FORMAT,
               "the scene has other steps before step %lld than the run that was saved: only later "
               "steps may change",
               (long long)steps + 1);
    return WADI_OK;
}

static void archive_process(wadi_archive* archive, save_process* process)
{
    wadi_archive_bytes(archive, process->name, WADI_NAME_LENGTH);
    wadi_archive_u32(archive, &process->instances, 1);
    wadi_archive_bool(archive, &process->lives);
    wadi_archive_u64(archive, &process->hash, 1);
}

// ---- save --------------------------------------------------------------------------------------

static wadi_result save_head(const wadi_run* run, wadi_archive* archive)
{
    int32_t position = save_position(run);
    bool given = run->given;
    uint64_t terrain = save_ground(run);
    WADI_TRY(archive_place(archive, run, &position, &given));
    wadi_goal_course course = run->course;
    wadi_goal_archive(archive, &course);
    wadi_archive_u64(archive, &terrain, 1);
    int64_t count = wadi_process_count(run->context);
    WADI_TRY(wadi_archive_count(archive, &count, count, "processes"));
    for (int32_t i = 0; i < count; ++i)
    {
        save_process process = {.instances = run->instances[i], .lives = run->solvers[i] != NULL};
        const char* name = wadi_process_at(run->context, i)->name;
        WADI_CHECK(run->context, strlen(name) < sizeof process.name, WADI_ERROR_ARGUMENT,
                   "the name of the process %s has more than %d bytes; choose a shorter one", name,
                   WADI_NAME_LENGTH - 1);
        memcpy(process.name, name, strlen(name));
        process.hash = process.lives ? save_hash(run, run->solvers[i]) : 0;
        archive_process(archive, &process);
    }
    return wadi_archive_result(archive);
}

wadi_result wadi_run_save(const wadi_run* run, wadi_write_fn* write, void* user)
{
    wadi_archive* archive = wadi_archive_to(run->context, write, user);
    if (archive == NULL)
    {
        return WADI_ERROR_MEMORY;
    }
    WADI_TRY(wadi_archive_end(archive, save_head(run, archive)));
    WADI_TRY(wadi_terrain_save(run->terrain, write, user));
    for (int32_t i = 0; i < wadi_process_count(run->context); ++i)
    {
        if (run->solvers[i] != NULL)
        {
            WADI_TRY(wadi_solver_save(run->solvers[i], write, user));
        }
    }
    return WADI_OK;
}

// ---- load --------------------------------------------------------------------------------------

typedef struct load_head
{
    uint64_t terrain;
    save_process* processes;
    int32_t count;
} load_head;

// Read the processes. `lives` and `hash` of each are kept until its solver has been read.
static wadi_result load_read_head(wadi_run* run, wadi_archive* archive, load_head* head)
{
    WADI_TRY(archive_place(archive, run, &run->position, &run->given));
    WADI_CHECK(run->context, !run->given || run->position < run->scene->step_count,
               WADI_ERROR_FORMAT, "the saved run waits in a step that the scene does not have");
    wadi_goal_archive(archive, &run->course);
    wadi_archive_u64(archive, &head->terrain, 1);
    int64_t count = 0;
    WADI_TRY(wadi_archive_count(archive, &count, 1024, "processes"));
    WADI_ALLOC(run->context, head->processes, count + 1, "a saved run");
    head->count = (int32_t)count;
    for (int32_t i = 0; i < count; ++i)
    {
        save_process* process = &head->processes[i];
        archive_process(archive, process);
        WADI_TRY(wadi_archive_result(archive));
        WADI_CHECK(run->context, process->name[WADI_NAME_LENGTH - 1] == '\0', WADI_ERROR_FORMAT,
                   "the saved run has a process without a name");
    }
    return WADI_OK;
}

static wadi_result load_open_head(wadi_run* run, wadi_read_fn* read, void* user, load_head* head)
{
    wadi_archive* archive = wadi_archive_from(run->context, read, user);
    if (archive == NULL)
    {
        return WADI_ERROR_MEMORY;
    }
    return wadi_archive_end(archive, load_read_head(run, archive, head));
}

// Index in the registry. A process that was never started need not be registered here.
static wadi_result load_find(wadi_run* run, const save_process* process, int32_t* index)
{
    const int32_t count = wadi_process_count(run->context);
    *index = 0;
    while (*index < count &&
           strcmp(wadi_process_at(run->context, *index)->name, process->name) != 0)
    {
        *index += 1;
    }
    WADI_CHECK(run->context, *index < count || process->instances == 0, WADI_ERROR_UNKNOWN,
               "the saved run has a process '%s', which is not known here; register it first",
               process->name);
    return WADI_OK;
}

static wadi_result load_solver(wadi_run* run, const save_process* process, wadi_read_fn* read,
                               void* user)
{
    int32_t index;
    WADI_TRY(load_find(run, process, &index));
    if (index < wadi_process_count(run->context))
    {
        run->instances[index] = process->instances;
    }
    if (!process->lives)
    {
        return WADI_OK;
    }
    WADI_CHECK(run->context,
               index < wadi_process_count(run->context) && run->solvers[index] == NULL,
               WADI_ERROR_FORMAT, "the saved run has two solvers of '%s', or one before its start",
               process->name);
    wadi_solver* solver;
    WADI_TRY(wadi_solver_load(run->terrain, read, user, &solver));
    run->solvers[index] = solver;
    WADI_CHECK(run->context,
               strcmp(wadi_solver_process(solver)->name, process->name) == 0 &&
                   save_hash(run, solver) == process->hash,
               WADI_ERROR_FORMAT,
               "the solver of %s differs from the one that was saved; use an earlier checkpoint",
               process->name);
    return WADI_OK;
}

// The step in which a run was stopped has a solver with the years of that step.
static wadi_result load_check_given(const wadi_run* run)
{
    const wadi_step* step = wadi_scene_step(run->scene, run->position);
    WADI_CHECK(run->context, !run->given || (step->kind == WADI_STEP_PROCESS), WADI_ERROR_FORMAT,
               "the saved run waits in a step that runs no process");
    for (int32_t i = 0; i < wadi_process_count(run->context); ++i)
    {
        const bool waits = run->given && wadi_process_at(run->context, i) == step->process.process;
        WADI_CHECK(run->context, !waits || run->solvers[i] != NULL, WADI_ERROR_FORMAT,
                   "the saved run waits in a step of %s, and has no solver of it",
                   step->process.process->name);
    }
    return WADI_OK;
}

// A step that continues the solver of an earlier step needs that solver to be among those saved.
static wadi_result load_check_later(const wadi_run* run)
{
    for (int32_t p = 0; p < wadi_process_count(run->context); ++p)
    {
        int32_t i = run->position;
        const wadi_process* process = wadi_process_at(run->context, p);
        while (i < run->scene->step_count && (run->scene->steps[i].kind != WADI_STEP_PROCESS ||
                                              run->scene->steps[i].process.process != process))
        {
            ++i;
        }
        const bool goes_on = i < run->scene->step_count && run->scene->steps[i].process.goes_on;
        WADI_CHECK(run->context, !goes_on || run->solvers[p] != NULL, WADI_ERROR_FORMAT,
                   "the saved run has no solver of %s, with which step %d goes on", process->name,
                   i + 1);
    }
    return WADI_OK;
}

static wadi_result load_parts(wadi_run* run, wadi_read_fn* read, void* user, load_head* head)
{
    WADI_TRY(load_open_head(run, read, user, head));
    WADI_TRY(wadi_terrain_load(run->context, read, user, &run->terrain));
    WADI_CHECK(run->context, save_ground(run) == head->terrain, WADI_ERROR_FORMAT,
               "the terrain differs from the one that was saved; use an earlier checkpoint");
    for (int32_t i = 0; i < head->count; ++i)
    {
        WADI_TRY(load_solver(run, &head->processes[i], read, user));
    }
    WADI_TRY(load_check_given(run));
    return load_check_later(run);
}

wadi_result wadi_run_load(const wadi_scene* scene, const wadi_host* host, wadi_read_fn* read,
                          void* user, wadi_run** out)
{
    *out = NULL;
    wadi_run* run;
    WADI_TRY(wadi_run_open(scene, host, &run));
    load_head head = {0};
    const wadi_result result = load_parts(run, read, user, &head);
    wadi_free(run->context, head.processes);
    if (result != WADI_OK)
    {
        wadi_run_destroy(run);
        return result;
    }
    *out = run;
    return WADI_OK;
}
