// SPDX-License-Identifier: MIT
// labels: medium
// seconds: 8
// A graded river on plains: its form and balance, for any direction of the slope.
#include "support/river.h"

#include <stdio.h>

typedef struct world
{
    fixture f;
    wadi_terrain* terrain;
    wadi_graded* graded;
} world;

static void world_open(world* w, const river_land* land, const wadi_riverbed_params* params)
{
    fixture_open(&w->f, 2);
    w->terrain = river_terrain(&w->f, land);
    const riverbed_emitter emitter = river_emitter(land, params->discharge);
    w->graded = river_run(w->terrain, params, &emitter, 1);
}

static void world_close(world* w)
{
    wadi_graded_destroy(w->graded);
    wadi_terrain_destroy(w->terrain);
    fixture_close(&w->f);
}

static void print_measures(const char* name, const river_measures* m)
{
    print_message(
        "%s: sinuosity %.2f, lambda/w %.1f, R/w %.2f (%d bends), width %.1f (aim %.1f), bar "
        "%+.2f m, pits %d of %d, out %.3f, carved %.0f\n",
        name, m->sinuosity, m->bend_length, m->bend_radius, m->bends, m->width, m->aim, m->bar,
        m->pits, m->core, m->share_out, m->carved);
}

static river_measures check_river(double azimuth, uint64_t seed)
{
    world w;
    river_land land = river_plain();
    land.azimuth = azimuth;
    land.seed = seed;
    const wadi_riverbed_params params = wadi_riverbed_params_default();
    world_open(&w, &land, &params);
    const river_measures m = river_measure(w.graded);
    char name[64];
    (void)snprintf(name, sizeof name, "azimuth %.0f, seed %d", azimuth, (int)seed);
    print_measures(name, &m);
    assert_int_equal(w.graded->dead, 0);
    assert_true(m.core > 1000);
    assert_int_equal(m.pits, 0);
    assert_true(m.bar < 1.0 && m.bar > -1.0);
    assert_true(m.share_out > 0.2 && m.share_out < 0.6);
    assert_true(m.bends >= 4);
    assert_true(m.sinuosity > 1.25 && m.sinuosity < 1.8);
    assert_true(fabs(m.width / m.aim - 1.0) < 0.15);
    world_close(&w);
    return m;
}

// A river has about seven bends, so statistics of several rivers are combined; turned land gives
// turned rivers.
static void rivers_bend_and_conserve_mass(void** state)
{
    (void)state;
    enum
    {
        SEEDS = 4
    };
    double sinuosity[2] = {0.0};
    for (int turned = 0; turned < 2; ++turned)
    {
        double length = 0.0;
        double radius = 0.0;
        for (uint64_t seed = 1; seed <= SEEDS; ++seed)
        {
            const river_measures m = check_river(turned != 0 ? 37.0 : 0.0, seed);
            length += m.bend_length / SEEDS;
            radius += m.bend_radius / SEEDS;
            sinuosity[turned] += m.sinuosity / SEEDS;
        }
        assert_true(length > 10.0 && length < 14.0);
        assert_true(radius > 2.0 && radius < 3.0);
    }
    assert_true(fabs(sinuosity[1] / sinuosity[0] - 1.0) < 0.05);
}

static void hard_rock_makes_narrow_and_steep_reaches(void** state)
{
    (void)state;
    world w;
    river_land land = river_plain();
    land.band = 0.6;
    const wadi_riverbed_params params = wadi_riverbed_params_default();
    world_open(&w, &land, &params);
    const river_reach hard = river_reach_in(w.graded, 0.6);
    const river_reach soft = river_reach_in(w.graded, 0.0);
    print_message("hard: %.1f m, %.5f; soft: %.1f m, %.5f\n", hard.width, hard.slope, soft.width,
                  soft.slope);
    assert_true(hard.nodes > 100 && soft.nodes > 100);
    assert_true(hard.width <= 0.8 * soft.width);
    assert_true(hard.slope > 1.2 * soft.slope);
    const river_measures m = river_measure(w.graded);
    print_measures("band", &m);
    assert_int_equal(m.pits, 0);
    world_close(&w);
}

static double carved_at(double stride)
{
    world w;
    const river_land land = river_plain();
    wadi_riverbed_params params = wadi_riverbed_params_default();
    params.stride = stride;
    world_open(&w, &land, &params);
    const double carved = river_measure(w.graded).carved;
    world_close(&w);
    return carved;
}

static void half_the_step_carves_the_same(void** state)
{
    (void)state;
    const double whole = carved_at(0.5);
    const double half = carved_at(0.25);
    print_message("carved: %.0f m3, with half the step %+.2f %%\n", whole,
                  100.0 * (half / whole - 1.0));
    assert_true(fabs(half / whole - 1.0) < 0.02);
}

// The same river on cells of 8 m and 4 m.
static void rivers_do_not_depend_on_the_grid(void** state)
{
    (void)state;
    river_measures m[2];
    for (int i = 0; i < 2; ++i)
    {
        world w;
        river_land land = river_plain();
        land.size = 256 << i;
        land.cell = 8.0 / (1 << i);
        land.roughness = 0.0;
        const wadi_riverbed_params params = wadi_riverbed_params_default();
        world_open(&w, &land, &params);
        m[i] = river_measure(w.graded);
        print_measures(i == 0 ? "8 m" : "4 m", &m[i]);
        world_close(&w);
    }
    assert_true(fabs(m[0].carved / m[1].carved - 1.0) < 0.05);
    assert_true(fabs(m[0].sinuosity / m[1].sinuosity - 1.0) < 0.05);
}

// Width goes with the root of discharge, and so do bends.
static void rivers_grow_with_discharge(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i)
    {
        world w;
        river_land land = river_plain();
        land.cell = i == 0 ? 2.0 : 8.0;
        wadi_riverbed_params params = wadi_riverbed_params_default();
        params.discharge = i == 0 ? 25.0 : 400.0;
        world_open(&w, &land, &params);
        const river_measures m = river_measure(w.graded);
        print_measures(i == 0 ? "25 m3/s" : "400 m3/s", &m);
        assert_true(fabs(m.width / (4.0 * sqrt(params.discharge)) - 1.0) < 0.2);
        assert_true(m.bend_length > 10.0 && m.bend_length < 14.0);
        assert_int_equal(m.pits, 0);
        world_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rivers_bend_and_conserve_mass),
        cmocka_unit_test(hard_rock_makes_narrow_and_steep_reaches),
        cmocka_unit_test(half_the_step_carves_the_same),
        cmocka_unit_test(rivers_do_not_depend_on_the_grid),
        cmocka_unit_test(rivers_grow_with_discharge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
