// SPDX-License-Identifier: MIT
// Shape measures of a single dune in a map of sand (dune_parts.h). The wind blows along (x, y): x
// east, y south.
#pragma once

#include "support/dune_parts.h"

typedef struct dune_map
{
    const double* sand; // [m]
    int32_t width;
    int32_t height;
    double x;
    double y;
} dune_map;

// Extent of the sand above a quarter of the summit's height: largest over smallest distance from
// the centre in 24 directions. Circle 1, square 1.41, infinite with a hole in the centre.
double dune_shape_roundness(const dune_map* map, const dune_part* part);

// Distance of the horns ahead of the centre [cells]: mean front of the outer fifths of the width
// minus that of the middle fifth.
double dune_shape_horns(const dune_map* map, const dune_parts* parts, const dune_part* part);

// Number of arms: directions with a maximum of the sand height at `radius` [cells] from the centre.
int32_t dune_shape_arms(const dune_map* map, const dune_part* part, double radius);

// Share of the sandy cells steeper than the tangent `steep`.
double dune_shape_steep(const dune_map* map, double cell, double steep);

// Heights around a circle that are above `least` and the highest within 8 of them on either side.
int32_t dune_ring_arms(const double* ring, int32_t count, double least);
