// SPDX-License-Identifier: MIT
// labels: slow
// seconds: 160
// What laboratory tests on packings measure, against known relations: dry grains have no cohesion,
// bonds give one that grows with their strength; friction grows with that of contacts and saturates
// (Goencue & Luding 2013); stiffness is below that of a packing whose contacts all follow the mean
// strain (Walton 1987).
#include "support/fixture.h"

#include <wadi/grain_test.h>

enum
{
    LEVELS = 3
};

typedef struct trial
{
    wadi_grain_test_kind kind;
    int32_t levels;
    double friction;
    double rolling;
    double packing; // share of friction while it is packed
    double bond;    // strength [Pa]; 0: none
} trial;

static wadi_grain_test_result trial_run(fixture* f, const trial* t, int k)
{
    wadi_grain_test_params params = wadi_grain_test_params_default();
    wadi_grain_material material = wadi_grain_material_default();
    params.grains = 1000;
    params.inertia = 3e-3;
    params.stress *= (double)(1 << k);
    params.pack_friction = t->packing;
    params.bonded = t->bond > 0.0;
    material.friction = t->friction;
    material.rolling_friction = t->rolling;
    material.bond_tension = t->bond;
    material.bond_cohesion = t->bond;
    wadi_grain_test* test = NULL;
    wadi_grain_test_result result;
    CHECK_OK(f->context, wadi_grain_test_create(f->context, t->kind, &params, &material, 0, &test));
    CHECK_OK(f->context, wadi_grain_test_advance(test, INT64_MAX));
    CHECK_OK(f->context, wadi_grain_test_result_of(test, &result));
    wadi_grain_test_destroy(test);
    return result;
}

static wadi_grain_strength trial_strength(fixture* f, const trial* t,
                                          wadi_grain_test_result results[LEVELS])
{
    wadi_grain_strength strength;
    for (int k = 0; k < t->levels; ++k)
    {
        results[k] = trial_run(f, t, k);
    }
    CHECK_OK(f->context,
             wadi_grain_strength_fit(f->context, t->kind, results, t->levels, &strength));
    print_message("friction %.1f, bonds %.0f Pa: c %.0f Pa, phi %.1f; last c %.0f Pa, phi %.1f\n",
                  t->friction, t->bond, strength.cohesion, strength.friction,
                  strength.last_cohesion, strength.last_friction);
    return strength;
}

static void bonds_give_cohesion(void** state)
{
    fixture* f = *state;
    trial t = {WADI_GRAIN_TEST_TRIAXIAL, LEVELS, 0.5, 0.1, 1.0, 0.0};
    wadi_grain_test_result results[LEVELS];
    const wadi_grain_strength dry = trial_strength(f, &t, results);

    assert_true(fabs(dry.last_cohesion) < 0.05 * 5e3); // of the lowest stress
    CHECK_GAP(fabs(dry.cohesion) < 0.1 * 5e3);         // at the peak, where their dilation differs
    assert_true(dry.last_friction > 21.0 && dry.last_friction < 27.0);

    // all contacts follow the mean strain: E = 2/3 Z s k / (pi d) for Z contacts a grain, a solid
    // share s, and linear springs with k_t = 2/7 k
    for (int k = 0; k < LEVELS; ++k)
    {
        const double diameter = 0.0085;
        const double most = (1.0 - results[k].start.porosity) * results[k].start.coordination *
                            2.0 / 3.0 * 5e4 / (3.14159265358979323846 * diameter);
        print_message("E %.3g Pa, mean-field bound %.3g Pa\n", results[k].young, most);
        assert_true(results[k].young > 0.1 * most && results[k].young < most);
        assert_true(results[k].poisson > 0.0 && results[k].poisson < 0.5);
        assert_true(results[k].unbalanced < 0.15);
    }
    double before = 0.0;
    for (t.bond = 3e4; t.bond < 7e4; t.bond += 3e4)
    {
        const wadi_grain_strength bonded = trial_strength(f, &t, results);
        assert_true(bonded.cohesion > 0.1 * t.bond && bonded.cohesion > 1.3 * before);
        assert_true(results[0].last.bonds < results[0].start.bonds);
        before = bonded.cohesion;
    }
}

static void friction_saturates_with_that_of_contacts(void** state)
{
    fixture* f = *state;
    const double frictions[3] = {0.1, 0.3, 0.9};
    double angles[3];
    for (int k = 0; k < 3; ++k)
    {
        const trial t = {WADI_GRAIN_TEST_TRIAXIAL, 1, frictions[k], 0.0, 0.0, 0.0};
        const wadi_grain_test_result result = trial_run(f, &t, 0);
        angles[k] = result.last_angle;
        print_message("friction %.1f: peak %.1f, last %.1f, dilation %.1f degree\n", frictions[k],
                      result.peak_angle, result.last_angle, result.dilation);
        assert_true(result.peak_angle > result.last_angle && result.dilation > 2.0);
    }
    assert_true(angles[1] > angles[0] + 2.0 && angles[2] > angles[1]);
    assert_true((angles[2] - angles[1]) / 0.6 < 0.7 * (angles[1] - angles[0]) / 0.2);
}

// Shear between plates and an oedometer on the same grains.
static void shear_and_oedometer_agree(void** state)
{
    fixture* f = *state;
    const trial shear = {WADI_GRAIN_TEST_SHEAR, 2, 0.5, 0.1, 1.0, 0.0};
    wadi_grain_test_result results[LEVELS];
    double sum = 0.0;
    for (int k = 0; k < shear.levels; ++k)
    {
        results[k] = trial_run(f, &shear, k);
        print_message("shear: peak %.1f, last %.1f, dilation %.1f degree\n", results[k].peak_angle,
                      results[k].last_angle, results[k].dilation);
        assert_true(results[k].last_angle > 20.0 && results[k].last_angle < 28.0);
        assert_true(results[k].peak_angle >= results[k].last_angle);
        sum += results[k].last_angle;
    }
    wadi_grain_strength dry;
    CHECK_OK(f->context,
             wadi_grain_strength_fit(f->context, shear.kind, results, shear.levels, &dry));
    print_message("shear: c %.0f Pa, last c %.0f Pa\n", dry.cohesion, dry.last_cohesion);
    CHECK_GAP(fabs(dry.cohesion) < 0.1 * 5e3 && fabs(dry.last_cohesion) < 0.05 * 5e3);
    const trial press = {WADI_GRAIN_TEST_OEDOMETER, 1, 0.5, 0.1, 1.0, 0.0};
    const wadi_grain_test_result pressed = trial_run(f, &press, 0);

    // Jaky 1944: 1 - sin phi
    const double jaky = 1.0 - sin(0.5 * sum * 3.14159265358979323846 / 180.0);
    print_message("lateral ratio %.3f, Jaky %.3f; moduli %.3g and %.3g Pa, nu %.2f\n",
                  pressed.lateral_ratio, jaky, pressed.constrained, pressed.young, pressed.poisson);
    assert_true(fabs(pressed.lateral_ratio - jaky) < 0.15);
    assert_true(pressed.young > 0.0 && pressed.poisson > 0.05 && pressed.poisson < 0.45);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bonds_give_cohesion),
        cmocka_unit_test(friction_saturates_with_that_of_contacts),
        cmocka_unit_test(shear_and_oedometer_agree),
    };
    return cmocka_run_group_tests(tests, fixture_open_group, fixture_close_group);
}
