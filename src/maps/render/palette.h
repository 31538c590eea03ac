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
    rgb hard_rock;
    rgb loose;
    rgb wood;
    rgb snow;
    rgb unknown; // holes without data
    rgb river;
    float snow_line; // [cells]
    float plants;    // share of plants that the palette lets grow
    float bed;       // alpine: thickness of a bed of rock [cells]
    float tall;      // 0: low hills, 1: mountains, whose belts of plants lie one above the other
    float sun_x;     // direction towards the sun on the ground
    float sun_y;
    float opacity; // of a draped overlay; 0: none
    overlay_scale overlay;
} render_palette;

wadi_result wadi_palette_create(const render_relief* relief, const wadi_render_params* params,
                                render_palette* out);

typedef struct palette_cell
{
    int32_t x, y;
    float slope_x, slope_y; // of the relief
    float broad;            // noise in [-1, 1] over many cells
    float fine;             // noise in [-1, 1] over a few cells
    float crack;            // alpine: marks of rock in [-1, 1] along the fall line
    float stratum;          // alpine: the same, nearly level
} palette_cell;

typedef struct palette_ground
{
    rgb colour;  // albedo
    float rough; // how rough the ground is below the size of a cell: 0 sand and snow, 1 rock
} palette_ground;

palette_ground wadi_palette_ground(const render_palette* palette, const render_relief* relief,
                                   const palette_cell* cell);

// Albedo of rock exposed at elevation `z` [cells], on the sides of the block.
rgb wadi_palette_rock(const render_palette* palette, const render_relief* relief, float z);
