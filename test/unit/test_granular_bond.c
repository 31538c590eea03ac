// SPDX-License-Identifier: MIT
// Bonds compared with a cylinder of cement: strength in each direction, a cantilever, effects of
// wetness.
#include "support/soil.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
static const double RADIUS = 0.01;
static const double STRONG = 1e9;

static double section(void)
{
    return PI * RADIUS * RADIUS;
}

// A chain of touching, bonded grains along x; the first is fixed.
static void chain_open(soil* s, int32_t count, double modulus)
{
    soil_open(s, 1, count);
    s->materials[0].bond_modulus = modulus;
    s->materials[0].bond_tension = STRONG;
    s->materials[0].bond_cohesion = STRONG;
    s->materials[0].bond_friction = 0.0;
    s->materials[0].bond_damping = 0.5;
    for (int32_t i = 0; i < count; ++i)
    {
        soil_add(s, 2.0 * RADIUS * i, 0.0, 0.0, RADIUS)->fixed = i == 0;
    }
}

static void chain_make(soil* s)
{
    soil_make(s);
    int64_t bonds;
    CHECK_OK(s->f.context, wadi_grains_bond(s->grains, 0.01, &bonds));
    assert_int_equal(bonds, s->count - 1);
}

// Increase the force on the second of two grains; returns the force at which the bond breaks.
static double force_at_break(soil* s, const double direction[3], double guess)
{
    enum
    {
        RISE = 40000 // steps to reach `guess`; 1e-4 of it per four steps
    };
    chain_make(s);
    int32_t k = 0;
    while (wadi_grains_summarize(s->grains).broken == 0)
    {
        assert_true(k < 2 * RISE);
        const double size = guess * ++k / RISE;
        const double force[3] = {size * direction[0], size * direction[1], size * direction[2]};
        CHECK_OK(s->f.context, wadi_grains_set_force(s->grains, 1, force));
        CHECK_OK(s->f.context, wadi_grains_advance(s->grains, 1));
    }
    return guess * k / RISE;
}

static void bond_breaks_at_its_strength_in_tension(void** state)
{
    (void)state;
    soil s;
    chain_open(&s, 2, 1e7);
    s.materials[0].bond_tension = 1e4;
    const double expected = 1e4 * section();
    const double force = force_at_break(&s, (double[3]){1.0, 0.0, 0.0}, expected);
    assert_true(fabs(force / expected - 1.0) < 1e-3);
    soil_close(&s);
}

// The weaker grain determines the strength; a grain without strength is not bonded.
static void grains_have_a_share_of_strength(void** state)
{
    (void)state;
    soil s;
    chain_open(&s, 2, 1e7);
    s.materials[0].bond_tension = 1e4;
    soil_make(&s);
    int64_t bonds;
    CHECK_OK(s.f.context, wadi_grains_set_strength(s.grains, (double[2]){1.0, 0.0}));
    CHECK_OK(s.f.context, wadi_grains_bond(s.grains, 0.01, &bonds));
    assert_int_equal(bonds, 0);
    CHECK_OK(s.f.context, wadi_grains_set_strength(s.grains, (double[2]){2.0, 0.25}));
    CHECK_OK(s.f.context, wadi_grains_bond(s.grains, 0.01, &bonds));
    assert_int_equal(bonds, 1);
    for (int k = 0; k < 2; ++k) // a quarter of the strength holds, more breaks
    {
        const double force[3] = {(k == 0 ? 0.24 : 0.26) * 1e4 * section(), 0.0, 0.0};
        for (int rise = 0; rise < 1000; ++rise)
        {
            const double now[3] = {force[0] * rise / 1000.0, 0.0, 0.0};
            CHECK_OK(s.f.context, wadi_grains_set_force(s.grains, 1, now));
            CHECK_OK(s.f.context, wadi_grains_advance(s.grains, 10));
        }
        assert_int_equal(wadi_grains_summarize(s.grains).broken, k);
    }
    CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "strength of grain 1",
                wadi_grains_set_strength(s.grains, (double[2]){1.0, -1.0}));
    soil_close(&s);
}

// A world that is restored has the strengths of the saved one, whatever it had before.
static void strengths_are_saved(void** state)
{
    (void)state;
    const double weak[2] = {1.0, 0.0};
    for (int k = 0; k < 2; ++k)
    {
        soil from;
        soil to;
        int64_t bonds;
        chain_open(&from, 2, 1e7);
        chain_open(&to, 2, 1e7);
        soil_make(&from);
        soil_make(&to);
        soil* has = k == 0 ? &from : &to;
        CHECK_OK(has->f.context, wadi_grains_set_strength(has->grains, weak));
        const size_t size = wadi_grains_save_size(from.grains);
        void* bytes = test_calloc(size, 1);
        wadi_grains_save(from.grains, bytes);
        CHECK_OK(to.f.context, wadi_grains_restore(to.grains, bytes, size));
        CHECK_OK(to.f.context, wadi_grains_bond(to.grains, 0.01, &bonds));
        assert_int_equal(bonds, k);
        test_free(bytes);
        soil_close(&from);
        soil_close(&to);
    }
}

