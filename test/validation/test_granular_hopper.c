// SPDX-License-Identifier: MIT
// labels: slow
// seconds: 90
// Grains run out of a hopper of mesh: W = C rho sqrt(g) (D - k d)^2.5 with C = 0.58 and k = 1.4
// (Beverloo, Leniger & van de Velde 1961). For a cone the factor of Rose & Tanaka 1959,
// (tan a tan f)^-0.35, is 1 at a half angle a of 45 degrees with the usual f of 45 degrees.
#include "support/mesh_forms.h"
#include "support/soil.h"

#include <wadi/grain_flow.h>

#include <math.h>

enum
{
    HOPPER_GRAINS = 7000
};

static const double PI = 3.14159265358979323846;
static const double RADIUS[2] = {0.002, 0.0025}; // of grains
static const double WIDE = 0.045;                // radius of the cylinder

static int32_t hopper_ring(soil* s, double from, double a, double to, double b)
{
    mesh_form* form = mesh_form_new();
    int32_t number;
    mesh_form_ring(form, 2, from, a, to, b, 48);
    CHECK_OK(s->f.context, wadi_grains_add_mesh(s->grains, &form->mesh, 0, NULL, &number));
    test_free(form);
    return number;
}

// Filled, and shut by a disc; returns the disc.
static int32_t hopper_fill(soil* s, double mouth)
{
    int32_t number;
    soil_open(s, 2, HOPPER_GRAINS + 10);
    s->params.gravity_z = -9.81;
    s->materials[0].stiffness = 1000.0;
    s->materials[0].rolling_friction = 0.05;
    (void)soil_add(s, 0.0, 0.0, 0.02, RADIUS[0]);
    soil_make(s);
    CHECK_OK(s->f.context, wadi_grains_expect(s->grains, RADIUS[0], RADIUS[1]));
    (void)hopper_ring(s, 0.0, mouth, WIDE - mouth, WIDE);
    (void)hopper_ring(s, WIDE - mouth, WIDE, 0.4, WIDE);
    const int32_t gate = hopper_ring(s, 0.0, 0.0, 0.0, mouth);
    const wadi_grain_feeder feeder = {.low = {-0.028, -0.028, 0.2},
                                      .high = {0.028, 0.028, 0.3},
                                      .number_rate = HOPPER_GRAINS / 0.35,
                                      .until = 0.35,
                                      .every = 0.005,
                                      .radius_low = RADIUS[0],
                                      .radius_high = RADIUS[1],
                                      .velocity = {0.0, 0.0, -1.5},
                                      .seed = 3};
    const wadi_grain_sink sink = {
        .low = {-9.0, -9.0, -9.0}, .high = {9.0, 9.0, -0.03}, .every = 0.001};
    CHECK_OK(s->f.context, wadi_grains_add_feeder(s->grains, &feeder, &number));
    CHECK_OK(s->f.context, wadi_grains_add_sink(s->grains, &sink, &number));
    CHECK_OK(s->f.context,
             wadi_grains_advance(s->grains, llrint(0.75 / wadi_grains_step(s->grains))));
    return gate;
}

// Mass in a cylinder inside the bed, over its volume.
static double hopper_density(soil* s)
{
    const double low = 0.045;
    const double high = 0.075;
    const double radius = 0.035;
    double mass = 0.0;
    assert_true(wadi_grains_count(s->grains) <= s->capacity);
    wadi_grains_read(s->grains, s->list);
    for (int32_t k = 0; k < wadi_grains_count(s->grains); ++k)
    {
        const double* x = s->list[k].position;
        const bool in = x[2] > low && x[2] < high && hypot(x[0], x[1]) < radius;
        mass += in ? soil_mass(s, k) : 0.0;
    }
    return mass / (PI * radius * radius * (high - low));
}

static double hopper_pass(soil* s, double seconds)
{
    wadi_grain_tally sunk;
    const int64_t steps = llrint(seconds / wadi_grains_step(s->grains));
    CHECK_OK(s->f.context, wadi_grains_advance(s->grains, steps));
    CHECK_OK(s->f.context, wadi_grains_sunk(s->grains, 0, &sunk));
    return sunk.mass;
}

// Rate over that of the law.
static double hopper_run(double across, double* rate)
{
    soil s;
    const double d = RADIUS[0] + RADIUS[1];
    const int32_t gate = hopper_fill(&s, 0.5 * across * d);
    const double density = hopper_density(&s);
    const int32_t filled = wadi_grains_count(s.grains);
    CHECK_OK(s.f.context, wadi_grains_remove_mesh(s.grains, gate));
    const double before = hopper_pass(&s, 0.15);
    *rate = (hopper_pass(&s, 0.35) - before) / 0.35;
    const double law = 0.58 * density * sqrt(9.81) * pow((across - 1.4) * d, 2.5);
    print_message("mouth %.0f grains wide: %d grains, %.0f kg/m3, %.4f kg/s, law %.4f: C = %.3f\n",
                  across, filled, density, *rate, law, 0.58 * *rate / law);
    const wadi_grain_books b = wadi_grains_books(s.grains);
    assert_int_equal(b.first.units + b.come.units - b.gone.units, b.present.units);
    soil_close(&s);
    return *rate / law;
}

static void hopper_runs_out_as_beverloo_says(void** state)
{
    (void)state;
    double rates[2];
    const double narrow = hopper_run(6.0, &rates[0]);
    const double wide = hopper_run(8.0, &rates[1]);
    const double ratio = pow((8.0 - 1.4) / (6.0 - 1.4), 2.5);
    print_message("wide over narrow: %.3f, law %.3f\n", rates[1] / rates[0], ratio);
    assert_true(fabs(narrow - 1.0) < 0.15);
    assert_true(fabs(wide - 1.0) < 0.15);
    assert_true(fabs(rates[1] / rates[0] / ratio - 1.0) < 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hopper_runs_out_as_beverloo_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
