// SPDX-License-Identifier: MIT
// Cohesion and friction from the results of laboratory tests: the line of Mohr and Coulomb.
#include "support/fixture.h"

#include <wadi/grain_test.h>

// Peaks on a known line: c = 3000 Pa, phi = 30 degrees.
static void strength_is_that_of_a_known_line(void** state)
{
    fixture* f = *state;
    wadi_grain_test_result results[3] = {{.grains = 1}, {.grains = 1}, {.grains = 1}};
    const double root = sqrt(3.0); // of tan^2(45 + phi / 2) = 3
    for (int k = 0; k < 3; ++k)
    {
        const double lateral = 5e3 * (double)(1 << k);
        const double axial = 3.0 * lateral + 2.0 * 3e3 * root;
        results[k].start.axial = lateral;
        results[k].peak = (wadi_grain_test_point){
            .axial = axial, .lateral = lateral, .shear = 0.5 * (axial - lateral)};
        results[k].last =
            (wadi_grain_test_point){.axial = 3.0 * lateral, .lateral = lateral, .shear = lateral};
    }
    wadi_grain_strength strength;
    CHECK_OK(f->context,
             wadi_grain_strength_fit(f->context, WADI_GRAIN_TEST_TRIAXIAL, results, 3, &strength));
    assert_true(fabs(strength.cohesion - 3e3) < 1e-6);
    assert_true(fabs(strength.friction - 30.0) < 1e-9);
    assert_true(fabs(strength.last_cohesion) < 1e-6);
    assert_true(fabs(strength.last_friction - 30.0) < 1e-9);
    assert_true(strength.misfit < 1e-12);
    CHECK_FAILS(
        f->context, WADI_ERROR_ARGUMENT, "2 or more",
        wadi_grain_strength_fit(f->context, WADI_GRAIN_TEST_TRIAXIAL, results, 1, &strength));
    CHECK_FAILS(
        f->context, WADI_ERROR_ARGUMENT, "oedometer",
        wadi_grain_strength_fit(f->context, WADI_GRAIN_TEST_OEDOMETER, results, 3, &strength));
}

// Peaks of a shear test: c = 500 Pa, tan phi = 0.6.
static void strength_of_shear_is_that_of_a_known_line(void** state)
{
    fixture* f = *state;
    wadi_grain_test_result results[2] = {{.grains = 1}, {.grains = 1}};
    for (int k = 0; k < 2; ++k)
    {
        const double normal = 1e4 * (double)(1 + k);
        results[k].start.axial = normal;
        results[k].peak = (wadi_grain_test_point){.axial = normal, .shear = 500.0 + 0.6 * normal};
        results[k].last = (wadi_grain_test_point){.axial = normal, .shear = 0.5 * normal};
    }
    wadi_grain_strength strength;
    CHECK_OK(f->context,
             wadi_grain_strength_fit(f->context, WADI_GRAIN_TEST_SHEAR, results, 2, &strength));
    assert_true(fabs(strength.cohesion - 500.0) < 1e-6);
    assert_true(fabs(strength.friction - 30.96375653207352) < 1e-9);
    assert_true(fabs(strength.last_friction - 26.56505117707799) < 1e-9);
    results[1].start.axial = results[0].start.axial;
    CHECK_FAILS(f->context, WADI_ERROR_ARGUMENT, "differ by a tenth",
                wadi_grain_strength_fit(f->context, WADI_GRAIN_TEST_SHEAR, results, 2, &strength));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strength_is_that_of_a_known_line),
        cmocka_unit_test(strength_of_shear_is_that_of_a_known_line),
    };
    return cmocka_run_group_tests(tests, fixture_open_group, fixture_close_group);
}
