// SPDX-License-Identifier: MIT
// wadi bench slab: seconds per step of slab dunes with all features, compared with the plain serial
// version, which has no plants and no deflection of the wind.
#include "cli/bench/bench.h"

#include <wadi/wadi.h>

#include <math.h>
#include <stdlib.h>

#if defined(WADI_WITH_REFERENCE)
#include "plain_slab.h"
#endif

enum
{
    SLAB_GROWN = 60, // untimed steps, until slip faces have formed
    SLAB_STEPS = 10, // per repetition: those between two surveys of the relief
    SLAB_PLAIN = 192 // cells along a side, plain version
};

// Random number of a generator that is the same on every machine.
static float slab_lot(uint32_t* state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) * (1.0f / 16777216.0f);
}

// Sand of 3 to 5 m on a periodic terrain, plants on a quarter of it.
static wadi_result slab_terrain(wadi_context* context, int32_t size, float* values,
                                wadi_terrain** out)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = size;
    def.height = size;
    def.cell_size = 1.0;
    for (int side = 0; side < 4; ++side)
    {
        def.edges[side] = WADI_EDGE_PERIODIC;
    }
    wadi_result result = wadi_terrain_create(context, &def, out);
    const ptrdiff_t cells = (ptrdiff_t)size * size;
    uint32_t state = 1;
    for (ptrdiff_t i = 0; i < cells; ++i)
    {
        values[i] = 3.0f + 2.0f * slab_lot(&state);
    }
    if (result == WADI_OK)
    {
        result = wadi_terrain_set_layer(*out, WADI_LAYER_SEDIMENT, values, size);
    }
    for (ptrdiff_t i = 0; i < cells; ++i)
    {
        const bool planted = i % size < size / 2 && i / size < size / 2;
        values[i] = planted ? 0.4f : 0.0f;
    }
    return result == WADI_OK ? wadi_terrain_set_layer(*out, WADI_LAYER_VEGETATION, values, size)
                             : result;
}

static wadi_dunes_params slab_params(wadi_context* context)
{
    wadi_dunes_params params = wadi_dunes_params_default();
    (void)wadi_process_apply_preset(context, &wadi_dunes_process, "paper", &params);
    params.speed = 6.0;
    params.slab_spread = 0.5;
    return params;
}

// Median time of a step [s].
static wadi_result slab_time(wadi_terrain* terrain, const wadi_dunes_params* params, double* out)
{
    const double hop = params->slab_hop * 10.0 / params->slab_wind;
    const double step = params->slab_thickness * hop / (params->slab_settle_sand * params->flux);
    wadi_solver* solver;
    wadi_result result = wadi_solver_create(terrain, &wadi_dunes_process, params, 0, &solver);
    if (result != WADI_OK)
    {
        return result;
    }
    result = wadi_solver_advance(solver, SLAB_GROWN * step);
    double seconds[BENCH_REPETITIONS] = {0};
    for (int32_t i = 0; result == WADI_OK && i < BENCH_REPETITIONS; ++i)
    {
        const double start = cli_seconds();
        result = wadi_solver_advance(solver, SLAB_STEPS * step);
        result = result == WADI_OK ? wadi_solver_finish(solver) : result;
        seconds[i] = (cli_seconds() - start) / SLAB_STEPS;
    }
    *out = bench_median(seconds, BENCH_REPETITIONS);
    wadi_solver_destroy(solver);
    return result;
}

static cli_status slab_once(int32_t size, int32_t threads, float* values, double* out)
{
    const cli_run_options run = {.threads = threads, .progress = CLI_PROGRESS_NONE};
    cli_session session;
    CLI_TRY(cli_session_open(&run, &session));
    wadi_terrain* terrain = NULL;
    const wadi_dunes_params params = slab_params(session.context);
    wadi_result result = slab_terrain(session.context, size, values, &terrain);
    if (result == WADI_OK)
    {
        result = slab_time(terrain, &params, out);
    }
    const cli_status status = cli_check(session.context, result);
    wadi_terrain_destroy(terrain);
    cli_session_close(&session);
    return status;
}

#if defined(WADI_WITH_REFERENCE)

// Time of a step of the plain version, scaled to size x size cells [s].
static double slab_plain(int32_t size)
{
    double* sand = malloc((size_t)SLAB_PLAIN * SLAB_PLAIN * sizeof *sand);
    if (sand == NULL)
    {
        return (double)NAN;
    }
    uint32_t state = 1;
    for (int32_t i = 0; i < SLAB_PLAIN * SLAB_PLAIN; ++i)
    {
        sand[i] = 3.0 + 2.0 * (double)slab_lot(&state);
    }
    plain_slab plain = {.size = SLAB_PLAIN,
                        .sand = sand,
                        .hop = 3.2,
                        .slab = 0.1,
                        .repose = 30.0,
                        .reptation = 0.1,
                        .state = 1};
    plain_slab_step(&plain); // warm-up: the initial noise slides
    const double start = cli_seconds();
    for (int32_t i = 0; i < SLAB_STEPS; ++i)
    {
        plain_slab_step(&plain);
    }
    const double seconds = (cli_seconds() - start) / SLAB_STEPS;
    free(sand);
    return seconds * ((double)size / SLAB_PLAIN) * ((double)size / SLAB_PLAIN);
}

#else

static double slab_plain(int32_t size)
{
    (void)size;
    return (double)NAN;
}

#endif

// Steps over bare sand, compared with the plain version.
static cli_status slab_rows(int32_t size, float* values, bench_rows* rows)
{
    const double plain = slab_plain(size);
    for (int32_t threads = 1; threads <= 2; ++threads)
    {
        double seconds = 0.0;
        CLI_TRY(slab_once(size, threads, values, &seconds));
        bench_add(rows, (bench_row){"slabs", size, threads, "step", "s", seconds, plain, true});
    }
    return CLI_DONE;
}

static cli_status slab_sizes(int32_t least, int32_t most, bench_rows* rows)
{
    float* values = malloc((size_t)most * (size_t)most * sizeof *values);
    if (values == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for a layer of %d cells a side", (int)most);
    }
    cli_status status = CLI_DONE;
    for (int32_t size = least; size <= most && status == CLI_DONE; size *= 2)
    {
        status = slab_rows(size, values, rows);
    }
    free(values);
    return status;
}

// Step counts of the scenes in table 1 of the article.
enum
{
    SLAB_DUNES = 300,
    SLAB_YARDANGS = 700,
    SLAB_MOUNTAIN = 500
};

cli_status bench_slab_at(int32_t size, bench_rows* rows)
{
    CLI_TRY(slab_sizes(size, size, rows));
    CLI_TRY(bench_slab_scene("slab-paper-dunes", size, SLAB_DUNES, rows));
    return bench_slab_scene("slab-paper-mountain", size, SLAB_MOUNTAIN, rows);
}

cli_status bench_slab(bool full, bench_rows* rows)
{
    CLI_TRY(slab_sizes(512, full ? 4096 : 1024, rows));
    CLI_TRY(bench_slab_scene("slab-paper-dunes", 512, SLAB_DUNES, rows));
    CLI_TRY(bench_slab_scene("slab-paper-yardangs", 512, SLAB_YARDANGS, rows));
    for (int32_t size = 1024; size <= (full ? 4096 : 1024); size *= 2)
    {
        CLI_TRY(bench_slab_scene("slab-paper-mountain", size, SLAB_MOUNTAIN, rows));
    }
    return CLI_DONE;
}
