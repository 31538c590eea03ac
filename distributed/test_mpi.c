// SPDX-License-Identifier: MIT
// Weathering, slides, uplift, creep and slabs of sand on the ranks of an MPI run:
//     test_mpi COLUMNS ROWS open|periodic new|FILE [FILE]
// begins anew or with a saved state, and saves a state. 0 0: the whole grid, on one rank. Rank 0
// prints the hash of the terrain, which is the same for all cuts.
#include "wadi_mpi.h"

#include <wadi/wadi.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    WIDTH = 300,
    HEIGHT = 260
};

typedef struct job
{
    wadi_context* context;
    int rank;
    const char* from; // NULL: anew
    const char* to;   // NULL: nowhere
    wadi_edge edge;
} job;

// The other ranks wait for one that has failed, so it ends them.
static void check(const job* j, wadi_result result)
{
    if (result != WADI_OK)
    {
        (void)fprintf(stderr, "rank %d: %s\n", j->rank, wadi_error_detail(j->context));
        (void)MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static wadi_result put(void* user, const void* bytes, size_t size)
{
    return size == 0 || fwrite(bytes, size, 1, user) == 1 ? WADI_OK : WADI_ERROR_IO;
}

static wadi_result get(void* user, void* bytes, size_t size)
{
    return size == 0 || fread(bytes, size, 1, user) == 1 ? WADI_OK : WADI_ERROR_IO;
}

static wadi_terrain* make(const job* j)
{
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.cell_size = 10.0;
    def.seed = 7;
    for (int side = 0; side < 4; ++side)
    {
        def.edges[side] = j->edge;
    }
    wadi_terrain* terrain = NULL;
    check(j, wadi_terrain_create(j->context, &def, &terrain));
    const int32_t width = wadi_terrain_width(terrain);
    const int32_t height = wadi_terrain_height(terrain);
    float* values = malloc((size_t)width * (size_t)height * sizeof *values);
    wadi_noise_params noise = wadi_noise_params_default();
    noise.relief = 700.0;
    noise.wavelength = 900.0;
    noise.tileable = j->edge == WADI_EDGE_PERIODIC;
    check(j, wadi_noise_fill(j->context, &noise, 5, width, height, 10.0, values));
    check(j, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, values, width));
    free(values);
    return terrain;
}

static wadi_terrain* load(const job* j)
{
    wadi_terrain* terrain = NULL;
    FILE* file = fopen(j->from, "rb");
    check(j, file != NULL ? wadi_terrain_load(j->context, get, file, &terrain)
                          : wadi_context_fail(j->context, WADI_ERROR_IO, "no %s", j->from));
    (void)fclose(file);
    return terrain;
}

static void run(const job* j, wadi_terrain* terrain, const char* name, const void* params,
                double years)
{
    wadi_solver* solver = NULL;
    check(j, wadi_solver_create(terrain, wadi_process_find(j->context, name), params, 0, &solver));
    check(j, wadi_solver_advance(solver, years));
    check(j, wadi_solver_finish(solver));
    wadi_solver_destroy(solver);
}

static void save(const job* j, const wadi_terrain* terrain)
{
    FILE* file = fopen(j->rank == 0 ? j->to : "/dev/null", "wb");
    check(j, file != NULL ? wadi_terrain_save(terrain, put, file)
                          : wadi_context_fail(j->context, WADI_ERROR_IO, "no %s", j->to));
    (void)fclose(file);
}

static void report(const job* j, const wadi_terrain* terrain, const wadi_mpi* mpi)
{
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    const int32_t count = wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS);
    for (int32_t i = 0; i < count; ++i)
    {
        check(j, rows[i].residual_units == 0
                     ? WADI_OK
                     : wadi_context_fail(j->context, WADI_ERROR_STATE, "the ledger is not closed"));
    }
    const uint64_t hash = wadi_terrain_hash(terrain);
    if (j->rank == 0)
    {
        (void)printf("%016" PRIx64 "\n", hash);
        (void)fprintf(stderr, "%" PRId64 " rounds\n", mpi != NULL ? wadi_mpi_rounds(mpi) : 0);
    }
}

// Hops further than the halo is wide: slabs are handed from rank to rank.
static wadi_dunes_params slabs(void)
{
    wadi_dunes_params params = wadi_dunes_params_default();
    params.model = WADI_DUNES_SLAB;
    params.direction = 300.0;
    params.slab_hop = 400.0;
    return params;
}

static void live(const job* j, const wadi_mpi* mpi)
{
    const wadi_dunes_params sand = slabs();
    wadi_terrain* terrain = j->from != NULL ? load(j) : make(j);
    run(j, terrain, "talus", NULL, 500.0);
    run(j, terrain, "uplift", NULL, 1000.0);
    run(j, terrain, "hydraulic", NULL, 8000.0);
    run(j, terrain, "soil", NULL, 100.0);
    run(j, terrain, "dunes", &sand, 10.0);
    if (j->to != NULL)
    {
        save(j, terrain);
    }
    report(j, terrain, mpi);
    wadi_terrain_destroy(terrain);
}

static wadi_mpi* cut(const job* j, wadi_context* messages, int columns, int rows)
{
    wadi_windows_def windows = wadi_windows_def_default();
    windows.width = WIDTH;
    windows.height = HEIGHT;
    windows.columns = columns;
    windows.rows = rows;
    windows.halo = 16;
    for (int side = 0; side < 4; ++side)
    {
        windows.edges[side] = j->edge;
    }
    wadi_mpi* mpi = NULL;
    const job first = {.context = messages, .rank = j->rank};
    check(&first, wadi_mpi_create(MPI_COMM_WORLD, messages, &windows, &mpi));
    return mpi;
}

int main(int argc, char** argv)
{
    int level = 0;
    (void)MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    if (argc < 5)
    {
        (void)fprintf(stderr, "test_mpi COLUMNS ROWS open|periodic new|FILE [FILE]\n");
        (void)MPI_Abort(MPI_COMM_WORLD, 2);
        return 2;
    }
    job j = {.from = strcmp(argv[4], "new") == 0 ? NULL : argv[4],
             .to = argc > 5 ? argv[5] : NULL,
             .edge = strcmp(argv[3], "periodic") == 0 ? WADI_EDGE_PERIODIC : WADI_EDGE_OPEN};
    (void)MPI_Comm_rank(MPI_COMM_WORLD, &j.rank);
    wadi_context_def def = wadi_context_def_default();
    def.threads = 1;
    wadi_context* messages = NULL;
    (void)wadi_context_create(&def, &messages);
    const int columns = (int)strtol(argv[1], NULL, 10);
    wadi_mpi* mpi = columns > 0 ? cut(&j, messages, columns, (int)strtol(argv[2], NULL, 10)) : NULL;
    def.partition = mpi != NULL ? *wadi_mpi_partition(mpi) : def.partition;
    (void)wadi_context_create(&def, &j.context);
    live(&j, mpi);
    wadi_context_destroy(j.context);
    wadi_mpi_destroy(mpi);
    wadi_context_destroy(messages);
    (void)MPI_Finalize();
    return 0;
}
