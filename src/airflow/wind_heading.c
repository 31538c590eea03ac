// SPDX-License-Identifier: MIT
#include "airflow/wind_heading.h"
#include "core/dmath.h"

// A wind along an axis must not blow across it by the rounding of pi.
static float heading_part(double part)
{
    return part < 1e-9 && part > -1e-9 ? 0.0f : (float)part;
}

wind_heading wadi_wind_heading(double direction)
{
    // from north (0) it blows south, and rows run to the south
    const double angle = direction * (3.14159265358979323846 / 180.0);
    return (wind_heading){heading_part(-wadi_sin(angle)), heading_part(wadi_cos(angle))};
}
