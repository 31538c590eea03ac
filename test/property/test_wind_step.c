// SPDX-License-Identifier: MIT
// Error of the fixed step of the wind's models: the result at the automatic step against half of
// it. labels: fast
#include "support/fixture.h"

#include <wadi/wind.h>

#include <math.h>
#include <string.h>

enum
{
    SIZE = 96,
    CELLS = SIZE * SIZE
};

typedef struct step_run
{
    int32_t before[CELLS];
    int32_t after[CELLS];
    double step; // [yr]
} step_run;

static void step_levels(const wadi_terrain* terrain, int32_t* levels)
{
    for (int32_t i = 0; i < CELLS; ++i)
    {
        levels[i] = wadi_terrain_units(terrain, WADI_LAYER_SURFACE, i % SIZE, i / SIZE);
    }
}

// 3 to 6 m of sand on a torus, for `years`. step 0: the automatic one.
static void step_blow(const wadi_wind_params* params, double years, step_run* out)
{
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = fixture_plain(&f, SIZE, SIZE, 2.0, WADI_EDGE_PERIODIC);
    fixture_noise(terrain, WADI_LAYER_SEDIMENT, 3.0, 6.0, 9);
    wadi_solver* solver;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_wind_process, params, 0, &solver));
    step_levels(terrain, out->before);
    out->step = wadi_solver_step(solver);
    CHECK_OK(f.context, wadi_solver_advance(solver, years));
    CHECK_OK(f.context, wadi_solver_finish(solver));
    CHECK_OK(f.context, wadi_solver_settle(solver));
    step_levels(terrain, out->after);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Rms of the difference over rms of the change.
static double step_error(const step_run* a, const step_run* b)
{
    double squares = 0.0;
    double change = 0.0;
    for (int32_t i = 0; i < CELLS; ++i)
    {
        squares += pow((double)a->after[i] - b->after[i], 2.0);
        change += pow((double)a->after[i] - a->before[i], 2.0);
    }
    return sqrt(squares / change);
}

static double step_halved(const char* preset, int32_t regime, double years)
{
    wadi_wind_params params = wadi_wind_params_default();
    assert_int_equal(wadi_process_apply_preset(NULL, &wadi_wind_process, preset, &params), WADI_OK);
    params.regime = regime;
    step_run* runs = test_malloc(2 * sizeof *runs);
    step_blow(&params, years, &runs[0]);
    params.step = 0.5 * runs[0].step;
    step_blow(&params, years, &runs[1]);
    const double error = step_error(&runs[0], &runs[1]);
    print_message("%s, regime %d, %g yr: step %.4g yr, half of it changes %.3g of the change\n",
                  preset, regime, years, runs[0].step, error);
    test_free(runs);
    return error;
}

static void half_the_step_changes_little(void** state)
{
    (void)state;
    assert_true(step_halved("default", WADI_WIND_UNIMODAL, 3.0) < 0.05);
    assert_true(step_halved("default", WADI_WIND_FIVE, 3.0) < 0.25);
    assert_true(step_halved("paper", WADI_WIND_UNIMODAL, 3.0) < 0.1);
    assert_true(step_halved("paper-repo", WADI_WIND_UNIMODAL, 3.0) < 0.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_the_step_changes_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
