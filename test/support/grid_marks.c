// SPDX-License-Identifier: MIT
#include "support/grid_marks.h"

#include "support/spectrum.h"

#include <math.h>

double grid_marks_axes(const float* values, int32_t size)
{
    spectrum_band all = spectrum_ring(values, size, 2.0, 2.9, 90.0);
    spectrum_band axes = spectrum_ring(values, size, 2.0, 2.9, 12.0);
    return axes.mean / all.mean;
}

double grid_marks_rms(const float* values, int32_t size)
{
    return sqrt(spectrum_ring(values, size, 2.0, 2.9, 90.0).sum);
}

// ---- lines -------------------------------------------------------------------------------------

// Mean second difference across row `at` of `count` rows; rows are `stride` apart, cells `step`.
static double grid_bend(const float* values, int32_t length, int32_t step, int32_t stride,
                        int32_t at)
{
    double sum = 0.0;
    for (int32_t i = 0; i < length; ++i)
    {
        const float* v = values + i * step + at * stride;
        sum += fabs((double)v[-stride] - 2.0 * (double)v[0] + (double)v[stride]);
    }
    return sum / length;
}

// Add the bend of row `at`, and the mean of those beside it.
static void grid_add_line(const float* values, int32_t length, int32_t step, int32_t stride,
                          int32_t at, double sums[2])
{
    double beside = 0.0;
    double rows = 0.0;
    for (int32_t k = 2; k <= 4; ++k)
    {
        beside += grid_bend(values, length, step, stride, at + k);
        beside += k < at ? grid_bend(values, length, step, stride, at - k) : 0.0;
        rows += k < at ? 2.0 : 1.0;
    }
    sums[0] += 0.25 * grid_bend(values, length, step, stride, at);
    sums[1] += 0.25 * beside / rows;
}

grid_line grid_marks_lines(const float* values, int32_t width, int32_t height)
{
    grid_line worst = {0};
    for (int32_t d = 4; d < (width < height ? width : height) / 2; d *= 2)
    {
        for (int32_t at = d - 1; at <= d; ++at)
        {
            double sums[2] = {0.0, 1e-6};
            grid_add_line(values, height, width, 1, at, sums);
            grid_add_line(values + width - 1, height, width, -1, at, sums);
            grid_add_line(values, width, 1, width, at, sums);
            grid_add_line(values + (height - 1) * width, width, 1, -width, at, sums);
            const double ratio = sums[0] / sums[1];
            worst = ratio > worst.ratio ? (grid_line){ratio, sums[0]} : worst;
        }
    }
    return worst;
}

// ---- runs --------------------------------------------------------------------------------------

// Sign of the second difference at a cell; 0 if it is small or there is little sand.
static int grid_sign(const float* ground, const float* sand, int32_t step)
{
    const double bend = (double)ground[-step] - 2.0 * (double)ground[0] + (double)ground[step];
    return sand[0] <= 0.3f || fabs(bend) <= 0.03 ? 0 : bend > 0.0 ? 1 : -1;
}

static int32_t grid_runs(const float* ground, const float* sand, int32_t count, int32_t step)
{
    int32_t cells = 0;
    int32_t run = 0;
    int before = 0;
    for (int32_t i = 1; i < count; ++i)
    {
        const int sign = i + 1 < count ? grid_sign(ground + i * step, sand + i * step, step) : 0;
        const int goes_on = sign != 0 && sign == -before;
        cells += !goes_on && run >= 4 ? run : 0;
        run = goes_on ? run + 1 : sign != 0;
        before = sign;
    }
    return cells;
}

double grid_marks_alternating(const float* ground, const float* sand, int32_t width, int32_t height)
{
    int32_t covered = 0;
    int32_t along = 0;
    int32_t across = 0;
    for (int32_t i = 0; i < width * height; ++i)
    {
        covered += sand[i] > 0.3f;
    }
    for (int32_t y = 0; y < height; ++y)
    {
        along += grid_runs(ground + y * width, sand + y * width, width, 1);
    }
    for (int32_t x = 0; x < width; ++x)
    {
        across += grid_runs(ground + x, sand + x, height, width);
    }
    return (double)(along > across ? along : across) / (covered > 0 ? covered : 1);
}
