// SPDX-License-Identifier: MIT
// The original land, smoothed so that a river does not follow every bump.
#pragma once

#include "processes/riverbed/riverbed_emitter.h"
#include "terrain/ground.h"

typedef struct graded_land
{
    int32_t width; // [cells]
    int32_t height;
    float* broad;      // ground averaged over a river's width to either side [m]
    float* broad_soft; // 1 - hardness, likewise
    float* near;       // ground averaged over a third of a width [m]
    float* near_soft;
} graded_land;

// `width` and `depth` of the river in metres. Voids take their neighbours' values.
wadi_result wadi_graded_land_create(wadi_context* context, const wadi_ground* ground, double width,
                                    double depth, graded_land* out);
void wadi_graded_land_destroy(wadi_context* context, graded_land* land);

// Value of a map between cell centres; beyond the grid the last cell's value.
double wadi_graded_land_at(const graded_land* land, const float* map, riverbed_point p);
