// SPDX-License-Identifier: MIT
// Shores of a terrain's own layer of water.
#pragma once

#include <wadi/render.h>

// Copy the depths of a scene's water [m] without padding. Dry cells beside water get a negative
// depth, so that the shore is the line of depth 0 between cells and not their border.
void wadi_shores_sign(const wadi_render_scene* scene, float* out);
