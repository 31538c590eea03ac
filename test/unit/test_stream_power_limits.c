// SPDX-License-Identifier: MIT
// Model "stream_power" at its limits: shores that are filled up, long runs, and almost no rain.
#include "support/plain.h"

#include <math.h>

enum
{
    SIDE = 24
};

static wadi_hydraulic_params power_params(void)
{
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.model = WADI_HYDRAULIC_STREAM_POWER;
    params.max_step = 1000.0;
    return params;
}

static wadi_solver* power_solver(wadi_terrain* terrain, const wadi_process* process,
                                 const void* params)
{
    wadi_solver* solver;
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_solver_create(terrain, process, params, 0, &solver));
    return solver;
}

// Streams fill a sea to a unit above its level. Ground exactly at the level is the sea of elevation
// models without depths, and swallows all loads: no shore would grow.
static void filled_shores_are_land(void** state)
{
    fixture* f = *state;
    wadi_terrain* terrain = fixture_falling(f, SIDE, SIDE, WADI_SIDE_EAST, 1.0);
    const double year = 0.0;
    const double level = 12.5; // of no cell at first
    CHECK_OK(f->context, wadi_terrain_set_sea_level(terrain, &year, &level, 1));
    wadi_hydraulic_params params = power_params();
    params.erodibility = 1e-2;
    wadi_solver* solver = power_solver(terrain, &wadi_hydraulic_process, &params);
    fixture_advance(solver, 20000.0);
    const wadi_ledger_row sediment = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
    assert_true(sediment.deposited > 0.0);
    assert_true(sediment.out[WADI_SIDE_VOID] == 0.0);
    int32_t grown = 0;
    for (int32_t y = 0; y < SIDE; ++y)
    {
        const int32_t x = SIDE / 2 + 3; // 2 m under the sea at first
        grown += fixture_metres(terrain, WADI_LAYER_SURFACE, x, y) > level ? 1 : 0;
    }
    assert_true(grown > 0);
    fixture_check_ledger(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
}

// Maps of wear and deposits stop at the largest number, as those of other models do.
static void sums_of_long_runs_stop(void** state)
{
    fixture* f = *state;
    wadi_terrain* terrain = fixture_falling(f, SIDE, SIDE, WADI_SIDE_EAST, 5.0);
    wadi_hydraulic_params params = power_params();
    params.erodibility = 1e-2;
    params.outside_slope = 1000.0;
    wadi_uplift_params rise = wadi_uplift_params_default();
    rise.rate = 100.0;
    wadi_solver* streams = power_solver(terrain, &wadi_hydraulic_process, &params);
    wadi_solver* uplift = power_solver(terrain, &wadi_uplift_process, &rise);
    for (int32_t i = 0; i < 400; ++i)
    {
        fixture_advance(uplift, 1000.0);
        fixture_advance(streams, 1000.0);
    }
    float wear[SIDE * SIDE];
    CHECK_OK(f->context, wadi_solver_map(streams, "wear", wear));
    float most = 0.0f;
    for (int32_t c = 0; c < SIDE * SIDE; ++c)
    {
        assert_true(wear[c] >= 0.0f);
        most = fmaxf(most, wear[c]);
    }
    assert_true(most > 32767.0f);
    wadi_solver_destroy(uplift);
    wadi_solver_destroy(streams);
    wadi_terrain_destroy(terrain);
}

// The least rain that a number can hold: units of water are not infinite, which no saved state may
// hold.
static void almost_no_rain_is_no_rain(void** state)
{
    fixture* f = *state;
    wadi_terrain* terrain = fixture_falling(f, SIDE, SIDE, WADI_SIDE_EAST, 5.0);
    wadi_hydraulic_params params = power_params();
    params.rain = 1e-310;
    wadi_solver* solver = power_solver(terrain, &wadi_hydraulic_process, &params);
    fixture_advance(solver, 5000.0);
    float flow[SIDE * SIDE];
    CHECK_OK(f->context, wadi_solver_map(solver, "discharge", flow));
    for (int32_t c = 0; c < SIDE * SIDE; ++c)
    {
        assert_true(flow[c] == 0.0f);
    }
    plain_close(plain_restored(solver, 2000.0));
    fixture_check_ledger(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
}

// A cliff as high as heights can be goes down by more than an amount of matter holds: in two steps.
static void the_highest_cliff_wears(void** state)
{
    fixture* f = *state;
    wadi_terrain* terrain = fixture_falling(f, SIDE, SIDE, WADI_SIDE_EAST, 0.0);
    float rock[SIDE * SIDE];
    for (int32_t c = 0; c < SIDE * SIDE; ++c)
    {
        rock[c] = c % SIDE < SIDE - 1 ? 30000.0f : -30000.0f;
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, rock, SIDE));
    wadi_hydraulic_params params = power_params();
    params.erodibility = 1e-2;
    params.max_step = 1e6;
    params.rain = 20.0;
    params.settling = 0.0;
    wadi_solver* solver = power_solver(terrain, &wadi_hydraulic_process, &params);
    fixture_advance(solver, 1e6);
    const double once = fixture_metres(terrain, WADI_LAYER_SURFACE, SIDE - 2, SIDE / 2);
    assert_true(once < 0.0 && once > -3000.0); // 32 768 m lower
    fixture_advance(solver, 1e6);
    assert_true(fixture_metres(terrain, WADI_LAYER_SURFACE, SIDE - 2, SIDE / 2) < once);
    fixture_check_ledger(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filled_shores_are_land),
        cmocka_unit_test(sums_of_long_runs_stop),
        cmocka_unit_test(almost_no_rain_is_no_rain),
        cmocka_unit_test(the_highest_cliff_wears),
    };
    return cmocka_run_group_tests(tests, fixture_open_group, fixture_close_group);
}
