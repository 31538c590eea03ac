// SPDX-License-Identifier: MIT
// Goals: a process runs step by step until the land is as the goal wants it.
//
// All that a check depends on is the ground, the number of the step, and three numbers from the
// begin (volume, area and base of the land), so a run can be cut and saved anywhere.
#include "scene/scene_whole.h"

#include "core/field_rows.h"
#include "process/solver.h"
#include "terrain/ground.h"

#include <wadi/goal.h>
#include <wadi/land_forms.h>

#include <math.h>

enum
{
    // Steps from one measure of the erosion index to the next: on 512 x 512 cells it takes as long
    // as two to three steps of model streams.
    GOAL_INDEX_STEPS = 10
};

// Times that differ by less than this share of a step are equal.
#define GOAL_SLACK 1e-6

// clang-format off
static const wadi_field goal_field_list[] = {
    FIELD_NUMBER(wadi_goal, denude, 0.0, 0.0, 32767.0, "m", "run until the mean lowering of the land is this much, for at most the time given; 0: no such goal", ""),
    FIELD_NUMBER(wadi_goal, until, 0.0, 0.0, 1.0, "1", "run until the erosion index of the land is this much, for at most the time given; 0: no such goal", "docs/judge.md: noise 0, mountains 0.91-1"),
};
// clang-format on

const wadi_field_table wadi_goal_fields = FIELD_TABLE("goal", goal_field_list, wadi_goal);

wadi_goal wadi_goal_default(void)
{
    wadi_goal goal;
    wadi_fields_init(&wadi_goal_fields, &goal);
    return goal;
}

// ---- what is wanted ----------------------------------------------------------------------

bool wadi_goal_is_set(const wadi_goal* goal)
{
    return goal != NULL && (goal->denude > 0.0 || goal->until > 0.0);
}

const char* wadi_goal_name(const wadi_goal* goal)
{
    return goal->denude > 0.0 ? "denude" : goal->until > 0.0 ? "until" : "";
}

const char* wadi_goal_unit(const wadi_goal* goal)
{
    return goal->denude > 0.0 ? "m" : "1";
}

double wadi_goal_value(const wadi_goal* goal)
{
    return goal->denude > 0.0 ? goal->denude : goal->until;
}

wadi_result wadi_goal_check(wadi_context* context, const wadi_goal* goal,
                            const wadi_process* process, const void* params)
{
    WADI_TRY(wadi_fields_check(context, &wadi_goal_fields, goal));
    WADI_CHECK(context, wadi_goal_is_set(goal), WADI_ERROR_ARGUMENT,
               "%s has no goal; give denude or until", process->name);
    WADI_CHECK(context, goal->denude == 0.0 || goal->until == 0.0, WADI_ERROR_ARGUMENT,
               "%s has two goals, denude and until; give one", process->name);
    const wadi_model* model = wadi_process_model(process, params);
    WADI_CHECK(context, model->api->step != NULL, WADI_ERROR_ARGUMENT,
               "model %s of %s has no fixed steps at which a goal could be checked%s", model->name,
               process->name,
               strcmp(process->name, "hydraulic") == 0 ? "; choose model streams" : "");
    return WADI_OK;
}

// ---- the land ----------------------------------------------------------------------------

typedef struct goal_land
{
    int64_t volume; // above `base` [units x cells]
    int64_t area;   // [cells]
} goal_land;

// Land is what stands above the sea; without a sea all cells with data.
static void goal_add_row(const wadi_ground* ground, int32_t y, int32_t base, bool has_sea,
                         goal_land* land)
{
    const wadi_owned owned = wadi_ground_owned(ground);
    for (int32_t x = owned.x; x < owned.end_x; ++x)
    {
        const int64_t cell = (int64_t)y * ground->width + x;
        const int64_t above = (int64_t)wadi_ground_surface(ground, cell) - base;
        if (ground->valid[cell] != 0 && (!has_sea || above > 0))
        {
            land->volume += above;
            land->area += 1;
        }
    }
}

