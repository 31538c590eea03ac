// SPDX-License-Identifier: MIT
// Air that all rays of a part of the picture pass without touching the ground.
#pragma once

#include "maps/render/camera.h"

typedef struct beam_window
{
    float x0, y0, x1, y1; // part of the picture [pixels]
} beam_window;

// Depth along the camera's axis before which no ray of the window meets the relief [cells].
float wadi_beam_depth(const render_caster* caster, const render_camera* camera, beam_window window);
