// SPDX-License-Identifier: MIT
// Water of a flood by cell, from the stages along its axis.
#pragma once

#include "laws/channels/channel_profile.h"

typedef struct flood_canvas
{
    const wadi_field2d* field;
    const channel_axis* axis;
    const channel_state* states;
    const channel_transect* transects;
    double reach;     // maximum distance of water from the axis [m]
    float* level;     // out: water level [m]; dry: NaN
    int32_t* nearest; // out: station of each wet cell
} flood_canvas;

wadi_result wadi_flood_paint(wadi_context* context, const flood_canvas* canvas);

// Is the water above a crest here, on the bank or beyond it?
bool wadi_flood_overtops(const flood_canvas* canvas, int64_t cell);
