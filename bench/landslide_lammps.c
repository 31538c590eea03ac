// SPDX-License-Identifier: MIT
// Settled and collapsing sand for bench/landslide_lammps.sh: writes each state as LAMMPS reads it,
// and runs it here.
//   landslide_lammps SIDE TILES STEPS FOLDER
#include "cli/bench/bench_column.h"

#include <wadi/wadi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
    REPETITIONS = 3
};

static double cpu_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void check(const wadi_context* context, wadi_result result)
{
    if (result != WADI_OK)
    {
        (void)fprintf(stderr, "landslide_lammps: %s\n", wadi_error_detail(context));
        exit(EXIT_FAILURE);
    }
}

static void write_box(FILE* file, const bench_column* column)
{
    const double low = column->period > 0.0 ? 0.0 : -50.0;
    const double high = column->period > 0.0 ? column->period : 50.0;
    (void)fprintf(file, "grains\n\n%d atoms\n1 atom types\n\n", column->count);
    (void)fprintf(file, "%.17g %.17g xlo xhi\n%.17g %.17g ylo yhi\n-0.1 20 zlo zhi\n\n", low, high,
                  low, high);
}

static void write_state(const char* folder, const char* name, const bench_column* column)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s.data", folder, name);
    FILE* file = fopen(path, "w");
    if (file == NULL)
    {
        perror(path);
        exit(EXIT_FAILURE);
    }
    write_box(file, column);
    (void)fputs("Atoms\n\n", file);
    for (int32_t i = 0; i < column->count; ++i)
    {
        const wadi_grain* g = &column->grains[i];
        (void)fprintf(file, "%d 1 %.17g 2650 %.17g %.17g %.17g\n", i + 1, 2.0 * g->radius,
                      g->position[0], g->position[1], g->position[2]);
    }
    (void)fputs("\nVelocities\n\n", file);
    for (int32_t i = 0; i < column->count; ++i)
    {
        const wadi_grain* g = &column->grains[i];
        (void)fprintf(file, "%d %.17g %.17g %.17g %.17g %.17g %.17g\n", i + 1, g->velocity[0],
                      g->velocity[1], g->velocity[2], g->spin[0], g->spin[1], g->spin[2]);
    }
    (void)fclose(file);
}

// Best particle steps per processor second of a few runs from the same state.
static double run_here(wadi_context* context, const bench_column* column, double rolling,
                       int64_t steps)
{
    wadi_grain_material material = bench_column_sand();
    material.rolling_friction = rolling;
    const wadi_grains_params params = bench_column_params(column);
    double best = 0.0;
    for (int i = 0; i < REPETITIONS; ++i)
    {
        wadi_grains* grains;
        check(context, bench_column_world(context, column, &material, &params, &grains));
        check(context, wadi_grains_advance(grains, 20));
        const double start = cpu_seconds();
        check(context, wadi_grains_advance(grains, steps));
        const double rate = (double)steps * column->count / (cpu_seconds() - start);
        best = rate > best ? rate : best;
        wadi_grains_destroy(grains);
    }
    return best;
}

static void run_case(wadi_context* context, const bench_column* column, const char* name,
                     int64_t steps, const char* folder)
{
    write_state(folder, name, column);
    (void)printf("%s %d wadi %.4g\n", name, column->count, run_here(context, column, 0.0, steps));
    (void)printf("%s_rolling %d wadi %.4g\n", name, column->count,
                 run_here(context, column, 0.1, steps));
    (void)fflush(stdout);
}

int main(int argc, char** argv)
{
    if (argc != 5)
    {
        (void)fputs("usage: landslide_lammps SIDE TILES STEPS FOLDER\n", stderr);
        return EXIT_FAILURE;
    }
    const int64_t steps = strtol(argv[3], NULL, 10);
    wadi_context_def def = wadi_context_def_default();
    def.threads = 1;
    wadi_context* context;
    if (wadi_context_create(&def, &context) != WADI_OK)
    {
        return EXIT_FAILURE;
    }
    const int32_t side = (int32_t)strtol(argv[1], NULL, 10);
    bench_column column;
    check(context, bench_column_settle(context, side, side, &column));
    bench_column bed = column;
    bed.grains = malloc((size_t)column.count * sizeof *bed.grains);
    check(context, bed.grains != NULL ? WADI_OK : WADI_ERROR_MEMORY);
    memcpy(bed.grains, column.grains, (size_t)column.count * sizeof *bed.grains);
    check(context, bench_column_tile(context, (int32_t)strtol(argv[2], NULL, 10), &bed));
    run_case(context, &bed, "settled", steps, argv[4]);
    free(bed.grains);
    check(context, bench_column_collapse(context, &column, 0.39));
    run_case(context, &column, "collapse", steps * bed.count / column.count, argv[4]);
    free(column.grains);
    wadi_context_destroy(context);
    return EXIT_SUCCESS;
}
