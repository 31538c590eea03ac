// SPDX-License-Identifier: MIT
// Walls that move, and the forces on walls.
#include "bodies/grains/granular.h"

static double piston_way(const wadi_wall* plane, const double point[3])
{
    double square = 0.0;
    for (int c = 0; c < 3; ++c)
    {
        const double d = point[c] - plane->point[c];
        square += d * d;
    }
    return sqrt(square);
}

wadi_result wadi_grains_move_wall(wadi_grains* grains, int32_t wall, const double point[3],
                                  const double velocity[3])
{
    WADI_TRY(wadi_wall_check(grains->context, grains->present, WADI_GRAIN_MAX_WALLS, wall));
    granular_wall* moved = &grains->walls[wall];
    wadi_wall plane;
    WADI_TRY(wadi_wall_create(grains->context, point, moved->plane.normal, velocity, &plane));
    memcpy(plane.normal, moved->plane.normal, sizeof plane.normal); // not normalised again
    moved->shifted += piston_way(&moved->plane, point);
    moved->plane = plane;
    // the grains near it are found with the next list; later, all grains would have to be tested
    grains->stale = grains->stale || moved->shifted > 0.5 * granular_margin(grains);
    wadi_granular_invalidate_forces(grains);
    return WADI_OK;
}

wadi_result wadi_grains_wall_force(const wadi_grains* grains, int32_t wall, double out[3])
{
    WADI_TRY(wadi_wall_check(grains->context, grains->present, WADI_GRAIN_MAX_WALLS, wall));
    for (int c = 0; c < 3; ++c)
    {
        out[c] = (double)grains->walls[wall].pressed[c] / grains->scale;
    }
    return WADI_OK;
}
