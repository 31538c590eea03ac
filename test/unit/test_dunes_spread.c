// SPDX-License-Identifier: MIT
// Plants that spread from where they stand: the speed of their front, no plants out of nothing,
// edges, burial that they keep up with, and the same bits however the time is cut.
#include "processes/dunes/dunes_plants.h"
#include "support/fixture.h"

#include <wadi/dunes.h>

#include <math.h>

enum
{
    LONG = 200,
    WIDE = 6
};

static wadi_dunes_params calm(double growth, double spread)
{
    wadi_dunes_params params = wadi_dunes_params_default();
    params.speed = 1.0;
    params.plant_growth = growth;
    params.plant_spread = spread;
    params.plant_height = 0.5;
    return params;
}

// Plants in the first cells of a strip of sand along x or y.
static wadi_terrain* strip(fixture* f, bool along_x, double cell, wadi_edge edge)
{
    const int32_t width = along_x ? LONG : WIDE;
    const int32_t height = along_x ? WIDE : LONG;
    wadi_terrain* terrain = fixture_plain(f, width, height, cell, edge);
    static float cover[LONG * WIDE];
    for (int32_t i = 0; i < width * height; ++i)
    {
        const int32_t at = along_x ? i % width : i / width;
        cover[i] = at < 4 ? 1.0f : 0.0f;
    }
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 2.0));
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_VEGETATION, cover, width));
    return terrain;
}

// Where plants have half of their full height, that is a quarter of the cover [m].
static double front(const wadi_terrain* terrain, bool along_x, double cell)
{
    double before = 1.0;
    for (int32_t i = 1; i < LONG; ++i)
    {
        const double cover =
            wadi_terrain_units(terrain, WADI_LAYER_VEGETATION, along_x ? i : 2, along_x ? 2 : i) /
            65535.0;
        const double share = sqrt(cover);
        if (share < 0.5)
        {
            return (i - 1 + (before - 0.5) / (before - share)) * cell;
        }
        before = share;
    }
    return LONG * cell;
}

// The speed between two years. Fronts of Fisher's equation come in late by 3 speed / (4 growth) x
// ln(t2 / t1) (Bramson 1983).
static void check_speed(fixture* f, double growth, double speed, double cell, bool along_x)
{
    const double from = 0.25 * LONG * cell / speed;
    const double until = 0.75 * LONG * cell / speed;
    wadi_terrain* terrain = strip(f, along_x, cell, WADI_EDGE_CLOSED);
    const wadi_dunes_params params = calm(growth, speed);
    wadi_solver* solver;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_dunes_process, &params, 0, &solver));
    fixture_advance(solver, from);
    const double first = front(terrain, along_x, cell);
    fixture_advance(solver, until - from);
    const double last = front(terrain, along_x, cell);
    const double late = 0.75 * speed / growth * log(until / from);
    const double expected = speed * (until - from) - late;
    print_message("growth %g /yr, spread %g m/yr, cells of %g m: the front went %.2f m of %.2f m\n",
                  growth, speed, cell, last - first, expected);
    CHECK_NEAR((last - first) / expected, 1.0, 0.03);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
}

static void fronts_have_their_speed(void** state)
{
    fixture* f = *state;
    check_speed(f, 1.0, 3.0, 1.0, true); // fronts of a few cells
    check_speed(f, 1.0, 3.0, 1.0, false);
    check_speed(f, 0.5, 4.0, 1.0, true);
    check_speed(f, 2.0, 1.0, 2.0, true); // fronts narrower than a cell
    check_speed(f, 1.0, 3.0, 0.5, true);
}

// Distance of the front from the middle of a patch at an angle from the x axis [cells].
static double reach(const wadi_terrain* terrain, int32_t side, double angle)
{
    const double half = 0.5 * (side - 1);
    double before = 1.0;
    for (double way = 0.25; way < half - 1.0; way += 0.25)
    {
        const double x = half + way * cos(angle);
        const double y = half + way * sin(angle);
        double share = 0.0;
        for (int32_t k = 0; k < 4; ++k)
        {
            const int32_t column = (int32_t)x + k % 2;
            const int32_t row = (int32_t)y + k / 2;
            const double units = wadi_terrain_units(terrain, WADI_LAYER_VEGETATION, column, row);
            share += sqrt(units / 65535.0) * (1.0 - fabs(x - column)) * (1.0 - fabs(y - row));
        }
        if (share < 0.5)
        {
            return way - 0.25 * (0.5 - share) / (before - share);
        }
        before = share;
    }
    return half;
}

