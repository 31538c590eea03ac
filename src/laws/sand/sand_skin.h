// SPDX-License-Identifier: MIT
// What plants, moisture and water on the ground do to the wind's grip on sand: one law for all
// models of wind but those of articles. docs/theory/sand.md has the equations and their sources.
#pragma once

#include "laws/sand/sand_top.h"

typedef struct sand_skin_law
{
    double plant_drag;   // plants reduce the stress on the ground to 1 / (1 + plant_drag x cover)
    double wet_gain;     // relative rise of the threshold speed from dry to saturated sand
    double water;        // level of the ground water [m]
    double fringe;       // height above it up to which sand is moist [m]; 0: no ground water
    const sand_top* top; // dry sand above moist sand; NULL: none
} sand_skin_law;

// The law of parameters that have members of these names.
#define SAND_SKIN_LAW_OF(p)                                                                        \
    {                                                                                              \
        (p)->plant_drag, (p)->wet_gain, (p)->water_level, (p)->water_fringe, NULL                  \
    }

// Sand with plants and moisture begins to move where stress x (stress of the wind) exceeds
// threshold x (threshold stress of dry sand).
typedef struct sand_skin
{
    float stress;    // share of the shear stress that reaches the ground; 0 under water, ice, and
                     // below the ground water
    float threshold; // stress at the threshold over that of dry sand
} sand_skin;

// `cover` is the share of the ground that plants cover.
sand_skin wadi_sand_skin_under(const sand_skin_law* law, const wadi_ground* ground, int64_t cell,
                               double cover);

// The same under the plants of the cell.
sand_skin wadi_sand_skin(const sand_skin_law* law, const wadi_ground* ground, int64_t cell);

// Sand [units] above the level near the ground water at which moist sand withstands a stress, over
// the threshold of dry sand. A wind that takes more leaves it too deep, and then traps sand there.
// A great number where there is more than `wanted`.
float wadi_sand_skin_above_moist(const sand_skin_law* law, const wadi_ground* ground, int64_t cell,
                                 float stress, float wanted);
