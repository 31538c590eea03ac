// SPDX-License-Identifier: MIT
// A map painted over the picture: colour and opacity of its values.
#pragma once

#include "maps/render/relief.h"

typedef struct overlay_scale
{
    float low;  // value at the ramp's start, or its logarithm
    float high; // at the ramp's end
    bool logarithmic;
    wadi_render_ramp ramp;
} overlay_scale;

wadi_result wadi_overlay_scale_create(const render_relief* relief, const wadi_render_params* params,
                                      overlay_scale* out);

// Position of a value on the ramp, in [0, 1].
float wadi_overlay_share(const overlay_scale* scale, float value);

// Opacity of a value: 0 where the map has no data.
float wadi_overlay_cover(const overlay_scale* scale, float value);
