// SPDX-License-Identifier: MIT
// Contacts: forces on both grains, added to their rows. Included once per instruction set. The law
// is odd under an exchange of the two grains, bit by bit, so results do not depend on their order:
// it uses only sums and differences that commute, and rounding to nearest.
#include "bodies/grains/granular_find_kernel.h"

// One contact per SIMD lane.
typedef struct contact_batch
{
    vec_lanes d;  // from j to i
    vec_lanes v;  // of i seen from j
    vec_lanes rw; // R_i w_i + R_j w_j
    vec_lanes dw; // w_i - w_j
    double rsum[LANES];
    double reduced[LANES]; // R_i R_j / (R_i + R_j)
    double share_i[LANES]; // reduced / R_i
    double share_j[LANES];
    double stiffness[LANES];
    double ratio[LANES];
    double friction[LANES];
    double rolling[LANES];
    double damping[LANES];
    double live[LANES]; // 0: both sleep
    double lift[LANES]; // reduction of the normal force by pore pressure
    vec_lanes slip;
    vec_lanes roll;
    double normal[LANES]; // out: normal force
    vec_units force;
    vec_units turn_i;
    vec_units turn_j;
} contact_batch;

// ---- law of a contact --------------------------------------------------------------------

typedef struct contact_spring
{
    vec stretch;
    vec force;
} contact_spring;

// A spring and a dashpot that slip at `cap` (Cundall & Strack 1979; Luding 2008): the stretch turns
// with the plane of contact, grows with the rate, and is limited to the stretch at `cap`. If both
// grains sleep it does not change, so that the same state always gives the same force.
static GRANULAR_INLINE contact_spring contact_tangential(vec n, vec rate, vec stretch, double step,
                                                         double stiffness, double damping,
                                                         double cap, bool live)
{
    const vec turned = vec_lay(n, stretch, vec_size(stretch));
    const vec grown = vec_pick(live, vec_add(turned, vec_scale(step, rate)), stretch);
    const vec drag = vec_scale(damping, rate);
    const vec tried = vec_scale(-1.0, vec_add(vec_scale(stiffness, grown), drag));
    const double size2 = vec_dot(tried, tried);
    const bool slips = size2 > cap * cap;
    const double share = slips ? cap / sqrt(slips ? size2 : 1.0) : 1.0;
    const vec force = vec_scale(share, tried);
    const double inverse = stiffness > 0.0 ? -1.0 / stiffness : 0.0;
    const vec held = vec_scale(inverse, vec_add(force, drag));
    return (contact_spring){vec_pick(live & slips, held, grown), force};
}

// Normal force, and the stiffness and damping of the tangential springs.
typedef struct contact_normal
{
    double force;
    double tangent; // current normal stiffness
    double damping;
} contact_normal;

// Spring and dashpot, never a pull.
static GRANULAR_INLINE contact_normal contact_push_linear(const contact_batch* b, int k,
                                                          double overlap, double away)
{
    const double push = b->stiffness[k] * overlap - b->damping[k] * away;
    return (contact_normal){push > 0.0 ? push : 0.0, b->stiffness[k], b->damping[k]};
}

// Hertz 1882 with a dashpot that makes restitution the same at any speed (Tsuji et al. 1992).
static GRANULAR_INLINE contact_normal contact_push_hertz(const contact_batch* b, int k,
                                                         double overlap, double away)
{
    const double depth = overlap > 0.0 ? overlap : 0.0;
    const double tangent = 2.0 * b->stiffness[k] * sqrt(b->reduced[k] * depth);
    const double damping = b->damping[k] * sqrt(tangent);
    const double push = (2.0 / 3.0) * tangent * depth - damping * away;
    return (contact_normal){push > 0.0 ? push : 0.0, tangent, damping};
}

// Moment on i over the reduced radius: a spring and a dashpot against rolling with a limit of
// rolling friction x effective force (Ai et al. 2011, model C; Luding 2008).
static GRANULAR_INLINE vec contact_rolling(contact_batch* b, int k, vec n, contact_normal normal,
                                           double effective, double step, bool live)
{
    const vec rate = vec_scale(b->reduced[k], vec_cross(vec_get(&b->dw, k), n));
    const contact_spring spring =
        contact_tangential(n, rate, vec_get(&b->roll, k), step, b->ratio[k] * normal.tangent,
                           (2.0 / 7.0) * normal.damping, b->rolling[k] * effective, live);
    vec_set(&b->roll, k, spring.stretch);
    return vec_cross(n, spring.force);
}

