// SPDX-License-Identifier: MIT
// wadi bench riverbed: the paper's particles on a plain compared with the plain serial version and
// the memory bandwidth; cost of moving an emitter; linearity of time in particles.
#include "cli/bench/bench.h"

#include <wadi/wadi.h>

#include <math.h>
#include <stdlib.h>

#if defined(WADI_WITH_REFERENCE)
#include "plain_riverbed.h"
#endif

enum
{
    RIVERBED_SAMPLE = 40, // particles of the plain version; its time is scaled
    RIVERBED_COUNTS = 4,
    TRIAD_CELLS = 4 << 20
};

typedef struct riverbed_job
{
    int32_t size;
    int32_t particles;
    int32_t threads;
} riverbed_job;

typedef struct riverbed_result
{
    double advance_s;
    double advance_cpu; // summed over threads [s]
    double redraw_s;    // including creation and destruction of the solver
    double steps;
} riverbed_result;

// The paper's particles in a window of a quarter of the side, on a bed of metres.
static wadi_riverbed_params riverbed_params(const riverbed_job* job)
{
    wadi_riverbed_params params = wadi_riverbed_params_default();
    params.model = WADI_RIVERBED_PAPER;
    params.water = false;
    params.quantity = job->particles;
    params.rate = 1e9;
    params.width = 0.25 * job->size;
    params.kappa = 20.0 / job->particles;
    return params;
}

static wadi_result riverbed_draw(wadi_terrain* terrain, const riverbed_job* job,
                                 riverbed_result* out)
{
    const wadi_riverbed_params params = riverbed_params(job);
    wadi_solver* solver = NULL;
    const double start = cli_seconds();
    wadi_result result = wadi_solver_create(terrain, &wadi_riverbed_process, &params, 0, &solver);
    const double made = cli_seconds();
    const double cpu = bench_cpu_seconds();
    if (result == WADI_OK)
    {
        wadi_work work[2];
        result = wadi_solver_advance(solver, 1.0);
        out->advance_s = cli_seconds() - made;
        out->advance_cpu = bench_cpu_seconds() - cpu;
        (void)wadi_solver_work(solver, work, 2);
        out->steps = work[1].count;
    }
    wadi_solver_destroy(solver);
    out->redraw_s = cli_seconds() - start;
    return result;
}

static cli_status riverbed_once(const riverbed_job* job, riverbed_result* out)
{
    const cli_run_options run = {.threads = job->threads, .progress = CLI_PROGRESS_NONE};
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = job->size;
    def.height = job->size;
    def.cell_size = bench_cell;
    cli_session session;
    *out = (riverbed_result){0};
    CLI_TRY(cli_session_open(&run, &session));
    wadi_terrain* terrain = NULL;
    wadi_result result = wadi_terrain_create(session.context, &def, &terrain);
    if (result == WADI_OK)
    {
        result = riverbed_draw(terrain, job, out);
    }
    const cli_status status = cli_check(session.context, result);
    wadi_terrain_destroy(terrain);
    cli_session_close(&session);
    return status;
}

static cli_status riverbed_repeat(const riverbed_job* job, riverbed_result* out)
{
    double advance[BENCH_REPETITIONS];
    double cpu[BENCH_REPETITIONS];
    double redraw[BENCH_REPETITIONS];
    for (int32_t i = 0; i < BENCH_REPETITIONS; ++i)
    {
        CLI_TRY(riverbed_once(job, out));
        advance[i] = out->advance_s;
        cpu[i] = out->advance_cpu;
        redraw[i] = out->redraw_s;
    }
    out->advance_s = bench_median(advance, BENCH_REPETITIONS);
    out->advance_cpu = bench_median(cpu, BENCH_REPETITIONS);
    out->redraw_s = bench_median(redraw, BENCH_REPETITIONS);
    return CLI_DONE;
}

// ---- what it is measured against ----------------------------------------------------------------

