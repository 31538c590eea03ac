// SPDX-License-Identifier: MIT
// wadi bench talus: settling of fresh heaps of sand compared with the plain serial version on the
// same heaps and with the memory bandwidth.
#include "cli/bench/bench.h"

#include <wadi/wadi.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#if defined(WADI_WITH_REFERENCE)
#include "plain_talus.h"
#endif

enum
{
    TALUS_SIZE = 1024,
    TALUS_CELLS = TALUS_SIZE * TALUS_SIZE,

    // memory traffic of one visit to a cell: read rock and sand, write and read the change, read
    // and write sand and rock
    TALUS_BYTES = 2 * 4 + 2 * 4 + 4 * 4,
    TRIAD_CELLS = 4 << 20
};

typedef struct talus_result
{
    double settle_s; // from fresh heaps to rest
    double look_s;   // one more pass at rest
    double cells;    // visited while settling
} talus_result;

// Height of a heap: up to 4 m on cells of 1 m (linear congruential generator, the same on every
// machine).
static float talus_heap(uint32_t* state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) * (4.0f / 16777216.0f);
}

static void talus_fill(float* heaps)
{
    uint32_t state = 1;
    for (int32_t i = 0; i < TALUS_CELLS; ++i)
    {
        heaps[i] = talus_heap(&state);
    }
}

static wadi_result talus_terrain(wadi_context* context, const float* heaps, wadi_terrain** out)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = TALUS_SIZE;
    def.height = TALUS_SIZE;
    def.cell_size = 1.0;
    for (int side = 0; side < 4; ++side)
    {
        def.edges[side] = WADI_EDGE_PERIODIC;
    }
    const wadi_result result = wadi_terrain_create(context, &def, out);
    return result == WADI_OK ? wadi_terrain_set_layer(*out, WADI_LAYER_SEDIMENT, heaps, TALUS_SIZE)
                             : result;
}

// Sliding only: no weathering, and rock is stable.
static wadi_talus_params talus_params(void)
{
    wadi_talus_params params = wadi_talus_params_default();
    params.weathering = 0.0;
    params.max_step = 1.0;
    params.rock_repose = 90.0;
    return params;
}

static wadi_result talus_settle(wadi_solver* solver, talus_result* out)
{
    const double start = cli_seconds();
    wadi_result result = wadi_solver_advance(solver, 1.0);
    const double settled = cli_seconds();
    wadi_work work[2];
    (void)wadi_solver_work(solver, work, 2);
    if (result == WADI_OK)
    {
        result = wadi_solver_advance(solver, 1.0);
    }
    *out = (talus_result){settled - start, cli_seconds() - settled, work[0].count};
    return result;
}

static cli_status talus_once(const float* heaps, int32_t threads, talus_result* out)
{
    const cli_run_options run = {.threads = threads, .progress = CLI_PROGRESS_NONE};
    const wadi_talus_params params = talus_params();
    cli_session session;
    *out = (talus_result){0};
    CLI_TRY(cli_session_open(&run, &session));
    wadi_terrain* terrain = NULL;
    wadi_solver* solver = NULL;
    wadi_result result = talus_terrain(session.context, heaps, &terrain);
    if (result == WADI_OK)
    {
        result = wadi_solver_create(terrain, &wadi_talus_process, &params, 0, &solver);
    }
    if (result == WADI_OK)
    {
        result = talus_settle(solver, out);
    }
    const cli_status status = cli_check(session.context, result);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    cli_session_close(&session);
    return status;
}

static cli_status talus_repeat(const float* heaps, int32_t threads, talus_result* out)
{
    double settle[BENCH_REPETITIONS];
    double look[BENCH_REPETITIONS];
    for (int32_t i = 0; i < BENCH_REPETITIONS; ++i)
    {
        CLI_TRY(talus_once(heaps, threads, out));
        settle[i] = out->settle_s;
        look[i] = out->look_s;
    }
    out->settle_s = bench_median(settle, BENCH_REPETITIONS);
    out->look_s = bench_median(look, BENCH_REPETITIONS);
    return CLI_DONE;
}

