// SPDX-License-Identifier: MIT
// Liquid bridges between two grains: force, its decay with the gap, rupture distance.
#include "support/soil.h"

static const double PI = 3.14159265358979323846;
static const double RADIUS = 1e-3;

typedef struct pulled
{
    double first; // force at contact [N]
    double worst; // largest error of the force against the law, relative to `first`
    double broke; // gap at rupture [m]
} pulled;

// A fast grain separates from a heavy one; `law` is the force at a gap relative to contact.
static pulled draw_apart(soil* s, const wadi_grain_water water[2], double (*law)(double gap))
{
    s->materials[0].density = 30000.0;
    s->materials[0].stiffness = 1.0;
    s->params.step = 2e-5;
    soil_add(s, 0.0, 0.0, 0.0, RADIUS);
    wadi_grain* puller = soil_add(s, 2.0 * RADIUS * (1.0 - 1e-9), 0.0, 0.0, RADIUS);
    puller->fixed = true;
    puller->velocity[0] = 0.02;
    soil_make(s);
    CHECK_OK(s->f.context, wadi_grains_set_water(s->grains, water));
    const double mass = soil_mass(s, 0) + water[0].mass;
    pulled out = {0.0, 0.0, 0.0};
    for (int k = 0; k < 1000 && (k == 0 || wadi_grains_summarize(s->grains).bridges > 0); ++k)
    {
        out.broke = s->list[1].position[0] - s->list[0].position[0] - 2.0 * RADIUS;
        const double speed = s->list[0].velocity[0];
        soil_run(s, 1);
        const double force =
            mass * (s->list[0].velocity[0] - speed) / wadi_grains_summarize(s->grains).step;
        out.first = k == 0 ? force : out.first;
        if (wadi_grains_summarize(s->grains).bridges > 0)
        {
            const double gap = out.broke > 0.0 ? out.broke : 0.0;
            const double error = fabs(force / out.first - law(gap));
            out.worst = error > out.worst ? error : out.worst;
        }
    }
    return out;
}

enum
{
    ANGLE = 30
};
static const double LIQUID = 1e-12; // in a bridge: 0.001 R^3

static double willett(double gap)
{
    const double s = gap * sqrt(RADIUS / LIQUID);
    return 1.0 / (1.0 + 1.05 * s + 2.5 * s * s);
}

static void bridge_of_its_volume_pulls_as_measured(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, 2);
    s.params.bridge = WADI_GRAIN_BRIDGE_WILLETT;
    s.params.bridge_angle = ANGLE;
    const double pull = 2.0 * PI * RADIUS * 0.072 * cos(ANGLE * PI / 180.0);
    const wadi_grain_water water = {.mass = 1e-6, .pull = pull, .bridge = 0.5 * LIQUID};
    const pulled p = draw_apart(&s, (wadi_grain_water[2]){water, water}, willett);
    const double rupture = (1.0 + 0.5 * ANGLE * PI / 180.0) * cbrt(LIQUID);
    print_message("pull-off %.4g N of %.4g, rupture at %.4g m of %.4g, worst %.2g\n", p.first, pull,
                  p.broke, rupture, p.worst);
    CHECK_NEAR(p.first, pull, 0.01 * pull);
    CHECK_NEAR(p.broke, rupture, 0.01 * rupture);
    CHECK_NEAR(p.worst, 0.0, 0.01);
    soil_close(&s);
}

static double straight(double gap)
{
    return 1.0 - gap / (0.1 * RADIUS);
}

static void bridge_of_a_stress_falls_along_a_line(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, 2);
    const wadi_grain_water water = {.pull = 1e-5};
    const pulled p = draw_apart(&s, (wadi_grain_water[2]){water, water}, straight);
    CHECK_NEAR(p.first, 1e-5, 1e-7);
    CHECK_NEAR(p.broke, 0.1 * RADIUS, 0.01 * 0.1 * RADIUS);
    CHECK_NEAR(p.worst, 0.0, 0.01);
    soil_close(&s);
}

