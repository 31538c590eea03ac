// SPDX-License-Identifier: MIT
// Velocity of streams for the map of that name.
#include "core/dmath.h"
#include "processes/hydraulic/hydraulic_internal.h"

#include <math.h>

static const int32_t hydraulic_dx[8] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int32_t hydraulic_dy[8] = {0, 1, 1, 1, 0, -1, -1, -1};

// Slope of the steepest way down from a cell [m/m].
static float hydraulic_slope(const wadi_ground* ground, int32_t x, int32_t y)
{
    const int64_t cell = (int64_t)y * ground->width + x;
    const int32_t here = wadi_ground_surface(ground, cell);
    float steepest = 0.0f;
    for (int d = 0; d < 8; ++d)
    {
        const int32_t nx = x + hydraulic_dx[d];
        const int32_t ny = y + hydraulic_dy[d];
        const int64_t n = (int64_t)ny * ground->width + nx;
        if (nx < 0 || ny < 0 || nx >= ground->width || ny >= ground->height ||
            ground->valid[n] == 0)
        {
            continue;
        }
        const float fall = (float)(here - wadi_ground_surface(ground, n)) / WADI_UNITS_PER_METRE;
        const float slope = fall / ((float)ground->cell_size * ((d & 1) != 0 ? 1.41421356f : 1.0f));
        steepest = slope > steepest ? slope : steepest;
    }
    return steepest;
}

// Manning's law in a channel whose width is 4 sqrt(q) (Leopold & Maddock 1953), n = 0.04.
static float hydraulic_manning(float discharge, float slope)
{
    const double q = (double)discharge;
    if (q <= 0.0 || slope <= 0.0f)
    {
        return 0.0f;
    }
    const double width = 4.0 * sqrt(q);
    const double depth = wadi_pow(0.04 * q / (width * sqrt((double)slope)), 0.6);
    return (float)(q / (width * depth));
}

float wadi_hydraulic_velocity(const wadi_ground* ground, int64_t cell, float discharge)
{
    const int32_t x = (int32_t)(cell % ground->width);
    const int32_t y = (int32_t)(cell / ground->width);
    return ground->water[cell] > 0 ? 0.0f
                                   : hydraulic_manning(discharge, hydraulic_slope(ground, x, y));
}
