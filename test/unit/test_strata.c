// SPDX-License-Identifier: MIT
// Rock in beds: each erodes by its own hardness, and the hardness layer shows the exposed bed.
#include "support/fixture.h"

#include "terrain/ground.h"

#include <stdlib.h>

enum
{
    SIZE = 40
};

static int32_t metres(double value)
{
    return (int32_t)(value * WADI_UNITS_PER_METRE);
}

static double hardness_of(const wadi_terrain* terrain, int32_t x, int32_t y)
{
    return wadi_terrain_units(terrain, WADI_LAYER_HARDNESS, x, y) / 65535.0;
}

static void a_take_goes_through_beds(void** state)
{
    (void)state;
    static const wadi_stratum beds[] = {{1.0, 0.0}, {2.0, 0.5}, {1.0, 1.0}, {1.0, 0.0}};
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 3, 3);
    CHECK_OK(f.context, wadi_terrain_set_strata(terrain, beds, 4, NULL, 0));
    assert_true(hardness_of(terrain, 1, 1) == 0.0);
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    wadi_tally tally = {0};

    // one metre of the first bed, then half of the remaining three
    const int32_t promised = wadi_ground_yield(ground, 4, metres(4.0));
    assert_int_equal(wadi_ground_take(ground, 4, metres(4.0), &tally), promised);
    CHECK_NEAR(-ground->bedrock[4] / 65536.0, 2.5, 1e-4);
    CHECK_NEAR(hardness_of(terrain, 1, 1), 0.5, 1e-5);
    CHECK_NEAR(wadi_ground_erodible_rock(ground, 4) / 65536.0, 0.5, 1e-4);

    // the hard bed is not eroded by any request
    (void)wadi_ground_take(ground, 4, metres(30.0), &tally);
    assert_int_equal(ground->bedrock[4], -metres(3.0));
    assert_int_equal(wadi_ground_take(ground, 4, metres(30.0), &tally), 0);
    assert_int_equal(wadi_ground_erodible_rock(ground, 4), 0);
    assert_true(hardness_of(terrain, 1, 1) == 1.0);
    wadi_ground_put(ground, 5, metres(3.0), &tally);
    wadi_terrain_book(terrain, "test", &tally);
    fixture_check_ledger(terrain);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// A bed whose thickness rounds to 0 has no effect, however hard.
static void beds_without_thickness_are_not_there(void** state)
{
    (void)state;
    static const wadi_stratum beds[] = {{1.0, 0.0}, {1e-6, 1.0}, {1.0, 0.0}};
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 2, 2);
    CHECK_OK(f.context, wadi_terrain_set_strata(terrain, beds, 3, NULL, 0));
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    wadi_tally tally = {0};
    assert_int_equal(wadi_ground_erodible_rock(ground, 1), INT32_MAX);
    assert_int_equal(wadi_ground_take(ground, 1, metres(3.0), &tally), metres(3.0));
    assert_int_equal(ground->bedrock[1], -metres(3.0));
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

// Many small takes cut as deep as a large one, up to rounding.
static void small_takes_add_up(void** state)
{
    (void)state;
    static const wadi_stratum beds[] = {{0.3, 0.2}, {0.5, 0.8}, {0.4, 0.1}, {1.0, 0.6}};
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 2, 1);
    CHECK_OK(f.context, wadi_terrain_set_strata(terrain, beds, 4, NULL, 0));
    const wadi_ground* ground = wadi_terrain_ground(terrain);
    wadi_tally tally = {0};
    (void)wadi_ground_take(ground, 0, metres(5.0), &tally);
    for (uint32_t i = 0; i < 500; ++i)
    {
        const int32_t promised = wadi_ground_yield(ground, 1, metres(0.01));
        assert_int_equal(wadi_ground_take(ground, 1, metres(0.01), &tally), promised);
    }
    CHECK_NEAR((ground->bedrock[0] - ground->bedrock[1]) / 65536.0, 0.0, 510.0 / 65536.0);
    assert_int_equal(ground->hardness[0], ground->hardness[1]);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void surface_of(fixture* f, wadi_terrain* terrain, float* out)
{
    wadi_view view;
    CHECK_OK(f->context, wadi_terrain_borrow(terrain, WADI_LAYER_SURFACE, &view));
    for (int32_t y = 0; y < view.height; ++y)
    {
        memcpy(out + (int64_t)y * view.width, view.data + y * view.stride,
               (size_t)view.width * sizeof *out);
    }
    CHECK_OK(f->context, wadi_terrain_release(terrain, WADI_LAYER_SURFACE));
}

static void run(fixture* f, wadi_terrain* terrain, const wadi_process* process, const char* preset)
{
    void* params = calloc(1, process->fields->params_size);
    wadi_fields_init(process->fields, params);
    if (preset != NULL)
    {
        CHECK_OK(f->context, wadi_process_apply_preset(f->context, process, preset, params));
    }
    wadi_solver* solver = NULL;
    CHECK_OK(f->context, wadi_solver_create(terrain, process, params, 0, &solver));
    CHECK_OK(f->context, wadi_solver_advance(solver, 0.2 * wadi_process_years(process, params)));
    wadi_solver_destroy(solver);
    free(params);
}

