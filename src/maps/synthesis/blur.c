// SPDX-License-Identifier: MIT
#include "maps/synthesis/blur.h"

#include <math.h>

enum
{
    BLUR_GRAIN = 16, // lines of a block
    BLUR_PASSES = 3
};

typedef struct blur_job
{
    float* values;
    int64_t count;  // cells of a line
    int64_t step;   // offset between cells
    int64_t stride; // offset between lines
    int64_t radius; // of the box [cells]
    bool wraps;
    double* sums; // one per worker
    int64_t sums_size;
} blur_job;

static int64_t blur_index(const blur_job* job, int64_t i)
{
    return job->wraps ? (i % job->count + job->count) % job->count
           : i < 0    ? 0
                      : (i < job->count ? i : job->count - 1);
}

// Box mean of one line from its running sum, extended beyond its ends.
static void blur_line(const blur_job* job, float* line, double* sum)
{
    sum[0] = 0.0;
    for (int64_t i = 0; i < job->count + 2 * job->radius; ++i)
    {
        sum[i + 1] = sum[i] + (double)line[blur_index(job, i - job->radius) * job->step];
    }
    const double cells = (double)(2 * job->radius + 1);
    for (int64_t i = 0; i < job->count; ++i)
    {
        line[i * job->step] = (float)((sum[i + 2 * job->radius + 1] - sum[i]) / cells);
    }
}

static void blur_lines(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const blur_job* job = user;
    for (int32_t line = begin; line < end; ++line)
    {
        for (int pass = 0; pass < BLUR_PASSES; ++pass)
        {
            blur_line(job, job->values + line * job->stride, job->sums + worker * job->sums_size);
        }
    }
}

// Three boxes of 2 r + 1 cells have the variance ((2 r + 1)^2 - 1) / 4.
static int64_t blur_radius(double deviation)
{
    return (int64_t)floor(0.5 * sqrt(4.0 * deviation * deviation + 1.0));
}

wadi_result wadi_synthesis_blur(const synthesis_grid* grid, double deviation, bool wraps)
{
    const int64_t longest = grid->width > grid->height ? grid->width : grid->height;
    const int64_t radius = blur_radius(fmin(deviation, (double)longest));
    if (radius == 0)
    {
        return WADI_OK;
    }
    const int64_t sums_size = longest + 2 * radius + 1;
    double* sums;
    WADI_ALLOC(grid->context, sums, sums_size * wadi_context_workers(grid->context), "a low-pass");
    blur_job rows = {grid->out, grid->width, 1, grid->width, radius, wraps, sums, sums_size};
    wadi_parallel_rows(grid->context, grid->height, BLUR_GRAIN, blur_lines, &rows);
    blur_job columns = {grid->out, grid->height, grid->width, 1, radius, wraps, sums, sums_size};
    wadi_parallel_rows(grid->context, grid->width, BLUR_GRAIN, blur_lines, &columns);
    wadi_free(grid->context, sums);
    return WADI_OK;
}
