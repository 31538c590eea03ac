// SPDX-License-Identifier: MIT
// Which way crests run: the structure tensor of the surface of a torus, low-passed at 3 cells. Sums
// over several moments and maps are surer than one.
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

// The descent along (x, y) that a share of the cells stays below [degree].
double dune_descent(const wadi_terrain* terrain, double x, double y, double share);
