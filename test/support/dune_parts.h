// SPDX-License-Identifier: MIT
// Single forms in a map: what lies above a level, in connected parts (over the seam of a torus
// too).
#pragma once

#include <stdint.h>

typedef struct dune_part
{
    int32_t first; // cell where it begins
    int32_t cells;
    double height; // highest value over the level
    double x;      // centre of mass over the level, in cells from the western edge; not folded
    double y;
    double spread; // ratio of the longer to the shorter standard deviation
} dune_part;

typedef struct dune_parts
{
    dune_part* parts; // from the largest to the smallest
    int32_t count;
    int32_t* label; // of each cell: `first` of its part, or -1
} dune_parts;

// Parts of at least `least` cells whose values exceed `level`. Neighbours share an edge or a
// corner.
dune_parts dune_parts_of(const double* values, int32_t width, int32_t height, double level,
                         int32_t least);
void dune_parts_free(dune_parts* parts);

// Median of the heights.
double dune_parts_median(const dune_parts* parts);
