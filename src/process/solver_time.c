// SPDX-License-Identifier: MIT
// Time of a solver: fixed steps, counted from its creation or from the last event, so that it does
// not matter into how many calls a duration is cut.
#include "process/solver.h"

#include "core/context.h"
#include "terrain/ground.h"

#include <math.h>

// Times that differ by less than this share of a step, and by less than two units of the clock, are
// equal: 7 sevenths of a year sum to 1.
#define TIME_SLACK 1e-6
#define TIME_SLACK_UNITS 2.0

// Milliseconds from the origin up to the time given. The rests of both are left out where the
// result becomes part of a step's length, so that it does not depend on how time was cut.
static double time_given(const wadi_solver* solver)
{
    return (double)(solver->given.ms - solver->origin.ms);
}

// Share of a step below which times are equal.
static double time_slack(const wadi_solver* solver, double step)
{
    const double unit = (double)wadi_clock_unit(solver->given.ms);
    const double share = TIME_SLACK_UNITS * unit / (step * WADI_MS_PER_YEAR);
    return share < TIME_SLACK ? share : TIME_SLACK;
}

// Steps since the origin that fit into the time given.
static int64_t time_due(const wadi_solver* solver)
{
    const double rest = solver->given.rest - solver->origin.rest;
    const double steps = (time_given(solver) + rest) / (solver->step * WADI_MS_PER_YEAR);
    return (int64_t)floor(steps + time_slack(solver, solver->step));
}

static double time_now(const wadi_solver* solver)
{
    return wadi_clock_years(&solver->origin) + (double)solver->steps * solver->step;
}

static void time_cut(wadi_solver* solver)
{
    solver->origin = solver->given;
    solver->steps = 0;
}

double wadi_solver_own_step(const wadi_solver* solver)
{
    const wadi_model_api* api = wadi_solver_api(solver);
    return api->step != NULL ? api->step(solver->state) : 0.0;
}

void wadi_solver_begin_steps(wadi_solver* solver)
{
    solver->step = wadi_solver_own_step(solver);
    time_cut(solver);
}

void wadi_solver_begin(wadi_solver* solver)
{
    solver->given = wadi_terrain_time(solver->terrain);
    wadi_solver_begin_steps(solver);
}

// The process's transit in the ledger less the matter of this solver, over all materials.
static int64_t time_unheld(const wadi_solver* solver)
{
    int64_t held[WADI_MAX_MATERIALS];
    wadi_solver_all_held(solver, held);
    int64_t sum = 0;
    for (int32_t m = 0; m < WADI_MAX_MATERIALS; ++m)
    {
        sum += wadi_terrain_transit(solver->terrain, solver->process->name, m) - held[m];
    }
    return sum;
}

// Did the model stop within its last step, to go on with it later?
static bool time_is_unfinished(const wadi_solver* solver)
{
    const wadi_model_api* api = wadi_solver_api(solver);
    return api->unfinished != NULL && api->unfinished(solver->state);
}

// Ask the progress hook whether to go on. It may read the terrain, but not keep a view of it.
static wadi_result time_ask(wadi_solver* solver, int64_t done, int64_t due)
{
    wadi_context* context = wadi_terrain_context(solver->terrain);
    const char* name = solver->process->name;
    const char* before = wadi_terrain_reserve(solver->terrain, name);
    wadi_progress_window(context, (double)done / (double)due, 1.0 / (double)due);
    // windows stop together
    const bool goes_on =
        !wadi_partition_any(wadi_partition_of(context), !wadi_progress(context, 0.0, name));
    (void)wadi_terrain_reserve(solver->terrain, before);
    WADI_CHECK(context, goes_on, WADI_ERROR_CANCELLED,
               "%s was stopped after %lld of %lld steps; what is done is kept", name,
               (long long)done, (long long)due);
    return wadi_terrain_check_released(solver->terrain);
}

wadi_result wadi_solver_pause(const wadi_solver* solver)
{
    const wadi_context* context = wadi_terrain_context(solver->terrain);
    if (context->between == NULL)
    {
        return WADI_OK;
    }
    const char* before = wadi_terrain_reserve(solver->terrain, solver->process->name);
    const wadi_result result = context->between(context->between_user);
    (void)wadi_terrain_reserve(solver->terrain, before);
    return result;
}

// Fails if a hook keeps a view: it does not show what the process has done since. A stop that is
// asked for within a step takes effect at its end, or where the model itself can go on later; so it
// changes no bit of a run that goes on.
static wadi_result time_span(wadi_solver* solver, double years)
{
    wadi_context* context = wadi_terrain_context(solver->terrain);
    WADI_TRY(wadi_solver_level_begin(solver));
    const wadi_span span = {.index = solver->index, .from = time_now(solver), .years = years};
    const int64_t unheld = time_unheld(solver);
    const char* before = wadi_terrain_reserve(solver->terrain, solver->process->name);
    const bool held =
        wadi_progress_hold(context, solver->step > 0.0 || wadi_progress_is_whole(context));
    wadi_solver_mask_begin(solver);
    const wadi_result result = wadi_solver_api(solver)->advance(solver->state, &span);
    wadi_solver_level_end(solver);
    wadi_solver_mask_end(solver);
    (void)wadi_progress_hold(context, held);
    (void)wadi_terrain_reserve(solver->terrain, before);
    // the ledger's transit changes by exactly the change of the matter held
    WADI_ASSERT(time_unheld(solver) == unheld);
    (void)unheld;
    solver->index += time_is_unfinished(solver) ? 0 : 1;
    wadi_solver_note_change(solver);
    return result != WADI_OK ? result : wadi_terrain_check_released(solver->terrain);
}

