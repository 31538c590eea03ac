// SPDX-License-Identifier: MIT
// Interaction of grains and their water in worlds of a few grains.
#include "support/mire.h"

#include "bodies/grains/granular.h"
#include "bodies/wet_grains/wet.h"
#include "core/random.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
static const double DENSITY = 1000.0;

static double dry_mass(const mire* m, int32_t id)
{
    const double r = m->list[id].radius;
    return m->materials[m->list[id].material].grain.density * 4.0 / 3.0 * PI * r * r * r;
}

// Wetness at saturation.
static double full_wetness(const wadi_wet_material* material)
{
    const double n = material->soil.porosity;
    return DENSITY / material->grain.density * n / (1.0 - n);
}

// Momentum of grains and their water; with `at`, angular momentum about the origin including spin.
static void momentum(const mire* m, double out[3], bool turning)
{
    memset(out, 0, 3 * sizeof *out);
    for (int32_t i = 0; i < m->count; ++i)
    {
        const wadi_grain* g = &m->list[i];
        const double mass = dry_mass(m, i) * (1.0 + g->wetness);
        for (int c = 0; c < 3; ++c)
        {
            const int a = (c + 1) % 3;
            const int b = (c + 2) % 3;
            const double turn = g->position[a] * g->velocity[b] - g->position[b] * g->velocity[a] +
                                0.4 * g->radius * g->radius * g->spin[c];
            out[c] += mass * (turning ? turn : g->velocity[c]);
        }
    }
}

// A cloud of wet grains that collide while water flows between them.
static void crowd(mire* m, int32_t threads)
{
    mire_open(m, threads, 125);
    m->solid.gravity_z = 0.0;
    m->params.exchange = 1e-3;
    m->params.acceleration = 100.0;
    m->params.surface_tension = 0.072;
    m->materials[0].soil.conductivity = 1e-3;
    m->materials[0].cohesion.strength = 100.0;
    for (uint32_t i = 0; i < 125; ++i)
    {
        const wadi_philox p = wadi_random(3, 0, i, 0);
        const double far = 0.0201;
        wadi_grain* g = mire_add(m, far * (i % 5), far * (i / 5 % 5), far * (i / 25), 0.01);
        for (int c = 0; c < 3; ++c)
        {
            g->velocity[c] = (double)wadi_unit_float(p.v[c]) - 0.5;
        }
        g->wetness = full_wetness(&m->materials[0]) * (double)wadi_unit_float(p.v[3]);
    }
    mire_make(m);
}

static void closed_crowd_keeps_water_and_momentum(void** state)
{
    (void)state;
    mire m;
    crowd(&m, 1);
    wadi_grains_read(mire_solid(&m), m.list);
    double before[3];
    momentum(&m, before, false);
    const double dry = m.list[0].wetness;
    mire_pass(&m, 2.0);
    mire_check_books(&m);
    const wadi_wet_grains_summary sum = mire_look(&m);
    assert_true(sum.grains.bridges > 50);
    assert_true(fabs(m.list[0].wetness - dry) > 0.01); // water did flow
    assert_true(sum.water.now == sum.water.before);
    double after[3];
    momentum(&m, after, false);
    for (int c = 0; c < 3; ++c)
    {
        CHECK_NEAR(after[c], before[c], 1e-10 * fabs(before[c]));
    }
    mire_close(&m);
}

