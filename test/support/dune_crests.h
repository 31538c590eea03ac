// SPDX-License-Identifier: MIT
// Crest direction from the structure tensor of a periodic surface, low-passed at 3 cells. Tensors
// of several times and maps may be summed.
#pragma once

#include <wadi/wadi.h>

typedef struct dune_crests
{
    double xx; // sums of products of slopes: x east, y south
    double xy;
    double yy;
} dune_crests;

void dune_crests_add(dune_crests* crests, const wadi_terrain* terrain);

// Angle from the direction (x, y) to the normal of the crests, -90 to 90 [degree].
double dune_crests_turn(const dune_crests* crests, double x, double y);
// Anisotropy: 0 none, 1 straight ridges.
double dune_crests_order(const dune_crests* crests);

// The rule of Rubin & Hunter (1987) for two winds `between` degrees apart, of which the first moves
// `ratio` times as much sand: the normal of crests with the largest gross transport across them,
// from the bisector towards the second wind, -90 to 90 [degree].
double dune_crests_rule(double between, double ratio);

// Quantile `share` of the descent along (x, y) over all cells [degree].
double dune_descent(const wadi_terrain* terrain, double x, double y, double share);
