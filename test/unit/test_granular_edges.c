// SPDX-License-Identifier: MIT
// Grains at the limits of the world: beyond the ground, at periodic edges, at large coordinates,
// and with invalid numbers.
#include "support/soil.h"

#include <math.h>

// ---- ground ------------------------------------------------------------------------------

// Beyond its outermost cells the ground is level, so nothing slides there.
static void ground_goes_on_level(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, 4);
    s.params.gravity_z = -9.81;
    s.materials[0].friction = 0.0;
    s.materials[0].rolling_friction = 0.0;
    const double beyond[4][2] = {{-2.0, 2.0}, {6.0, 2.0}, {2.0, -2.0}, {2.0, 6.0}};
    for (int k = 0; k < 4; ++k)
    {
        // cell centres lie from 0.5 to 3.5
        const double x = fmin(fmax(beyond[k][0], 0.5), 3.5);
        const double y = fmin(fmax(beyond[k][1], 0.5), 3.5);
        soil_add(&s, beyond[k][0], beyond[k][1], 0.0999 + x + 2.0 * y, 0.1);
    }
    soil_make(&s);
    float heights[16];
    for (int i = 0; i < 16; ++i)
    {
        heights[i] = (float)(i % 4) + 0.5f + 2.0f * (3.5f - (float)(i / 4));
    }
    const wadi_grain_ground ground = {
        .heights = heights, .width = 4, .height = 4, .cell_size = 1.0};
    CHECK_OK(s.f.context, wadi_grains_set_ground(s.grains, &ground));
    soil_pass(&s, 0.2);
    for (int k = 0; k < 4; ++k)
    {
        const int across = k < 2 ? 0 : 1; // from the edge
        CHECK_NEAR(s.list[k].velocity[across], 0.0, 1e-12);
    }
    soil_close(&s);
}

static void ground_at_no_place_is_refused(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, 1);
    soil_add(&s, 0.0, 0.0, 0.0, 0.01);
    soil_make(&s);
    const float heights[4] = {0.0f, 0.0f, 0.0f, 0.0f};
    wadi_grain_ground ground = {.heights = heights, .width = 2, .height = 2, .cell_size = 1.0};
    ground.west = (double)NAN;
    CHECK_FAILS(s.f.context, WADI_ERROR_ARGUMENT, "west",
                wadi_grains_set_ground(s.grains, &ground));
    ground.west = 0.0;
    ground.south = (double)INFINITY;
    CHECK_FAILS(s.f.context, WADI_ERROR_ARGUMENT, "south",
                wadi_grains_set_ground(s.grains, &ground));
    soil_close(&s);
}

// ---- periodic edges ----------------------------------------------------------------------

// A grain that leaves a periodic edge by less than the precision of a double is placed at 0, not at
// the period.
static void grains_stay_inside_of_the_period(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, 1);
    s.params.period_x = 1.0;
    s.params.period_y = 1.0;
    soil_add(&s, 0.0, 0.0, 0.0, 0.01)->velocity[0] = -1e-30;
    s.list[0].velocity[1] = -1e-30;
    soil_make(&s);
    soil_run(&s, 1);
    for (int c = 0; c < 2; ++c)
    {
        assert_true(s.list[0].position[c] >= 0.0 && s.list[0].position[c] < 1.0);
    }
    soil_close(&s);
}

// Speed of a grain pushed by another, with `period` or without periodicity.
static double pushed(double period)
{
    soil s;
    soil_open(&s, 1, 2);
    s.params.period_x = period;
    soil_add(&s, 4.0, 0.0, 0.0, 1.4);
    soil_add(&s, 6.7, 0.0, 0.0, 1.4);
    soil_make(&s);
    soil_run(&s, 1);
    const double speed = s.list[1].velocity[0];
    soil_close(&s);
    return speed;
}

// 6 x 1.4 x 1.25 is 10.499999999999998: just less than three columns by naive division.
static void shortest_period_counts_pairs_once(void** state)
{
    (void)state;
    assert_true(pushed(0.0) > 0.0);
    assert_true(pushed(6.0 * 1.4 * (1.0 + 0.25)) == pushed(0.0));
}

// ---- lists -------------------------------------------------------------------------------

// The force between two grains does not change with a third one far below.
static void height_of_others_does_not_matter(void** state)
{
    (void)state;
    double speed[2];
    for (int others = 0; others < 2; ++others)
    {
        soil s;
        soil_open(&s, 1, 3);
        soil_add(&s, 0.0, 0.0, 6.0e4 + 1.0e-3, 1e-3); // the spacing of floats there is 4 mm
        soil_add(&s, 0.0, 0.0, 6.0e4 + 2.9e-3, 1e-3);
        if (others > 0)
        {
            soil_add(&s, 0.0, 0.0, 0.0, 1e-3);
        }
        soil_make(&s);
        soil_run(&s, 1);
        speed[others] = s.list[1].velocity[2];
        soil_close(&s);
    }
    assert_true(speed[0] > 0.0);
    assert_true(speed[1] == speed[0]);
}

