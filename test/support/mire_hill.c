// SPDX-License-Identifier: MIT
#include "support/mire_hill.h"

#include "support/soil.h"

#include "core/random.h"

#include <math.h>

const double HILL_RADIUS = 0.1;
static const double HILL_PI = 3.14159265358979323846;

enum
{
    HILL_LONG = 26, // cells along the slope of the initial bed
    HILL_WIDE = 4,
    HILL_HIGH = 8,
    HILL_MOST = HILL_LONG * HILL_WIDE * HILL_HIGH
};
static const double HILL_CELL = 2.25; // radii
static const double HILL_STEP = 0.6;  // [m] drop from the end of the rock to the floor

hill hill_default(void)
{
    return (hill){.slope = 24.0,
                  .friction = 0.4,
                  .rolling = 0.1,
                  .soil = 2e-5,
                  .tight = 1e-9,
                  .rain = 1e-5,
                  .acceleration = 1.0,
                  .threads = 1};
}

static void hill_material(wadi_grain_material* g, const hill* h)
{
    g->stiffness = 1.5e5;
    g->restitution = 0.2;
    g->friction = h->friction;
    g->rolling_friction = h->rolling;
    g->bond_modulus = 1.5e6;
    g->bond_tension = 0.0;
    g->bond_cohesion = 0.0;
}

// Let a bed of grains of unequal size settle on a floor.
static void hill_pack(soil* s, const hill* h)
{
    soil_open(s, h->threads, HILL_MOST);
    hill_material(&s->materials[0], h);
    s->params.gravity_z = -9.81;
    s->params.sleep_speed = 0.02;
    s->params.sleep_acceleration = 0.5;
    s->params.sleep_time = 0.05;
    s->params.period_y = HILL_WIDE * HILL_CELL * HILL_RADIUS;
    for (uint32_t i = 0; i < HILL_MOST; ++i)
    {
        const wadi_philox p = wadi_random(11, 0, i, 0);
        const uint32_t at[3] = {i % HILL_LONG, i / HILL_LONG % HILL_WIDE,
                                i / HILL_LONG / HILL_WIDE};
        double x[3];
        for (int c = 0; c < 3; ++c)
        {
            x[c] = HILL_RADIUS *
                   (HILL_CELL * (at[c] + 0.5) + 0.1 * ((double)wadi_unit_float(p.v[c]) - 0.5));
        }
        soil_add(s, x[0], x[1], x[2],
                 HILL_RADIUS * (0.85 + 0.25 * (double)wadi_unit_float(p.v[3])));
    }
    soil_make(s);
    soil_floor(s);
    soil_wall(s, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0);
    soil_wall(s, HILL_LONG * HILL_CELL * HILL_RADIUS, 0.0, 0.0, -1.0, 0.0, 0.0);
    soil_pass(s, 2.0);
}

// Layers by height: fixed rock at the bottom, two grains of low conductivity, soil.
static int32_t hill_layer(double height)
{
    const double d = 2.0 * HILL_RADIUS;
    return height < 0.75 * d ? HILL_ROCK : height < 2.25 * d ? HILL_TIGHT : HILL_SOIL;
}

// Tilt the bed so that it slopes to the east and ends in a flat foot at x = 0.
static void hill_tilt(mire* m, const soil* s, const hill* h)
{
    const double angle = h->slope * HILL_PI / 180.0;
    const double length = HILL_LONG * HILL_CELL * HILL_RADIUS;
    for (int32_t i = 0; i < s->count; ++i)
    {
        const double* x = s->list[i].position;
        const double along = length - x[0]; // distance upslope from the foot
        wadi_grain* g = mire_add(m, -cos(angle) * along + sin(angle) * x[2], x[1],
                                 sin(angle) * along + cos(angle) * x[2], s->list[i].radius);
        g->material = hill_layer(x[2]);
        g->fixed = g->material == HILL_ROCK;
        g->wetness = 0.15; // saturation 0.6
    }
}

static void hill_materials(mire* m, const hill* h)
{
    const double conductivities[3] = {1e-4, h->tight, h->soil};
    m->material_count = 3;
    for (int k = 0; k < 3; ++k)
    {
        hill_material(&m->materials[k].grain, h);
        m->materials[k].soil.conductivity = conductivities[k];
    }
    wadi_grain_material* tight = &m->materials[HILL_TIGHT].grain;
    tight->bond_tension = 2e5;
    tight->bond_cohesion = 2e5;
    tight->plastic_limit = 1.0;
    tight->liquid_limit = 2.0;
    m->materials[HILL_ROCK].grain = *tight;
}

static void hill_rest(mire* m, const void* rest, size_t size)
{
    if (rest != NULL)
    {
        CHECK_OK(m->f.context, wadi_wet_grains_restore(m->world, rest, size));
        wadi_grains_read(mire_solid(m), m->list);
        return;
    }
    CHECK_OK(m->f.context, wadi_grains_bond(mire_solid(m), 0.2, NULL));
    mire_settle(m, 20.0);
}

void hill_open(mire* m, const hill* h, const void* rest, size_t size)
{
    soil s;
    hill_pack(&s, h);
    mire_open(m, h->threads, HILL_MOST);
    m->params.base = h->closed ? WADI_SEEPAGE_BASE_CLOSED : WADI_SEEPAGE_BASE_FREE;
    m->params.pressure = h->pressure;
    m->params.acceleration = h->acceleration;
    m->solid.period_y = s.params.period_y;
    m->solid.sleep_speed = 0.01;
    m->solid.sleep_acceleration = 0.2;
    m->solid.sleep_time = 0.05;
    hill_materials(m, h);
    hill_tilt(m, &s, h);
    soil_close(&s);
    mire_make(m);
    mire_wall(m, 0.0, 0.0, -HILL_STEP, 0.0, 0.0, 1.0);
    hill_rest(m, rest, size);
    CHECK_OK(m->f.context, wadi_wet_grains_set_weather(m->world, h->rain, 0.0));
}

double hill_way(const mire* m, const hill* h, const wadi_grain* before, int32_t id)
{
    const double angle = h->slope * HILL_PI / 180.0;
    const double* from = before[id].position;
    const double* to = m->list[id].position;
    return cos(angle) * (to[0] - from[0]) - sin(angle) * (to[2] - from[2]);
}

double hill_height(const hill* h, const wadi_grain* grain)
{
    const double angle = h->slope * HILL_PI / 180.0;
    return sin(angle) * grain->position[0] + cos(angle) * grain->position[2];
}
