// SPDX-License-Identifier: MIT
// The model "alluvial": cliffs of rock beside plains, and floods that sink into the ground that
// they wet.
#include "support/plain.h"

#include "processes/hydraulic/alluvial.h"

#include <math.h>

enum
{
    SIZE = 40,
    CELLS = SIZE * SIZE,
    GAP_FIRST = 17, // rows of a gap between cliffs
    GAP_LAST = 22,
    LIP = 20 // column before which a plateau of rock ends
};

#define SECONDS 86400.0 // of a day

// Cliffs of rock 40 m high with a gap between them.
static double gap_rock(int32_t x, int32_t y)
{
    (void)x;
    return y < GAP_FIRST || y > GAP_LAST ? 40.0 : 0.0;
}

// A plateau of bare rock in the west, 40 m over the plain.
static double plateau_rock(int32_t x, int32_t y)
{
    (void)y;
    return x < LIP ? 40.0 : 0.0;
}

static wadi_terrain* land_of(fixture* f, double (*rock)(int32_t x, int32_t y))
{
    plain_land land = plain_falling(SIZE, 0.01);
    land.rock = rock;
    return plain_terrain(f, &land);
}

// A river of 0.3 m3/s in the middle, ten cells from the west edge.
static wadi_solver* river_on(wadi_terrain* terrain, const wadi_hydraulic_params* params)
{
    return plain_river(terrain, params, 210.0, 400.0, 0.3, 3000.0);
}

static void close_all(fixture* f, wadi_solver* solver)
{
    plain_close(solver);
    fixture_close(f);
}

// Flow of a row in the eastern half.
static double flow_of_row(const float* flow, int32_t y)
{
    double sum = 0.0;
    for (int32_t x = SIZE / 2; x < SIZE - 4; ++x)
    {
        sum += (double)flow[y * SIZE + x];
    }
    return sum;
}

// Water uses a gap up to its cliffs; read up to the cliffs' height it kept a cell away from them.
static void floods_fill_a_gap_between_cliffs(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    const wadi_hydraulic_params params = plain_params();
    wadi_terrain* terrain = land_of(&f, gap_rock);
    wadi_solver* solver = river_on(terrain, &params);
    fixture_live(solver, 3.0);
    static float flow[CELLS];
    CHECK_OK(f.context, wadi_solver_map(solver, "discharge", flow));
    const double side = flow_of_row(flow, GAP_FIRST) + flow_of_row(flow, GAP_LAST);
    const double middle = flow_of_row(flow, GAP_FIRST + 2) + flow_of_row(flow, GAP_LAST - 2);
    print_message("flow beside the cliffs over that in the middle: %.2f\n", side / middle);
    assert_true(side >= 0.7 * middle);
    assert_true(flow_of_row(flow, GAP_FIRST - 1) == 0.0 && flow_of_row(flow, GAP_LAST + 1) == 0.0);
    close_all(&f, solver);
}

// Does a rock 40 m over a plain stand there, by the level of the water of an old round?
static bool rock_stands(double sea, int32_t buried)
{
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = land_of(&f, plateau_rock);
    const wadi_hydraulic_params params = plain_params();
    alluvial* a = NULL;
    CHECK_OK(f.context, wadi_alluvial_create(terrain, &params, 1, &a));
    a->has_sea = sea > 0.0;
    a->sea = (int32_t)(sea * WADI_UNITS_PER_METRE);
    const int64_t c = SIZE / 2 * SIZE + LIP - 1;
    wadi_tally tally = {0};
    for (int32_t i = 0; i < 3; ++i)
    {
        const int64_t beside = c + 1 + (int64_t)(i - 1) * SIZE;
        wadi_ground_put(a->ground, beside, buried * WADI_UNITS_PER_METRE, &tally);
    }
    wadi_alluvial_find_cliffs(a);
    const bool stands = a->cliffs[c] != 0;
    int32_t bed = 0;
    int32_t water = 0;
    assert_true(wadi_alluvial_foot(a, c, &bed, &water) && water >= bed);
    assert_true(sea <= 0.0 || water == a->sea);
    wadi_alluvial_destroy(a);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return stands;
}

// Ground that has risen since the last round, and a sea that no round has seen, bury cliffs.
static void buried_rock_is_no_cliff(void** state)
{
    (void)state;
    assert_true(rock_stands(0.0, 0) && rock_stands(0.0, 5));
    assert_false(rock_stands(0.0, 38));
    assert_false(rock_stands(200.0, 0));
}

// A river that comes over bare rock falls over its cliff.
static void rivers_fall_over_cliffs(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    const wadi_hydraulic_params params = plain_params();
    wadi_terrain* terrain = land_of(&f, plateau_rock);
    wadi_solver* solver = river_on(terrain, &params);
    double strayed = 0.0;
    for (int32_t i = 0; i < 4; ++i)
    {
        const double before = strayed;
        fixture_live(solver, 1.0);
        strayed = fixture_figure(solver, "strayed");
        print_message("year %d: %.3f of the water strays\n", i + 1,
                      (strayed - before) / (0.3 * 31557600.0));
        assert_true(i == 0 || strayed - before < 0.02 * 0.3 * 31557600.0);
    }
    close_all(&f, solver);
}

// No more sinks than the rate times the ground that is wet, and as the flood dies out its load
// stays.
static void floods_sink_into_ground_that_they_wet(void** state)
{
    (void)state;
    double out[2];
    for (int i = 0; i < 2; ++i)
    {
        fixture f;
        fixture_open(&f, 2);
        wadi_hydraulic_params params = plain_params();
        params.seepage = i == 0 ? 2e-5 : 1e-3;
        params.flood_spread = 0.0;
        wadi_terrain* terrain = land_of(&f, NULL);
        wadi_solver* solver = river_on(terrain, &params);
        fixture_live(solver, 3.0);
        static float flow[CELLS];
        CHECK_OK(f.context, wadi_solver_map(solver, "discharge", flow));
        int32_t wet = 0;
        for (int32_t c = 0; c < CELLS; ++c)
        {
            wet += flow[c] > 0.0f ? 1 : 0;
        }
        const double most =
            params.seepage * wet * PLAIN_CELL * PLAIN_CELL * 3.0 * params.flood_days * SECONDS;
        const double sunk = fixture_figure(solver, "infiltrated");
        const double in = fixture_figure(solver, "inflow");
        const wadi_ledger_row load = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
        out[i] = load.out[WADI_SIDE_EAST] / load.in;
        print_message("%.0e m/s: %.3f of the water sinks, %.3f of the most; %.3f of the load "
                      "leaves\n",
                      params.seepage, sunk / in, sunk / most, out[i]);
        assert_true(sunk > 0.2 * fmin(most, in) && sunk <= 1.1 * fmin(most, in));
        close_all(&f, solver);
    }
    assert_true(out[1] < 0.05 && out[0] > 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floods_fill_a_gap_between_cliffs),
        cmocka_unit_test(buried_rock_is_no_cliff),
        cmocka_unit_test(rivers_fall_over_cliffs),
        cmocka_unit_test(floods_sink_into_ground_that_they_wet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