// Memory bandwidth of a = b + s c on arrays larger than the caches, one thread [GB/s]. It uses
// processor time, like the results it is compared with, so that other load on the machine affects
// both equally.
static double riverbed_triad(void)
{
    float* a = calloc(3 * (size_t)TRIAD_CELLS, sizeof *a);
    if (a == NULL)
    {
        return (double)NAN;
    }
    float* b = a + TRIAD_CELLS;
    float* c = b + TRIAD_CELLS;
    for (int32_t k = 0; k < 2 * TRIAD_CELLS; ++k)
    {
        b[k] = 1.0f; // otherwise all pages would be the same zero page and stay in cache
    }
    double seconds[BENCH_REPETITIONS];
    for (int32_t i = 0; i < BENCH_REPETITIONS; ++i)
    {
        const double start = bench_cpu_seconds();
        for (int32_t k = 0; k < TRIAD_CELLS; ++k)
        {
            a[k] = b[k] + (float)(i + 1) * c[k];
        }
        seconds[i] = bench_cpu_seconds() - start;
        b[i] = a[TRIAD_CELLS - 1 - i] + 1.0f; // prevents the compiler from dropping passes
    }
    free(a);
    return 12e-9 * TRIAD_CELLS / bench_median(seconds, BENCH_REPETITIONS);
}

#if defined(WADI_WITH_REFERENCE)

// Time of the plain version [s], scaled from a sample of particles.
static double riverbed_plain(const riverbed_job* job)
{
    const size_t cells = (size_t)job->size * (size_t)job->size;
    double* ground = calloc(2 * cells, sizeof *ground);
    if (ground == NULL)
    {
        return (double)NAN;
    }
    for (size_t i = 0; i < cells; ++i)
    {
        ground[cells + i] = 1.0;
    }
    const wadi_riverbed_params params = riverbed_params(job);
    const plain_riverbed bed = {.width = job->size,
                                .height = job->size,
                                .ground = ground,
                                .susceptibility = ground + cells,
                                .size = params.size,
                                .step = params.step,
                                .radius = params.radius,
                                .turn = params.turn * 3.14159265358979323846 / 180.0,
                                .kappa = params.kappa};
    const double start = cli_seconds();
    for (int32_t i = 0; i < RIVERBED_SAMPLE; ++i)
    {
        const double aside = params.width * ((i + 0.5) / RIVERBED_SAMPLE - 0.5);
        (void)plain_riverbed_roll(&bed, -0.5, 0.5 * job->size + aside);
    }
    const double seconds = cli_seconds() - start;
    free(ground);
    return seconds * job->particles / RIVERBED_SAMPLE;
}

#else

static double riverbed_plain(const riverbed_job* job)
{
    (void)job;
    return (double)NAN;
}

#endif

// ---- rows ---------------------------------------------------------------------------------------

static cli_status riverbed_stamp_rows(riverbed_job job, bench_rows* rows)
{
    const double plain = riverbed_plain(&job);
    for (job.threads = 1; job.threads <= 2; ++job.threads)
    {
        riverbed_result result;
        CLI_TRY(riverbed_repeat(&job, &result));
        bench_add(rows, (bench_row){"particles", job.size, job.threads, "time", "s",
                                    result.advance_s, plain, true});
        if (job.threads == 1)
        {
            // each cell within s = 3 is read and written, 4 bytes each
            const double bytes = 8.0 * 9.0 * 3.14159265358979323846 * result.steps;
            bench_add(rows,
                      (bench_row){"particles", job.size, 1, "memory", "GB/s",
                                  1e-9 * bytes / result.advance_cpu, riverbed_triad(), false});
        }
    }
    return CLI_DONE;
}

static cli_status riverbed_redraw_rows(bench_rows* rows)
{
    riverbed_job job = {.size = 512, .particles = 200};
    for (job.threads = 1; job.threads <= 2; ++job.threads)
    {
        riverbed_result result;
        CLI_TRY(riverbed_repeat(&job, &result));
        bench_add(rows, (bench_row){"redraw", job.size, job.threads, "time", "ms",
                                    1e3 * result.redraw_s, (double)NAN, true});
    }
    return CLI_DONE;
}

// A river of 100 m3/s over a plain with 4 m cells and an eastward slope of 0.006.
static wadi_result riverbed_tilt(wadi_terrain* terrain)
{
    const int32_t size = wadi_terrain_width(terrain);
    float* heights = calloc((size_t)size * (size_t)size, sizeof *heights);
    if (heights == NULL)
    {
        return WADI_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < size * size; ++i)
    {
        heights[i] = 0.024f * (float)(size - i % size);
    }
    const wadi_result result = wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, heights, size);
    free(heights);
    return result;
}

