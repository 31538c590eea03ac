// SPDX-License-Identifier: MIT
// Dune spacing: the first maximum of the autocorrelation, along the normal of the crests if they
// have one, otherwise averaged over twelve azimuths.
#include "core/dmath.h"
#include "maps/judge/dune_forms_internal.h"

enum
{
    SPACING_AZIMUTHS = 12,  // over 180 degrees, as a correlation is symmetric
    SPACING_SAMPLES = 16384 // approximate number per correlation
};

static const double spacing_ordered = 0.15; // least order with a defined normal

typedef struct spacing_job
{
    const wadi_field2d* field;
    double cell; // size of one lag [m]
    double width;
    double mean;   // level [m]
    int32_t every; // step between samples, in cells and rows
    int32_t azimuths;
    double east[SPACING_AZIMUTHS];
    double south[SPACING_AZIMUTHS];
    double* likeness; // correlation by lag
} spacing_job;

// Interpolated height less the mean; NaN if one of the four cells is missing.
static double spacing_between(const spacing_job* job, double x, double y)
{
    const int32_t column = (int32_t)floor(x);
    const int32_t row = (int32_t)floor(y);
    const double fx = x - column;
    const double fy = y - row;
    const wadi_field2d* f = job->field;
    const double north =
        dune_level(f, column, row) * (1.0 - fx) + dune_level(f, column + 1, row) * fx;
    const double south =
        dune_level(f, column, row + 1) * (1.0 - fx) + dune_level(f, column + 1, row + 1) * fx;
    return north * (1.0 - fy) + south * fy - job->mean;
}

typedef struct spacing_sum
{
    double product;
    double here; // sums of squares
    double there;
} spacing_sum;

static void spacing_add(const spacing_job* job, int32_t x, int32_t y, double lag, spacing_sum* sum)
{
    const double here = dune_level(job->field, x, y) - job->mean;
    for (int32_t k = 0; k < job->azimuths && !isnan(here); ++k)
    {
        const double there = spacing_between(job, x + lag * job->east[k] / job->width,
                                             y + lag * job->south[k] / job->field->dy);
        if (!isnan(there))
        {
            sum->product += here * there;
            sum->here += here * here;
            sum->there += there * there;
        }
    }
}

static void spacing_correlate(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const spacing_job* job = user;
    for (int32_t lag = begin; lag < end; ++lag)
    {
        spacing_sum sum = {0};
        for (int32_t y = 0; y < job->field->height; y += job->every)
        {
            for (int32_t x = 0; x < job->field->width; x += job->every)
            {
                spacing_add(job, x, y, lag * job->cell, &sum);
            }
        }
        const double scale = sqrt(sum.here * sum.there);
        job->likeness[lag] = scale > 0.0 ? sum.product / scale : 0.0;
    }
}

// First maximum after the first negative minimum, refined by a parabola; NaN if there is none.
static double spacing_peak(const double* likeness, int32_t lags)
{
    bool falling = true;
    for (int32_t i = 1; i + 1 < lags; ++i)
    {
        const double before = likeness[i - 1];
        const double here = likeness[i];
        const double after = likeness[i + 1];
        if (falling)
        {
            falling = !(after > here && here < 0.0);
        }
        else if (after < here && here > 0.0)
        {
            const double bend = before - 2.0 * here + after;
            return i + (bend < 0.0 ? 0.5 * (before - after) / bend : 0.0);
        }
    }
    return (double)NAN;
}

static void spacing_aim(spacing_job* job, const wadi_dune_forms* forms)
{
    job->azimuths = forms->order >= spacing_ordered ? 1 : SPACING_AZIMUTHS;
    for (int32_t k = 0; k < job->azimuths; ++k)
    {
        const double azimuth = (forms->normal + 180.0 * k / SPACING_AZIMUTHS) / dune_degree;
        job->east[k] = wadi_sin(azimuth);
        job->south[k] = -wadi_cos(azimuth);
    }
}

static double spacing_mean(const wadi_field2d* field)
{
    double sum = 0.0;
    double cells = 0.0;
    for (int32_t y = 0; y < field->height; ++y)
    {
        for (int32_t x = 0; x < field->width; ++x)
        {
            const double level = dune_level(field, x, y);
            sum += isnan(level) ? 0.0 : level;
            cells += isnan(level) ? 0.0 : 1.0;
        }
    }
    return cells > 0.0 ? sum / cells : 0.0;
}

wadi_result wadi_dune_spacing(wadi_context* context, const wadi_field2d* field,
                              const wadi_dune_forms* forms, double* out)
{
    const double width = dune_cell_width(field, field->height / 2);
    spacing_job job = {.field = field, .width = width, .cell = fmin(width, field->dy)};
    const double side = fmin(field->width * width, field->height * field->dy);
    const int32_t lags = (int32_t)(0.5 * side / job.cell) + 1;
    const double cells = (double)field->width * field->height;
    job.every = (int32_t)ceil(sqrt(cells / SPACING_SAMPLES));
    job.mean = spacing_mean(field);
    spacing_aim(&job, forms);
    WADI_ALLOC(context, job.likeness, lags, "correlations of dunes");
    wadi_parallel_rows(context, lags, 1, spacing_correlate, &job);
    *out = spacing_peak(job.likeness, lags) * job.cell;
    wadi_free(context, job.likeness);
    return WADI_OK;
}
