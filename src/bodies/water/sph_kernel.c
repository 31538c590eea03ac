// SPDX-License-Identifier: MIT
// The law of two particles of water. Included once per instruction set. It is odd under an exchange
// of the two, bit by bit: only sums and differences that commute, and rounding to nearest.
//
// Wendland's C2 kernel of support 2h has the gradient -K (1 - r/2h)^3 d without any division by r
// (Wendland 1995). Momentum and continuity are Monaghan's (1992), artificial viscosity acts on
// approaching pairs, and density diffuses after Fourtakas et al. (2019), who subtract the
// hydrostatic density difference. Differences of density between two are 1 %, so the mean density
// in viscosity and the neighbour's volume in diffusion are those at rest: it saves two divisions.
#include "bodies/water/sph_vector.h"

// One particle in all lanes.
typedef struct pair_side
{
    lane x[3];
    lane push;
    lane v[3];
    lane rho;
} pair_side;

static SPH_INLINE pair_side pair_spread(const sph_body* b)
{
    return (pair_side){{LANE_ALL(b->x[0]), LANE_ALL(b->x[1]), LANE_ALL(b->x[2])},
                       LANE_ALL(b->push),
                       {LANE_ALL(b->v[0]), LANE_ALL(b->v[1]), LANE_ALL(b->v[2])},
                       LANE_ALL(b->rho)};
}

static SPH_INLINE lane pair_image(lane difference, double period, double inverse)
{
    const lane magic = LANE_ALL(WADI_EXACT_MAGIC);
    const lane turns = (difference * LANE_ALL(inverse) + magic) - magic;
    return difference - LANE_ALL(period) * turns;
}

// Result of a pair: force on the first, and the rates of density of both.
typedef struct pair_lanes
{
    lane force[3];
    lane rate_first;
    lane rate_second;
    lane weight; // of the kernel's slope, above 0 within reach
} pair_lanes;

static SPH_INLINE pair_lanes pair_interact(const sph_law* law, const pair_side* a,
                                           const lane near[4], const lane move[4], bool repeats)
{
    lane d[3] = {a->x[0] - near[0], a->x[1] - near[1], a->x[2] - near[2]};
    if (repeats)
    {
        d[0] = pair_image(d[0], law->period[0], law->inverse_period[0]);
        d[1] = pair_image(d[1], law->period[1], law->inverse_period[1]);
    }
    const lane r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    const lane inside = lane_above(LANE_ALL(1.0) - lane_sqrt(r2) * LANE_ALL(law->inverse_reach));
    const lane slope = inside * inside * inside;
    const lane along =
        (a->v[0] - move[0]) * d[0] + (a->v[1] - move[1]) * d[1] + (a->v[2] - move[2]) * d[2];
    const lane inverse = LANE_ALL(1.0) / (r2 + LANE_ALL(law->eta2));

    const lane brake = LANE_ALL(-law->drag) * lane_below(along) * inverse;
    const lane push = LANE_ALL(law->force) * slope * ((a->push + near[3]) + brake);
    const lane rest = LANE_ALL(law->weight[0]) * d[0] + LANE_ALL(law->weight[1]) * d[1] +
                      LANE_ALL(law->weight[2]) * d[2];
    const lane excess = (a->rho - move[3]) - rest;
    const lane squeeze = LANE_ALL(-law->rate) * slope * along;
    const lane flow = LANE_ALL(law->rate * law->spread) * slope * (r2 * inverse) * excess;
    return (pair_lanes){
        {push * d[0], push * d[1], push * d[2]}, squeeze - flow, squeeze + flow, slope};
}

// Scale by masses below that of a full particle, and count neighbours.
static SPH_INLINE unit pair_scale_by_mass(const sph_work* work, int32_t i, const uint16_t* others,
                                          pair_lanes* pair)
{
    lane share;
    for (int k = 0; k < LANES; ++k)
    {
        share[k] = work->shares[others[k]];
    }
    const lane both = share * LANE_ALL(work->shares[i]);
    for (int c = 0; c < 3; ++c)
    {
        pair->force[c] *= both;
    }
    pair->rate_first *= share;
    pair->rate_second *= LANE_ALL(work->shares[i]);
    unit other;
    for (int k = 0; k < LANES; ++k)
    {
        other[k] = others[k] != i ? SPH_MET : 0; // padding is not counted as a neighbour
    }
    return other & (unit)(pair->weight > LANE_ALL(0.0));
}

// Neighbours of one particle.
static SPH_INLINE void pair_row(const sph_work* work, int32_t i, bool repeats, bool shared)
{
    const pair_side a = pair_spread(&work->bodies[i]);
    const unit none = (unit)LANE_ALL(0.0);
    unit sum[4] = {none, none, none, none};
    for (int32_t p = work->first[i]; p < work->first[i + 1]; p += LANES)
    {
        const uint16_t* others = work->others + p;
        lane near[4];
        lane move[4];
        lane_gather(work->bodies, others, 0, near);
        lane_gather(work->bodies, others, 4, move);
        pair_lanes pair = pair_interact(&work->law, &a, near, move, repeats);
        const unit met = shared ? pair_scale_by_mass(work, i, others, &pair) : none;
        unit back[4];
        for (int c = 0; c < 3; ++c)
        {
            const unit force = lane_round(pair.force[c]);
            sum[c] += force;
            back[c] = -force;
        }
        sum[3] += lane_round(pair.rate_first) + met;
        back[3] = lane_round(pair.rate_second) + met;
        unit_scatter(work->rows, others, back);
    }
    unit_gather(&work->rows[i], sum);
}

// A copy of the work stays in registers: what is written to rows might change the original.
static void pair_rows_plain(const sph_work* from)
{
    const sph_work work = *from;
    for (int32_t i = 0; i < work.own; ++i)
    {
        pair_row(&work, i, false, false);
    }
}

static void pair_rows_repeating(const sph_work* from)
{
    const sph_work work = *from;
    for (int32_t i = 0; i < work.own; ++i)
    {
        pair_row(&work, i, true, false);
    }
}

static void pair_rows_shared(const sph_work* from)
{
    const sph_work work = *from;
    for (int32_t i = 0; i < work.own; ++i)
    {
        pair_row(&work, i, true, true);
    }
}

static void sph_pairs_kernel(const sph_work* work)
{
    const bool repeats = work->law.period[0] > 0.0 || work->law.period[1] > 0.0;
    if (work->shares != NULL)
    {
        pair_rows_shared(work);
    }
    else if (repeats)
    {
        pair_rows_repeating(work);
    }
    else
    {
        pair_rows_plain(work);
    }
}

const sph_kernels WADI_ISA_BUILD(sph_kernels) = {sph_pairs_kernel};