// Whole numbers, so that the sums of windows can be added in any order.
static goal_land goal_measure(wadi_terrain* terrain, int32_t base)
{
    double level;
    const bool has_sea = wadi_terrain_sea_level(terrain, 0.0, &level);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    const wadi_owned owned = wadi_ground_owned(ground);
    goal_land land = {0};
    for (int32_t y = owned.y; y < owned.end_y; ++y)
    {
        goal_add_row(ground, y, base, has_sea, &land);
    }
    int64_t sums[] = {land.volume, land.area};
    (void)wadi_partition_sum(ground->part, sums, 2); // if it fails, so does the next step
    return (goal_land){sums[0], sums[1]};
}

static double goal_sea(const wadi_terrain* terrain, double year)
{
    double level = 0.0;
    return wadi_terrain_sea_level(terrain, year, &level) ? level : -(double)INFINITY;
}

// Of the whole grid, which the first window has.
static wadi_result goal_judge(const scene_whole* whole, double cell_size, double* out)
{
    const wadi_field2d field = {.heights = whole->values,
                                .width = whole->width,
                                .height = whole->height,
                                .stride = whole->width,
                                .dx = cell_size,
                                .dy = cell_size};
    if (whole->values != NULL)
    {
        WADI_TRY(
            wadi_scene_whole_pass(whole, wadi_land_erosion_index(whole->context, &field, out)));
    }
    return wadi_scene_whole_tell(whole, out);
}

// Erosion index of the land above the sea.
static wadi_result goal_index(wadi_terrain* terrain, double year, double* out)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    const double sea = goal_sea(terrain, year);
    float* heights;
    WADI_ALLOC(context, heights, ground->cells, "the erosion index");
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        const double z = (double)wadi_ground_surface(ground, c) / WADI_UNITS_PER_METRE;
        heights[c] = ground->valid[c] != 0 && z > sea ? (float)z : NAN;
    }
    scene_whole whole;
    wadi_result result = wadi_scene_whole_open(terrain, heights, &whole);
    result = result == WADI_OK ? goal_judge(&whole, ground->cell_size, out) : result;
    wadi_scene_whole_close(&whole);
    wadi_free(context, heights);
    return result;
}

// ---- steps -------------------------------------------------------------------------------

// A run towards a goal within one call.
typedef struct goal_run
{
    wadi_solver* solver;
    wadi_terrain* terrain;
    const wadi_goal* goal;
    double step;    // of the model [yr]
    double longest; // [yr]
    int64_t whole;  // steps of full length
    int64_t count;  // of all steps; the last one may be shorter
    wadi_goal_course* course;
} goal_run;

// Years since the begin, after so many steps.
static double goal_years(const goal_run* run, int64_t steps)
{
    return steps < run->count ? (double)steps * run->step : run->longest;
}

static wadi_result goal_look(const goal_run* run)
{
    wadi_goal_course* course = run->course;
    const bool last = course->steps >= run->count;
    if (run->goal->denude > 0.0)
    {
        const goal_land land = goal_measure(run->terrain, course->base);
        const double lost = (double)(course->volume - land.volume) / (double)course->area;
        course->reached = lost / WADI_UNITS_PER_METRE;
    }
    else if (last || course->steps % GOAL_INDEX_STEPS == 0)
    {
        const double year = wadi_terrain_clock(run->terrain) + course->years;
        WADI_TRY(goal_index(run->terrain, year, &course->reached));
    }
    else
    {
        return WADI_OK;
    }
    course->met = course->reached >= wadi_goal_value(run->goal);
    return WADI_OK;
}

static wadi_result goal_begin(const goal_run* run)
{
    wadi_goal_course* course = run->course;
    *course = (wadi_goal_course){0};
    double level;
    if (wadi_terrain_sea_level(run->terrain, wadi_terrain_clock(run->terrain), &level))
    {
        course->base = (int32_t)floor(level * WADI_UNITS_PER_METRE + 0.5);
    }
    const goal_land land = goal_measure(run->terrain, course->base);
    WADI_CHECK(wadi_terrain_context(run->terrain), land.area > 0, WADI_ERROR_STATE,
               "%s cannot reach '%s': there is no land", wadi_solver_process(run->solver)->name,
               wadi_goal_name(run->goal));
    course->volume = land.volume;
    course->area = land.area;
    WADI_TRY(wadi_solver_fit(run->solver, fmin(run->step, run->longest)));
    WADI_TRY(goal_look(run));
    course->begun = true;
    return WADI_OK;
}

