// SPDX-License-Identifier: MIT
// wadi bench sph: particle steps of water per second in a dam break, with many and with few
// neighbours.
#include "cli/bench/bench.h"

#include <wadi/sph.h>

#include <math.h>

enum
{
    SPH_WARM_STEPS = 20,
    SPH_PARTICLE_STEPS = 3 << 19 // per repetition
};

typedef struct sph_case
{
    const char* name;
    double smoothing;
} sph_case;

typedef struct sph_result
{
    double wall[BENCH_REPETITIONS]; // particle steps per second
    double cpu[BENCH_REPETITIONS];
    int32_t count;
    double neighbours;
} sph_result;

// A column of water 1.28 m x 0.64 m x 1.28 m without its gate.
static wadi_result sph_dam(wadi_context* context, double smoothing, wadi_sph** out)
{
    static const wadi_sph_wall walls[] = {{.normal = {0.0, 0.0, 1.0}},
                                          {.normal = {1.0, 0.0, 0.0}},
                                          {.normal = {0.0, 1.0, 0.0}},
                                          {.point = {0.0, 0.64, 0.0}, .normal = {0.0, -1.0, 0.0}}};
    const double low[3] = {0.0, 0.0, 0.0};
    const double high[3] = {1.28, 0.64, 1.28};
    wadi_sph_params params = wadi_sph_params_default();
    params.spacing = 0.02;
    params.smoothing = smoothing;
    params.sound_speed = 20.0 * sqrt(9.81 * high[2]);
    wadi_result result = wadi_sph_create(context, &params, out);
    for (size_t w = 0; w < sizeof walls / sizeof walls[0] && result == WADI_OK; ++w)
    {
        int32_t number;
        result = wadi_sph_add_wall(*out, &walls[w], &number);
    }
    result = result == WADI_OK ? wadi_sph_fill(*out, low, high, NULL) : result;
    return result == WADI_OK ? wadi_sph_advance(*out, SPH_WARM_STEPS) : result;
}

static wadi_result sph_time(wadi_sph* sph, sph_result* out)
{
    out->count = wadi_sph_count(sph);
    const int64_t steps = SPH_PARTICLE_STEPS / out->count + 1;
    const double work = (double)steps * (double)out->count;
    wadi_result result = WADI_OK;
    for (int32_t i = 0; i < BENCH_REPETITIONS && result == WADI_OK; ++i)
    {
        const double wall = cli_seconds();
        const double cpu = bench_cpu_seconds();
        result = wadi_sph_advance(sph, steps);
        out->wall[i] = work / (cli_seconds() - wall);
        out->cpu[i] = work / (bench_cpu_seconds() - cpu);
        const double neighbours = wadi_sph_summarize(sph).neighbours;
        out->neighbours = neighbours > 0.0 ? neighbours : out->neighbours;
    }
    return result;
}

static cli_status sph_once(const sph_case* what, int32_t threads, sph_result* out)
{
    const cli_run_options run = {.threads = threads, .progress = CLI_PROGRESS_NONE};
    cli_session session;
    CLI_TRY(cli_session_open(&run, &session));
    wadi_sph* sph = NULL;
    wadi_result result = sph_dam(session.context, what->smoothing, &sph);
    result = result == WADI_OK ? sph_time(sph, out) : result;
    const cli_status status = cli_check(session.context, result);
    wadi_sph_destroy(sph);
    cli_session_close(&session);
    return status;
}

static void sph_add(const sph_case* what, int32_t threads, sph_result* result, bench_rows* rows)
{
    const double none = (double)NAN;
    const double wall = bench_median(result->wall, BENCH_REPETITIONS);
    const double cpu = bench_median(result->cpu, BENCH_REPETITIONS);
    const int32_t count = result->count;
    bench_add(rows,
              (bench_row){what->name, count, threads, "particle_steps", "1/s", wall, none, false});
    bench_add(rows,
              (bench_row){what->name, count, threads, "steps_per_cpu", "1/s", cpu, none, false});
    if (threads == 1)
    {
        bench_add(rows, (bench_row){what->name, count, threads, "neighbours", "1",
                                    result->neighbours, none, false});
    }
}

cli_status bench_sph(bool full, bench_rows* rows)
{
    static const sph_case cases[] = {{"wide", 1.79}, {"narrow", 1.2}};
    (void)full;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
    {
        for (int32_t threads = 1; threads <= 2; ++threads)
        {
            sph_result result = {.count = 0};
            CLI_TRY(sph_once(&cases[i], threads, &result));
            sph_add(&cases[i], threads, &result, rows);
        }
    }
    return CLI_DONE;
}
