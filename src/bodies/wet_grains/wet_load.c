// SPDX-License-Identifier: MIT
// Forces of water on grains: weight, pressure in full pores, suction in pores that are not full.
#include "bodies/wet_grains/wet.h"

enum
{
    LOAD_BRIDGES = 6 // bridges that share a grain's water: neighbours in a loose packing
};

static double load_volume(const wadi_grain* grain)
{
    return 4.0 / 3.0 * WET_PI * grain->radius * grain->radius * grain->radius;
}

double wadi_wet_pores(const wadi_wet_grains* world, int32_t id)
{
    const wadi_grain* grain = &world->list[id];
    const double porosity = world->materials[grain->material].soil.porosity;
    return load_volume(grain) * porosity / (1.0 - porosity);
}

double wadi_wet_mass(const wadi_wet_grains* world, int32_t id)
{
    return WET_DENSITY * (world->saturation[id] * wadi_wet_pores(world, id));
}

// Share of full cohesion by wetness: it rises up to wet_from as bridges form, is constant, and
// falls to 0 at full pores as bridges merge. Soil whose pores are full below wet_until loses its
// cohesion in the last twentieth of saturation.
static double load_cohesion_share(const wadi_cohesion* cohesion, double wetness, double saturation)
{
    const double rise = cohesion->wet_from > 0.0 ? wetness / cohesion->wet_from : 1.0;
    const double full = saturation > 0.0 ? wetness / saturation : 1.0;
    const double at = cohesion->wet_until / full;
    const double from = at < 0.95 ? at : 0.95;
    const double fall = (1.0 - saturation) / (1.0 - from);
    const double share = rise < fall ? rise : fall;
    return wetness <= 0.0 || share < 0.0 ? 0.0 : share < 1.0 ? share : 1.0;
}

// Pull of a contact between two equally wet grains: a stress over the cross-section, and the pull
// of surface tension on two touching spheres, 2 pi R gamma cos(angle).
static double load_pull(const wadi_wet_grains* world, int32_t id, double wetness)
{
    const wadi_grain* grain = &world->list[id];
    const wadi_cohesion* cohesion = &world->materials[grain->material].cohesion;
    const double share = load_cohesion_share(cohesion, wetness, world->saturation[id]);
    const double section = WET_PI * grain->radius * grain->radius;
    const double neck = 2.0 * WET_PI * grain->radius * world->angle_cosine;
    return share * (cohesion->strength * section + world->params.surface_tension * neck);
}

// Force of pore pressure on each grain. Where no wall, ground or fixed grain holds the grains, the
// sum of these forces is removed again, in proportion to pore volume: water inside cannot move the
// whole.
static void load_push(wadi_wet_grains* world)
{
    wadi_seepage_push(world->seepage, world->push);
    if (wadi_grains_held(world->grains))
    {
        return;
    }
    double room = 0.0;
    double all[3] = {0.0, 0.0, 0.0};
    for (int32_t id = 0; id < world->count; ++id)
    {
        room += wadi_wet_pores(world, id);
        for (int c = 0; c < 3; ++c)
        {
            all[c] += world->push[id][c];
        }
    }
    for (int32_t id = 0; id < world->count; ++id)
    {
        for (int c = 0; c < 3; ++c)
        {
            world->push[id][c] -= all[c] * wadi_wet_pores(world, id) / room;
        }
    }
}

static wadi_grain_water load_grain(const wadi_wet_grains* world, int32_t id)
{
    const wadi_grain* grain = &world->list[id];
    const double volume = world->saturation[id] * wadi_wet_pores(world, id);
    const double dry = world->materials[grain->material].grain.density * load_volume(grain);
    const double head = world->pressure[id] > 0.0 ? world->pressure[id] : 0.0;
    const double per_metre = WET_DENSITY * world->weight;
    const double lift = per_metre * head * WET_PI * grain->radius * grain->radius;
    const double* push = world->push[id];
    return (wadi_grain_water){
        .mass = wadi_wet_mass(world, id),
        .push = {per_metre * push[0], per_metre * push[1], per_metre * push[2]},
        .lift = world->params.pressure == WADI_WET_PRESSURE_CAP ? lift : 0.0,
        .pull = load_pull(world, id, WET_DENSITY * volume / dry),
        .bridge = volume / LOAD_BRIDGES,
    };
}

wadi_result wadi_wet_apply_water(wadi_wet_grains* world, const double (*brought)[3])
{
    wadi_seepage_saturation(world->seepage, world->saturation);
    wadi_seepage_pressure(world->seepage, world->pressure);
    if (world->params.pressure == WADI_WET_PRESSURE_GRADIENT)
    {
        load_push(world);
    }
    for (int32_t id = 0; id < world->count; ++id)
    {
        world->water[id] = load_grain(world, id);
        if (brought != NULL)
        {
            memcpy(world->water[id].momentum, brought[id], sizeof world->water[id].momentum);
        }
    }
    WADI_TRY(wadi_grains_set_water(world->grains, world->water));
    for (int32_t id = 0; id < world->count; ++id)
    {
        world->mass[id] = world->water[id].mass;
    }
    return WADI_OK;
}
