// SPDX-License-Identifier: MIT
// Wet grains give the same bits with any threads, chunks and skin, and after a restart, through
// sleep, wake-up by water, and motion.
#include "support/mire.h"

#include "bodies/grains/granular.h"
#include "bodies/wet_grains/wet.h"

typedef struct manner
{
    int32_t threads;
    int32_t chunk;
    double skin;
} manner;

enum
{
    SIDE = 5,
    HIGH = 7
};

static void bed_materials(mire* m)
{
    m->material_count = 2;
    for (int k = 0; k < 2; ++k)
    {
        m->materials[k].grain.stiffness = 2e4;
        m->materials[k].grain.restitution = 0.2;
        m->materials[k].grain.bond_modulus = 2e5;
        m->materials[k].grain.bond_tension = 1e3;
        m->materials[k].grain.bond_cohesion = 1e3;
        m->materials[k].grain.wet_strength = 0.05;
        m->materials[k].grain.wet_decay = 50.0;
        m->materials[k].soil.conductivity = k == 0 ? 1e-4 : 1e-6;
        m->materials[k].cohesion.strength = 200.0;
    }
    m->materials[1].grain.plastic_limit = 0.12;
    m->materials[1].grain.liquid_limit = 0.22;
}

// A bed of two soils, partly bonded, in a periodic world; rain wakes it repeatedly.
static void bed_open(mire* m, manner how)
{
    mire_open(m, how.threads, SIDE * SIDE * HIGH);
    m->solid.chunk = how.chunk;
    m->solid.skin = how.skin;
    m->solid.sleep_speed = 0.02;
    m->solid.sleep_acceleration = 0.3;
    m->solid.sleep_time = 0.01;
    m->params.rain = 2e-5;
    m->params.water_step = 60.0;
    m->params.exchange = 0.01;
    m->params.acceleration = 200.0;
    m->solid.period_x = 0.0205 * SIDE;
    m->solid.period_y = 0.0205 * SIDE;
    m->params.surface_tension = 0.072;
    bed_materials(m);
    for (int32_t i = 0; i < SIDE * SIDE * HIGH; ++i)
    {
        const int32_t z = i / (SIDE * SIDE);
        const double shift = 0.3 * (z & 1);
        wadi_grain* g =
            mire_add(m, 0.0205 * (i % SIDE + 0.2 + shift), 0.0205 * (i / SIDE % SIDE + 0.2 + shift),
                     0.03 + 0.0185 * z, 0.0095 + 0.0001 * (i % 8));
        g->material = z > 1 && z < 4;
        g->wetness = 0.02;
    }
    mire_make(m);
    mire_wall(m, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0);
    CHECK_OK(m->f.context, wadi_grains_bond(mire_solid(m), 0.1, NULL));
    bool rests;
    CHECK_OK(m->f.context, wadi_wet_grains_settle(m->world, 0.5, &rests));
}

// Run passes `from` to `until`, some with rain.
static void bed_pass(mire* m, int32_t from, int32_t until)
{
    double volumes[SIDE * SIDE * HIGH];
    double velocities[SIDE * SIDE * HIGH][3];
    double taken[SIDE * SIDE * HIGH];
    for (int32_t k = from; k < until; ++k)
    {
        for (int32_t i = 0; i < m->count; ++i)
        {
            volumes[i] = (i + k) % 11 == 0 ? 2e-8 : 0.0;
            velocities[i][0] = 0.1;
            velocities[i][1] = 0.0;
            velocities[i][2] = -1.0;
        }
        CHECK_OK(m->f.context,
                 wadi_wet_grains_give(m->world, volumes, (const double(*)[3])velocities, taken));
        mire_pass(m, 97.0);
    }
}

static uint64_t bed_run(manner how)
{
    mire m;
    bed_open(&m, how);
    bed_pass(&m, 0, 8);
    const wadi_wet_grains_summary sum = mire_look(&m);
    assert_true(sum.wakes >= 2 && sum.slept > 100.0);
    assert_true(sum.grains.broken > 5 && sum.grains.bridges > 20 && sum.water.given > 0.0);
    mire_check_books(&m);
    const uint64_t hash = wadi_wet_grains_hash(m.world);
    mire_close(&m);
    return hash;
}

static uint64_t bed_run_in_two(manner first, manner second)
{
    mire m;
    bed_open(&m, first);
    bed_pass(&m, 0, 5);
    const size_t size = wadi_wet_grains_save_size(m.world);
    unsigned char* bytes = test_calloc(size, 1);
    wadi_wet_grains_save(m.world, bytes);
    mire_close(&m);

    bed_open(&m, second);
    const uint64_t before = wadi_wet_grains_hash(m.world);
    CHECK_FAILS(m.f.context, WADI_ERROR_FORMAT, "do not take",
                wadi_wet_grains_restore(m.world, bytes, size - 1));
    CHECK_FAILS(m.f.context, WADI_ERROR_FORMAT, "too few",
                wadi_wet_grains_restore(m.world, bytes, 7));
    bytes[0] ^= 1;
    CHECK_FAILS(m.f.context, WADI_ERROR_FORMAT, "no saved wet grains",
                wadi_wet_grains_restore(m.world, bytes, size));
    bytes[0] ^= 1;
    assert_true(wadi_wet_grains_hash(m.world) == before);
    CHECK_OK(m.f.context, wadi_wet_grains_restore(m.world, bytes, size));
    bed_pass(&m, 5, 8);
    const uint64_t hash = wadi_wet_grains_hash(m.world);
    mire_close(&m);
    test_free(bytes);
    return hash;
}

static void no_manner_shows(void** state)
{
    (void)state;
    const uint64_t expected = bed_run((manner){1, 4096, 0.25});
    const manner others[] = {{2, 64, 0.25}, {3, 33, 0.2}, {8, 100, 0.4}};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; ++k)
    {
        assert_true(bed_run(others[k]) == expected);
    }
    assert_true(bed_run_in_two((manner){1, 4096, 0.25}, (manner){3, 50, 0.3}) == expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_manner_shows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