// A bridge reaches its rupture distance even if lists are rebuilt. Returns the speed of the grain
// pulled back.
static double drawn_back(double skin, int32_t bridge)
{
    soil s;
    soil_open(&s, 1, 2);
    s.params.bridge = bridge;
    s.params.skin = skin;
    s.params.bridge_reach = 1.0;
    s.params.step = 1e-5;
    soil_add(&s, 0.0, 0.0, 0.0, 0.01)->fixed = true;
    soil_add(&s, 0.01999, 0.0, 0.0, 0.01)->velocity[0] = 0.5;
    soil_make(&s);
    const wadi_grain_water water = {.pull = 1e-3, .bridge = 0.5 * 0.8e-6};
    CHECK_OK(s.f.context, wadi_grains_set_water(s.grains, (wadi_grain_water[2]){water, water}));
    soil_pass(&s, 0.018); // to a gap of 0.9 radii
    assert_true(s.list[1].position[0] > 0.0285 && s.list[1].position[0] < 0.0295);
    assert_int_equal(wadi_grains_summarize(s.grains).bridges, 1);
    const double speed = s.list[1].velocity[0];
    soil_close(&s);
    return speed;
}

static void bridges_reach_beyond_the_skin(void** state)
{
    (void)state;
    for (int32_t bridge = 0; bridge < WADI_GRAIN_BRIDGE_COUNT; ++bridge)
    {
        const double wide = drawn_back(1.0, bridge);
        assert_true(wide < 0.5);
        assert_true(drawn_back(0.25, bridge) == wide);
        assert_true(drawn_back(0.02, bridge) == wide);
    }
}

// Two grains that touch across periodic edges are pulled together as those inside are: after a step
// each has the speed pull / mass x time.
static void bridges_pull_across_periodic_edges(void** state)
{
    (void)state;
    for (int axis = 0; axis < 2; ++axis)
    {
        soil s;
        soil_open(&s, 1, 2);
        s.params.period_x = 1.0;
        s.params.period_y = 1.0;
        s.params.step = 1e-5;
        soil_add(&s, 0.5, 0.5, 0.0, 0.01)->position[axis] = 0.01;
        soil_add(&s, 0.5, 0.5, 0.0, 0.01)->position[axis] = 0.99 + 1e-12;
        soil_make(&s);
        const wadi_grain_water water = {.pull = 1e-4};
        CHECK_OK(s.f.context, wadi_grains_set_water(s.grains, (wadi_grain_water[2]){water, water}));
        soil_run(&s, 1);
        assert_int_equal(wadi_grains_summarize(s.grains).bridges, 1);
        const double speed = 1e-4 / soil_mass(&s, 0) * wadi_grains_summarize(s.grains).step;
        CHECK_NEAR(s.list[0].velocity[axis], -speed, 1e-3 * speed);
        CHECK_NEAR(s.list[1].velocity[axis], speed, 1e-3 * speed);
        soil_close(&s);
    }
}

// The same in a periodic world barely larger than the bridge.
static void bridges_as_long_as_the_world_are_refused(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, 1);
    s.params.bridge = WADI_GRAIN_BRIDGE_WILLETT;
    s.params.period_x = 0.08;
    soil_add(&s, 0.01, 0.0, 0.0, 0.01);
    soil_make(&s);
    const wadi_grain_water water = {.pull = 1e-3, .bridge = 1e-3};
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "period_x", wadi_grains_set_water(s.grains, &water));
    soil_close(&s);
}

// ---- numbers -----------------------------------------------------------------------------

static void pull_beyond_counting_is_refused(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, 2);
    soil_add(&s, 0.0, 0.0, 0.0, 0.01);
    soil_add(&s, 0.01999, 0.0, 0.0, 0.01);
    soil_make(&s);
    wadi_grain_water water[2] = {{.pull = 1e6}, {.pull = 1e6}};
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "pull of grain 0",
                wadi_grains_set_water(s.grains, water));
    water[0].pull = water[1].pull = 1.0;
    CHECK_OK(s.f.context, wadi_grains_set_water(s.grains, water));
    soil_close(&s);
}

