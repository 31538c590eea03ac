// SPDX-License-Identifier: MIT
// The two kinds of picture: each fills `pixels`, one linear colour per pixel.
#pragma once

#include "render/light.h"

wadi_result picture_perspective(const render_relief* relief, const sunlight* light,
                                const wadi_render_params* params, rgb* pixels);
wadi_result picture_map(const render_relief* relief, const sunlight* light,
                        const wadi_render_params* params, rgb* pixels);

// Where a map lies in its picture.
typedef struct map_frame
{
    float left; // [pixels]
    float top;
    float scale; // cells per pixel
} map_frame;
map_frame picture_map_frame(const render_relief* relief, const wadi_render_params* params);

// Draw the wind on a map that has been painted.
void picture_arrows(const render_relief* relief, const wadi_render_params* params, rgb* pixels);

// Paint the overlay map, north up, into the upper right corner.
wadi_result picture_inset(const render_relief* relief, const wadi_render_params* params,
                          rgb* pixels);

// What water looks like from `cosine` of the angle to the vertical: the ground under it fades with
// depth, the sky is mirrored at a flat angle. `depth` in metres, `sun` the share of it seen.
rgb picture_water(rgb ground, float depth, float cosine, float sun, const sunlight* light,
                  const wadi_render_params* params);
