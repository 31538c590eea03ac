// SPDX-License-Identifier: MIT
// Soil in time: production under cover, creep, cliffs, density, cuts of time, edges, books.
#include "support/fixture.h"

#include "terrain/ground.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static void assert_near(double value, double expected, double tolerance)
{
    assert_true(fabs(value - expected) <= tolerance);
}

static wadi_solver* soil_on(wadi_terrain* terrain, const wadi_soil_cover_params* params)
{
    wadi_solver* solver;
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_solver_create(terrain, &wadi_soil_cover_process, params, 0, &solver));
    return solver;
}

static double depth_at(const wadi_terrain* terrain, int32_t x, int32_t y)
{
    return fixture_metres(terrain, WADI_LAYER_SEDIMENT, x, y);
}

// Heights by cell, as rock.
static void set_rock(wadi_terrain* terrain, double (*height)(int32_t x, int32_t y))
{
    const wadi_ground* ground = wadi_terrain_ground_const(terrain);
    float* heights = test_calloc((size_t)ground->cells, sizeof *heights);
    for (int32_t c = 0; c < ground->cells; ++c)
    {
        heights[c] = (float)height(c % ground->width, c / ground->width);
    }
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_terrain_set_layer(terrain, WADI_LAYER_BEDROCK, heights, ground->width));
    test_free(heights);
}

static void fill(wadi_terrain* terrain, double metres)
{
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, metres));
}

// ---- production ---------------------------------------------------------------------------------

