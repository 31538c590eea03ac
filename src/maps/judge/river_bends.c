// SPDX-License-Identifier: MIT
// Bends of a course: reaches between inflections. The course is resampled in steps of half a width
// and smoothed over a width, so that neither cells nor the intervals of channels count as bends.
#include "maps/judge/river_forms_internal.h"

#include "core/dmath.h"

#include <stdlib.h>

enum
{
    BENDS_PER_WIDTH = 2, // points
    BENDS_PASSES = 6     // of a mean of three points
};

static const double bends_least = 0.35; // least angle of a bend [radian]

static double bends_apart(river_point a, river_point b)
{
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

// Points of equal distance along a course; returns their number, `most` at most.
static int32_t bends_resample(const river_course* course, double step, river_point* out,
                              int32_t most)
{
    int32_t count = 0;
    double left = 0.0; // until the next point
    for (int32_t i = 0; i + 1 < course->count; ++i)
    {
        const river_point a = course->points[i];
        const river_point b = course->points[i + 1];
        const double length = bends_apart(a, b);
        for (; left < length && count < most; left += step)
        {
            const double share = left / length;
            out[count++] = (river_point){a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
        }
        left -= length;
    }
    return count;
}

static void bends_smooth(river_point* points, int32_t count)
{
    for (int pass = 0; pass < BENDS_PASSES; ++pass)
    {
        river_point before = points[0];
        for (int32_t i = 1; i + 1 < count; ++i)
        {
            const river_point here = points[i];
            points[i].x = 0.25 * (before.x + 2.0 * here.x + points[i + 1].x);
            points[i].y = 0.25 * (before.y + 2.0 * here.y + points[i + 1].y);
            before = here;
        }
    }
}

static double bends_length(const river_point* points, int32_t count)
{
    double length = 0.0;
    for (int32_t i = 1; i < count; ++i)
    {
        length += bends_apart(points[i - 1], points[i]);
    }
    return length;
}

// Angle by which a course turns at a point, rightwards.
static double bends_turn(const river_point* p)
{
    const double ax = p[0].x - p[-1].x;
    const double ay = p[0].y - p[-1].y;
    const double bx = p[1].x - p[0].x;
    const double by = p[1].y - p[0].y;
    return wadi_atan2(ax * by - ay * bx, ax * bx + ay * by);
}

// Sums over the bends of a course.
typedef struct bends_sums
{
    double width; // [cells]
    double chords;
    double skews;
    double* radii;
    int32_t count;
} bends_sums;

// The bend from point `from` to `to`; the turns of points between have one sign.
static void bends_add(const river_point* points, int32_t from, int32_t to, bends_sums* sums)
{
    double angle = 0.0;
    double moment = 0.0;
    double sharpest = 0.0;
    for (int32_t i = from; i < to; ++i)
    {
        const double turn = fabs(bends_turn(&points[i]));
        angle += turn;
        moment += turn * (i - 0.5 * (from + to - 1));
        const double apart = 0.5 * bends_apart(points[i - 1], points[i + 1]);
        sharpest = fmax(sharpest, turn / fmax(apart, 1e-9));
    }
    if (angle < bends_least || to - from < 3)
    {
        return;
    }
    sums->chords += bends_apart(points[from], points[to]);
    sums->skews += moment / angle / (0.5 * (to - from));
    sums->radii[sums->count++] = 1.0 / sharpest / sums->width;
}

// The first and the last bend are incomplete.
static void bends_find(const river_point* points, int32_t count, bends_sums* sums)
{
    int32_t from = -1;
    double hand = 0.0;
    for (int32_t i = 1; i + 1 < count; ++i)
    {
        const double turn = bends_turn(&points[i]);
        if (hand * turn < 0.0)
        {
            if (from > 0)
            {
                bends_add(points, from, i, sums);
            }
            from = i;
        }
        hand = fabs(turn) > 0.0 ? turn : hand;
    }
}

static int bends_compare(const void* a, const void* b)
{
    const double x = *(const double*)a;
    const double y = *(const double*)b;
    return (x > y) - (x < y);
}

static void bends_measure(const river_grid* grid, const river_course* course, river_point* points,
                          bends_sums* sums, int32_t most, wadi_river_forms* out)
{
    const int32_t count = bends_resample(course, course->width / BENDS_PER_WIDTH, points, most);
    if (count < 3)
    {
        return;
    }
    bends_smooth(points, count);
    const double length = bends_length(points, count);
    out->length = length * grid->cell;
    out->sinuosity = length / fmax(1e-9, bends_apart(points[0], points[count - 1]));
    bends_find(points, count, sums);
    out->bends = sums->count;
    if (sums->count > 0)
    {
        qsort(sums->radii, (size_t)sums->count, sizeof *sums->radii, bends_compare);
        out->wavelength = 2.0 * sums->chords / sums->count / course->width;
        out->skewness = sums->skews / sums->count;
        out->radius = sums->radii[sums->count / 2];
    }
}

wadi_result wadi_river_bends(const river_grid* grid, const river_course* course,
                             wadi_river_forms* out)
{
    double length = 0.0;
    for (int32_t i = 1; i < course->count; ++i)
    {
        length += bends_apart(course->points[i - 1], course->points[i]);
    }
    const int32_t most = (int32_t)(BENDS_PER_WIDTH * length / course->width) + 2;
    double* memory; // points, then radii
    WADI_ALLOC(grid->context, memory, 3 * (int64_t)most, "bends of a river");
    river_point* points = (river_point*)memory;
    bends_sums sums = {.width = course->width, .radii = memory + 2 * (ptrdiff_t)most};
    bends_measure(grid, course, points, &sums, most, out);
    wadi_free(grid->context, memory);
    return WADI_OK;
}
