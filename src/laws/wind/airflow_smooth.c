// SPDX-License-Identifier: MIT
// Smooths the ground to two scales by levels of five taps with growing spacing (the "algorithme a
// trous" of wavelets) on the full grid. The taps are those of the cubic B-spline, or variants with
// another variance so that a radius is met exactly. The wider scale continues from the narrower
// one. 15 levels make 25 and 100 cells.
//
// A coarser grid would cost a third as much, but shifting the ground by one cell would then not
// just shift the result: dunes on a torus must not depend on where its seam is.
#include "laws/wind/airflow_window.h"

#include <string.h>

typedef struct smooth_job
{
    wadi_airflow* flow;
    const float* from;
    float* to;
    int32_t spacing;
    smooth_taps taps;
    wadi_owned area; // the cells of the level
} smooth_job;

// Largest spacing of taps in units of the current standard deviation: 1.75, as in wavelets, makes
// the slope of a Gaussian dome 7 % too small, 1.4 2 %, 0.9 1 % at 1.5 times the cost.
static const double smooth_apart = 1.4;

// Taps with zero response at the Nyquist wavelength, so that the spacing leaves no pattern.
// Possible for variances from 0.5 (taps 1 2 1) to 1.5; 1 is the spline, 1 4 6 4 1.
static smooth_taps smooth_taps_of(double variance)
{
    const double near = variance < 0.5 ? 0.5 * variance : 0.25;
    const double far = variance < 0.5 ? 0.0 : (variance - 0.5) / 8.0;
    return (smooth_taps){(float)(1.0 - 2.0 * near - 2.0 * far), (float)near, (float)far};
}

// Next level after the variance `done`, with `left` to come [cells^2]; returns what it adds.
static double smooth_level(double done, double left, int32_t* spacing)
{
    *spacing = 1;
    for (int32_t wide = 2; wide * wide <= smooth_apart * smooth_apart * done; wide *= 2)
    {
        *spacing = 0.5 * wide * wide <= left ? wide : *spacing;
    }
    const double unit = (double)*spacing * *spacing;
    return left <= 1.5 * unit ? left : unit;
}

// Standard deviation of a scale [cells]: half of its radius, at most the size of the grid.
static double smooth_sigma(const wadi_airflow* flow, int32_t scale)
{
    const double radius = scale == AIRFLOW_WIDE ? flow->law.warp_wide : flow->law.warp_narrow;
    const double sigma = 0.5 * radius / flow->ground->cell_size;
    return sigma < flow->longest ? sigma : flow->longest;
}

int32_t wadi_airflow_smooth_reach(const wadi_airflow* flow)
{
    const double wide = smooth_sigma(flow, AIRFLOW_WIDE);
    const double narrow = smooth_sigma(flow, AIRFLOW_NARROW);
    return 4 + (int32_t)(2.0 * smooth_apart * (wide > narrow ? wide : narrow));
}

airflow_stretch wadi_airflow_smooth_cut(double done, double left, int32_t far)
{
    airflow_stretch stretch = {.done = done, .left = left, .end_done = done, .end_left = left};
    while (stretch.end_left > 0.0)
    {
        int32_t spacing;
        const double added = smooth_level(stretch.end_done, stretch.end_left, &spacing);
        const int64_t looks = stretch.looks + (int64_t)(AIRFLOW_TAPS / 2) * spacing;
        if (stretch.looks > 0 && looks > far)
        {
            break;
        }
        stretch.looks = looks;
        stretch.end_done += added;
        stretch.end_left = added == stretch.end_left ? 0.0 : stretch.end_left - added;
    }
    return stretch;
}

// Value beyond an open edge: extrapolated linearly, so that a plane keeps its slope; with voids
// mirrored, so that no weight is negative. Smoothing keeps both symmetries; a field held level
// beyond the edge does not stay level, which drew lines beside edges.
static inline float smooth_beyond(const wadi_airflow* flow, float edge, float mirror)
{
    return !flow->holes ? 2.0f * edge - mirror : mirror;
}

static inline int32_t smooth_nearest(int32_t index, int32_t count)
{
    return index < 0 ? 0 : index < count ? index : count - 1;
}

static inline int32_t smooth_wrapped(int32_t index, int32_t count)
{
    return (index % count + count) % count;
}

// Row `y` of the grid extended beyond its edges; `spare` is storage for such a row.
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

// Fill the halo of a row, `reach` cells on either side. It reads values it has just written, so a
// short row wraps several times.
static void smooth_extend(const wadi_airflow* flow, float* row, int32_t reach)
{
    const int32_t width = flow->ground->width;
    const int32_t last = width - 1;
    for (int32_t k = 1; flow->wrap_x && k <= reach; ++k)
    {
        row[-k] = row[width - k];
        row[last + k] = row[k - 1];
    }
    for (int32_t k = 1; !flow->wrap_x && k <= reach; ++k)
    {
        row[-k] = smooth_beyond(flow, row[0], row[smooth_nearest(k, width)]);
        row[last + k] = smooth_beyond(flow, row[last], row[smooth_nearest(last - k, width)]);
    }
}