// Grains above the liquid limit are not bonded and not counted as bonded.
static void mud_is_not_bonded(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, 2);
    soil_add(&s, 0.0, 0.0, 0.0, 0.01)->wetness = 1.0;
    soil_add(&s, 0.02, 0.0, 0.0, 0.01);
    soil_make(&s);
    int64_t bonds = -1;
    CHECK_OK(s.f.context, wadi_grains_bond(s.grains, 0.1, &bonds));
    assert_int_equal(bonds, wadi_grains_summarize(s.grains).bonds);
    assert_int_equal(bonds, 0);
    soil_close(&s);
}

// ---- memory ------------------------------------------------------------------------------

// A restore without memory leaves the world unchanged, or in a state that only another restore can
// leave.
static void half_restored_grains_take_no_step(void** state)
{
    (void)state;
    bool reached = true;
    bool stuck = false;
    for (int64_t n = 1; reached; ++n)
    {
        soil s;
        soil_open(&s, 1, 300);
        s.params.chunk = 16;
        soil_pack(&s, (double[3]){0.0, 0.0, 0.0}, (double[3]){0.1, 0.1, 0.06}, 0.01, false);
        soil_make(&s);
        soil_run(&s, 10);
        const uint64_t later = wadi_grains_hash(s.grains);
        const size_t size = wadi_grains_save_size(s.grains);
        void* bytes = test_calloc(size, 1);
        wadi_grains_save(s.grains, bytes);
        wadi_grains_destroy(s.grains);
        soil_make(&s);
        const uint64_t before = wadi_grains_hash(s.grains);
        s.f.memory.calls = 0;
        s.f.memory.fail_at = n;
        const wadi_result result = wadi_grains_restore(s.grains, bytes, size);
        reached = s.f.memory.calls >= n;
        s.f.memory.fail_at = 0;
        assert_int_equal(result, reached ? WADI_ERROR_MEMORY : WADI_OK);
        if (reached && wadi_grains_hash(s.grains) != before)
        {
            CHECK_FAILS(s.f.context, WADI_ERROR_STATE, "restore", wadi_grains_advance(s.grains, 1));
            stuck = true;
        }
        CHECK_OK(s.f.context, wadi_grains_restore(s.grains, bytes, size));
        assert_true(wadi_grains_hash(s.grains) == later);
        CHECK_OK(s.f.context, wadi_grains_advance(s.grains, 1));
        test_free(bytes);
        soil_close(&s);
    }
    assert_true(stuck);
}

// A sleeping grain on a slope stays asleep if its ground is set to the same heights, and moves down
// if the ground is lowered.
static void grains_follow_ground_that_wears(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, 1);
    s.params.gravity_z = -9.81;
    s.params.sleep_speed = 1e-3;
    soil_add(&s, 1.0, 1.0, 0.1 * sqrt(1.01) + 0.1, 0.1);
    s.materials[0].rolling_friction = 0.5;
    soil_make(&s);
    float heights[4] = {0.05f, 0.15f, 0.05f, 0.15f};
    CHECK_FAILS(s.f.context, WADI_ERROR_STATE, "no ground",
                wadi_grains_wear_ground(s.grains, heights));
    const wadi_grain_ground ground = {
        .heights = heights, .width = 2, .height = 2, .cell_size = 1.0};
    CHECK_OK(s.f.context, wadi_grains_set_ground(s.grains, &ground));
    soil_pass(&s, 3.0);
    assert_int_equal(wadi_grains_asleep(s.grains), 1);
    const double x = s.list[0].position[0];
    const double z = s.list[0].position[2];
    CHECK_OK(s.f.context, wadi_grains_wear_ground(s.grains, heights));
    soil_pass(&s, 1.0);
    assert_true(s.list[0].position[0] == x && s.list[0].position[2] == z);
    for (int i = 0; i < 4; ++i)
    {
        heights[i] -= 0.5f;
    }
    CHECK_OK(s.f.context, wadi_grains_wear_ground(s.grains, heights));
    soil_pass(&s, 3.0);
    CHECK_NEAR(s.list[0].position[2], z - 0.5, 0.05);
    heights[3] = (float)NAN;
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "no finite height",
                wadi_grains_wear_ground(s.grains, heights));
    soil_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ground_goes_on_level),
        cmocka_unit_test(ground_at_no_place_is_refused),
        cmocka_unit_test(grains_stay_inside_of_the_period),
        cmocka_unit_test(shortest_period_counts_pairs_once),
        cmocka_unit_test(height_of_others_does_not_matter),
        cmocka_unit_test(bridges_reach_beyond_the_skin),
        cmocka_unit_test(bridges_pull_across_periodic_edges),
        cmocka_unit_test(bridges_as_long_as_the_world_are_refused),
        cmocka_unit_test(pull_beyond_counting_is_refused),
        cmocka_unit_test(mud_is_not_bonded),
        cmocka_unit_test(half_restored_grains_take_no_step),
        cmocka_unit_test(grains_follow_ground_that_wears),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
