// SPDX-License-Identifier: MIT
// Local winds, gusts, vortices and eddies of process wind: the flux and its direction where they
// blow, and the same bits however the time is cut and after a restart.
#include "core/archive.h"
#include "support/fixture.h"

#include <math.h>

enum
{
    SIZE = 128,
    CELLS = SIZE * SIZE
};

static wadi_solver* make_on(fixture* f, double direction, double speed, wadi_terrain* terrain)
{
    wadi_wind_params params = wadi_wind_params_default();
    params.direction = direction;
    params.speed = speed;
    params.blowing = 1.0;
    wadi_solver* solver;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_wind_process, &params, 0, &solver));
    return solver;
}

static wadi_terrain* plain(fixture* f, wadi_edge edge)
{
    wadi_terrain* terrain = fixture_plain(f, SIZE, SIZE, 2.0, edge);
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 2.0));
    return terrain;
}

static wadi_solver* make(fixture* f, double direction, double speed)
{
    return make_on(f, direction, speed, plain(f, WADI_EDGE_PERIODIC));
}

static void unmake(wadi_solver* solver)
{
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    wadi_solver_destroy(solver);
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
}

// Mean of a map within `radius` [cells] of a cell.
static double around(wadi_solver* solver, const char* map, int32_t x, int32_t y, int32_t radius)
{
    static float values[CELLS];
    double sum = 0.0;
    int32_t count = 0;
    CHECK_OK(NULL, wadi_solver_map(solver, map, values));
    for (int32_t i = 0; i < CELLS; ++i)
    {
        const int32_t dx = i % SIZE - x;
        const int32_t dy = i / SIZE - y;
        if (dx * dx + dy * dy <= radius * radius)
        {
            sum += (double)values[i];
            ++count;
        }
    }
    return sum / count;
}

static void set_table(wadi_solver* solver, const char* name, const double* values, int32_t rows)
{
    CHECK_OK(wadi_terrain_context(wadi_solver_terrain(solver)),
             wadi_solver_set_table(solver, name, values, rows));
}

// A local wind everywhere carries the sand of that wind over the map, in its direction.
static void a_wind_everywhere_is_that_wind(void** state)
{
    fixture* f = *state;
    static const double row[] = {0.0, 0.0, 0.0, 0.0, 340.0, 12.0, 1.0};
    double flux[2];
    double angle[2];
    for (int32_t local = 0; local < 2; ++local)
    {
        wadi_solver* solver = make(f, local == 1 ? 270.0 : 340.0, local == 1 ? 10.0 : 12.0);
        if (local == 1)
        {
            set_table(solver, "local_winds", row, 1);
        }
        fixture_advance(solver, 0.05);
        const double x = around(solver, "flux_x", 64, 64, 200);
        const double y = around(solver, "flux_y", 64, 64, 200);
        flux[local] = hypot(x, y);
        angle[local] = atan2(x, -y) * 180.0 / 3.14159265358979;
        unmake(solver);
    }
    print_message("%.1f m2/yr at %.1f, local %.1f at %.1f\n", flux[0], angle[0], flux[1], angle[1]);
    CHECK_NEAR(flux[1], flux[0], 0.03 * flux[0]);
    CHECK_NEAR(angle[1], angle[0], 1.5);
}

// In a place of its own: a calm carries nothing, a turned wind its own sand at its own angle, and
// the wind of the map that of the law beside both.
static void places_have_their_own_sand(void** state)
{
    fixture* f = *state;
    static const double rows[] = {64.0,  128.0, 44.0, 8.0, 0.0, 0.0,  1.0,
                                  192.0, 128.0, 56.0, 8.0, 0.0, 14.0, 1.0};
    wadi_solver* solver = make(f, 270.0, 10.0);
    set_table(solver, "local_winds", rows, 2);
    fixture_advance(solver, 0.02);
    const double calm = around(solver, "flux_x", 32, 64, 12);
    const double x = around(solver, "flux_x", 96, 64, 12);
    const double y = around(solver, "flux_y", 96, 64, 12);
    const double beside = around(solver, "flux_x", 64, 12, 8);
    print_message("calm %.1f, place %.1f %.1f, map %.1f m2/yr\n", calm, x, y, beside);
    assert_true(fabs(calm) < 20.0);
    const double law = 400.0 * (196.0 - 50.0) / 50.0;
    CHECK_NEAR(-y, law, 0.1 * law);
    assert_true(fabs(x) < 0.1 * law);
    CHECK_NEAR(beside, 400.0, 0.05 * 400.0);
    unmake(solver);
}

