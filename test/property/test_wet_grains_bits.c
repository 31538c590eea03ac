// SPDX-License-Identifier: MIT
// Moving wet grains give the same bits after a restart at any time, with any number of threads.
#include "support/mire.h"

#include "core/random.h"

#include <math.h>

enum
{
    SIDE = 4,
    CROWD = SIDE * SIDE * SIDE
};

// Wet grains collide while they dry and rain falls.
static void crowd(mire* m, int32_t threads)
{
    mire_open(m, threads, CROWD);
    m->solid.gravity_z = -1.0;
    m->solid.chunk = 16;
    m->params.exchange = 1e-3;
    m->params.acceleration = 100.0;
    m->params.surface_tension = 0.072;
    m->params.base = WADI_SEEPAGE_BASE_FREE;
    m->params.evaporation = 1e-5;
    m->materials[0].soil.conductivity = 1e-3;
    m->materials[0].cohesion.strength = 100.0;
    for (uint32_t i = 0; i < CROWD; ++i)
    {
        const wadi_philox p = wadi_random(4, 0, i, 0);
        const double far = 0.0201;
        wadi_grain* g =
            mire_add(m, far * (i % SIDE), far * (i / SIDE % SIDE), far * (i / SIDE / SIDE), 0.01);
        for (int c = 0; c < 3; ++c)
        {
            g->velocity[c] = (double)wadi_unit_float(p.v[c]) - 0.5;
        }
        g->wetness = 0.2 * (double)wadi_unit_float(p.v[3]);
    }
    mire_make(m);
}

static void restarts_change_nothing(void** state)
{
    (void)state;
    mire one;
    crowd(&one, 1);
    int64_t touches = 0;
    for (int cut = 0; cut < 5; ++cut)
    {
        mire_pass(&one, 0.3);
        const size_t size = wadi_wet_grains_save_size(one.world);
        void* bytes = test_calloc(size, 1);
        wadi_wet_grains_save(one.world, bytes);
        mire two;
        crowd(&two, 1 + cut % 2);
        CHECK_OK(two.f.context, wadi_wet_grains_restore(two.world, bytes, size));
        assert_true(wadi_wet_grains_hash(two.world) == wadi_wet_grains_hash(one.world));
        mire_pass(&two, 0.3);
        mire_pass(&one, 0.3);
        assert_true(wadi_wet_grains_hash(two.world) == wadi_wet_grains_hash(one.world));
        assert_true(mire_look(&two).farthest == mire_look(&one).farthest);
        mire_check_books(&two);
        touches += mire_look(&two).grains.touches;
        mire_close(&two);
        test_free(bytes);
    }
    print_message("%lld contacts\n", (long long)touches);
    assert_true(touches > 20);
    mire_close(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restarts_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
