// SPDX-License-Identifier: MIT
// Passes of streams over rows (streams_pass.c) and strips of columns of creep, as where the arrays
// lie in a file: land, maps and books have the same bits as in memory, on any number of threads.
#include "support/fixture.h"

#include "core/context.h"

enum
{
    WIDTH = 2090, // three strips, the last of 42 columns
    HEIGHT = 70   // three groups of rows, the last of 6
};

typedef struct outcome
{
    uint64_t land;
    uint64_t solver;
} outcome;

static outcome run(wadi_edge edge, double sea, bool paged, int32_t threads)
{
    fixture f;
    fixture_open(&f, threads);
    f.context->paged = paged;
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = WIDTH;
    def.height = HEIGHT;
    def.cell_size = 20.0;
    def.seed = 7;
    def.edges[WADI_SIDE_WEST] = def.edges[WADI_SIDE_EAST] = edge;
    wadi_terrain* terrain;
    CHECK_OK(f.context, wadi_terrain_create(f.context, &def, &terrain));
    fixture_noise(terrain, WADI_LAYER_SURFACE, 0.0, 300.0, 64);
    const double year = 0.0;
    CHECK_OK(f.context, wadi_terrain_set_sea_level(terrain, &year, &sea, 1));
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.model = WADI_HYDRAULIC_STREAMS;
    params.max_step = 2000.0;
    wadi_solver* solver;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    fixture_advance(solver, 4000.0);
    fixture_check_ledger(terrain);
    const outcome out = {wadi_terrain_hash(terrain), wadi_solver_hash(solver)};
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return out;
}

static void check(wadi_edge edge, double sea)
{
    const outcome whole = run(edge, sea, false, 1);
    for (int32_t threads = 1; threads <= 3; threads += 2)
    {
        const outcome parts = run(edge, sea, true, threads);
        assert_true(parts.land == whole.land);
        assert_true(parts.solver == whole.solver);
    }
}

static void strips_give_the_same_bits(void** state)
{
    (void)state;
    check(WADI_EDGE_OPEN, -1000.0);
    check(WADI_EDGE_PERIODIC, -1000.0);
}

static void rows_of_a_sea_give_the_same_bits(void** state)
{
    (void)state;
    check(WADI_EDGE_OPEN, 100.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strips_give_the_same_bits),
        cmocka_unit_test(rows_of_a_sea_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
