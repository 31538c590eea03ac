// SPDX-License-Identifier: MIT
// Tongues of sand behind plants and stones: four times longer downwind than upwind, along the wind
// at the obstacle. Obstacles lie on a jittered lattice of the terrain, so they do not depend on the
// window. A lattice point has a plant with the probability of its cover and a stone with that of
// the parameter.
#include "maps/amplify/amplify_internal.h"

#include "core/random.h"

#include <math.h>

enum
{
    TONGUES_REACH = 2 // reach of a tongue [lattice cells]
};

static const double tongues_width = 0.3; // of the spacing
static const double tongues_tail = 4.0;  // of the width
static const double tongues_thin = 0.02; // [m] least sand thickness for a tongue

// An obstacle, the width of its tongue and the direction of it.
typedef struct tongues_one
{
    amplify_place foot;
    amplify_place along;
    double width;
} tongues_one;

// The obstacle of a lattice point; false: there is none.
static bool tongues_find(const amplify_job* job, int32_t column, int32_t row, tongues_one* out)
{
    const double spacing = job->params.obstacle_spacing;
    const uint64_t entity = (uint64_t)(uint32_t)row << 32 | (uint32_t)column;
    const wadi_philox r = wadi_random(wadi_terrain_seed(job->terrain), 0x746F6E, entity, 0);
    const amplify_place foot = {(column + (double)wadi_unit_float(r.v[0])) * spacing,
                                (row + (double)wadi_unit_float(r.v[1])) * spacing};
    const double cover = wadi_amplify_cover(job, foot);
    const double chance = cover + job->params.stones - cover * job->params.stones;
    const double draw = (double)wadi_unit_float(r.v[2]);
    if (draw >= chance || wadi_amplify_sand(job, foot) < tongues_thin)
    {
        return false;
    }
    out->foot = foot;
    out->width = tongues_width * spacing * (0.5 + 0.5 * (double)wadi_unit_float(r.v[3]));
    (void)wadi_amplify_wind_at(job, foot, &out->along);
    return true;
}

// Height at a position [m].
static double tongues_height(const amplify_job* job, const tongues_one* one, amplify_place at)
{
    const double full = tongues_width * job->params.obstacle_spacing;
    const double dx = at.x - one->foot.x;
    const double dy = at.y - one->foot.y;
    const double along = dx * one->along.x + dy * one->along.y;
    const double across = dx * one->along.y - dy * one->along.x;
    const double length = along < 0.0 ? one->width : tongues_tail * one->width;
    const double r2 =
        along * along / (length * length) + across * across / (one->width * one->width);
    const double fade = 1.0 - r2;
    return fade > 0.0 ? job->params.obstacle_height * (one->width / full) * fade * fade : 0.0;
}

static void tongues_raise(const amplify_job* job, const tongues_one* one, amplify_place first,
                          int32_t count, float* out)
{
    const double reach = tongues_tail * one->width;
    const double step = job->params.cell;
    const double from = floor((one->foot.x - reach - first.x) / step);
    const double to = ceil((one->foot.x + reach - first.x) / step);
    const int32_t begin = from > 0.0 ? (int32_t)fmin(from, (double)count) : 0;
    const int32_t end = to < count - 1.0 ? (int32_t)fmax(to, -1.0) : count - 1;
    for (int32_t i = begin; i <= end; ++i)
    {
        const amplify_place at = {first.x + i * step, first.y};
        const float height = (float)tongues_height(job, one, at);
        out[i] = height > out[i] ? height : out[i];
    }
}

void wadi_amplify_tongue_row(const amplify_job* job, const amplify_worker* own, int64_t column,
                             int64_t row, int32_t count)
{
    const double spacing = job->params.obstacle_spacing;
    const double cell = job->params.cell;
    const amplify_place first = {((double)column + 0.5) * cell, ((double)row + 0.5) * cell};
    const double last = first.x + (count - 1) * cell;
    for (int32_t i = 0; i < count; ++i)
    {
        own->tongue[i] = 0.0f;
    }
    const int32_t south = (int32_t)floor(first.y / spacing) - TONGUES_REACH;
    const int32_t west = (int32_t)floor(first.x / spacing) - TONGUES_REACH;
    const int32_t east = (int32_t)floor(last / spacing) + TONGUES_REACH;
    for (int32_t y = south; y <= south + 2 * TONGUES_REACH; ++y)
    {
        for (int32_t x = west; x <= east; ++x)
        {
            tongues_one one;
            if (tongues_find(job, x, y, &one))
            {
                tongues_raise(job, &one, first, count, own->tongue);
            }
        }
    }
}