// The drier grain determines the bridge; a dry grain has none.
static void bridge_needs_two(void** state)
{
    (void)state;
    const double pulls[3] = {1e-5, 1e-6, 0.0};
    const double expected[3] = {1e-5, 2e-5 * 1e-6 / 1.1e-5, 0.0};
    for (int k = 0; k < 3; ++k)
    {
        soil s;
        soil_open(&s, 1, 2);
        const wadi_grain_water water[2] = {{.pull = 1e-5}, {.pull = pulls[k]}};
        CHECK_NEAR(draw_apart(&s, water, straight).first, expected[k], 1e-2 * expected[k] + 1e-14);
        soil_close(&s);
    }
}

// No bridge forms before contact.
static void bridge_comes_with_a_touch(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, 2);
    soil_add(&s, 0.0, 0.0, 0.0, RADIUS);
    soil_add(&s, 2.05 * RADIUS, 0.0, 0.0, RADIUS)->velocity[0] = -0.01;
    soil_make(&s);
    const wadi_grain_water water = {.pull = 1e-6};
    CHECK_OK(s.f.context, wadi_grains_set_water(s.grains, (wadi_grain_water[2]){water, water}));
    soil_pass(&s, 4.8e-3);
    assert_int_equal(wadi_grains_summarize(s.grains).bridges, 0);
    assert_true(s.list[0].velocity[0] == 0.0);
    soil_pass(&s, 0.5e-3);
    assert_int_equal(wadi_grains_summarize(s.grains).bridges, 1);
    soil_close(&s);
}

// A block on a slope: pore pressure reduces the normal force and thus friction.
static void lift_takes_friction_away(void** state)
{
    (void)state;
    for (int lifted = 0; lifted < 2; ++lifted)
    {
        soil s;
        soil_open(&s, 1, 1);
        soil_tilt(&s, 20.0); // friction 0.5 holds up to 26.6 degrees
        s.materials[0].rolling_friction = 2.0;
        soil_add(&s, 0.0, 0.0, 0.00999, 0.01);
        soil_make(&s);
        soil_floor(&s);
        const double load = soil_mass(&s, 0) * 9.81 * cos(20.0 * PI / 180.0);
        const wadi_grain_water water = {.lift = 0.5 * lifted * load};
        CHECK_OK(s.f.context, wadi_grains_set_water(s.grains, &water));
        soil_pass(&s, 0.5);
        const double slope = 20.0 * PI / 180.0;
        const double slides = 9.81 * (sin(slope) - 0.25 * cos(slope)) * 0.5;
        print_message("lifted %d: %g m/s, sliding %g\n", lifted, s.list[0].velocity[0], slides);
        CHECK_NEAR(s.list[0].velocity[0], lifted ? slides : 0.0, 0.02 * slides);
        soil_close(&s);
    }
}

static void water_that_makes_no_sense_is_refused(void** state)
{
    (void)state;
    soil s;
    soil_open(&s, 1, 1);
    soil_add(&s, 0.0, 0.0, 0.0, RADIUS);
    soil_make(&s);
    wadi_grain_water bad[] = {{.mass = -1.0},
                              {.lift = (double)NAN},
                              {.pull = -1.0},
                              {.bridge = (double)INFINITY},
                              {.momentum = {0.0, (double)NAN, 0.0}},
                              {.mass = 1.0}};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; ++k)
    {
        CHECK_FAILS(s.f.context, WADI_ERROR_RANGE, "grain 0",
                    wadi_grains_set_water(s.grains, &bad[k]));
    }
    soil_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bridge_of_its_volume_pulls_as_measured),
        cmocka_unit_test(bridge_of_a_stress_falls_along_a_line),
        cmocka_unit_test(bridge_needs_two),
        cmocka_unit_test(bridge_comes_with_a_touch),
        cmocka_unit_test(lift_takes_friction_away),
        cmocka_unit_test(water_that_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
