// SPDX-License-Identifier: MIT
// Contacts: who touches, what that does to both, and where it is added up. Included once per
// instruction set. The law is odd under an exchange of the two grains, bit by bit, so which of them
// comes first never shows: only sums and differences that commute, and rounding to nearest.
#include "granular/granular_vector.h"

// Contacts side by side.
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
    vec_lanes slip;
    vec_lanes roll;
    double normal[LANES]; // out: normal force
    vec_units force;
    vec_units turn_i;
    vec_units turn_j;
} contact_batch;

// ---- who touches -------------------------------------------------------------------------

static GRANULAR_INLINE bool contact_is_touching(const granular_work* work, granular_pair pair)
{
    const granular_body* a = &work->bodies[pair.i];
    const granular_body* b = &work->bodies[pair.j];
    const vec d = vec_nearest(work, vec_sub(vec_load(a->x), vec_load(b->x)));
    const double reach = a->radius + b->radius;
    return vec_dot(d, d) < reach * reach;
}

// Squared distance less squared sum of radii of a group of pairs, in short floats.
static GRANULAR_INLINE void contact_gaps(const granular_work* work, const granular_pair* pairs,
                                         float* gaps)
{
    const float period_x = (float)work->period[0];
    const float period_y = (float)work->period[1];
    const float inverse_x = (float)work->inverse_period[0];
    const float inverse_y = (float)work->inverse_period[1];
    const float magic = 0x1.8p23f;
    float d[GROUP][4];
    for (int k = 0; k < GROUP; ++k)
    {
        // three differences and the sum of radii in one subtraction
        const vec_near a = vec_near_load(work->near[2 * pairs[k].i]);
        const vec_near b = vec_near_load(work->near[2 * pairs[k].j + 1]);
        vec_near_store(a - b, d[k]);
    }
#pragma omp simd
    for (int k = 0; k < GROUP; ++k)
    {
        const float x = d[k][0] - period_x * ((d[k][0] * inverse_x + magic) - magic);
        const float y = d[k][1] - period_y * ((d[k][1] * inverse_y + magic) - magic);
        gaps[k] = x * x + y * y + d[k][2] * d[k][2] - d[k][3] * d[k][3];
    }
}

// Bit k: pair k of the group touches. Short floats decide all but the few within `band`.
static GRANULAR_INLINE uint32_t contact_group(const granular_work* work, const granular_pair* pairs)
{
    float gaps[GROUP];
    contact_gaps(work, pairs, gaps);
    uint32_t inside = 0;
    uint32_t maybe = 0;
    const float band = work->band;
#pragma omp simd reduction(| : inside, maybe)
    for (uint32_t k = 0; k < GROUP; ++k)
    {
        inside |= (gaps[k] < -band ? 1u : 0u) << k;
        maybe |= (gaps[k] < band ? 1u : 0u) << k;
    }
    for (uint32_t open = maybe & ~inside; open != 0; open &= open - 1)
    {
        const int k = __builtin_ctz(open);
        inside |= (uint32_t)contact_is_touching(work, pairs[k]) << k;
    }
    return inside;
}

// A contact is born: no spring is stretched yet.
static GRANULAR_INLINE void contact_begin(const granular_work* work, int32_t p)
{
    const granular_body* a = &work->bodies[work->pairs[p].i];
    const granular_body* b = &work->bodies[work->pairs[p].j];
    const granular_contact* law = &work->contacts[a->kind * work->kinds + b->kind];
    const double damping = granular_damping(law, work->hertz, a->inverse_mass + b->inverse_mass);
    work->slips[p] = (granular_slip){{0.0, 0.0, 0.0}, damping};
    if (work->rolls != NULL)
    {
        work->rolls[p] = (granular_roll){{0.0, 0.0, 0.0}, 0.0};
    }
}

// Numbers of all pairs that touch, into work->found.
static GRANULAR_INLINE int32_t contact_find(granular_work* work)
{
    int32_t found = 0;
    for (int32_t p = 0; p < work->pair_count; p += GROUP)
    {
        const int32_t left = work->pair_count - p;
        const uint32_t full = left < GROUP ? (1u << left) - 1u : 0xFFFFu;
        const uint32_t now = contact_group(work, work->pairs + p) & full;
        for (uint32_t bits = now; bits != 0; bits &= bits - 1)
        {
            work->found[found++] = p + __builtin_ctz(bits);
        }
        const uint32_t born = now & ~(uint32_t)work->touching[p / GROUP];
        for (uint32_t bits = born; bits != 0; bits &= bits - 1)
        {
            contact_begin(work, p + __builtin_ctz(bits));
        }
        work->touching[p / GROUP] = (uint16_t)now;
    }
    memset(work->found + found, 0, 2 * (size_t)LANES * sizeof *work->found);
    return found;
}

// ---- what a contact does -----------------------------------------------------------------

typedef struct contact_spring
{
    vec stretch;
    vec force;
} contact_spring;

// A spring and a dashpot that slip at `cap` (Cundall & Strack 1979; Luding 2008): the stretch turns
// with the plane of contact, grows with the rate, and is cut back to what is borne. Where both
// grains sleep it stays as it is: the same state must give the same force for ever.
static GRANULAR_INLINE contact_spring contact_rub(vec n, vec rate, vec stretch, double step,
                                                  double stiffness, double damping, double cap,
                                                  bool live)
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

