// SPDX-License-Identifier: MIT
#include "laws/channels/channel_axis.h"

#include <math.h>

enum
{
    AXIS_PASSES = 3 // of a moving average: nearly a Gaussian
};

typedef struct axis_point
{
    double x;
    double y;
} axis_point;

static double axis_distance(axis_point a, axis_point b)
{
    return sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
}

static axis_point axis_between(axis_point a, axis_point b, double share)
{
    return (axis_point){a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
}

// ---- smoothing ---------------------------------------------------------------------------

// Mean over `reach` points on either side, fewer towards the ends, so that the ends stay fixed.
static axis_point axis_mean(const axis_point* points, int32_t count, int32_t at, int32_t reach)
{
    reach = at < reach ? at : reach;
    reach = count - 1 - at < reach ? count - 1 - at : reach;
    axis_point sum = {0.0, 0.0};
    for (int32_t i = at - reach; i <= at + reach; ++i)
    {
        sum.x += points[i].x;
        sum.y += points[i].y;
    }
    return (axis_point){sum.x / (2 * reach + 1), sum.y / (2 * reach + 1)};
}

static void axis_smooth(axis_point* points, axis_point* spare, int32_t count, int32_t reach)
{
    for (int pass = 0; pass < AXIS_PASSES; ++pass)
    {
        for (int32_t i = 0; i < count; ++i)
        {
            spare[i] = axis_mean(points, count, i, reach);
        }
        for (int32_t i = 0; i < count; ++i)
        {
            points[i] = spare[i];
        }
    }
}

// ---- stations ----------------------------------------------------------------------------

static double axis_length(const axis_point* points, int32_t count)
{
    double length = 0.0;
    for (int32_t i = 1; i < count; ++i)
    {
        length += axis_distance(points[i - 1], points[i]);
    }
    return length;
}

static void axis_place_stations(const axis_point* points, int32_t count, channel_axis* axis)
{
    int32_t segment = 1;
    double passed = 0.0; // length before the segment
    for (int32_t i = 0; i < axis->count; ++i)
    {
        const double at = i * axis->spacing;
        double length = axis_distance(points[segment - 1], points[segment]);
        while (segment < count - 1 && passed + length < at)
        {
            passed += length;
            ++segment;
            length = axis_distance(points[segment - 1], points[segment]);
        }
        const double share = length > 0.0 ? fmin(1.0, (at - passed) / length) : 0.0;
        const axis_point p = axis_between(points[segment - 1], points[segment], share);
        axis->station[i] = (channel_station){.x = p.x, .y = p.y};
    }
}

static void axis_set_tangents(channel_axis* axis)
{
    for (int32_t i = 0; i < axis->count; ++i)
    {
        const channel_station* before = &axis->station[i > 0 ? i - 1 : i];
        const channel_station* after = &axis->station[i + 1 < axis->count ? i + 1 : i];
        const axis_point chord = {after->x - before->x, after->y - before->y};
        const double length = sqrt(chord.x * chord.x + chord.y * chord.y);
        axis->station[i].tangent_x = length > 0.0 ? chord.x / length : 1.0;
        axis->station[i].tangent_y = length > 0.0 ? chord.y / length : 0.0;
    }
}

static wadi_result axis_resample(wadi_context* context, const axis_point* points, int32_t count,
                                 double spacing, channel_axis* out)
{
    const double length = axis_length(points, count);
    WADI_CHECK(context, count >= 2 && length >= spacing, WADI_ERROR_RANGE,
               "the route is %.3g m long but must have at least %.3g m; move the emitter away from "
               "the outlet",
               length, spacing);
    out->count = (int32_t)ceil(length / spacing) + 1;
    out->spacing = length / (out->count - 1);
    WADI_ALLOC(context, out->station, out->count, "stations of a route");
    axis_place_stations(points, count, out);
    axis_set_tangents(out);
    return WADI_OK;
}

static wadi_result axis_of_cells(wadi_context* context, const wadi_field2d* field,
                                 const channel_route* route, double reach, axis_point** points)
{
    axis_point* spare;
    WADI_ALLOC(context, *points, route->count, "a route");
    for (int32_t i = 0; i < route->count; ++i)
    {
        const int32_t column = (int32_t)(route->cell[i] % (uint32_t)field->width);
        const int32_t row = (int32_t)(route->cell[i] / (uint32_t)field->width);
        (*points)[i] =
            (axis_point){(column + 0.5) * field->dx, (field->height - row - 0.5) * field->dy};
    }
    WADI_ALLOC(context, spare, route->count, "a route");
    axis_smooth(*points, spare, route->count, (int32_t)(reach / fmin(field->dx, field->dy)));
    wadi_free(context, spare);
    return WADI_OK;
}

wadi_result wadi_channel_axis_of_route(wadi_context* context, const wadi_field2d* field,
                                       const channel_route* route, double spacing, double reach,
                                       channel_axis* out)
{
    axis_point* points = NULL;
    *out = (channel_axis){0};
    wadi_result result = axis_of_cells(context, field, route, reach, &points);
    if (result == WADI_OK)
    {
        result = axis_resample(context, points, route->count, spacing, out);
    }
    wadi_free(context, points);
    return result;
}

wadi_result wadi_channel_axis_of_points(wadi_context* context, const double* points, int32_t count,
                                        double spacing, channel_axis* out)
{
    axis_point* corners;
    *out = (channel_axis){0};
    WADI_ALLOC(context, corners, count, "points of a route");
    for (int32_t i = 0; i < count; ++i)
    {
        corners[i] = (axis_point){points[2 * i], points[2 * i + 1]};
    }
    const wadi_result result = axis_resample(context, corners, count, spacing, out);
    wadi_free(context, corners);
    return result;
}

void wadi_channel_axis_free(wadi_context* context, channel_axis* axis)
{
    wadi_free(context, axis->station);
    *axis = (channel_axis){0};
}

static double axis_square_distance(const channel_axis* axis, int32_t i, double x, double y)
{
    const double dx = axis->station[i].x - x;
    const double dy = axis->station[i].y - y;
    return dx * dx + dy * dy;
}

int32_t wadi_channel_axis_nearest(const channel_axis* axis, int32_t from, double x, double y)
{
    double best = axis_square_distance(axis, from, x, y);
    for (int step = -1; step <= 1; step += 2)
    {
        for (int32_t i = from + step; i >= 0 && i < axis->count; i += step)
        {
            const double distance = axis_square_distance(axis, i, x, y);
            if (distance >= best)
            {
                break;
            }
            best = distance;
            from = i;
        }
    }
    return from;
}
