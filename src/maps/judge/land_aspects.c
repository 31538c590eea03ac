// SPDX-License-Identifier: MIT
// Aspects of slopes, as traces of the grid in slopes and as facets of deposits. They are in cells:
// slopes along a diagonal of oblong cells count as 45 degrees.
#include "maps/judge/land_forms_internal.h"

enum
{
    ASPECTS_FEW = 100 // fewer cells have no harmonic
};

static const double aspects_thick = 0.5; // least deposit [m]

// Which cells count.
typedef struct aspects_choice
{
    const float* before; // NULL: all cells, otherwise those that were raised
    ptrdiff_t stride;
    double least; // tangent of the slope
} aspects_choice;

static double aspects_height(const land_grid* grid, int32_t x, int32_t y)
{
    return (double)grid->z[(int64_t)y * grid->width + x];
}

static bool aspects_counts(const land_grid* grid, const aspects_choice* choice, int32_t x,
                           int32_t y)
{
    const double z = aspects_height(grid, x, y);
    return choice->before == NULL
               ? !isnan(z)
               : z - (double)choice->before[y * choice->stride + x] > aspects_thick;
}

// Add exp(8 i aspect) of a cell, of the gradient after Horn (1981).
static void aspects_add(const land_grid* grid, double least, int32_t x, int32_t y, double sum[3])
{
    double gx = 0.0;
    double gy = 0.0;
    for (int32_t k = -1; k <= 1; ++k)
    {
        const double weight = k == 0 ? 0.25 : 0.125;
        gx += weight * (aspects_height(grid, x + 1, y + k) - aspects_height(grid, x - 1, y + k));
        gy += weight * (aspects_height(grid, x + k, y + 1) - aspects_height(grid, x + k, y - 1));
    }
    const double slope = sqrt(gx * gx / (grid->dx * grid->dx) + gy * gy / (grid->dy * grid->dy));
    if (slope > least) // false for NaN
    {
        const double angle = 8.0 * wadi_atan2(gy, gx);
        sum[0] += wadi_cos(angle);
        sum[1] += wadi_sin(angle);
        sum[2] += 1.0;
    }
}

// Length of the mean: 0 if slopes face all ways alike, 1 if all face one of eight ways that are 45
// degrees apart.
static double aspects_harmonic(const land_grid* grid, const aspects_choice* choice)
{
    double sum[3] = {0.0, 0.0, 0.0};
    for (int32_t y = 1; y < grid->height - 1; ++y)
    {
        for (int32_t x = 1; x < grid->width - 1; ++x)
        {
            if (aspects_counts(grid, choice, x, y))
            {
                aspects_add(grid, choice->least, x, y, sum);
            }
        }
    }
    return sum[2] >= ASPECTS_FEW ? sqrt(sum[0] * sum[0] + sum[1] * sum[1]) / sum[2] : (double)NAN;
}

void wadi_land_aspects(const land_grid* grid, const wadi_land* land, wadi_land_forms* out)
{
    const aspects_choice all = {.least = 0.08748866352592401}; // 5 degrees
    out->aspect_harmonic = aspects_harmonic(grid, &all);
    if (land->before != NULL)
    {
        const aspects_choice deposits = {
            .before = land->before, .stride = land->surface.stride, .least = 0.01};
        out->facets = aspects_harmonic(grid, &deposits);
    }
}
