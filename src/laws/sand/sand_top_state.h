// SPDX-License-Identifier: MIT
// Memory of the top of the sand.
#pragma once

#include "laws/sand/sand_top.h"

struct sand_top
{
    wadi_context* context;
    const wadi_ground* ground;
    sand_top_law law;
    float* crust;   // strength, 0 to 1; NULL: no crusts
    float* dry;     // thickness of dry sand [m]; NULL: the surface does not dry
    int32_t* level; // [units] of the surface when it was last looked at

    // coarse grains, as thicknesses [units]; NULL: none
    int32_t* coarse; // in all sand of the cell
    int32_t* lag;    // of those, in the layer at the surface, or under fine sand laid on it
    int32_t* cap;    // fine sand on that layer
    int32_t* came;   // by slides, and not yet part of `coarse`; 0 between slides
    int32_t layer;   // thickness of the layer
};

// Spread a share over the sand of a cell; the layer at the surface gets its part.
void wadi_sand_coarse_start(const sand_top* top, int64_t cell, float given);
// `risen` [units]: by deposits, or below 0 by erosion.
void wadi_sand_coarse_bury(const sand_top* top, int64_t cell, int64_t risen);
// Share of the surface that coarse grains cover.
float wadi_sand_coarse_cover(const sand_top* top, int64_t cell);
// Stress at which wind lifts sand between coarse grains, over that without them.
float wadi_sand_coarse_threshold(const sand_top* top, float cover);
// Erosion after which a quarter more of the surface is coarse, of what is not [units].
float wadi_sand_coarse_supply(const sand_top* top, int64_t cell);
wadi_result wadi_sand_coarse_check(const sand_top* top, int64_t cell); // after reading
