// SPDX-License-Identifier: MIT
// Sleep of grains at rest, and causes of waking.
#include "support/soil.h"

// A settled bed of `layers` in a periodic world.
static void bed_open(soil* s, double top)
{
    soil_open(s, 1, 4000);
    s->params.gravity_z = -9.81;
    s->params.sleep_speed = 2e-3;
    s->params.sleep_acceleration = 0.5;
    s->params.sleep_time = 5e-3;
    s->params.chunk = 64;
    s->materials[0].restitution = 0.1;
    soil_pack(s, (double[3]){0.0, 0.0, 0.0}, (double[3]){0.24, 0.24, top}, 0.01, false);
    s->params.period_x = 0.26;
    s->params.period_y = 0.26;
}

static void bed_settle(soil* s)
{
    soil_make(s);
    soil_floor(s);
    for (int k = 0; k < 100 && wadi_grains_summarize(s->grains).asleep < s->count; ++k)
    {
        soil_pass(s, 0.02);
    }
    assert_int_equal(wadi_grains_summarize(s->grains).asleep, s->count);
}

static void settled_bed_sleeps_and_stays(void** state)
{
    (void)state;
    soil s;
    bed_open(&s, 0.07);
    bed_settle(&s);
    const wadi_grain before = s.list[s.count / 2];
    soil_pass(&s, 0.1);
    const wadi_grains_summary sum = wadi_grains_summarize(s.grains);
    assert_int_equal(sum.asleep, s.count);
    assert_true(sum.kinetic == 0.0);
    assert_memory_equal(before.position, s.list[s.count / 2].position, sizeof before.position);
    soil_close(&s);
}

static void blow_wakes_those_it_reaches(void** state)
{
    (void)state;
    soil s;
    bed_open(&s, 0.07);
    wadi_grain* stone = soil_add(&s, 0.1, 0.1, 0.5, 0.01);
    stone->fixed = true; // fixed at first
    const int32_t id = s.count - 1;
    bed_settle(&s);
    wadi_grains_destroy(s.grains);
    s.list[id].fixed = false;
    s.list[id].position[2] = 0.4;
    s.list[id].velocity[2] = -3.0;
    soil_make(&s);
    soil_floor(&s);
    soil_pass(&s, 0.08); // falling; all others are asleep again
    assert_int_equal(wadi_grains_summarize(s.grains).asleep, s.count - 1);
    soil_pass(&s, 0.04);
    const int32_t asleep = wadi_grains_summarize(s.grains).asleep;
    assert_true(asleep < s.count - 3);
    soil_close(&s);
}

static void floor_that_goes_wakes_all(void** state)
{
    (void)state;
    soil s;
    bed_open(&s, 0.07);
    bed_settle(&s);
    CHECK_OK(s.f.context, wadi_grains_remove_wall(s.grains, 0));
    soil_pass(&s, 0.05);
    assert_int_equal(wadi_grains_summarize(s.grains).asleep, 0);
    assert_true(s.list[0].velocity[2] < -0.2);
    soil_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settled_bed_sleeps_and_stays),
        cmocka_unit_test(blow_wakes_those_it_reaches),
        cmocka_unit_test(floor_that_goes_wakes_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
