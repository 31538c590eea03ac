// SPDX-License-Identifier: MIT
// The cost of the way to an outlet, from everywhere: high ground, hard rock and the sides of the
// terrain are dear, the bed of a larger river is cheap, so rivers meet.
#pragma once

#include "riverbed/graded_internal.h"

// On cells of half a river's width.
typedef struct graded_steer
{
    wadi_graded* graded;
    graded_river* river; // that looks for its way; those before it are laid
    int32_t width;       // [coarse cells]
    int32_t height;
    double size;   // of a coarse cell [cells]
    double length; // of one [m]
    double* cost;
    double* way; // cost of the rest of the way [m]
    double* scratch;
    uint8_t* fixed;
} graded_steer;

// From where to where.
typedef struct graded_way
{
    riverbed_point from;
    riverbed_point to;
    double high; // ground at both
    double low;
    bool exits[4]; // sides that the river may leave by
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

// Lowest place of the sides that the river may leave by.
riverbed_point wadi_graded_way_lowest(const graded_steer* steer, const bool exits[4]);

// Fill `way`.
void wadi_graded_way_solve(graded_steer* steer, const graded_way* way);

// Cost of the rest of the way from a place [m].
double wadi_graded_way_at(const graded_steer* steer, riverbed_point p);
