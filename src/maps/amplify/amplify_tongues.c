// SPDX-License-Identifier: MIT
// Tongues of sand behind plants and stones: four times longer downwind than upwind. Obstacles lie
// on a jittered lattice of the terrain, so they do not depend on the window. A lattice point has a
// plant with the probability of its cover and a stone with that of the parameter.
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

// Height at `at` of the tongue of one lattice cell.
static double tongues_one(const amplify_job* job, int32_t column, int32_t row, amplify_place at)
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
        return 0.0;
    }
    const double width = tongues_width * spacing * (0.5 + 0.5 * (double)wadi_unit_float(r.v[3]));
    const double dx = at.x - foot.x;
    const double dy = at.y - foot.y;
    const double along = dx * job->ex + dy * job->ey;
    const double across = dx * job->ey - dy * job->ex;
    const double length = along < 0.0 ? width : tongues_tail * width;
    const double r2 = along * along / (length * length) + across * across / (width * width);
    const double fade = 1.0 - r2;
    const double height = job->params.obstacle_height * width / (tongues_width * spacing);
    return fade > 0.0 ? height * fade * fade : 0.0;
}

double wadi_amplify_tongues(const amplify_job* job, amplify_place at)
{
    const double spacing = job->params.obstacle_spacing;
    const int32_t column = (int32_t)floor(at.x / spacing);
    const int32_t row = (int32_t)floor(at.y / spacing);
    double highest = 0.0;
    for (int32_t j = -TONGUES_REACH; j <= TONGUES_REACH; ++j)
    {
        for (int32_t i = -TONGUES_REACH; i <= TONGUES_REACH; ++i)
        {
            highest = fmax(highest, tongues_one(job, column + i, row + j, at));
        }
    }
    return highest;
}