// Run all steps that are due. A model whose steps are short asks for no progress itself.
static wadi_result time_run_steps(wadi_solver* solver)
{
    wadi_context* context = wadi_terrain_context(solver->terrain);
    const int64_t first = solver->steps;
    const int64_t due = time_due(solver);
    wadi_result result = WADI_OK;
    while (solver->steps < due && result == WADI_OK)
    {
        result = time_ask(solver, solver->steps - first, due - first);
        result = result == WADI_OK && solver->steps > first ? wadi_solver_pause(solver) : result;
        if (result == WADI_OK)
        {
            result = time_span(solver, solver->step);
            solver->steps += time_is_unfinished(solver) ? 0 : 1;
        }
    }
    wadi_progress_window(context, 0.0, 1.0);
    return result;
}

// When the world has gone on without this process, its own time jumps to the world's.
static wadi_result time_follow(wadi_solver* solver)
{
    const wadi_clock world = wadi_terrain_time(solver->terrain);
    if (solver->given.ms >= world.ms)
    {
        return WADI_OK;
    }
    WADI_TRY(wadi_solver_finish(solver));
    solver->given = world;
    time_cut(solver);
    return WADI_OK;
}

wadi_result wadi_solver_advance(wadi_solver* solver, double years)
{
    wadi_terrain* terrain = solver->terrain;
    WADI_CHECK(wadi_terrain_context(terrain), years > 0.0 && years <= 1e9, WADI_ERROR_RANGE,
               "%s cannot run for %g yr; expected more than 0 and at most 1e9 yr",
               solver->process->name, years);
    WADI_TRY(wadi_terrain_check_writable(terrain));
    WADI_TRY(time_follow(solver));
    if (solver->step > 0.0)
    {
        WADI_CHECK(wadi_terrain_context(terrain), wadi_clock_years(&solver->given) + years < 2.85e8,
                   WADI_ERROR_RANGE, "%s cannot run beyond 285 million years, the end of the clock",
                   solver->process->name);
        wadi_clock_add(&solver->given, years);
        return time_run_steps(solver);
    }
    const wadi_result result = time_span(solver, years);
    wadi_clock_add(&solver->given, years);
    time_cut(solver);
    return result;
}

wadi_result wadi_solver_catch_up(wadi_solver* solver)
{
    WADI_TRY(wadi_terrain_check_writable(solver->terrain));
    return solver->step > 0.0 ? time_run_steps(solver) : WADI_OK;
}

double wadi_solver_step(const wadi_solver* solver)
{
    return solver->step;
}

wadi_result wadi_solver_finish(wadi_solver* solver)
{
    WADI_TRY(wadi_terrain_check_writable(solver->terrain));
    if (solver->step <= 0.0)
    {
        return WADI_OK;
    }
    WADI_TRY(time_run_steps(solver)); // some wait when a run was stopped
    const double years =
        time_given(solver) / WADI_MS_PER_YEAR - (double)solver->steps * solver->step;
    const wadi_result result = years > time_slack(solver, solver->step) * solver->step
                                   ? time_span(solver, years)
                                   : WADI_OK;
    if (!time_is_unfinished(solver))
    {
        time_cut(solver);
    }
    return result;
}

// Run the time that waits, and begin steps of this length.
static wadi_result time_set_step(wadi_solver* solver, double step)
{
    WADI_TRY(wadi_solver_finish(solver));
    solver->step = step;
    return WADI_OK;
}

wadi_result wadi_solver_fit(wadi_solver* solver, double years)
{
    WADI_CHECK(wadi_terrain_context(solver->terrain), years > 0.0 && years <= 1e9, WADI_ERROR_RANGE,
               "steps of %s cannot fit into %g yr; expected more than 0 and at most 1e9 yr",
               solver->process->name, years);
    const double own = wadi_solver_own_step(solver);
    if (own <= 0.0)
    {
        return WADI_OK;
    }
    const double count = ceil(years / own - time_slack(solver, own));
    return time_set_step(solver, count > 1.0 ? years / count : years);
}

wadi_result wadi_solver_couple(wadi_solver* solver, double tick)
{
    const double own = wadi_solver_own_step(solver);
    const bool keeps = (solver->model->traits & (uint32_t)WADI_MODEL_OWN_STEP) != 0 && own > 0.0 &&
                       tick > own && tick <= 1e9;
    return keeps ? time_set_step(solver, own) : wadi_solver_fit(solver, tick);
}
