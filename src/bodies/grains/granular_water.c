// SPDX-License-Identifier: MIT
// Effect of water on grains: weight, momentum, pore pressure, bridges, wetness. Its motion is
// computed elsewhere (bodies/seepage).
#include "bodies/grains/granular.h"

static double water_dry_mass(const wadi_grains* grains, const granular_body* body)
{
    const double pi = 3.14159265358979323846;
    const double volume = 4.0 / 3.0 * pi * body->radius * body->radius * body->radius;
    return grains->materials[body->kind % grains->material_count].density * volume;
}

double wadi_granular_dry_inverse(const wadi_grains* grains, int32_t place)
{
    const granular_body* body = &grains->bodies[place];
    if (granular_clump_of_id(grains, grains->ids[place]) >= 0)
    {
        return body->inverse_mass; // clumps are dry
    }
    return body->inverse_mass > 0.0 ? 1.0 / water_dry_mass(grains, body) : 0.0;
}

static bool water_is_amount(double value)
{
    return value >= 0.0 && isfinite(value);
}

static wadi_result water_check(const wadi_grains* grains, const wadi_grain_water* water)
{
    for (int32_t id = 0; id < grains->count; ++id)
    {
        const wadi_grain_water* w = &water[id];
        WADI_CHECK(grains->context,
                   water_is_amount(w->mass) && water_is_amount(w->lift) &&
                       water_is_amount(w->pull) && water_is_amount(w->bridge),
                   WADI_ERROR_RANGE,
                   "the water of grain %d has a mass of %g kg, a lift of %g N, a pull of %g N and "
                   "bridges of %g m3; all must be 0 or more",
                   id, w->mass, w->lift, w->pull, w->bridge);
        WADI_CHECK(grains->context, wadi_is_finite(w->momentum) && wadi_is_finite(w->push),
                   WADI_ERROR_RANGE,
                   "the momentum that water brings to grain %d, or its push, is no number", id);
        WADI_CHECK(grains->context,
                   w->mass <= 100.0 * water_dry_mass(grains, &grains->bodies[grains->places[id]]),
                   WADI_ERROR_RANGE,
                   "the water of grain %d weighs %g kg, more than a hundred times the grain", id,
                   w->mass);
    }
    return WADI_OK;
}

// Pulls must fit the integer units of force, and bridges must be too short to reach a grain's own
// periodic image.
static wadi_result water_check_bridges(const wadi_grains* grains, const wadi_grain_water* water)
{
    double most = 0.0;
    for (int32_t id = 0; id < grains->count; ++id)
    {
        WADI_CHECK(grains->context, water[id].pull <= grains->cap, WADI_ERROR_RANGE,
                   "the pull of grain %d is %g N, more than the %g N that contacts so soft can "
                   "bear: make pull smaller or stiffness larger",
                   id, water[id].pull, grains->cap);
        most = water[id].bridge > most ? water[id].bridge : most;
    }
    const double least =
        3.0 * (2.0 * grains->list.largest + wadi_granular_bridge_span(grains, 2.0 * most));
    const double periods[2] = {grains->params.period_x, grains->params.period_y};
    for (int c = 0; c < 2; ++c)
    {
        WADI_CHECK(grains->context, periods[c] == 0.0 || periods[c] >= least, WADI_ERROR_RANGE,
                   "period_%c is %g m, but with bridges of up to %g m3 it must be at least %g m: "
                   "make the period longer or bridges smaller",
                   "xy"[c], periods[c], 2.0 * most, least);
    }
    return WADI_OK;
}

// Momentum is conserved: m v plus the momentum of the added water is m' v'; the same holds for
// spin, of which added water has none. A sleeping grain is not woken by a speed below sleep_speed.
static void water_weigh(const wadi_grains* grains, granular_body* body,
                        const wadi_grain_water* water)
{
    const double before = 1.0 / body->inverse_mass;
    const double mass = water_dry_mass(grains, body) + water->mass;
    const double more = mass - before;
    double speed2 = 0.0;
    for (int c = 0; c < 3; ++c)
    {
        body->v[c] += (water->momentum[c] - more * body->v[c]) / mass;
        body->w[c] -= more / mass * body->w[c];
        speed2 += body->v[c] * body->v[c];
    }
    body->inverse_mass = 1.0 / mass;
    const double calm = grains->params.sleep_speed;
    if (body->calm >= grains->sleep_at && speed2 < calm * calm)
    {
        memset(body->v, 0, sizeof body->v);
    }
    else if (body->calm >= grains->sleep_at)
    {
        body->calm = 0;
    }
}

wadi_result wadi_grains_set_water(wadi_grains* grains, const wadi_grain_water* water)
{
    WADI_TRY(wadi_granular_clumps_refuse(grains, "grains cannot get wet"));
    WADI_TRY(water_check(grains, water));
    WADI_TRY(water_check_bridges(grains, water));
    if (grains->wet == NULL)
    {
        WADI_ALLOC(grains->context, grains->wet, grains->room, "water of grains");
    }
    for (int32_t id = 0; id < grains->count; ++id)
    {
        granular_body* body = &grains->bodies[grains->places[id]];
        const double* push = water[id].push;
        grains->wet[id] = (granular_wet){.push = {push[0], push[1], push[2]},
                                         .lift = water[id].lift,
                                         .pull = water[id].pull,
                                         .bridge = water[id].bridge};
        grains->wetness[id] = water[id].mass / water_dry_mass(grains, body);
        if (body->inverse_mass > 0.0)
        {
            water_weigh(grains, body, &water[id]);
        }
    }
    wadi_granular_bonds_apply_wetness(grains);
    return WADI_OK;
}
