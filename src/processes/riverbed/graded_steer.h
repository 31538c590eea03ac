// SPDX-License-Identifier: MIT
// The cost to reach an outlet, from every place. High ground, hard rock and the sides of the
// terrain are expensive; the bed of a larger river is cheap, so that rivers join.
#pragma once

#include "processes/riverbed/graded_internal.h"

// Fields on coarse cells of half a river's width.
typedef struct graded_steer
{
    wadi_graded* graded;
    graded_river* river; // the river to be routed; rivers before it have an axis
    int32_t width;       // [coarse cells]
    int32_t height;
    double size;   // of a coarse cell [cells]
    double length; // of a coarse cell [m]
    double* cost;
    double* way; // cost to go [m]
    double* scratch;
    uint8_t* fixed;
} graded_steer;

// Source and outlet of a route.
typedef struct graded_way
{
    riverbed_point from;
    riverbed_point to;
    double high; // ground at `from` and at `to` [m]
    double low;
    bool exits[4]; // sides over which the river may leave
} graded_way;

// Smooth ground [m].
static inline double graded_steer_ground(const graded_steer* steer, riverbed_point p)
{
    return wadi_graded_land_at(&steer->graded->land, steer->graded->land.broad, p);
}

// Distance of a place from a side, inwards [cells].
static inline double graded_off_side(const wadi_ground* ground, wadi_side side, riverbed_point p)
{
    return side == WADI_SIDE_NORTH   ? p.y + 0.5
           : side == WADI_SIDE_SOUTH ? ground->height - 0.5 - p.y
           : side == WADI_SIDE_WEST  ? p.x + 0.5
                                     : ground->width - 0.5 - p.x;
}

// Lowest place on the sides over which the river may leave.
riverbed_point wadi_graded_way_lowest(const graded_steer* steer, const bool exits[4]);

// Compute the cost to go, `way`.
void wadi_graded_way_solve(graded_steer* steer, const graded_way* way);

// Cost to go from a place [m].
double wadi_graded_way_at(const graded_steer* steer, riverbed_point p);
