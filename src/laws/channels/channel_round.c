// SPDX-License-Identifier: MIT
// Where a bend is too sharp its points move towards the middle of their neighbours, until none is.
// That is the flow that shortens curves: curvature falls, and no new bends appear.
#include "laws/channels/channel_round.h"

#include "core/internal.h"

#include <math.h>
#include <string.h>

enum
{
    ROUND_PASSES = 20000,
    ROUND_ARC = 4, // part of the radius over which a bend is measured to each side
    ROUND_STEP = 4 // part of that arc by which points look at their neighbours
};

#define ROUND_STRAIGHT 1e6 // [m]
#define ROUND_SPARE 1.02   // resampling makes bends a little sharper

static double round_distance(const channel_station* a, const channel_station* b)
{
    return sqrt((b->x - a->x) * (b->x - a->x) + (b->y - a->y) * (b->y - a->y));
}

// Radius of the circle through three stations.
static double round_radius(const channel_station* a, const channel_station* b,
                           const channel_station* c)
{
    const double ab = round_distance(a, b);
    const double bc = round_distance(b, c);
    const double ca = round_distance(c, a);
    const double twice = fabs((b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x));
    const double product = ab * bc * ca;
    return product < 2.0 * twice * ROUND_STRAIGHT ? product / (2.0 * twice) : ROUND_STRAIGHT;
}

static int32_t round_arc(const channel_axis* axis, double radius)
{
    const double stations = radius / (ROUND_ARC * axis->spacing);
    return stations < 2.0 ? 2 : stations < axis->count ? (int32_t)stations : axis->count;
}

// Radius about a station, over shorter arcs near the ends; the ends have none.
static double round_at(const channel_axis* axis, int32_t i, int32_t arc)
{
    const int32_t before = i < arc ? i : arc;
    const int32_t left = axis->count - 1 - i;
    const int32_t after = left < arc ? left : arc;
    const channel_station* s = &axis->station[i];
    return before > 0 && after > 0 ? round_radius(s - before, s, s + after) : ROUND_STRAIGHT;
}

double wadi_channel_least_radius(const channel_axis* axis, double radius)
{
    const int32_t arc = round_arc(axis, radius);
    double least = ROUND_STRAIGHT;
    for (int32_t i = 0; i < axis->count; ++i)
    {
        least = fmin(least, round_at(axis, i, arc));
    }
    return least;
}

typedef struct round_work
{
    double* x;
    double* y;
    uint8_t* sharp;
} round_work;

// Mark the stations of bends that are too sharp; returns whether there are any.
static bool round_mark(const channel_axis* axis, double radius, int32_t arc, uint8_t* sharp)
{
    bool any = false;
    memset(sharp, 0, (size_t)axis->count);
    for (int32_t i = 0; i < axis->count; ++i)
    {
        if (round_at(axis, i, arc) < radius)
        {
            any = true;
            for (int32_t k = i - arc; k <= i + arc; ++k)
            {
                if (k >= 0 && k < axis->count)
                {
                    sharp[k] = 1;
                }
            }
        }
    }
    return any;
}

static void round_pass(channel_axis* axis, const round_work* work, int32_t step)
{
    for (int32_t i = 0; i < axis->count; ++i)
    {
        work->x[i] = axis->station[i].x;
        work->y[i] = axis->station[i].y;
    }
    for (int32_t i = 1; i < axis->count - 1; ++i)
    {
        int32_t far = step < i ? step : i;
        far = far < axis->count - 1 - i ? far : axis->count - 1 - i;
        if (work->sharp[i] != 0)
        {
            const double x = work->x[i - far] + work->x[i + far];
            const double y = work->y[i - far] + work->y[i + far];
            axis->station[i].x = 0.5 * work->x[i] + 0.25 * x;
            axis->station[i].y = 0.5 * work->y[i] + 0.25 * y;
        }
    }
}

static wadi_result round_resample(wadi_context* context, channel_axis* axis, double spacing)
{
    double* points;
    WADI_ALLOC(context, points, 2 * (int64_t)axis->count, "a route");
    for (int32_t i = 0; i < axis->count; ++i)
    {
        points[2 * (int64_t)i] = axis->station[i].x;
        points[2 * (int64_t)i + 1] = axis->station[i].y;
    }
    channel_axis even;
    const wadi_result result =
        wadi_channel_axis_of_points(context, points, axis->count, spacing, &even);
    wadi_free(context, points);
    if (result == WADI_OK)
    {
        wadi_channel_axis_free(context, axis);
        *axis = even;
    }
    return result;
}

static wadi_result round_run(wadi_context* context, channel_axis* axis, double radius,
                             round_work* work)
{
    WADI_ALLOC(context, work->x, axis->count, "a route");
    WADI_ALLOC(context, work->y, axis->count, "a route");
    WADI_ALLOC(context, work->sharp, axis->count, "a route");
    const int32_t arc = round_arc(axis, radius);
    const int32_t step = arc / ROUND_STEP > 1 ? arc / ROUND_STEP : 1;
    bool moved = false;
    for (int32_t pass = 0;
         pass < ROUND_PASSES && round_mark(axis, ROUND_SPARE * radius, arc, work->sharp); ++pass)
    {
        round_pass(axis, work, step);
        moved = true;
    }
    return moved ? round_resample(context, axis, axis->spacing) : WADI_OK;
}

wadi_result wadi_channel_round(wadi_context* context, channel_axis* axis, double radius)
{
    round_work work = {0};
    const wadi_result result = round_run(context, axis, radius, &work);
    wadi_free(context, work.x);
    wadi_free(context, work.y);
    wadi_free(context, work.sharp);
    return result;
}