static void given_water_brings_its_momentum(void** state)
{
    (void)state;
    mire m;
    mire_open(&m, 1, 2);
    m.solid.gravity_z = 0.0;
    mire_add(&m, 0.0, 0.0, 0.0, 0.01)->velocity[1] = 0.3;
    mire_add(&m, 1.0, 0.0, 0.0, 0.01)->wetness = full_wetness(&m.materials[0]);
    mire_make(&m);
    double before[3];
    momentum(&m, before, false);
    const double volumes[2] = {1e-7, 1e-7};
    const double velocities[2][3] = {{2.0, 0.0, -5.0}, {2.0, 0.0, -5.0}};
    double taken[2];
    CHECK_OK(m.f.context, wadi_wet_grains_give(m.world, volumes, velocities, taken));
    wadi_grains_read(mire_solid(&m), m.list);
    CHECK_NEAR(taken[0], 1e-7, 1e-20);
    CHECK_NEAR(taken[1], 0.0, 1e-20); // it is saturated
    CHECK_NEAR(m.list[0].wetness, DENSITY * 1e-7 / dry_mass(&m, 0), 1e-12);
    double after[3];
    momentum(&m, after, false);
    for (int c = 0; c < 3; ++c)
    {
        CHECK_NEAR(after[c], before[c] + DENSITY * taken[0] * velocities[0][c], 1e-15);
    }
    mire_check_books(&m);
    const double bad[2][3] = {{(double)NAN, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    CHECK_FAILS(m.f.context, WADI_ERROR_RANGE, "grain 0",
                wadi_wet_grains_give(m.world, volumes, bad, taken));
    mire_close(&m);
}

// A fixed column half full of water: it reaches equilibrium with a water table, is heavier by its
// water, and has buoyancy below the table only.
static void water_loads_grains(void** state)
{
    (void)state;
    mire m;
    mire_open(&m, 1, 10);
    m.params.pressure = WADI_WET_PRESSURE_CAP;
    m.solid.sleep_speed = 1e-3;
    m.materials[0].soil.conductivity = 1e-3;
    m.materials[0].cohesion.strength = 500.0;
    const double full = full_wetness(&m.materials[0]);
    for (int32_t k = 0; k < 10; ++k)
    {
        wadi_grain* g = mire_add(&m, 0.0, 0.0, 0.02 * k, 0.01);
        g->fixed = true;
        g->wetness = k < 9 ? full : 0.0;
    }
    mire_make(&m);
    mire_pass(&m, 86400.0);
    double pressure[10];
    wadi_seepage_pressure(wadi_wet_grains_water(m.world), pressure);
    const granular_wet* wet = m.world->grains->wet;
    for (int32_t k = 0; k < 10; ++k)
    {
        const double section = PI * 1e-4;
        CHECK_NEAR(pressure[0] - pressure[k], 0.02 * k, 1e-3); // hydrostatic
        CHECK_NEAR(wet[k].lift, fmax(0.0, 9810.0 * pressure[k] * section), 1e-9);
        CHECK_NEAR(wet[k].bridge, m.list[k].wetness * dry_mass(&m, k) / DENSITY / 6.0, 1e-15);
        const double fall = (full - m.list[k].wetness) / (full - 0.17);
        CHECK_NEAR(wet[k].pull, 500.0 * section * fmax(0.0, fmin(1.0, fall)), 1e-6);
    }
    assert_true(pressure[0] > 0.05 && pressure[9] < -0.05);
    assert_true(wet[0].pull < 1e-9 && wet[9].pull > 0.01);
    assert_true(mire_look(&m).slept == 86400.0);
    mire_close(&m);
}

// Surface tension pulls two equal spheres that touch with 2 pi R gamma cos(angle), the limit of a
// small bridge (Willett et al. 2000).
static void surface_tension_pulls_grains_by_their_radius(void** state)
{
    (void)state;
    mire m;
    mire_open(&m, 1, 2);
    m.params.surface_tension = 0.072;
    m.solid.bridge_angle = 60.0;
    m.materials[0].cohesion.strength = 0.0;
    m.materials[0].cohesion.wet_from = 0.02;
    mire_add(&m, 0.0, 0.0, 0.0, 0.01)->wetness = 0.1;
    mire_add(&m, 1.0, 0.0, 0.0, 0.03)->wetness = 0.01; // half of what gives the full pull
    mire_make(&m);
    const granular_wet* wet = m.world->grains->wet;
    const double per_radius = 2.0 * PI * 0.072 * cos(60.0 * PI / 180.0);
    CHECK_NEAR(wet[0].pull, per_radius * 0.01, 1e-9);
    CHECK_NEAR(wet[1].pull, 0.5 * per_radius * 0.03, 1e-6 * per_radius);
    mire_close(&m);
}

// A lattice of grains with the spacing of the soil they represent, saturated: inner grains have the
// buoyancy of the displaced water, the others none.
static void still_water_bears_what_is_in_it(void** state)
{
    (void)state;
    enum
    {
        SIDE = 5
    };
    mire m;
    mire_open(&m, 1, SIDE * SIDE * SIDE);
    m.solid.sleep_speed = 1e-3;
    m.materials[0].soil.conductivity = 1e-3;
    const double room = 4.0 / 3.0 * PI * 1e-6 / 0.6;
    const double wide = cbrt(room);
    for (int32_t i = 0; i < SIDE * SIDE * SIDE; ++i)
    {
        const int32_t at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        wadi_grain* g = mire_add(&m, wide * at[0], wide * at[1], wide * at[2], 0.01);
        g->fixed = true;
        g->wetness = full_wetness(&m.materials[0]);
    }
    mire_make(&m);
    mire_pass(&m, 86400.0);
    for (int32_t i = 0; i < m.count; ++i)
    {
        const int32_t at[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        bool within = at[2] < SIDE - 2; // below the water table
        for (int c = 0; c < 3; ++c)
        {
            within = within && at[c] > 0 && at[c] < SIDE - 1;
        }
        const double weight = 9810.0 * room;
        const double* push = m.world->grains->wet[i].push;
        if (within)
        {
            CHECK_NEAR(push[0], 0.0, 0.01 * weight);
            CHECK_NEAR(push[1], 0.0, 0.01 * weight);
            CHECK_NEAR(push[2], weight, 0.01 * weight);
        }
    }
    mire_close(&m);
}

// A chain of bonded grains, soaked and dried: load capacity of its bonds at three times.
static void bonds_that_dry_are_strong_again(void** state)
{
    (void)state;
    mire m;
    mire_open(&m, 1, 6);
    m.params.base = WADI_SEEPAGE_BASE_CLOSED;
    m.solid.sleep_speed = 1e-3;
    m.solid.sleep_acceleration = 0.5;
    m.solid.sleep_time = 0.01;
    m.materials[0].soil.conductivity = 1e-3;
    // suction holds water at the foot: saturation of 1 % at 20 m
    m.materials[0].soil.suction = 100.0;
    m.materials[0].grain.wet_strength = 0.3;
    m.materials[0].grain.plastic_limit = 1.0; // stays brittle
    m.materials[0].grain.liquid_limit = 2.0;
    for (int32_t k = 0; k < 6; ++k)
    {
        mire_add(&m, 0.0, 0.0, 0.01 + 0.02 * k, 0.01)->fixed = k == 0;
    }
    mire_make(&m);
    mire_wall(&m, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0);
    CHECK_OK(m.f.context, wadi_grains_bond(mire_solid(&m), 0.05, NULL));
    mire_settle(&m, 5.0);
    CHECK_OK(m.f.context, wadi_wet_grains_set_weather(m.world, 2e-5, 0.0));
    mire_pass(&m, 7200.0);
    const double wet = m.list[3].wetness;
    CHECK_NEAR(wet, full_wetness(&m.materials[0]), 0.02 * wet);
    CHECK_OK(m.f.context, wadi_wet_grains_set_weather(m.world, 0.0, 2e-6));
    mire_pass(&m, 20.0 * 86400.0);
    double least = 1.0;
    for (int32_t k = 0; k < 6; ++k)
    {
        const double left = 0.3 + 0.7 * exp(-30.0 * m.list[k].wetness);
        least = left < least ? left : least;
    }
    print_message("wetness %.4f, then %.5f; strength of the weakest %.4f of dry\n", wet,
                  m.list[3].wetness, least);
    assert_true(least >= 0.95);
    assert_int_equal(mire_look(&m).grains.bonds, 5);
    mire_check_books(&m);
    mire_close(&m);
}

static void refused(mire* m, wadi_result code, const char* said)
{
    CHECK_FAILS(m->f.context, code, said,
                wadi_wet_grains_create(m->f.context, &m->params, &m->solid, m->materials,
                                       m->material_count, m->list, m->count, &m->world));
    assert_null(m->world);
}

static void invalid_arguments_are_refused(void** state)
{
    (void)state;
    mire m;
    mire_open(&m, 1, 1);
    mire_add(&m, 0.0, 0.0, 0.0, 0.01);
    m.list[0].wetness = 0.5;
    refused(&m, WADI_ERROR_RANGE, "its pores are full at 0.251");
    m.list[0].wetness = 0.0;
    m.params.rain = -1.0;
    refused(&m, WADI_ERROR_RANGE, "rain");
    m.params.rain = 0.0;
    m.materials[0].cohesion.wet_from = 0.3;
    refused(&m, WADI_ERROR_RANGE, "wet_from");
    m.materials[0].cohesion.wet_from = 0.02;
    m.materials[0].soil.porosity = 2.0;
    refused(&m, WADI_ERROR_RANGE, "porosity");
    m.materials[0].soil.porosity = 0.4;
    m.materials[0].grain.stiffness = 0.0;
    refused(&m, WADI_ERROR_RANGE, "stiffness");
    m.materials[0].grain.stiffness = 5e4;
    m.count = 0;
    refused(&m, WADI_ERROR_ARGUMENT, "no grains");
    m.count = 1;
    mire_make(&m);
    bool rests;
    CHECK_FAILS(m.f.context, WADI_ERROR_RANGE, "cannot pass",
                wadi_wet_grains_advance(m.world, -1.0));
    CHECK_FAILS(m.f.context, WADI_ERROR_RANGE, "cannot settle",
                wadi_wet_grains_settle(m.world, (double)NAN, &rests));
    CHECK_FAILS(m.f.context, WADI_ERROR_RANGE, "rain",
                wadi_wet_grains_set_weather(m.world, -1.0, 0.0));
    mire_close(&m);
}

// Fail each allocation once; no leaks.
static void failing_memory_is_survived(void** state)
{
    (void)state;
    for (int64_t n = 1;; ++n)
    {
        mire m;
        mire_open(&m, 1, 2);
        mire_add(&m, 0.0, 0.0, 0.0, 0.01);
        mire_add(&m, 0.0, 0.0, 0.02, 0.01);
        m.f.memory.fail_at = m.f.memory.calls + n;
        const wadi_result made = wadi_wet_grains_create(m.f.context, &m.params, &m.solid,
                                                        m.materials, 1, m.list, m.count, &m.world);
        const wadi_result ran = made == WADI_OK ? wadi_wet_grains_advance(m.world, 0.1) : made;
        const bool through = m.f.memory.calls < m.f.memory.fail_at;
        assert_int_equal(ran, through ? WADI_OK : WADI_ERROR_MEMORY);
        m.f.memory.fail_at = 0;
        mire_close(&m);
        if (through)
        {
            assert_true(n > 50);
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_crowd_keeps_water_and_momentum),
        cmocka_unit_test(given_water_brings_its_momentum),
        cmocka_unit_test(water_loads_grains),
        cmocka_unit_test(surface_tension_pulls_grains_by_their_radius),
        cmocka_unit_test(still_water_bears_what_is_in_it),
        cmocka_unit_test(bonds_that_dry_are_strong_again),
        cmocka_unit_test(invalid_arguments_are_refused),
        cmocka_unit_test(failing_memory_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
