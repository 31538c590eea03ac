// SPDX-License-Identifier: MIT
// labels: slow
// seconds: 40
// A drum of mesh turns a third full of grains between slippery ends. Its dynamic angle of repose
// lies between those at which glass beads begin to flow and no longer flow steadily, 20.9 and 32.76
// degrees (Jop, Forterre & Pouliquen 2005); the torque on it is that of the grains' weight.
#include "support/mesh_forms.h"
#include "support/soil.h"

#include <math.h>

enum
{
    DRUM_GRAINS = 900,
    DRUM_STRIPS = 10,
    DRUM_LOOKS = 40
};

static const double PI = 3.14159265358979323846;
static const double DRUM_RADIUS = 0.05;
static const double DRUM_LENGTH = 0.03;

static int32_t drum_make(soil* s, double rate)
{
    int32_t number;
    soil_open(s, 2, DRUM_GRAINS);
    s->params.gravity_z = -9.81;
    s->material_count = 2;
    s->materials[0].stiffness = 500.0;
    s->materials[0].rolling_friction = 0.05;
    s->materials[1] = s->materials[0];
    s->materials[1].friction = 0.0;
    s->materials[1].rolling_friction = 0.0;
    soil_scatter(s, DRUM_GRAINS, (const double[3]){0.068, DRUM_LENGTH, 0.068}, 0.002, 0.0025, 9);
    for (int32_t k = 0; k < DRUM_GRAINS; ++k)
    {
        s->list[k].position[0] -= 0.034;
        s->list[k].position[2] -= 0.034;
    }
    soil_make(s);
    for (int end = 0; end < 2; ++end)
    {
        const wadi_grain_wall wall = {.point = {0.0, end * DRUM_LENGTH, 0.0},
                                      .normal = {0.0, 1.0 - 2.0 * end, 0.0},
                                      .material = 1};
        CHECK_OK(s->f.context, wadi_grains_add_wall(s->grains, &wall, &number));
    }
    mesh_form* form = mesh_form_new();
    mesh_form_ring(form, 1, -0.002, DRUM_RADIUS, DRUM_LENGTH + 0.002, DRUM_RADIUS, 64);
    const wadi_grain_motion motion = {.axis = {0.0, 1.0, 0.0}, .spin = rate};
    CHECK_OK(s->f.context, wadi_grains_add_mesh(s->grains, &form->mesh, 0, &motion, &number));
    test_free(form);
    return number;
}

// Highest grain of each strip across the middle 60 % of the drum; the slope of a line through them.
static double drum_angle(const soil* s)
{
    double top[DRUM_STRIPS];
    double sums[4] = {0.0};
    const double half = 0.6 * DRUM_RADIUS;
    for (int k = 0; k < DRUM_STRIPS; ++k)
    {
        top[k] = -1.0;
    }
    for (int32_t i = 0; i < s->count; ++i)
    {
        const double at = (s->list[i].position[0] + half) / (2.0 * half) * DRUM_STRIPS;
        if (at >= 0.0 && at < DRUM_STRIPS)
        {
            top[(int)at] = fmax(top[(int)at], s->list[i].position[2]);
        }
    }
    for (int k = 0; k < DRUM_STRIPS; ++k)
    {
        const double x = ((k + 0.5) / DRUM_STRIPS - 0.5) * 2.0 * half;
        sums[0] += x * x;
        sums[1] += x * top[k];
    }
    return atan(fabs(sums[1] / sums[0])) * 180.0 / PI;
}

// Moment of the weight about the axis.
static double drum_moment(const soil* s)
{
    double moment = 0.0;
    for (int32_t i = 0; i < s->count; ++i)
    {
        moment += soil_mass(s, i) * 9.81 * s->list[i].position[0];
    }
    return moment;
}

static void drum_has_the_angle_of_beads(void** state)
{
    (void)state;
    soil s;
    const double rate = 1.4; // Froude number 0.01
    const int32_t drum = drum_make(&s, rate);
    wadi_grain_mesh_reading from;
    wadi_grain_mesh_reading to;
    double angle = 0.0;
    double moment = 0.0;
    soil_pass(&s, 1.5);
    CHECK_OK(s.f.context, wadi_grains_read_mesh(s.grains, drum, &from));
    for (int k = 0; k < DRUM_LOOKS; ++k)
    {
        soil_pass(&s, 0.05);
        angle += drum_angle(&s) / DRUM_LOOKS;
        moment += drum_moment(&s) / DRUM_LOOKS;
    }
    CHECK_OK(s.f.context, wadi_grains_read_mesh(s.grains, drum, &to));
    const double seconds = 0.05 * DRUM_LOOKS;
    const double torque = (to.twist[1] - from.twist[1]) / seconds;
    print_message("angle %.1f degrees; torque %.5f N m, weight's %.5f; work %.5f J, %.5f\n", angle,
                  torque, moment, to.work - from.work, -torque * rate * seconds);
    assert_true(angle > 20.9 && angle < 32.76);
    // the weight's moment about y is z F_x - x F_z, with F_z = -m g
    assert_true(fabs(torque / moment - 1.0) < 0.03);
    assert_true(fabs((to.work - from.work) / (torque * rate * seconds) + 1.0) < 1e-6);
    soil_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drum_has_the_angle_of_beads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