// One lane. `hertz` and `rolls` are constants where this is inlined.
static GRANULAR_INLINE void contact_lane(const granular_work* work, contact_batch* b, int k,
                                         bool hertz, bool rolls)
{
    const vec d = vec_nearest(work, vec_get(&b->d, k));
    const double r = vec_size(d);
    const vec n = vec_scale(1.0 / (r > 1e-12 ? r : 1e-12), d); // concentric: no push
    const vec v = vec_get(&b->v, k);
    const double away = vec_dot(v, n);
    const double overlap = b->rsum[k] - r;
    const contact_normal normal =
        hertz ? contact_push_hertz(b, k, overlap, away) : contact_push_linear(b, k, overlap, away);

    // the point of contact divides the line of centres as the radii do, so that the arms add up to
    // the distance and angular momentum is kept
    const double arm = r / b->rsum[k];
    const vec spin = vec_scale(arm, vec_cross(vec_get(&b->rw, k), n));
    const vec rate = vec_sub(vec_sub(v, vec_scale(away, n)), spin);
    const bool live = b->live[k] > 0.0;
    // friction is limited by the effective normal force, that is less pore pressure (Terzaghi 1923)
    const double effective = normal.force > b->lift[k] ? normal.force - b->lift[k] : 0.0;
    // 2/7 of the damping: the same share of critical as along the normal, for solid spheres
    const contact_spring rub =
        contact_tangential(n, rate, vec_get(&b->slip, k), work->step, b->ratio[k] * normal.tangent,
                           (2.0 / 7.0) * normal.damping, b->friction[k] * effective, live);
    const vec turn = vec_scale(arm, vec_cross(rub.force, n));
    vec_set(&b->slip, k, rub.stretch);
    b->normal[k] = normal.force;
    vec_count(&b->force, k, work->scale, vec_add(vec_scale(normal.force, n), rub.force));
    if (rolls)
    {
        const vec moment = contact_rolling(b, k, n, normal, effective, work->step, live);
        vec_count(&b->turn_i, k, work->scale, vec_add(turn, vec_scale(b->share_i[k], moment)));
        vec_count(&b->turn_j, k, work->scale, vec_sub(turn, vec_scale(b->share_j[k], moment)));
    }
    else
    {
        vec_count(&b->turn_i, k, work->scale, turn);
    }
}

static void contact_lanes_linear(const granular_work* work, contact_batch* b)
{
#pragma omp simd
    for (int k = 0; k < LANES; ++k)
    {
        contact_lane(work, b, k, false, false);
    }
}

static void contact_lanes_linear_roll(const granular_work* work, contact_batch* b)
{
#pragma omp simd
    for (int k = 0; k < LANES; ++k)
    {
        contact_lane(work, b, k, false, true);
    }
}

static void contact_lanes_hertz(const granular_work* work, contact_batch* b)
{
#pragma omp simd
    for (int k = 0; k < LANES; ++k)
    {
        contact_lane(work, b, k, true, true);
    }
}

static GRANULAR_INLINE void contact_compute(granular_work* work, contact_batch* b, int32_t count)
{
    if (work->hertz)
    {
        contact_lanes_hertz(work, b);
    }
    else if (work->rolls != NULL)
    {
        contact_lanes_linear_roll(work, b);
    }
    else
    {
        contact_lanes_linear(work, b);
    }
    for (int32_t k = 0; k < count; ++k)
    {
        work->peak = b->normal[k] > work->peak ? b->normal[k] : work->peak;
    }
}

// ---- pairs -------------------------------------------------------------------------------

static GRANULAR_INLINE void contact_load_law(contact_batch* b, int32_t k,
                                             const granular_contact* law)
{
    b->stiffness[k] = law->stiffness;
    b->ratio[k] = law->ratio;
    b->friction[k] = law->friction;
    b->rolling[k] = law->rolling;
}

static GRANULAR_INLINE void contact_load_memory(contact_batch* b, int32_t k,
                                                const granular_slip* slip,
                                                const granular_roll* roll)
{
    b->damping[k] = slip->damping;
    vec_set(&b->slip, k, vec_load(slip->slip));
    if (roll != NULL)
    {
        vec_set(&b->roll, k, vec_load(roll->roll));
    }
}

static GRANULAR_INLINE void contact_store_memory(const contact_batch* b, int32_t k,
                                                 granular_slip* slip, granular_roll* roll)
{
    vec_store(vec_get(&b->slip, k), slip->slip);
    if (roll != NULL)
    {
        vec_store(vec_get(&b->roll, k), roll->roll);
    }
}

// Mean of both grains.
static GRANULAR_INLINE double contact_lift(const granular_work* work, int32_t i, int32_t j)
{
    return work->wet != NULL ? 0.5 * (work->wet[i].lift + work->wet[j].lift) : 0.0;
}

