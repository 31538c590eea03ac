// SPDX-License-Identifier: MIT
// Potential sand transport of a wind course and its directional variability.
#pragma once

#include "laws/wind/wind_course.h"

// Drift potential of Fryberger & Dean (1979): the sum of U^2 (U - U_t) x share of the time, with
// speeds in knots at 10 m. RDP is the length of the vector sum.
typedef struct wind_drift
{
    double potential; // DP [vector units]: below 200 low, above 400 high energy
    double resultant; // RDP [vector units]
    double ratio;     // RDP / DP: 1 one direction, below 0.3 many
    double direction; // RDD, TOWARDS which sand drifts, clockwise from north [degree]
} wind_drift;

// For the current era. `threshold` [m/s] at 10 m; Fryberger's is 12 knots = 6.17 m/s.
wind_drift wadi_wind_drift(const wind_course* course, double threshold);

// Sand transport of a wind over its duration, up to a common factor.
double wadi_wind_sand(const wind_spell* spell, double threshold);

// Crests that lie across the maximum gross transport (Rubin & Hunter 1987).
typedef struct wind_crests
{
    double gross;  // transport across them, forwards and backwards
    double net;    // the same, forwards less backwards
    double normal; // azimuth across them, in [0, 180) [degree]
} wind_crests;

// All 0 if no wind moves sand.
wind_crests wadi_wind_crests(const wind_spell* spells, int32_t count, double threshold);

// Factor that converts a wind speed from `height` [m] above ground of aerodynamic roughness
// `roughness` [m] to 10 m, on the logarithmic profile; 1 at 10 m.
double wadi_wind_gain(double height, double roughness);

// Shear velocity [m/s] of a wind measured at `height`: kappa U / ln(height / roughness).
double wadi_wind_shear_velocity(double speed, double height, double roughness);