static void bond_breaks_at_its_strength_in_shear(void** state)
{
    (void)state;
    soil s;
    chain_open(&s, 2, 1e7);
    s.materials[0].bond_cohesion = 1e4;
    const double expected = 1e4 * section();
    const double force = force_at_break(&s, (double[3]){0.0, 0.6, 0.8}, expected);
    assert_true(fabs(force / expected - 1.0) < 1e-3);
    soil_close(&s);
}

// A force F across on the free grain bends the bond by F R: it breaks where F R = sigma I / R.
static void bond_breaks_at_its_strength_in_bending(void** state)
{
    (void)state;
    soil s;
    chain_open(&s, 2, 1e7);
    s.materials[0].bond_tension = 1e4;
    const double expected = 1e4 * section() / 4.0;
    const double force = force_at_break(&s, (double[3]){0.0, 0.6, 0.8}, expected);
    assert_true(fabs(force / expected - 1.0) < 1e-3);
    soil_close(&s);
}

// Compression adds friction: shear strength is c + sigma tan phi.
static void pressed_bond_bears_more_shear(void** state)
{
    (void)state;
    soil s;
    chain_open(&s, 2, 1e9); // stiff, for small rotations
    s.materials[0].bond_cohesion = 1e4;
    s.materials[0].bond_friction = 0.5;
    const double expected = 1e4 * section() / (0.8 - 0.5 * 0.6);
    const double force = force_at_break(&s, (double[3]){-0.6, 0.8, 0.0}, expected);
    assert_true(fabs(force / expected - 1.0) < 1e-3);
    soil_close(&s);
}

// Three grains in a row, both ends fixed, a torsion at the end: each bond takes half the angle.
static double angle_at_break(double cohesion)
{
    soil s;
    chain_open(&s, 3, 1e7);
    s.materials[0].bond_cohesion = cohesion;
    s.list[2].fixed = true;
    s.list[2].spin[0] = 0.05;
    chain_make(&s);
    while (wadi_grains_summarize(s.grains).broken == 0)
    {
        CHECK_OK(s.f.context, wadi_grains_advance(s.grains, 4));
    }
    const double angle = 0.05 * wadi_grains_summarize(s.grains).time;
    soil_close(&s);
    return angle;
}

// M = k_s J theta / 2 = tau J / R.
static void bond_breaks_at_its_strength_in_twisting(void** state)
{
    (void)state;
    const double shear_stiffness = 1e7 / 2.5 / (2.0 * RADIUS);
    const double expected = 2.0 * 1e4 / (shear_stiffness * RADIUS);
    assert_true(fabs(angle_at_break(1e4) / expected - 1.0) < 1e-3);
}

// ---- cantilever --------------------------------------------------------------------------

enum
{
    BONDS = 20
};

// Mean sag of the free end with a Hann window, which suppresses the oscillation.
static double mean_sag(soil* s, double seconds)
{
    const int32_t parts = 400;
    const int64_t steps = (int64_t)(seconds / wadi_grains_summarize(s->grains).step) / parts;
    double sum = 0.0;
    for (int32_t k = 0; k < parts; ++k)
    {
        soil_run(s, steps);
        const double weight = 1.0 - cos(2.0 * PI * (double)(k + 1) / (double)parts);
        sum += weight * -s->list[BONDS].position[2];
    }
    return sum / (double)parts;
}

static void cantilever_sags_as_a_beam(void** state)
{
    (void)state;
    const double modulus = 1e7;
    const double length = BONDS * 2.0 * RADIUS;
    const double stiffness = modulus * section() * RADIUS * RADIUS / 4.0; // E I
    const double load = 1e-4;
    soil s;
    chain_open(&s, BONDS + 1, modulus);
    s.materials[0].bond_damping = 0.05;
    chain_make(&s);
    CHECK_OK(s.f.context, wadi_grains_set_force(s.grains, BONDS, (double[3]){0.0, 0.0, -load}));
    const double bending = load * length * length * length / (3.0 * stiffness);
    const double shear = load * length / (modulus / 2.5 * section());
    const double sag = mean_sag(&s, 4.0);
    print_message("sag %.5g m, beam %.5g m\n", sag, bending + shear);
    assert_true(sag < 0.01 * length);
    assert_true(fabs(sag / (bending + shear) - 1.0) < 0.02);
    soil_close(&s);
}

