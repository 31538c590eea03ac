// SPDX-License-Identifier: MIT
#pragma once

#include "maps/synthesis/generator.h"

// Unscaled values of hexagon subdivision.
wadi_result wadi_hexagon_subdivide(const synthesis_grid* grid,
                                   const wadi_subdivision_params* params);
