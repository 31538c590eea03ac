// SPDX-License-Identifier: MIT
// Parcels of the wind that start in the middle of a map: they remember the ground upwind of them,
// fly over lees, and carry the sand of the law from their first cells on.
#include "processes/wind/saltation_state.h"
#include "support/fixture.h"

#include <wadi/wind.h>

enum
{
    WIDTH = 160,
    HEIGHT = 12,
    FAR = 60,      // [cells] upwind of a parcel: more than it looks back
    PARCELS = 4000 // of which some start where the test wants them
};

static const double cell_size = 2.0; // [m]

typedef struct start_box
{
    fixture f;
    wadi_terrain* terrain;
    saltation* s;
} start_box;

typedef double start_profile(int32_t x); // height [m]

static void start_open(start_box* box, start_profile* profile, double direction)
{
    static float rock[WIDTH * HEIGHT];
    fixture_open(&box->f, 1);
    box->terrain = fixture_plain(&box->f, WIDTH, HEIGHT, cell_size, WADI_EDGE_PERIODIC);
    for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
    {
        rock[i] = (float)profile(i % WIDTH);
    }
    CHECK_OK(box->f.context, wadi_terrain_set_layer(box->terrain, WADI_LAYER_BEDROCK, rock, WIDTH));
    const wadi_wind_params params = wadi_wind_params_default();
    void* state;
    CHECK_OK(box->f.context, wadi_saltation_api.create(box->terrain, &params, 1, &state));
    box->s = state;
    const wind_spell wind = {direction, 10.0, 1.0};
    wadi_saltation_law_set(box->s, &wind, 0.01);
    wadi_saltation_freeze_skin(box->s);
    wadi_saltation_freeze(box->s);
}

static void start_close(start_box* box)
{
    wadi_saltation_api.destroy(box->s);
    wadi_terrain_destroy(box->terrain);
    fixture_close(&box->f);
}

static double start_ramp(int32_t x)
{
    return 0.1 * cell_size * x;
}

static double start_cliff(int32_t x)
{
    return x < WIDTH / 2 ? 100.0 : 0.0;
}

// Next parcel that starts between two columns.
static saltation_parcel start_between(const start_box* box, uint32_t* next, float from, float to)
{
    saltation_parcel p = {0};
    do
    {
        assert_true(*next < PARCELS);
        p = (saltation_parcel){.id = (*next)++};
        wadi_saltation_edge_spawn(box->s, &p);
    } while (p.x < from || p.x > to);
    return p;
}

static void check_slope_remembered(double direction, double slope)
{
    start_box box;
    start_open(&box, start_ramp, direction);
    uint32_t next = 0;
    for (int32_t i = 0; i < 50; ++i)
    {
        const saltation_parcel p = start_between(&box, &next, FAR, WIDTH - FAR);
        for (int k = 0; k < SALTATION_SCALES; ++k)
        {
            CHECK_NEAR((double)p.memory[k], slope, 1e-4);
        }
        CHECK_NEAR((double)p.z, 0.1 * ((double)p.x - 0.5), 1e-3); // on the ground
        assert_int_equal(p.warmup, 0);
        assert_int_equal(p.load, 0);
    }
    start_close(&box);
}

static void parcels_remember_the_slope_upwind(void** state)
{
    (void)state;
    check_slope_remembered(270.0, 0.1);
    check_slope_remembered(90.0, -0.1);
}

// Behind a cliff parcels fall as if they had flown off it: no memory is steeper than their fall.
static void parcels_start_in_the_air_behind_a_cliff(void** state)
{
    (void)state;
    start_box box;
    start_open(&box, start_cliff, 270.0);
    const float fall = box.s->law.fall;
    uint32_t next = 0;
    for (int32_t i = 0; i < 20; ++i)
    {
        const saltation_parcel p =
            start_between(&box, &next, 0.5f * WIDTH + 1.0f, 0.5f * WIDTH + 5.0f);
        const float back = 1.0f / box.s->law.ahead_slope[0];
        CHECK_NEAR((double)p.z, 50.0 - (double)(fall * back), 1e-3);
        CHECK_NEAR((double)p.memory[0], -(double)fall, 1e-4);
        assert_true(p.memory[1] > -fall && p.memory[2] > p.memory[1]);
    }
    start_close(&box);
}

// Mean of a map over the terrain.
static double start_mean(wadi_solver* solver, const char* map)
{
    static float values[WIDTH * HEIGHT];
    double sum = 0.0;
    CHECK_OK(NULL, wadi_solver_map(solver, map, values));
    for (int32_t i = 0; i < WIDTH * HEIGHT; ++i)
    {
        sum += (double)values[i];
    }
    return sum / (WIDTH * HEIGHT);
}

// Parcels start empty and settle at the end of their lives, which takes 2 % of the flux of the law.
static void parcels_on_a_torus_carry_the_sand_of_the_law(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_plain(&f, WIDTH, HEIGHT, cell_size, WADI_EDGE_PERIODIC);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 5.0));
    wadi_wind_params params = wadi_wind_params_default();
    params.blowing = 1.0;
    wadi_solver* solver;
    CHECK_OK(f.context, wadi_solver_create(terrain, &wadi_wind_process, &params, 0, &solver));
    CHECK_OK(f.context, wadi_solver_advance(solver, 0.1)); // 40 m2 of sand pass
    CHECK_OK(f.context, wadi_solver_finish(solver));
    const double share = start_mean(solver, "flux_x") / params.flux;
    print_message("parcels carry %.3f of the sand of the law\n", share);
    CHECK_NEAR(share, 0.98, 0.015);
    wadi_solver_destroy(solver);
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parcels_remember_the_slope_upwind),
        cmocka_unit_test(parcels_start_in_the_air_behind_a_cliff),
        cmocka_unit_test(parcels_on_a_torus_carry_the_sand_of_the_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