// A gust of 6 m/s against the wind of 10 m/s leaves 4 m/s, which moves no sand, while it lasts.
static void gusts_act_while_they_last(void** state)
{
    fixture* f = *state;
    static const double gust[] = {128.0, 128.0, 60.0, 0.0, 0.04, 90.0, 6.0};
    wadi_solver* solver = make(f, 270.0, 10.0);
    set_table(solver, "gusts", gust, 1);
    fixture_advance(solver, 0.04);
    const double during = around(solver, "flux_x", 64, 64, 3) * 0.04;
    fixture_advance(solver, 0.04);
    const double after = around(solver, "flux_x", 64, 64, 3) * 0.08 - during;
    print_message("%.2f m2 during the gust, %.2f m2 after it\n", during, after);
    assert_true(during < 0.3 * after);
    CHECK_NEAR(after, 400.0 * 0.04, 0.4 * 400.0 * 0.04);
    unmake(solver);
}

static wadi_solver* make_windy(fixture* f)
{
    static const double winds[] = {100.0, 90.0, 70.0, 30.0, 10.0,  11.0, 0.03,
                                   100.0, 90.0, 70.0, 30.0, 120.0, 9.0,  0.05};
    static const double vortex[] = {200.0, 180.0, 40.0, 0.02, 0.11, 8.0};
    static const double gust[] = {60.0, 200.0, 40.0, 0.0, 0.07, 200.0, 5.0};
    wadi_terrain* terrain = plain(f, WADI_EDGE_OPEN);
    fixture_noise(terrain, WADI_LAYER_SEDIMENT, 0.0, 2.0, 3);
    fixture_holes(terrain);
    wadi_solver* solver = make_on(f, 250.0, 10.0, terrain);
    set_table(solver, "local_winds", winds, 2);
    set_table(solver, "vortices", vortex, 1);
    set_table(solver, "gusts", gust, 1);
    return solver;
}

static void cuts_and_threads_change_nothing(void** state)
{
    (void)state;
    fixture_check_cuts(make_windy, 0.12);
}

static void restarts_change_nothing(void** state)
{
    fixture* f = *state;
    wadi_solver* solver = make_windy(f);
    wadi_terrain* terrain = wadi_solver_terrain(solver);
    CHECK_OK(f->context, wadi_solver_advance(solver, 0.1));
    CHECK_OK(f->context, wadi_terrain_advance_clock(terrain, 0.1));
    wadi_terrain* copy;
    CHECK_OK(f->context, wadi_terrain_clone(terrain, &copy));
    wadi_bytes bytes = {.context = f->context};
    CHECK_OK(f->context, wadi_solver_save(solver, wadi_bytes_write, &bytes));
    wadi_solver* other;
    CHECK_OK(f->context, wadi_solver_load(copy, wadi_bytes_read, &bytes, &other));
    wadi_bytes_free(&bytes);
    CHECK_OK(f->context, wadi_solver_advance(solver, 0.1));
    CHECK_OK(f->context, wadi_solver_advance(other, 0.1));
    assert_true(wadi_solver_hash(solver) == wadi_solver_hash(other));
    assert_true(wadi_terrain_hash(terrain) == wadi_terrain_hash(copy));
    unmake(other);
    unmake(solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wind_everywhere_is_that_wind),
        cmocka_unit_test(places_have_their_own_sand),
        cmocka_unit_test(gusts_act_while_they_last),
        cmocka_unit_test(cuts_and_threads_change_nothing),
        cmocka_unit_test(restarts_change_nothing),
    };
    return cmocka_run_group_tests(tests, fixture_open_group, fixture_close_group);
}