// One bed equals the same hardness everywhere, bit for bit.
static void one_bed_is_plain_hardness(void** state)
{
    (void)state;
    static const wadi_stratum bed = {10.0, 0.4};
    static float plain[SIZE * SIZE];
    static float bedded[SIZE * SIZE];
    fixture f;
    fixture_open(&f, 2);
    for (int with = 0; with < 2; ++with)
    {
        wadi_terrain* terrain = fixture_rough(&f, SIZE, SIZE, 5);
        CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_HARDNESS, 0.4));
        if (with != 0)
        {
            CHECK_OK(f.context, wadi_terrain_set_strata(terrain, &bed, 1, NULL, 0));
        }
        run(&f, terrain, wadi_process_find(NULL, "hydraulic"), NULL);
        surface_of(&f, terrain, with != 0 ? bedded : plain);
        wadi_terrain_destroy(terrain);
    }
    assert_memory_equal(plain, bedded, sizeof plain);
    fixture_close(&f);
}

// For every preset of every process: a bed of hardness 1 at half a metre is never cut, the ledger
// closes, and the bits do not depend on threads.
static void no_process_cuts_the_hardest_bed(void** state)
{
    (void)state;
    static const wadi_stratum beds[] = {{0.5, 0.0}, {1.0, 1.0}};
    static float top[SIZE * SIZE];
    int64_t reached = 0;
    for (int32_t i = 0; i < wadi_process_count(NULL); ++i)
    {
        const wadi_process* process = wadi_process_at(NULL, i);
        for (int32_t p = 0; p < process->preset_count; ++p)
        {
            uint64_t hash = 0;
            for (int32_t threads = 1; threads <= 3; ++threads)
            {
                fixture f;
                fixture_open(&f, threads);
                wadi_terrain* terrain = fixture_rough(&f, SIZE, SIZE, 5);
                CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_SEDIMENT, 0.0));
                surface_of(&f, terrain, top);
                CHECK_OK(f.context, wadi_terrain_set_strata(terrain, beds, 2, top, SIZE));
                run(&f, terrain, process, process->presets[p].name);
                const wadi_ground* ground = wadi_terrain_ground(terrain);
                for (int64_t c = 0; c < ground->cells; ++c)
                {
                    assert_true(ground->bedrock[c] >= ground->strata->top[c] - metres(0.5));
                    reached += ground->hardness[c] == 65535 ? 1 : 0;
                }
                fixture_check_ledger(terrain);
                hash = threads == 1 ? wadi_terrain_hash(terrain) : hash;
                assert_true(wadi_terrain_hash(terrain) == hash);
                wadi_terrain_destroy(terrain);
                fixture_close(&f);
            }
        }
    }
    assert_true(reached > 1000); // erosion reached the bed in many cells
}

static void edits_uncover_beds_too(void** state)
{
    (void)state;
    static const wadi_stratum beds[] = {{1.0, 0.9}, {1.0, 0.1}};
    static const float tops[4] = {10.0f, 10.0f, 10.0f, 10.0f};
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 2, 2);
    CHECK_OK(f.context, wadi_terrain_fill_layer(terrain, WADI_LAYER_BEDROCK, 12.0));
    CHECK_OK(f.context, wadi_terrain_set_strata(terrain, beds, 2, tops, 2));
    CHECK_NEAR(hardness_of(terrain, 0, 0), 0.9,
               1e-5); // rock above the top has the first bed's hardness
    const uint64_t hash = wadi_terrain_hash(terrain);
    wadi_terrain* copy = NULL;
    CHECK_OK(f.context, wadi_terrain_clone(terrain, &copy));
    assert_true(wadi_terrain_hash(copy) == hash);
    CHECK_OK(f.context, wadi_terrain_fill_layer(copy, WADI_LAYER_BEDROCK, 8.5));
    CHECK_NEAR(hardness_of(copy, 0, 0), 0.1, 1e-5);
    CHECK_NEAR(hardness_of(terrain, 0, 0), 0.9, 1e-5);
    CHECK_FAILS(f.context, WADI_ERROR_STATE, "beds",
                wadi_terrain_fill_layer(copy, WADI_LAYER_HARDNESS, 0.3));
    CHECK_OK(f.context, wadi_terrain_set_strata(copy, NULL, 0, NULL, 0));
    CHECK_OK(f.context, wadi_terrain_fill_layer(copy, WADI_LAYER_HARDNESS, 0.3));
    wadi_terrain_destroy(copy);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

static void bad_beds_are_refused(void** state)
{
    (void)state;
    static const wadi_stratum hard = {1.0, 1.1};
    static const wadi_stratum thin = {0.0, 0.5};
    static const wadi_stratum good = {1.0, 0.5};
    static const float high[4] = {0.0f, 40000.0f, 0.0f, 0.0f};
    fixture f;
    fixture_open(&f, 1);
    wadi_terrain* terrain = fixture_flat(&f, 2, 2);
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "bed 1 has hardness 1.1",
                wadi_terrain_set_strata(terrain, &hard, 1, NULL, 0));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "bed 1 is 0 m thick",
                wadi_terrain_set_strata(terrain, &thin, 1, NULL, 0));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "33 beds",
                wadi_terrain_set_strata(terrain, &good, 33, NULL, 0));
    CHECK_FAILS(f.context, WADI_ERROR_RANGE, "column 1, row 0",
                wadi_terrain_set_strata(terrain, &good, 1, high, 2));
    assert_null(wadi_terrain_ground(terrain)->strata);
    wadi_terrain_destroy(terrain);
    fixture_close(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_take_goes_through_beds),
        cmocka_unit_test(beds_without_thickness_are_not_there),
        cmocka_unit_test(small_takes_add_up),
        cmocka_unit_test(one_bed_is_plain_hardness),
        cmocka_unit_test(no_process_cuts_the_hardest_bed),
        cmocka_unit_test(edits_uncover_beds_too),
        cmocka_unit_test(bad_beds_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