// Input of the law for four contacts, each as a row of four numbers.
typedef struct contact_four
{
    vec_four d[4]; // and the sum of radii
    vec_four v[4];
    vec_four rw[4];
    vec_four dw[4]; // and the radius of i
    vec_four slip[4];
    vec_four roll[4]; // and the radius of j
    vec_four law[4];
} contact_four;

static GRANULAR_INLINE void contact_load_one(const granular_work* work, contact_four* four, int m,
                                             int32_t p, int32_t memory, bool rolls)
{
    const granular_body* i = &work->bodies[work->pairs[p].i];
    const granular_body* j = granular_work_body(work, work->pairs[p].j);
    const vec_four xi = vec_four_load(i->x);
    const vec_four xj = vec_four_load(j->x);
    const vec_four wi = vec_four_load_three(i->w);
    const vec_four wj = vec_four_load_three(j->w);
    four->d[m] = vec_four_last(xi - xj, xi + xj);
    four->v[m] = vec_four_load(i->v) - vec_four_load(j->v);
    four->rw[m] = i->radius * wi + j->radius * wj;
    four->slip[m] = vec_four_load(work->slips[memory].slip);
    if (work->mixed)
    {
        four->law[m] = vec_four_load(&work->contacts[i->kind * work->kinds + j->kind].stiffness);
    }
    if (rolls)
    {
        four->dw[m] = vec_four_last(wi - wj, xi);
        four->roll[m] = vec_four_last(vec_four_load(work->rolls[memory].roll), xj);
    }
}

// Further input for rolling friction and for the law of Hertz.
static GRANULAR_INLINE void contact_spread_rolling(contact_batch* b, int32_t k,
                                                   const contact_four* four)
{
    vec_four radius_i;
    vec_four radius_j;
    vec_four_spread(four->dw, &b->dw, k, &radius_i);
    vec_four_spread(four->roll, &b->roll, k, &radius_j);
    const vec_four inverse = 1.0 / (radius_i + radius_j);
    vec_four_store(radius_i * radius_j * inverse, b->reduced + k);
    vec_four_store(radius_j * inverse, b->share_i + k);
    vec_four_store(radius_i * inverse, b->share_j + k);
}

static GRANULAR_INLINE void contact_load_four(const granular_work* work, contact_batch* b,
                                              int32_t k, int32_t first, bool rolls)
{
    const int32_t* pairs = work->found + first + k;
    const int32_t* memory = work->memory + first + k;
    contact_four four;
    for (int m = 0; m < 4; ++m)
    {
        contact_load_one(work, &four, m, pairs[m], memory[m], rolls);
    }
    vec_four last;
    vec_four_spread(four.d, &b->d, k, &last);
    vec_four_store(last, b->rsum + k);
    vec_four_spread(four.v, &b->v, k, &last);
    vec_four_spread(four.rw, &b->rw, k, &last);
    vec_four_spread(four.slip, &b->slip, k, &last);
    vec_four_store(last, b->damping + k);
    if (rolls)
    {
        contact_spread_rolling(b, k, &four);
    }
    if (work->mixed)
    {
        vec_four_turn(four.law);
        vec_four_store(four.law[0], b->stiffness + k);
        vec_four_store(four.law[1], b->ratio + k);
        vec_four_store(four.law[2], b->friction + k);
        vec_four_store(four.law[3], b->rolling + k);
    }
    for (int m = 0; m < 4 && work->sleeper; ++m)
    {
        const granular_pair pair = work->pairs[pairs[m]];
        const bool live = (work->bodies[pair.i].calm < work->sleep_at) |
                          (granular_work_body(work, pair.j)->calm < work->sleep_at);
        b->live[k + m] = live ? 1.0 : 0.0;
    }
    for (int m = 0; m < 4 && work->wet != NULL; ++m)
    {
        const granular_pair pair = work->pairs[pairs[m]];
        b->lift[k + m] = contact_lift(work, pair.i, pair.j);
    }
}

// What is the same for all contacts of a chunk is set once: a chunk of one kind has one law, and
// its contacts live while no grain is calm enough to sleep.
static GRANULAR_INLINE void contact_fill(const granular_work* work, contact_batch* b)
{
    const int32_t kind = work->bodies[0].kind;
    const granular_contact* law = &work->contacts[kind * work->kinds + kind];
    for (int32_t k = 0; k < LANES; ++k)
    {
        contact_load_law(b, k, law);
        b->live[k] = 1.0;
        b->lift[k] = 0.0;
    }
}

