// SPDX-License-Identifier: MIT
// Boundary condition of walls and ground. Behind each plane lies a half-space of mirrored water at
// rest. Its kernel integrals are polynomials, so walls need no particles (Kulasegaram et al. 2004;
// Ferrand et al. 2013 for any boundary). The ground is a height field of two triangles a cell. A
// particle meets the plane of the one under its centre where others within reach lie in that plane,
// and otherwise all of them (sph_folds.c).
#include "bodies/water/sph.h"

// ---- making ------------------------------------------------------------------------------

static wadi_result wall_check_drag(const wadi_sph* sph, double drag)
{
    WADI_CHECK(sph->context, drag >= 0.0 && drag <= 1.0, WADI_ERROR_RANGE,
               "the drag of a wall or the ground is %g but must be 0 (slippery) to 1 (sticks)",
               drag);
    return WADI_OK;
}

wadi_result wadi_sph_add_wall(wadi_sph* sph, const wadi_sph_wall* wall, int32_t* out)
{
    *out = -1;
    sph_wall made = {.drag = wall->drag};
    int32_t slot;
    WADI_TRY(
        wadi_wall_create(sph->context, wall->point, wall->normal, wall->velocity, &made.plane));
    WADI_TRY(wall_check_drag(sph, wall->drag));
    WADI_TRY(wadi_wall_slot(sph->context, sph->present, WADI_SPH_MAX_WALLS, &slot));
    sph->walls[slot] = made;
    sph->present |= 1u << slot;
    sph->stale = true; // who is beside it is found with the next list
    *out = slot;
    return WADI_OK;
}

wadi_result wadi_sph_remove_wall(wadi_sph* sph, int32_t wall)
{
    WADI_TRY(wadi_wall_check(sph->context, sph->present, WADI_SPH_MAX_WALLS, wall));
    sph->present &= ~(1u << wall);
    return WADI_OK;
}

wadi_result wadi_sph_set_ground(wadi_sph* sph, const wadi_sph_ground* ground)
{
    const wadi_facets shape = {NULL,         ground->width, ground->height, ground->cell_size,
                               ground->west, ground->south};
    WADI_TRY(wadi_facets_check(sph->context, &shape, ground->heights));
    WADI_TRY(wall_check_drag(sph, ground->drag));
    WADI_TRY(wadi_facets_set(sph->context, &sph->ground, &shape, ground->heights));
    sph->walls[SPH_GROUND] = (sph_wall){.drag = ground->drag};
    sph->present |= 1u << SPH_GROUND;
    sph->stale = true;
    return WADI_OK;
}

// ---- distance ----------------------------------------------------------------------------

static inline double wall_distance(const wadi_sph* sph, int32_t w, const double x[3], double n[3])
{
    return w == SPH_GROUND ? wadi_facets_distance(&sph->ground, x, n)
                           : wadi_wall_distance(&sph->walls[w].plane, x, n);
}

// A particle is held so far from a wall, and its velocity is limited within `safe`.
static double wall_nearest(const wadi_sph* sph)
{
    return 0.2 * sph->params.spacing;
}

static double wall_safe(const wadi_sph* sph)
{
    return wall_nearest(sph) + sph->params.sound_speed * sph->step;
}

// ---- beside a wall -----------------------------------------------------------------------

// Whether a wall may act on a particle before it has moved by half the skin. The ground may at any
// height, by its folds, and in a world that repeats, a wall across the seam.
static bool wall_may_act(const wadi_sph* sph, int32_t w, const double x[3])
{
    const double reach = wall_safe(sph) > sph->reach ? wall_safe(sph) : sph->reach;
    const double margin = 1.000001 * (reach + 0.5 * sph->skin);
    if (w == SPH_GROUND)
    {
        return true;
    }
    double n[3];
    const double away = wall_distance(sph, w, x, n);
    const bool seam =
        (sph->law.period[0] > 0.0 && n[0] != 0.0) || (sph->law.period[1] > 0.0 && n[1] != 0.0);
    return seam || away < margin;
}

