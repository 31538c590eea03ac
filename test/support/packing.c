// SPDX-License-Identifier: MIT
#include "support/packing.h"

#include <math.h>

static const double PI = 3.14159265358979323846;
static const double GRAVITY = 9.81;
const double PACKING_RADIUS = 0.1;
const double PACKING_WIDE = 0.9;

// ---- soil ---------------------------------------------------------------------------------------

static void packing_open(soil* s, const wadi_grain_material* material, int32_t capacity)
{
    soil_open(s, 1, capacity);
    s->material_count = 2;
    s->materials[PACKING_SOIL] = *material;
    s->materials[PACKING_PLATE] = *material;
    s->materials[PACKING_PLATE].bond_tension = 1e9;
    s->materials[PACKING_PLATE].bond_cohesion = 1e9;
    s->params.period_y = PACKING_WIDE;
}

void packing_settle(soil* s, const wadi_grain_material* material, double length, double height,
                    bool repeats)
{
    const double fraction = 0.25; // volume fraction of the random grains
    const double volume = 4.0 / 3.0 * PI * PACKING_RADIUS * PACKING_RADIUS * PACKING_RADIUS *
                          0.79; // mean of r^3 for radii from 0.85 to 1
    const double loose = height * 0.6 / fraction;
    const int32_t count = (int32_t)(fraction * length * PACKING_WIDE * loose / volume);
    packing_open(s, material, count);
    s->params.period_x = repeats ? length : 0.0;
    s->params.gravity_z = -GRAVITY;
    const double size[3] = {length, PACKING_WIDE, loose};
    soil_scatter(s, count, size, 0.85 * PACKING_RADIUS, PACKING_RADIUS, 5);
    soil_make(s);
    soil_floor(s);
    if (!repeats)
    {
        (void)soil_wall(s, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0);
        (void)soil_wall(s, length, 0.0, 0.0, -1.0, 0.0, 0.0);
    }
    soil_pass(s, 2.5);
}

static double top_of(const soil* s)
{
    double top = 0.0;
    for (int32_t id = 0; id < s->count; ++id)
    {
        const double z = s->list[id].position[2] + s->list[id].radius;
        top = z > top ? z : top;
    }
    return top;
}

bool packing_is_held(const wadi_grain* grain)
{
    return grain->position[2] < 1.5 * PACKING_RADIUS;
}

void packing_bond(soil* s, const soil* from, double plate)
{
    packing_open(s, &from->materials[PACKING_SOIL], from->count);
    s->params.period_x = from->params.period_x;
    for (int32_t id = 0; id < from->count; ++id)
    {
        const wadi_grain* g = &from->list[id];
        wadi_grain* mine = soil_add(s, g->position[0], g->position[1], g->position[2], g->radius);
        mine->fixed = packing_is_held(g);
        mine->material = g->position[2] > plate ? PACKING_PLATE : PACKING_SOIL;
    }
    soil_make(s);
    CHECK_OK(s->f.context, wadi_grains_bond(s->grains, 0.1, NULL));
}

// ---- shear --------------------------------------------------------------------------------------

// Apply forces to the plate's grains that sum to `normal` and `shear` stress over the area [Pa].
static void shear_load(soil* s, double area, double normal, double shear)
{
    int32_t plates = 0;
    for (int32_t id = 0; id < s->count; ++id)
    {
        plates += s->list[id].material == PACKING_PLATE;
    }
    const double force[3] = {shear * area / plates, 0.0, -normal * area / plates};
    for (int32_t id = 0; id < s->count; ++id)
    {
        if (s->list[id].material == PACKING_PLATE)
        {
            CHECK_OK(s->f.context, wadi_grains_set_force(s->grains, id, force));
        }
    }
}

// Mean speed [m/s].
static double plate_speed(const soil* s)
{
    double sum = 0.0;
    int32_t plates = 0;
    for (int32_t id = 0; id < s->count; ++id)
    {
        sum += s->list[id].material == PACKING_PLATE ? s->list[id].velocity[0] : 0.0;
        plates += s->list[id].material == PACKING_PLATE;
    }
    return sum / plates;
}

// Shear stress at which the packing fails under a normal stress [Pa].
static double shear_strength(const soil* packing, double area, double normal, double step)
{
    soil s;
    packing_bond(&s, packing, top_of(packing) - 3.0 * PACKING_RADIUS);
    for (int k = 1; k <= 10; ++k)
    {
        shear_load(&s, area, normal * k / 10.0, 0.0);
        soil_pass(&s, 0.02);
    }
    soil_pass(&s, 0.2);
    double stress = 0.0;
    for (double speed = 0.0; speed < 0.05 && stress < 1e6;)
    {
        stress += step;
        shear_load(&s, area, normal, stress);
        soil_pass(&s, 0.03);
        speed = plate_speed(&s);
    }
    print_message("under %.0f Pa: %.0f Pa, %lld bonds broken of %lld\n", normal, stress,
                  (long long)wadi_grains_summarize(s.grains).broken,
                  (long long)wadi_grains_summarize(s.grains).bonds);
    soil_close(&s);
    return stress;
}

strength packing_strength(const wadi_grain_material* material)
{
    soil packing;
    const double length = 1.6;
    packing_settle(&packing, material, length, 1.4, true);
    const double normal[2] = {5e3, 3e4};
    double shear[2];
    for (int k = 0; k < 2; ++k)
    {
        shear[k] = shear_strength(&packing, length * PACKING_WIDE, normal[k], 250.0);
    }
    soil_close(&packing);
    const double slope = (shear[1] - shear[0]) / (normal[1] - normal[0]);
    return (strength){shear[0] - slope * normal[0], atan(slope)};
}
