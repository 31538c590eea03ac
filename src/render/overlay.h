// SPDX-License-Identifier: MIT
// A map painted over the picture: which value gets which colour, and how much of the ground shows.
#pragma once

#include "render/relief.h"

typedef struct overlay_scale
{
    float low;  // value at the ramp's start, or its logarithm
    float high; // at the ramp's end
    bool logarithmic;
    wadi_render_ramp ramp;
} overlay_scale;

wadi_result overlay_scale_create(const render_relief* relief, const wadi_render_params* params,
                                 overlay_scale* out);

// Place of a value on the ramp, in [0, 1].
float overlay_share(const overlay_scale* scale, float value);

// Share of the ground that a value covers: nothing where the map says nothing.
float overlay_cover(const overlay_scale* scale, float value);
