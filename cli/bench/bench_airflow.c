// SPDX-License-Identifier: MIT
// wadi bench airflow: wind over relief, including the survey of the ground, compared with direct
// Gaussian sums and upwind marching.
#include "cli/bench/bench.h"

#include <wadi/wadi.h>

#include <math.h>
#include <stdlib.h>

#if defined(WADI_WITH_REFERENCE)
#include "plain_airflow.h"
#endif

enum
{
    AIRFLOW_PLAIN = 192 // cells along a side, plain version
};

// A case: grid, threads, and deflection by relief.
typedef struct airflow_case
{
    int32_t size;
    int32_t threads;
    double warp;
} airflow_case;

// Height of dunes 8 m high and 64 m apart [m].
static double airflow_height(int32_t x, int32_t y)
{
    const double turn = 2.0 * 3.14159265358979323846 / 64.0;
    return 4.0 * sin(turn * x) * cos(0.5 * turn * y);
}

// A periodic terrain with 1 m cells and these dunes.
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
    for (int32_t i = 0; i < size * size; ++i)
    {
        heights[i] = (float)airflow_height(i % size, i / size);
    }
    const wadi_result result = wadi_terrain_create(context, &def, out);
    return result == WADI_OK ? wadi_terrain_set_layer(*out, WADI_LAYER_SURFACE, heights, size)
                             : result;
}

static wadi_airflow_params airflow_params(const airflow_case* c)
{
    wadi_airflow_params params = wadi_airflow_params_default();
    params.direction = 307.0;
    params.warp = c->warp;
    params.warp_wide_turn =
        300.0; // large, so that gentle dunes deflect a wind as much as mountains do
    return params;
}

// Median time of one wind field [ms].
static wadi_result airflow_time(wadi_terrain* terrain, const airflow_case* c, float* maps,
                                double* out)
{
    const int64_t cells = (int64_t)c->size * c->size;
    const wadi_airflow_params params = airflow_params(c);
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

#if defined(WADI_WITH_REFERENCE)

// Wind and shelter of all cells by the plain version; x and y are scratch.
static void airflow_plain_field(const plain_airflow* air, double* x, double* y)
{
    plain_airflow_wind(air, 10.0, 0.8, -0.6, x, y);
    for (int64_t cell = 0; cell < (int64_t)air->width * air->height; ++cell)
    {
        const double speed = hypot(x[cell], y[cell]);
        x[cell] = plain_airflow_shelter(air, cell, x[cell] / speed, y[cell] / speed);
    }
}

// Time of the plain version, scaled to the case's cells [ms]. Without deflection the ground is not
// smoothed, so that step is left out.
static double airflow_plain(const airflow_case* c)
{
    const int64_t cells = (int64_t)AIRFLOW_PLAIN * AIRFLOW_PLAIN;
    const wadi_airflow_params p = airflow_params(c);
    double* memory = malloc(3 * (size_t)cells * sizeof *memory);
    if (memory == NULL)
    {
        return (double)NAN;
    }
    for (int32_t i = 0; i < cells; ++i)
    {
        memory[i] = airflow_height(i % AIRFLOW_PLAIN, i / AIRFLOW_PLAIN);
    }
    const double least = c->warp > 0.0 ? 1.0 : 0.0;
    const plain_airflow air = {.width = AIRFLOW_PLAIN,
                               .height = AIRFLOW_PLAIN,
                               .cell = 1.0,
                               .level = memory,
                               .speedup = p.speedup,
                               .warp = p.warp,
                               .radius = {least * p.warp_wide, least * p.warp_narrow},
                               .turn = {p.warp_wide_turn, p.warp_narrow_turn},
                               .share = {p.warp_wide_share, 1.0 - p.warp_wide_share}};
    const double start = cli_seconds();
    airflow_plain_field(&air, memory + cells, memory + 2 * cells);
    const double ms = 1e3 * (cli_seconds() - start);
    free(memory);
    return ms * ((double)c->size / AIRFLOW_PLAIN) * ((double)c->size / AIRFLOW_PLAIN);
}

#else

static double airflow_plain(const airflow_case* c)
{
    (void)c;
    return (double)NAN;
}

#endif

static cli_status airflow_row(const airflow_case* c, float* maps, double plain, bench_rows* rows)
{
    double ms = 0.0;
    CLI_TRY(airflow_once(c, maps, &ms));
    bench_add(rows, (bench_row){.name = c->warp > 0.0 ? "turned" : "straight",
                                .size = c->size,
                                .threads = c->threads,
                                .metric = "field",
                                .unit = "ms",
                                .value = ms,
                                .reference = plain,
                                .less = true});
    return CLI_DONE;
}

// Measure one grid: with and without deflection, on one and two threads.
static cli_status airflow_size(int32_t size, float* maps, bench_rows* rows)
{
    for (int32_t k = 0; k < 2; ++k)
    {
        airflow_case c = {size, 1, k == 0 ? 0.0 : 10.0};
        const double plain = airflow_plain(&c);
        CLI_TRY(airflow_row(&c, maps, plain, rows));
        c.threads = 2;
        CLI_TRY(airflow_row(&c, maps, plain, rows));
    }
    return CLI_DONE;
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
        status = airflow_size(size, maps, rows);
    }
    free(maps);
    return status;
}
