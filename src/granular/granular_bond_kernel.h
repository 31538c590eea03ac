// SPDX-License-Identifier: MIT
// Parallel bonds (Potyondy & Cundall 2004): a cylinder of cement between two grains that bears
// tension, shear, bending and twisting until its outermost fibre is overcome. The normal force
// comes from the length, which cannot drift; the others grow step by step and turn with the pair.
#include "granular/granular_contact_kernel.h"

// A plastic bond that has been drawn out by this share of its length lets go.
#define BOND_PLASTIC_REACH 0.25

typedef struct bond_batch
{
    vec_lanes d;
    vec_lanes v;
    vec_lanes rw;
    vec_lanes dw;
    vec_lanes sw; // w_i + w_j
    double rsum[LANES];
    double inverse_i[LANES]; // 1 / R_i
    double inverse_j[LANES];
    double live[LANES];
    double plastic[LANES];
    double modulus[LANES];
    double soft[LANES]; // shear modulus over modulus
    double tension[LANES];
    double cohesion[LANES];
    double friction[LANES];
    double radius[LANES];
    double delay[LANES];
    double birth[LANES];
    double length[LANES];
    vec_lanes shear;
    vec_lanes bend;
    double twist[LANES];
    double over[LANES];   // out: 1: it breaks
    double normal[LANES]; // out: size of the normal force
    vec_units force;
    vec_units turn_i;
    vec_units turn_j;
} bond_batch;

// How the two grains move against each other.
typedef struct bond_motion
{
    vec n;
    double r;
    double arm; // see contact_lane()
    double away;
    vec slide;
    double wring;
    vec fold;
    double spin; // of the pair about its axis, in this step
} bond_motion;

// Stiffness of each kind, and what turns forces into stresses of the outermost fibre.
typedef struct bond_section
{
    double area;
    double second; // moment of area: A R^2 / 4 for bending, twice that for twisting
    double pull;   // normal stiffness
    double shear;
    double bend;
    double twist;
} bond_section;

static GRANULAR_INLINE bond_motion bond_move(const granular_work* work, const bond_batch* b, int k)
{
    bond_motion m;
    const vec d = vec_nearest(work, vec_get(&b->d, k));
    const vec v = vec_get(&b->v, k);
    const vec dw = vec_get(&b->dw, k);
    m.r = vec_size(d);
    m.n = vec_scale(1.0 / (m.r > 1e-12 ? m.r : 1e-12), d);
    m.arm = m.r / b->rsum[k];
    m.away = vec_dot(v, m.n);
    const vec spin = vec_scale(m.arm, vec_cross(vec_get(&b->rw, k), m.n));
    m.slide = vec_sub(vec_sub(v, vec_scale(m.away, m.n)), spin);
    m.wring = vec_dot(dw, m.n);
    m.fold = vec_sub(dw, vec_scale(m.wring, m.n));
    m.spin = 0.5 * work->step * vec_dot(vec_get(&b->sw, k), m.n);
    return m;
}

static GRANULAR_INLINE bond_section bond_measure(const bond_batch* b, int k)
{
    bond_section s;
    const double square = b->radius[k] * b->radius[k];
    const double stiff = b->modulus[k] / b->rsum[k];
    s.area = 3.14159265358979323846 * square;
    s.second = 0.25 * s.area * square;
    s.pull = stiff * s.area;
    s.shear = b->soft[k] * s.pull;
    s.bend = stiff * s.second;
    s.twist = 2.0 * b->soft[k] * s.bend;
    return s;
}

// A vector across the bond, turned with the pair: spun about the axis, laid into the new plane, and
// as long as before.
static GRANULAR_INLINE vec bond_turn(const bond_motion* m, vec old)
{
    return vec_lay(m->n, vec_add(old, vec_scale(m->spin, vec_cross(m->n, old))), vec_size(old));
}

// Share of a stress that a plastic bond bears.
static GRANULAR_INLINE double bond_share(double stress, double limit)
{
    return stress > limit ? limit / (stress > 0.0 ? stress : 1.0) : 1.0;
}

// Elastic forces on i.
typedef struct bond_load_state
{
    double normal;
    vec shear;
    vec bend;
    double twist;
} bond_load_state;

