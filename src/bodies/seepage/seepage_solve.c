// SPDX-License-Identifier: MIT
// Pressures at the end of a step: Newton's rounds over storage and exchange with the air, with
// conductances of the trial pressures (Celia, Bouloutas & Zarba 1990, the mixed form), each a
// symmetric system solved by conjugate gradients with a diagonal preconditioner. Sums run over
// fixed blocks of nodes in order, so results do not depend on the number of threads.
#include "bodies/seepage/seepage.h"

#include <string.h>

enum
{
    SOLVE_ROUNDS = 12,
    SOLVE_CYCLES = 400
};

// Rounds end when the heads move by less than this share of a grain's width ...
static const double solve_close = 1e-3;
// ... and conjugate gradients when the residual has fallen by this factor.
static const double solve_fall = 1e-4;

typedef struct solve_job
{
    wadi_seepage* seepage;
    double step;
    const double* a; // operands of a pass
    double* b;
    double share;
} solve_job;

seepage_exchange wadi_seepage_exchange_at(const wadi_seepage* seepage, int32_t i, double pressure)
{
    const seepage_soil* soil = &seepage->soils[seepage->soil[i]];
    const double sky = seepage->sky[i];
    seepage_exchange out = {.rain = 0.0};
    if (sky > 0.0)
    {
        // flow through the upper half of the node without ponded water
        const double through = soil->conductivity * sky / (0.5 * seepage->wide[i]);
        const double room = -through * pressure;
        const double rain = seepage->params.rain * sky;
        out.rain = room < rain ? room : rain;
        out.slope = room < rain ? through : 0.0;
        const double s = wadi_seepage_saturation_at(seepage, i, pressure);
        out.dry = seepage->params.evaporation * sky * fmin(1.0, s / 0.3);
    }
    if (seepage->params.base == WADI_SEEPAGE_BASE_FREE && seepage->ground[i] > 0.0)
    {
        out.drain = seepage->params.gravity * soil->conductivity * seepage->ground[i] *
                    wadi_seepage_wet_share(seepage, i, pressure);
    }
    return out;
}

// Harmonic mean of two conductivities.
static double solve_between(double a, double b)
{
    return 2.0 * a * b / (a + b);
}

// Storage, exchange and conductances at the trial pressures.
static void solve_weigh(int32_t begin, int32_t end, int32_t worker, void* data)
{
    (void)worker;
    const solve_job* job = data;
    wadi_seepage* s = job->seepage;
    for (int32_t i = begin; i < end; ++i)
    {
        const double pores = seepage_pores(s, i);
        const double p = s->pressure[i];
        s->store[i] = pores * wadi_seepage_saturation_at(s, i, p);
        s->slope[i] = pores * wadi_seepage_storage_at(s, i, p);
        s->wet[i] = wadi_seepage_wet_share(s, i, p);
        const seepage_exchange exchange = wadi_seepage_exchange_at(s, i, p);
        s->inflow[i] = exchange.rain - exchange.drain - exchange.dry;
        s->outflow_slope[i] = exchange.slope;
    }
}

static double solve_head(const wadi_seepage* s, int32_t i)
{
    return s->pressure[i] + s->params.gravity * s->position[i][2];
}

// Conductances by the wetness of the upstream node, the diagonal of the matrix, and the residual of
// every node's balance [m3/s].
static void solve_misfit(int32_t begin, int32_t end, int32_t worker, void* data)
{
    (void)worker;
    const solve_job* job = data;
    wadi_seepage* s = job->seepage;
    for (int32_t i = begin; i < end; ++i)
    {
        const double head = solve_head(s, i);
        double sum = s->inflow[i] - (s->store[i] - s->had[i]) / job->step;
        double diagonal = s->slope[i] / job->step + s->outflow_slope[i];
        for (int64_t k = s->links.first[i]; k < s->links.first[i + 1]; ++k)
        {
            const int32_t j = s->links.other[k];
            const double other = solve_head(s, j);
            const int32_t giver = other > head ? j : i;
            s->conductance[k] = s->links.section[k] *
                                solve_between(s->soils[s->soil[i]].conductivity,
                                              s->soils[s->soil[j]].conductivity) *
                                s->wet[giver];
            sum += s->conductance[k] * (other - head);
            diagonal += s->conductance[k];
        }
        s->diagonal[i] = diagonal;
        s->residual[i] = isnan(s->hold[i]) ? sum : 0.0;
    }
}

