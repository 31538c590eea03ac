// SPDX-License-Identifier: MIT
// Ground smoothed to two scales at once, by one pyramid that keeps every cell: level after level
// the cubic B-spline with its taps twice as far apart (the "algorithme a trous" of wavelets). A
// level at spacing s adds s^2 to the variance, so radii between two levels are a blend of them;
// four convolved boxes are within 2 % of a Gaussian of that variance (test_airflow.c).
//
// A coarser grid would cost a third of it, but then what is rolled by one cell would not give what
// is rolled: dunes on a torus must not know where its seam is.
#include "airflow/airflow_internal.h"

typedef struct smooth_job
{
    wadi_airflow* flow;
    const float* from;
    float* to;
    int32_t spacing;
    float* scale[AIRFLOW_SCALES]; // NULL: not between these two levels
    float share[AIRFLOW_SCALES];  // of the coarser one
} smooth_job;

// Variance when `level` of them are done [cells^2].
static double smooth_variance(int32_t level)
{
    double power = 1.0;
    for (int32_t i = 0; i < level; ++i)
    {
        power *= 4.0;
    }
    return (power - 1.0) / 3.0;
}

static int32_t smooth_levels(double sigma)
{
    int32_t level = 1;
    while (smooth_variance(level) < sigma * sigma)
    {
        ++level;
    }
    return level;
}

// Standard deviation of a scale [cells]: half of its radius, and no more than the grid is wide.
static double smooth_sigma(const wadi_airflow* flow, int32_t scale)
{
    const wadi_ground* ground = flow->ground;
    const double radius = scale == AIRFLOW_WIDE ? flow->law.warp_wide : flow->law.warp_narrow;
    const double longest = ground->width > ground->height ? ground->width : ground->height;
    const double sigma = 0.5 * radius / ground->cell_size;
    return sigma < longest ? sigma : longest;
}

int32_t airflow_smooth_reach(const wadi_airflow* flow)
{
    const double wide = smooth_sigma(flow, AIRFLOW_WIDE);
    const double narrow = smooth_sigma(flow, AIRFLOW_NARROW);
    return smooth_levels(wide > narrow ? wide : narrow);
}

// A value beyond an open edge: on the straight line through the edge, so that a plane keeps its
// slope; or, where voids are weighed, that of the edge itself, so that no weight is negative.
static inline float smooth_beyond(const wadi_airflow* flow, float edge, float mirror)
{
    return flow->weight[0] == NULL ? 2.0f * edge - mirror : edge;
}

static inline int32_t smooth_nearest(int32_t index, int32_t count)
{
    return index < 0 ? 0 : index < count ? index : count - 1;
}

static inline int32_t smooth_wrapped(int32_t index, int32_t count)
{
    return (index % count + count) % count;
}

// Row `y` of a grid that goes on beyond its edges; `spare` is where such a row is made.
static const float* smooth_row(const smooth_job* job, int32_t y, float* spare)
{
    const wadi_airflow* flow = job->flow;
    const int32_t width = flow->ground->width;
    const int32_t height = flow->ground->height;
    if (flow->wrap_y || (y >= 0 && y < height))
    {
        return job->from + (int64_t)smooth_wrapped(y, height) * width;
    }
    const int32_t edge = smooth_nearest(y, height);
    const int32_t mirror = smooth_nearest(2 * edge - y, height);
    const float* at_edge = job->from + (int64_t)edge * width;
    const float* at_mirror = job->from + (int64_t)mirror * width;
    for (int32_t x = 0; x < width; ++x)
    {
        spare[x] = smooth_beyond(flow, at_edge[x], at_mirror[x]);
    }
    return spare;
}

// Let a row go on for `reach` cells on either side.
static void smooth_extend(const wadi_airflow* flow, float* row, int32_t reach)
{
    const int32_t width = flow->ground->width;
    const int32_t last = width - 1;
    for (int32_t k = 1; k <= reach; ++k)
    {
        if (flow->wrap_x)
        {
            row[-k] = row[smooth_wrapped(-k, width)];
            row[last + k] = row[smooth_wrapped(last + k, width)];
        }
        else
        {
            row[-k] = smooth_beyond(flow, row[0], row[smooth_nearest(k, width)]);
            row[last + k] = smooth_beyond(flow, row[last], row[smooth_nearest(last - k, width)]);
        }
    }
}

static void smooth_blend(const smooth_job* job, int64_t first)
{
    for (int32_t s = 0; s < AIRFLOW_SCALES; ++s)
    {
        const float share = job->share[s];
        for (int64_t i = first; job->scale[s] != NULL && i < first + job->flow->ground->width; ++i)
        {
            job->scale[s][i] = job->from[i] + share * (job->to[i] - job->from[i]);
        }
    }
}

static void smooth_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const smooth_job* job = user;
    const wadi_airflow* flow = job->flow;
    const int32_t width = flow->ground->width;
    float* wide = airflow_scratch(flow, worker, AIRFLOW_TAPS);
    for (int32_t y = begin; y < end; ++y)
    {
        const float* rows[AIRFLOW_TAPS];
        for (int32_t tap = 0; tap < AIRFLOW_TAPS; ++tap)
        {
            rows[tap] =
                smooth_row(job, y + (tap - 2) * job->spacing, airflow_scratch(flow, worker, tap));
        }
        const int64_t first = (int64_t)y * width;
        flow->kernels->across(rows, width, wide);
        smooth_extend(flow, wide, 2 * job->spacing);
        flow->kernels->along(wide, job->spacing, width, job->to + first);
        smooth_blend(job, first);
    }
}

void airflow_smooth(wadi_airflow* flow, float* const to[AIRFLOW_SCALES])
{
    const float* from = flow->height;
    for (int32_t level = 0; level < flow->levels; ++level)
    {
        smooth_job job = {flow,       from,         flow->room[level % 2],
                          1 << level, {NULL, NULL}, {0.0f, 0.0f}};
        const double before = smooth_variance(level);
        const double after = smooth_variance(level + 1);
        for (int32_t s = 0; s < AIRFLOW_SCALES; ++s)
        {
            const double sigma = smooth_sigma(flow, s);
            if (smooth_levels(sigma) == level + 1)
            {
                job.scale[s] = to[s];
                job.share[s] = (float)((sigma * sigma - before) / (after - before));
            }
        }
        wadi_parallel_rows(flow->context, flow->ground->height, AIRFLOW_GRAIN, smooth_rows, &job);
        from = job.to;
    }
}
