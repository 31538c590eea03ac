// SPDX-License-Identifier: MIT
// Motion of clumps: a kick by the sum of forces and torques on their spheres, a drift, and a turn
// about the three principal axes, one after the other and back (Dullweber et al. 1997). A turn
// about one axis leaves angular momentum and the energy of the spin about it as they are, so both
// are kept without torque: the first to rounding errors, the second on average.
#include "bodies/grains/granular.h"

#include <float.h>

// Forces on all spheres of a clump.
typedef struct clump_push
{
    int64_t force[3];  // whole units
    double outside[3]; // [N]
    double torque[3];  // about the centre of mass [N m]
} clump_push;

// ---- forces ----------------------------------------------------------------------------------

// Sums of whole numbers, in any order.
static granular_row clump_collect(const wadi_grains* grains, int32_t place)
{
    const wadi_list* list = &grains->list;
    const granular_row* halo = list->halo_rows;
    granular_row sum = grains->kept[place];
    for (int32_t k = list->halo_start[place]; k < list->halo_start[place + 1]; ++k)
    {
        const granular_row* other = &halo[list->halo_slots[k]];
        for (int c = 0; c < 3; ++c)
        {
            sum.force[c] = wadi_exact_plus(sum.force[c], other->force[c]);
            sum.turn[c] = wadi_exact_plus(sum.turn[c], other->turn[c]);
        }
    }
    return sum;
}

static void clump_add_sphere(const wadi_grains* grains, int32_t id, double radius,
                             const double arm[3], clump_push* push)
{
    const granular_row row = clump_collect(grains, grains->places[id]);
    const double unit = 1.0 / grains->scale;
    double f[3];
    for (int c = 0; c < 3; ++c)
    {
        const double outside = grains->forces != NULL ? grains->forces[id][c] : 0.0;
        f[c] = (double)row.force[c] * unit + outside;
        push->force[c] = wadi_exact_plus(push->force[c], row.force[c]);
        push->outside[c] += outside;
        push->torque[c] += radius * (double)row.turn[c] * unit;
    }
    push->torque[0] += arm[1] * f[2] - arm[2] * f[1];
    push->torque[1] += arm[2] * f[0] - arm[0] * f[2];
    push->torque[2] += arm[0] * f[1] - arm[1] * f[0];
}

static clump_push clump_sum(const wadi_grains* grains, const granular_clump* clump,
                            const double rows[3][3])
{
    const granular_shape* shape = granular_shape_of(grains, clump);
    clump_push push = {.force = {0}};
    for (int32_t k = 0; k < shape->count; ++k)
    {
        const double* s = shape->spheres[k];
        double arm[3];
        for (int c = 0; c < 3; ++c)
        {
            arm[c] = clump->radius * (rows[c][0] * s[0] + rows[c][1] * s[1] + rows[c][2] * s[2]);
        }
        clump_add_sphere(grains, clump->first + k, clump->radius * s[3], arm, &push);
    }
    return push;
}

// ---- sleep -----------------------------------------------------------------------------------

