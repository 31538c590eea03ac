// SPDX-License-Identifier: MIT
// Saved states of graded rivers whose courses are not drawn yet.
#include "support/river.h"
#include "support/slope.h"

#include "process/solver.h"

static wadi_riverbed_params slow_stream(void)
{
    wadi_riverbed_params params = wadi_riverbed_params_default();
    params.discharge = 25.0;
    params.batches = 10;
    params.max_step = 0.04 * params.growth; // a batch in every third step
    return params;
}

static void check_batch(const wadi_solver* solver, int32_t batch)
{
    const wadi_graded* graded = solver->state;
    assert_int_equal(graded->river_count, 1);
    assert_int_equal(graded->batch, batch);
}

// Hash after six steps, with or without a restore after the first one.
static uint64_t run(bool restored)
{
    const river_land land = {.size = 192, .cell = 4.0, .slope = 0.006, .roughness = 0.1, .seed = 1};
    const wadi_riverbed_params params = slow_stream();
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = river_terrain(&f, &land);
    wadi_solver* solver;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_riverbed_process, &params, 0, &solver));
    CHECK_OK(f.context, wadi_solver_advance(solver, params.max_step));
    check_batch(solver, 0);
    if (restored)
    {
        wadi_solver* copy = slope_restore(solver, terrain);
        assert_true(wadi_solver_hash(copy) == wadi_solver_hash(solver));
        wadi_solver_destroy(solver);
        solver = copy;
    }
    CHECK_OK(f.context, wadi_solver_advance(solver, 5.0 * params.max_step));
    check_batch(solver, 2);
    const uint64_t hash = wadi_terrain_hash(terrain) + wadi_solver_hash(solver);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return hash;
}

// Axes are laid in the first step, courses in the first batch: a state between them is whole.
static void rivers_are_saved_before_their_first_batch(void** state)
{
    (void)state;
    assert_true(run(false) == run(true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rivers_are_saved_before_their_first_batch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