// b = matrix x a; held nodes do not move.
static void solve_multiply(int32_t begin, int32_t end, int32_t worker, void* data)
{
    (void)worker;
    const solve_job* job = data;
    const wadi_seepage* s = job->seepage;
    double product = 0.0;
    for (int32_t i = begin; i < end; ++i)
    {
        double sum = s->diagonal[i] * job->a[i];
        for (int64_t k = s->links.first[i]; k < s->links.first[i + 1]; ++k)
        {
            sum -= s->conductance[k] * job->a[s->links.other[k]];
        }
        job->b[i] = isnan(s->hold[i]) ? sum : 0.0;
        product += job->a[i] * job->b[i];
    }
    s->partial[begin / SEEPAGE_BLOCK] = product;
}

// Move heads by a share of the direction and update the residual; the sum is residual x residual /
// diagonal.
static void solve_take(int32_t begin, int32_t end, int32_t worker, void* data)
{
    (void)worker;
    const solve_job* job = data;
    wadi_seepage* s = job->seepage;
    double sum = 0.0;
    for (int32_t i = begin; i < end; ++i)
    {
        s->move[i] += job->share * s->direction[i];
        s->residual[i] -= job->share * s->image[i];
        sum += s->residual[i] * s->residual[i] / s->diagonal[i];
    }
    s->partial[begin / SEEPAGE_BLOCK] = sum;
}

// The next direction.
static void solve_turn(int32_t begin, int32_t end, int32_t worker, void* data)
{
    (void)worker;
    const solve_job* job = data;
    wadi_seepage* s = job->seepage;
    for (int32_t i = begin; i < end; ++i)
    {
        s->direction[i] = s->residual[i] / s->diagonal[i] + job->share * s->direction[i];
    }
}

double wadi_seepage_sum(const wadi_seepage* s, wadi_rows_fn* pass, void* job)
{
    seepage_pass(s, pass, job);
    double sum = 0.0;
    for (int32_t b = 0; b < seepage_blocks(s); ++b)
    {
        sum += s->partial[b];
    }
    return sum;
}

// Solve for `move`.
static void solve_gradients(solve_job* job)
{
    wadi_seepage* s = job->seepage;
    memset(s->move, 0, (size_t)s->count * sizeof *s->move);
    memset(s->direction, 0, (size_t)s->count * sizeof *s->direction);
    memset(s->image, 0, (size_t)s->count * sizeof *s->image);
    job->share = 0.0;
    double misfit = wadi_seepage_sum(s, solve_take, job);
    const double enough = misfit * solve_fall * solve_fall;
    for (int32_t cycle = 0; cycle < SOLVE_CYCLES && misfit > enough; ++cycle)
    {
        seepage_pass(s, solve_turn, job);
        job->a = s->direction;
        job->b = s->image;
        const double product = wadi_seepage_sum(s, solve_multiply, job);
        if (!(product > 0.0))
        {
            break;
        }
        job->share = misfit / product;
        const double before = misfit;
        misfit = wadi_seepage_sum(s, solve_take, job);
        job->share = misfit / before;
    }
}

// Apply the change of heads, limited to somewhat beyond the range from the driest to the wettest
// state; returns the largest change in widths of a grain.
static double solve_move(wadi_seepage* s)
{
    double farthest = 0.0;
    for (int32_t i = 0; i < s->count; ++i)
    {
        const double dry = -s->soils[s->soil[i]].suction;
        const double next = fmax(s->pressure[i] + s->move[i], dry);
        farthest = fmax(farthest, fabs(next - s->pressure[i]) / s->wide[i]);
        s->pressure[i] = next;
    }
    return farthest;
}

bool wadi_seepage_solve(wadi_seepage* s, double step)
{
    for (int32_t i = 0; i < s->count; ++i)
    {
        s->had[i] = (double)s->water[i] / s->units;
        s->pressure[i] =
            isnan(s->hold[i]) ? wadi_seepage_pressure_at(s, i, seepage_now(s, i)) : s->hold[i];
    }
    solve_job job = {.seepage = s, .step = step};
    double farthest = (double)INFINITY;
    for (int32_t round = 0; round < SOLVE_ROUNDS && farthest > solve_close; ++round)
    {
        seepage_pass(s, solve_weigh, &job);
        seepage_pass(s, solve_misfit, &job);
        solve_gradients(&job);
        farthest = solve_move(s);
    }
    return farthest <= solve_close;
}
