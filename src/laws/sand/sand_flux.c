// SPDX-License-Identifier: MIT
#include "laws/sand/sand_flux.h"

// Excess of the reference stress, as a square of a speed [m2/s2].
static const float sand_reference_square = 50.0f;
static const double sand_reference_wind = 10.0;  // [m/s] at which the flux is given
static const double sand_reference_excess = 0.5; // of that wind over a threshold of 7.07 m/s
static const double sand_least_excess = 0.1;

double wadi_sand_threshold(double threshold, double speed)
{
    const double ratio = threshold / speed;
    return ratio * ratio;
}

double wadi_sand_excess(double threshold, double speed)
{
    const double excess = 1.0 - wadi_sand_threshold(threshold, speed);
    return excess > sand_least_excess ? excess : sand_least_excess;
}

double wadi_sand_saturated(double flux, double threshold, double speed)
{
    const double share = speed / sand_reference_wind;
    return flux * share * share * wadi_sand_excess(threshold, speed) / sand_reference_excess;
}

float wadi_sand_relative(float reaches, float needed)
{
    return reaches > needed ? (reaches - needed) / sand_reference_square : 0.0f;
}