static double clump_square(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

// As of single grains (move_calm in granular_move_kernel.h), but spin counts: two spheres of a
// clump that lies still touch something, and oppose each spin.
static int32_t clump_calm(const wadi_grains* grains, const granular_clump* clump, int32_t calm,
                          const double rows[3][3], const double pull[3], const double torque[3])
{
    const wadi_grains_params* p = &grains->params;
    const double pull2 = p->sleep_acceleration * p->sleep_acceleration;
    const double reach = clump->radius * granular_shape_of(grains, clump)->reach;
    granular_clump turned = *clump;
    double w[3];
    double kick[3];
    memcpy(turned.whirl, torque, sizeof turned.whirl);
    wadi_granular_clump_spin(grains, clump, rows, w);
    wadi_granular_clump_spin(grains, &turned, rows, kick);
    const double pulled2 = clump_square(pull) + reach * reach * clump_square(kick);
    if (calm >= grains->sleep_at)
    {
        return pulled2 < 16.0 * pull2 ? grains->sleep_at : 0;
    }
    const double speed2 = clump_square(clump->v) + reach * reach * clump_square(w);
    return speed2 < p->sleep_speed * p->sleep_speed && pulled2 < pull2 ? calm + 1 : 0;
}

// ---- motion ----------------------------------------------------------------------------------

// Turn about principal axis k for a time; `spin` is the angular momentum along the three axes. The
// half angle t has tan(t / 2) = angle / 4: near the angle, of the same order as the whole method,
// and without sines.
static void clump_turn_about(granular_clump* clump, double spin[3], int k, double time,
                             const double inertia[3])
{
    const int i = (k + 1) % 3;
    const int j = (k + 2) % 3;
    const double t = 0.25 * time * spin[k] / inertia[k];
    const double c = (1.0 - t * t) / (1.0 + t * t);
    const double s = 2.0 * t / (1.0 + t * t);
    const double whole_c = c * c - s * s;
    const double whole_s = 2.0 * c * s;
    double step[4] = {c, 0.0, 0.0, 0.0};
    step[1 + k] = s;
    clump_multiply(clump->turn, step, clump->turn);
    const double first = spin[i];
    spin[i] = whole_c * first + whole_s * spin[j];
    spin[j] = whole_c * spin[j] - whole_s * first;
}

static void clump_turn(const wadi_grains* grains, granular_clump* clump, const double rows[3][3])
{
    const double scale = wadi_granular_clump_mass(grains, clump) * clump->radius * clump->radius;
    const double* moments = granular_shape_of(grains, clump)->moments;
    const double step = grains->step;
    double inertia[3];
    double spin[3];
    for (int k = 0; k < 3; ++k)
    {
        inertia[k] = scale * moments[k];
        spin[k] = rows[0][k] * clump->whirl[0] + rows[1][k] * clump->whirl[1] +
                  rows[2][k] * clump->whirl[2];
    }
    clump_turn_about(clump, spin, 0, 0.5 * step, inertia);
    clump_turn_about(clump, spin, 1, 0.5 * step, inertia);
    clump_turn_about(clump, spin, 2, step, inertia);
    clump_turn_about(clump, spin, 1, 0.5 * step, inertia);
    clump_turn_about(clump, spin, 0, 0.5 * step, inertia);
    const double* q = clump->turn;
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; ++k)
    {
        clump->turn[k] /= length;
    }
}

// Wrap at periodic edges, as move_drift() does.
static void clump_drift(const wadi_grains* grains, granular_clump* clump)
{
    const double periods[3] = {grains->params.period_x, grains->params.period_y, 0.0};
    for (int c = 0; c < 3; ++c)
    {
        const double to = clump->x[c] + grains->step * clump->v[c];
        const double up = to < 0.0 ? to + periods[c] : to;
        clump->x[c] = periods[c] > 0.0 && up >= periods[c] ? up - periods[c] : up;
    }
}

static void clump_set_calm(wadi_grains* grains, const granular_clump* clump, int32_t calm)
{
    for (int32_t k = 0; k < granular_shape_of(grains, clump)->count; ++k)
    {
        grains->bodies[grains->places[clump->first + k]].calm = calm;
    }
}

// A sleeping clump stays where it is.
static void clump_rest(wadi_grains* grains, granular_clump* clump)
{
    memset(clump->v, 0, sizeof clump->v);
    memset(clump->whirl, 0, sizeof clump->whirl);
    for (int32_t k = 0; k < granular_shape_of(grains, clump)->count; ++k)
    {
        granular_body* body = &grains->bodies[grains->places[clump->first + k]];
        memset(body->v, 0, sizeof body->v);
        memset(body->w, 0, sizeof body->w);
    }
}

static void clump_go(wadi_grains* grains, granular_clump* clump, const double rows[3][3],
                     const double pull[3], const double torque[3])
{
    for (int c = 0; c < 3; ++c)
    {
        clump->v[c] += grains->step * pull[c];
        clump->whirl[c] += grains->step * torque[c];
    }
    clump_drift(grains, clump);
    clump_turn(grains, clump, rows);
    wadi_granular_clump_pose(grains, clump);
}

