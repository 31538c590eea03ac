// SPDX-License-Identifier: MIT
// Motion: leapfrog integration, and grains at rest fall asleep. Included once per
// instruction set. The fourth number of a row (radius, inverse mass, kind and calm steps) is no
// part of it and stays as it is.
#include "bodies/grains/granular_vector.h"

// Total force and torque on a grain: sums of whole numbers, in any order.
typedef struct move_sum
{
    vec_whole force;
    vec_whole turn;
} move_sum;

static GRANULAR_INLINE move_sum move_collect(const granular_move_work* work, int32_t place)
{
    const granular_row* own = &work->own[place - work->begin];
    move_sum sum = {vec_whole_load(own->force), vec_whole_load(own->turn)};
    for (int32_t k = work->halo_start[place]; k < work->halo_start[place + 1]; ++k)
    {
        const granular_row* other = &work->halo_rows[work->halo_slots[k]];
        sum.force += vec_whole_load(other->force);
        sum.turn += vec_whole_load(other->turn);
    }
    return sum;
}

// Accelerations of a solid sphere.
typedef struct move_pull
{
    vec_four along;
    vec_four turn;
} move_pull;

static GRANULAR_INLINE move_pull move_accelerate(const granular_move_work* work, int32_t place)
{
    const granular_body* body = &work->bodies[place];
    const move_sum sum = move_collect(work, place);
    const double per_unit = work->unit * body->inverse_mass;
    const double per_turn = 2.5 * per_unit / body->radius;
    move_pull pull = {vec_four_of(sum.force) * per_unit + vec_four_load(work->gravity),
                      vec_four_of(sum.turn) * per_turn};
    if (work->forces != NULL)
    {
        const double* outside = work->forces[work->ids[place]];
        pull.along += (vec_four){outside[0], outside[1], outside[2], 0.0} * body->inverse_mass;
    }
    if (work->wet != NULL)
    {
        const double* push = work->wet[work->ids[place]].push;
        pull.along += (vec_four){push[0], push[1], push[2], 0.0} * body->inverse_mass;
    }
    return pull;
}

static GRANULAR_INLINE double move_square(vec_four v)
{
    const vec_four square = v * v;
    return square[0] + square[1] + square[2];
}

// Number of calm steps after this one. A sleeping grain does not move until a large force acts on
// it.
static GRANULAR_INLINE int32_t move_calm(const granular_move_work* work, const granular_body* body,
                                         move_pull pull)
{
    const double r2 = body->radius * body->radius;
    const double pulled2 = move_square(pull.along) + r2 * move_square(pull.turn);
    if (body->calm >= work->sleep_at)
    {
        return pulled2 < work->wake_pull2 ? work->sleep_at : 0;
    }
    // spin does not count: no friction stops a grain that only turns about the line to its one
    // contact
    const double speed2 = move_square(vec_four_load(body->v));
    const bool calm = speed2 < work->calm_speed2 && pulled2 < work->calm_pull2;
    return calm ? body->calm + 1 : 0;
}

// Drift, and wrap coordinates at periodic edges.
static GRANULAR_INLINE vec_four move_drift(const granular_move_work* work, vec_four x, vec_four v)
{
    const vec_four period = vec_four_load(work->period);
    const vec_four to = vec_four_last(x + work->step * v, x);
    // a coordinate below 0 by less than a rounding error becomes the period itself, which is set to
    // 0
    const vec_four up = to + (vec_four)((vec_whole)period & (to < 0.0));
    return up - (vec_four)((vec_whole)period & (up >= period));
}

// Leapfrog: a full kick, then a drift.
static GRANULAR_INLINE vec_four move_grain(const granular_move_work* work, int32_t place)
{
    granular_body* body = &work->bodies[place];
    const vec_four x = vec_four_load(body->x);
    const vec_four v = vec_four_load(body->v);
    const vec_four w = vec_four_load(body->w);
    if (body->inverse_mass > 0.0)
    {
        const move_pull pull = move_accelerate(work, place);
        const int32_t calm = work->sleep_at < INT32_MAX ? move_calm(work, body, pull) : body->calm;
        const bool sleeps = calm >= work->sleep_at;
        const vec_four none = {0.0, 0.0, 0.0, 0.0};
        const vec_four kicked = sleeps ? vec_four_last(none, v) : v + work->step * pull.along;
        const vec_four spun = sleeps ? none : w + work->step * pull.turn;
        vec_four_store(kicked, body->v);
        vec_four_store(vec_four_last(spun, w), body->w);
        body->calm = calm;
        if (sleeps)
        {
            return x;
        }
        const vec_four there = move_drift(work, x, kicked);
        vec_four_store(there, body->x);
        return there;
    }
    const vec_four there = move_drift(work, x, v);
    vec_four_store(there, body->x);
    return there;
}

// Displacements of grains since the list was built.
typedef struct move_box
{
    vec_four low;
    vec_four high;
    double strayed2; // from the reference
} move_box;

static GRANULAR_INLINE void move_measure(const granular_move_work* work, int32_t place, vec_four x,
                                         move_box* box)
{
    const vec_four magic = {WADI_EXACT_MAGIC, WADI_EXACT_MAGIC, WADI_EXACT_MAGIC, WADI_EXACT_MAGIC};
    const vec_four d = x - vec_four_load(work->built[place].x);
    const vec_four turns = (d * vec_four_load(work->inverse_period) + magic) - magic;
    const vec_four came = d - vec_four_load(work->period) * turns;
    const double square = move_square(came - vec_four_load(work->reference));
    box->low = vec_four_pick(came < box->low, came, box->low);
    box->high = vec_four_pick(came > box->high, came, box->high);
    box->strayed2 = square > box->strayed2 ? square : box->strayed2;
}

// Spheres of clumps are moved with them, later; those of a fixed one as fixed grains.
static GRANULAR_INLINE bool move_is_carried(const granular_move_work* work, int32_t place)
{
    return work->clump_of != NULL && work->clump_of[work->ids[place]] >= 0 &&
           work->bodies[place].inverse_mass > 0.0;
}

// A copy of the work stays in registers: what is written to grains might change the original.
static void granular_move_kernel(granular_move_work* out)
{
    const granular_move_work work = *out;
    move_box box = {{0.0}, {0.0}, 0.0};
    box.low += (double)INFINITY;
    box.high -= (double)INFINITY;
    for (int32_t i = work.begin; i < work.end; ++i)
    {
        if (move_is_carried(&work, i))
        {
            continue;
        }
        const vec_four x = move_grain(&work, i);
        move_measure(&work, i, x, &box);
    }
    vec_four_store(box.low, out->low);
    vec_four_store(box.high, out->high);
    out->strayed2 = box.strayed2;
}
