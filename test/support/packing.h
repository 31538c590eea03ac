// SPDX-License-Identifier: MIT
// Bonded soil that has settled, and what it bears in shear.
#pragma once

#include "support/soil.h"

extern const double PACKING_RADIUS; // of the largest grain [m]
extern const double PACKING_WIDE;   // after which the world repeats northward [m]

enum
{
    PACKING_SOIL,
    PACKING_PLATE // on which loads rest: soil whose bonds do not break
};

typedef struct strength
{
    double cohesion; // [Pa]
    double friction; // angle [rad]
} strength;

// Grains at random fall into a box so long, and come to rest; `repeats`: eastward, too.
void packing_settle(soil* s, const wadi_grain_material* material, double length, double height,
                    bool repeats);
// The same grains as they lie in a world without weight, the lowest held and all bonded; those
// higher than `plate` are a plate. Bonds bear nothing when they are made, so weight must come
// slowly.
void packing_bond(soil* s, const soil* from, double plate);
// Whether a grain of a packing is held when it is bonded.
bool packing_is_held(const wadi_grain* grain);
// Cohesion and friction of such a packing, by shear under two loads that are held.
strength packing_strength(const wadi_grain_material* material);
