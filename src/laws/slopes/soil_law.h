// SPDX-License-Identifier: MIT
// Laws of soil that the process "soil", the source "soil" and the weathering of "talus" share.
#pragma once

#include "core/dmath.h"

#include <math.h>

static const double soil_steepest = 0.95;  // greatest S / Sc of the law of creep
static const double soil_bare_from = 0.84; // tangents of 40 and 55 degrees: soil to bare rock
static const double soil_bare_to = 1.43;

// Diffusivity of creep on a slope S, nonlinear (Roering et al. 1999): K / (1 - (S / Sc)^2).
static inline double soil_diffusivity(double creep, double critical, double slope)
{
    const double s = fmin(soil_steepest, slope / critical);
    return creep / (1.0 - s * s);
}

// Share of the ground that is too steep for soil, by the tangent of its slope.
static inline double soil_bare(double slope)
{
    const double t = (slope - soil_bare_from) / (soil_bare_to - soil_bare_from);
    const double s = fmin(1.0, fmax(0.0, t));
    return s * s * (3.0 - 2.0 * s);
}

// ln(1 + z) for z >= 0; for small z the series, as 1 + z would lose precision. Production under
// cover H at the rate P exp(-H / H0) (Heimsath et al. 1997) adds H0 ln(1 + z) in the time t, where
// z = (P t / H0) exp(-H / H0): exact, for any t.
static inline float soil_log1p(float z)
{
    const float series = z * (1.0f - z * (0.5f - z * (1.0f / 3.0f)));
    return z < 0.01f ? series : 0.69314718f * wadi_log2f(1.0f + z);
}
