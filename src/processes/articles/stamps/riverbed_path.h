// SPDX-License-Identifier: MIT
// Path of a particle: Eq 1 in closed form. After n steps its centre is O = start + n v (cos alpha,
// sin alpha) and the particle is at P = O + r (cos beta, sin beta), beta = beta0 + n omega. Without
// accumulated sums, any section of a path can be computed by itself, in any tile.
#pragma once

#include "processes/riverbed/riverbed_emitter.h"
#include "terrain/ground.h"

// Values common to all paths of a run.
typedef struct riverbed_orbit
{
    double step;           // v [cells]
    double radius;         // r [cells]; 0: no rotation
    double reach;          // r + s: no stamp of a centre farther outside touches the grid [cells]
    int32_t steps;         // longest path
    riverbed_point* turns; // cosine and sine of n omega
} riverbed_orbit;

typedef struct riverbed_path
{
    riverbed_point start;  // of the centre
    riverbed_point stride; // of the centre, per step
    riverbed_point arm;    // from the centre to the particle, at the start
    int32_t steps;
} riverbed_path;

// Free `turns` with wadi_free().
wadi_result wadi_riverbed_orbit_create(wadi_context* context, const wadi_terrain* terrain,
                                       const wadi_riverbed_params* params, double scale,
                                       riverbed_orbit* out);

// Path of a particle up to its end on this ground.
riverbed_path wadi_riverbed_path_of(const riverbed_orbit* orbit, const riverbed_start* start,
                                    const wadi_riverbed_params* params, const wadi_ground* ground);

static inline riverbed_point riverbed_path_centre(const riverbed_path* path, int32_t n)
{
    return (riverbed_point){path->start.x + n * path->stride.x, path->start.y + n * path->stride.y};
}

static inline riverbed_point riverbed_path_at(const riverbed_path* path,
                                              const riverbed_orbit* orbit, int32_t n)
{
    const riverbed_point centre = riverbed_path_centre(path, n);
    const riverbed_point turn = orbit->turns[n];
    return (riverbed_point){centre.x + (path->arm.x * turn.x - path->arm.y * turn.y),
                            centre.y + (path->arm.x * turn.y + path->arm.y * turn.x)};
}
