// SPDX-License-Identifier: MIT
// What colour the ground has before light falls on it.
#pragma once

#include "render/overlay.h"

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

wadi_result palette_create(const render_relief* relief, const wadi_render_params* params,
                           render_palette* out);

// Share of light that the ground of cell `i` throws back; `steepness` is its true slope [m/m].
rgb palette_ground(const render_palette* palette, const render_relief* relief, ptrdiff_t i,
                   float steepness);

// The same of rock laid open at elevation `z` [cells], on the sides of the block.
rgb palette_rock(const render_palette* palette, const render_relief* relief, float z);
