// SPDX-License-Identifier: MIT
// Measures of a dune field, as used in the literature.
#pragma once

#include <wadi/wadi.h>

typedef struct dune_measures
{
    double height;      // sqrt(12) x standard deviation of the surface [m]
    double spacing;     // first peak of the autocorrelation along the wind [m]; 0: none
    double stoss;       // mean angle of slopes that rise downwind [degree]
    double stoss_p95;   // [degree]
    double lee;         // mean angle of slopes that fall downwind [degree]
    double lee_p90;     // [degree]
    double lee_p95;     // [degree]
    double skew;        // of the downwind slope; negative: lees are steeper
    double crest_error; // angle between the crests and the normal to the wind [degree]
    double order;       // anisotropy of the slopes: 0 none, 1 straight ridges
} dune_measures;

// Measure the surface of a torus, for a wind that blows along (x, y): x east, y south.
dune_measures dunes_measure(const wadi_terrain* terrain, double x, double y);

// Heights of all cells minus their mean [m]; free with test_free().
double* dunes_levels(const wadi_terrain* terrain);

// Downwind migration of a periodic surface since the heights `before` [m]: the lag up to `reach`
// with the best correlation.
double dunes_shift(const double* before, const wadi_terrain* after, double x, double y,
                   double reach);

// Steepest descent from a cell to one of its eight neighbours [degree], without cells at the edges.
double dunes_steepest(const wadi_terrain* terrain);
