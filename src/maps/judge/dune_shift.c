// SPDX-License-Identifier: MIT
// Displacement of dunes between two surfaces: the maximum of their cross-correlation, refined by a
// paraboloid.
#include "core/dmath.h"
#include "core/internal.h"
#include "maps/judge/dune_forms_internal.h"
#include "terrain/field2d.h"

enum
{
    SHIFT_MOST = 64 // cells
};

static const double shift_overlap = 0.25; // least overlap, of that without shift

typedef struct shift_job
{
    const wadi_field2d* before;
    const wadi_field2d* after;
    double level;     // offset of the sums [m]
    int32_t reach;    // [cells]
    double least;     // least overlapping cells
    double* likeness; // correlations, (2 reach + 1) squared, rows from the north
} shift_job;

// Sums over the cells with data in both, the first surface shifted.
typedef struct shift_sums
{
    double cells;
    double a, b;
    double aa, ab, bb;
} shift_sums;

static shift_sums shift_overlay(const shift_job* job, int32_t dx, int32_t dy)
{
    shift_sums s = {0};
    for (int32_t y = 0; y < job->before->height; ++y)
    {
        for (int32_t x = 0; x < job->before->width; ++x)
        {
            const double a = dune_level(job->before, x, y) - job->level;
            const double b = dune_level(job->after, x + dx, y + dy) - job->level;
            if (!isnan(a) && !isnan(b))
            {
                s.cells += 1.0;
                s.a += a;
                s.b += b;
                s.aa += a * a;
                s.ab += a * b;
                s.bb += b * b;
            }
        }
    }
    return s;
}

// Correlation; -2 if too little overlaps or a surface is level.
static double shift_likeness(const shift_sums* s, double least)
{
    if (s->cells <= 0.0)
    {
        return -2.0;
    }
    const double va = s->aa - s->a * s->a / s->cells;
    const double vb = s->bb - s->b * s->b / s->cells;
    return s->cells >= least && va > 0.0 && vb > 0.0
               ? (s->ab - s->a * s->b / s->cells) / sqrt(va * vb)
               : -2.0;
}

static void shift_rows(int32_t begin, int32_t end, int32_t worker, void* user)
{
    (void)worker;
    const shift_job* job = user;
    const int32_t side = 2 * job->reach + 1;
    for (int32_t row = begin; row < end; ++row)
    {
        for (int32_t column = 0; column < side; ++column)
        {
            const shift_sums sums = shift_overlay(job, column - job->reach, row - job->reach);
            job->likeness[row * side + column] = shift_likeness(&sums, job->least);
        }
    }
}

typedef struct shift_step
{
    double x;
    double y;
} shift_step;

// Maximum of a paraboloid through the nine values around the best, relative to it [cells]. It needs
// the cross term: on an oblique ridge of correlation two parabolas are off by 0.2 cells.
static shift_step shift_top(const double* at, int32_t side)
{
    const double gx = 0.5 * (at[1] - at[-1]);
    const double gy = 0.5 * (at[side] - at[-side]);
    const double xx = at[1] - 2.0 * at[0] + at[-1];
    const double yy = at[side] - 2.0 * at[0] + at[-side];
    const double xy = 0.25 * (at[side + 1] - at[side - 1] - at[1 - side] + at[-1 - side]);
    const double det = xx * yy - xy * xy;
    if (!(xx < 0.0 && det > 0.0))
    {
        return (shift_step){0.0, 0.0}; // level or a saddle: no maximum
    }
    const shift_step top = {(xy * gy - yy * gx) / det, (xy * gx - xx * gy) / det};
    return fabs(top.x) <= 1.0 && fabs(top.y) <= 1.0 ? top : (shift_step){0.0, 0.0};
}

static int32_t shift_best(const shift_job* job)
{
    const int32_t side = 2 * job->reach + 1;
    int32_t best = side * job->reach + job->reach;
    for (int32_t i = 0; i < side * side; ++i)
    {
        best = job->likeness[i] > job->likeness[best] ? i : best;
    }
    return best;
}

static void shift_find(const shift_job* job, wadi_dune_shift* out)
{
    const int32_t side = 2 * job->reach + 1;
    const int32_t best = shift_best(job);
    const int32_t column = best % side;
    const int32_t row = best / side;
    const bool within = column > 0 && column + 1 < side && row > 0 && row + 1 < side;
    const shift_step finer =
        within ? shift_top(job->likeness + best, side) : (shift_step){0.0, 0.0};
    const double width = dune_cell_width(job->before, job->before->height / 2);
    const double east = (column - job->reach + finer.x) * width;
    const double north = -(row - job->reach + finer.y) * job->before->dy;
    out->distance = sqrt(east * east + north * north);
    out->azimuth = out->distance > 0.0 ? dune_azimuth(wadi_atan2(east, north) * dune_degree, 360.0)
                                       : (double)NAN;
    out->likeness = job->likeness[best];
}

static wadi_result shift_check(wadi_context* context, const wadi_field2d* before,
                               const wadi_field2d* after, double reach)
{
    WADI_CHECK(context, before->width == after->width && before->height == after->height,
               WADI_ERROR_ARGUMENT,
               "surfaces of %d x %d and %d x %d cells; both must have the same size",
               (int)before->width, (int)before->height, (int)after->width, (int)after->height);
    WADI_CHECK(context, reach >= before->dy && reach <= SHIFT_MOST * before->dy, WADI_ERROR_RANGE,
               "reach is %g m on cells of %g m; expected %g to %g m", reach, before->dy, before->dy,
               SHIFT_MOST * before->dy);
    return WADI_OK;
}

wadi_result wadi_dune_shift_measure(wadi_context* context, const wadi_field2d* before,
                                    const wadi_field2d* after, double reach, wadi_dune_shift* out)
{
    *out = (wadi_dune_shift){0.0, (double)NAN, 0.0};
    WADI_TRY(wadi_field2d_check(context, before, out));
    WADI_TRY(wadi_field2d_check(context, after, out));
    WADI_TRY(shift_check(context, before, after, reach));
    shift_job job = {.before = before, .after = after, .reach = (int32_t)(reach / before->dy)};
    const shift_sums unmoved = shift_overlay(&job, 0, 0);
    WADI_CHECK(context, unmoved.cells > 0.0, WADI_ERROR_RANGE,
               "the surfaces have no cell with data in both");
    job.level = unmoved.a / unmoved.cells;
    job.least = shift_overlap * unmoved.cells;
    const int32_t side = 2 * job.reach + 1;
    WADI_ALLOC(context, job.likeness, (int64_t)side * side, "correlations of two surfaces");
    wadi_parallel_rows(context, side, 1, shift_rows, &job);
    shift_find(&job, out);
    wadi_free(context, job.likeness);
    WADI_CHECK(context, out->likeness > -2.0, WADI_ERROR_RANGE,
               "one of the surfaces is level; a shift cannot be measured");
    return WADI_OK;
}
