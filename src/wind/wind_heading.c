// SPDX-License-Identifier: MIT
#include "core/dmath.h"
#include "wind/wind_internal.h"

wind_heading wadi_wind_heading(double direction)
{
    // from north (0) it blows south, and rows run to the south
    const double angle = direction * (3.14159265358979323846 / 180.0);
    return (wind_heading){(float)-wadi_sin(angle), (float)wadi_cos(angle)};
}
