// SPDX-License-Identifier: MIT
// Contact laws compared with closed forms: rebound, Hertz, friction, rolling.
#include "support/soil.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

enum
{
    STEPS_IN_CONTACT = 50
};

// Head-on collision of two grains; returns the coefficient of restitution.
static double rebound(double restitution)
{
    soil s;
    soil_open(&s, 1, 2);
    s.materials[0].restitution = restitution;
    soil_add(&s, 0.0, 0.0, 0.0, 0.01)->velocity[0] = 0.5;
    soil_add(&s, 0.02001, 0.0, 0.0, 0.01)->velocity[0] = -0.5;
    const double mass = soil_mass(&s, 0);
    s.params.step = PI / sqrt(s.materials[0].stiffness / (0.5 * mass)) / STEPS_IN_CONTACT;
    soil_make(&s);
    soil_run(&s, 3 * STEPS_IN_CONTACT);
    const double apart = s.list[1].velocity[0] - s.list[0].velocity[0];
    assert_true(fabs(s.list[0].velocity[0] + s.list[1].velocity[0]) < 1e-14);
    soil_close(&s);
    return apart;
}

// Restitution of a spring-dashpot without attraction: Schwager & Poeschel 2007.
static double rebound_expected(double restitution)
{
    const double loss = -log(restitution);
    const double share = loss / sqrt(PI * PI + loss * loss);
    const double omega = sqrt(1.0 - share * share);
    const double angle = atan2(2.0 * share * omega, omega * omega - share * share);
    return exp(-share / omega * (PI - angle));
}

static void grains_rebound_as_spring_and_dashpot(void** state)
{
    (void)state;
    const double values[] = {0.3, 0.5, 0.8, 0.9, 0.95};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i)
    {
        const double measured = rebound(values[i]);
        const double expected = rebound_expected(values[i]);
        print_message("restitution %.2f: rebound %.4f, expected %.4f\n", values[i], measured,
                      expected);
        assert_true(fabs(measured - expected) <= 0.005);
    }
}

// Two elastic spheres compressed by 1 % of their radius; the first is fixed.
static void hertz_pair(soil* s, double step, double speed)
{
    soil_open(s, 1, 2);
    s->params.law = WADI_GRAIN_LAW_HERTZ;
    s->params.step = step;
    s->materials[0].young = 5e7;
    s->materials[0].poisson = 0.25;
    s->materials[0].restitution = 1.0;
    s->materials[0].friction = 5.0;
    soil_add(s, 0.0, 0.0, 0.0, 0.005)->fixed = true;
    soil_add(s, 0.01 - 5e-5, 0.0, 0.0, 0.005)->velocity[1] = speed;
    soil_make(s);
}

static void hertz_pushes_as_elastic_spheres(void** state)
{
    (void)state;
    const double step = 1e-6;
    const double speed = 1e-3;
    soil s;
    hertz_pair(&s, step, speed);
    soil_run(&s, 1);
    const double mass = soil_mass(&s, 1);
    const double normal = s.list[1].velocity[0] * mass / step;
    const double tangent = (speed - s.list[1].velocity[1]) * mass / (step * step * speed);
    print_message("Hertz: %.4f N, tangential stiffness %.5g N/m\n", normal, tangent);
    assert_true(fabs(normal / 0.6285 - 1.0) < 0.01);
    assert_true(fabs(tangent / 1.6162e4 - 1.0) < 0.01);
    soil_close(&s);
}

static void hertz_impact_is_as_deep_and_as_long(void** state)
{
    (void)state;
    const double speed = 0.5;
    soil s;
    soil_open(&s, 1, 2);
    s.params.law = WADI_GRAIN_LAW_HERTZ;
    s.params.step = 1e-6;
    s.materials[0].restitution = 1.0;
    soil_add(&s, 0.0, 0.0, 0.0, 0.005)->velocity[0] = 0.5 * speed;
    soil_add(&s, 0.01, 0.0, 0.0, 0.005)->velocity[0] = -0.5 * speed;
    soil_make(&s);
    const double modulus = 5e7 / (2.0 * (1.0 - 0.25 * 0.25));
    const double mass = 0.5 * soil_mass(&s, 0);
    const double deepest = pow(15.0 * mass * speed * speed / (16.0 * modulus * sqrt(0.0025)), 0.4);
    double depth = 0.0;
    int32_t steps = 0;
    for (double now = 1.0; now > 0.0; ++steps)
    {
        soil_run(&s, 1);
        now = 0.01 - (s.list[1].position[0] - s.list[0].position[0]);
        depth = now > depth ? now : depth;
    }
    assert_true(fabs(depth / deepest - 1.0) < 0.01);
    assert_true(fabs((double)steps * 1e-6 / (2.943 * deepest / speed) - 1.0) < 0.01);
    soil_close(&s);
}

static void oblique_impact_slides_throughout(void** state)
{
    (void)state;
    const double friction = 0.3;
    soil s;
    soil_open(&s, 1, 1);
    s.materials[0].friction = friction;
    s.materials[0].rolling_friction = 0.0;
    wadi_grain* grain = soil_add(&s, 0.0, 0.0, 0.01001, 0.01);
    grain->velocity[0] = 1.0;
    grain->velocity[2] = -0.2;
    s.params.step = 1e-5;
    soil_make(&s);
    soil_floor(&s);
    soil_run(&s, 300);
    const double gain = s.list[0].velocity[2] + 0.2; // (1 + e) v_n
    assert_true(gain > 0.2);
    assert_true(fabs(s.list[0].velocity[0] / (1.0 - friction * gain) - 1.0) < 0.005);
    assert_true(fabs(s.list[0].spin[1] / (2.5 * friction * gain / 0.01) - 1.0) < 0.005);
    soil_close(&s);
}

