// SPDX-License-Identifier: MIT
// Contact laws of two materials, the longest stable step, and the unit of force.
#include "bodies/grains/granular.h"

#include "core/dmath.h"

#include <float.h>

// Largest share of sqrt(m / k) that a step may be: 14 contacts on a grain still oscillate slowly
// enough (Otsubo et al. 2017 need 0.3 of a grain in a crowd).
#define LAW_STABLE_SHARE 0.2

// Springs in series: half the stiffness of each where both are alike.
static double law_in_series(double a, double b)
{
    return 2.0 * a * b / (a + b);
}

// Share of critical damping that gives a restitution: -ln e / sqrt(pi^2 + ln^2 e).
static double law_damping(double restitution)
{
    const double pi = 3.14159265358979323846;
    const double loss = -wadi_log(restitution);
    return loss / sqrt(pi * pi + loss * loss);
}

static double law_mean(double a, double b)
{
    return sqrt(a * b);
}

// Modulus 4/3 E* is written as 2/3 of 2 E* in the kernel; E* of two materials.
static double law_hertz_modulus(const wadi_grain_material* a, const wadi_grain_material* b)
{
    const double soft = (1.0 - a->poisson * a->poisson) / a->young;
    const double other = (1.0 - b->poisson * b->poisson) / b->young;
    return 1.0 / (soft + other);
}

// Tangential over normal stiffness: 4 G* / E* (Mindlin 1949).
static double law_hertz_ratio(const wadi_grain_material* a, const wadi_grain_material* b)
{
    const double soft = 2.0 * (2.0 - a->poisson) * (1.0 + a->poisson) / a->young;
    const double other = 2.0 * (2.0 - b->poisson) * (1.0 + b->poisson) / b->young;
    return 4.0 / (soft + other) / law_hertz_modulus(a, b);
}

static granular_contact law_contact(const wadi_grain_material* a, const wadi_grain_material* b,
                                    bool hertz)
{
    const double damping = 2.0 * law_damping(law_mean(a->restitution, b->restitution));
    granular_contact contact = {
        .stiffness = law_in_series(a->stiffness, b->stiffness),
        .ratio = 2.0 / 7.0, // equal periods of normal and tangential spring, for solid spheres
        .damping = damping,
        .friction = law_mean(a->friction, b->friction),
        .rolling = law_mean(a->rolling_friction, b->rolling_friction),
    };
    if (hertz)
    {
        contact.stiffness = law_hertz_modulus(a, b);
        contact.ratio = law_hertz_ratio(a, b);
        contact.damping = damping * sqrt(5.0 / 6.0); // Tsuji et al. 1992
    }
    return contact;
}

static granular_cement law_cement(const wadi_grain_material* a, const wadi_grain_material* b)
{
    return (granular_cement){
        .modulus = law_in_series(a->bond_modulus, b->bond_modulus),
        .shear = 1.0 / law_mean(a->bond_ratio, b->bond_ratio),
        .tension = law_mean(a->bond_tension, b->bond_tension),
        .cohesion = law_mean(a->bond_cohesion, b->bond_cohesion),
        .friction = law_mean(a->bond_friction, b->bond_friction),
        .damping = 2.0 * law_mean(a->bond_damping, b->bond_damping),
        .radius = law_mean(a->bond_radius, b->bond_radius),
    };
}

// A material by kind: kinds beyond the materials are the same as mud.
static wadi_grain_material law_material(const wadi_grains* grains, int32_t kind)
{
    const int32_t count = grains->material_count;
    wadi_grain_material material = grains->materials[kind % count];
    material.friction *= kind < count ? 1.0 : material.mud_friction;
    material.rolling_friction *= kind < count ? 1.0 : material.mud_friction;
    return material;
}

// The tables of contacts and bonds from the materials.
static void law_fill(wadi_grains* grains)
{
    const int32_t kinds = grains->kinds;
    const bool hertz = grains->params.law == WADI_GRAIN_LAW_HERTZ;
    for (int32_t i = 0; i < kinds; ++i)
    {
        const wadi_grain_material a = law_material(grains, i);
        for (int32_t j = 0; j < kinds; ++j)
        {
            const wadi_grain_material b = law_material(grains, j);
            grains->contacts[i * kinds + j] = law_contact(&a, &b, hertz);
            grains->cements[i * kinds + j] = law_cement(&a, &b);
        }
        grains->rolls = grains->rolls || a.rolling_friction > 0.0;
    }
}

wadi_result wadi_granular_law_create(wadi_grains* grains)
{
    wadi_context* context = grains->context;
    const int32_t kinds = 2 * grains->material_count;
    grains->kinds = kinds;
    WADI_ALLOC(context, grains->contacts, kinds * kinds, "contact laws");
    WADI_ALLOC(context, grains->cements, kinds * kinds, "bond laws");
    grains->rolls = grains->params.law == WADI_GRAIN_LAW_HERTZ;
    law_fill(grains);
    return WADI_OK;
}

