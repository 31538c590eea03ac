// SPDX-License-Identifier: MIT
// Motion of the grains of a chunk, and the check whether the list is still valid.
#include "bodies/grains/granular.h"

#include <float.h>

static granular_move_work integrate_work(const wadi_grains* grains, const granular_chunk* chunk,
                                         const granular_row* rows)
{
    const wadi_grains_params* p = &grains->params;
    const double pull2 = p->sleep_acceleration * p->sleep_acceleration;
    return (granular_move_work){
        .bodies = grains->bodies,
        .begin = chunk->base.begin,
        .end = chunk->base.end,
        .built = grains->built,
        .own = rows != NULL ? rows : grains->kept + chunk->base.begin,
        .halo_start = grains->list.halo_start,
        .halo_slots = grains->list.halo_slots,
        .halo_rows = grains->list.halo_rows,
        .forces = (const double(*)[3])grains->forces,
        .wet = grains->wet,
        .ids = grains->ids,
        .clump_of = grains->clumps != NULL ? grains->clump_of : NULL,
        .step = grains->step,
        .unit = 1.0 / grains->scale,
        .gravity = {p->gravity_x, p->gravity_y, p->gravity_z},
        .period = {p->period_x, p->period_y},
        .inverse_period = {grains->list.inverse_period[0], grains->list.inverse_period[1]},
        .reference = {grains->reference[0], grains->reference[1], grains->reference[2]},
        .calm_speed2 = p->sleep_speed * p->sleep_speed,
        .calm_pull2 = pull2,
        .wake_pull2 = 16.0 * pull2, // four times the pull
        .sleep_at = grains->sleep_at,
    };
}

void wadi_granular_integrate(wadi_grains* grains, granular_chunk* chunk, const granular_row* rows)
{
    granular_move_work work = integrate_work(grains, chunk, rows);
    grains->kernels->move(&work);
    memcpy(chunk->moved[0], work.low, sizeof chunk->moved[0]);
    memcpy(chunk->moved[1], work.high, sizeof chunk->moved[1]);
    chunk->strayed2 = work.strayed2;
}

// The list is valid while no grain has moved by half the skin relative to the reference
// displacement: the middle of the box of all displacements in the step before. A falling pile thus
// needs no new list.
void wadi_granular_check_skin(wadi_grains* grains)
{
    const double half = grains->params.skin * grains->list.largest; // of skin x diameter
    double low[3] = {DBL_MAX, DBL_MAX, DBL_MAX};
    double high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
    double strayed2 = 0.0;
    for (int32_t k = 0; k < grains->list.chunk_count; ++k)
    {
        const granular_chunk* chunk = granular_chunk_at(grains, k);
        strayed2 = chunk->strayed2 > strayed2 ? chunk->strayed2 : strayed2;
        for (int c = 0; c < 3; ++c)
        {
            low[c] = chunk->moved[0][c] < low[c] ? chunk->moved[0][c] : low[c];
            high[c] = chunk->moved[1][c] > high[c] ? chunk->moved[1][c] : high[c];
        }
    }
    if (grains->clumps != NULL)
    {
        wadi_granular_clumps_measure(grains, low, high, &strayed2);
    }
    grains->stale = !(strayed2 < half * half);
    grains->wandered2 = 0.0;
    for (int c = 0; c < 3; ++c)
    {
        grains->reference[c] = 0.5 * (low[c] + high[c]);
        const double far = high[c] > -low[c] ? high[c] : -low[c];
        grains->wandered2 += far * far;
    }
}