static GRANULAR_INLINE bond_load_state bond_stretch(const bond_batch* b, int k,
                                                    const bond_motion* m, const bond_section* s,
                                                    double step, bool live)
{
    const vec shear = vec_get(&b->shear, k);
    const vec bend = vec_get(&b->bend, k);
    const vec sheared = vec_sub(bond_turn(m, shear), vec_scale(s->shear * step, m->slide));
    const vec bent = vec_sub(bond_turn(m, bend), vec_scale(s->bend * step, m->fold));
    return (bond_load_state){s->pull * (b->length[k] - m->r), vec_pick(live, sheared, shear),
                             vec_pick(live, bent, bend), b->twist[k] - s->twist * m->wring * step};
}

// Stress of the outermost fibre against strength: what breaks, or yields where the bond is
// plastic; what yields is what exceeds. Water may weaken a bond between grains that sleep: it
// breaks, or bears no more than it can, but remembers what it did, so that the same state gives the
// same force.
static GRANULAR_INLINE bond_load_state bond_bear(bond_batch* b, int k, const bond_motion* m,
                                                 const bond_section* s, bond_load_state f,
                                                 bool live)
{
    const double size = f.twist > 0.0 ? f.twist : -f.twist;
    const double pull = vec_size(f.bend) * b->radius[k] / s->second - f.normal / s->area;
    const double tear = vec_size(f.shear) / s->area + size * b->radius[k] / (2.0 * s->second);
    const double pressed = f.normal > 0.0 ? f.normal / s->area : 0.0;
    const double limit = b->cohesion[k] + b->friction[k] * pressed;
    const bool plastic = b->plastic[k] > 0.0;
    const bool overcome = (pull > b->tension[k]) | (tear > limit);
    const bool drawn = m->r > b->birth[k] * (1.0 + BOND_PLASTIC_REACH);
    b->over[k] = (plastic & drawn) | (!plastic & overcome) ? 1.0 : 0.0;

    const double pull_share = plastic ? bond_share(pull, b->tension[k]) : 1.0;
    const double tear_share = plastic ? bond_share(tear, limit) : 1.0;
    f.normal *= f.normal < 0.0 ? pull_share : 1.0;
    f.bend = vec_scale(pull_share, f.bend);
    f.shear = vec_scale(tear_share, f.shear);
    f.twist *= tear_share;
    b->length[k] = ((pull_share < 1.0) & live) ? m->r + f.normal / s->pull : b->length[k];
    return f;
}

static GRANULAR_INLINE void bond_lane(const granular_work* work, bond_batch* b, int k)
{
    const bond_motion m = bond_move(work, b, k);
    const bond_section s = bond_measure(b, k);
    const bool live = b->live[k] > 0.0;
    const bond_load_state f =
        bond_bear(b, k, &m, &s, bond_stretch(b, k, &m, &s, work->step, live), live);
    vec_set(&b->shear, k, vec_pick(live, f.shear, vec_get(&b->shear, k)));
    vec_set(&b->bend, k, vec_pick(live, f.bend, vec_get(&b->bend, k)));
    b->twist[k] = live ? f.twist : b->twist[k];
    b->normal[k] = f.normal > 0.0 ? f.normal : -f.normal;

    // dashpots beside the springs, all of one delay
    const double delay = b->delay[k];
    const double push = f.normal - delay * s.pull * m.away;
    const vec side = vec_sub(f.shear, vec_scale(delay * s.shear, m.slide));
    const vec folding = vec_sub(f.bend, vec_scale(delay * s.bend, m.fold));
    const vec moment = vec_add(folding, vec_scale(f.twist - delay * s.twist * m.wring, m.n));
    const vec turn = vec_scale(m.arm, vec_cross(side, m.n));
    vec_count(&b->force, k, work->scale, vec_add(vec_scale(push, m.n), side));
    vec_count(&b->turn_i, k, work->scale, vec_add(turn, vec_scale(b->inverse_i[k], moment)));
    vec_count(&b->turn_j, k, work->scale, vec_sub(turn, vec_scale(b->inverse_j[k], moment)));
}