static void cantilever_sags_under_its_weight(void** state)
{
    (void)state;
    const double modulus = 1e7;
    const double length = BONDS * 2.0 * RADIUS;
    const double stiffness = modulus * section() * RADIUS * RADIUS / 4.0;
    soil s;
    chain_open(&s, BONDS + 1, modulus);
    s.params.gravity_z = -0.005;
    s.materials[0].bond_damping = 0.05;
    chain_make(&s);
    const double weight = soil_mass(&s, 0) * 0.005 / (2.0 * RADIUS); // for each metre

    // grains are point loads: half the weight of the last one acts at the very end
    const double bending = weight * pow(length, 4.0) / (8.0 * stiffness) +
                           weight * RADIUS * pow(length, 3.0) / (3.0 * stiffness);
    const double shear = weight * length * length / (2.0 * modulus / 2.5 * section());
    const double sag = mean_sag(&s, 4.0);
    print_message("sag %.5g m, beam %.5g m\n", sag, bending + shear);
    assert_true(sag < 0.01 * length);
    assert_true(fabs(sag / (bending + shear) - 1.0) < 0.02);
    soil_close(&s);
}

// ---- wetness -----------------------------------------------------------------------------

// Tensile strength of a bond at this wetness relative to its dry strength.
static double strength_at(double wetness)
{
    soil s;
    chain_open(&s, 2, 1e7);
    s.materials[0].bond_tension = 1e4;
    s.materials[0].wet_strength = 0.4;
    s.materials[0].wet_decay = 20.0;
    s.materials[0].plastic_limit = 0.3;
    s.materials[0].liquid_limit = 0.4;
    s.list[1].wetness = wetness;
    const double expected = 1e4 * section() * (0.4 + 0.6 * exp(-20.0 * wetness));
    const double force = force_at_break(&s, (double[3]){1.0, 0.0, 0.0}, expected);
    soil_close(&s);
    return force / (1e4 * section());
}

static void wetness_weakens_bonds(void** state)
{
    (void)state;
    assert_true(fabs(strength_at(0.0) - 1.0) < 1e-3);
    assert_true(fabs(strength_at(0.05) - (0.4 + 0.6 * exp(-1.0))) < 1e-3);
    assert_true(fabs(strength_at(0.25) - (0.4 + 0.6 * exp(-5.0))) < 1e-3);
}

// At twice its strength a brittle bond breaks at once, a plastic one stretches first, and a liquid
// one does not exist.
static void limits_part_brittle_plastic_and_liquid(void** state)
{
    (void)state;
    double reach[2];
    for (int i = 0; i < 2; ++i)
    {
        soil s;
        chain_open(&s, 2, 1e7);
        s.materials[0].bond_tension = 1e4;
        s.list[1].wetness = i == 0 ? 0.1 : 0.25;
        chain_make(&s);
        const double pull = 2e4 * section();
        CHECK_OK(s.f.context, wadi_grains_set_force(s.grains, 1, (double[3]){pull, 0.0, 0.0}));
        for (int32_t k = 0; k < 10000 && wadi_grains_summarize(s.grains).broken == 0; ++k)
        {
            soil_run(&s, 1);
        }
        reach[i] = s.list[1].position[0] / (2.0 * RADIUS) - 1.0;
        soil_close(&s);
    }
    assert_true(reach[0] < 0.002);
    assert_true(reach[1] > 0.25 && reach[1] < 0.26);

    soil s;
    chain_open(&s, 2, 1e7);
    chain_make(&s);
    CHECK_OK(s.f.context, wadi_grains_set_wetness(s.grains, (double[2]){0.1, 0.5}));
    soil_run(&s, 1);
    assert_int_equal(wadi_grains_summarize(s.grains).bonds, 0);
    assert_int_equal(wadi_grains_summarize(s.grains).broken, 1);
    soil_close(&s);
}

// After a bond breaks, the two grains interact by the contact law.
static void broken_bond_leaves_a_contact(void** state)
{
    (void)state;
    soil s;
    chain_open(&s, 2, 1e7);
    s.list[1].position[0] -= 1e-4;
    chain_make(&s);
    soil_run(&s, 10);
    assert_true(s.list[1].velocity[0] == 0.0);
    CHECK_OK(s.f.context, wadi_grains_set_wetness(s.grains, (double[2]){0.5, 0.5}));
    soil_run(&s, 10);
    assert_true(s.list[1].velocity[0] > 0.0);
    assert_int_equal(wadi_grains_summarize(s.grains).touches, 1);
    soil_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bond_breaks_at_its_strength_in_tension),
        cmocka_unit_test(grains_have_a_share_of_strength),
        cmocka_unit_test(strengths_are_saved),
        cmocka_unit_test(bond_breaks_at_its_strength_in_shear),
        cmocka_unit_test(bond_breaks_at_its_strength_in_bending),
        cmocka_unit_test(pressed_bond_bears_more_shear),
        cmocka_unit_test(bond_breaks_at_its_strength_in_twisting),
        cmocka_unit_test(cantilever_sags_as_a_beam),
        cmocka_unit_test(cantilever_sags_under_its_weight),
        cmocka_unit_test(wetness_weakens_bonds),
        cmocka_unit_test(limits_part_brittle_plastic_and_liquid),
        cmocka_unit_test(broken_bond_leaves_a_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