static void clump_move(wadi_grains* grains, granular_clump* clump)
{
    const granular_body* first = &grains->bodies[grains->places[clump->first]];
    const double gravity[3] = {grains->params.gravity_x, grains->params.gravity_y,
                               grains->params.gravity_z};
    double rows[3][3];
    double pull[3];
    if (clump->fixed)
    {
        memcpy(clump->v, first->v, sizeof clump->v);
        clump_drift(grains, clump);
        return;
    }
    clump_rotation(clump->turn, rows);
    const clump_push push = clump_sum(grains, clump, (const double(*)[3])rows);
    for (int c = 0; c < 3; ++c)
    {
        const double force = (double)push.force[c] * (1.0 / grains->scale) + push.outside[c];
        pull[c] = force * first->inverse_mass + gravity[c];
    }
    const int32_t calm =
        grains->sleep_at < INT32_MAX
            ? clump_calm(grains, clump, first->calm, (const double(*)[3])rows, pull, push.torque)
            : first->calm;
    clump_set_calm(grains, clump, calm);
    if (calm >= grains->sleep_at)
    {
        clump_rest(grains, clump);
        return;
    }
    clump_go(grains, clump, (const double(*)[3])rows, pull, push.torque);
}

// ---- displacements ---------------------------------------------------------------------------

static void clump_measure_sphere(const wadi_grains* grains, int32_t place, granular_clump_box* box)
{
    const double periods[3] = {grains->params.period_x, grains->params.period_y, 0.0};
    const double inverse[3] = {grains->list.inverse_period[0], grains->list.inverse_period[1], 0.0};
    double strayed2 = 0.0;
    for (int c = 0; c < 3; ++c)
    {
        const double d = wadi_exact_nearest(grains->bodies[place].x[c] - grains->built[place].x[c],
                                            periods[c], inverse[c]);
        const double off = d - grains->reference[c];
        box->low[c] = d < box->low[c] ? d : box->low[c];
        box->high[c] = d > box->high[c] ? d : box->high[c];
        strayed2 += off * off;
    }
    box->strayed2 = strayed2 <= box->strayed2 ? box->strayed2 : strayed2; // also if it is no number
}

static void clumps_move_block(int64_t block, int32_t worker, void* job)
{
    (void)worker;
    wadi_grains* grains = job;
    granular_clumps* clumps = grains->clumps;
    const int32_t begin = (int32_t)block * GRANULAR_CLUMP_BLOCK;
    granular_clump_box box = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}, 0.0};
    for (int32_t n = begin; n < clumps->count && n < begin + GRANULAR_CLUMP_BLOCK; ++n)
    {
        granular_clump* clump = &clumps->list[n];
        clump_move(grains, clump);
        for (int32_t k = 0; k < granular_shape_of(grains, clump)->count; ++k)
        {
            clump_measure_sphere(grains, grains->places[clump->first + k], &box);
        }
    }
    clumps->boxes[block] = box;
}

static int32_t clumps_blocks(const wadi_grains* grains)
{
    return (grains->clumps->count + GRANULAR_CLUMP_BLOCK - 1) / GRANULAR_CLUMP_BLOCK;
}

void wadi_granular_clumps_move(wadi_grains* grains)
{
    wadi_parallel_blocks(grains->context, clumps_blocks(grains), clumps_move_block, grains);
}

void wadi_granular_clumps_measure(const wadi_grains* grains, double low[3], double high[3],
                                  double* strayed2)
{
    for (int32_t b = 0; b < clumps_blocks(grains); ++b)
    {
        const granular_clump_box* box = &grains->clumps->boxes[b];
        *strayed2 = box->strayed2 <= *strayed2 ? *strayed2 : box->strayed2;
        for (int c = 0; c < 3; ++c)
        {
            low[c] = box->low[c] < low[c] ? box->low[c] : low[c];
            high[c] = box->high[c] > high[c] ? box->high[c] : high[c];
        }
    }
}
