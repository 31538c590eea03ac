// SPDX-License-Identifier: MIT
// wadi bench flood: floods and regulated channels over rough ground that slopes to the east.
#include "cli/bench/bench.h"

#include <wadi/wadi.h>

#include <math.h>
#include <stdlib.h>

typedef struct flood_cost
{
    double seconds;
    double cpu; // of all threads [s]
} flood_cost;

// Noise of 20 m on a slope of 0.01, cells of 10 m.
static wadi_result flood_ground(wadi_terrain* terrain)
{
    wadi_context* context = wadi_terrain_context(terrain);
    const int32_t size = wadi_terrain_width(terrain);
    wadi_noise_params noise = wadi_noise_params_default();
    noise.relief = 20.0;
    noise.wavelength = 64.0 * bench_cell;
    float* heights = calloc((size_t)size * (size_t)size, sizeof *heights);
    if (heights == NULL)
    {
        return WADI_ERROR_MEMORY;
    }
    wadi_result result = wadi_noise_fill(context, &noise, 1, size, size, bench_cell, heights);
    for (int32_t i = 0; i < size * size; ++i)
    {
        heights[i] += (float)(0.01 * bench_cell) * (float)(size - i % size);
    }
    result = result == WADI_OK ? wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, heights, size)
                               : result;
    free(heights);
    return result;
}

static wadi_result flood_advance(wadi_terrain* terrain, const wadi_process* process,
                                 flood_cost* out)
{
    wadi_solver* solver = NULL;
    const double start = cli_seconds();
    const double cpu = bench_cpu_seconds();
    wadi_result result = wadi_solver_create(terrain, process, NULL, 0, &solver);
    result = result == WADI_OK ? wadi_solver_advance(solver, 1.0) : result;
    wadi_solver_destroy(solver);
    out->seconds = cli_seconds() - start;
    out->cpu = bench_cpu_seconds() - cpu;
    return result;
}

static cli_status flood_once(const wadi_process* process, int32_t size, int32_t threads,
                             flood_cost* out)
{
    const cli_run_options run = {.threads = threads, .progress = CLI_PROGRESS_NONE};
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = def.height = size;
    def.cell_size = bench_cell;
    cli_session session;
    CLI_TRY(cli_session_open(&run, &session));
    wadi_terrain* terrain = NULL;
    wadi_result result = wadi_terrain_create(session.context, &def, &terrain);
    result = result == WADI_OK ? flood_ground(terrain) : result;
    result = result == WADI_OK ? flood_advance(terrain, process, out) : result;
    const cli_status status = cli_check(session.context, result);
    wadi_terrain_destroy(terrain);
    cli_session_close(&session);
    return status;
}

static cli_status flood_rows(const wadi_process* process, int32_t size, bench_rows* rows)
{
    for (int32_t threads = 1; threads <= 2; ++threads)
    {
        double seconds[BENCH_REPETITIONS];
        double cpu[BENCH_REPETITIONS];
        for (int32_t i = 0; i < BENCH_REPETITIONS; ++i)
        {
            flood_cost cost = {0};
            CLI_TRY(flood_once(process, size, threads, &cost));
            seconds[i] = cost.seconds;
            cpu[i] = cost.cpu;
        }
        bench_add(rows, (bench_row){process->name, size, threads, "time", "s",
                                    bench_median(seconds, BENCH_REPETITIONS), (double)NAN, true});
        bench_add(rows, (bench_row){process->name, size, threads, "cpu", "s",
                                    bench_median(cpu, BENCH_REPETITIONS), (double)NAN, true});
    }
    return CLI_DONE;
}

cli_status bench_flood(bool full, bench_rows* rows)
{
    CLI_TRY(flood_rows(&wadi_flood_process, 512, rows));
    CLI_TRY(flood_rows(&wadi_regulate_process, 512, rows));
    CLI_TRY(bench_inertial(rows));
    return full ? flood_rows(&wadi_flood_process, 4096, rows) : CLI_DONE;
}
