// SPDX-License-Identifier: MIT
// Segmentation of a map into single forms: connected regions above a level (also across a periodic
// edge).
#pragma once

#include <stdint.h>

typedef struct dune_part
{
    int32_t first; // first cell found
    int32_t cells;
    double height; // highest value above the level
    double x; // centre of mass above the level, in cells from the western edge; may lie beyond the
              // edges
    double y;
    double spread; // ratio of the longer to the shorter standard deviation
} dune_part;

typedef struct dune_parts
{
    dune_part* parts; // from largest to smallest
    int32_t count;
    int32_t* label; // per cell: `first` of its part, or -1
} dune_parts;

// Connected parts (8 neighbours) of at least `least` cells whose values exceed `level`.
dune_parts dune_parts_of(const double* values, int32_t width, int32_t height, double level,
                         int32_t least);
void dune_parts_free(dune_parts* parts);

// Median of the heights.
double dune_parts_median(const dune_parts* parts);
