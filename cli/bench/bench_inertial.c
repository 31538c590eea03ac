// SPDX-License-Identifier: MIT
// wadi bench flood, model inertial: steps of cells per second where all water moves, against a
// plain serial version on the same ground.
#include "cli/bench/bench.h"

#include <wadi/wadi.h>

#include <math.h>
#include <stdlib.h>

#if defined(WADI_WITH_REFERENCE)
#include "plain_inertial.h"
#endif

enum
{
    INERTIAL_SIDE = 512
};

static const double inertial_cell = 10.0;
static const double inertial_hours = 200.0 / 3600.0;

// Ground of 0 to 1 m under water that is 3 m high in the west and 2 m in the east.
static double inertial_bed(int32_t x, int32_t y)
{
    return 0.5 + 0.25 * sin(0.11 * x) + 0.25 * cos(0.07 * y);
}

static double inertial_depth(int32_t x, int32_t y)
{
    return (x < INERTIAL_SIDE / 2 ? 3.0 : 2.0) - inertial_bed(x, y);
}

static wadi_result inertial_terrain(wadi_context* context, wadi_terrain** out)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = def.height = INERTIAL_SIDE;
    def.cell_size = inertial_cell;
    for (int32_t side = 0; side < 4; ++side)
    {
        def.edges[side] = WADI_EDGE_CLOSED;
    }
    float* values = calloc((size_t)2 * INERTIAL_SIDE * INERTIAL_SIDE, sizeof *values);
    if (values == NULL)
    {
        return WADI_ERROR_MEMORY;
    }
    float* depth = values + (ptrdiff_t)INERTIAL_SIDE * INERTIAL_SIDE;
    for (int32_t i = 0; i < INERTIAL_SIDE * INERTIAL_SIDE; ++i)
    {
        values[i] = (float)inertial_bed(i % INERTIAL_SIDE, i / INERTIAL_SIDE);
        depth[i] = (float)inertial_depth(i % INERTIAL_SIDE, i / INERTIAL_SIDE);
    }
    wadi_result result = wadi_terrain_create(context, &def, out);
    result = result == WADI_OK
                 ? wadi_terrain_set_layer(*out, WADI_LAYER_BEDROCK, values, INERTIAL_SIDE)
                 : result;
    result = result == WADI_OK
                 ? wadi_terrain_set_layer(*out, WADI_LAYER_WATER, depth, INERTIAL_SIDE)
                 : result;
    free(values);
    return result;
}

// Steps of cells per second of processor time and of the clock.
static wadi_result inertial_measure(wadi_terrain* terrain, double rates[2])
{
    wadi_flood_params params = wadi_flood_params_default();
    params.model = WADI_FLOOD_INERTIAL;
    params.discharge = 0.0;
    wadi_solver* solver = NULL;
    wadi_result result = wadi_solver_create(terrain, &wadi_flood_process, &params, 0, &solver);
    const double start = cli_seconds();
    const double cpu = bench_cpu_seconds();
    result = result == WADI_OK ? wadi_solver_advance(solver, inertial_hours / 8766.0) : result;
    result = result == WADI_OK ? wadi_solver_finish(solver) : result;
    if (result == WADI_OK)
    {
        const double work = bench_work(solver, "cell_steps");
        rates[0] = work / (bench_cpu_seconds() - cpu);
        rates[1] = work / (cli_seconds() - start);
    }
    wadi_solver_destroy(solver);
    return result;
}

static cli_status inertial_once(int32_t threads, double rates[2])
{
    const cli_run_options run = {.threads = threads, .progress = CLI_PROGRESS_NONE};
    cli_session session;
    CLI_TRY(cli_session_open(&run, &session));
    wadi_terrain* terrain = NULL;
    wadi_result result = inertial_terrain(session.context, &terrain);
    result = result == WADI_OK ? inertial_measure(terrain, rates) : result;
    const cli_status status = cli_check(session.context, result);
    wadi_terrain_destroy(terrain);
    cli_session_close(&session);
    return status;
}

#if defined(WADI_WITH_REFERENCE)

static double inertial_plain(void)
{
    enum
    {
        CELLS = INERTIAL_SIDE * INERTIAL_SIDE
    };
    double* values = calloc((size_t)4 * CELLS, sizeof *values);
    if (values == NULL)
    {
        return (double)NAN;
    }
    plain_inertial plain = {.size = INERTIAL_SIDE,
                            .cell = inertial_cell,
                            .roughness = 0.035,
                            .courant = 0.6,
                            .bed = values,
                            .depth = values + CELLS,
                            .qx = values + (ptrdiff_t)2 * CELLS,
                            .qy = values + (ptrdiff_t)3 * CELLS};
    for (int32_t i = 0; i < CELLS; ++i)
    {
        plain.bed[i] = inertial_bed(i % INERTIAL_SIDE, i / INERTIAL_SIDE);
        plain.depth[i] = inertial_depth(i % INERTIAL_SIDE, i / INERTIAL_SIDE);
    }
    double steps = 0.0;
    const double cpu = bench_cpu_seconds();
    for (double time = 0.0; time < inertial_hours * 3600.0; steps += 1.0)
    {
        time += plain_inertial_step(&plain);
    }
    const double rate = steps * CELLS / (bench_cpu_seconds() - cpu);
    free(values);
    return rate;
}

#else

static double inertial_plain(void)
{
    return (double)NAN;
}

#endif

cli_status bench_inertial(bench_rows* rows)
{
    double plain[BENCH_REPETITIONS];
    for (int32_t i = 0; i < BENCH_REPETITIONS; ++i)
    {
        plain[i] = inertial_plain();
    }
    const double reference = bench_median(plain, BENCH_REPETITIONS);
    for (int32_t threads = 1; threads <= 2; ++threads)
    {
        double cpu[BENCH_REPETITIONS];
        double wall[BENCH_REPETITIONS];
        for (int32_t i = 0; i < BENCH_REPETITIONS; ++i)
        {
            double rates[2] = {0.0, 0.0};
            CLI_TRY(inertial_once(threads, rates));
            cpu[i] = rates[0];
            wall[i] = rates[1];
        }
        bench_add(rows, (bench_row){"inertial", INERTIAL_SIDE, threads, "cells_per_cpu", "1/s",
                                    bench_median(cpu, BENCH_REPETITIONS), reference, false});
        bench_add(rows, (bench_row){"inertial", INERTIAL_SIDE, threads, "cells", "1/s",
                                    bench_median(wall, BENCH_REPETITIONS), reference, false});
    }
    return CLI_DONE;
}
