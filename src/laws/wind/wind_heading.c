// SPDX-License-Identifier: MIT
#include "laws/wind/wind_heading.h"
#include "core/dmath.h"

// Cut off the rounding of pi, so that a wind along an axis has no component across it.
static float heading_part(double part)
{
    return part < 1e-9 && part > -1e-9 ? 0.0f : (float)part;
}

wind_heading wadi_wind_heading(double direction)
{
    // a wind from north (0) blows south, in the direction of growing rows
    const double angle = direction * (3.14159265358979323846 / 180.0);
    return (wind_heading){heading_part(-wadi_sin(angle)), heading_part(wadi_cos(angle))};
}
