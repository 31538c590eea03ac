// SPDX-License-Identifier: MIT
// labels: medium
// seconds: 1
// Shape changes what a packing bears: heaps of clumps that are poured onto a floor are steeper than
// heaps of spheres of the same volume, friction and number, and a triaxial test says the same.
#include "support/soil.h"

#include <wadi/grain_flow.h>
#include <wadi/grain_test.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int heap_compare(const void* a, const void* b)
{
    const double x = *(const double*)a;
    const double y = *(const double*)b;
    return (x > y) - (x < y);
}

// Slope of the cone that has the mean height of a heap and the median distance of its grains from
// its axis: h / 4 and R / 2 [degrees]. A few grains that rolled away do not move the median.
static double heap_angle(const wadi_grain_clump* list, int32_t count, double radius)
{
    double high = 0.0;
    double* far = test_calloc((size_t)count, sizeof *far);
    for (int32_t k = 0; k < count; ++k)
    {
        far[k] = hypot(list[k].position[0], list[k].position[1]);
        high += (list[k].position[2] - radius) / count;
    }
    qsort(far, (size_t)count, sizeof *far, heap_compare);
    const double foot = far[count / 2] / 0.5;
    test_free(far);
    return atan(4.0 * high / foot) * 180.0 / 3.14159265358979323846;
}

static double heap_of(wadi_grain_form form)
{
    soil s;
    int32_t number;
    const wadi_grain_shape shape = wadi_grain_shape_of(form);
    const wadi_grain_clump first = {
        .position = {0.0, 0.0, 0.02}, .turn = {1.0, 0.0, 0.0, 0.0}, .radius = 0.01};
    const wadi_grain_clumps clumps = {&shape, 1, &first, 1};
    const wadi_grain_feeder feeder = {.low = {-0.03, -0.03, 0.1},
                                      .high = {0.03, 0.03, 0.18},
                                      .number_rate = 400.0,
                                      .until = 0.5,
                                      .every = 0.01,
                                      .radius_low = 0.009,
                                      .radius_high = 0.011,
                                      .velocity = {0.0, 0.0, -0.5},
                                      .clump_share = 1.0};
    soil_open(&s, 1, 4000);
    s.params.gravity_z = -9.81;
    s.materials[0].stiffness = 5e3;
    s.materials[0].restitution = 0.2;
    s.materials[0].friction = 0.6;
    CHECK_OK(s.f.context, wadi_grains_create_clumped(s.f.context, &s.params, s.materials, 1, NULL,
                                                     0, &clumps, &s.grains));
    CHECK_OK(s.f.context, wadi_grains_expect(s.grains, 0.009, 0.011));
    CHECK_OK(s.f.context, wadi_grains_add_feeder(s.grains, &feeder, &number));
    (void)soil_floor(&s);
    soil_pass(&s, 0.9);
    const int32_t count = wadi_grains_clump_count(s.grains);
    assert_int_equal(count, 201);
    wadi_grain_clump* list = test_calloc((size_t)count, sizeof *list);
    wadi_grains_read_clumps(s.grains, list);
    const double angle = heap_angle(list, count, 0.01 * 0.6);
    test_free(list);
    soil_close(&s);
    return angle;
}

static void heaps_of_clumps_are_steeper(void** state)
{
    (void)state;
    const double spheres = heap_of(WADI_GRAIN_FORM_SPHERE);
    const double stones = heap_of(WADI_GRAIN_FORM_TETRAHEDRON);
    printf("heaps: spheres %.1f, clumps of four %.1f degrees\n", spheres, stones);
    assert_true(spheres > 3.0 && stones < 40.0);
    assert_true(stones > spheres + 4.0);
}

static double triaxial_angle(int32_t shape)
{
    fixture f;
    wadi_grain_test* test;
    wadi_grain_test_result result;
    fixture_open(&f, 1);
    wadi_grain_test_params params = wadi_grain_test_params_default();
    const wadi_grain_material material = wadi_grain_material_default();
    params.grains = 216;
    params.inertia = 2e-2;
    params.strain = 0.2;
    params.shape = shape;
    CHECK_OK(f.context, wadi_grain_test_create(f.context, WADI_GRAIN_TEST_TRIAXIAL, &params,
                                               &material, 0, &test));
    while (!wadi_grain_test_is_done(test))
    {
        CHECK_OK(f.context, wadi_grain_test_advance(test, 1000));
    }
    CHECK_OK(f.context, wadi_grain_test_result_of(test, &result));
    assert_int_equal(result.grains, 216);
    wadi_grain_test_destroy(test);
    fixture_close(&f);
    return result.peak_angle;
}

static void slow_clumps_have_a_higher_friction_angle(void** state)
{
    (void)state;
    const double spheres = triaxial_angle(WADI_GRAIN_FORM_SPHERE);
    const double stones = triaxial_angle(WADI_GRAIN_FORM_TETRAHEDRON);
    printf("triaxial: spheres %.1f, clumps of four %.1f degrees\n", spheres, stones);
    assert_true(stones > spheres + 2.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heaps_of_clumps_are_steeper),
        cmocka_unit_test(slow_clumps_have_a_higher_friction_angle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
