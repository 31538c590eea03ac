// SPDX-License-Identifier: MIT
// Start "soaking": wet grains stand on rock while rain seeps in on the clock of the water. They
// slide when their weight, their pore pressure or the weakening of bonds makes them fail.
//
// A fixed grain of rock is placed a little below each grain on the floor. Bonds to it carry the
// cohesion of the soil, and water drains through it at the conductivity of the rock. The weight is
// carried by the floor.
#include "processes/landslide/landslide_internal.h"

#include <math.h>
#include <string.h>

static const double soak_water = 1000.0; // [kg/m3]
static const double soak_pi = 3.14159265358979323846;
static const double soak_mm_per_hour = 2.777777777777778e-7; // [m/s]
static const double soak_mm_per_day = 1.1574074074074074e-8;
static const double soak_stretch = 0.25;   // of motion between looks [s]
static const double soak_touch = 0.1;      // gap to the floor, share of a radius
static const double soak_gap = 0.2;        // from the floor down to rock, share of a radius
static const double soak_reach = 0.5;      // of bonds, share of the smaller radius
static const double soak_rest_time = 24.0; // to take up all weight, over sqrt(d / g)
static const int32_t soak_rest_looks = 24; // in that time

// ---- materials ---------------------------------------------------------------------------

static double soak_between(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

static void soak_fill_soil(const wadi_material* from, wadi_wet_material* out)
{
    out->soil = wadi_soil_default();
    out->soil.porosity = soak_between(from->porosity, 0.01, 0.95);
    out->soil.conductivity = soak_between(from->conductivity, 1e-14, 1.0);
    out->cohesion = wadi_cohesion_default();
}

// Bond strength is the cohesion of soil and roots. Bonds are as stiff as the contacts that replace
// them after failure, E pi R / 2 = k. With softer bonds grains overlap, and fly apart at failure.
static void soak_fill_bonds(double cohesion, double radius, wadi_grain_material* out)
{
    out->bond_modulus = 2.0 * out->stiffness / (soak_pi * radius);
    out->bond_tension = 4.0 * cohesion; // a shear F at its middle bends a grain's bond by 4 F / A
    out->bond_cohesion = cohesion;
    out->bond_friction = out->friction;
}

// Materials of the loose layers, then of rock. Rock has the friction of the most frequent soil and
// the largest cohesion of all soils. The strength of a bond is that of the weaker of its two
// grains.
static void soak_fill_materials(const slide* s, wadi_wet_material* out)
{
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    wadi_grain_material grains[WADI_MAX_LOOSE + 1];
    wadi_slide_world_materials(s, &wadi_slide_soil, grains);
    double most = 0.0;
    for (int32_t l = 0; l < ground->loose_count; ++l)
    {
        const wadi_material* soil = wadi_terrain_material(s->terrain, ground->material[l]);
        const double cohesion = soil->cohesion + s->params->cohesion;
        out[l].grain = grains[l];
        soak_fill_soil(soil, &out[l]);
        soak_fill_bonds(cohesion, 0.5 * s->diameter, &out[l].grain);
        most = cohesion > most ? cohesion : most;
    }
    wadi_wet_material* rock = &out[ground->loose_count];
    rock->grain = grains[ground->loose_count];
    soak_fill_soil(wadi_terrain_material(s->terrain, WADI_MATERIAL_ROCK), rock);
    rock->soil.porosity = 0.01; // it holds next to no water
    soak_fill_bonds(most, 0.5 * s->diameter, &rock->grain);
}

// Water over grain mass when pores are full.
static double soak_full(const wadi_wet_material* material)
{
    const double pores = material->soil.porosity / (1.0 - material->soil.porosity);
    return soak_water * pores / material->grain.density;
}

// ---- first water -------------------------------------------------------------------------

// Share of the soil of a cell below its water table.
static double soak_table(const slide* s, int32_t cell)
{
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    const double moist = (double)ground->moisture[cell] / 65535.0;
    return moist > s->params->wetness ? moist : s->params->wetness;
}

static double soak_saturation(const slide* s, int32_t id, double over)
{
    const int32_t home = s->homes[id];
    const double depth =
        ((double)s->source->soil[home] + s->source->rock[home]) / WADI_UNITS_PER_METRE;
    const double radius = s->grains[id].radius;
    const double table = soak_table(s, home) * depth;
    const double below = soak_between((table - over + radius) / (2.0 * radius), 0.0, 1.0);
    return below + (1.0 - below) * s->params->damp;
}

// ---- grains ------------------------------------------------------------------------------

// The grain of rock below a grain on the floor. The two do not touch: a second contact would carry
// half the weight, and resist rolling with the shorter lever of two grains.
static wadi_grain soak_rock(const wadi_grain* grain, double distance, const double normal[3],
                            int32_t material, double wetness)
{
    wadi_grain rock = {
        .radius = grain->radius, .material = material, .wetness = wetness, .fixed = true};
    for (int c = 0; c < 3; ++c)
    {
        rock.position[c] =
            grain->position[c] - (distance + (1.0 + soak_gap) * grain->radius) * normal[c];
    }
    return rock;
}

// Wrap a coordinate: rock below a grain near a periodic side may lie beyond it.
static double soak_wrap(double x, double period)
{
    const double in = period > 0.0 ? x - period * floor(x / period) : x;
    return period > 0.0 && in >= period ? 0.0 : in; // a tiny negative number rounds to the period
}

// Set the wetness of the soil and add rock below it; returns the number of grains. `out` has room
// for twice s->count.
static int32_t soak_fill_grains(slide* s, const wadi_wet_material* materials, wadi_grain* out)
{
    const int32_t rock = wadi_terrain_ground_const(s->terrain)->loose_count;
    const wadi_facets floor = wadi_slide_land_facets(&s->land, s->land.floor);
    const wadi_grains_params world = wadi_slide_world_params(s);
    int32_t count = s->count;
    for (int32_t i = 0; i < s->count; ++i)
    {
        wadi_grain* grain = &s->grains[i];
        double normal[3];
        const double distance = wadi_facets_distance(&floor, grain->position, normal);
        grain->wetness = soak_saturation(s, i, distance) * soak_full(&materials[grain->material]);
        out[i] = *grain;
        if (distance < (1.0 + soak_touch) * grain->radius)
        {
            out[count] = soak_rock(grain, distance, normal, rock, soak_full(&materials[rock]));
            out[count].position[0] = soak_wrap(out[count].position[0], world.period_x);
            out[count].position[1] = soak_wrap(out[count].position[1], world.period_y);
            ++count;
        }
    }
    return count;
}

// ---- the world ---------------------------------------------------------------------------

wadi_result wadi_slide_soak_create_world(slide* s)
{
    wadi_wet_material materials[WADI_MAX_LOOSE + 1];
    soak_fill_materials(s, materials);
    wadi_context* context = wadi_terrain_context(s->terrain);
    const int32_t count = s->count + s->rock_count;
    wadi_wet_grains_params water = wadi_wet_grains_params_default();
    water.rain = s->params->rain * soak_mm_per_hour;
    water.evaporation = s->params->evaporation * soak_mm_per_day;
    water.base = s->params->base;
    water.water_step = s->params->water_step;
    water.exchange = s->params->exchange;
    water.acceleration = s->params->acceleration;
    const wadi_grains_params solid = wadi_slide_world_params(s);
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    const int32_t kinds = ground->loose_count + 1;
    WADI_ALLOC(context, s->scratch, 2 * ground->cells + count, "water of a slide");
    WADI_TRY(
        wadi_wet_grains_create(context, &water, &solid, materials, kinds, s->now, count, &s->wet));
    s->world = wadi_wet_grains_solid(s->wet);
    return wadi_slide_world_enclose(s);
}

// Balance a share of the downslope component of the weight of grains.
static wadi_result soak_hold_up(slide* s, double share)
{
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    const wadi_facets floor = wadi_slide_land_facets(&s->land, s->land.floor);
    for (int32_t i = 0; i < s->count; ++i)
    {
        const wadi_grain* g = &s->now[i];
        const wadi_material* soil =
            wadi_terrain_material(s->terrain, ground->material[g->material]);
        const double mass = soil->density * 4.18879020478639 * g->radius * g->radius * g->radius;
        const double pull = share * slide_gravity * mass * (1.0 + g->wetness);
        double n[3];
        (void)wadi_facets_distance(&floor, g->position, n);
        const double force[3] = {-pull * n[2] * n[0], -pull * n[2] * n[1],
                                 pull * (1.0 - n[2] * n[2])};
        WADI_TRY(wadi_grains_set_force(s->world, i, force));
    }
    return WADI_OK;
}

// Bond the grains, then apply the downslope weight in steps, as on a bed that is tilted. Applied at
// once it would load bonds twice as much and break them.
static wadi_result soak_rest(slide* s)
{
    const double time = soak_rest_time * sqrt(s->diameter / slide_gravity);
    bool rests;
    WADI_TRY(wadi_grains_bond(s->world, soak_reach, NULL));
    for (int32_t left = soak_rest_looks - 1; left >= 0; --left)
    {
        WADI_TRY(soak_hold_up(s, (double)left / soak_rest_looks));
        WADI_TRY(wadi_wet_grains_settle(s->wet, time / soak_rest_looks, &rests));
        wadi_grains_read(s->world, s->now);
    }
    wadi_slide_update_motion(s);
    s->soak = wadi_wet_grains_summarize(s->wet);
    s->rested = s->soak.motion;
    return WADI_OK;
}

wadi_result wadi_slide_soak_create(slide* s)
{
    wadi_context* context = wadi_terrain_context(s->terrain);
    WADI_CHECK(context, s->params->entrainment == 0.0, WADI_ERROR_ARGUMENT,
               "start is soaking, which has no entrainment: set entrainment to 0, or start to "
               "failing");
    wadi_wet_material materials[WADI_MAX_LOOSE + 1];
    soak_fill_materials(s, materials);
    wadi_grain* grains;
    WADI_ALLOC(context, grains, 2 * (int64_t)s->count, "grains of a slide");
    wadi_free(context, s->now);
    s->now = grains;
    s->rock_count = soak_fill_grains(s, materials, grains) - s->count;
    WADI_TRY(wadi_slide_soak_create_world(s));
    return soak_rest(s);
}

// ---- time --------------------------------------------------------------------------------

static wadi_result soak_pass(slide* s, double seconds)
{
    double left = seconds;
    while (left > 0.0) // it is stopped between stretches only
    {
        double passed;
        WADI_TRY(wadi_wet_grains_turn(s->wet, left, &passed));
        left -= passed;
    }
    wadi_grains_read(s->world, s->now);
    s->soak = wadi_wet_grains_summarize(s->wet);
    s->time = s->soak.motion - s->rested;
    s->overlap = s->soak.grains.overlap > s->overlap ? s->soak.grains.overlap : s->overlap;
    wadi_slide_update_motion(s);
    return wadi_slide_show(s, s->soak.time);
}

// Time to the next update: a step of water while all grains sleep, else soak_stretch of motion.
static double soak_next(const slide* s)
{
    const bool rests = wadi_grains_asleep(s->world) == s->count + s->rock_count;
    return rests ? s->params->water_step : soak_stretch * s->params->acceleration;
}

wadi_result wadi_slide_soak_move(slide* s, double seconds, bool* stopped)
{
    wadi_context* context = wadi_terrain_context(s->terrain);
    while (!*stopped && s->time < s->params->longest && s->soak.time < seconds * (1.0 - 1e-12))
    {
        const double left = seconds - s->soak.time;
        const double next = soak_next(s);
        WADI_TRY(soak_pass(s, next < left ? next : left));
        *stopped = !wadi_progress_stop(context, s->soak.time / seconds, "landslide");
    }
    s->still_moving = (double)s->moving / (double)s->count;
    s->summary = wadi_grains_summarize(s->world);
    return WADI_OK;
}

// ---- moisture ----------------------------------------------------------------------------

// Sum the pore volume of grains and the water in it by the cell below.
static void soak_gather(const slide* s, const double* saturation, double* pores, double* water)
{
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    for (int32_t i = 0; i < s->count; ++i)
    {
        const wadi_grain* grain = &s->now[i];
        const int64_t cell = wadi_slide_cell_under(ground, grain->position);
        if (cell >= 0)
        {
            const wadi_material* soil =
                wadi_terrain_material(s->terrain, ground->material[grain->material]);
            const double part = soil->porosity * grain->radius * grain->radius * grain->radius;
            pores[cell] += part;
            water[cell] += part * saturation[i];
        }
    }
}

// Set moisture to the share of soil below the water table: water above `damp` collects at the base.
static void soak_lay(const slide* s, const double* pores, const double* water)
{
    wadi_ground* ground = wadi_terrain_ground(s->terrain);
    const double damp = s->params->damp < 0.99 ? s->params->damp : 0.99;
    for (int64_t c = 0; c < ground->cells; ++c)
    {
        if (pores[c] > 0.0)
        {
            const double share = (water[c] / pores[c] - damp) / (1.0 - damp);
            ground->moisture[c] = (uint16_t)(soak_between(share, 0.0, 1.0) * 65535.0 + 0.5);
        }
    }
}

void wadi_slide_soak_return(const slide* s)
{
    const int64_t cells = wadi_terrain_ground_const(s->terrain)->cells;
    double* pores = s->scratch;
    double* water = pores + cells;
    double* saturation = water + cells;
    memset(pores, 0, 2 * (size_t)cells * sizeof *pores);
    wadi_seepage_saturation(wadi_wet_grains_water(s->wet), saturation);
    soak_gather(s, saturation, pores, water);
    soak_lay(s, pores, water);
}
