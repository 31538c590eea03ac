// SPDX-License-Identifier: MIT
// labels: slow
// A vertical cut in bonded soil stands at 0.6 and fails at 1.6 of its critical height, 4 c / gamma
// tan(45 + phi/2), with cohesion c and friction phi measured in shear tests of the same packing.
// Load increases as in a centrifuge: the same cut under larger gravity.
#include "support/packing.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
static const double GRAVITY = 9.81;

static wadi_grain_material cut_soil(void)
{
    wadi_grain_material material = wadi_grain_material_default();
    material.stiffness = 1e6;
    material.restitution = 0.2;
    material.bond_tension = 2e4;
    material.bond_cohesion = 2e4;
    material.bond_damping = 0.3;
    return material;
}

// ---- the cut ------------------------------------------------------------------------------------

// Height of the cut above the held grains, whose tops lie at two radii: centres of the others lie
// evenly between one and a half radii and one radius below the surface.
static double cut_height(const soil* s)
{
    double sum = 0.0;
    int32_t count = 0;
    for (int32_t id = 0; id < s->count; ++id)
    {
        const double z = s->list[id].position[2];
        sum += !packing_is_held(&s->list[id]) ? z : 0.0;
        count += !packing_is_held(&s->list[id]);
    }
    return 2.0 * sum / count - 2.5 * PACKING_RADIUS;
}

// Weight of a cubic metre of the soil [N/m3].
static double cut_weight(const soil* s, double length, double height)
{
    double mass = 0.0;
    for (int32_t id = 0; id < s->count; ++id)
    {
        mass += !packing_is_held(&s->list[id]) ? soil_mass(s, id) : 0.0;
    }
    return mass * GRAVITY / (length * PACKING_WIDE * (height + 0.5 * PACKING_RADIUS));
}

// Share of grains displaced by more than their width at a multiple of gravity.
static double cut_falls(const soil* packing, double times)
{
    soil s;
    packing_bond(&s, packing, (double)INFINITY);
    (void)soil_wall(&s, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0);
    for (int k = 1; k <= 20; ++k)
    {
        for (int32_t id = 0; id < s.count; ++id)
        {
            const double weight = times * k / 20.0 * soil_mass(&s, id) * GRAVITY;
            CHECK_OK(s.f.context,
                     wadi_grains_set_force(s.grains, id, (double[3]){0.0, 0.0, -weight}));
        }
        soil_pass(&s, 0.05);
    }
    soil_pass(&s, 1.0);
    int32_t gone = 0;
    double most = 0.0;
    for (int32_t id = 0; id < s.count; ++id)
    {
        const double* a = s.list[id].position;
        const double* b = packing->list[id].position;
        const double way = hypot(a[0] - b[0], a[2] - b[2]);
        most = way > most ? way : most;
        gone += way > 2.0 * PACKING_RADIUS;
    }
    print_message("%.2f times as heavy: %d of %d grains have come farther than they are wide, the "
                  "farthest %.3f m; %lld bonds broken of %lld\n",
                  times, gone, s.count, most, (long long)wadi_grains_summarize(s.grains).broken,
                  (long long)wadi_grains_summarize(s.grains).bonds);
    const double share = (double)gone / s.count;
    soil_close(&s);
    return share;
}

static void cut_falls_beyond_its_critical_height(void** state)
{
    (void)state;
    const wadi_grain_material material = cut_soil();
    const strength measured = packing_strength(&material);
    soil packing;
    const double length = 3.0;
    packing_settle(&packing, &material, length, 2.4, false);
    const double height = cut_height(&packing);
    const double weight = cut_weight(&packing, length, height);
    const double critical =
        4.0 * measured.cohesion / weight * tan(PI / 4.0 + measured.friction / 2.0);
    print_message("c %.0f Pa, phi %.1f degree, %.0f N/m3: critical height %.2f m; the cut is %.2f "
                  "m high, %d grains\n",
                  measured.cohesion, measured.friction * 180.0 / PI, weight, critical, height,
                  packing.count);
    assert_true(measured.cohesion > 0.0);
    assert_true(cut_falls(&packing, 0.6 * critical / height) < 0.001);
    assert_true(cut_falls(&packing, 1.6 * critical / height) > 0.1);
    soil_close(&packing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_falls_beyond_its_critical_height),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
