// SPDX-License-Identifier: MIT
// What tells one dune from another: measures of a single part of a map of sand (dune_parts.h). A
// wind blows along (x, y): x east, y south.
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

// How far sand of a quarter of the summit's height reaches from the middle: the farthest over the
// nearest of 24 directions. A circle has 1, a square 1.41, one with a hole in its middle infinity.
double dune_shape_roundness(const dune_map* map, const dune_part* part);

// How far the horns lie ahead of the middle [cells]: mean front of the outer fifths of the width
// less that of the middle fifth.
double dune_shape_horns(const dune_map* map, const dune_parts* parts, const dune_part* part);

// Arms: directions from the middle in which the sand is highest, at a distance [cells].
int32_t dune_shape_arms(const dune_map* map, const dune_part* part, double radius);

// Share of the cells with sand whose slope exceeds an angle of tangent `steep`.
double dune_shape_steep(const dune_map* map, double cell, double steep);
