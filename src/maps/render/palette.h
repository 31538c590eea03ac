// SPDX-License-Identifier: MIT
// Colour of the ground before lighting.
#pragma once

#include "maps/render/overlay.h"

typedef struct render_palette
{
    wadi_render_palette kind;
    rgb low_ground; // gentle, low
    rgb high_ground;
    rgb rock;
    rgb high_rock;
    rgb loose;
    rgb wood;
    rgb snow;
    rgb unknown;     // holes without data
    float snow_line; // [cells]
    float opacity;   // of a draped overlay; 0: none
    overlay_scale overlay;
} render_palette;

wadi_result wadi_palette_create(const render_relief* relief, const wadi_render_params* params,
                                render_palette* out);

// Albedo of cell `i`; `steepness` is its true slope [m/m].
rgb wadi_palette_ground(const render_palette* palette, const render_relief* relief, ptrdiff_t i,
                        float steepness);

// Albedo of rock exposed at elevation `z` [cells], on the sides of the block.
rgb wadi_palette_rock(const render_palette* palette, const render_relief* relief, float z);
