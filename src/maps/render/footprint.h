// SPDX-License-Identifier: MIT
// Where a block stands on the table below it. Large voids at its border leave parts of the map
// without ground, so that the soft shadow on the table needs the distance to the nearest ground.
#pragma once

#include "maps/render/relief.h"

typedef struct render_footprint
{
    float* away;   // distance of each square from the ground [cells]; NULL: there are no voids
    int32_t width; // of the table that is covered [squares]
    int32_t height;
    int32_t margin; // squares around the map
    float step;     // side of a square [cells]
    float right;    // last column and row of the map [cells]
    float bottom;
} render_footprint;

wadi_result wadi_footprint_create(const render_relief* relief, render_footprint* out);
void wadi_footprint_destroy(const render_relief* relief, render_footprint* footprint);

// Distance of a point of the table from the ground [cells]: exact without voids, otherwise as good
// as the squares.
float wadi_footprint_away(const render_footprint* footprint, float x, float y);
