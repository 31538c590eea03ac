// SPDX-License-Identifier: MIT
// Rain maps of the article's droplets: shares of starts, dry ground, refusals, and state.
#include "support/fixture.h"

#include "lockstep/particle.h"
#include "processes/articles/droplets/droplet_rain.h"

enum
{
    WIDTH = 20,
    HEIGHT = 15,
    DROPS = 300000
};

// Of many droplets each cell gets its share of the rain, and dry cells get none.
static void cells_are_hit_in_proportion_to_their_rain(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    static float map[WIDTH * HEIGHT];
    static uint8_t valid[WIDTH * HEIGHT];
    static int32_t hits[WIDTH * HEIGHT];
    double total = 0.0;
    for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
    {
        const bool dry = i % 7 == 3 || i / WIDTH == 5 || i == WIDTH * HEIGHT - 1;
        map[i] = dry ? 0.0f : 0.2f + (float)(i % WIDTH) * 0.1f;
        valid[i] = 1;
        hits[i] = 0;
        total += (double)map[i];
    }
    droplet_rain rain = {0};
    CHECK_OK(f.context, wadi_droplet_rain_set(f.context, &rain, WIDTH, HEIGHT, valid, map));
    const particle_places places = {5, 9, WIDTH, HEIGHT};
    for (int64_t i = 0; i < DROPS; ++i)
    {
        float x;
        float y;
        wadi_particle_place(&places, i, &x, &y);
        assert_true(wadi_droplet_rain_place(&rain, &x, &y));
        assert_true(x >= 0.0f && x < WIDTH && y >= 0.0f && y < HEIGHT);
        hits[(int32_t)y * WIDTH + (int32_t)x] += 1;
    }
    for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
    {
        const double expected = DROPS * (double)map[i] / total;
        assert_true(fabs(hits[i] - expected) <= 3.0 * sqrt(expected));
    }
    wadi_droplet_rain_free(f.context, &rain);
    fixture_close(&f);
}

static wadi_solver* solver_on(wadi_terrain* terrain)
{
    wadi_hydraulic_params params = wadi_hydraulic_params_default();
    params.model = WADI_HYDRAULIC_DROPLETS;
    params.droplet_span = 1000.0;
    wadi_solver* solver = NULL;
    CHECK_OK(wadi_terrain_context(terrain),
             wadi_solver_create(terrain, &wadi_hydraulic_process, &params, 0, &solver));
    return solver;
}

// On a plane droplets run down, so hardly any water passes beside rainy ground.
static void only_rainy_ground_gets_water(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 2);
    wadi_terrain* terrain = fixture_falling(&f, 64, 64, WADI_SIDE_SOUTH, 3.0);
    static float rain[64 * 64];
    for (int32_t i = 0; i < 64 * 64; ++i)
    {
        rain[i] = i % 64 < 16 ? 2.0f : 0.0f;
    }
    wadi_solver* solver = solver_on(terrain);
    CHECK_OK(f.context, wadi_solver_set_map(solver, "rain", rain));
    fixture_advance(solver, 40000.0);
    static float discharge[64 * 64];
    CHECK_OK(f.context, wadi_solver_map(solver, "discharge", discharge));
    double wet = 0.0;
    double dry = 0.0;
    for (int32_t i = 0; i < 64 * 64; ++i)
    {
        (i % 64 < 20 ? &wet : &dry)[0] += (double)discharge[i];
    }
    assert_true(wet > 0.0 && dry < 0.05 * wet);
    fixture_check_ledger(terrain);
    rain[5] = -1.0f;
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "rain at column 5, row 0",
                wadi_solver_set_map(solver, "rain", rain));
    memset(rain, 0, sizeof rain);
    CHECK_OK(f.context, wadi_solver_set_map(solver, "rain", rain));
    wadi_ledger_row rows[WADI_MAX_MATERIALS];
    (void)wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS);
    const double water = rows[WADI_MATERIAL_WATER].in;
    fixture_advance(solver, 4000.0);
    (void)wadi_terrain_ledger(terrain, rows, WADI_MAX_MATERIALS);
    assert_true(rows[WADI_MATERIAL_WATER].in == water);
    wadi_solver_destroy(solver);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static wadi_solver* rough_solver(fixture* f)
{
    static float rain[64 * 64];
    wadi_terrain* terrain = fixture_rough(f, 64, 64, 3);
    for (int32_t c = 0; c < 64 * 64; ++c)
    {
        rain[c] = (float)(c / 64);
    }
    wadi_solver* solver = solver_on(terrain);
    CHECK_OK(f->context, wadi_solver_set_map(solver, "rain", rain));
    return solver;
}

static void calls_and_threads_do_not_matter(void** state)
{
    (void)state;
    fixture_check_cuts(rough_solver, 14000.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_hit_in_proportion_to_their_rain),
        cmocka_unit_test(only_rainy_ground_gets_water),
        cmocka_unit_test(calls_and_threads_do_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
