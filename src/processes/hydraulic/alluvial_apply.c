// SPDX-License-Identifier: MIT
// The ground takes the sums of a round; water and flow move to what parcels have found.
#include "processes/hydraulic/alluvial.h"

#include <math.h>

#define APPLY_FLOW 65536.0f     // units of flow per m3/s and cell (alluvial_exchange.c)
#define APPLY_FLOW_MEMORY 0.05f // share of a new flow in the mean
#define APPLY_LEVEL_MEMORY 0.1f // the same of the water surface
#define APPLY_DRY_MEMORY 0.3f   // of that, where no parcel came
#define APPLY_STILL 1e-5f       // [m2/s] less flow than this is none
#define APPLY_TOP 0.1f          // [m] thickness over which the coarse share of the top is known

typedef struct apply_job
{
    alluvial* a;
    float flow_share;
} apply_job;

// The top mixes with what is laid on it.
static void apply_sort(alluvial* a, int64_t c, const alluvial_sums* sums)
{
    const float laid = (float)sums->laid[0] + (float)sums->laid[1];
    const float thick = laid * (float)(1.0 / WADI_UNITS_PER_METRE) / APPLY_TOP;
    const float share = thick < 1.0f ? thick : 1.0f;
    const float fresh = (float)sums->laid[0] / laid * ALLUVIAL_SORTED;
    const float old = (float)a->coarse[c];
    a->coarse[c] = (uint16_t)(old + share * (fresh - old) + 0.5f);
}

static void apply_bed(alluvial* a, int64_t c, const alluvial_sums* sums, wadi_tally* tally)
{
    const int32_t laid = sums->laid[0] + sums->laid[1];
    const int32_t change = laid - sums->taken;
    if (laid > 0)
    {
        apply_sort(a, c, sums);
    }
    if (change > 0)
    {
        wadi_ground_put(a->ground, c, change, tally);
        hydraulic_count(&a->deposit[c], change);
    }
    if (change < 0)
    {
        (void)wadi_ground_take_loose(a->ground, c, -change, tally);
        hydraulic_count(&a->wear[c], -change);
    }
}

static void apply_flow(alluvial* a, int64_t c, const alluvial_sums* sums, float share)
{
    if (a->east[c] == 0.0f && a->south[c] == 0.0f && sums->east == 0 && sums->south == 0)
    {
        return;
    }
    const float scale = 1.0f / (APPLY_FLOW * (float)a->cell);
    const float east = a->east[c] + share * ((float)sums->east * scale - a->east[c]);
    const float south = a->south[c] + share * ((float)sums->south * scale - a->south[c]);
    a->east[c] = fabsf(east) > APPLY_STILL ? east : 0.0f;
    a->south[c] = fabsf(south) > APPLY_STILL ? south : 0.0f;
}

// Move by a share of the way, at least by one unit.
static int32_t apply_towards(int32_t from, int32_t to, float share)
{
    const int64_t way = (int64_t)to - from;
    const int32_t part = (int32_t)((float)way * share);
    return from + (part != 0 ? part : way > 0 ? 1 : way < 0 ? -1 : 0);
}

static void apply_level(alluvial* a, int64_t c, const alluvial_sums* sums)
{
    const int32_t bed = wadi_ground_surface(a->ground, c);
    const int32_t still = alluvial_still(a, c);
    const int32_t least = still > bed ? still : bed;
    int32_t level = a->level[c];
    if (sums->levels > 0)
    {
        const float sure = 0.3f + 0.1f * (float)sums->levels;
        // land without an outlet floods without end
        const int64_t most = (int64_t)(WADI_HEIGHT_LIMIT * WADI_UNITS_PER_METRE);
        const int64_t read = a->datum + sums->level / sums->levels;
        const int32_t mean = (int32_t)(read < most ? read : most);
        level = apply_towards(level, mean, APPLY_LEVEL_MEMORY * (sure < 1.0f ? sure : 1.0f));
    }
    else
    {
        level = apply_towards(level, least, APPLY_DRY_MEMORY * APPLY_LEVEL_MEMORY);
    }
    a->level[c] = level > least ? level : least;
}

// Take the sums of all workers at a cell, which begin anew.
static alluvial_sums apply_collect(const alluvial* a, int64_t c)
{
    alluvial_sums all = a->sums[0][c];
    a->sums[0][c] = (alluvial_sums){0};
    for (int32_t w = 1; w < a->workers; ++w)
    {
        const alluvial_sums* more = &a->sums[w][c];
        all.east += more->east;
        all.south += more->south;
        all.level += more->level;
        all.passed += more->passed;
        all.levels += more->levels;
        all.taken += more->taken;
        all.laid[0] += more->laid[0];
        all.laid[1] += more->laid[1];
        a->sums[w][c] = (alluvial_sums){0};
    }
    return all;
}

static void apply_cell(const apply_job* job, int64_t c, wadi_tally* tally)
{
    alluvial* a = job->a;
    const int32_t visits = a->visits[0][c];
    // nothing else has sums
    const alluvial_sums sums = visits != 0 ? apply_collect(a, c) : (alluvial_sums){0};
    a->visits[0][c] = 0;
    a->passed[c] = sums.passed;
    if (a->ground->valid[c] != 0)
    {
        if ((visits & (ALLUVIAL_TOUCHED - 1)) > 0)
        {
            apply_bed(a, c, &sums, tally);
        }
        apply_flow(a, c, &sums, job->flow_share);
        apply_level(a, c, &sums);
    }
}

static void apply_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const apply_job* job = user;
    const alluvial* a = job->a;
    for (int32_t y = a->box.north + begin; y < a->box.north + end; ++y)
    {
        const int64_t row = (int64_t)y * a->width;
        for (int64_t c = row + a->box.west; c < row + a->box.east; ++c)
        {
            apply_cell(job, c, &a->tallies[worker]);
        }
    }
}

void wadi_alluvial_apply(alluvial* a)
{
    // the mean of all rounds, until there are enough
    const float young = 1.0f / ((float)a->rounds + 1.0f);
    apply_job job = {a, young > APPLY_FLOW_MEMORY ? young : APPLY_FLOW_MEMORY};
    wadi_parallel_rows(a->context, a->box.south - a->box.north, ALLUVIAL_ROWS, apply_rows, &job);
}
