// SPDX-License-Identifier: MIT
// Models of wind that run on the whole grid, in windows of it: the length of their steps depends on
// tables of winds, and all windows take it from the first one.
#include "support/fixture.h"
#include "support/windows_land.h"

#include <wadi/dunes.h>
#include <wadi/process.h>
#include <wadi/wind.h>

typedef struct blown
{
    uint64_t terrain;
    uint64_t solver;
    double plain_step; // without the table
    double step;
} blown;

typedef struct breeze
{
    windows_land land;
    const char* process;
    const void* params;
    blown out;
} breeze;

static wadi_result blow(wadi_solver* solver, blown* out)
{
    const double rose[] = {17.0, 12.0, 0.3, 203.0, 9.0, 0.2, 0.0, 0.0, 0.5};
    out->plain_step = wadi_solver_step(solver);
    wadi_result result = wadi_solver_set_table(solver, "rose", rose, 3);
    out->step = wadi_solver_step(solver);
    return result == WADI_OK ? wadi_solver_advance(solver, 0.05) : result;
}

static wadi_result live(wadi_context* context, int32_t index, void* user)
{
    breeze* b = user;
    blown out = {0};
    wadi_terrain* terrain = NULL;
    wadi_solver* solver = NULL;
    wadi_result result = windows_land_make(context, &b->land, &terrain);
    result = result == WADI_OK ? wadi_solver_create(terrain, wadi_process_find(context, b->process),
                                                    b->params, 0, &solver)
                               : result;
    result = result == WADI_OK ? blow(solver, &out) : result;
    if (result == WADI_OK)
    {
        out.terrain = wadi_terrain_hash(terrain);
        out.solver = wadi_solver_hash(solver);
        b->out = index == 0 ? out : b->out;
    }
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    return result;
}

static void check_winds(const char* process, const void* params)
{
    fixture f;
    fixture_open(&f, 1);
    breeze b = {.land = {130, 125, WADI_EDGE_OPEN, WADI_EDGE_PERIODIC, .dunes = true},
                .process = process,
                .params = params};
    CHECK_OK(f.context, live(f.context, 0, &b));
    const blown plain = b.out;
    assert_true(plain.step > 0.0 && plain.step != plain.plain_step);
    for (int turn = 0; turn < 2; ++turn)
    {
        const wadi_windows_def def = windows_land_cut(&b.land, 2, 1 + turn, 8, turn == 1);
        b.out = (blown){0};
        CHECK_OK(f.context, wadi_windows_run(f.context, &def, live, &b));
        assert_true(b.out.step == plain.step);
        assert_int_equal(b.out.terrain, plain.terrain);
        assert_int_equal(b.out.solver, plain.solver);
    }
    fixture_close(&f);
}

static void tables_of_winds_set_the_steps_of_all_windows(void** state)
{
    (void)state;
    wadi_dunes_params flux = wadi_dunes_params_default();
    flux.step = 0.0;
    check_winds("dunes", &flux);
    wadi_dunes_params slabs = flux;
    slabs.model = WADI_DUNES_SLAB;
    slabs.shore_supply = 1.0; // beaches are for the whole grid
    check_winds("dunes", &slabs);
    wadi_wind_params wind = wadi_wind_params_default();
    wind.step = 0.0;
    check_winds("wind", &wind);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_of_winds_set_the_steps_of_all_windows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