// Level ground: h = H0 ln(1 + P t / H0), and the rock that is gone has the mass of the soil.
static void soil_grows_by_the_logarithm(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = fixture_plain(&f, 24, 20, 10.0, WADI_EDGE_OPEN);
    const wadi_soil_cover_params params = wadi_soil_cover_params_default();
    wadi_solver* solver = soil_on(terrain, &params);
    const double rock = fixture_metres(terrain, WADI_LAYER_BEDROCK, 5, 5);
    fixture_advance(solver, 20000.0);
    const double expected = 0.5 * log(1.0 + 2e-4 * 20000.0 / 0.5);
    assert_near(depth_at(terrain, 5, 5), expected, 1e-3 * expected + 0.002);
    const double gone = rock - fixture_metres(terrain, WADI_LAYER_BEDROCK, 5, 5);
    assert_near(depth_at(terrain, 5, 5) / gone, 2650.0 * 0.95 / (2650.0 * 0.6), 0.005);
    fixture_check_ledger(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- creep --------------------------------------------------------------------------------------

enum
{
    WAVE = 64 // cells of 5 m
};

static double wave(int32_t x, int32_t y)
{
    (void)y;
    return 100.0 + 8.0 * sin(2.0 * pi * x / WAVE);
}

// Amplitude of the wave in the surface [m].
static double amplitude(const wadi_terrain* terrain)
{
    double sum = 0.0;
    for (int32_t x = 0; x < WAVE; ++x)
    {
        sum += fixture_metres(terrain, WADI_LAYER_SURFACE, x, 3) * sin(2.0 * pi * x / WAVE);
    }
    return sum * 2.0 / WAVE;
}

// Gentle waves of deep soil decay as exp(-K k^2 t).
static void waves_of_soil_decay(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 3);
    wadi_terrain* terrain = fixture_plain(&f, WAVE, 8, 5.0, WADI_EDGE_PERIODIC);
    set_rock(terrain, wave);
    fill(terrain, 20.0);
    wadi_soil_cover_params params = wadi_soil_cover_params_default();
    params.production = 0.0;
    params.creep = 0.02;
    params.critical_slope = 10.0;
    wadi_solver* solver = soil_on(terrain, &params);
    const double before = amplitude(terrain);
    fixture_advance(solver, 50000.0);
    const double k = 2.0 * pi / (WAVE * 5.0);
    assert_near(amplitude(terrain) / before, exp(-0.02 * k * k * 50000.0), 0.003);
    fixture_check_ledger(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// A plane at half of the critical slope: its foot gives K S / (1 - 1/4) for each metre of edge.
static double plane(int32_t x, int32_t y)
{
    (void)y;
    return 400.0 - 0.625 * 5.0 * x;
}

static void the_flux_grows_towards_the_critical_slope(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = fixture_plain(&f, 40, 16, 5.0, WADI_EDGE_OPEN);
    set_rock(terrain, plane);
    fill(terrain, 5.0);
    wadi_soil_cover_params params = wadi_soil_cover_params_default();
    params.production = 0.0;
    wadi_solver* solver = soil_on(terrain, &params);
    fixture_advance(solver, 1000.0);
    const wadi_ledger_row row = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
    const double expected = 0.005 * 0.625 / 0.75 * 1000.0 * 16.0 * 5.0;
    assert_near(row.out[WADI_SIDE_EAST], expected, 0.01 * expected);
    assert_near(row.out[WADI_SIDE_NORTH] + row.out[WADI_SIDE_WEST], 0.0, 1e-3 * expected);
    fixture_check_ledger(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Level ground of soil does not move, and closed edges hold it.
static void level_soil_rests(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = fixture_plain(&f, 33, 21, 0.5, WADI_EDGE_CLOSED);
    fill(terrain, 2.0);
    wadi_soil_cover_params params = wadi_soil_cover_params_default();
    params.production = 0.0;
    wadi_solver* solver = soil_on(terrain, &params);
    fixture_advance(solver, 50.0);
    const wadi_ledger_row row = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
    assert_near(row.eroded, 0.0, 0.0);
    assert_near(depth_at(terrain, 7, 7), 2.0, 1e-9);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- cliffs -------------------------------------------------------------------------------------

// A wall of 65 degrees between two flats.
static double cliff(int32_t x, int32_t y)
{
    (void)y;
    return x < 16 ? 200.0 : x < 24 ? 200.0 - 2.2 * 10.0 * (x - 15) : 200.0 - 2.2 * 80.0;
}

static void cliffs_stay_bare(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = fixture_plain(&f, 40, 16, 10.0, WADI_EDGE_CLOSED);
    set_rock(terrain, cliff);
    const wadi_soil_cover_params params = wadi_soil_cover_params_default();
    wadi_solver* solver = soil_on(terrain, &params);
    fixture_advance(solver, 10000.0);
    for (int32_t x = 16; x < 22; ++x)
    {
        assert_true(depth_at(terrain, x, 8) < 0.25);
    }
    assert_true(depth_at(terrain, 24, 8) > 2.0 * depth_at(terrain, 4, 8));
    // nothing stands on the foot: debris leaves no step steeper than the wall
    for (int32_t x = 24; x < 39; ++x)
    {
        const double fall = fixture_metres(terrain, WADI_LAYER_SURFACE, x, 8) -
                            fixture_metres(terrain, WADI_LAYER_SURFACE, x + 1, 8);
        assert_true(fabs(fall) < 15.0);
    }
    fixture_check_ledger(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- edges --------------------------------------------------------------------------------------

// A slope that rises over the western edge, and beside the voids of `holes`.
static double slope_up(int32_t x, int32_t y)
{
    (void)y;
    return 400.0 - 0.3 * 5.0 * x;
}

// Land that goes on beyond the map neither loses soil at its edge nor piles it up there.
static void slopes_go_on_beyond_edges(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = fixture_plain(&f, 40, 16, 5.0, WADI_EDGE_OPEN);
    set_rock(terrain, slope_up);
    fill(terrain, 2.0);
    static uint8_t valid[40 * 16];
    for (int32_t i = 0; i < 40 * 16; ++i)
    {
        valid[i] = i / 40 == 8 && i % 40 > 18 && i % 40 < 22 ? 0 : 1;
    }
    CHECK_OK(f.context, wadi_terrain_set_valid(terrain, valid, 40));
    wadi_soil_cover_params params = wadi_soil_cover_params_default();
    params.production = 0.0;
    wadi_solver* solver = soil_on(terrain, &params);
    fixture_advance(solver, 5000.0);
    for (int32_t i = 0; i < 40 * 16; ++i)
    {
        assert_true(valid[i] == 0 || fabs(depth_at(terrain, i % 40, i / 40) - 2.0) < 0.01);
    }
    const wadi_ledger_row row = fixture_ledger_row(terrain, WADI_MATERIAL_SEDIMENT);
    const double expected = 0.005 * 0.3 / (1.0 - 0.0576) * 5000.0 * 5.0; // a cell's edge
    assert_near(row.out[WADI_SIDE_EAST], 16.0 * expected, 0.32 * expected);
    assert_near(row.out[WADI_SIDE_VOID], expected, 0.05 * expected);
    assert_near(row.in, 17.0 * expected, 0.34 * expected);
    fixture_check_ledger(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// ---- time, threads, grids -----------------------------------------------------------------------

static uint64_t run_cut(int32_t threads, int32_t calls, double cell, wadi_edge edge, bool holes)
{
    fixture f;
    fixture_open(&f, threads);
    wadi_terrain* terrain = fixture_plain(&f, 45, 37, cell, edge);
    fixture_noise(terrain, WADI_LAYER_BEDROCK, 0.0, 12.0 * cell, 5);
    if (holes)
    {
        fixture_holes(terrain);
    }
    const wadi_soil_cover_params params = wadi_soil_cover_params_default();
    wadi_solver* solver = soil_on(terrain, &params);
    for (int32_t i = 0; i < calls; ++i)
    {
        CHECK_OK(f.context, wadi_solver_advance(solver, 700.0 / calls));
    }
    fixture_check_ledger(terrain);
    const uint64_t hash = wadi_terrain_hash(terrain);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
    return hash;
}

static void bits_do_not_depend_on_cuts_or_threads(void** state)
{
    (void)state;
    static const double cells[] = {3.0, 10.0, 100.0};
    static const wadi_edge edges[] = {WADI_EDGE_OPEN, WADI_EDGE_CLOSED, WADI_EDGE_PERIODIC};
    for (int i = 0; i < 3; ++i)
    {
        const uint64_t hash = run_cut(1, 1, cells[i], edges[i], i == 1);
        assert_true(hash == run_cut(3, 7, cells[i], edges[i], i == 1));
        assert_true(hash == run_cut(2, 50, cells[i], edges[i], i == 1));
    }
}

// Steps are so short that parts of creep stay stable, whatever max_step asks for.
static void steps_stay_stable(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_plain(&f, 8, 8, 0.5, WADI_EDGE_OPEN);
    wadi_soil_cover_params params = wadi_soil_cover_params_default();
    params.creep = 1.0;
    wadi_solver* solver = soil_on(terrain, &params);
    assert_true(wadi_solver_step(solver) == params.max_step);
    wadi_solver_destroy(solver);
    params.max_step = 1e6;
    solver = soil_on(terrain, &params);
    // a twentieth of the squared cell over the diffusivity at 0.95 of the critical slope
    const double part = 0.05 * 0.25 * (1.0 - 0.95 * 0.95);
    assert_near(wadi_solver_step(solver), 1e6 * part, 1.0);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soil_grows_by_the_logarithm),
        cmocka_unit_test(waves_of_soil_decay),
        cmocka_unit_test(the_flux_grows_towards_the_critical_slope),
        cmocka_unit_test(level_soil_rests),
        cmocka_unit_test(slopes_go_on_beyond_edges),
        cmocka_unit_test(steps_stay_stable),
        cmocka_unit_test(cliffs_stay_bare),
        cmocka_unit_test(bits_do_not_depend_on_cuts_or_threads),
    };
    return cmocka_run_group_tests(tests, fixture_open_group, fixture_close_group);
}