static void bond_lanes(const granular_work* work, bond_batch* b)
{
#pragma omp simd
    for (int k = 0; k < LANES; ++k)
    {
        bond_lane(work, b, k);
    }
}

static GRANULAR_INLINE void bond_load_cement(bond_batch* b, int32_t k, const granular_bond* bond,
                                             const granular_cement* cement)
{
    b->plastic[k] = bond->state == BOND_PLASTIC ? 1.0 : 0.0;
    b->modulus[k] = cement->modulus;
    b->soft[k] = cement->shear;
    b->tension[k] = cement->tension * bond->strength;
    b->cohesion[k] = cement->cohesion * bond->strength;
    b->friction[k] = cement->friction;
    b->radius[k] = bond->radius;
    b->delay[k] = bond->delay;
    b->birth[k] = bond->birth;
    b->length[k] = bond->length;
    b->twist[k] = bond->twist;
    vec_set(&b->shear, k, vec_load(bond->shear));
    vec_set(&b->bend, k, vec_load(bond->bend));
}

static GRANULAR_INLINE void bond_load(const granular_work* work, const granular_bonds_work* bonds,
                                      bond_batch* b, int32_t k, const granular_bond* bond)
{
    const granular_body* i = &work->bodies[bond->i - bonds->begin];
    const granular_body* j = &work->bodies[bond->local];
    const vec wi = vec_load(i->w);
    const vec wj = vec_load(j->w);
    vec_set(&b->d, k, vec_sub(vec_load(i->x), vec_load(j->x)));
    vec_set(&b->v, k, vec_sub(vec_load(i->v), vec_load(j->v)));
    vec_set(&b->rw, k, vec_add(vec_scale(i->radius, wi), vec_scale(j->radius, wj)));
    vec_set(&b->dw, k, vec_sub(wi, wj));
    vec_set(&b->sw, k, vec_add(wi, wj));
    b->rsum[k] = i->radius + j->radius;
    b->inverse_i[k] = 1.0 / i->radius;
    b->inverse_j[k] = 1.0 / j->radius;
    b->live[k] = (i->calm < work->sleep_at || j->calm < work->sleep_at) ? 1.0 : 0.0;
    bond_load_cement(b, k, bond, &bonds->cements[bond->row]);
}

static GRANULAR_INLINE void bond_store(const bond_batch* b, int32_t k, granular_bond* bond)
{
    bond->state = b->over[k] > 0.0 ? (uint16_t)BOND_BROKEN : bond->state;
    bond->length = b->length[k];
    bond->twist = b->twist[k];
    vec_store(vec_get(&b->shear, k), bond->shear);
    vec_store(vec_get(&b->bend, k), bond->bend);
}

static GRANULAR_INLINE void bond_group(granular_work* work, granular_bonds_work* bonds,
                                       bond_batch* b, granular_bond* const* group, int32_t count)
{
    for (int32_t k = 0; k < LANES; ++k)
    {
        bond_load(work, bonds, b, k, group[k < count ? k : 0]);
    }
    bond_lanes(work, b);
    for (int32_t k = 0; k < count; ++k)
    {
        granular_bond* bond = group[k];
        bond_store(b, k, bond);
        bonds->broken += bond->state == BOND_BROKEN;
        work->peak = b->normal[k] > work->peak ? b->normal[k] : work->peak;
        vec_scatter(&work->rows[bond->i - bonds->begin], &b->force, &b->turn_i, k, 1);
        vec_scatter(&work->rows[bond->local], &b->force, &b->turn_j, k, -1);
    }
}

static void granular_bonds_kernel(granular_work* work, granular_bonds_work* bonds)
{
    bond_batch batch;
    granular_bond* group[LANES];
    int32_t count = 0;
    for (int32_t p = 0; p < bonds->count; ++p)
    {
        group[count] = &bonds->bonds[p];
        count += bonds->bonds[p].state < BOND_BROKEN;
        if (count == LANES)
        {
            bond_group(work, bonds, &batch, group, count);
            count = 0;
        }
    }
    if (count > 0)
    {
        bond_group(work, bonds, &batch, group, count);
    }
}