// A grain at rest on the floor under its weight.
static wadi_grain* resting(soil* s, double radius)
{
    wadi_grain* grain = soil_add(s, 0.0, 0.0, radius, radius);
    grain->position[2] -= soil_mass(s, 0) * -s->params.gravity_z / s->materials[0].stiffness;
    return grain;
}

static void sliding_sphere_comes_to_roll(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, 1);
    s.params.gravity_z = -9.81;
    s.materials[0].friction = 0.3;
    s.materials[0].rolling_friction = 0.0;
    resting(&s, 0.01)->velocity[0] = 1.0;
    soil_make(&s);
    soil_floor(&s);
    const double step = wadi_grains_summarize(s.grains).step;
    const double due = 2.0 / (7.0 * 0.3 * 9.81);
    int64_t steps = 0;
    do
    {
        soil_run(&s, 10);
        steps += 10;
    } while (s.list[0].spin[1] * 0.01 < 0.999 * s.list[0].velocity[0]);
    const double time = (double)steps * step;
    soil_pass(&s, 0.05);
    print_message("rolls after %.4f s (%.4f) at %.4f of its speed\n", time, due,
                  s.list[0].velocity[0]);
    assert_true(fabs(s.list[0].velocity[0] / (5.0 / 7.0) - 1.0) < 0.01);
    assert_true(fabs(time / due - 1.0) < 0.02);
    soil_close(&s);
}

// Acceleration of a sphere along a slope; over half a second, from rest.
static double sphere_on_slope(double degrees, double friction, double rolling)
{
    soil s;
    soil_open(&s, 1, 1);
    soil_tilt(&s, degrees);
    s.materials[0].friction = friction;
    s.materials[0].rolling_friction = rolling;
    resting(&s, 0.01);
    soil_make(&s);
    soil_floor(&s);
    soil_pass(&s, 0.5);
    const double from = s.list[0].velocity[0];
    soil_pass(&s, 0.5);
    const double acceleration = (s.list[0].velocity[0] - from) / 0.5;
    soil_close(&s);
    return acceleration;
}

static double slope_of(double tangent)
{
    return atan(tangent) * 180.0 / PI;
}

static void sphere_on_slope_rests_or_rolls(void** state)
{
    (void)state;
    assert_true(fabs(sphere_on_slope(slope_of(0.095), 0.5, 0.1)) < 1e-9);
    assert_true(sphere_on_slope(slope_of(0.105), 0.5, 0.1) > 1e-3);
    const double rolls = sphere_on_slope(10.0, 0.5, 0.0);
    assert_true(fabs(rolls / (5.0 / 7.0 * 9.81 * sin(10.0 * PI / 180.0)) - 1.0) < 0.01);

    // above 3.5 x friction it slides and rolls
    const double slides = sphere_on_slope(45.0, 0.2, 0.0);
    assert_true(fabs(slides / (9.81 * sqrt(0.5) * 0.8) - 1.0) < 0.01);
}

// A raft of three bonded grains cannot roll; returns its acceleration on a slope.
static double block_on_slope(double tangent, double friction)
{
    soil s;
    soil_open(&s, 1, 3);
    soil_tilt(&s, slope_of(tangent));
    s.materials[0].friction = friction;
    s.materials[0].bond_modulus = 1e8;
    s.materials[0].bond_tension = 1e9;
    s.materials[0].bond_cohesion = 1e9;
    resting(&s, 0.01);
    soil_add(&s, 0.02, 0.0, s.list[0].position[2], 0.01);
    soil_add(&s, 0.01, 0.02 * sqrt(0.75), s.list[0].position[2], 0.01);
    soil_make(&s);
    soil_floor(&s);
    int64_t bonds;
    CHECK_OK(s.f.context, wadi_grains_bond(s.grains, 0.05, &bonds));
    assert_int_equal(bonds, 3);
    soil_pass(&s, 0.5);
    const double from = s.list[0].velocity[0] + s.list[1].velocity[0] + s.list[2].velocity[0];
    soil_pass(&s, 0.5);
    const double to = s.list[0].velocity[0] + s.list[1].velocity[0] + s.list[2].velocity[0];
    soil_close(&s);
    return (to - from) / 3.0 / 0.5;
}

static void block_on_slope_rests_or_slides(void** state)
{
    (void)state;
    assert_true(fabs(block_on_slope(0.495, 0.5)) < 1e-3);
    assert_true(block_on_slope(0.505, 0.5) > 0.01);
    const double angle = atan(0.8);
    const double expected = 9.81 * (sin(angle) - 0.5 * cos(angle));
    assert_true(fabs(block_on_slope(0.8, 0.5) / expected - 1.0) < 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grains_rebound_as_spring_and_dashpot),
        cmocka_unit_test(hertz_pushes_as_elastic_spheres),
        cmocka_unit_test(hertz_impact_is_as_deep_and_as_long),
        cmocka_unit_test(oblique_impact_slides_throughout),
        cmocka_unit_test(sliding_sphere_comes_to_roll),
        cmocka_unit_test(sphere_on_slope_rests_or_rolls),
        cmocka_unit_test(block_on_slope_rests_or_slides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
