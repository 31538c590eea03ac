// SPDX-License-Identifier: MIT
// wadi bench streams: a step of the model "streams" of running water and its stages, noise to
// drained land, and a range under uplift, compared with the plain serial version.
#include "cli/bench/bench.h"

#include <wadi/wadi.h>

#include <math.h>
#include <stdlib.h>

#if defined(WADI_WITH_REFERENCE)
#include "plain_streams_of.h"
#endif

enum
{
    STREAMS_SEED = 1,
    STREAMS_GROWN = 5,   // untimed steps: raw noise has more lakes
    STREAMS_STEPS = 4,   // per repetition
    STREAMS_PLAIN = 256, // cells along a side, plain version
    STREAMS_DRAINED = 75 // steps of 4000 years from noise to drained land
};

static const double streams_cell = 30.0; // [m]
static const double streams_years = 4000.0;

// ---- ground ------------------------------------------------------------------------------

// Mountains of 1800 m per 512 cells of 30 m, of equal steepness at any size.
static wadi_result streams_noise(wadi_context* context, int32_t size, float* heights)
{
    wadi_noise_params noise = wadi_noise_params_default();
    noise.wavelength = 0.5 * size * streams_cell;
    noise.relief = 1800.0 * size / 512.0;
    noise.base = 0.0;
    return wadi_noise_fill(context, &noise, STREAMS_SEED, size, size, streams_cell, heights);
}

static wadi_result streams_terrain(wadi_context* context, int32_t size, wadi_terrain** out)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = size;
    def.height = size;
    def.cell_size = streams_cell;
    def.seed = STREAMS_SEED;
    wadi_result result = wadi_terrain_create(context, &def, out);
    float* heights = malloc((size_t)size * (size_t)size * sizeof *heights);
    result = result == WADI_OK && heights == NULL ? WADI_ERROR_MEMORY : result;
    result = result == WADI_OK ? streams_noise(context, size, heights) : result;
    result = result == WADI_OK ? wadi_terrain_set_layer(*out, WADI_LAYER_BEDROCK, heights, size)
                               : result;
    free(heights);
    return result;
}

static wadi_hydraulic_params streams_params(void)
{
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.max_step = streams_years;
    return params;
}

// ---- the plain version -------------------------------------------------------------------

#if defined(WADI_WITH_REFERENCE)

static bool streams_plain_run(plain_streams* plain, double* seconds)
{
    bool done = true;
    for (int32_t i = 0; i < 2 && done; ++i)
    {
        const double start = bench_cpu_seconds();
        done = plain_streams_step(plain) != 0;
        *seconds = bench_cpu_seconds() - start; // of the second
    }
    return done;
}

// Processor time of a step of the plain version for each cell [s]; NAN without it.
static double streams_plain(void)
{
    const size_t cells = (size_t)STREAMS_PLAIN * STREAMS_PLAIN;
    wadi_context* context = NULL;
    float* heights = malloc(cells * sizeof *heights);
    double* ground = malloc(cells * sizeof *ground);
    double seconds = (double)NAN;
    if (heights != NULL && ground != NULL && wadi_context_create(NULL, &context) == WADI_OK &&
        streams_noise(context, STREAMS_PLAIN, heights) == WADI_OK)
    {
        const wadi_hydraulic_params p = streams_params();
        for (size_t i = 0; i < cells; ++i)
        {
            ground[i] = (double)heights[i];
        }
        plain_streams plain = plain_streams_of(&p, STREAMS_PLAIN, streams_cell, ground);
        seconds = streams_plain_run(&plain, &seconds) ? seconds : (double)NAN;
    }
    wadi_context_destroy(context);
    free(heights);
    free(ground);
    return seconds / (double)cells;
}

#else

static double streams_plain(void)
{
    return (double)NAN;
}

#endif

// ---- cases -------------------------------------------------------------------------------

typedef struct streams_times
{
    double wall; // [s]
    double cpu;  // [s] of all threads
    double peak; // [byte] of memory
} streams_times;

// One case on a terrain of noise.
typedef wadi_result streams_work_fn(cli_session* session, wadi_terrain* terrain,
                                    streams_times* out);

// Median times of a step.
static wadi_result streams_time_steps(cli_session* session, wadi_terrain* terrain,
                                      streams_times* out)
{
    const wadi_hydraulic_params params = streams_params();
    wadi_solver* solver = NULL;
    wadi_result result = wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver);
    double wall[BENCH_REPETITIONS] = {0};
    double cpu[BENCH_REPETITIONS] = {0};
    result =
        result == WADI_OK ? wadi_solver_advance(solver, STREAMS_GROWN * streams_years) : result;
    session->stages = (cli_stages){.count = 0}; // drop the untimed steps
    for (int32_t i = 0; i < BENCH_REPETITIONS && result == WADI_OK; ++i)
    {
        const double before = bench_cpu_seconds();
        const double start = cli_seconds();
        result = wadi_solver_advance(solver, STREAMS_STEPS * streams_years);
        wall[i] = (cli_seconds() - start) / STREAMS_STEPS;
        cpu[i] = (bench_cpu_seconds() - before) / STREAMS_STEPS;
    }
    out->wall = bench_median(wall, BENCH_REPETITIONS);
    out->cpu = bench_median(cpu, BENCH_REPETITIONS);
    wadi_solver_destroy(solver);
    return result;
}

