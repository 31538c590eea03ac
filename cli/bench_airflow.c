// SPDX-License-Identifier: MIT
// wadi bench airflow: the wind over relief, survey of the ground included.
#include "bench.h"

#include <wadi/wadi.h>

#include <math.h>
#include <stdlib.h>

// A case: grid, threads, and how far relief turns the wind.
typedef struct airflow_case
{
    int32_t size;
    int32_t threads;
    double warp;
} airflow_case;

// A torus of 1 m cells with dunes of 8 m, 64 m apart.
static wadi_result airflow_terrain(wadi_context* context, int32_t size, float* heights,
                                   wadi_terrain** out)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = def.height = size;
    def.cell_size = 1.0;
    for (int side = 0; side < 4; ++side)
    {
        def.edges[side] = WADI_EDGE_PERIODIC;
    }
    const double turn = 2.0 * 3.14159265358979323846 / 64.0;
    for (int32_t i = 0; i < size * size; ++i)
    {
        heights[i] = (float)(4.0 * sin(turn * (i % size)) * cos(0.5 * turn * (double)(i / size)));
    }
    const wadi_result result = wadi_terrain_create(context, &def, out);
    return result == WADI_OK ? wadi_terrain_set_layer(*out, WADI_LAYER_SURFACE, heights, size)
                             : result;
}

// Milliseconds of one field, median.
static wadi_result airflow_time(wadi_terrain* terrain, const airflow_case* c, float* maps,
                                double* out)
{
    const int64_t cells = (int64_t)c->size * c->size;
    wadi_airflow_params params = wadi_airflow_params_default();
    params.direction = 307.0;
    params.warp = c->warp;
    params.warp_wide_turn = 300.0; // gentle dunes turn a wind as mountains do
    wadi_wind_field* field;
    wadi_result result = wadi_wind_field_create(terrain, &params, &field);
    double seconds[BENCH_REPETITIONS];
    for (int32_t i = 0; i < BENCH_REPETITIONS && result == WADI_OK; ++i)
    {
        const double start = cli_seconds();
        result = wadi_wind_field_compute(field, 0.0, maps, maps + cells, maps + 2 * cells);
        seconds[i] = cli_seconds() - start;
    }
    *out = result == WADI_OK ? 1e3 * bench_median(seconds, BENCH_REPETITIONS) : 0.0;
    wadi_wind_field_destroy(field);
    return result;
}

static cli_status airflow_once(const airflow_case* c, float* maps, double* out)
{
    const cli_run_options run = {.threads = c->threads, .progress = CLI_PROGRESS_NONE};
    cli_session session;
    CLI_TRY(cli_session_open(&run, &session));
    wadi_terrain* terrain = NULL;
    wadi_result result = airflow_terrain(session.context, c->size, maps, &terrain);
    result = result == WADI_OK ? airflow_time(terrain, c, maps, out) : result;
    const cli_status status = cli_check(session.context, result);
    wadi_terrain_destroy(terrain);
    cli_session_close(&session);
    return status;
}

cli_status bench_airflow(bool full, bench_rows* rows)
{
    const int32_t largest = full ? 4096 : 1024;
    float* maps = malloc(3 * (size_t)largest * (size_t)largest * sizeof *maps);
    if (maps == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for a wind field of %d cells a side", largest);
    }
    cli_status status = CLI_DONE;
    for (int32_t size = 512; size <= largest && status == CLI_DONE; size *= 2)
    {
        for (int32_t k = 0; k < 4 && status == CLI_DONE; ++k)
        {
            const airflow_case c = {size, 1 + k % 2, k < 2 ? 0.0 : 10.0};
            double ms = 0.0;
            status = airflow_once(&c, maps, &ms);
            bench_add(rows, (bench_row){.name = k < 2 ? "straight" : "turned",
                                        .size = size,
                                        .threads = c.threads,
                                        .metric = "field",
                                        .unit = "ms",
                                        .value = ms,
                                        .reference = (double)NAN,
                                        .less = true});
        }
    }
    free(maps);
    return status;
}
