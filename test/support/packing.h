// SPDX-License-Identifier: MIT
// Settled bonded soil and its shear strength.
#pragma once

#include "support/soil.h"

extern const double PACKING_RADIUS; // of the largest grain [m]
extern const double PACKING_WIDE;   // period to the north [m]

enum
{
    PACKING_SOIL,
    PACKING_PLATE // material of the loading plate: soil with unbreakable bonds
};

typedef struct strength
{
    double cohesion; // [Pa]
    double friction; // angle [rad]
} strength;

// Let random grains settle in a box of `length`; `repeats`: periodic in x, too.
void packing_settle(soil* s, const wadi_grain_material* material, double length, double height,
                    bool repeats);
// Bond the grains of `from` in a world without gravity; the lowest grains are fixed, those above
// `plate` form a plate. New bonds carry no load, so gravity must be increased slowly.
void packing_bond(soil* s, const soil* from, double plate);
// True if packing_bond() fixes the grain.
bool packing_is_held(const wadi_grain* grain);
// Cohesion and friction of such a packing, from shear tests under two normal loads.
strength packing_strength(const wadi_grain_material* material);
