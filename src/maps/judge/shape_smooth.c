// SPDX-License-Identifier: MIT
// Gaussian means, samples between cells and gradients of maps.
#include "core/dmath.h"
#include "maps/judge/dune_shapes_internal.h"

enum
{
    SMOOTH_MOST = 256, // cells to either side
    SMOOTH_GRAIN = 16  // rows of a block
};

typedef struct smooth_job
{
    const shape_grid* grid;
    const float* in;
    float* out;
    int32_t step; // 1: along rows, 0: along columns
    int32_t reach;
    double weights[SMOOTH_MOST + 1];
} smooth_job;

static double smooth_mean(const smooth_job* job, int32_t x, int32_t y)
{
    double sum = 0.0;
    double weight = 0.0;
    for (int32_t k = -job->reach; k <= job->reach; ++k)
    {
        const int32_t at = shape_index(job->grid, x + k * job->step, y + k * (1 - job->step));
        const double value = at >= 0 ? (double)job->in[at] : (double)NAN;
        const double w = job->weights[k < 0 ? -k : k];
        sum += isnan(value) ? 0.0 : w * value;
        weight += isnan(value) ? 0.0 : w;
    }
    return sum / weight;
}

static void smooth_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const smooth_job* job = user;
    const int32_t width = job->grid->width;
    for (int32_t i = begin * width; i < end * width; ++i)
    {
        job->out[i] = isnan(job->in[i]) ? NAN : (float)smooth_mean(job, i % width, i / width);
    }
}

static void smooth_axis(smooth_job* job, double sigma, int32_t step, const float* in, float* out)
{
    const double cells = sigma / (step == 1 ? job->grid->dx : job->grid->dy);
    const double reach = ceil(3.0 * cells);
    job->reach = reach > SMOOTH_MOST ? SMOOTH_MOST : (int32_t)reach;
    for (int32_t k = 0; k <= job->reach; ++k)
    {
        job->weights[k] = cells > 0.0 ? wadi_exp(-0.5 * k * k / (cells * cells)) : 1.0;
    }
    job->step = step;
    job->in = in;
    job->out = out;
    wadi_parallel_rows(job->grid->context, job->grid->height, SMOOTH_GRAIN, smooth_rows, job);
}

wadi_result wadi_shape_smooth(const shape_grid* grid, const float* in, double sigma, float* out)
{
    float* between;
    WADI_ALLOC(grid->context, between, grid->cells, "a smoothed map");
    smooth_job job = {.grid = grid};
    smooth_axis(&job, sigma, 1, in, between);
    smooth_axis(&job, sigma, 0, between, out);
    wadi_free(grid->context, between);
    return WADI_OK;
}

double wadi_shape_sample(const shape_grid* grid, const float* map, double x, double y)
{
    const int32_t column = (int32_t)floor(x);
    const int32_t row = (int32_t)floor(y);
    double sum = 0.0;
    for (int32_t k = 0; k < 4; ++k)
    {
        const double wx = (k & 1) != 0 ? x - column : 1.0 - (x - column);
        const double wy = (k & 2) != 0 ? y - row : 1.0 - (y - row);
        const int32_t at = shape_index(grid, column + (k & 1), row + (k >> 1));
        const double value = at >= 0 ? (double)map[at] : (double)NAN;
        sum += wx * wy > 0.0 ? wx * wy * value : 0.0;
    }
    return sum;
}

bool wadi_shape_gradient(const shape_grid* grid, const float* map, int32_t cell, shape_place* out)
{
    double value[4];
    for (int32_t k = 0; k < 4; ++k)
    {
        const int32_t at = shape_neighbour(grid, cell, 2 * k);
        value[k] = at >= 0 ? (double)map[at] : (double)NAN;
    }
    *out = (shape_place){(value[1] - value[3]) / (2.0 * grid->dx),
                         (value[0] - value[2]) / (2.0 * grid->dy)};
    return !isnan(out->x) && !isnan(out->y);
}