// The step that was given last is a part of the whole, for the progress hook.
static void goal_show_step(const goal_run* run)
{
    const int64_t steps = run->course->steps;
    const double to = goal_years(run, steps) / run->longest;
    const double from = steps > 0 ? goal_years(run, steps - 1) / run->longest : 0.0;
    wadi_progress_frame(wadi_terrain_context(run->terrain), from, to - from);
}

// Close the step that was given last: it may have been stopped before it ran.
static wadi_result goal_close_step(const goal_run* run)
{
    wadi_goal_course* course = run->course;
    WADI_TRY(wadi_solver_catch_up(run->solver));
    if (course->steps >= run->count)
    {
        WADI_TRY(wadi_solver_finish(run->solver)); // the rest, as a shorter step
    }
    course->years = goal_years(run, course->steps);
    return goal_look(run);
}

// Give the solver one step more.
static wadi_result goal_give_step(const goal_run* run)
{
    wadi_goal_course* course = run->course;
    course->steps += 1;
    goal_show_step(run);
    return wadi_solver_advance(run->solver,
                               goal_years(run, course->steps) - goal_years(run, course->steps - 1));
}

static wadi_result goal_steps(const goal_run* run)
{
    wadi_context* context = wadi_terrain_context(run->terrain);
    wadi_goal_course* course = run->course;
    goal_show_step(run);
    wadi_result result = course->begun ? goal_close_step(run) : goal_begin(run);
    while (result == WADI_OK && !course->met && course->steps < run->count)
    {
        result = goal_give_step(run);
        result = result == WADI_OK ? goal_close_step(run) : result;
        // a run that goes on from here judges the same land once more
        const bool goes_on = result == WADI_OK && !course->met && course->steps < run->count;
        result = goes_on ? wadi_solver_pause(run->solver) : result;
    }
    wadi_progress_frame(context, 0.0, 1.0);
    return result;
}

wadi_result wadi_solver_pursue(wadi_solver* solver, const wadi_goal* goal, double longest,
                               wadi_goal_course* course)
{
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    wadi_context* context = wadi_terrain_context(terrain);
    WADI_TRY(wadi_goal_check(context, goal, wadi_solver_process(solver), solver->params));
    WADI_CHECK(context, longest > 0.0 && longest <= 1e9, WADI_ERROR_RANGE,
               "%s cannot run for %g yr; expected more than 0 and at most 1e9 yr",
               wadi_solver_process(solver)->name, longest);
    goal_run run = {.solver = solver,
                    .terrain = terrain,
                    .goal = goal,
                    .step = wadi_solver_own_step(solver),
                    .longest = longest,
                    .course = course};
    run.whole = (int64_t)floor(longest / run.step + GOAL_SLACK);
    const bool rest = longest - (double)run.whole * run.step > GOAL_SLACK * run.step;
    run.count = run.whole + (rest ? 1 : 0);
    return goal_steps(&run);
}

// ---- in a scene --------------------------------------------------------------------------

wadi_result wadi_scene_keep_goal(wadi_scene* scene, const wadi_scene_process* process,
                                 wadi_scene_process* out)
{
    out->goal = NULL;
    if (!wadi_goal_is_set(process->goal))
    {
        return WADI_OK;
    }
    wadi_context* context = scene->context;
    WADI_TRY(wadi_goal_check(context, process->goal, process->process, process->params));
    WADI_CHECK(
        context, process->interval == 0.0 && !process->overlaps && process->series_count == 0,
        WADI_ERROR_ARGUMENT, "%s has a goal; goals are for steps, not for timelines and frames",
        process->process->name);
    void* copy;
    WADI_TRY(wadi_scene_keep_bytes(scene, process->goal, sizeof *process->goal, &copy));
    out->goal = copy;
    return WADI_OK;
}

void wadi_goal_archive(wadi_archive* archive, wadi_goal_course* course)
{
    wadi_archive_bool(archive, &course->begun);
    wadi_archive_bool(archive, &course->met);
    wadi_archive_i64(archive, &course->steps, 1);
    wadi_archive_i64(archive, &course->volume, 1);
    wadi_archive_i64(archive, &course->area, 1);
    wadi_archive_i32(archive, &course->base, 1);
    wadi_archive_f64(archive, &course->years, 1);
    wadi_archive_f64(archive, &course->reached, 1);
}
