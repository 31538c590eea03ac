// SPDX-License-Identifier: MIT
// wadi bench landslide: particle steps of grains per second: settled, in collapse, with rolling
// friction, bonded, on a mesh.
#include "cli/bench/bench.h"
#include "cli/bench/bench_column.h"

#include <wadi/grain_mesh.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
    LANDSLIDE_SIDE = 20, // grains
    LANDSLIDE_TILES = 4,
    LANDSLIDE_MESH_SIDE = 40,
    LANDSLIDE_WARM_STEPS = 20,
    LANDSLIDE_PARTICLE_STEPS = 2 << 20 // per repetition
};

// A benchmark case.
typedef struct landslide_case
{
    const char* name;
    double rolling;
    bool bonded;
    bool mesh; // as the floor, in a world that does not repeat
} landslide_case;

typedef struct landslide_result
{
    double wall[BENCH_REPETITIONS]; // particle steps per second
    double cpu[BENCH_REPETITIONS];
    wadi_grains_summary summary;
} landslide_result;

static double landslide_cpu(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static wadi_result landslide_time(wadi_grains* grains, landslide_result* out)
{
    const int32_t count = wadi_grains_count(grains);
    const int64_t steps = LANDSLIDE_PARTICLE_STEPS / count + 1;
    const double work = (double)steps * (double)count;
    wadi_result result = wadi_grains_advance(grains, LANDSLIDE_WARM_STEPS);
    for (int32_t i = 0; i < BENCH_REPETITIONS && result == WADI_OK; ++i)
    {
        const double wall = cli_seconds();
        const double cpu = landslide_cpu();
        result = wadi_grains_advance(grains, steps);
        out->wall[i] = work / (cli_seconds() - wall);
        out->cpu[i] = work / (landslide_cpu() - cpu);
    }
    out->summary = wadi_grains_summarize(grains);
    return result;
}

static void landslide_sheet(double size, double (*vertices)[3], int32_t (*triangles)[3])
{
    const int32_t side = LANDSLIDE_MESH_SIDE;
    for (int32_t v = 0; v < (side + 1) * (side + 1); ++v)
    {
        vertices[v][0] = size * (2.0 * (v % (side + 1)) / side - 0.5);
        vertices[v][1] = size * (2.0 * (v / (side + 1)) / side - 0.5);
        vertices[v][2] = 0.0;
    }
    for (int32_t k = 0; k < side * side; ++k)
    {
        const int32_t corner = k / side * (side + 1) + k % side;
        const int32_t fans[2][3] = {{corner, corner + 1, corner + side + 2},
                                    {corner, corner + side + 2, corner + side + 1}};
        memcpy(triangles[2 * k], fans, sizeof fans);
    }
}

// A sheet twice as wide as the bed takes the place of the plane under it.
static wadi_result landslide_add_mesh(wadi_grains* grains, double size)
{
    enum
    {
        VERTICES = (LANDSLIDE_MESH_SIDE + 1) * (LANDSLIDE_MESH_SIDE + 1),
        TRIANGLES = 2 * LANDSLIDE_MESH_SIDE * LANDSLIDE_MESH_SIDE
    };
    static double vertices[VERTICES][3];
    static int32_t triangles[TRIANGLES][3];
    landslide_sheet(size, vertices, triangles);
    const wadi_mesh mesh = {(const double(*)[3])vertices, VERTICES, (const int32_t(*)[3])triangles,
                            TRIANGLES};
    int32_t number;
    const wadi_result result = wadi_grains_add_mesh(grains, &mesh, 0, NULL, &number);
    return result == WADI_OK ? wadi_grains_remove_wall(grains, 0) : result;
}

static cli_status landslide_once(const bench_column* column, const landslide_case* what,
                                 int32_t threads, landslide_result* out)
{
    const cli_run_options run = {.threads = threads, .progress = CLI_PROGRESS_NONE};
    cli_session session;
    CLI_TRY(cli_session_open(&run, &session));
    wadi_grain_material material = bench_column_sand();
    material.rolling_friction = what->rolling;
    wadi_grains_params params = bench_column_params(column);
    params.period_x = what->mesh ? 0.0 : params.period_x;
    params.period_y = what->mesh ? 0.0 : params.period_y;
    wadi_grains* grains;
    wadi_result result = bench_column_world(session.context, column, &material, &params, &grains);
    if (result == WADI_OK && what->bonded)
    {
        result = wadi_grains_bond(grains, 0.1, NULL);
    }
    if (result == WADI_OK && what->mesh)
    {
        result = landslide_add_mesh(grains, column->period);
    }
    if (result == WADI_OK)
    {
        result = landslide_time(grains, out);
    }
    const cli_status status = cli_check(session.context, result);
    wadi_grains_destroy(grains);
    cli_session_close(&session);
    return status;
}

static cli_status landslide_add(const bench_column* column, const landslide_case* what,
                                bench_rows* rows)
{
    for (int32_t threads = 1; threads <= 2; ++threads)
    {
        landslide_result result = {0};
        CLI_TRY(landslide_once(column, what, threads, &result));
        const double wall = bench_median(result.wall, BENCH_REPETITIONS);
        const double cpu = bench_median(result.cpu, BENCH_REPETITIONS);
        bench_add(rows, (bench_row){what->name, column->count, threads, "particle_steps", "1/s",
                                    wall, (double)NAN, false});
        bench_add(rows, (bench_row){what->name, column->count, threads, "steps_per_cpu", "1/s", cpu,
                                    (double)NAN, false});
        if (threads == 1)
        {
            const double links = (double)(result.summary.touches + result.summary.bonds);
            bench_add(rows, (bench_row){what->name, column->count, 1, "links_per_grain", "1",
                                        2.0 * links / column->count, (double)NAN, false});
        }
    }
    return CLI_DONE;
}

// Measure 128 000 settled grains: 16 copies of the bed, because one would fit into a cache.
static cli_status landslide_settled(wadi_context* context, bench_rows* rows)
{
    static const landslide_case cases[] = {
        {"settled", 0.0, false, false},
        {"settled_rolling", 0.1, false, false},
        {"bonded", 0.0, true, false},
        {"settled_mesh", 0.0, false, true},
    };
    bench_column column;
    cli_status status =
        cli_check(context, bench_column_settle(context, LANDSLIDE_SIDE, LANDSLIDE_SIDE, &column));
    if (status == CLI_DONE)
    {
        status = cli_check(context, bench_column_tile(context, LANDSLIDE_TILES, &column));
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] && status == CLI_DONE; ++i)
    {
        status = landslide_add(&column, &cases[i], rows);
    }
    free(column.grains);
    return status;
}

