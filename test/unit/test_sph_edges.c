// SPDX-License-Identifier: MIT
// Water at the limits of the world: distant strays, beyond the ground, at periodic edges, at large
// heights, and without memory.
#include "support/water.h"

#include <math.h>

enum
{
    MOST = 6000
};

static void add(water* w, double x, double y, double z)
{
    const wadi_sph_particle particle = {.position = {x, y, z}, .pressure = 1e3};
    CHECK_OK(w->f.context, wadi_sph_add(w->sph, &particle, 1));
}

// ---- lists -------------------------------------------------------------------------------

// Two drops a valley apart: the list cannot have a column for every place between them.
static void strays_far_apart_are_found(void** state)
{
    (void)state;
    water w;
    water_open(&w, 1, MOST);
    water_make(&w);
    add(&w, 0.0, 0.0, 0.0);
    add(&w, 0.08, 0.0, 0.0);
    add(&w, 4000.0, 5000.0, 0.0);
    water_run(&w, 2);
    assert_true(w.list[1].velocity[0] > 0.0);
    assert_true(w.list[2].velocity[0] == 0.0);
    water_close(&w);
}

static void wide_worlds_that_repeat_are_counted(void** state)
{
    (void)state;
    water w;
    water_open(&w, 1, MOST);
    w.params.period_x = 5000.0;
    w.params.period_y = 4000.0;
    water_make(&w);
    add(&w, 0.01, 3999.99, 0.0);
    add(&w, 4999.95, 0.01, 0.0);
    water_run(&w, 2);
    assert_true(w.list[0].velocity[0] > 0.0);
    water_close(&w);
}

static void height_of_others_does_not_matter(void** state)
{
    (void)state;
    double speed[2];
    for (int others = 0; others < 2; ++others)
    {
        water w;
        water_open(&w, 1, MOST);
        w.params.spacing = 1e-3;
        w.params.gravity_z = 0.0;
        water_make(&w);
        if (others > 0)
        {
            add(&w, 0.0, 0.0, 0.0);
        }
        add(&w, 0.0, 0.0, 6.0e4 + 1.0e-3); // the spacing of floats there is 4 mm
        add(&w, 0.0, 0.0, 6.0e4 + 2.1e-3);
        water_run(&w, 1);
        speed[others] = w.list[others].velocity[2];
        water_close(&w);
    }
    assert_true(speed[0] != 0.0);
    assert_true(speed[1] == speed[0]);
}

// ---- edges -------------------------------------------------------------------------------

static void water_stays_inside_of_the_period(void** state)
{
    (void)state;
    water w;
    water_open(&w, 1, MOST);
    w.params.period_x = 1.0;
    w.params.period_y = 1.0;
    water_make(&w);
    const wadi_sph_particle particle = {.velocity = {-1e-30, -1e-30, 0.0}};
    CHECK_OK(w.f.context, wadi_sph_add(w.sph, &particle, 1));
    water_run(&w, 1);
    for (int c = 0; c < 2; ++c)
    {
        assert_true(w.list[0].position[c] >= 0.0 && w.list[0].position[c] < 1.0);
    }
    water_close(&w);
}

static void ground_goes_on_level(void** state)
{
    (void)state;
    water w;
    water_open(&w, 1, MOST);
    water_make(&w);
    float heights[16];
    for (int i = 0; i < 16; ++i)
    {
        heights[i] = (float)(i % 4);
    }
    const wadi_sph_ground ground = {.heights = heights, .width = 4, .height = 4, .cell_size = 1.0};
    CHECK_OK(w.f.context, wadi_sph_set_ground(w.sph, &ground));
    add(&w, 6.0, 2.0, 3.05);
    add(&w, -2.0, 2.0, 0.05);
    water_run(&w, 50);
    CHECK_NEAR(w.list[0].velocity[0], 0.0, 1e-12);
    CHECK_NEAR(w.list[1].velocity[0], 0.0, 1e-12);
    water_close(&w);
}

static void rain_and_ground_at_no_place_are_refused(void** state)
{
    (void)state;
    water w;
    water_open(&w, 1, MOST);
    w.params.period_x = 2.0;
    water_make(&w);
    wadi_sph_rain rain = {.low = {-(double)INFINITY, 0.0}, .high = {1.0, 1.0}, .rate = 1.0};
    CHECK_FAILS(w.f.context, WADI_ERROR_ARGUMENT, "rain falls from",
                wadi_sph_set_rain(w.sph, &rain));
    rain.low[0] = -0.5;
    CHECK_FAILS(w.f.context, WADI_ERROR_ARGUMENT, "period", wadi_sph_set_rain(w.sph, &rain));
    rain.low[0] = 0.0;
    rain.high[0] = 2.0;
    CHECK_OK(w.f.context, wadi_sph_set_rain(w.sph, &rain));
    const float heights[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    const wadi_sph_ground ground = {
        .heights = heights, .width = 2, .height = 2, .cell_size = 1.0, .west = (double)NAN};
    CHECK_FAILS(w.f.context, WADI_ERROR_ARGUMENT, "west", wadi_sph_set_ground(w.sph, &ground));
    water_close(&w);
}

// A box that does not fit fills nothing.
static void boxes_are_filled_or_not(void** state)
{
    (void)state;
    water w;
    water_open(&w, 1, MOST);
    w.params.period_x = 1.0;
    water_make(&w);
    CHECK_FAILS(w.f.context, WADI_ERROR_RANGE, "period",
                wadi_sph_fill(w.sph, (double[3]){0.5, 0.0, 0.0}, (double[3]){1.5, 0.4, 0.4}, NULL));
    assert_int_equal(wadi_sph_count(w.sph), 0);
    water_close(&w);
}

// ---- memory ------------------------------------------------------------------------------

// After a failed allocation for new water the existing water flows on.
static void water_flows_on_after_memory_ran_out(void** state)
{
    (void)state;
    bool reached = true;
    for (int64_t n = 1; reached; ++n)
    {
        water w;
        water_open(&w, 1, MOST);
        water_make(&w);
        add(&w, 0.0, 0.0, 0.0);
        water_run(&w, 2);
        const int32_t before = wadi_sph_count(w.sph);
        w.f.memory.calls = 0;
        w.f.memory.fail_at = n;
        const wadi_result result =
            wadi_sph_fill(w.sph, (double[3]){1.0, 0.0, 0.0}, (double[3]){3.0, 1.0, 1.0}, NULL);
        reached = w.f.memory.calls >= n;
        w.f.memory.fail_at = 0;
        assert_int_equal(result, reached ? WADI_ERROR_MEMORY : WADI_OK);
        assert_true(!reached || wadi_sph_count(w.sph) == before);
        CHECK_OK(w.f.context, wadi_sph_advance(w.sph, 2));
        add(&w, 0.1, 0.0, 0.0);
        CHECK_OK(w.f.context, wadi_sph_advance(w.sph, 2));
        water_close(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strays_far_apart_are_found),
        cmocka_unit_test(wide_worlds_that_repeat_are_counted),
        cmocka_unit_test(height_of_others_does_not_matter),
        cmocka_unit_test(water_stays_inside_of_the_period),
        cmocka_unit_test(ground_goes_on_level),
        cmocka_unit_test(rain_and_ground_at_no_place_are_refused),
        cmocka_unit_test(boxes_are_filled_or_not),
        cmocka_unit_test(water_flows_on_after_memory_ran_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
