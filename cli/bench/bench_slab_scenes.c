// SPDX-License-Identifier: MIT
// Rows of `wadi bench slab` for the scenes of table 1 of Paris et al. (2019) with all features:
// time of a step, of all steps of the article's scene, of a year; memory.
#include "cli/bench/bench.h"
#include "cli/templates.h"

#include "io/scene/scene_yaml.h"

#include <wadi/wadi.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    SCENE_SURVEY = 10, // steps between two surveys of the relief; one per repetition
    SCENE_WARM = 20    // untimed steps: the initial noise slides
};

typedef struct scene_case
{
    const char* name; // of the scene
    int32_t size;     // cells along each side
    int32_t steps;    // of the article's scene
    int32_t threads;
} scene_case;

typedef struct scene_times
{
    double step; // [s], median
    double cpu;  // [s] per step, all threads
    double wind; // [s] to recompute the wind field
    double year; // [s] per simulated year
    double peak; // [byte] of memory
} scene_times;

static const double scene_step = 0.0274; // [yr]: 36.5 in a year

static wadi_result scene_parse(wadi_context* context, const scene_case* c, wadi_scene** out)
{
    const cli_template* template = cli_templates;
    while (template->name != NULL && strcmp(template->name, c->name) != 0)
    {
        template += 1;
    }
    char size[64];
    char years[64];
    (void)snprintf(size, sizeof size, "terrain.size=[%d, %d]", (int)c->size, (int)c->size);
    (void)snprintf(years, sizeof years, "dunes.for=%.17g yr", SCENE_WARM * scene_step);
    const char* const overrides[] = {size, years};
    const char* text = (const char*)template->text;
    return wadi_io_scene_parse(context, c->name, text, strlen(text), overrides, 2, out);
}

// Run all steps before the dunes, and the untimed steps. Outputs are not written.
static wadi_result scene_begin(wadi_run* run, wadi_solver** out)
{
    wadi_result result = WADI_OK;
    *out = NULL;
    while (result == WADI_OK && *out == NULL)
    {
        result = wadi_run_next(run);
        *out = wadi_run_solver(run, &wadi_dunes_process);
    }
    return result;
}

static wadi_result scene_time_steps(wadi_solver* solver, scene_times* out)
{
    double seconds[BENCH_REPETITIONS] = {0};
    const double before = bench_cpu_seconds();
    wadi_result result = WADI_OK;
    for (int32_t i = 0; result == WADI_OK && i < BENCH_REPETITIONS; ++i)
    {
        const double start = cli_seconds();
        result = wadi_solver_advance(solver, SCENE_SURVEY * scene_step);
        result = result == WADI_OK ? wadi_solver_finish(solver) : result;
        seconds[i] = (cli_seconds() - start) / SCENE_SURVEY;
    }
    out->cpu = (bench_cpu_seconds() - before) / (BENCH_REPETITIONS * SCENE_SURVEY);
    out->step = bench_median(seconds, BENCH_REPETITIONS);
    out->year = out->step / scene_step;
    return result;
}

static wadi_result scene_time_wind(wadi_terrain* terrain, scene_times* out)
{
    const size_t cells = (size_t)wadi_terrain_width(terrain) * (size_t)wadi_terrain_height(terrain);
    const wadi_airflow_params params = wadi_airflow_params_default();
    float* maps = malloc(3 * cells * sizeof *maps);
    wadi_wind_field* field = NULL;
    wadi_result result =
        maps != NULL ? wadi_wind_field_create(terrain, &params, &field) : WADI_ERROR_MEMORY;
    double seconds[BENCH_REPETITIONS] = {0};
    for (int32_t i = 0; i < BENCH_REPETITIONS && result == WADI_OK; ++i)
    {
        const double start = cli_seconds();
        result = wadi_wind_field_compute(field, 0.0, maps, maps + cells, maps + 2 * cells);
        seconds[i] = cli_seconds() - start;
    }
    out->wind = bench_median(seconds, BENCH_REPETITIONS);
    wadi_wind_field_destroy(field);
    free(maps);
    return result;
}

static wadi_result scene_work(cli_session* session, const scene_case* c, scene_times* out)
{
    wadi_context* context = session->context;
    wadi_scene* scene = NULL;
    wadi_run* run = NULL;
    wadi_solver* solver = NULL;
    const wadi_host host = {0}; // these scenes read no files
    wadi_result result = scene_parse(context, c, &scene);
    result = result == WADI_OK ? wadi_run_create(scene, &host, &run) : result;
    result = result == WADI_OK ? scene_begin(run, &solver) : result;
    session->stages = (cli_stages){.count = 0}; // drop the untimed steps
    result = result == WADI_OK ? scene_time_steps(solver, out) : result;
    out->peak = (double)wadi_memory_peak(context);
    result = result == WADI_OK ? scene_time_wind(wadi_run_terrain(run), out) : result;
    wadi_run_destroy(run);
    wadi_scene_destroy(scene);
    return result;
}

static void scene_add(const scene_case* c, const scene_times* times, bench_rows* rows)
{
    const struct
    {
        const char* metric;
        const char* unit;
        double value;
    } columns[] = {
        {"step", "s", times->step},
        {"step_cpu", "s", times->cpu},
        {"wind_anew", "s", times->wind},
        {"year", "s", times->year},
        {"all_steps", "s", times->step * c->steps},
        {"memory", "MB", times->peak * 1e-6},
    };
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; ++i)
    {
        bench_add(rows, (bench_row){c->name, c->size, c->threads, columns[i].metric,
                                    columns[i].unit, columns[i].value, (double)NAN, true});
    }
}

cli_status bench_slab_scene(const char* name, int32_t size, int32_t steps, bench_rows* rows)
{
    scene_case c = {name, size, steps, 1};
    for (; c.threads <= 2; ++c.threads)
    {
        const cli_run_options run = {.threads = c.threads, .progress = CLI_PROGRESS_NONE};
        cli_session session;
        CLI_TRY(cli_session_open(&run, &session));
        scene_times times = {0};
        const cli_status status = cli_check(session.context, scene_work(&session, &c, &times));
        cli_session_close(&session);
        CLI_TRY(status);
        scene_add(&c, &times, rows);
        bench_add_stages(rows, &session.stages, BENCH_REPETITIONS * SCENE_SURVEY,
                         (bench_row){.name = c.name,
                                     .size = c.size,
                                     .threads = c.threads,
                                     .unit = "s",
                                     .reference = (double)NAN,
                                     .less = true});
    }
    return CLI_DONE;
}