// A tuft of one cell after its front has gone 40 cells: longest over shortest radius.
static double roundness(fixture* f, double growth, double speed)
{
    enum
    {
        ACROSS = 97
    };
    static float cover[ACROSS * ACROSS];
    wadi_terrain* terrain = fixture_plain(f, ACROSS, ACROSS, 1.0, WADI_EDGE_CLOSED);
    cover[ACROSS * ACROSS / 2] = 1.0f;
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 2.0));
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_VEGETATION, cover, ACROSS));
    const wadi_dunes_params params = calm(growth, speed);
    wadi_solver* solver;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_dunes_process, &params, 0, &solver));
    fixture_advance(solver, 40.0 / speed);
    double least = ACROSS;
    double most = 0.0;
    for (int32_t i = 0; i < 64; ++i)
    {
        const double way = reach(terrain, ACROSS, i * 3.14159265358979 / 32.0);
        least = fmin(least, way);
        most = fmax(most, way);
    }
    print_message("growth %g /yr, spread %g m/yr: radius %.2f to %.2f cells\n", growth, speed,
                  least, most);
    assert_true(least > 10.0 && most < 0.49 * ACROSS);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    return most / least;
}

// Squares have 1.41.
static void patches_are_round(void** state)
{
    fixture* f = *state;
    assert_true(roundness(f, 1.0, 3.0) < 1.01);
    assert_true(roundness(f, 3.0, 2.0) < 1.02);
    assert_true(roundness(f, 2.0, 0.5) < 1.05); // fronts narrower than a cell
}

static void nothing_grows_out_of_nothing(void** state)
{
    fixture* f = *state;
    wadi_terrain* terrain = fixture_plain(f, 16, 16, 1.0, WADI_EDGE_OPEN);
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 2.0));
    const wadi_dunes_params params = calm(2.0, 3.0);
    wadi_solver* solver;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_dunes_process, &params, 0, &solver));
    fixture_advance(solver, 30.0);
    for (int32_t i = 0; i < 256; ++i)
    {
        assert_true(wadi_terrain_units(terrain, WADI_LAYER_VEGETATION, i % 16, i / 16) == 0);
    }
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
}

// Over periodic edges plants come from the other side, over closed ones they do not.
static void plants_cross_periodic_edges_only(void** state)
{
    fixture* f = *state;
    static const wadi_edge edges[] = {WADI_EDGE_CLOSED, WADI_EDGE_PERIODIC};
    for (int32_t i = 0; i < 2; ++i)
    {
        wadi_terrain* terrain = strip(f, true, 1.0, edges[i]);
        const wadi_dunes_params params = calm(1.0, 2.0);
        wadi_solver* solver;
        CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_dunes_process, &params, 0, &solver));
        fixture_advance(solver, 20.0);
        const int32_t far = wadi_terrain_units(terrain, WADI_LAYER_VEGETATION, LONG - 5, 2);
        assert_true(i == 0 ? far == 0 : far > 60000);
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
    }
}

// Roots run through sand only: a gap of bare rock stops them.
static void rock_stops_roots(void** state)
{
    fixture* f = *state;
    wadi_terrain* terrain = strip(f, true, 1.0, WADI_EDGE_CLOSED);
    static float sand[LONG * WIDE];
    for (int32_t i = 0; i < LONG * WIDE; ++i)
    {
        sand[i] = i % LONG == 20 ? 0.0f : 2.0f;
    }
    CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, sand, LONG));
    const wadi_dunes_params params = calm(1.0, 2.0);
    wadi_solver* solver;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_dunes_process, &params, 0, &solver));
    fixture_advance(solver, 60.0);
    assert_true(wadi_terrain_units(terrain, WADI_LAYER_VEGETATION, 19, 2) > 60000);
    assert_true(wadi_terrain_units(terrain, WADI_LAYER_VEGETATION, 21, 2) == 0);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
}