// Up to four contacts; `count` of them exist.
static GRANULAR_INLINE void contact_store_four(const granular_work* work, const contact_batch* b,
                                               int32_t k, int32_t first, int32_t count, bool rolls)
{
    vec_four slip[4];
    vec_four roll[4];
    vec_whole force[4];
    vec_whole turn_i[4];
    vec_whole turn_j[4];
    vec_four_gather(&b->slip, k, vec_four_load(b->damping + k), slip);
    vec_whole_gather(&b->force, k, force);
    vec_whole_gather(&b->turn_i, k, turn_i);
    if (rolls)
    {
        vec_four_gather(&b->roll, k, (vec_four){0.0}, roll);
        vec_whole_gather(&b->turn_j, k, turn_j);
    }
    for (int m = 0; m < count; ++m)
    {
        const int32_t at = first + k + m;
        const int32_t p = work->found[at];
        vec_four_store(slip[m], work->kept[at].slip);
        if (rolls)
        {
            vec_four_store(roll[m], work->kept_rolls[at].roll);
        }
        vec_row_add(&work->rows[work->pairs[p].i], force[m], turn_i[m]);
        vec_row_add(&work->rows[work->pairs[p].j], -force[m], rolls ? turn_j[m] : turn_i[m]);
    }
}

// Contacts from number `first` on. A state is written at or before the place where it was read, so
// none is overwritten that a later contact reads.
static GRANULAR_INLINE void contact_pairs(granular_work* work, contact_batch* b, int32_t first,
                                          int32_t count, bool rolls)
{
    for (int32_t k = 0; k < LANES; k += 4)
    {
        contact_load_four(work, b, k, first, rolls);
    }
    contact_compute(work, b, count);
    for (int32_t k = 0; k < count; k += 4)
    {
        contact_store_four(work, b, k, first, count - k < 4 ? count - k : 4, rolls);
    }
}

static void granular_contacts_kernel(granular_work* work)
{
    contact_batch batch;
    const int32_t found = work->found_count;
    contact_fill(work, &batch);
    for (int32_t first = 0; first < found; first += LANES)
    {
        const int32_t count = found - first < LANES ? found - first : LANES;
        if (work->rolls != NULL)
        {
            contact_pairs(work, &batch, first, count, true);
        }
        else
        {
            contact_pairs(work, &batch, first, count, false);
        }
    }
    work->touches += found;
}

// ---- walls -------------------------------------------------------------------------------

// A wall is a grain without radius at its nearest point, with the motion of its surface.
static GRANULAR_INLINE void contact_load_touch(const granular_work* work, contact_batch* b,
                                               int32_t k, const granular_touch* touch)
{
    const granular_body* body = &work->bodies[touch->grain];
    vec_set(&b->d, k, vec_load(touch->d));
    vec_set(&b->v, k, vec_sub(vec_load(body->v), vec_load(touch->v)));
    vec_set(&b->rw, k, vec_scale(body->radius, vec_load(body->w)));
    vec_set(&b->dw, k, vec_sub(vec_load(body->w), vec_load(touch->w)));
    b->rsum[k] = body->radius;
    b->reduced[k] = body->radius;
    b->share_i[k] = 1.0;
    b->share_j[k] = 0.0;
    b->live[k] = body->calm < work->sleep_at || touch->moves ? 1.0 : 0.0;
    b->lift[k] = contact_lift(work, touch->grain, touch->grain);
    contact_load_law(b, k, &work->contacts[touch->contact]);
    contact_load_memory(b, k, touch->slip, touch->roll);
}

static GRANULAR_INLINE granular_push contact_push(const contact_batch* b, int k)
{
    return (granular_push){{b->force.x[k], b->force.y[k], b->force.z[k]},
                           {b->turn_i.x[k], b->turn_i.y[k], b->turn_i.z[k]}};
}

static void granular_touches_kernel(granular_work* work, const granular_touch* touches,
                                    int32_t count)
{
    contact_batch batch;
    for (int32_t first = 0; first < count; first += LANES)
    {
        const int32_t part = count - first < LANES ? count - first : LANES;
        for (int32_t k = 0; k < LANES; ++k)
        {
            contact_load_touch(work, &batch, k, &touches[first + (k < part ? k : 0)]);
        }
        contact_compute(work, &batch, part);
        for (int32_t k = 0; k < part; ++k)
        {
            const granular_touch* touch = &touches[first + k];
            contact_store_memory(&batch, k, touch->slip, touch->roll);
            vec_scatter(&work->rows[touch->grain], &batch.force, &batch.turn_i, k);
            if (work->pushes != NULL)
            {
                work->pushes[first + k] = contact_push(&batch, k);
            }
        }
    }
}