static void walls_find_beside_range(int32_t begin, int32_t end, int32_t worker, void* job)
{
    (void)worker;
    wadi_sph* sph = job;
    for (int32_t i = begin; i < end; ++i)
    {
        uint32_t beside = 0;
        for (uint32_t left = sph->present; left != 0; left &= left - 1)
        {
            const int32_t w = __builtin_ctz(left);
            beside |= (uint32_t)wall_may_act(sph, w, sph->bodies[i].x) << w;
        }
        sph->beside[i] = beside;
    }
}

void wadi_sph_walls_find_beside(wadi_sph* sph)
{
    enum
    {
        AT_ONCE = 4096
    };
    wadi_parallel_rows(sph->context, sph->count, AT_ONCE, walls_find_beside_range, sph);
}

// ---- force of a wall ---------------------------------------------------------------------

static double wall_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Integrals of the kernel over the half-space behind a wall, from w = 1 - d / 2h on.
typedef struct wall_integrals
{
    double slope;  // of the kernel's gradient along the normal: the kernel's density at the plane
    double inside; // of the kernel: the share of its volume that lies behind
    double shear;  // of the gradient over the distance
} wall_integrals;

// All three integrals go from d to 2h, with alpha = 21 / (16 pi h^3) in W. `slope` is 2 pi times
// the integral of W u du, `inside` the integral of `slope`, `shear` 2 pi times the integral of W.
static wall_integrals wall_integrate(double d, double h)
{
    const double w = 1.0 - 0.5 * d / h;
    const double w2 = w * w;
    const double w5 = w2 * w2 * w;
    return (wall_integrals){
        .slope = 10.5 / h * w5 * (1.0 - 1.5 * w + 4.0 / 7.0 * w2),
        .inside = w5 * w * (3.5 - 4.5 * w + 1.5 * w2),
        .shear = 5.25 / (h * h) * w5 * (1.0 - 2.0 / 3.0 * w),
    };
}

// A particle beside a wall. The mirrored water holds as many spheres as the space around it.
typedef struct wall_water
{
    const sph_body* body;
    double mass;
    double porosity; // of the space around
} wall_water;

// Share of the hydrostatic pressure gradient behind a wall that a particle feels, over the
// porosity. It is limited by the particle's own pressure: without the limit, water that runs up a
// wall would lose part of its weight; without the term, water sank along walls at 0.2 m/s in a tank
// of 2 m and pressure was wrong by 7 %.
static double wall_bearing(const wadi_sph* sph, const wall_water* water)
{
    const wadi_sph_params* p = &sph->params;
    const double gravity[3] = {p->gravity_x, p->gravity_y, p->gravity_z};
    const double deep = water->body->push * p->density * water->porosity * water->porosity;
    const double most = sqrt(wall_dot(gravity, gravity)) * sph->h;
    const double share = deep >= most ? 1.0 : deep > 0.0 ? deep / most : 0.0;
    return water->porosity < 1.0 ? share / water->porosity : share;
}

// Acceleration by that gradient behind a plane.
static void wall_hydrostatic(const wadi_sph* sph, const wall_water* water, const double n[3],
                             double d, const wall_integrals* behind, double bear[3])
{
    const wadi_sph_params* p = &sph->params;
    const double gravity[3] = {p->gravity_x, p->gravity_y, p->gravity_z};
    const double share = wall_bearing(sph, water);
    const double along = wall_dot(gravity, n);
    for (int c = 0; c < 3; ++c)
    {
        bear[c] = -share * (behind->inside * gravity[c] + d * behind->slope * along * n[c]);
    }
}

