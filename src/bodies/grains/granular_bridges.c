// SPDX-License-Identifier: MIT
// Liquid bridges: the water in the neck between two wet grains attracts them. A bridge forms at
// contact and breaks when the gap exceeds its rupture distance. Pairs are handled one by one: dry
// grains cost nothing, and a bridge costs about as much as a contact.
#include "bodies/grains/granular.h"

#include "core/dmath.h"

typedef struct bridge_pair
{
    double way[3]; // from j to i
    double distance;
    double gap;
    double pull;    // at contact [N]
    double reach;   // gap at which it breaks [m]
    double reduced; // radius of two equal grains of the same mean curvature
    double volume;
} bridge_pair;

// Twice the product over the sum: the harmonic mean; 0 if both are 0.
static double bridge_mean(double a, double b)
{
    return a + b > 0.0 ? 2.0 * a * b / (a + b) : 0.0;
}

double wadi_granular_bridge_span(const wadi_grains* grains, double liquid)
{
    const bool willett = grains->params.bridge == WADI_GRAIN_BRIDGE_WILLETT;
    const double root = liquid > 0.0 ? wadi_pow(liquid, 1.0 / 3.0) : 0.0;
    return willett ? grains->bridge_widen * root
                   : grains->params.bridge_reach * grains->list.largest;
}

static bridge_pair bridge_measure(const wadi_grains* grains, const granular_work* work,
                                  granular_pair pair)
{
    const granular_body* i = &work->bodies[pair.i];
    const granular_body* j = granular_work_body(work, pair.j);
    const granular_wet* wet_i = &work->wet[pair.i];
    const granular_wet* wet_j = &work->wet[pair.j];
    bridge_pair b;
    double square = 0.0;
    for (int c = 0; c < 3; ++c)
    {
        const double period = c < 2 ? work->period[c] : 0.0;
        const double inverse = c < 2 ? work->inverse_period[c] : 0.0;
        b.way[c] = wadi_exact_nearest(i->x[c] - j->x[c], period, inverse);
        square += b.way[c] * b.way[c];
    }
    b.distance = sqrt(square);
    b.gap = b.distance - (i->radius + j->radius);
    b.pull = bridge_mean(wet_i->pull, wet_j->pull);
    b.reduced = bridge_mean(i->radius, j->radius);
    b.volume = wet_i->bridge + wet_j->bridge;
    const bool willett = grains->params.bridge == WADI_GRAIN_BRIDGE_WILLETT;
    const double smaller = i->radius < j->radius ? i->radius : j->radius;
    const double span = b.volume > 0.0 ? wadi_pow(b.volume, 1.0 / 3.0) : 0.0;
    b.reach = willett ? grains->bridge_widen * span : grains->params.bridge_reach * smaller;
    return b;
}

// Share of the pull that is left across a gap. Willett et al. 2000, eq. 12, good to 2 % between
// equal spheres for volumes under 0.001 R^3; rupture at (1 + angle / 2) V^(1/3): Lian et al. 1993.
static double bridge_share(const wadi_grains* grains, const bridge_pair* b)
{
    if (b->gap <= 0.0)
    {
        return 1.0;
    }
    if (grains->params.bridge == WADI_GRAIN_BRIDGE_LINEAR)
    {
        return 1.0 - b->gap / b->reach;
    }
    const double s = b->gap * sqrt(b->reduced / b->volume);
    return 1.0 / (1.0 + 1.05 * s + 2.5 * s * s);
}

static void bridge_add(const granular_work* work, granular_pair pair, const bridge_pair* b,
                       double share)
{
    const double per_way = -work->scale * b->pull * share / b->distance;
    for (int c = 0; c < 3; ++c)
    {
        const int64_t units = wadi_exact_round(per_way * b->way[c]);
        int64_t* first = &work->rows[pair.i].force[c];
        int64_t* second = &work->rows[pair.j].force[c];
        *first = wadi_exact_plus(*first, units);
        *second = wadi_exact_minus(*second, units);
    }
}

bool wadi_granular_bridge_add(const wadi_grains* grains, const granular_work* work,
                              granular_pair pair)
{
    const bridge_pair b = bridge_measure(grains, work, pair);
    if (!(b.pull > 0.0 && b.gap < b.reach && b.distance > 0.0))
    {
        return false;
    }
    bridge_add(work, pair, &b, bridge_share(grains, &b));
    return true;
}

void wadi_granular_bridges_add_forces(const wadi_grains* grains, granular_chunk* chunk,
                                      const granular_work* work)
{
    chunk->bridges = 0;
    const int32_t groups = (chunk->base.pair_count + GRANULAR_GROUP - 1) / GRANULAR_GROUP;
    for (int32_t g = 0; g < groups && grains->wet != NULL; ++g)
    {
        const uint32_t before = (uint32_t)chunk->touching[g] | chunk->bridged[g];
        uint32_t now = 0;
        for (uint32_t bits = before; bits != 0; bits &= bits - 1)
        {
            const int32_t k = __builtin_ctz(bits);
            const granular_pair pair = chunk->pairs[g * GRANULAR_GROUP + k];
            now |= (uint32_t)wadi_granular_bridge_add(grains, work, pair) << k;
        }
        chunk->bridged[g] = (uint16_t)now;
        chunk->bridges += __builtin_popcount(now);
    }
}
