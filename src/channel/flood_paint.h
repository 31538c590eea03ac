// SPDX-License-Identifier: MIT
// From stages along an axis to water in cells.
#pragma once

#include "channel/channel_profile.h"

typedef struct flood_canvas
{
    const wadi_field2d* field;
    const channel_axis* axis;
    const channel_state* states;
    const channel_transect* transects;
    double reach;     // [m] from the axis that water is looked for
    float* level;     // out: [m] of the water; dry: NaN
    int32_t* nearest; // out: station of each wet cell
} flood_canvas;

wadi_result wadi_flood_paint(wadi_context* context, const flood_canvas* canvas);

// Does water stand over a crest here, on the bank or beyond it?
bool wadi_flood_overtops(const flood_canvas* canvas, int64_t cell);