// A wall within reach of a particle.
typedef struct wall_near
{
    int32_t wall;
    double d;
    double n[3];
    wall_integrals behind;
    const sph_fold* fold; // of the ground, in place of the half-space; NULL: it is a plane
    double open;          // share of the kernel outside of the other walls
} wall_near;

// Forces of the mirrored water: its pressure; its hydrostatic gradient; the change of density by
// its mirrored velocity, which next to a wall is within 3 % of that of a flow that grows linearly
// with distance; and the drag of a no-slip wall (Morris et al. 1997).
static void wall_add_force(const wadi_sph* sph, const wall_near* near, const wall_water* water,
                           sph_row* row)
{
    const sph_body* body = water->body;
    const double density = sph->params.density * water->porosity;
    const wadi_sph_params* p = &sph->params;
    const sph_wall* wall = &sph->walls[near->wall];
    double bear[3];
    wall_hydrostatic(sph, water, near->n, near->d, &near->behind, bear);
    const double press = 2.0 * density * body->push * near->behind.slope;
    double v[3];
    for (int c = 0; c < 3; ++c)
    {
        v[c] = body->v[c] - wall->plane.velocity[c];
    }
    const double closing = -wall_dot(v, near->n);
    const double viscosity = 0.1 * p->viscosity * sph->h * p->sound_speed;
    const double drag = 2.0 * wall->drag * viscosity * near->behind.shear;
    for (int c = 0; c < 3; ++c)
    {
        const double along = v[c] + closing * near->n[c];
        const double pull = press * near->n[c] + bear[c] - drag * along;
        row->force[c] =
            wadi_exact_plus(row->force[c], wadi_exact_round(sph->force_scale * water->mass * pull));
    }
    row->rate = wadi_exact_plus(row->rate, wadi_exact_round(sph->rate_scale * 2.0 * density *
                                                            closing * near->behind.slope));
}

// The same forces of folded ground. It drags along the direction in which it does not push.
static void wall_add_fold(const wadi_sph* sph, const wall_near* near, const wall_water* water,
                          sph_row* row)
{
    const sph_body* body = water->body;
    const double density = sph->params.density * water->porosity;
    const wadi_sph_params* p = &sph->params;
    const sph_fold* fold = near->fold;
    const double share = wall_bearing(sph, water);
    const double steep = wall_dot(fold->push, fold->push);
    const double into = steep > 0.0 ? wall_dot(body->v, fold->push) / steep : 0.0;
    const double viscosity = 0.1 * p->viscosity * sph->h * p->sound_speed;
    const double drag = 2.0 * sph->walls[near->wall].drag * viscosity * fold->shear;
    for (int c = 0; c < 3; ++c)
    {
        const double along = body->v[c] - into * fold->push[c];
        const double pull =
            2.0 * density * body->push * fold->push[c] + share * fold->bear[c] - drag * along;
        row->force[c] = wadi_exact_plus(
            row->force[c], wadi_exact_round(sph->force_scale * near->open * water->mass * pull));
    }
    row->rate =
        wadi_exact_minus(row->rate, wadi_exact_round(sph->rate_scale * near->open * 2.0 * density *
                                                     wall_dot(body->v, fold->push)));
}

// Walls within reach. `fold` is memory for the ground's.
static int32_t wall_find(const wadi_sph* sph, int32_t place, wall_near near[SPH_WALLS],
                         sph_fold* fold)
{
    const double* x = sph->bodies[place].x;
    int32_t count = 0;
    for (uint32_t left = sph->beside[place] & sph->present; left != 0; left &= left - 1)
    {
        wall_near* found = &near[count];
        found->wall = __builtin_ctz(left);
        const double away = wall_distance(sph, found->wall, x, found->n);
        const bool folded = found->wall == SPH_GROUND && wadi_sph_fold_sum(sph, x, fold);
        if (folded || away < sph->reach)
        {
            found->fold = folded ? fold : NULL;
            found->d = away > 0.0 ? away : 0.0;
            found->behind = wall_integrate(found->d, sph->h);
            found->behind.inside = folded ? fold->inside : found->behind.inside;
            ++count;
        }
    }
    return count;
}

