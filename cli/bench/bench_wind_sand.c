// SPDX-License-Identifier: MIT
// wadi bench wind, default model: parcel steps per second, and time until a sand field has mature
// dunes (500 m2 of sand per metre across the wind).
#include "cli/bench/bench.h"

#include <wadi/wadi.h>

#include <math.h>
#include <stdlib.h>

typedef struct sand_job
{
    int32_t size;
    int32_t threads;
    double years;
} sand_job;

typedef struct sand_result
{
    double seconds;
    double steps;
} sand_result;

// A periodic field of 2 m cells and 4 m of sand with noise of 0.1 m, as in docs/theory/wind.md.
static wadi_result sand_terrain(wadi_context* context, int32_t size, wadi_terrain** out)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = size;
    def.height = size;
    def.cell_size = 2.0;
    def.seed = 1;
    for (int side = 0; side < 4; ++side)
    {
        def.edges[side] = WADI_EDGE_PERIODIC;
    }
    return wadi_terrain_create(context, &def, out);
}

static wadi_result sand_fill(wadi_terrain* terrain)
{
    const int32_t size = wadi_terrain_width(terrain);
    float* sand = malloc((size_t)size * (size_t)size * sizeof *sand);
    if (sand == NULL)
    {
        return wadi_context_fail(wadi_terrain_context(terrain), WADI_ERROR_MEMORY,
                                 "out of memory for %d x %d cells of sand", size, size);
    }
    wadi_noise_params noise = wadi_noise_params_default();
    noise.wavelength = 8.0;
    noise.relief = 0.2;
    noise.base = 3.9;
    noise.octaves = 2;
    wadi_result result =
        wadi_noise_fill(wadi_terrain_context(terrain), &noise, 1, size, size, 2.0, sand);
    result = result == WADI_OK ? wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, sand, size)
                               : result;
    free(sand);
    return result;
}

static wadi_result sand_blow(const sand_job* job, wadi_terrain* terrain, sand_result* out)
{
    wadi_solver* solver = NULL;
    wadi_result result = wadi_solver_create(terrain, &wadi_wind_process, NULL, 0, &solver);
    if (result == WADI_OK)
    {
        const double start = cli_seconds();
        result = wadi_solver_advance(solver, job->years);
        result = result == WADI_OK ? wadi_solver_finish(solver) : result;
        out->seconds = cli_seconds() - start;
        out->steps = bench_work(solver, "particle_steps");
    }
    wadi_solver_destroy(solver);
    return result;
}

static cli_status sand_run(const sand_job* job, sand_result* out)
{
    const cli_run_options run = {.threads = job->threads, .progress = CLI_PROGRESS_NONE};
    cli_session session;
    CLI_TRY(cli_session_open(&run, &session));
    wadi_terrain* terrain = NULL;
    wadi_result result = sand_terrain(session.context, job->size, &terrain);
    result = result == WADI_OK ? sand_fill(terrain) : result;
    result = result == WADI_OK ? sand_blow(job, terrain, out) : result;
    const cli_status status = cli_check(session.context, result);
    wadi_terrain_destroy(terrain);
    cli_session_close(&session);
    return status;
}

static cli_status sand_rate_row(int32_t size, bench_rows* rows)
{
    const sand_job job = {size, 1, 0.4};
    double rates[BENCH_REPETITIONS];
    for (int32_t i = 0; i < BENCH_REPETITIONS; ++i)
    {
        sand_result result;
        CLI_TRY(sand_run(&job, &result));
        rates[i] = 1e-6 * result.steps / result.seconds;
    }
    bench_add(rows, (bench_row){"default", size, 1, "particle_steps", "M/s",
                                bench_median(rates, BENCH_REPETITIONS), (double)NAN, false});
    return CLI_DONE;
}

// Measured once: it takes as long as all other rows together.
static cli_status sand_dunes_row(int32_t size, bench_rows* rows)
{
    const sand_job job = {size, 2, wadi_wind_process.default_years};
    sand_result result;
    CLI_TRY(sand_run(&job, &result));
    bench_add(rows, (bench_row){"default", size, 2, "mature_dunes", "s", result.seconds,
                                (double)NAN, true});
    return CLI_DONE;
}

cli_status bench_wind_sand(bool full, bench_rows* rows)
{
    CLI_TRY(sand_rate_row(1024, rows));
    CLI_TRY(sand_dunes_row(512, rows));
    return full ? sand_dunes_row(1024, rows) : CLI_DONE;
}
