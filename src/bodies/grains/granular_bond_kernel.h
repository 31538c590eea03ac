// SPDX-License-Identifier: MIT
// Parallel bonds (Potyondy & Cundall 2004): a cylinder of cement between two grains. It carries
// tension, shear, bending and twisting up to the strength of its outermost fibre. The normal force
// comes from the length, which cannot drift; the others grow step by step and turn with the pair.
#include "bodies/grains/granular_contact_kernel.h"

// A plastic bond that is stretched by this share of its length breaks.
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

// Relative motion of the two grains.
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

// Stiffness of each mode, and section data to compute the stress of the outermost fibre.
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

// Rotate a vector across the bond with the pair: about the axis, then into the new plane, at
// constant length.
static GRANULAR_INLINE vec bond_turn(const bond_motion* m, vec old)
{
    return vec_lay(m->n, vec_add(old, vec_scale(m->spin, vec_cross(m->n, old))), vec_size(old));
}

// Share of a stress that a plastic bond carries.
static GRANULAR_INLINE double bond_plastic_share(double stress, double limit)
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

// Compare the stress of the outermost fibre with the strength. A brittle bond above it breaks. A
// plastic bond yields: the force above its strength is dropped. Water may weaken a bond between
// sleeping grains: then the force is limited but the stored stretch is kept, so that the same state
// gives the same force.
static GRANULAR_INLINE bond_load_state bond_check_strength(bond_batch* b, int k,
                                                           const bond_motion* m,
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

    const double pull_share = plastic ? bond_plastic_share(pull, b->tension[k]) : 1.0;
    const double tear_share = plastic ? bond_plastic_share(tear, limit) : 1.0;
    f.normal *= f.normal < 0.0 ? pull_share : 1.0;
    f.bend = vec_scale(pull_share, f.bend);
    f.shear = vec_scale(tear_share, f.shear);
    f.twist *= tear_share;
    // one selection per statement: gcc 12 does not vectorise two at once, and bonds take four times
    // as long
    const double drawn_out = pull_share < 1.0 ? m->r + f.normal / s->pull : b->length[k];
    b->length[k] = live ? drawn_out : b->length[k];
    return f;
}

