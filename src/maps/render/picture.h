// SPDX-License-Identifier: MIT
// The two kinds of picture: each fills `pixels`, one linear colour per pixel.
#pragma once

#include "maps/render/light.h"

wadi_result wadi_picture_perspective(const render_relief* relief, const sunlight* light,
                                     const wadi_render_params* params, rgb* pixels);
wadi_result wadi_picture_map(const render_relief* relief, const sunlight* light,
                             const wadi_render_params* params, rgb* pixels);

// Position of a map in its picture.
typedef struct map_frame
{
    float left; // [pixels]
    float top;
    float scale; // cells per pixel
} map_frame;
map_frame wadi_picture_map_frame(const render_relief* relief, const wadi_render_params* params);

// Draw the wind on a painted map.
void wadi_picture_arrows(const render_relief* relief, const wadi_render_params* params,
                         rgb* pixels);

// Paint the overlay map, north up, into the upper right corner.
wadi_result wadi_picture_inset(const render_relief* relief, const wadi_render_params* params,
                               rgb* pixels);

// How water is looked at.
typedef struct water_view
{
    float cosine; // of the angle between the view and the vertical
    rgb mirrored; // light of what the water mirrors
} water_view;

// Share of the light that calm water mirrors.
float wadi_picture_mirror(float cosine);

// Colour of the open sea at a point beside the map [cells].
rgb wadi_picture_deep(const render_relief* relief, float x, float y, const water_view* view,
                      const sunlight* light, const wadi_render_params* params);

// Colour of the ground at a point, with the water above it.
rgb wadi_picture_ground(const render_relief* relief, const relief_point* at, const water_view* view,
                        const sunlight* light, const wadi_render_params* params);
