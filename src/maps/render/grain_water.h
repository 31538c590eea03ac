// SPDX-License-Identifier: MIT
// Surface of water in pictures of grains, in the plane of the picture (van der Laan, Green & Sainz
// 2009): depths of the front of all particles are smoothed, and normals are those of the depths.
#pragma once

#include "maps/render/grain_view.h"

typedef struct grain_water
{
    grain_view view; // of the front, with fewer pixels than the camera
    float* thick;    // length of the line of sight in particles [m]
    float* share;    // of water around a pixel; its outline is at one half
    float radius;    // of the particles [m]
} grain_water;

// Where a line of sight meets water.
typedef struct grain_water_hit
{
    float depth;
    float thick; // of all water on the line
    vec3 normal;
    float mirrors; // share of what its surface would mirror; less on creases between drops
} grain_water_hit;

// Find the surface of `count` particles, at least one, as the camera sees it.
wadi_result wadi_grain_water_find(wadi_context* context, const grain_view* camera,
                                  const grain_ball* balls, int32_t count, grain_water* out);
void wadi_grain_water_free(wadi_context* context, grain_water* water);

// Is there water at a point of the camera's picture?
bool wadi_grain_water_at(const grain_water* water, const grain_view* camera, float px, float py,
                         grain_water_hit* hit);
