// SPDX-License-Identifier: MIT
// Timing of one job on one terrain, and of the article's kernel on the same ground.
#include "cli/bench/bench.h"

#include <wadi/wadi.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(WADI_WITH_REFERENCE)
#include "article_hydraulic.h"
#endif

const double bench_cell = 10.0;

enum
{
    BENCH_SEED = 1
};

double bench_work(const wadi_solver* solver, const char* name)
{
    wadi_work work[8];
    const int32_t count = wadi_solver_work(solver, work, 8);
    for (int32_t i = 0; i < count && i < 8; ++i)
    {
        if (strcmp(work[i].name, name) == 0)
        {
            return work[i].count;
        }
    }
    return 0.0;
}

double bench_cpu_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static wadi_result job_noise(wadi_context* context, const bench_job* job, float* heights)
{
    wadi_noise_params noise = wadi_noise_params_default();
    noise.wavelength = job->wavelength * bench_cell;
    noise.relief = job->relief * bench_cell;
    noise.base = 0.0;
    noise.gain = job->gain;
    noise.octaves = job->octaves;
    return wadi_noise_fill(context, &noise, BENCH_SEED, job->size, job->size, bench_cell, heights);
}

static wadi_result job_terrain(wadi_context* context, const bench_job* job, wadi_terrain** out)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = job->size;
    def.height = job->size;
    def.cell_size = bench_cell;
    def.seed = BENCH_SEED;
    return wadi_terrain_create(context, &def, out);
}

static wadi_result job_solver(const bench_job* job, wadi_terrain* terrain, wadi_solver** out)
{
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    const wadi_result result = wadi_process_apply_preset(
        wadi_terrain_context(terrain), &wadi_hydraulic_process, job->preset, &params);
    params.droplets_per_cell = job->droplets_per_cell;
    return result == WADI_OK ? wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, out)
                             : result;
}

static double job_eroded(const wadi_terrain* terrain)
{
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    const int32_t count = wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS);
    double sum = 0.0;
    for (int32_t i = 0; i < count; ++i)
    {
        sum += rows[i].eroded;
    }
    return sum;
}

static wadi_result job_advance(wadi_solver* solver, bench_result* out)
{
    const double cpu = bench_cpu_seconds();
    const double start = cli_seconds();
    const double years = wadi_process_years(&wadi_hydraulic_process, wadi_solver_params(solver));
    const wadi_result result = wadi_solver_advance(solver, years);
    out->advance_s = cli_seconds() - start;
    out->cpu_s = bench_cpu_seconds() - cpu;
    out->steps = bench_work(solver, "particle_steps");
    out->eroded = job_eroded(wadi_solver_terrain(solver));
    return result;
}

static wadi_result job_work(wadi_terrain* terrain, const bench_job* job, float* heights,
                            bench_result* out)
{
    const double start = cli_seconds();
    wadi_result result = job_noise(wadi_terrain_context(terrain), job, heights);
    if (result == WADI_OK)
    {
        result = wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, heights, job->size);
    }
    out->noise_s = cli_seconds() - start;
    wadi_solver* solver = NULL;
    if (result == WADI_OK)
    {
        result = job_solver(job, terrain, &solver);
    }
    if (result == WADI_OK)
    {
        result = job_advance(solver, out);
    }
    wadi_solver_destroy(solver);
    return result;
}

cli_status bench_run(const bench_job* job, bench_result* out)
{
    *out = (bench_result){0};
    const cli_run_options run = {.threads = job->threads, .progress = CLI_PROGRESS_NONE};
    cli_session session;
    CLI_TRY(cli_session_open(&run, &session));
    wadi_terrain* terrain = NULL;
    float* heights = malloc((size_t)job->size * (size_t)job->size * sizeof *heights);
    wadi_result result =
        heights != NULL ? job_terrain(session.context, job, &terrain) : WADI_ERROR_MEMORY;
    if (result == WADI_OK)
    {
        result = job_work(terrain, job, heights, out);
    }
    const cli_status status = cli_check(session.context, result);
    wadi_terrain_destroy(terrain);
    free(heights);
    cli_session_close(&session);
    return status;
}

cli_status bench_repeat(const bench_job* job, bench_result* out)
{
    double noise[BENCH_REPETITIONS];
    double advance[BENCH_REPETITIONS];
    double cpu[BENCH_REPETITIONS];
    for (int32_t i = 0; i < BENCH_REPETITIONS; ++i)
    {
        CLI_TRY(bench_run(job, out));
        noise[i] = out->noise_s;
        advance[i] = out->advance_s;
        cpu[i] = out->cpu_s;
    }
    out->noise_s = bench_median(noise, BENCH_REPETITIONS);
    out->advance_s = bench_median(advance, BENCH_REPETITIONS);
    out->cpu_s = bench_median(cpu, BENCH_REPETITIONS);
    return CLI_DONE;
}

#if defined(WADI_WITH_REFERENCE)

static float* job_ground(const bench_job* job)
{
    wadi_context* context = NULL;
    float* heights = malloc((size_t)job->size * (size_t)job->size * sizeof *heights);
    if (heights == NULL || wadi_context_create(NULL, &context) != WADI_OK ||
        job_noise(context, job, heights) != WADI_OK)
    {
        free(heights);
        heights = NULL;
    }
    wadi_context_destroy(context);
    return heights;
}

bool bench_article(const bench_job* job, int64_t droplets, bench_result* out)
{
    float* heights = job_ground(job);
    if (heights == NULL)
    {
        return false;
    }
    // the article's height unit is 60 cells
    const article_params params = article_params_default();
    const float unit = params.scale * (float)bench_cell;
    for (int64_t i = 0; i < (int64_t)job->size * job->size; ++i)
    {
        heights[i] /= unit;
    }
    const double start = cli_seconds();
    const double cpu = bench_cpu_seconds();
    const article_outcome sum =
        article_erode_literal(heights, job->size, &params, droplets, BENCH_SEED);
    *out = (bench_result){.advance_s = cli_seconds() - start,
                          .cpu_s = bench_cpu_seconds() - cpu,
                          .steps = (double)sum.steps,
                          .eroded = sum.eroded * (double)unit * bench_cell * bench_cell};
    free(heights);
    return true;
}

#else

bool bench_article(const bench_job* job, int64_t droplets, bench_result* out)
{
    (void)job;
    (void)droplets;
    *out = (bench_result){0};
    return false;
}

#endif
