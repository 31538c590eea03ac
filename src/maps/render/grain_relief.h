// SPDX-License-Identifier: MIT
// Ground in pictures of grains: a surface through the heights of cell centres, and sides from its
// edges down to the floor, so that it looks like a block.
#pragma once

#include "maps/render/grain_view.h"

// Numbers in `ball` of a view.
enum
{
    GRAIN_LAND_TOP = -2,
    GRAIN_LAND_SIDE = -3
};

typedef struct grain_relief
{
    const wadi_grain_ground* ground; // NULL: none, or level ground, which the floor shows
    double middle[3];                // of the picture [m]
    double lowest;                   // of the ground [m]
    float floor;                     // relative to the middle [m]
    vec3* work;                      // corners as one view sees them
} grain_relief;

// Look at the ground; NULL is none.
wadi_result wadi_grain_relief_open(wadi_context* context, const wadi_grain_ground* ground,
                                   grain_relief* land);
void wadi_grain_relief_close(wadi_context* context, grain_relief* land);

// Draw the ground into a view that has its balls. Cells without data are holes.
void wadi_grain_relief_draw(wadi_context* context, const grain_relief* land, grain_view* view);

// Normal at a point of the top or of a side.
vec3 wadi_grain_relief_normal(const grain_relief* land, vec3 at, bool side);
