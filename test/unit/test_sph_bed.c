// SPDX-License-Identifier: MIT
// Water among spheres: resistance of a bed of grains (Ergun 1952), buoyancy, impermeable packings;
// momentum is exchanged exactly.
#include "support/water.h"

#include <math.h>

static const double BED_PI = 3.14159265358979323846;

enum
{
    BED_MOST = 2000
};

typedef struct bed
{
    wadi_sph_sphere spheres[BED_MOST];
    int32_t count;
    double porosity;
} bed;

// Fill a box with a cubic lattice.
static void bed_lay(bed* b, double radius, const int32_t n[3], const double low[3], double pitch)
{
    b->count = 0;
    for (int32_t i = 0; i < n[0] * n[1] * n[2]; ++i)
    {
        assert_true(b->count < BED_MOST);
        const int32_t at[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
        wadi_sph_sphere* s = &b->spheres[b->count++];
        *s = (wadi_sph_sphere){.radius = radius};
        for (int c = 0; c < 3; ++c)
        {
            s->position[c] = low[c] + pitch * (at[c] + 0.5);
        }
    }
    b->porosity = 1.0 - 4.0 / 3.0 * BED_PI * pow(radius / pitch, 3.0);
}

// ---- flow --------------------------------------------------------------------------------

// Mean velocity of the water along x after another 100 steps.
static double bed_speed(water* w)
{
    water_run(w, 100);
    double speed = 0.0;
    double volume = 0.0;
    for (int32_t i = 0; i < w->count; ++i)
    {
        speed += w->list[i].velocity[0] * w->list[i].volume;
        volume += w->list[i].volume;
    }
    return speed / volume;
}

// Superficial velocity of flow driven by gravity along x in a periodic bed between two frictionless
// walls [m/s].
static double bed_flow(double radius, double gravity, double* porosity)
{
    static bed b;
    water w;
    water_open(&w, 1, BED_MOST);
    const double pitch = 1.911 * radius; // porosity 0.4, as of a poured bed of equal grains
    const double size = 6.0 * pitch;
    w.params.spacing = pitch;
    w.params.sound_speed = 10.0;
    w.params.gravity_x = gravity;
    w.params.gravity_z = 0.0;
    w.params.period_x = size;
    w.params.period_y = size;
    water_make(&w);
    water_wall(&w, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0);
    water_wall(&w, 0.0, 0.0, 3.0 * pitch, 0.0, 0.0, -1.0);
    bed_lay(&b, radius, (int32_t[3]){6, 6, 3}, (double[3]){0.0, 0.0, 0.0}, pitch);
    CHECK_OK(w.f.context, wadi_sph_set_spheres(w.sph, b.spheres, b.count));
    water_fill(&w, 0.0, 0.0, 0.0, size, size, 3.0 * pitch);
    double speed = bed_speed(&w);
    double before = 0.0;
    for (int32_t k = 0; k < 100 && speed - before > 2e-3 * speed; ++k)
    {
        before = speed;
        speed = bed_speed(&w);
    }
    *porosity = b.porosity;
    water_close(&w);
    return b.porosity * speed; // over all of the space
}

// Pressure gradient [Pa/m] by Ergun.
static double bed_ergun(double diameter, double porosity, double flow)
{
    const double solid = 1.0 - porosity;
    const double cube = porosity * porosity * porosity;
    return 150.0 * 1e-3 * solid * solid * flow / (cube * diameter * diameter) +
           1.75 * 1000.0 * solid * flow * flow / (cube * diameter);
}

// From slow to fast flow. Ergun's own data scatter by 25 % about his curve.
static void a_bed_holds_water_back(void** state)
{
    (void)state;
    static const double cases[][2] = {{0.5e-3, 0.02}, {2e-3, 0.5}, {10e-3, 2.0}};
    for (int k = 0; k < 3; ++k)
    {
        double porosity;
        const double flow = bed_flow(cases[k][0], cases[k][1], &porosity);
        const double wanted = 1000.0 * cases[k][1];
        const double ergun = bed_ergun(2.0 * cases[k][0], porosity, flow);
        print_message("grains of %g mm, porosity %.3f, Re %.3g: %.3g of Ergun's gradient\n",
                      2e3 * cases[k][0], porosity, 2.0 * cases[k][0] * flow * 1e6, wanted / ergun);
        CHECK_NEAR(wanted / ergun, 1.0, 0.1);
    }
}

// ---- rest --------------------------------------------------------------------------------

// Water at rest that was filled into and over a bed keeps its level, loads the floor with its
// depth, and each grain has the buoyancy of its volume.
static void water_at_rest_lifts_a_bed(void** state)
{
    (void)state;
    static bed b;
    static wadi_sph_touch touches[BED_MOST];
    water w;
    water_open(&w, 1, BED_MOST);
    const double size = 0.6;
    const double radius = 0.045;
    w.params.period_x = size;
    w.params.period_y = size;
    w.params.sound_speed = 35.0;
    water_make(&w);
    water_wall(&w, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0);
    bed_lay(&b, radius, (int32_t[3]){6, 6, 5}, (double[3]){0.0, 0.0, 0.1}, 0.1);
    CHECK_OK(w.f.context, wadi_sph_set_spheres(w.sph, b.spheres, b.count));
    water_fill(&w, 0.0, 0.0, 0.0, size, size, 1.0);
    water_pass(&w, 2.0);
    CHECK_OK(w.f.context, wadi_sph_set_spheres(w.sph, b.spheres, b.count));
    water_run(&w, 200);
    wadi_sph_read_touches(w.sph, touches);
    const double time = 200.0 * wadi_sph_summarize(w.sph).step;
    const double wanted = 9810.0 * 4.0 / 3.0 * BED_PI * radius * radius * radius;
    double all = 0.0;
    double middle = 0.0;
    for (int32_t k = 0; k < b.count; ++k)
    {
        all += touches[k].impulse[2] / time / b.count;
        middle += k / 36 == 2 ? touches[k].impulse[2] / time / 36.0 : 0.0;
    }
    double pressure = 0.0;
    double depth = 0.0;
    int32_t lowest = 0;
    for (int32_t i = 0; i < w.count; ++i)
    {
        const bool low = w.list[i].position[2] < 0.1;
        pressure += low ? w.list[i].pressure : 0.0;
        depth += low ? 1.0 - w.list[i].position[2] : 0.0;
        lowest += low;
    }
    const double borne = 9810.0 * depth / lowest;
    print_message("lift: all %.3f, middle %.3f of what is displaced; pressure below %.3f of what "
                  "bears it\n",
                  all / wanted, middle / wanted, pressure / lowest / borne);
    CHECK_NEAR(all / wanted, 1.0, 0.05);
    CHECK_NEAR(middle / wanted, 1.0, 0.05);
    CHECK_NEAR(pressure / lowest / borne, 1.0, 0.05);
    water_close(&w);
}

// ---- tight -------------------------------------------------------------------------------

// Water falls on a layer of spheres with gaps smaller than a particle and stays on top; the spheres
// get its momentum, and finally its weight.
static void tight_spheres_keep_water_out(void** state)
{
    (void)state;
    static bed b;
    water w;
    water_open(&w, 1, BED_MOST);
    const double size = 0.6;
    w.params.period_x = size;
    w.params.period_y = size;
    w.params.sound_speed = 35.0;
    water_make(&w);
    bed_lay(&b, 0.05, (int32_t[3]){6, 6, 1}, (double[3]){0.0, 0.0, -0.1}, 0.1);
    for (int32_t i = 0; i < b.count; ++i)
    {
        b.spheres[i].tight = true;
    }
    water_fill(&w, 0.0, 0.0, 0.3, size, size, 0.6);
    const double mass = 1000.0 * wadi_sph_account(w.sph).now;
    CHECK_OK(w.f.context, wadi_sph_set_spheres(w.sph, b.spheres, b.count));
    water_pass(&w, 1.5);
    static wadi_sph_touch touches[BED_MOST];
    wadi_sph_read_touches(w.sph, touches);
    double got[3] = {0.0, 0.0, 0.0};
    for (int32_t i = 0; i < b.count; ++i)
    {
        for (int c = 0; c < 3; ++c)
        {
            got[c] += touches[i].impulse[c];
        }
    }
    const wadi_sph_summary sum = wadi_sph_summarize(w.sph);
    const double fell = -9.81 * mass * (double)sum.steps * sum.step;
    const double all = fabs(fell);
    CHECK_NEAR(got[0] + sum.momentum[0], 0.0, 1e-10 * all);
    CHECK_NEAR(got[1] + sum.momentum[1], 0.0, 1e-10 * all);
    CHECK_NEAR(got[2] + sum.momentum[2], fell, 1e-10 * all);
    double lowest = 1.0;
    for (int32_t i = 0; i < w.count; ++i)
    {
        lowest = fmin(lowest, w.list[i].position[2]);
    }
    print_message("lowest %.3g m, fastest %.3g m/s\n", lowest, sum.speed);
    assert_true(lowest > -0.05);
    assert_int_equal(w.count, 108);
    water_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bed_holds_water_back),
        cmocka_unit_test(water_at_rest_lifts_a_bed),
        cmocka_unit_test(tight_spheres_keep_water_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