// Measure tiles x tiles beds, 0.39 s after the sides are removed.
static cli_status landslide_collapse(wadi_context* context, int32_t tiles, bench_rows* rows)
{
    static const landslide_case collapse = {"collapse", 0.0, false, false};
    bench_column column;
    cli_status status =
        cli_check(context, bench_column_settle(context, LANDSLIDE_SIDE, LANDSLIDE_SIDE, &column));
    if (status == CLI_DONE)
    {
        status = cli_check(context, bench_column_tile(context, tiles, &column));
    }
    if (status == CLI_DONE)
    {
        status = cli_check(context, bench_column_collapse(context, &column, 0.39));
    }
    if (status == CLI_DONE)
    {
        status = landslide_add(&column, &collapse, rows);
    }
    free(column.grains);
    return status;
}

cli_status bench_landslide(bool full, bench_rows* rows)
{
    const cli_run_options run = {.threads = 2, .progress = CLI_PROGRESS_NONE};
    cli_session session;
    CLI_TRY(cli_session_open(&run, &session));
    cli_status status = landslide_settled(session.context, rows);
    if (status == CLI_DONE)
    {
        status = landslide_collapse(session.context, full ? LANDSLIDE_TILES : 1, rows);
    }
    status = status == CLI_DONE ? bench_earth(rows) : status;
    cli_session_close(&session);
    return status;
}