// Wall time and processor time; the latter is reliable on a busy machine.
static cli_status riverbed_graded_once(const riverbed_job* job, double* seconds, double* cpu)
{
    const cli_run_options run = {.threads = job->threads, .progress = CLI_PROGRESS_NONE};
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = def.height = job->size;
    def.cell_size = 4.0;
    cli_session session;
    CLI_TRY(cli_session_open(&run, &session));
    wadi_terrain* terrain = NULL;
    wadi_solver* solver = NULL;
    wadi_result result = wadi_terrain_create(session.context, &def, &terrain);
    result = result == WADI_OK ? riverbed_tilt(terrain) : result;
    const double start = cli_seconds();
    const double cpu_start = bench_cpu_seconds();
    if (result == WADI_OK)
    {
        result = wadi_solver_create(terrain, &wadi_riverbed_process, NULL, 0, &solver);
    }
    result = result == WADI_OK ? wadi_solver_advance(solver, 1.0) : result;
    wadi_solver_destroy(solver);
    *seconds = cli_seconds() - start;
    *cpu = bench_cpu_seconds() - cpu_start;
    const cli_status status = cli_check(session.context, result);
    wadi_terrain_destroy(terrain);
    cli_session_close(&session);
    return status;
}

static cli_status riverbed_graded_rows(bench_rows* rows)
{
    riverbed_job job = {.size = 512};
    for (job.threads = 1; job.threads <= 2; ++job.threads)
    {
        double seconds[BENCH_REPETITIONS];
        double cpu[BENCH_REPETITIONS];
        for (int32_t i = 0; i < BENCH_REPETITIONS; ++i)
        {
            CLI_TRY(riverbed_graded_once(&job, &seconds[i], &cpu[i]));
        }
        bench_add(rows, (bench_row){"graded", job.size, job.threads, "time", "s",
                                    bench_median(seconds, BENCH_REPETITIONS), (double)NAN, true});
        bench_add(rows, (bench_row){"graded", job.size, job.threads, "cpu", "s",
                                    bench_median(cpu, BENCH_REPETITIONS), (double)NAN, true});
    }
    return CLI_DONE;
}

// R2 of the linear regression of y on x.
static double riverbed_straightness(const double* x, const double* y, int32_t count)
{
    double mx = 0.0;
    double my = 0.0;
    for (int32_t i = 0; i < count; ++i)
    {
        mx += x[i] / count;
        my += y[i] / count;
    }
    double xx = 0.0;
    double xy = 0.0;
    double yy = 0.0;
    for (int32_t i = 0; i < count; ++i)
    {
        xx += (x[i] - mx) * (x[i] - mx);
        xy += (x[i] - mx) * (y[i] - my);
        yy += (y[i] - my) * (y[i] - my);
    }
    return xy * xy / (xx * yy);
}

// The paper claims time linear in particles; test from 10^2 to 10^4, or 10^5 with `full`.
static cli_status riverbed_linear_rows(bool full, bench_rows* rows)
{
    static const int32_t short_counts[RIVERBED_COUNTS] = {100, 1000, 3000, 10000};
    static const int32_t full_counts[RIVERBED_COUNTS] = {100, 1000, 10000, 100000};
    double x[RIVERBED_COUNTS];
    double y[RIVERBED_COUNTS];
    for (int i = 0; i < RIVERBED_COUNTS; ++i)
    {
        const riverbed_job job = {512, full ? full_counts[i] : short_counts[i], 1};
        riverbed_result result;
        CLI_TRY(riverbed_once(&job, &result));
        x[i] = job.particles;
        y[i] = result.advance_cpu;
    }
    bench_add(rows, (bench_row){"linear", 512, 1, "r_squared", "1",
                                riverbed_straightness(x, y, RIVERBED_COUNTS), (double)NAN, false});
    return CLI_DONE;
}

cli_status bench_riverbed(bool full, bench_rows* rows)
{
    CLI_TRY(riverbed_stamp_rows((riverbed_job){.size = 1024, .particles = 2000}, rows));
    CLI_TRY(riverbed_redraw_rows(rows));
    CLI_TRY(riverbed_graded_rows(rows));
    CLI_TRY(riverbed_linear_rows(full, rows));
    return full ? riverbed_stamp_rows((riverbed_job){.size = 4096, .particles = 10000}, rows)
                : CLI_DONE;
}
