// SPDX-License-Identifier: MIT
// wadi bench dunes: seconds per step of the flux mode, on young dunes and on mature ones whose slip
// faces avalanche in every step; also with plants, walls and abrasion. There is no plain serial
// version.
#include "cli/bench/bench.h"

#include <wadi/wadi.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct dunes_job
{
    int32_t size;
    int32_t threads;
    bool everything; // plants, walls and abrasion
} dunes_job;

typedef struct dunes_result
{
    double young;  // [s] per step
    double mature; // [s] per step
    double year;   // [s] per simulated year of mature dunes
    double steps;  // in that year
    double peak;   // [byte] of memory
} dunes_result;

static const double dunes_cell = 2.0;     // [m]
static const double dunes_young = 1.0;    // [yr] after flat sand
static const double dunes_between = 14.0; // [yr] until slip faces form
static const double dunes_mature = 1.0;   // [yr]

static wadi_result dunes_terrain(wadi_context* context, int32_t size, wadi_terrain** out)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = size;
    def.height = size;
    def.cell_size = dunes_cell;
    for (int side = 0; side < 4; ++side)
    {
        def.edges[side] = WADI_EDGE_PERIODIC;
    }
    return wadi_terrain_create(context, &def, out);
}

// Sand of 4 m with noise of 0.2 m. In blocks of 64 x 64 cells: 16 x 16 cells of bushes in one
// block, a wall in another.
static void dunes_fill(int32_t size, float* sand, float* plants, float* rock)
{
    uint32_t state = 1;
    for (int32_t i = 0; i < size * size; ++i)
    {
        const int32_t x = i % size;
        const int32_t y = i / size;
        state = state * 1664525u + 1013904223u;
        sand[i] = 3.9f + (float)(state >> 8) * (0.2f / 16777216.0f);
        plants[i] = x % 256 < 32 && y % 256 < 32 ? 0.5f : 0.0f;
        rock[i] = x % 256 >= 128 && x % 256 < 144 && y % 256 >= 128 && y % 256 < 160 ? 12.0f : 0.0f;
    }
}

static wadi_result dunes_lay(wadi_terrain* terrain, const dunes_job* job, float* memory)
{
    const size_t cells = (size_t)job->size * (size_t)job->size;
    dunes_fill(job->size, memory, memory + cells, memory + 2 * cells);
    wadi_result result = wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, memory, job->size);
    if (result == WADI_OK && job->everything)
    {
        result = wadi_terrain_set_layer(terrain, WADI_LAYER_VEGETATION, memory + cells, job->size);
    }
    if (result == WADI_OK && job->everything)
    {
        result = wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, memory + 2 * cells, job->size);
    }
    return result;
}

static double dunes_steps(const wadi_solver* solver)
{
    wadi_work work[8];
    const int32_t count = wadi_solver_work(solver, work, 8);
    for (int32_t i = 0; i < count && i < 8; ++i)
    {
        if (strcmp(work[i].name, "steps") == 0)
        {
            return work[i].count;
        }
    }
    return (double)NAN;
}

static wadi_result dunes_time(wadi_solver* solver, double years, double* out)
{
    const double before = dunes_steps(solver);
    const double start = cli_seconds();
    wadi_result result = wadi_solver_advance(solver, years);
    result = result == WADI_OK ? wadi_solver_finish(solver) : result;
    *out = (cli_seconds() - start) / (dunes_steps(solver) - before);
    return result;
}

static wadi_result dunes_blow(wadi_solver* solver, cli_stages* stages, dunes_result* out)
{
    double between;
    wadi_result result = dunes_time(solver, dunes_young, &out->young);
    result = result == WADI_OK ? dunes_time(solver, dunes_between, &between) : result;
    *stages = (cli_stages){.count = 0}; // count mature dunes only
    const double before = dunes_steps(solver);
    const double start = cli_seconds();
    result = result == WADI_OK ? dunes_time(solver, dunes_mature, &out->mature) : result;
    out->year = (cli_seconds() - start) / dunes_mature;
    out->steps = dunes_steps(solver) - before;
    return result;
}

static wadi_result dunes_run(wadi_terrain* terrain, const dunes_job* job, float* memory,
                             cli_stages* stages, dunes_result* out)
{
    wadi_dunes_params params = wadi_dunes_params_default();
    params.direction = 290.0;
    params.abrasion = job->everything ? 0.01 : 0.0;
    wadi_solver* solver = NULL;
    wadi_result result = dunes_lay(terrain, job, memory);
    if (result == WADI_OK)
    {
        result = wadi_solver_create(terrain, &wadi_dunes_process, &params, 0, &solver);
    }
    result = result == WADI_OK ? dunes_blow(solver, stages, out) : result;
    wadi_solver_destroy(solver);
    return result;
}

static cli_status dunes_once(const dunes_job* job, cli_stages* stages, dunes_result* out)
{
    const cli_run_options run = {.threads = job->threads, .progress = CLI_PROGRESS_NONE};
    cli_session session;
    CLI_TRY(cli_session_open(&run, &session));
    wadi_terrain* terrain = NULL;
    float* memory = malloc(3 * (size_t)job->size * (size_t)job->size * sizeof *memory);
    wadi_result result =
        memory != NULL ? dunes_terrain(session.context, job->size, &terrain) : WADI_ERROR_MEMORY;
    result = result == WADI_OK ? dunes_run(terrain, job, memory, &session.stages, out) : result;
    *stages = session.stages;
    out->peak = (double)wadi_memory_peak(session.context);
    const cli_status status = cli_check(session.context, result);
    wadi_terrain_destroy(terrain);
    free(memory);
    cli_session_close(&session);
    return status;
}

static cli_status dunes_rows(const char* name, int32_t size, bool everything, bench_rows* rows)
{
    dunes_job job = {size, 1, everything};
    for (job.threads = 1; job.threads <= 2; ++job.threads)
    {
        dunes_result result = {0};
        cli_stages stages;
        CLI_TRY(dunes_once(&job, &stages, &result));
        bench_add(rows, (bench_row){name, size, job.threads, "young_step", "s", result.young,
                                    (double)NAN, true});
        bench_add(rows, (bench_row){name, size, job.threads, "mature_step", "s", result.mature,
                                    (double)NAN, true});
        bench_add(rows, (bench_row){name, size, job.threads, "mature_year", "s", result.year,
                                    (double)NAN, true});
        bench_add(rows, (bench_row){name, size, job.threads, "memory", "MB", result.peak * 1e-6,
                                    (double)NAN, true});
        bench_add_stages(rows, &stages, result.steps,
                         (bench_row){.name = name,
                                     .size = size,
                                     .threads = job.threads,
                                     .unit = "s",
                                     .reference = (double)NAN,
                                     .less = true});
    }
    return CLI_DONE;
}

cli_status bench_dunes_at(int32_t size, bench_rows* rows)
{
    CLI_TRY(dunes_rows("flux", size, false, rows));
    return dunes_rows("flux_everything", size, true, rows);
}

cli_status bench_dunes(bool full, bench_rows* rows)
{
    CLI_TRY(bench_dunes_at(512, rows));
    return full ? dunes_rows("flux_everything", 1024, true, rows) : CLI_DONE;
}
