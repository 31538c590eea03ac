// SPDX-License-Identifier: MIT
// wadi bench wind: the article's table and particle steps per second, compared with the article's
// kernel on the same sand in the same run.
#include "cli/bench/bench.h"

#include <wadi/wadi.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#if defined(WADI_WITH_REFERENCE)
#include "article_wind.h"
#endif

enum
{
    WIND_SEED = 1
};

// The article's scene: sand with a relief of 80 cells from one octave of noise with the map's size
// as wavelength; diagonal wind.
static const double wind_relief = 80.0;
static const double wind_cell = 1.0;

typedef struct wind_job
{
    int32_t size; // cells along each side
    int32_t threads;
    const char* preset;
    int64_t grains;
} wind_job;

typedef struct wind_result
{
    double seconds;
    double steps;
    double contacts; // sliding steps
} wind_result;

static wadi_result wind_sand(wadi_context* context, int32_t size, float* sand)
{
    wadi_noise_params noise = wadi_noise_params_default();
    noise.wavelength = size * wind_cell;
    noise.relief = wind_relief * wind_cell;
    noise.base = 0.0;
    noise.gain = 0.5;
    noise.octaves = 8;
    return wadi_noise_fill(context, &noise, WIND_SEED, size, size, wind_cell, sand);
}

static wadi_result wind_terrain(wadi_context* context, int32_t size, wadi_terrain** out)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = size;
    def.height = size;
    def.cell_size = wind_cell;
    def.seed = WIND_SEED;
    return wadi_terrain_create(context, &def, out);
}

static wadi_result wind_solver(const wind_job* job, wadi_terrain* terrain, wadi_solver** out)
{
    wadi_wind_params params = wadi_wind_params_default();
    const wadi_result result = wadi_process_apply_preset(wadi_terrain_context(terrain),
                                                         &wadi_wind_process, job->preset, &params);
    // emitters lie on the diagonal across the wind, sqrt(2) x size cells; + 0.5 against rounding
    params.grains_per_cell = ((double)job->grains + 0.5) / (sqrt(2.0) * job->size);
    return result == WADI_OK ? wadi_solver_create(terrain, &wadi_wind_process, &params, 0, out)
                             : result;
}

static wadi_result wind_advance(const wind_job* job, wadi_terrain* terrain, wind_result* out)
{
    wadi_solver* solver = NULL;
    wadi_result result = wind_solver(job, terrain, &solver);
    if (result == WADI_OK)
    {
        const double start = cli_seconds();
        result = wadi_solver_advance(solver, wadi_wind_process.default_years);
        result = result == WADI_OK ? wadi_solver_finish(solver) : result;
        result = result == WADI_OK ? wadi_solver_settle(solver) : result;
        out->seconds = cli_seconds() - start;
        out->steps = bench_work(solver, "particle_steps");
        out->contacts = bench_work(solver, "contacts");
    }
    wadi_solver_destroy(solver);
    return result;
}

static cli_status wind_run(const wind_job* job, const float* sand, wind_result* out)
{
    const cli_run_options run = {.threads = job->threads, .progress = CLI_PROGRESS_NONE};
    cli_session session;
    CLI_TRY(cli_session_open(&run, &session));
    wadi_terrain* terrain = NULL;
    wadi_result result = wind_terrain(session.context, job->size, &terrain);
    if (result == WADI_OK)
    {
        result = wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, sand, job->size);
    }
    if (result == WADI_OK)
    {
        result = wind_advance(job, terrain, out);
    }
    const cli_status status = cli_check(session.context, result);
    wadi_terrain_destroy(terrain);
    cli_session_close(&session);
    return status;
}

static cli_status wind_repeat(const wind_job* job, const float* sand, wind_result* out)
{
    double seconds[BENCH_REPETITIONS];
    for (int32_t i = 0; i < BENCH_REPETITIONS; ++i)
    {
        CLI_TRY(wind_run(job, sand, out));
        seconds[i] = out->seconds;
    }
    out->seconds = bench_median(seconds, BENCH_REPETITIONS);
    return CLI_DONE;
}