// A diagonal line of bare rock stops them too.
static void diagonals_of_rock_stop_roots(void** state)
{
    fixture* f = *state;
    enum
    {
        ACROSS = 24
    };
    static float sand[ACROSS * ACROSS];
    static float cover[ACROSS * ACROSS];
    for (int32_t turn = 0; turn < 2; ++turn)
    {
        for (int32_t i = 0; i < ACROSS * ACROSS; ++i)
        {
            const int32_t x = turn == 0 ? i % ACROSS : ACROSS - 1 - i % ACROSS;
            sand[i] = x == i / ACROSS ? 0.0f : 2.0f;
            cover[i] = x == ACROSS - 3 && i / ACROSS == 2 ? 1.0f : 0.0f;
        }
        wadi_terrain* terrain = fixture_plain(f, ACROSS, ACROSS, 1.0, WADI_EDGE_CLOSED);
        CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_SEDIMENT, sand, ACROSS));
        CHECK_OK(f->context, wadi_terrain_set_layer(terrain, WADI_LAYER_VEGETATION, cover, ACROSS));
        const wadi_dunes_params params = calm(1.0, 2.0);
        wadi_solver* solver;
        CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_dunes_process, &params, 0, &solver));
        fixture_advance(solver, 40.0);
        for (int32_t i = 0; i < ACROSS * ACROSS; ++i)
        {
            const int32_t x = turn == 0 ? i % ACROSS : ACROSS - 1 - i % ACROSS;
            const int32_t units =
                wadi_terrain_units(terrain, WADI_LAYER_VEGETATION, i % ACROSS, i / ACROSS);
            assert_true(x > i / ACROSS ? units > 60000 : units == 0);
        }
        wadi_solver_destroy(solver);
        wadi_terrain_destroy(terrain);
    }
}

// On still ground plants that need burial lose plant_burial / plant_height each year: with seeds,
// dp/dt = growth (1 - p) - burial / height, so p = 1 - burial / (growth x height) in the end.
static void plants_need_their_burial(void** state)
{
    fixture* f = *state;
    wadi_terrain* terrain = fixture_plain(f, 8, 8, 1.0, WADI_EDGE_CLOSED);
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 2.0));
    wadi_dunes_params params = calm(1.0, 0.0);
    params.plant_burial = 0.2;
    params.step = 0.02;
    wadi_solver* solver;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_dunes_process, &params, 0, &solver));
    fixture_advance(solver, 20.0);
    const double cover = wadi_terrain_units(terrain, WADI_LAYER_VEGETATION, 3, 3) / 65535.0;
    CHECK_NEAR(sqrt(cover), 0.6, 0.01);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
}

// Height of plants over full height after a year in which 0.2 m of sand buried them.
static double buried(fixture* f, double burial)
{
    wadi_terrain* terrain = fixture_plain(f, 8, 8, 1.0, WADI_EDGE_CLOSED);
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 2.0));
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_VEGETATION, 1.0));
    wadi_dunes_params params = calm(1.0, 0.0);
    params.plant_burial = burial;
    dunes_plants* plants;
    CHECK_OK(f->context, wadi_dunes_plants_create(terrain, &params, &plants));
    wadi_dunes_plants_read(plants, (dunes_aloft){0});
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 2.2));
    wadi_dunes_plants_grow(plants, (dunes_aloft){0}, 1.0);
    const double cover = wadi_terrain_units(terrain, WADI_LAYER_VEGETATION, 3, 3) / 65535.0;
    wadi_dunes_plants_destroy(plants);
    wadi_terrain_destroy(terrain);
    return sqrt(cover);
}

// Sand as thick as they need does plants no harm; less and more of it do.
static void plants_keep_up_with_their_burial(void** state)
{
    CHECK_NEAR(buried(*state, 0.2), 1.0, 1e-3);
    CHECK_NEAR(buried(*state, 0.0), 0.6, 1e-3);
    CHECK_NEAR(buried(*state, 0.3), 0.8, 1e-3);
}

static wadi_solver* make_shore(fixture* f)
{
    wadi_terrain* terrain = fixture_plain(f, 48, 40, 2.0, WADI_EDGE_OPEN);
    CHECK_OK(f->context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 1.0));
    fixture_noise(terrain, WADI_LAYER_VEGETATION, 0.0, 0.1, 3);
    fixture_holes(terrain);
    wadi_dunes_params params = calm(2.0, 3.0);
    params.speed = 12.0;
    params.direction = 250.0;
    params.plant_burial = 0.1;
    wadi_solver* solver;
    CHECK_OK(f->context, wadi_solver_create(terrain, &wadi_dunes_process, &params, 0, &solver));
    return solver;
}

static void cuts_change_nothing(void** state)
{
    (void)state;
    fixture_check_cuts(make_shore, 2.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fronts_have_their_speed),
        cmocka_unit_test(patches_are_round),
        cmocka_unit_test(nothing_grows_out_of_nothing),
        cmocka_unit_test(plants_cross_periodic_edges_only),
        cmocka_unit_test(rock_stops_roots),
        cmocka_unit_test(diagonals_of_rock_stop_roots),
        cmocka_unit_test(plants_need_their_burial),
        cmocka_unit_test(plants_keep_up_with_their_burial),
        cmocka_unit_test(cuts_change_nothing),
    };
    return cmocka_run_group_tests(tests, fixture_open_group, fixture_close_group);
}
