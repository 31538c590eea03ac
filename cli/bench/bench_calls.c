// SPDX-License-Identifier: MIT
// wadi bench calls: processor time of 50 calls over that of one call for the same years, for every
// preset of every process.
#include "cli/bench/bench.h"

#include <wadi/wadi.h>

#include <math.h>
#include <stdlib.h>

enum
{
    CALLS_SIZE = 192,
    CALLS_MANY = 50,
    CALLS_PAIRS = 3,
    CALLS_SEED = 5
};

// Steps in all, as in test/property/test_time.c.
static const double calls_steps = 12.3;

typedef struct calls_job
{
    const wadi_process* process;
    const char* preset;
    int32_t calls;
} calls_job;

// Mountains of 200 m with 2 m of sand. Only scenes give soil to `earth`; here it has a wedge.
static wadi_result calls_terrain(wadi_context* context, float* layer, wadi_terrain** out)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = CALLS_SIZE;
    def.height = CALLS_SIZE;
    def.cell_size = bench_cell;
    def.seed = CALLS_SEED;
    wadi_noise_params noise = wadi_noise_params_default();
    noise.wavelength = CALLS_SIZE * bench_cell / 2.0;
    noise.relief = 200.0;
    wadi_result result = wadi_terrain_create(context, &def, out);
    if (result == WADI_OK)
    {
        result =
            wadi_noise_fill(context, &noise, CALLS_SEED, CALLS_SIZE, CALLS_SIZE, bench_cell, layer);
    }
    if (result == WADI_OK)
    {
        result = wadi_terrain_set_layer(*out, WADI_LAYER_BEDROCK, layer, CALLS_SIZE);
    }
    return result == WADI_OK ? wadi_terrain_fill_layer(*out, WADI_LAYER_SEDIMENT, 2.0) : result;
}

static wadi_result calls_advance(wadi_solver* solver, const calls_job* job, double* seconds)
{
    const double step = wadi_solver_step(solver);
    const double all = wadi_process_years(job->process, wadi_solver_params(solver));
    const double years = step > 0.0 ? calls_steps * step : 0.05 * all;
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    const double start = bench_cpu_seconds();
    wadi_result result = WADI_OK;
    for (int32_t i = 0; i < job->calls && result == WADI_OK; ++i)
    {
        result = wadi_solver_advance(solver, years / job->calls);
        if (result == WADI_OK)
        {
            result = wadi_terrain_advance_clock(terrain, years / job->calls);
        }
    }
    result = result == WADI_OK ? wadi_solver_finish(solver) : result;
    *seconds = bench_cpu_seconds() - start;
    return result;
}

static wadi_result calls_solver(wadi_terrain* terrain, const calls_job* job, wadi_solver** out)
{
    wadi_context* context = wadi_terrain_context(terrain);
    void* params = calloc(1, job->process->fields->params_size);
    if (params == NULL)
    {
        return WADI_ERROR_MEMORY;
    }
    wadi_fields_init(job->process->fields, params);
    wadi_result result = wadi_process_apply_preset(context, job->process, job->preset, params);
    if (result == WADI_OK)
    {
        result = wadi_solver_create(terrain, job->process, params, 0, out);
    }
    free(params);
    return result;
}

static wadi_result calls_make(wadi_context* context, const calls_job* job, wadi_terrain** terrain,
                              wadi_solver** solver)
{
    if (job->process == &wadi_earth_process)
    {
        return bench_earth_wedge(context, terrain, solver);
    }
    float* layer = malloc((size_t)CALLS_SIZE * CALLS_SIZE * sizeof *layer);
    wadi_result result = layer != NULL ? calls_terrain(context, layer, terrain) : WADI_ERROR_MEMORY;
    free(layer);
    return result == WADI_OK ? calls_solver(*terrain, job, solver) : result;
}

static cli_status calls_run(const calls_job* job, double* seconds)
{
    const cli_run_options run = {.threads = 1, .progress = CLI_PROGRESS_NONE};
    cli_session session;
    CLI_TRY(cli_session_open(&run, &session));
    wadi_terrain* terrain = NULL;
    wadi_solver* solver = NULL;
    wadi_result result = calls_make(session.context, job, &terrain, &solver);
    result = result == WADI_OK ? calls_advance(solver, job, seconds) : result;
    const cli_status status = cli_check(session.context, result);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    cli_session_close(&session);
    return status;
}

// Runs alternate, so that other work on the machine slows both alike; the least time of each
// counts.
static cli_status calls_pair(const wadi_process* process, const char* preset, bench_rows* rows)
{
    double one = HUGE_VAL;
    double many = HUGE_VAL;
    for (int32_t i = 0; i < CALLS_PAIRS; ++i)
    {
        double seconds = 0.0;
        CLI_TRY(calls_run(&(calls_job){process, preset, 1}, &seconds));
        one = seconds < one ? seconds : one;
        CLI_TRY(calls_run(&(calls_job){process, preset, CALLS_MANY}, &seconds));
        many = seconds < many ? seconds : many;
    }
    bench_add(rows, (bench_row){process->name, CALLS_SIZE, 1, preset, "s", many, one, true});
    return CLI_DONE;
}

cli_status bench_calls(bool full, bench_rows* rows)
{
    (void)full;
    for (int32_t i = 0; i < wadi_process_count(NULL); ++i)
    {
        const wadi_process* process = wadi_process_at(NULL, i);
        for (int32_t p = 0; p < process->preset_count; ++p)
        {
            CLI_TRY(calls_pair(process, process->presets[p].name, rows));
        }
    }
    return CLI_DONE;
}