void wadi_granular_law_set_friction(wadi_grains* grains, int32_t material, double friction)
{
    grains->materials[material].friction = friction;
    law_fill(grains);
    wadi_granular_invalidate_forces(grains);
}

double wadi_granular_law_stiffest(const wadi_grains* grains)
{
    double most = 0.0;
    for (int32_t i = 0; i < grains->kinds * grains->kinds; ++i)
    {
        const granular_contact* contact = &grains->contacts[i];
        const double normal = grains->params.law == WADI_GRAIN_LAW_HERTZ
                                  ? 2.0 * contact->stiffness * grains->list.largest * sqrt(0.05)
                                  : contact->stiffness;
        const double stiffness = normal * (contact->ratio > 1.0 ? contact->ratio : 1.0);
        most = stiffness > most ? stiffness : most;
    }
    return most;
}

// Least share of its mass that a body has at a contact.
static double law_slowest(const wadi_grains* grains)
{
    double least = 1.0;
    for (int32_t k = 0; grains->clumps != NULL && k < grains->clumps->shape_count; ++k)
    {
        const double share = grains->clumps->shapes[k].slowness;
        least = share < least ? share : least;
    }
    return least;
}

// The same of the body that a grain is, or is part of.
static double law_share(const wadi_grains* grains, int32_t place)
{
    const int32_t clump = granular_clump_of_id(grains, grains->ids[place]);
    return clump >= 0 ? granular_shape_of(grains, &grains->clumps->list[clump])->slowness : 1.0;
}

// Mass of the lightest grain that was expected.
static double law_expected(const wadi_grains* grains)
{
    const double r = grains->flow.expects[0];
    double density = DBL_MAX;
    for (int32_t m = 0; m < grains->material_count; ++m)
    {
        density = grains->materials[m].density < density ? grains->materials[m].density : density;
    }
    const double mass = density * 4.0 / 3.0 * 3.14159265358979323846 * r * r * r;
    return r > 0.0 ? mass * law_slowest(grains) : DBL_MAX;
}

double wadi_granular_law_limit(const wadi_grains* grains, double mass)
{
    const double contact = LAW_STABLE_SHARE * sqrt(mass / wadi_granular_law_stiffest(grains));
    const double bond = LAW_STABLE_SHARE * wadi_granular_bonds_limit(grains);
    const double limit = contact < bond ? contact : bond;
    return limit < 1.0 ? limit : 1.0;
}

static double law_limit(const wadi_grains* grains)
{
    double lightest = law_expected(grains);
    for (int32_t i = 0; i < grains->count; ++i)
    {
        const double inverse = wadi_granular_dry_inverse(grains, i); // water comes and goes
        const double mass = inverse > 0.0 ? law_share(grains, i) / inverse : DBL_MAX;
        lightest = mass < lightest ? mass : lightest;
    }
    return wadi_granular_law_limit(grains, lightest);
}

// A unit of force so fine that the largest force that makes sense, of two grains pushed into each
// other entirely, still counts fewer than 2^51.
double wadi_granular_law_cap(const wadi_grains* grains, bool bonded)
{
    const double stiffest = wadi_granular_law_stiffest(grains);
    double most = stiffest * grains->list.largest;
    for (int32_t i = 0; i < grains->kinds * grains->kinds && bonded; ++i)
    {
        const double cement =
            4.0 * grains->cements[i].modulus * grains->list.largest * grains->list.largest;
        most = cement > most ? cement : most;
    }
    int exponent;
    (void)frexp(most, &exponent);
    return ldexp(1.0, exponent);
}

static void law_set_unit(wadi_grains* grains)
{
    grains->cap = wadi_granular_law_cap(grains, grains->bond_count > 0);
    grains->scale = ldexp(1.0, 49) / grains->cap; // friction and rolling add up to four times it
}

void wadi_granular_law_set_sleep(wadi_grains* grains)
{
    const double still = ceil(grains->params.sleep_time / grains->step);
    grains->sleep_at = grains->params.sleep_speed > 0.0 && still < 1e9
                           ? (still > 1.0 ? (int32_t)still : 1)
                           : INT32_MAX;
}

wadi_result wadi_granular_law_set_step(wadi_grains* grains)
{
    const double limit = law_limit(grains);
    const double step = grains->params.step > 0.0 ? grains->params.step : 0.5 * limit;
    WADI_CHECK(grains->context, step <= limit, WADI_ERROR_RANGE,
               "step is %g s but %g s is the longest that is stable for these grains, contacts and "
               "bonds: make step shorter, stiffness lower or the smallest grains larger",
               step, limit);
    grains->limit = limit;
    grains->step = step;
    wadi_granular_law_set_sleep(grains);
    law_set_unit(grains);
    return WADI_OK;
}