// In a corner the half-spaces overlap. The integrals of each are multiplied by the share of the
// kernel outside the others. Together they are then the gradient of 1 - (1 - a)(1 - b), the share
// of the kernel behind two perpendicular walls. With the overlap counted twice, the impact of a dam
// of 0.8 m threw water out of corners at 14 m/s.
static void wall_divide_corner(wall_near* near, int32_t count)
{
    for (int32_t k = 0; k < count; ++k)
    {
        near[k].open = 1.0;
        for (int32_t other = 0; other < count; ++other)
        {
            near[k].open *= other != k ? 1.0 - near[other].behind.inside : 1.0;
        }
    }
    for (int32_t k = 0; k < count; ++k)
    {
        near[k].behind.slope *= near[k].open;
        near[k].behind.inside *= near[k].open;
        near[k].behind.shear *= near[k].open;
    }
}

void wadi_sph_walls_add_forces(const wadi_sph* sph, const sph_chunk* chunk, sph_row* rows)
{
    for (int32_t i = chunk->base.begin; i < chunk->base.end; ++i)
    {
        const sph_state* state = &sph->states[i];
        const sph_body* body = &sph->bodies[i];
        sph_row* row = &rows[i - chunk->base.begin];
        const wall_water water = {body, sph->mass * state->units / sph->full, sph_porosity(state)};
        wall_near near[SPH_WALLS];
        sph_fold fold;
        const int32_t count = state->drop == 0 ? wall_find(sph, i, near, &fold) : 0;
        wall_divide_corner(near, count);
        for (int32_t k = 0; k < count; ++k)
        {
            (near[k].fold != NULL ? wall_add_fold : wall_add_force)(sph, &near[k], &water, row);
        }
    }
}

sph_mirrors wadi_sph_walls_mirrors(const wadi_sph* sph, const double x[3], double reach)
{
    sph_mirrors near = {.count = 0};
    for (uint32_t left = sph->present; left != 0 && near.count < SPH_MIRRORS; left &= left - 1)
    {
        const double away = wall_distance(sph, __builtin_ctz(left), x, near.n[near.count]);
        near.d[near.count] = away;
        near.count += away >= 0.0 && away < reach;
    }
    return near;
}

// Raise the component of a velocity along n to `least`.
static void wall_limit_velocity(const double n[3], double least, double v[3])
{
    const double lacks = least - wall_dot(v, n);
    for (int c = 0; c < 3 && lacks > 0.0; ++c)
    {
        v[c] += lacks * n[c];
    }
}

// The least distance from a wall is a fifth of the spacing, 0.4 of the distance at rest. A particle
// that is nearer moves out at up to a twentieth of the speed of sound; from the ground at up to a
// five-hundredth, since beside a step the nearest plane is not the one to leave: 0.115 sqrt(g H)
// there with a twentieth, at rest 0.01. No particle moves faster than sound, so `safe` covers one
// step.
void wadi_sph_walls_limit_velocity(const wadi_sph* sph, int32_t place, double v[3], double ahead[3])
{
    const double* x = sph->bodies[place].x;
    const double nearest = wall_nearest(sph);
    const double safe = wall_safe(sph);
    for (uint32_t left = sph->beside[place] & sph->present; left != 0; left &= left - 1)
    {
        double n[3];
        const int32_t wall = __builtin_ctz(left);
        const double away = wall_distance(sph, wall, x, n);
        if (away < safe)
        {
            const double fastest = (wall == SPH_GROUND ? 0.002 : 0.05) * sph->params.sound_speed;
            const double out = (nearest - away) / sph->step;
            const double least = out < fastest ? out : fastest;
            wall_limit_velocity(n, least, v);
            wall_limit_velocity(n, least, ahead);
        }
    }
}
