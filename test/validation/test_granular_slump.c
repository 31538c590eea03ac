// SPDX-License-Identifier: MIT
// labels: slow
// seconds: 8
// A slump test: a cylinder of bonded soil without support. Dry soil stands; above the plastic limit
// it slumps by a height that follows from its yield stress (Pashias, Boger, Summers & Glenister
// 1996); above the liquid limit it flows as mud.
#include "support/packing.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
static const double GRAVITY = 9.81;
static const double HIGH = 1.6;  // of the cylinder [m]
static const double ROUND = 0.8; // its radius [m]
static const double LONG = 2.0;  // of the soil it is cut from [m]

static const double DRY = 1.6e4; // strength of dry bonds [Pa]

// Soil with little friction: its strength is that of its bonds, which water reduces to a share.
static wadi_grain_material slump_soil(double share)
{
    wadi_grain_material material = wadi_grain_material_default();
    material.stiffness = 1e6;
    material.restitution = 0.2;
    material.friction = 0.1;
    material.rolling_friction = 0.0;
    material.bond_tension = DRY;
    material.bond_cohesion = DRY;
    material.bond_friction = 0.0;
    material.bond_damping = 0.5;
    material.wet_strength = share;
    material.wet_decay = 1000.0; // at any wetness the strength is wet_strength
    material.plastic_limit = 0.1;
    material.liquid_limit = 0.3;
    return material;
}

// Its cohesion when wet and plastic [Pa].
static double slump_stress(double share)
{
    wadi_grain_material material = slump_soil(1.0);
    material.bond_tension *= share;
    material.bond_cohesion *= share;
    material.plastic_limit = 0.0;
    return packing_strength(&material).cohesion;
}

// A cylinder cut from settled soil that is copied to twice its period.
static void slump_cut(soil* s, const soil* packing)
{
    soil_open(s, 1, 2 * packing->count);
    s->materials[0] = packing->materials[PACKING_SOIL];
    for (int32_t i = 0; i < 2 * packing->count; ++i)
    {
        const wadi_grain* g = &packing->list[i / 2];
        const double x = g->position[0] - 0.5 * LONG;
        const double y = g->position[1] + (i % 2 - 1) * PACKING_WIDE;
        const double z = g->position[2];
        if (hypot(x, y) < ROUND && z < HIGH - g->radius)
        {
            (void)soil_add(s, x, y, z, g->radius);
        }
    }
    soil_make(s);
    soil_floor(s);
    CHECK_OK(s->f.context, wadi_grains_bond(s->grains, 0.1, NULL));
}

// Height of the soil near the axis: twice the height of its centre of mass.
static double slump_height(const soil* s)
{
    double sum = 0.0;
    double mass = 0.0;
    for (int32_t id = 0; id < s->count; ++id)
    {
        const double* x = s->list[id].position;
        const double m = hypot(x[0], x[1]) < 0.4 * ROUND ? soil_mass(s, id) : 0.0;
        sum += m * x[2];
        mass += m;
    }
    return 2.0 * sum / mass;
}

// Slump over initial height at a wetness.
static double slump_of(const soil* packing, double wetness)
{
    soil s;
    slump_cut(&s, packing);
    double* wet = test_calloc((size_t)s.count, sizeof *wet);
    for (int32_t id = 0; id < s.count; ++id)
    {
        wet[id] = wetness;
    }
    CHECK_OK(s.f.context, wadi_grains_set_wetness(s.grains, wet));
    test_free(wet);
    const double before = slump_height(&s);
    for (int k = 1; k <= 20; ++k) // gravity increases slowly
    {
        for (int32_t id = 0; id < s.count; ++id)
        {
            const double weight = soil_mass(&s, id) * GRAVITY * k / 20.0;
            CHECK_OK(s.f.context,
                     wadi_grains_set_force(s.grains, id, (double[3]){0.0, 0.0, -weight}));
        }
        soil_pass(&s, 0.05);
    }
    soil_pass(&s, 2.0);
    const double slump = 1.0 - slump_height(&s) / before;
    print_message("  wetness %.2f: sinks by %.3f of its height; %lld bonds of %d grains, %lld "
                  "broken\n",
                  wetness, slump, (long long)wadi_grains_summarize(s.grains).bonds, s.count,
                  (long long)wadi_grains_summarize(s.grains).broken);
    soil_close(&s);
    return slump;
}

// Pashias et al. 1996, for a cylinder: yield stress over the stress of its weight.
static double pashias(double stress)
{
    return stress < 0.5 ? 1.0 - 2.0 * stress * (1.0 - log(2.0 * stress)) : 0.0;
}

// Weight of a cubic metre [N/m3]: of all grains over the cylinder that holds them.
static double slump_weight(const soil* packing)
{
    soil s;
    slump_cut(&s, packing);
    double mass = 0.0;
    for (int32_t id = 0; id < s.count; ++id)
    {
        mass += soil_mass(&s, id);
    }
    soil_close(&s);
    return mass * GRAVITY / (PI * ROUND * ROUND * HIGH);
}

static void soil_slumps_at_its_limits(void** state)
{
    (void)state;
    soil packing;
    wadi_grain_material material = slump_soil(1.0);
    packing_settle(&packing, &material, LONG, HIGH + 0.2, false);
    const double weight = slump_weight(&packing) * HIGH; // stress at the foot
    double before = slump_of(&packing, 0.0);
    assert_true(before < 0.01); // dry it stands

    static const double shares[] = {0.25, 0.125, 0.0625};
    for (int k = 0; k < 3; ++k)
    {
        const double stress = slump_stress(shares[k]) / weight;
        packing.materials[PACKING_SOIL] = slump_soil(shares[k]);
        const double slump = slump_of(&packing, 0.2);
        print_message("yield stress %.3f of the weight's: sinks by %.3f, Pashias %.3f\n", stress,
                      slump, pashias(stress));
        assert_true(slump > before);
        CHECK_NEAR(slump, pashias(stress), 0.05);
        before = slump;
    }
    const double mud = slump_of(&packing, 0.4);
    assert_true(before > 0.2 && mud > 0.8);
    soil_close(&packing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soil_slumps_at_its_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