static wadi_result streams_drain(cli_session* session, wadi_terrain* terrain, streams_times* out)
{
    (void)session;
    const wadi_hydraulic_params params = streams_params();
    const double before = bench_cpu_seconds();
    const double start = cli_seconds();
    wadi_solver* solver = NULL;
    wadi_result result = wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver);
    result =
        result == WADI_OK ? wadi_solver_advance(solver, STREAMS_DRAINED * streams_years) : result;
    wadi_solver_destroy(solver);
    out->wall = cli_seconds() - start;
    out->cpu = bench_cpu_seconds() - before;
    return result;
}

// The range of scene `range`, in steps of 5000 years, for three million years.
static wadi_result streams_lift(cli_session* session, wadi_terrain* terrain, streams_times* out)
{
    (void)session;
    wadi_hydraulic_params params = streams_params();
    params.channel_head = 3e4;
    params.flushing = 1.0;
    params.max_step = 5000.0;
    wadi_uplift_params uplift = wadi_uplift_params_default();
    uplift.rate = 0.8;
    uplift.max_step = 5000.0;
    uplift.noise = 0.35;
    uplift.noise_wavelength = 2000.0;
    wadi_solver* rise = NULL;
    wadi_solver* water = NULL;
    const double before = bench_cpu_seconds();
    const double start = cli_seconds();
    wadi_result result = wadi_solver_create(terrain, &wadi_uplift_process, &uplift, 0, &rise);
    result = result == WADI_OK
                 ? wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &water)
                 : result;
    for (int32_t i = 0; i < 600 && result == WADI_OK; ++i)
    {
        result = wadi_solver_advance(rise, 5000.0);
        result = result == WADI_OK ? wadi_solver_advance(water, 5000.0) : result;
        result = result == WADI_OK ? wadi_terrain_advance_clock(terrain, 5000.0) : result;
    }
    wadi_solver_destroy(water);
    wadi_solver_destroy(rise);
    out->wall = cli_seconds() - start;
    out->cpu = bench_cpu_seconds() - before;
    return result;
}

static cli_status streams_run(int32_t size, int32_t threads, streams_work_fn* work,
                              cli_session* session, streams_times* out)
{
    const cli_run_options run = {.threads = threads, .progress = CLI_PROGRESS_NONE};
    CLI_TRY(cli_session_open(&run, session));
    wadi_terrain* terrain = NULL;
    wadi_result result = streams_terrain(session->context, size, &terrain);
    result = result == WADI_OK ? work(session, terrain, out) : result;
    out->peak = (double)wadi_memory_peak(session->context);
    const cli_status status = cli_check(session->context, result);
    wadi_terrain_destroy(terrain);
    cli_session_close(session);
    return status;
}

// ---- rows --------------------------------------------------------------------------------

static void streams_add(bench_rows* rows, bench_row like, const char* metric, double value,
                        double reference)
{
    like.metric = metric;
    like.value = value;
    like.reference = reference;
    bench_add(rows, like);
}

static cli_status streams_step_rows(int32_t size, double plain, bench_rows* rows)
{
    const double reference = plain * size * size;
    for (int32_t threads = 1; threads <= 2; ++threads)
    {
        cli_session session;
        streams_times times = {0};
        CLI_TRY(streams_run(size, threads, streams_time_steps, &session, &times));
        bench_row like = {.name = "noise",
                          .size = size,
                          .threads = threads,
                          .unit = "s",
                          .reference = (double)NAN,
                          .less = true};
        streams_add(rows, like, "step", times.wall, reference);
        streams_add(rows, like, "step_cpu", times.cpu, reference);
        bench_add_stages(rows, &session.stages, BENCH_REPETITIONS * STREAMS_STEPS, like);
        like.unit = "MB";
        streams_add(rows, like, "memory", times.peak * 1e-6, (double)NAN);
    }
    return CLI_DONE;
}

static cli_status streams_job_rows(const char* name, int32_t size, streams_work_fn* work,
                                   double reference, bench_rows* rows)
{
    cli_session session;
    streams_times times = {0};
    CLI_TRY(streams_run(size, 2, work, &session, &times));
    bench_row like = {.name = name, .size = size, .threads = 2, .unit = "s", .less = true};
    streams_add(rows, like, "time", times.wall, reference);
    streams_add(rows, like, "cpu", times.cpu, reference);
    like.unit = "MB";
    streams_add(rows, like, "memory", times.peak * 1e-6, (double)NAN);
    return CLI_DONE;
}

static cli_status streams_drained_rows(int32_t size, double plain, bench_rows* rows)
{
    return streams_job_rows("drained", size, streams_drain, plain * size * size * STREAMS_DRAINED,
                            rows);
}

cli_status bench_streams_at(int32_t size, bench_rows* rows)
{
    return streams_step_rows(size, streams_plain(), rows);
}

cli_status bench_streams(bool full, bench_rows* rows)
{
    const double plain = streams_plain();
    for (int32_t size = 256; size <= (full ? 4096 : 1024); size *= 2)
    {
        CLI_TRY(streams_step_rows(size, plain, rows));
    }
    CLI_TRY(streams_drained_rows(512, plain, rows));
    CLI_TRY(streams_drained_rows(1024, plain, rows));
    if (full)
    {
        CLI_TRY(streams_drained_rows(4096, plain, rows));
    }
    return streams_job_rows("range", 512, streams_lift, (double)NAN, rows);
}