static void smooth_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    const smooth_job* job = user;
    const wadi_airflow* flow = job->flow;
    const wadi_owned* area = &job->area;
    const int32_t width = flow->ground->width;
    const int32_t look = AIRFLOW_TAPS / 2 * job->spacing;
    const int32_t left = area->x > look ? area->x - look : 0;
    const int32_t right = area->end_x + look < width ? area->end_x + look : width;
    float* wide = airflow_scratch(flow, worker, AIRFLOW_TAPS);
    for (int32_t y = area->y + begin; y < area->y + end; ++y)
    {
        const float* rows[AIRFLOW_TAPS];
        for (int32_t tap = 0; tap < AIRFLOW_TAPS; ++tap)
        {
            rows[tap] =
                smooth_row(job, y + (tap - 2) * job->spacing, airflow_scratch(flow, worker, tap)) +
                left;
        }
        flow->kernels->across(rows, job->taps, right - left, wide + left);
        smooth_extend(flow, wide, look);
        flow->kernels->along(wide + area->x, job->taps, job->spacing, area->end_x - area->x,
                             job->to + (int64_t)y * width + area->x);
    }
}

// Cells of an axis of `count` that are at most `far` from those that are kept.
static void smooth_span(int32_t begin, int32_t end, int64_t far, int32_t count, bool wraps,
                        int32_t* first, int32_t* last)
{
    *first = wraps || begin <= far ? 0 : begin - (int32_t)far;
    *last = wraps || count - end <= far ? count : end + (int32_t)far;
}

// The cells that a level must compute: those at which later levels look from the kept ones.
static wadi_owned smooth_area(const wadi_airflow* flow, int64_t looks)
{
    const int32_t width = flow->ground->width;
    const int32_t height = flow->ground->height;
    const wadi_owned* kept = &flow->kept;
    wadi_owned area = {0, 0, width, height};
    if (flow->tops_given)
    {
        smooth_span(kept->x, kept->end_x, looks, width, flow->wrap_x, &area.x, &area.end_x);
        smooth_span(kept->y, kept->end_y, looks, height, flow->wrap_y, &area.y, &area.end_y);
    }
    return area;
}

void wadi_airflow_smooth_stretch(wadi_airflow* flow, const float* from,
                                 const airflow_stretch* stretch, float* to)
{
    double done = stretch->done;
    double left = stretch->left;
    int64_t looks = stretch->looks;
    if (left <= stretch->end_left)
    {
        memcpy(to, from, (size_t)flow->ground->cells * sizeof *to);
    }
    for (int32_t level = 0; left > stretch->end_left; ++level)
    {
        smooth_job job = {.flow = flow, .from = from};
        const double added = smooth_level(done, left, &job.spacing);
        job.taps = smooth_taps_of(added / ((double)job.spacing * job.spacing));
        done += added;
        left = added == left ? 0.0 : left - added;
        looks -= (int64_t)(AIRFLOW_TAPS / 2) * job.spacing;
        job.to = left > stretch->end_left ? flow->buffer[level % 2] : to;
        job.area = smooth_area(flow, looks);
        wadi_parallel_rows(flow->context, job.area.end_y - job.area.y, AIRFLOW_GRAIN, smooth_rows,
                           &job);
        from = job.to;
    }
}

airflow_scales wadi_airflow_smooth_scales(const wadi_airflow* flow)
{
    const double wide = smooth_sigma(flow, AIRFLOW_WIDE);
    const double narrow = smooth_sigma(flow, AIRFLOW_NARROW);
    const bool falls = wide < narrow;
    return (airflow_scales){.first = falls ? AIRFLOW_WIDE : AIRFLOW_NARROW,
                            .second = falls ? AIRFLOW_NARROW : AIRFLOW_WIDE,
                            .less = falls ? wide * wide : narrow * narrow,
                            .more = falls ? narrow * narrow : wide * wide};
}

wadi_result wadi_airflow_smooth(wadi_airflow* flow, float* const to[AIRFLOW_SCALES])
{
    if (flow->window != NULL)
    {
        return wadi_airflow_window_smooth(flow, to);
    }
    const airflow_scales scales = wadi_airflow_smooth_scales(flow);
    const airflow_stretch first = wadi_airflow_smooth_cut(0.0, scales.less, INT32_MAX);
    const airflow_stretch second =
        wadi_airflow_smooth_cut(scales.less, scales.more - scales.less, INT32_MAX);
    wadi_airflow_smooth_stretch(flow, flow->height, &first, to[scales.first]);
    wadi_airflow_smooth_stretch(flow, to[scales.first], &second, to[scales.second]);
    return WADI_OK;
}
