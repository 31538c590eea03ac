// SPDX-License-Identifier: MIT
// Sun, shadows and sky over the relief.
#pragma once

#include "maps/render/relief.h"

typedef struct sunlight
{
    float x, y, z; // unit vector towards the sun: columns, rows, up
    float along_x; // the same, on the ground
    float along_y;
    float rise;   // tangent of its altitude
    float radius; // of its disc, in tangents of altitude
    rgb sun;      // light on a surface that faces it
    rgb sky;      // light on a surface that sees all of the sky
} sunlight;

sunlight wadi_light_of(const wadi_render_params* params);

// Light every cell of the relief: fills `sun` and `lit`.
wadi_result wadi_light_relief(render_relief* relief, const sunlight* light,
                              const wadi_render_params* params);
