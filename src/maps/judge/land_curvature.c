// SPDX-License-Identifier: MIT
// Curvature of the smoothed ground.
#include "maps/judge/land_forms_internal.h"

enum
{
    CURVATURE_REACH = 4, // cells to each side of the Gaussian of one cell
    CURVATURE_RIM = 8    // steps from the rim and from voids: the curvature there is left out
};

typedef struct curvature_smooth
{
    const land_grid* grid;
    double weight[CURVATURE_REACH + 1];
    double* columns; // smoothed along columns
    double* both;    // and along rows
    int16_t* inside; // steps to the rim or to a void, along rows and columns
} curvature_smooth;

// Index that a border mirrors: -1 becomes 0.
static int32_t curvature_mirror(int32_t i, int32_t size)
{
    const int32_t period = 2 * size;
    const int32_t at = ((i % period) + period) % period;
    return at < size ? at : period - 1 - at;
}

static void curvature_convolve(const curvature_smooth* s, const double* from, double* to,
                               bool along_row)
{
    const land_grid* grid = s->grid;
    for (int32_t y = 0; y < grid->height; ++y)
    {
        for (int32_t x = 0; x < grid->width; ++x)
        {
            double sum = 0.0;
            for (int32_t k = -CURVATURE_REACH; k <= CURVATURE_REACH; ++k)
            {
                const int32_t column = along_row ? curvature_mirror(x + k, grid->width) : x;
                const int32_t row = along_row ? y : curvature_mirror(y + k, grid->height);
                sum += s->weight[k < 0 ? -k : k] * from[(int64_t)row * grid->width + column];
            }
            to[(int64_t)y * grid->width + x] = sum;
        }
    }
}

// Smooth by a Gaussian with a deviation of one cell; voids have the mean height.
static void curvature_blur(curvature_smooth* s)
{
    const land_grid* grid = s->grid;
    double sum = 0.0;
    for (int32_t k = -CURVATURE_REACH; k <= CURVATURE_REACH; ++k)
    {
        sum += wadi_exp(-0.5 * k * k);
    }
    for (int32_t k = 0; k <= CURVATURE_REACH; ++k)
    {
        s->weight[k] = wadi_exp(-0.5 * k * k) / sum;
    }
    double mean = 0.0;
    for (int64_t i = 0; i < grid->cells; ++i)
    {
        mean += isnan(grid->z[i]) ? 0.0 : (double)grid->z[i] / (double)grid->valid;
    }
    for (int64_t i = 0; i < grid->cells; ++i)
    {
        s->both[i] = isnan(grid->z[i]) ? mean : (double)grid->z[i];
    }
    curvature_convolve(s, s->both, s->columns, false);
    curvature_convolve(s, s->columns, s->both, true);
}

static int16_t curvature_nearer(const curvature_smooth* s, int32_t x, int32_t y)
{
    const land_grid* grid = s->grid;
    const bool outside = x < 0 || y < 0 || x >= grid->width || y >= grid->height;
    const int16_t steps = outside ? 0 : s->inside[(int64_t)y * grid->width + x];
    return (int16_t)(steps < CURVATURE_RIM + 1 ? steps + 1 : steps);
}

// Steps to the nearest void or border, no more than needed, in two sweeps.
static void curvature_find_inside(curvature_smooth* s)
{
    const land_grid* grid = s->grid;
    for (int sweep = 0; sweep < 2; ++sweep)
    {
        const int32_t back = sweep == 0 ? -1 : 1;
        for (int64_t q = 0; q < grid->cells; ++q)
        {
            const int64_t i = sweep == 0 ? q : grid->cells - 1 - q;
            const int32_t x = (int32_t)(i % grid->width);
            const int32_t y = (int32_t)(i / grid->width);
            const int16_t a = curvature_nearer(s, x + back, y);
            const int16_t b = curvature_nearer(s, x, y + back);
            const int16_t least = a < b ? a : b;
            const int16_t here = sweep == 0 ? least : s->inside[i];
            s->inside[i] = (int16_t)(isnan(grid->z[i]) ? 0 : here < least ? here : least);
        }
    }
}

static double curvature_laplacian(const curvature_smooth* s, int64_t i)
{
    const land_grid* grid = s->grid;
    const double* g = s->both;
    const double xx = (g[i - 2] - 2.0 * g[i] + g[i + 2]) / (4.0 * grid->dx * grid->dx);
    const int64_t row = 2 * (int64_t)grid->width;
    const double yy = (g[i - row] - 2.0 * g[i] + g[i + row]) / (4.0 * grid->dy * grid->dy);
    return xx + yy;
}

static double curvature_skewness(const curvature_smooth* s)
{
    const int64_t cells = s->grid->cells;
    double count = 0.0;
    double mean = 0.0;
    double moment[2] = {0.0, 0.0};
    for (int pass = 0; pass < 2; ++pass)
    {
        for (int64_t i = 0; i < cells; ++i)
        {
            if (s->inside[i] <= CURVATURE_RIM)
            {
                continue;
            }
            const double laplacian = curvature_laplacian(s, i);
            const double u = laplacian - mean;
            count += pass == 0 ? 1.0 : 0.0;
            moment[0] += pass == 0 ? laplacian : u * u;
            moment[1] += pass == 0 ? 0.0 : u * u * u;
        }
        mean = moment[0] / fmax(1.0, count);
        moment[0] = pass == 0 ? 0.0 : mean;
    }
    const double variance = moment[0];
    return count >= 100.0 && variance > 0.0 ? moment[1] / count / (variance * sqrt(variance))
                                            : (double)NAN;
}

static wadi_result curvature_curve(curvature_smooth* s, wadi_land_forms* out)
{
    const land_grid* grid = s->grid;
    WADI_ALLOC(grid->context, s->columns, grid->cells, "a smoothed ground");
    WADI_ALLOC(grid->context, s->both, grid->cells, "a smoothed ground");
    WADI_ALLOC(grid->context, s->inside, grid->cells, "a smoothed ground");
    curvature_blur(s);
    curvature_find_inside(s);
    out->curvature_skew = curvature_skewness(s);
    return WADI_OK;
}

wadi_result wadi_land_curvature(const land_grid* grid, wadi_land_forms* out)
{
    curvature_smooth smooth = {.grid = grid};
    const wadi_result result = curvature_curve(&smooth, out);
    wadi_free(grid->context, smooth.columns);
    wadi_free(grid->context, smooth.both);
    wadi_free(grid->context, smooth.inside);
    return result;
}
