// SPDX-License-Identifier: MIT
// Sand that enters over open edges. Outside lies ground where the wind of the cells behind the edge
// blows and carries the share `inflow` of its saturated flux. Slabs whose hop from outside ends
// within one hop of the edge enter. No cells outside need to be simulated. If all edges had the
// flux of flat ground, sand would pile up where relief slows the wind: 58 m in 60 years along the
// flank of a crater.
#include "core/internal.h"
#include "laws/sand/sand_flux.h"
#include "processes/articles/slabs/slab_flock.h"
#include "processes/articles/slabs/slab_riders.h"

#include <math.h>

// Share of its hop (0..1) after which a slab that is now at `place` crossed an edge of this axis;
// 0: it crossed none. *side is that edge.
static float inflow_entry(const wadi_ground* ground, wadi_side low, wadi_side high, float size,
                          float place, float hop, wadi_side* side)
{
    const float from = place - hop;
    *side = from < 0.0f ? low : high;
    const bool inside = from >= 0.0f && from < size;
    if (inside || wadi_ground_whole_edge(ground, *side) == WADI_EDGE_PERIODIC)
    {
        return 0.0f;
    }
    const float edge = from < 0.0f ? 0.0f : size;
    return (edge - from) / hop;
}

// Did the slab that lands here hop in over an open edge, with the wind of this cell? At a corner
// the later crossing counts.
static bool inflow_enters(const slab_bed* bed, const slab_flock* flock, int32_t i)
{
    const wadi_ground* ground = bed->ground;
    const slab_site* here = &bed->sites[flock->cell[i]];
    const float along = 1.0f + bed->law.spread * flock->along[i];
    const float across = bed->law.spread * flock->across[i];
    wadi_side column;
    wadi_side row;
    const float across_x =
        inflow_entry(ground, WADI_SIDE_WEST, WADI_SIDE_EAST, (float)wadi_ground_whole_width(ground),
                     flock->x[i], along * here->hop_x - across * here->hop_y, &column);
    const float across_y = inflow_entry(ground, WADI_SIDE_NORTH, WADI_SIDE_SOUTH,
                                        (float)wadi_ground_whole_height(ground), flock->y[i],
                                        along * here->hop_y + across * here->hop_x, &row);
    if (across_x == 0.0f && across_y == 0.0f)
    {
        return false;
    }
    return wadi_ground_whole_edge(ground, across_x > across_y ? column : row) == WADI_EDGE_OPEN;
}

static int64_t inflow_sum(const slab_flock* flock)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < flock->count; ++i)
    {
        sum += flock->amount[i];
    }
    return sum;
}

// Slabs of the flock that come from beyond an edge enter and fly on.
static void inflow_land(const slab_bed* bed, slab_flock* flock, wadi_tally* tally)
{
    wadi_slab_flock_depart(bed, flock, SLAB_INFLOW);
    for (int32_t i = 0; i < flock->count; ++i)
    {
        flock->bounces[i] = inflow_enters(bed, flock, i) ? 1 : 0;
    }
    wadi_slab_flock_keep(flock);
    tally->in[WADI_MATERIAL_SEDIMENT] += inflow_sum(flock);
    wadi_slab_flock_land(bed, flock, tally);
    flock->count = 0;
}

// Sand that the wind of a cell brings into it [units]: where it is slow, it carries less. Where it
// is faster than the wind of the map, hops are longer and slabs thinner: nobody knows of more sand
// beyond the edge. `square`: of its speed [m2/s2].
static int32_t inflow_amount(const slab_law* law, float square)
{
    const float needed = law->threshold * law->threshold;
    const float map = law->speed * law->speed;
    const float fast = square > map ? law->speed / sqrtf(square) : 1.0f;
    if (!law->common)
    {
        return square > needed ? (int32_t)((float)law->inflow * fast) : 0;
    }
    const float relative = wadi_sand_relative(square < map ? square : map, needed);
    return relative > 0.0f ? (int32_t)(law->inflow_gain * relative / sqrtf(square)) : 0;
}

static void inflow_cell(const slab_bed* bed, int64_t cell, slab_flock* flock, wadi_tally* tally)
{
    const slab_site* site = &bed->sites[cell];
    const float hop = site->hop_x * site->hop_x + site->hop_y * site->hop_y;
    const int32_t amount = inflow_amount(&bed->law, hop / (bed->law.hop * bed->law.hop));
    flock->start[flock->count] = (uint32_t)slab_number(bed, cell);
    flock->cell[flock->count] = (int32_t)cell;
    flock->amount[flock->count] = amount;
    flock->count += bed->ground->valid[cell] != 0 && amount > 0 ? 1 : 0;
    if (flock->count == SLAB_FLOCK)
    {
        inflow_land(bed, flock, tally);
    }
}

// Can a hop of the wind of this cell come from beyond an edge of the whole grid?
static bool inflow_reaches(const slab_bed* bed, int32_t x, int32_t y)
{
    const wadi_ground* ground = bed->ground;
    const slab_site* site = &bed->sites[(int64_t)y * ground->width + x];
    const float hop = fabsf(site->hop_x) + fabsf(site->hop_y);
    const float far = hop * (1.0f + bed->law.spread) + 1.0f;
    const int32_t column = bed->field.x + x;
    const int32_t row = bed->field.y + y;
    return (float)column < far || (float)row < far ||
           (float)(wadi_ground_whole_width(ground) - 1 - column) < far ||
           (float)(wadi_ground_whole_height(ground) - 1 - row) < far;
}

static void inflow_rows(int32_t begin, int32_t end, int32_t worker, void* job)
{
    const slab_bed* bed = job;
    const wadi_owned owned = wadi_ground_owned(bed->ground);
    slab_flock flock;
    flock.count = 0;
    for (int32_t y = begin > owned.y ? begin : owned.y; y < end && y < owned.end_y; ++y)
    {
        for (int32_t x = owned.x; x < owned.end_x; ++x)
        {
            if (inflow_reaches(bed, x, y))
            {
                inflow_cell(bed, (int64_t)y * bed->ground->width + x, &flock,
                            &bed->tallies[worker]);
            }
        }
    }
    inflow_land(bed, &flock, &bed->tallies[worker]);
}

wadi_result wadi_slab_flow_in(slab_bed* bed)
{
    return bed->law.inflow > 0 ? wadi_slab_riders_fly(bed, 8, inflow_rows) : WADI_OK;
}
