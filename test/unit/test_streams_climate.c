// SPDX-License-Identifier: MIT
// Climate and seasons of the model "streams" against their integrals.
#include "support/fixture.h"

#include <stdlib.h>

enum
{
    REACH = 30 // cells of 50 m in a line, which drains to the south
};

static const double drop = 20.0; // [m] from cell to cell

static wadi_terrain* line(fixture* f)
{
    static const wadi_edge edges[4] = {WADI_EDGE_CLOSED, WADI_EDGE_CLOSED, WADI_EDGE_OPEN,
                                       WADI_EDGE_CLOSED};
    wadi_terrain_def def = wadi_terrain_def_default();
    def.width = 1;
    def.height = REACH;
    def.cell_size = 50.0;
    memcpy(def.edges, edges, sizeof edges);
    wadi_terrain* terrain = NULL;
    CHECK_OK(f->context, wadi_terrain_create(f->context, &def, &terrain));
    float heights[REACH];
    for (int32_t y = 0; y < REACH; ++y)
    {
        heights[y] = (float)(drop * (REACH - y));
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SURFACE, heights, 1));
    return terrain;
}

static wadi_hydraulic_params params_of(double years)
{
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.model = WADI_HYDRAULIC_STREAMS;
    params.discharge_exponent = 0.45;
    params.creep = 0.0;
    params.settling = 0.0;
    params.floor_width = 0.0;
    params.flushing = 0.0;
    params.max_step = years;
    return params;
}

// Rain times the integral of the factors: 1 to 3 over 100 years, 3 to 0 over 50, then 0.
static void rain_follows_the_climate(void** state)
{
    (void)state;
    static const double rows[] = {100.0, 1.0, 200.0, 3.0, 250.0, 0.0};
    static const double sums[] = {100.0, 300.0, 375.0, 375.0};
    static const double last[] = {1.0, 2.0, 0.75, 0.0}; // mean factor of each century
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = line(&f);
    wadi_hydraulic_params params = params_of(100.0);
    params.rain = 0.7;
    wadi_solver* solver = NULL;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    CHECK_OK(f.context, wadi_solver_set_table(solver, "climate", rows, 3));
    for (int i = 0; i < 4; ++i)
    {
        fixture_advance(solver, 100.0);
        const double volume = 0.7 * sums[i] * REACH * 2500.0;
        assert_true(fabs(fixture_figure(solver, "rain") / volume - 1.0) < 1e-9);
        float discharge[REACH];
        CHECK_OK(f.context, wadi_solver_map(solver, "discharge", discharge));
        const double q = 0.7 * last[i] * REACH * 2500.0 / 31557600.0;
        assert_true(fabs((double)discharge[REACH - 1] - q) < 1e-6 * (q + 1e-3));
    }
    static const double unsorted[] = {100.0, 1.0, 50.0, 1.0};
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "does not come after",
                wadi_solver_set_table(solver, "climate", unsorted, 2));
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Lowering of a cell in one short step [m].
static double wear_of(int32_t y, const double* seasons, int32_t count)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = line(&f);
    wadi_hydraulic_params params = params_of(20.0);
    params.channel_head = 2e4;
    params.erodibility = 1e-3;
    wadi_solver* solver = NULL;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    if (count > 0)
    {
        CHECK_OK(f.context, wadi_solver_set_table(solver, "seasons", seasons, count));
    }
    fixture_advance(solver, 20.0);
    float wear[REACH];
    CHECK_OK(f.context, wadi_solver_map(solver, "wear", wear));
    fixture_check_ledger(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return (double)wear[y];
}

// Wear over that under even flow is the mean of q (g + q_c)^(m-1) over its value at the mean, where
// g is q less the rain on 0.75 cells; a table of one season changes nothing, and factors are
// divided by their mean.
static void seasons_wear_by_the_mean_of_the_law(void** state)
{
    (void)state;
    static const double even[] = {1.0, 7.0};
    static const double storms[] = {0.02, 40.0, 0.18, 4.0, 0.8, 0.6}; // mean 2
    for (int32_t y = 2; y < REACH - 1; y += 9)
    {
        const double gathered = 2500.0 * (y + 1 - 0.75);
        double sum = 0.0;
        for (int i = 0; i < 3; ++i)
        {
            const double part = storms[2 * i + 1] / 2.0;
            sum += storms[2 * i] * part * pow(part * gathered + 2e4, 0.45 - 1.0);
        }
        const double expected = sum / pow(gathered + 2e4, 0.45 - 1.0);
        const double plain = wear_of(y, NULL, 0);
        assert_true(wear_of(y, even, 1) == plain);
        assert_true(plain > 0.01);
        assert_true(fabs(wear_of(y, storms, 3) / plain / expected - 1.0) < 0.01);
        assert_true(expected < 0.95);
    }
}

static void bad_seasons_are_refused(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = line(&f);
    const wadi_hydraulic_params params = params_of(100.0);
    wadi_solver* solver = NULL;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    static const double half[] = {0.5, 1.0};
    static const double dry[] = {0.5, 0.0, 0.5, 0.0};
    static const double negative[] = {0.5, -1.0, 0.5, 1.0};
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "add up",
                wadi_solver_set_table(solver, "seasons", half, 1));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "are 0",
                wadi_solver_set_table(solver, "seasons", dry, 2));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "factor",
                wadi_solver_set_table(solver, "seasons", negative, 2));
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rain_follows_the_climate),
        cmocka_unit_test(seasons_wear_by_the_mean_of_the_law),
        cmocka_unit_test(bad_seasons_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