static GRANULAR_INLINE void bond_lane(const granular_work* work, bond_batch* b, int k)
{
    const bond_motion m = bond_move(work, b, k);
    const bond_section s = bond_measure(b, k);
    const bool live = b->live[k] > 0.0;
    const bond_load_state f =
        bond_check_strength(b, k, &m, &s, bond_stretch(b, k, &m, &s, work->step, live), live);
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

// Input of the law for four bonds, each as a row of four numbers.
typedef struct bond_four
{
    vec_four d[4]; // and the sum of radii
    vec_four v[4];
    vec_four rw[4];
    vec_four dw[4]; // and the radius of i
    vec_four sw[4]; // and the radius of j
    vec_four shear[4];
    vec_four bend[4];
    vec_four shape[4];
    vec_four cement[4];
} bond_four;

static GRANULAR_INLINE void bond_load_one(const granular_work* work,
                                          const granular_bonds_work* bonds, bond_four* four, int m,
                                          const granular_bond* bond)
{
    const granular_body* i = &work->bodies[bond->i - bonds->begin];
    const granular_body* j = granular_work_body(work, bond->local);
    const vec_four xi = vec_four_load(i->x);
    const vec_four xj = vec_four_load(j->x);
    const vec_four wi = vec_four_load_three(i->w);
    const vec_four wj = vec_four_load_three(j->w);
    four->d[m] = vec_four_last(xi - xj, xi + xj);
    four->v[m] = vec_four_load(i->v) - vec_four_load(j->v);
    four->rw[m] = i->radius * wi + j->radius * wj;
    four->dw[m] = vec_four_last(wi - wj, xi);
    four->sw[m] = vec_four_last(wi + wj, xj);
    four->shear[m] = vec_four_load(bond->shear);
    four->bend[m] = vec_four_load(bond->bend);
    four->shape[m] = vec_four_load(&bond->radius);
    four->cement[m] = vec_four_load(&bonds->cements[bond->row].tension);
}

static GRANULAR_INLINE void bond_spread(bond_batch* b, int32_t k, bond_four* four)
{
    vec_four last;
    vec_four_spread(four->d, &b->d, k, &last);
    vec_four_store(last, b->rsum + k);
    vec_four_spread(four->v, &b->v, k, &last);
    vec_four_spread(four->rw, &b->rw, k, &last);
    vec_four_spread(four->dw, &b->dw, k, &last);
    vec_four_store(1.0 / last, b->inverse_i + k);
    vec_four_spread(four->sw, &b->sw, k, &last);
    vec_four_store(1.0 / last, b->inverse_j + k);
    vec_four_spread(four->shear, &b->shear, k, &last);
    vec_four_store(last, b->twist + k);
    vec_four_spread(four->bend, &b->bend, k, &last);
    vec_four_store(last, b->length + k);
    vec_four_turn(four->shape);
    vec_four_store(four->shape[0], b->radius + k);
    vec_four_store(four->shape[1], b->delay + k);
    vec_four_store(four->shape[3], b->birth + k);
    vec_four_turn(four->cement);
    vec_four_store(four->cement[0] * four->shape[2], b->tension + k);
    vec_four_store(four->cement[1] * four->shape[2], b->cohesion + k);
    vec_four_store(four->cement[2], b->modulus + k);
    vec_four_store(four->cement[3], b->soft + k);
}

// Prefetch bonds: without it, a sixth of a step of bonded grains was spent waiting for memory.
static GRANULAR_INLINE void bond_prefetch(const granular_bonds_work* bonds,
                                          const granular_bond* bond)
{
    const ptrdiff_t next = bond - bonds->bonds + LANES;
    const granular_bond* there = &bonds->bonds[next < bonds->count ? next : 0];
    __builtin_prefetch(there, 1);
    __builtin_prefetch(there->bend, 1);
}

static GRANULAR_INLINE void bond_load_four(const granular_work* work,
                                           const granular_bonds_work* bonds, bond_batch* b,
                                           int32_t k, granular_bond* const* group)
{
    bond_four four;
    for (int m = 0; m < 4; ++m)
    {
        const granular_bond* bond = group[m];
        bond_prefetch(bonds, bond);
        const bool live = (work->bodies[bond->i - bonds->begin].calm < work->sleep_at) |
                          (granular_work_body(work, bond->local)->calm < work->sleep_at);
        b->live[k + m] = live ? 1.0 : 0.0;
        b->plastic[k + m] = bond->state == BOND_PLASTIC ? 1.0 : 0.0;
        b->friction[k + m] = bonds->cements[bond->row].friction;
        bond_load_one(work, bonds, &four, m, bond);
    }
    bond_spread(b, k, &four);
}

// Up to four bonds; `count` of them exist.
static GRANULAR_INLINE void bond_store_four(granular_work* work, granular_bonds_work* bonds,
                                            const bond_batch* b, int32_t k,
                                            granular_bond* const* group, int32_t count)
{
    vec_four shear[4];
    vec_four bend[4];
    vec_whole force[4];
    vec_whole turn_i[4];
    vec_whole turn_j[4];
    vec_four_gather(&b->shear, k, vec_four_load(b->twist + k), shear);
    vec_four_gather(&b->bend, k, vec_four_load(b->length + k), bend);
    vec_whole_gather(&b->force, k, force);
    vec_whole_gather(&b->turn_i, k, turn_i);
    vec_whole_gather(&b->turn_j, k, turn_j);
    for (int m = 0; m < count; ++m)
    {
        granular_bond* bond = group[m];
        vec_four_store(shear[m], bond->shear);
        vec_four_store(bend[m], bond->bend);
        bond->state = b->over[k + m] > 0.0 ? (uint16_t)BOND_BROKEN : bond->state;
        bonds->broken += bond->state == BOND_BROKEN;
        work->peak = b->normal[k + m] > work->peak ? b->normal[k + m] : work->peak;
        vec_row_add(&work->rows[bond->i - bonds->begin], force[m], turn_i[m]);
        vec_row_add(&work->rows[bond->local], -force[m], turn_j[m]);
    }
}

static GRANULAR_INLINE void bond_group(granular_work* work, granular_bonds_work* bonds,
                                       bond_batch* b, granular_bond** group, int32_t count)
{
    for (int32_t k = count; k < LANES; ++k)
    {
        group[k] = group[0];
    }
    for (int32_t k = 0; k < LANES; k += 4)
    {
        bond_load_four(work, bonds, b, k, group + k);
    }
    bond_lanes(work, b);
    for (int32_t k = 0; k < count; k += 4)
    {
        bond_store_four(work, bonds, b, k, group + k, count - k < 4 ? count - k : 4);
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
