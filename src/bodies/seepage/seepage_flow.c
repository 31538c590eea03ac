// SPDX-License-Identifier: MIT
// Water moves between nodes in whole units, so none is lost. More may pass through a node in a step
// than it holds: outflow is limited by content and inflow. Where heads are not exact enough,
// outflow is reduced, which reduces the inflow of other nodes; this is repeated until no node falls
// below 0.
#include "bodies/seepage/seepage.h"

enum
{
    FLOW_ROUNDS = 30 // after these rounds the outflow of a node is limited to its content, which
                     // always succeeds
};

typedef struct flow_job
{
    wadi_seepage* seepage;
    double step;
    double* share; // of its outflow, by node
    bool last;
} flow_job;

// Outflow of a node to each neighbour [units].
static void flow_set_outflow(int32_t begin, int32_t end, int32_t worker, void* data)
{
    (void)worker;
    const flow_job* job = data;
    wadi_seepage* s = job->seepage;
    const double scale = job->step * s->units;
    for (int32_t i = begin; i < end; ++i)
    {
        const double head = s->pressure[i] + s->params.gravity * s->position[i][2];
        s->leave[i] = 0;
        for (int64_t k = s->links.first[i]; k < s->links.first[i + 1]; ++k)
        {
            const int32_t j = s->links.other[k];
            const double fall = head - s->pressure[j] - s->params.gravity * s->position[j][2];
            const double asked = s->conductance[k] * fall * scale;
            s->flow[k] = fall > 0.0 ? (int64_t)(asked * job->share[i]) : 0;
            s->leave[i] += s->flow[k];
        }
    }
}

static int64_t flow_inflow(const wadi_seepage* s, int32_t i)
{
    int64_t come = 0;
    for (int64_t k = s->links.first[i]; k < s->links.first[i + 1]; ++k)
    {
        come += s->flow[s->links.back[k]];
    }
    return come;
}

// Reduce the outflow of nodes that would fall below 0; `partial` counts them.
static void flow_limit_outflow(int32_t begin, int32_t end, int32_t worker, void* data)
{
    (void)worker;
    const flow_job* job = data;
    wadi_seepage* s = job->seepage;
    double cut = 0.0;
    for (int32_t i = begin; i < end; ++i)
    {
        const int64_t has = s->water[i] + (job->last ? 0 : flow_inflow(s, i));
        if (isnan(s->hold[i]) && s->leave[i] > has)
        {
            job->share[i] *= (double)has / (double)s->leave[i] * (1.0 - 1e-12);
            cut += 1.0;
        }
    }
    s->partial[begin / SEEPAGE_BLOCK] = cut;
}

static void flow_move(int32_t begin, int32_t end, int32_t worker, void* data)
{
    (void)worker;
    const flow_job* job = data;
    wadi_seepage* s = job->seepage;
    for (int32_t i = begin; i < end; ++i)
    {
        s->water[i] += flow_inflow(s, i) - s->leave[i];
        for (int64_t k = s->links.first[i]; k < s->links.first[i + 1]; ++k)
        {
            s->gone[k] += s->flow[k];
        }
    }
}

// Limit the flow between nodes, then move the water.
static void flow_between(flow_job* job)
{
    wadi_seepage* s = job->seepage;
    for (int32_t i = 0; i < s->count; ++i)
    {
        job->share[i] = 1.0;
    }
    double cut = 1.0;
    for (int32_t round = 0; round <= FLOW_ROUNDS && cut > 0.0; ++round)
    {
        job->last = round == FLOW_ROUNDS;
        seepage_pass(s, flow_set_outflow, job);
        cut = wadi_seepage_sum(s, flow_limit_outflow, job);
    }
    if (cut > 0.0)
    {
        seepage_pass(s, flow_set_outflow, job);
    }
    seepage_pass(s, flow_move, job);
}

static int64_t flow_most(int64_t wanted, int64_t has)
{
    return wanted < has ? wanted : has;
}

// Rain, exfiltration, evaporation, drainage, and the exchange of nodes held at a pressure.
static void flow_exchange(wadi_seepage* s, int32_t i, double step)
{
    const double scale = step * s->units;
    if (!isnan(s->hold[i]))
    {
        const double full = seepage_pores(s, i) * wadi_seepage_saturation_at(s, i, s->hold[i]);
        const int64_t water = (int64_t)(full * s->units);
        s->held += water - s->water[i];
        s->water[i] = water;
        return;
    }
    const seepage_exchange exchange = wadi_seepage_exchange_at(s, i, s->pressure[i]);
    const int64_t fallen = (int64_t)(s->params.rain * s->sky[i] * scale);
    const int64_t soaked = (int64_t)(exchange.rain * scale);
    s->rained += fallen;
    const int64_t in = soaked >= 0 ? flow_most(soaked, fallen) : -flow_most(-soaked, s->water[i]);
    s->water[i] += in;
    s->runoff += fallen - in;
    const int64_t drained = flow_most((int64_t)(exchange.drain * scale), s->water[i]);
    s->water[i] -= drained;
    s->drained += drained;
    const int64_t dried = flow_most((int64_t)(exchange.dry * scale), s->water[i]);
    s->water[i] -= dried;
    s->evaporated += dried;
}

void wadi_seepage_flow(wadi_seepage* s, double step)
{
    flow_job job = {.seepage = s, .step = step, .share = s->move};
    flow_between(&job);
    for (int32_t i = 0; i < s->count; ++i)
    {
        flow_exchange(s, i, step);
    }
}
