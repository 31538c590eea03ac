// SPDX-License-Identifier: MIT
#include "plain_airflow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int64_t plain_at(const plain_airflow* air, int64_t x, int64_t y)
{
    const int64_t column = (x % air->width + air->width) % air->width;
    const int64_t row = (y % air->height + air->height) % air->height;
    return row * air->width + column;
}

// ---- turning ------------------------------------------------------------------------------------

// One way of a separable Gaussian, three standard deviations to either side; none of radius 0.
static void plain_smooth(const plain_airflow* air, const double* from, double radius, int32_t dx,
                         int32_t dy, double* to)
{
    const double sigma = 0.5 * radius / air->cell;
    const int32_t reach = (int32_t)ceil(3.0 * sigma);
    for (int64_t cell = 0; cell < (int64_t)air->width * air->height; ++cell)
    {
        double sum = 0.0;
        double weights = 0.0;
        for (int32_t k = -reach; k <= reach; ++k)
        {
            const double weight = k == 0 ? 1.0 : exp(-0.5 * k * k / (sigma * sigma));
            const int64_t x = cell % air->width + (int64_t)k * dx;
            const int64_t y = cell / air->width + (int64_t)k * dy;
            sum += weight * from[plain_at(air, x, y)];
            weights += weight;
        }
        to[cell] = sum / weights;
    }
}

// Add the contribution of one scale to the wind (wx, wy) of a cell. Its part along the contours
// falls to 0 for wind within 10 degrees of the slope's direction: docs/wind-field.md.
static void plain_turn(const plain_airflow* air, const double* smooth, int64_t cell, int32_t scale,
                       double wx, double wy, double* x, double* y)
{
    const int64_t column = cell % air->width;
    const int64_t row = cell / air->width;
    const double gx =
        (smooth[plain_at(air, column + 1, row)] - smooth[plain_at(air, column - 1, row)]) /
        (2.0 * air->cell);
    const double gy =
        (smooth[plain_at(air, column, row + 1)] - smooth[plain_at(air, column, row - 1)]) /
        (2.0 * air->cell);
    const double slope = fmax(hypot(gx, gy), 1e-12);
    const double speed = hypot(wx, wy);
    const double tx = -gy / slope;
    const double ty = gx / slope;
    const double head_on = sin(10.0 * 3.14159265358979323846 / 180.0);
    const double side = fmin(1.0, fmax(-1.0, (wx * tx + wy * ty) / (speed * head_on)));
    const double less = fmin(slope, 0.8);
    const double along = less * fmin(slope, 1.0) * side * air->warp * air->turn[scale];
    x[cell] += air->share[scale] * ((1.0 - less) * wx + along * tx);
    y[cell] += air->share[scale] * ((1.0 - less) * wy + along * ty);
}

// Speed by height above the mean, within half and twice the wind aloft.
static double plain_gain(const plain_airflow* air, int64_t cell, double mean)
{
    return fmin(2.0, fmax(0.5, 1.0 + air->speedup * (air->level[cell] - mean)));
}

static double plain_mean(const plain_airflow* air)
{
    double sum = 0.0;
    for (int64_t cell = 0; cell < (int64_t)air->width * air->height; ++cell)
    {
        sum += air->level[cell];
    }
    return sum / ((double)air->width * air->height);
}

void plain_airflow_wind(const plain_airflow* air, double speed, double ex, double ey, double* x,
                        double* y)
{
    const int64_t cells = (int64_t)air->width * air->height;
    const double mean = plain_mean(air);
    double* half = malloc((size_t)cells * sizeof *half);
    double* smooth = malloc((size_t)cells * sizeof *smooth);
    memset(x, 0, (size_t)cells * sizeof *x);
    memset(y, 0, (size_t)cells * sizeof *y);
    for (int32_t scale = 0; scale < 2; ++scale)
    {
        plain_smooth(air, air->level, air->radius[scale], 1, 0, half);
        plain_smooth(air, half, air->radius[scale], 0, 1, smooth);
        for (int64_t cell = 0; cell < cells; ++cell)
        {
            const double wind = speed * plain_gain(air, cell, mean);
            plain_turn(air, smooth, cell, scale, wind * ex, wind * ey, x, y);
        }
    }
    for (int64_t cell = 0; cell < cells; ++cell)
    {
        const double wind = speed * plain_gain(air, cell, mean) / hypot(x[cell], y[cell]);
        x[cell] *= wind;
        y[cell] *= wind;
    }
    free(smooth);
    free(half);
}

// ---- shelter ------------------------------------------------------------------------------------

static double plain_level(const plain_airflow* air, double x, double y)
{
    const double fx = floor(x);
    const double fy = floor(y);
    double sum = 0.0;
    for (int corner = 0; corner < 4; ++corner)
    {
        const int32_t dx = corner & 1;
        const int32_t dy = corner >> 1;
        const double weight = fabs(1.0 - dx - (x - fx)) * fabs(1.0 - dy - (y - fy));
        sum += weight * air->level[plain_at(air, (int64_t)fx + dx, (int64_t)fy + dy)];
    }
    return sum;
}

// March upwind in steps of half a cell and keep the steepest view.
double plain_airflow_shelter(const plain_airflow* air, int64_t cell, double ex, double ey)
{
    const double degree = 3.14159265358979323846 / 180.0;
    const double x = (double)(cell % air->width);
    const double y = (double)(cell / air->width);
    double steepest = 0.0;
    for (double way = 0.5; way < 120.0; way += 0.5)
    {
        const double rise = plain_level(air, x - way * ex, y - way * ey) - air->level[cell];
        steepest = fmax(steepest, rise / (way * air->cell));
    }
    const double begin = tan(10.0 * degree);
    const double full = tan(15.0 * degree);
    return fmin(1.0, fmax(0.0, (steepest - begin) / (full - begin)));
}