// ---- what it is measured against ----------------------------------------------------------------

// Memory bandwidth of a = b + s c on arrays larger than the caches, one thread [GB/s].
static double talus_triad(void)
{
    float* a = malloc(3 * (size_t)TRIAD_CELLS * sizeof *a);
    if (a == NULL)
    {
        return (double)NAN;
    }
    float* b = a + TRIAD_CELLS;
    float* c = b + TRIAD_CELLS;
    memset(a, 0, 3 * (size_t)TRIAD_CELLS * sizeof *a);
    double seconds[BENCH_REPETITIONS];
    for (int32_t i = 0; i < BENCH_REPETITIONS; ++i)
    {
        const double start = cli_seconds();
        for (int32_t k = 0; k < TRIAD_CELLS; ++k)
        {
            a[k] = b[k] + (float)i * c[k];
        }
        seconds[i] = cli_seconds() - start;
        b[i] = a[TRIAD_CELLS - 1 - i]; // prevents the compiler from dropping passes
    }
    free(a);
    return 12e-9 * TRIAD_CELLS / bench_median(seconds, BENCH_REPETITIONS);
}

#if defined(WADI_WITH_REFERENCE)

// Time of the plain version on the same heaps [s].
static double talus_plain(const float* heaps)
{
    const wadi_talus_params params = talus_params();
    const double degree = 3.14159265358979323846 / 180.0;
    int32_t* memory = calloc(3 * (size_t)TALUS_CELLS, sizeof *memory);
    if (memory == NULL)
    {
        return (double)NAN;
    }
    const plain_talus plain = {
        .width = TALUS_SIZE,
        .height = TALUS_SIZE,
        .periodic = true,
        .rock = memory,
        .sand = memory + TALUS_CELLS,
        .hold = (float)(WADI_UNITS_PER_METRE * tan(params.repose * degree)),
        .start = (float)(WADI_UNITS_PER_METRE * tan((params.repose + params.hysteresis) * degree)),
        .share = 0.25f,
        .change = memory + 2 * (ptrdiff_t)TALUS_CELLS,
    };
    for (int32_t i = 0; i < TALUS_CELLS; ++i)
    {
        plain.sand[i] = (int32_t)(heaps[i] * WADI_UNITS_PER_METRE);
    }
    const double start = cli_seconds();
    (void)plain_talus_relax(&plain);
    const double seconds = cli_seconds() - start;
    free(memory);
    return seconds;
}

#else

static double talus_plain(const float* heaps)
{
    (void)heaps;
    return (double)NAN;
}

#endif

static cli_status talus_rows(const float* heaps, bench_rows* rows)
{
    const double plain = talus_plain(heaps);
    for (int32_t threads = 1; threads <= 2; ++threads)
    {
        talus_result result = {0};
        CLI_TRY(talus_repeat(heaps, threads, &result));
        bench_add(rows, (bench_row){"heaps", TALUS_SIZE, threads, "fixpoint", "s", result.settle_s,
                                    plain, true});
        if (threads == 1)
        {
            const double rate = 1e-9 * TALUS_BYTES * result.cells / result.settle_s;
            bench_add(rows, (bench_row){"heaps", TALUS_SIZE, 1, "memory", "GB/s", rate,
                                        talus_triad(), false});
        }
        bench_add(rows, (bench_row){"at_rest", TALUS_SIZE, threads, "look", "ms",
                                    1e3 * result.look_s, (double)NAN, true});
    }
    return CLI_DONE;
}

cli_status bench_talus(bool full, bench_rows* rows)
{
    (void)full;
    float* heaps = malloc((size_t)TALUS_CELLS * sizeof *heaps);
    if (heaps == NULL)
    {
        return cli_fail(CLI_FAILED, "out of memory: the heaps take %d MB", TALUS_CELLS >> 18);
    }
    talus_fill(heaps);
    const cli_status status = talus_rows(heaps, rows);
    free(heaps);
    return status;
}