// Normal force and what the tangential springs are made of.
typedef struct contact_normal
{
    double force;
    double tangent; // normal stiffness as it is now
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

// Moment on i over the reduced radius: a spring and a dashpot against rolling that give way at
// rolling friction x normal force (Ai et al. 2011, model C; Luding 2008).
static GRANULAR_INLINE vec contact_resist(contact_batch* b, int k, vec n, contact_normal normal,
                                          double step, bool live)
{
    const vec rate = vec_scale(b->reduced[k], vec_cross(vec_get(&b->dw, k), n));
    const contact_spring spring =
        contact_rub(n, rate, vec_get(&b->roll, k), step, b->ratio[k] * normal.tangent,
                    (2.0 / 7.0) * normal.damping, b->rolling[k] * normal.force, live);
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
    // 2/7 of the damping: the same share of critical as along the normal, for solid spheres
    const contact_spring rub =
        contact_rub(n, rate, vec_get(&b->slip, k), work->step, b->ratio[k] * normal.tangent,
                    (2.0 / 7.0) * normal.damping, b->friction[k] * normal.force, live);
    const vec turn = vec_scale(arm, vec_cross(rub.force, n));
    vec_set(&b->slip, k, rub.stretch);
    b->normal[k] = normal.force;
    vec_count(&b->force, k, work->scale, vec_add(vec_scale(normal.force, n), rub.force));
    if (rolls)
    {
        const vec moment = contact_resist(b, k, n, normal, work->step, live);
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

// What rolling and Hertz want to know besides.
static GRANULAR_INLINE void contact_load_rolling(contact_batch* b, int32_t k,
                                                 const granular_body* i, const granular_body* j,
                                                 const granular_roll* roll)
{
    const double inverse = 1.0 / (i->radius + j->radius);
    b->reduced[k] = i->radius * j->radius * inverse;
    b->share_i[k] = j->radius * inverse;
    b->share_j[k] = i->radius * inverse;
    vec_set(&b->dw, k, vec_sub(vec_load(i->w), vec_load(j->w)));
    vec_set(&b->roll, k, vec_load(roll->roll));
}

static GRANULAR_INLINE void contact_load_pair(const granular_work* work, contact_batch* b,
                                              int32_t k, int32_t p)
{
    const granular_body* i = &work->bodies[work->pairs[p].i];
    const granular_body* j = &work->bodies[work->pairs[p].j];
    const vec spin_i = vec_scale(i->radius, vec_load(i->w));
    const vec spin_j = vec_scale(j->radius, vec_load(j->w));
    vec_set(&b->d, k, vec_sub(vec_load(i->x), vec_load(j->x)));
    vec_set(&b->v, k, vec_sub(vec_load(i->v), vec_load(j->v)));
    vec_set(&b->rw, k, vec_add(spin_i, spin_j));
    b->rsum[k] = i->radius + j->radius;
    b->live[k] = (i->calm < work->sleep_at || j->calm < work->sleep_at) ? 1.0 : 0.0;
    contact_load_law(b, k, &work->contacts[i->kind * work->kinds + j->kind]);
    b->damping[k] = work->slips[p].damping;
    vec_set(&b->slip, k, vec_load(work->slips[p].slip));
    if (work->rolls != NULL)
    {
        contact_load_rolling(b, k, i, j, &work->rolls[p]);
    }
}

static GRANULAR_INLINE void contact_pairs(granular_work* work, contact_batch* b,
                                          const int32_t* found, int32_t count)
{
    for (int32_t k = 0; k < LANES; ++k)
    {
        // what the next batch remembers comes from far memory
        __builtin_prefetch(&work->slips[found[k + LANES]], 1);
        contact_load_pair(work, b, k, found[k < count ? k : 0]);
    }
    contact_compute(work, b, count);
    const vec_units* turn_j = work->rolls != NULL ? &b->turn_j : &b->turn_i;
    for (int32_t k = 0; k < count; ++k)
    {
        const int32_t p = found[k];
        contact_store_memory(b, k, &work->slips[p], work->rolls != NULL ? &work->rolls[p] : NULL);
        vec_scatter(&work->rows[work->pairs[p].i], &b->force, &b->turn_i, k, 1);
        vec_scatter(&work->rows[work->pairs[p].j], &b->force, turn_j, k, -1);
    }
}

static void granular_contacts_kernel(granular_work* work)
{
    contact_batch batch;
    const int32_t found = contact_find(work);
    for (int32_t first = 0; first < found; first += LANES)
    {
        const int32_t left = found - first;
        contact_pairs(work, &batch, work->found + first, left < LANES ? left : LANES);
    }
    work->touches += found;
}

// ---- walls -------------------------------------------------------------------------------

// A wall is a grain without radius at its nearest point, which neither moves nor turns.
static GRANULAR_INLINE void contact_load_touch(const granular_work* work, contact_batch* b,
                                               int32_t k, const granular_touch* touch)
{
    const granular_body* body = &work->bodies[touch->grain];
    vec_set(&b->d, k, vec_load(touch->d));
    vec_set(&b->v, k, vec_sub(vec_load(body->v), vec_load(touch->v)));
    vec_set(&b->rw, k, vec_scale(body->radius, vec_load(body->w)));
    vec_set(&b->dw, k, vec_load(body->w));
    b->rsum[k] = body->radius;
    b->reduced[k] = body->radius;
    b->share_i[k] = 1.0;
    b->share_j[k] = 0.0;
    b->live[k] = body->calm < work->sleep_at ? 1.0 : 0.0;
    contact_load_law(b, k, &work->contacts[touch->contact]);
    contact_load_memory(b, k, touch->slip, touch->roll);
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
            vec_scatter(&work->rows[touch->grain], &batch.force, &batch.turn_i, k, 1);
        }
    }
}
