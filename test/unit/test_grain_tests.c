// SPDX-License-Identifier: MIT
// labels: medium
// seconds: 4
// Laboratory tests on packings: the same bits in any division into calls, with any threads and
// after a restore at any stage; refusals.
#include "support/fixture.h"

#include <wadi/grain_test.h>

#include <stdlib.h>

// A small and fast specimen.
static wadi_grain_test* small_test(fixture* f, wadi_grain_test_kind kind, bool bonded)
{
    wadi_grain_test_params params = wadi_grain_test_params_default();
    const wadi_grain_material material = wadi_grain_material_default();
    params.grains = kind == WADI_GRAIN_TEST_SHEAR ? 432 : 216;
    params.inertia = 0.05;
    params.strain = 0.05;
    params.bonded = bonded;
    wadi_grain_test* test = NULL;
    CHECK_OK(f->context, wadi_grain_test_create(f->context, kind, &params, &material, 7, &test));
    return test;
}

static void run(fixture* f, wadi_grain_test* test, int64_t stretch)
{
    while (!wadi_grain_test_is_done(test))
    {
        CHECK_OK(f->context, wadi_grain_test_advance(test, stretch));
    }
}

static void check_same(const wadi_grain_test* a, const wadi_grain_test* b)
{
    int32_t counts[2];
    const wadi_grain_test_point* points = wadi_grain_test_points(a, &counts[0]);
    const wadi_grain_test_point* others = wadi_grain_test_points(b, &counts[1]);
    assert_int_equal(counts[0], counts[1]);
    assert_memory_equal(points, others, (size_t)counts[0] * sizeof *points);
    assert_true(wadi_grains_hash(wadi_grain_test_grains(a)) ==
                wadi_grains_hash(wadi_grain_test_grains(b)));
}

// Go on in another world from a state saved after `steps`.
static wadi_grain_test* resume(fixture* f, fixture* g, wadi_grain_test_kind kind, bool bonded,
                               int64_t steps)
{
    wadi_grain_test* first = small_test(f, kind, bonded);
    CHECK_OK(f->context, wadi_grain_test_advance(first, steps));
    const size_t size = wadi_grain_test_save_size(first);
    unsigned char* bytes = test_malloc(size);
    wadi_grain_test_save(first, bytes);
    wadi_grain_test_destroy(first);
    wadi_grain_test* second = small_test(g, kind, bonded);
    CHECK_OK(g->context, wadi_grain_test_restore(second, bytes, size));
    bytes[size / 2] ^= 1;
    CHECK_FAILS(g->context, WADI_ERROR_FORMAT, "damaged",
                wadi_grain_test_restore(second, bytes, size));
    test_free(bytes);
    return second;
}

static void check_manners(wadi_grain_test_kind kind, bool bonded)
{
    fixture f;
    fixture g;
    fixture_open(&f, 1);
    fixture_open(&g, 3);
    wadi_grain_test* whole = small_test(&f, kind, bonded);
    run(&f, whole, 1000000);
    wadi_grain_test_result result;
    CHECK_OK(f.context, wadi_grain_test_result_of(whole, &result));
    for (int k = 0; k < 3; ++k)
    {
        const double part[3] = {0.2, 0.7, 0.97};
        wadi_grain_test* other =
            resume(&f, &g, kind, bonded, (int64_t)(part[k] * (double)result.steps));
        run(&g, other, 777);
        check_same(whole, other);
        wadi_grain_test_destroy(other);
    }
    wadi_grain_test_destroy(whole);
    fixture_close(&g);
    fixture_close(&f);
}

static void triaxial_has_the_same_bits(void** state)
{
    (void)state;
    check_manners(WADI_GRAIN_TEST_TRIAXIAL, true);
}

static void slow_shear_has_the_same_bits(void** state)
{
    (void)state;
    check_manners(WADI_GRAIN_TEST_SHEAR, true);
}

static void slow_oedometer_has_the_same_bits(void** state)
{
    (void)state;
    check_manners(WADI_GRAIN_TEST_OEDOMETER, false);
}

// A test that goes back to before its plates were made has its walls again.
static void slow_test_goes_back(void** state)
{
    (void)state;
    fixture f;
    fixture_open(&f, 1);
    wadi_grain_test* test = small_test(&f, WADI_GRAIN_TEST_SHEAR, false);
    CHECK_OK(f.context, wadi_grain_test_advance(test, 3000));
    const size_t size = wadi_grain_test_save_size(test);
    void* bytes = test_malloc(size);
    wadi_grain_test_save(test, bytes);
    run(&f, test, 1000000);
    int32_t count;
    const wadi_grain_test_point first = wadi_grain_test_points(test, &count)[150];
    CHECK_OK(f.context, wadi_grain_test_restore(test, bytes, size));
    run(&f, test, 1000000);
    assert_memory_equal(&first, &wadi_grain_test_points(test, &count)[150], sizeof first);
    test_free(bytes);
    wadi_grain_test_destroy(test);
    fixture_close(&f);
}

static void bad_tests_are_refused(void** state)
{
    fixture* f = *state;
    wadi_grain_test_params params = wadi_grain_test_params_default();
    wadi_grain_material material = wadi_grain_material_default();
    wadi_grain_test* test = NULL;
    params.grains = 10;
    CHECK_FAILS(
        f->context, WADI_ERROR_RANGE, "grains",
        wadi_grain_test_create(f->context, WADI_GRAIN_TEST_SHEAR, &params, &material, 0, &test));
    assert_null(test);
    params = wadi_grain_test_params_default();
    material.friction = -1.0;
    CHECK_FAILS(
        f->context, WADI_ERROR_RANGE, "friction",
        wadi_grain_test_create(f->context, WADI_GRAIN_TEST_SHEAR, &params, &material, 0, &test));
    test = small_test(f, WADI_GRAIN_TEST_TRIAXIAL, false);
    wadi_grain_test_result result;
    CHECK_FAILS(f->context, WADI_ERROR_STATE, "not done", wadi_grain_test_result_of(test, &result));
    CHECK_FAILS(f->context, WADI_ERROR_ARGUMENT, "0 or more", wadi_grain_test_advance(test, -1));
    wadi_grain_test_destroy(test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triaxial_has_the_same_bits),
        cmocka_unit_test(slow_shear_has_the_same_bits),
        cmocka_unit_test(slow_oedometer_has_the_same_bits),
        cmocka_unit_test(slow_test_goes_back),
        cmocka_unit_test(bad_tests_are_refused),
    };
    return cmocka_run_group_tests(tests, fixture_open_group, fixture_close_group);
}
