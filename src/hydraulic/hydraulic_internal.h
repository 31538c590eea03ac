// SPDX-License-Identifier: MIT
// What the two models of the process "hydraulic" share.
#pragma once

#include <wadi/hydraulic.h>

#include "process/solver.h"
#include "terrain/ground.h"

// Indices of wadi_hydraulic_maps.
enum
{
    HYDRAULIC_MAP_RAIN, // the only input
    HYDRAULIC_MAP_FLOW,
    HYDRAULIC_MAP_DISCHARGE,
    HYDRAULIC_MAP_VELOCITY,
    HYDRAULIC_MAP_WEAR,
    HYDRAULIC_MAP_DEPOSIT,
    HYDRAULIC_MAP_LAKE_DEPTH,
    HYDRAULIC_MAP_MOMENTUM_EAST,
    HYDRAULIC_MAP_MOMENTUM_NORTH,
    HYDRAULIC_MAP_COUNT
};
