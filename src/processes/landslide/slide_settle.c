// SPDX-License-Identifier: MIT
// Stacks of grains are loose at first, and on a slope they would fall over. So grains settle before
// the clock starts, with little friction, under a force normal to the soil surface. They pack as on
// level ground and do not move downslope. (Under a force normal to the floor, one grain in a
// hundred rolled off the steep rim of the source.)
#include "processes/landslide/landslide_internal.h"

#include <math.h>
#include <string.h>

static const double settle_time = 8.0;  // over sqrt(d / g)
static const int32_t settle_looks = 8;  // updates of the force in that time
static const double settle_cliff = 1.0; // on steeper surfaces the force is normal to the floor
static const double settle_fast = 1.0;  // over sqrt(g d): faster grains fall from a cliff
static const slide_rub settle_rub = {
    .friction = 0.1, .restitution = 0.1, .rolls = true, .floats = true};

// Weight along the normal of the surface.
static void settle_weight(const slide* s, const wadi_grain* g, double weight, double force[3])
{
    const wadi_facets floor = wadi_slide_land_facets(&s->land, s->land.floor);
    const wadi_facets depth = wadi_slide_land_facets(&s->land, s->land.depth);
    double slope[2];
    double deeper[2];
    (void)wadi_facets_height(&floor, g->position[0], g->position[1], slope);
    (void)wadi_facets_height(&depth, g->position[0], g->position[1], deeper);
    const double x = slope[0] + deeper[0];
    const double y = slope[1] + deeper[1];
    const bool is_cliff = x * x + y * y > settle_cliff * settle_cliff;
    slope[0] = is_cliff ? slope[0] : x;
    slope[1] = is_cliff ? slope[1] : y;
    const double upright = weight / sqrt(1.0 + slope[0] * slope[0] + slope[1] * slope[1]);
    force[0] = slope[0] * upright;
    force[1] = slope[1] * upright;
    force[2] = -upright;
}

// Set the forces until the next look, `seconds` from now. A grain that falls from a cliff is
// stopped in that time: its impact would press one grain into another, which is an error.
static wadi_result settle_pull(slide* s, double seconds)
{
    const wadi_ground* ground = wadi_terrain_ground_const(s->terrain);
    const double fast2 = settle_fast * settle_fast * slide_gravity * s->diameter;
    for (int32_t i = 0; i < s->count; ++i)
    {
        const wadi_grain* g = &s->now[i];
        const double* v = g->velocity;
        const double density =
            wadi_terrain_material(s->terrain, ground->material[g->material])->density;
        const double weight =
            slide_gravity * density * 4.18879020478639 * g->radius * g->radius * g->radius;
        const double brake = -weight / (slide_gravity * seconds);
        double force[3] = {brake * v[0], brake * v[1], brake * v[2]};
        if (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] <= fast2)
        {
            settle_weight(s, g, weight, force);
        }
        WADI_TRY(wadi_grains_set_force(s->world, i, force));
    }
    return WADI_OK;
}

static wadi_result settle_run(slide* s)
{
    const double seconds = settle_time * sqrt(s->diameter / slide_gravity);
    const double step = wadi_grains_summarize(s->world).step;
    const int64_t steps = (int64_t)ceil(seconds / step / (double)settle_looks);
    for (int32_t look = 0; look < settle_looks; ++look)
    {
        WADI_TRY(settle_pull(s, (double)steps * step));
        WADI_TRY(wadi_grains_advance(s->world, steps));
        wadi_grains_read(s->world, s->now);
    }
    return WADI_OK;
}

wadi_result wadi_slide_settle(slide* s)
{
    WADI_TRY(wadi_slide_world_create(s, &settle_rub));
    WADI_TRY(settle_run(s));
    wadi_grains_destroy(s->world);
    s->world = NULL;
    for (int32_t i = 0; i < s->count; ++i)
    {
        memset(s->now[i].velocity, 0, sizeof s->now[i].velocity);
        memset(s->now[i].spin, 0, sizeof s->now[i].spin);
        memcpy(s->last[i], s->now[i].position, sizeof s->last[i]);
        s->grains[i] = s->now[i];
    }
    return WADI_OK;
}
