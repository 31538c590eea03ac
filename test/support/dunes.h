// SPDX-License-Identifier: MIT
// Measures of a field of dunes, as research on dunes gives them.
#pragma once

#include <wadi/wadi.h>

typedef struct dune_measures
{
    double height;      // sqrt(12) x standard deviation of the surface [m]
    double spacing;     // first peak of the autocorrelation along the wind [m]; 0: none
    double stoss;       // mean angle of what rises along the wind [degree]
    double stoss_p95;   // [degree]
    double lee;         // mean angle of what falls [degree]
    double lee_p90;     // [degree]
    double lee_p95;     // [degree]
    double skew;        // of the slope along the wind: below 0 where lees are steeper
    double crest_error; // between the crests and a line across the wind [degree]
    double order;       // anisotropy of the slopes: 0 none, 1 straight ridges
} dune_measures;

// Measure the surface of a torus, for a wind that blows along (x, y): x east, y south.
dune_measures dunes_measure(const wadi_terrain* terrain, double x, double y);

// Heights of all cells less their mean [m], to be freed with test_free().
double* dunes_levels(const wadi_terrain* terrain);

// How far the surface of a torus has moved along the wind since it had the levels `before` [m]:
// the lag, up to `reach`, at which the two are most alike.
double dunes_shift(const double* before, const wadi_terrain* after, double x, double y,
                   double reach);

// The steepest descent from a cell to one of its eight neighbours [degree], off the rim.
double dunes_steepest(const wadi_terrain* terrain);