#if defined(WADI_WITH_REFERENCE)

// The article's kernel as released. NAN: out of memory.
static wind_result wind_article(const wind_job* job, const float* sand)
{
    const size_t cells = (size_t)job->size * (size_t)job->size;
    wind_result out = {(double)NAN, (double)NAN, (double)NAN};
    double* rock = calloc(cells, sizeof *rock);
    double* loose = malloc(cells * sizeof *loose);
    for (size_t i = 0; rock != NULL && loose != NULL && i < cells; ++i)
    {
        loose[i] = (double)sand[i] / (wind_relief * wind_cell);
    }
    if (rock != NULL && loose != NULL)
    {
        const article_wind_params params = strcmp(job->preset, "paper") == 0
                                               ? article_wind_params_text()
                                               : article_wind_params_release();
        const double start = cli_seconds();
        const article_wind_outcome sum =
            article_blow_literal(rock, loose, job->size, &params, job->grains, WIND_SEED);
        out.seconds = cli_seconds() - start;
        out.steps = (double)sum.steps;
        out.contacts = (double)sum.contacts;
    }
    free(rock);
    free(loose);
    return out;
}

#else

static wind_result wind_article(const wind_job* job, const float* sand)
{
    (void)job;
    (void)sand;
    return (wind_result){(double)NAN, (double)NAN, (double)NAN};
}

#endif

// The article's table: 250 grains at any grid size.
static cli_status wind_table_row(int32_t size, const float* sand, bench_rows* rows)
{
    const wind_job job = {size, 1, "paper-repo", 250};
    const wind_result article = wind_article(&job, sand);
    wind_result result;
    CLI_TRY(wind_repeat(&job, sand, &result));
    bench_add(rows, (bench_row){"table", size, 1, "time_250", "ms", 1e3 * result.seconds,
                                1e3 * article.seconds, true});
    return CLI_DONE;
}

// Steps per second with a full pool: a grain crosses 1024 cells in 15 000 steps.
static cli_status wind_rate_rows(int32_t size, const float* sand, bench_rows* rows)
{
    wind_job job = {size, 1, "paper", 200};
    const wind_result article = wind_article(&job, sand);
    const double reference = 1e-6 * article.steps / article.seconds;
    job.grains = (int64_t)size * size / 48;
    for (job.threads = 1; job.threads <= 2; ++job.threads)
    {
        wind_result result;
        CLI_TRY(wind_repeat(&job, sand, &result));
        bench_add(rows, (bench_row){"paper", size, job.threads, "particle_steps", "M/s",
                                    1e-6 * result.steps / result.seconds, reference, false});
        bench_add(rows, (bench_row){"paper", size, job.threads, "contact_share", "1",
                                    result.contacts / result.steps,
                                    article.contacts / article.steps, false});
    }
    return CLI_DONE;
}

static cli_status wind_size_rows(int32_t size, const float* sand, bench_rows* rows)
{
    CLI_TRY(wind_table_row(size, sand, rows));
    return size == 1024 ? wind_rate_rows(size, sand, rows) : CLI_DONE;
}

static cli_status wind_size(int32_t size, bench_rows* rows)
{
    const cli_run_options run = {.threads = 1, .progress = CLI_PROGRESS_NONE};
    cli_session session;
    CLI_TRY(cli_session_open(&run, &session));
    float* sand = malloc((size_t)size * (size_t)size * sizeof *sand);
    const wadi_result result =
        sand != NULL ? wind_sand(session.context, size, sand) : WADI_ERROR_MEMORY;
    cli_status status = cli_check(session.context, result);
    cli_session_close(&session);
    if (status == CLI_DONE)
    {
        status = wind_size_rows(size, sand, rows);
    }
    free(sand);
    return status;
}

cli_status bench_wind(bool full, bench_rows* rows)
{
    for (int32_t size = 128; size <= 1024; size *= 2)
    {
        CLI_TRY(wind_size(size, rows));
    }
    if (full)
    {
        CLI_TRY(wind_size(4096, rows));
    }
    return bench_wind_sand(full, rows);
}
