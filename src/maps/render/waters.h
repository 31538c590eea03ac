// SPDX-License-Identifier: MIT
// Lakes and streams that a picture shows where the terrain has no water of its own.
#pragma once

#include "maps/render/relief.h"

// Depth of lakes [m] and share of streams [0, 1] on the grid of the scene, without padding.
typedef struct render_waters
{
    float* lakes;  // NULL: not asked for
    float* rivers; // NULL: not asked for
} render_waters;

wadi_result wadi_waters_create(wadi_context* context, const wadi_render_scene* scene,
                               const wadi_render_params* params, render_waters* out);
void wadi_waters_destroy(wadi_context* context, render_waters* waters);
