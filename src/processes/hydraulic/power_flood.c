// SPDX-License-Identifier: MIT
// Levels of water on its way out, and the ways of model "stream_power".
//
//     R(c) = max(h(c), min over neighbours n of R(n) + rise),    R = h at outlets
//
// (priority flood, Barnes, Lehman & Mulla 2014, with a tilt). Work that only lowers R ends at the
// same R in any order, so a window floods its cells from its outlets, tells the levels at its
// border, and goes on where a neighbour's level is lower than it knew.
#include "processes/hydraulic/power.h"

#include "core/random.h"
#include "laws/flow/flow_candidates.h"

#include <math.h>

// The tilt along axes and diagonals, in the ratio 2 : 3 [units]: lakes fall by 30 um a cell towards
// their outlets.
static const uint32_t flood_rise[2] = {2, 3};

typedef struct flood_job
{
    power* p;
    flood_candidates candidates;
} flood_job;

static inline void flood_lower(flood_job* job, int64_t cell, uint32_t level)
{
    power* p = job->p;
    const uint32_t top = power_key(power_top(p, cell));
    const uint32_t now = top > level ? top : level;
    if (now < p->level[cell])
    {
        p->level[cell] = now;
        wadi_flow_push(&job->candidates, (int32_t)now, cell);
    }
}

static void flood_begin(flood_job* job)
{
    power* p = job->p;
    for (int64_t c = 0; c < p->cells; ++c)
    {
        p->level[c] = (p->place[c] & POWER_NONE) != 0 ? 0 : POWER_FAR;
    }
    for (int32_t y = p->owned.y; y < p->owned.end_y; ++y)
    {
        for (int32_t x = p->owned.x; x < p->owned.end_x; ++x)
        {
            const int64_t c = (int64_t)y * p->width + x;
            if ((p->place[c] & POWER_OUTLET) != 0)
            {
                flood_lower(job, c, 0);
            }
        }
    }
    if (p->sink >= 0)
    {
        flood_lower(job, p->sink, 0);
    }
    for (int64_t i = 0; i < p->border.count; ++i)
    {
        p->sent[i] = POWER_FAR;
    }
}

static inline void flood_reach(flood_job* job, int64_t n, uint32_t risen, int32_t k)
{
    power* p = job->p;
    if (risen >= p->level[n] || (p->place[n] & (POWER_GHOST | POWER_NONE)) != 0)
    {
        return;
    }
    const uint32_t top = power_key(power_top(p, n));
    if (risen >= top)
    {
        p->level[n] = risen;
        wadi_flow_push_risen(&job->candidates, k & 1, (int32_t)risen, n);
    }
    else if (top < p->level[n])
    {
        p->level[n] = top;
        wadi_flow_push(&job->candidates, (int32_t)top, n);
    }
}

static wadi_result flood_solve(flood_job* job)
{
    power* p = job->p;
    int32_t level;
    int64_t cell;
    while (wadi_flow_pop(&job->candidates, &level, &cell))
    {
        if (p->level[cell] != (uint32_t)level)
        {
            continue;
        }
        for (int32_t k = 0; k < 8; ++k)
        {
            const int64_t n = power_beside(p, cell, k);
            if (n >= 0)
            {
                flood_reach(job, n, (uint32_t)level + flood_rise[k & 1], k);
            }
        }
    }
    return job->candidates.result;
}

// Levels of border cells that have fallen.
static wadi_result flood_tell(power* p)
{
    for (int64_t i = 0; i < p->border.count; ++i)
    {
        const int64_t c = p->border.at[i];
        if ((p->place[c] & POWER_NONE) == 0 && p->level[c] < p->sent[i])
        {
            p->sent[i] = p->level[c];
            WADI_TRY(wadi_power_tell_around(p, c, (int64_t)p->level[c], 0));
        }
    }
    return WADI_OK;
}

static void flood_hear(flood_job* job)
{
    power* p = job->p;
    wadi_flow_candidates_clear(&job->candidates);
    for (int64_t i = 0; i < p->relay.got_count; ++i)
    {
        const int64_t ghost = wadi_power_place_of(p, p->relay.got[i].cell);
        p->level[ghost] = (uint32_t)p->relay.got[i].value;
        for (int32_t k = 0; k < 8; ++k)
        {
            const int64_t n = power_beside(p, ghost, k);
            if (n >= 0 && (p->place[n] & (POWER_GHOST | POWER_NONE)) == 0)
            {
                flood_lower(job, n, p->level[ghost] + flood_rise[k & 1]);
            }
        }
    }
}

static wadi_result flood_run(flood_job* job)
{
    int64_t told = 1;
    wadi_power_enter(job->p, "flood", POWER_USES_SURFACE | POWER_USES_LEVEL | POWER_USES_PLACE);
    flood_begin(job);
    while (told > 0)
    {
        WADI_TRY(flood_solve(job));
        WADI_TRY(flood_tell(job->p));
        WADI_TRY(wadi_power_exchange(job->p, &told));
        flood_hear(job);
    }
    return WADI_OK;
}

wadi_result wadi_power_flood(power* p)
{
    flood_job job = {.p = p, .candidates = {.context = p->context}};
    const wadi_result result = flood_run(&job);
    wadi_flow_candidates_free(&job.candidates);
    return result;
}

// ---- ways --------------------------------------------------------------------------------------

// Steepest descent of the levels. The length of diagonals is 1 / (2 - r) with r uniform in [0, 1)
// (Rho8, Fairfield & Leymarie 1991), drawn once for each cell: with the root of 2 all water of a
// plane that falls to the south-south-west would flow in one of the eight directions.
static int32_t flood_way(const power* p, int64_t cell)
{
    const wadi_philox dice =
        wadi_random(wadi_terrain_seed(p->terrain), p->stream, (uint64_t)power_number(p, cell), 0);
    const float diagonal = 1.0f / (2.0f - wadi_unit_float(dice.v[3]));
    float steepest = 0.0f;
    int32_t way = POWER_ENDS;
    for (int32_t k = 0; k < 8; ++k)
    {
        const int64_t n = power_beside(p, cell, k);
        if (n < 0 || (p->place[n] & POWER_NONE) != 0 || p->level[n] >= p->level[cell])
        {
            continue;
        }
        const float fall = (float)(p->level[cell] - p->level[n]) * ((k & 1) != 0 ? diagonal : 1.0f);
        way = fall > steepest ? k : way;
        steepest = fall > steepest ? fall : steepest;
    }
    return way;
}

static void flood_way_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    power* p = user;
    for (int32_t y = begin > p->owned.y ? begin : p->owned.y; y < end && y < p->owned.end_y; ++y)
    {
        for (int32_t x = p->owned.x; x < p->owned.end_x; ++x)
        {
            const int64_t c = (int64_t)y * p->width + x;
            const bool ends = (p->place[c] & POWER_OUTLET) != 0 || c == p->sink;
            p->way[c] = (uint8_t)((p->place[c] & POWER_NONE) != 0 ? POWER_VOID
                                  : ends                          ? POWER_ENDS
                                                                  : flood_way(p, c));
        }
    }
}

wadi_result wadi_power_find_ways(power* p)
{
    wadi_power_enter(p, "ways", POWER_USES_LEVEL | POWER_USES_PLACE | POWER_USES_WAY);
    wadi_parallel_rows(p->context, p->height, 16, flood_way_rows, p);
    return wadi_power_refresh(p, p->way, 1);
}
