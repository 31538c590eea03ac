// SPDX-License-Identifier: MIT
// The shear stress of a wind over the present ground, by the law that the flux model moves sand
// with. Nothing moves.
#pragma once

#include <wadi/dunes.h>

// Wind at the ground of every cell, width x height values each. Void cells have values too: those
// of the ground continued.
typedef struct dunes_stress
{
    float* stress; // over that on flat ground; reduced by plants, water and shelter
    float* east;   // direction in which grains are driven, a vector of about length 1
    float* south;
} dunes_stress;

wadi_result wadi_dunes_stress(wadi_terrain* terrain, const wadi_dunes_params* params,
                              const dunes_stress* out);
