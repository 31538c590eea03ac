// SPDX-License-Identifier: MIT
// wadi bench amplify: a window of a field of dunes on fine cells, with sharp brinks and ripples.
#include "cli/bench/bench.h"

#include <wadi/wadi.h>

#include <math.h>
#include <stdlib.h>

enum
{
    AMPLIFY_CELLS = 256 // cells along a side of the terrain
};

static const double amplify_coarse = 2.0; // cells of the terrain [m]
static const double amplify_fine = 0.01;  // cells of the window [m]

// A case: cells along a side of the window, threads, and what is written.
typedef struct amplify_case
{
    int32_t size;
    int32_t threads;
    bool displacement;
} amplify_case;

// Oblique dunes 6 m high and 64 m apart, with slip faces of 33 degrees [m].
static double amplify_height(int32_t x, int32_t y)
{
    const double way = (x + 0.25 * y) / 32.0;
    const double phase = way - floor(way);
    return phase < 0.85 ? 6.0 * phase / 0.85 : 6.0 * (1.0 - phase) / 0.15;
}

static wadi_result amplify_terrain(wadi_context* context, wadi_terrain** out)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = def.height = AMPLIFY_CELLS;
    def.cell_size = amplify_coarse;
    for (int side = 0; side < 4; ++side)
    {
        def.edges[side] = WADI_EDGE_PERIODIC;
    }
    static float heights[AMPLIFY_CELLS * AMPLIFY_CELLS];
    for (int32_t i = 0; i < AMPLIFY_CELLS * AMPLIFY_CELLS; ++i)
    {
        heights[i] = (float)amplify_height(i % AMPLIFY_CELLS, i / AMPLIFY_CELLS);
    }
    const wadi_result result = wadi_terrain_create(context, &def, out);
    return result == WADI_OK
               ? wadi_terrain_set_layer(*out, WADI_LAYER_SEDIMENT, heights, AMPLIFY_CELLS)
               : result;
}

// Times of one window, as medians.
typedef struct amplify_times
{
    double wall; // [s]
    double cpu;  // of all threads [s]
} amplify_times;

static wadi_result amplify_measure(wadi_terrain* terrain, const amplify_case* c, float* heights,
                                   amplify_times* out)
{
    wadi_amplify_params params = wadi_amplify_params_default();
    params.x = 100.0;
    params.y = 100.0;
    params.width = params.height = c->size * amplify_fine;
    params.cell = amplify_fine;
    params.displacement = c->displacement;
    double wall[BENCH_REPETITIONS];
    double cpu[BENCH_REPETITIONS];
    wadi_result result = WADI_OK;
    for (int32_t i = 0; i < BENCH_REPETITIONS && result == WADI_OK; ++i)
    {
        const double start = cli_seconds();
        const double before = bench_cpu_seconds();
        result = wadi_amplify(terrain, &params, heights);
        cpu[i] = bench_cpu_seconds() - before;
        wall[i] = cli_seconds() - start;
    }
    *out = result != WADI_OK ? (amplify_times){0.0, 0.0}
                             : (amplify_times){bench_median(wall, BENCH_REPETITIONS),
                                               bench_median(cpu, BENCH_REPETITIONS)};
    return result;
}

static cli_status amplify_once(const amplify_case* c, float* heights, amplify_times* out)
{
    const cli_run_options run = {.threads = c->threads, .progress = CLI_PROGRESS_NONE};
    cli_session session;
    CLI_TRY(cli_session_open(&run, &session));
    wadi_terrain* terrain = NULL;
    wadi_result result = amplify_terrain(session.context, &terrain);
    result = result == WADI_OK ? amplify_measure(terrain, c, heights, out) : result;
    const cli_status status = cli_check(session.context, result);
    wadi_terrain_destroy(terrain);
    cli_session_close(&session);
    return status;
}

static cli_status amplify_row(const amplify_case* c, float* heights, bench_rows* rows)
{
    amplify_times times = {0.0, 0.0};
    CLI_TRY(amplify_once(c, heights, &times));
    bench_row row = {.name = c->displacement ? "displacement" : "heights",
                     .size = c->size,
                     .threads = c->threads,
                     .metric = "window",
                     .unit = "ms",
                     .value = 1e3 * times.wall,
                     .reference = (double)NAN,
                     .less = true};
    bench_add(rows, row);
    row.metric = "cpu_per_cell";
    row.unit = "ns";
    row.value = 1e9 * times.cpu / ((double)c->size * c->size);
    bench_add(rows, row);
    return CLI_DONE;
}

cli_status bench_amplify_at(int32_t size, bench_rows* rows)
{
    float* heights = malloc((size_t)size * (size_t)size * sizeof *heights);
    if (heights == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory for a window of %d cells a side", (int)size);
    }
    cli_status status = CLI_DONE;
    for (int32_t k = 0; k < 4 && status == CLI_DONE; ++k)
    {
        const amplify_case c = {size, 1 + k % 2, k >= 2};
        status = amplify_row(&c, heights, rows);
    }
    free(heights);
    return status;
}

cli_status bench_amplify(bool full, bench_rows* rows)
{
    cli_status status = CLI_DONE;
    for (int32_t size = 512; size <= (full ? 4096 : 1024) && status == CLI_DONE; size *= 2)
    {
        status = bench_amplify_at(size, rows);
    }
    return status;
}
